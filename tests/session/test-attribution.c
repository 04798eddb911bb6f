/* Shares against a plain recomputation, and the scopes they are put together by. */
#include "engine/session/attribution.h"
#include "engine/session/scopes.h"

#include "engine/base/error.h"
#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* --- scopes --------------------------------------------------------------------------------- */

static GobanScopes *
scopes_of (GobanGraph *graph, guint depth)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n);

  for (guint i = 0; i < n; i++)
    ids[i] = i;
  return goban_scopes_new (graph, ids, n, depth);
}

static void
assert_scopes (GobanGraph *graph, guint depth, const char *expected)
{
  g_autoptr (GobanScopes) scopes = scopes_of (graph, depth);
  g_autofree char *names = g_strjoinv (" ", scopes->names);

  g_assert_cmpstr (names, ==, expected);
}

static void
test_scopes (void)
{
  const char *const names[] = { "a/b/c", "a/b/d", "a/e", "f", "g/h/i", "g/h/j", "/k/l", NULL };
  g_autoptr (GobanGraph) graph = toy_of_names (names);
  g_autoptr (GobanScopes) scopes = scopes_of (graph, 1);

  assert_scopes (graph, 1, "a f g /k");
  assert_scopes (graph, 2, "a/b a/e f g/h /k/l");
  assert_scopes (graph, 9, "a/b/c a/b/d a/e f g/h/i g/h/j /k/l");
  /* Four are too few, five enough. */
  assert_scopes (graph, 0, "a/b a/e f g/h /k/l");
  g_assert_cmpuint (scopes->sizes[0], ==, 3);
  g_assert_cmpuint (scopes->of[4], ==, 2);
}

/* A hundred names without scopes: by types of op then. */
static void
test_flat_names (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 0; i < 100; i++)
    g_ptr_array_add (names, g_strdup_printf ("%c%u", i < 50 ? 'a' : 'C', i));
  g_ptr_array_add (names, NULL);
  graph = toy_of_names ((const char *const *) names->pdata);
  assert_scopes (graph, 0, "Add Conv");
}

/* --- shares --------------------------------------------------------------------------------- */

static double
makespan_us (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

  return goban_trace_get_makespan (trace);
}

/* Names are flat, so that every moved node is a group, or its whole colocation group is. */
static GobanNodeId
first_of_group (const RandomRun *run, const GobanPlan *before, GobanNodeId node)
{
  guint32 group = goban_graph_get_node (run->graph, node)->group;

  for (GobanNodeId v = 0; v < node && group != GOBAN_NO_GROUP; v++)
    if (goban_graph_get_node (run->graph, v)->group == group
        && goban_plan_get_device (before, v) != goban_plan_get_device (run->plan, v))
      return v;
  return node;
}

/* Kernels that the moves tear apart are none any more. */
static void
dissolve_torn (GobanPlan *plan)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autofree gint32 *fusions = g_memdup2 (goban_plan_get_fusions (plan), n_nodes * sizeof (gint32));

  for (GobanNodeId u = 0; u < n_nodes; u++)
    for (GobanNodeId v = 0; v < n_nodes; v++)
      if (fusions[u] == fusions[v]
          && goban_plan_get_device (plan, u) != goban_plan_get_device (plan, v))
        goban_plan_set_fusion (plan, u, GOBAN_NO_FUSION);
}

static double
naive_share_us (const RandomRun *run, const GobanPlan *before, const char *name, guint *n_nodes)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (run->plan);
  GobanNodeId first = goban_graph_find_node (run->graph, name);

  *n_nodes = 0;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (run->graph); v++)
    if (goban_plan_get_device (before, v) != goban_plan_get_device (run->plan, v)
        && first_of_group (run, before, v) == first)
      {
        goban_plan_set_device (plan, v, goban_plan_get_device (before, v));
        ++*n_nodes;
      }
  dissolve_torn (plan);
  return makespan_us (run->costs, run->plan) - makespan_us (run->costs, plan);
}

static void
test_naive_twin (void)
{
  guint n_checked = 0;

  for (guint64 seed = 0; seed < 40; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanPlan) other = NULL;
      g_autoptr (GobanRun) before = NULL;
      g_autoptr (GobanRun) after = NULL;
      g_autoptr (GobanAttribution) attribution = NULL;
      g_autoptr (GError) error = NULL;
      double sum_us = 0;
      GobanRng rng;

      (seed % 2 ? fused_run_init : random_run_init) (&run, 20, seed);
      goban_rng_init (&rng, seed + 1000);
      other = random_plan (run.costs, &rng);
      before = goban_run_new (run.costs, other, "before");
      after = goban_run_new (run.costs, run.plan, "after");
      attribution = goban_attribution_new (before, after, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (attribution->delta_us
                     == goban_run_get_makespan_us (after) - goban_run_get_makespan_us (before));

      for (guint i = 0; i < attribution->n_shares; i++)
        {
          const GobanShare *share = &attribution->shares[i];
          guint n_nodes;
          double expected_us = naive_share_us (&run, other, share->name, &n_nodes);

          g_assert_true (share->delta_us == expected_us);
          g_assert_cmpuint (share->n_nodes, ==, n_nodes);
          if (i > 0)
            g_assert_true (fabs (share[-1].delta_us) >= fabs (share->delta_us));
          sum_us += share->delta_us;
          n_checked++;
        }
      g_assert_cmpfloat_with_epsilon (attribution->delta_us, sum_us + attribution->remainder_us,
                                      1e-6);
    }
  g_assert_cmpuint (n_checked, >, 100);
}

/* One move is the whole of the difference. */
static void
test_one_move (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanPlan) single = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) moved = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) before = goban_run_new (costs, single, "single");
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanAttribution) attribution = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  goban_plan_set_device (moved, goban_graph_find_node (graph, "left"), 1);
  after = goban_run_new (costs, moved, "moved");
  attribution = goban_attribution_new (before, after, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attribution->n_shares, ==, 1);
  g_assert_cmpstr (attribution->shares[0].name, ==, "left");
  g_assert_true (attribution->shares[0].delta_us == attribution->delta_us);
  g_assert_true (attribution->remainder_us == 0);
  g_assert_true (attribution->delta_us < 0);

  text = goban_attribution_to_text (attribution, 0);
  g_assert_nonnull (strstr (text, "1 more"));
}

static gboolean
stop_at_once (gpointer user_data)
{
  return TRUE;
}

static void
test_stops_and_refuses (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanCostModel) four = toy_costs (graph, "p100x4");
  g_autoptr (GobanRun) a = goban_run_new_from_policy (costs, "single", NULL, NULL);
  g_autoptr (GobanRun) b = goban_run_new_from_policy (costs, "round-robin", NULL, NULL);
  g_autoptr (GobanRun) c = goban_run_new_from_policy (four, "single", NULL, NULL);
  GobanProgress progress = { .should_stop = stop_at_once };
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_attribution_new (a, b, &progress, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (goban_attribution_new (c, b, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/scopes/depths", test_scopes);
  g_test_add_func ("/session/scopes/flat-names", test_flat_names);
  g_test_add_func ("/session/attribution/naive-twin", test_naive_twin);
  g_test_add_func ("/session/attribution/one-move", test_one_move);
  g_test_add_func ("/session/attribution/stops-and-refuses", test_stops_and_refuses);
  return g_test_run ();
}
