/* Shares against a plain recomputation, and the scopes they are put together by. */
#include "engine/session/attributor.h"
#include "engine/study/analysis/scopes.h"
#include "engine/study/run/run-source.h"

#include "engine/core/error.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"
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

/* The plan that the share was measured with, node by node. */
static void
check_revert (const RandomRun *run, GobanRun *before, GobanRun *after, const GobanShare *share)
{
  g_autoptr (GobanPlan) plan = goban_attribution_revert (before, after, share->kind, share->nodes);
  GobanPlan *a = goban_run_get_plan (before), *b = goban_run_get_plan (after);
  gboolean is_order = share->kind == GOBAN_SHARE_ORDER;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      gboolean is_in = goban_selection_contains (share->nodes, v);
      gboolean moves = share->kind == GOBAN_SHARE_MOVE && is_in;
      gboolean ranks = (share->kind == GOBAN_SHARE_PRIORITY || is_order) && is_in;

      g_assert_cmpuint (goban_plan_get_device (plan, v), ==,
                        goban_plan_get_device (moves ? a : b, v));
      g_assert_cmpint (goban_plan_get_priority (plan, v), ==,
                       goban_plan_get_priority (ranks ? a : b, v));
    }
  g_assert_cmpint (goban_plan_get_order (plan), ==, goban_plan_get_order (is_order ? a : b));
  if (!isnan (share->delta_us))
    g_assert_true (share->delta_us
                   == goban_run_get_makespan_us (after) - makespan_us (run->costs, plan));
}

static void
test_naive_twin (void)
{
  guint n_checked = 0;
  guint n_of_kind[GOBAN_N_SHARE_KINDS] = { 0 };

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

          if (share->kind == GOBAN_SHARE_MOVE)
            {
              g_assert_true (share->delta_us
                             == naive_share_us (&run, other, share->name, &n_nodes));
              g_assert_cmpuint (share->n_nodes, ==, n_nodes);
              n_checked++;
            }
          check_revert (&run, before, after, share);
          if (isnan (share->delta_us))
            continue;
          if (i > 0)
            g_assert_true (fabs (share[-1].delta_us) >= fabs (share->delta_us));
          sum_us += share->delta_us;
          n_of_kind[share->kind]++;
        }
      g_assert_cmpfloat_with_epsilon (attribution->delta_us, sum_us + attribution->remainder_us,
                                      1e-6);
    }
  g_assert_cmpuint (n_checked, >, 100);
  for (guint kind = 0; kind < GOBAN_N_SHARE_KINDS; kind++)
    g_assert_cmpuint (n_of_kind[kind], >, kind == GOBAN_SHARE_TRANSFER ? 0 : 5);
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
  GobanAttributionOptions options = { .progress = &progress };
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_attribution_new (a, b, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (goban_attribution_new (c, b, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* Six ops in a row, in three kernels of two or otherwise. */
static GobanRun *
new_fused_run (GobanCostModel *costs, const gint32 *fusions, const char *name)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 2);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_fusion (plan, v, fusions[v]);
  return goban_run_new (costs, plan, name);
}

static GobanGraph *
new_row (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  guint32 previous = 0;

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("op%u", i);
      guint32 node = goban_graph_builder_add_node (builder, name, "Add");

      goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
      if (i > 0)
        goban_graph_builder_add_edge (
            builder, goban_graph_builder_add_tensor (builder, previous, 1000), node);
      previous = node;
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* Numbers of kernels mean nothing; kernels that overlap go back together, others alone. */
static void
test_kernels_by_members (void)
{
  static const gint32 pairs[] = { 0, 0, 2, 2, 4, 4 };
  static const gint32 renumbered[] = { 70, 70, 5, 5, 9, 9 };
  static const gint32 shifted[] = { -1, 8, 8, -1, -1, -1 };
  g_autoptr (GobanGraph) graph = new_row ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanRun) a = new_fused_run (costs, pairs, "a");
  g_autoptr (GobanRun) same = new_fused_run (costs, renumbered, "same");
  g_autoptr (GobanRun) b = new_fused_run (costs, shifted, "b");
  g_autoptr (GobanAttribution) none = goban_attribution_new (a, same, NULL, NULL);
  g_autoptr (GobanAttribution) some = goban_attribution_new (a, b, NULL, NULL);
  guint n_back = 0;

  g_assert_cmpuint (none->n_shares, ==, 0);
  g_assert_cmpuint (some->n_shares, ==, 2);
  for (guint i = 0; i < some->n_shares; i++)
    {
      const GobanShare *share = &some->shares[i];
      g_autoptr (GobanPlan) plan = goban_attribution_revert (a, b, share->kind, share->nodes);
      const gint32 *fusions = goban_plan_get_fusions (plan);
      gboolean is_first = goban_selection_contains (share->nodes, 0);

      g_assert_cmpint (share->kind, ==, GOBAN_SHARE_FUSION);
      g_assert_cmpuint (share->n_nodes, ==, is_first ? 4 : 2);
      for (GobanNodeId v = 0; v < 6; v += 2)
        {
          gboolean is_pair = fusions[v] == fusions[v + 1] && fusions[v] != GOBAN_NO_FUSION;

          g_assert_cmpint (is_pair, ==, is_first == (v < 4));
          n_back += is_pair;
        }
    }
  g_assert_cmpuint (n_back, ==, 3);
}

/* --- threads --------------------------------------------------------------------------------- */

static char *
attribute (const RandomRun *run, GobanRun *before, guint n_threads, guint *n_shares)
{
  g_autoptr (GobanRun) after = goban_run_new (run->costs, run->plan, "after");
  GobanAttributionOptions options = { .n_threads = n_threads };
  g_autoptr (GobanAttribution) attribution = goban_attribution_new (before, after, &options, NULL);
  double sum_us = 0;

  *n_shares += attribution->n_shares;
  for (guint i = 0; i < attribution->n_shares; i++)
    sum_us += attribution->shares[i].delta_us;
  g_assert_cmpfloat_with_epsilon (attribution->delta_us, sum_us + attribution->remainder_us, 1e-6);
  return goban_attribution_to_text (attribution, 100);
}

static void
test_threads (void)
{
  guint n_shares = 0;

  for (guint64 seed = 0; seed < 6; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanPlan) other = NULL;
      g_autoptr (GobanRun) before = NULL;
      g_autofree char *text = NULL;
      g_autofree char *same = NULL;
      GobanRng rng;

      random_run_init (&run, 20, seed);
      goban_rng_init (&rng, 77);
      other = random_plan (run.costs, &rng);
      before = goban_run_new (run.costs, other, "before");
      text = attribute (&run, before, 1, &n_shares);
      same = attribute (&run, before, 3, &n_shares);
      g_assert_cmpstr (text, ==, same);
    }
  g_assert_cmpuint (n_shares, >, 2 * 6);
}

static void
count_cb (guint *n)
{
  ++*n;
}

/* The attributor has in the end what is found at once; stopped, it keeps what it has. */
static void
test_attributor (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanRun) a = goban_run_new_from_policy (costs, "single", NULL, NULL);
  g_autoptr (GobanRun) b = goban_run_new_from_policy (costs, "round-robin", NULL, NULL);
  g_autoptr (GobanDifference) difference = goban_difference_new (a, b, 0, NULL);
  g_autoptr (GobanBreakdown) whole = goban_breakdown_new (difference, NULL, NULL);
  g_autoptr (GobanAttributor) attributor = goban_attributor_new ();
  g_autoptr (GobanRunSource) source = NULL;
  g_autofree char *text = goban_breakdown_to_text (whole);
  g_autofree char *found = NULL;
  guint n_changes = 0;

  g_signal_connect_swapped (attributor, "changed", G_CALLBACK (count_cb), &n_changes);
  goban_attributor_start (attributor, difference);
  g_assert_true (goban_attributor_is_running (attributor));
  while (goban_attributor_is_running (attributor))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_changes, >=, 2);
  found = goban_breakdown_to_text (goban_attributor_get_found (attributor));
  g_assert_cmpstr (found, ==, text);
  g_assert_true (goban_attributor_get_fraction (attributor) == 1);
  g_assert_null (goban_attributor_get_trouble (attributor));

  goban_attributor_start (attributor, difference);
  goban_attributor_stop (attributor);
  g_assert_false (goban_attributor_is_running (attributor));
  g_assert_true (goban_attributor_get_difference (attributor) == difference);
  goban_attributor_clear (attributor);
  g_assert_null (goban_attributor_get_found (attributor));
  g_assert_null (goban_attributor_get_difference (attributor));

  /* The worker that was stopped lets go of them, too. */
  g_clear_pointer (&difference, goban_difference_unref);
  source = goban_run_source_ref (goban_run_get_source (a));
  for (;;)
    {
      g_clear_pointer (&a, goban_run_unref);
      a = goban_run_source_peek_run (source);
      if (a == NULL)
        break;
      g_main_context_iteration (NULL, FALSE);
    }
}

/* --- trying ----------------------------------------------------------------------------------- */

static void
wait_for_run (GobanSession *session, guint n)
{
  while (g_list_model_get_n_items (goban_session_get_runs (session)) < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_try (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanRun) single = NULL;
  g_autoptr (GobanRun) round = NULL;
  g_autoptr (GobanAttribution) attribution = NULL;
  g_autoptr (GError) error = NULL;
  const GPtrArray *log;
  const char *line;
  GobanRevert revert;
  GobanRun *tried;

  goban_session_set_graph (session, graph, NULL);
  single = goban_run_new_from_policy (goban_session_get_costs (session), "single", NULL, NULL);
  round = goban_run_new_from_policy (goban_session_get_costs (session), "round-robin", NULL, NULL);
  goban_session_add_run (session, single);
  goban_session_add_run (session, round);
  attribution = goban_attribution_new (single, round, NULL, NULL);
  g_assert_cmpuint (attribution->n_shares, >, 0);

  revert = (GobanRevert){ .before = single,
                          .after = round,
                          .kind = attribution->shares[0].kind,
                          .nodes = attribution->shares[0].nodes,
                          .label = attribution->shares[0].label };
  goban_session_try_revert (session, &revert);
  wait_for_run (session, 3);
  tried = goban_session_get_current_run (session);
  g_assert_true (goban_run_get_makespan_us (tried)
                 == goban_run_get_makespan_us (round) - attribution->shares[0].delta_us);
  g_assert_true (goban_session_get_ghost (session) == round);
  g_assert_true (g_str_has_prefix (goban_session_get_undo_name (session), "take back "));
  log = goban_session_get_log (session);
  line = g_ptr_array_index (log, log->len - 1);
  g_assert_nonnull (strstr (line, ", \"moved\", g:nodes{\""));
  g_assert_true (g_str_has_prefix (line, "compare.try("));

  g_assert_true (goban_session_undo (session));
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (session)), ==, 2);
  goban_session_remove_run (session, single);
  g_assert_false (goban_session_add_revert (session, &revert, tried, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

TEST_PROGRAM (attribution)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/scopes/depths", test_scopes);
  g_test_add_func ("/session/scopes/flat-names", test_flat_names);
  g_test_add_func ("/analysis/attribution/naive-twin", test_naive_twin);
  g_test_add_func ("/analysis/attribution/one-move", test_one_move);
  g_test_add_func ("/analysis/attribution/stops-and-refuses", test_stops_and_refuses);
  g_test_add_func ("/analysis/attribution/kernels-by-members", test_kernels_by_members);
  g_test_add_func ("/analysis/attribution/threads", test_threads);
  g_test_add_func ("/analysis/attribution/attributor", test_attributor);
  g_test_add_func ("/analysis/attribution/try", test_try);
  return g_test_run ();
}
