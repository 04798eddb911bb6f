/* Reverted changes node by node, and the scopes that groups of nodes are named by. */
#include "engine/session/attributor.h"
#include "engine/study/analysis/scopes.h"
#include "engine/study/run/run-origin.h"

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

/* --- reverts -------------------------------------------------------------------------------- */

/* Whether a node's device is reverted: it is in the set, or a node of its colocation group is. */
static gboolean
goes_back (GobanGraph *graph, const GobanSelection *nodes, GobanNodeId node)
{
  guint32 group = goban_graph_get_node (graph, node)->group;

  if (goban_selection_contains (nodes, node))
    return TRUE;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph) && group != GOBAN_NO_GROUP; v++)
    if (goban_graph_get_node (graph, v)->group == group && goban_selection_contains (nodes, v))
      return TRUE;
  return FALSE;
}

/* The plan node by node; returns how many decisions are those of the first plan. */
static guint
check_revert (GobanRun *before, GobanRun *after, GobanRevertKind kind, const GobanSelection *nodes)
{
  g_autoptr (GobanPlan) plan = goban_revert_change (before, after, kind, nodes);
  GobanPlan *a = goban_run_get_plan (before), *b = goban_run_get_plan (after);
  gboolean is_order = kind == GOBAN_REVERT_ORDER;
  gboolean has_transfers = is_order || kind == GOBAN_REVERT_TRANSFER;
  guint n_changed = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      gboolean moves
          = kind == GOBAN_REVERT_MOVE && goes_back (goban_run_get_graph (after), nodes, v);
      gboolean ranks
          = (kind == GOBAN_REVERT_PRIORITY || is_order) && goban_selection_contains (nodes, v);

      g_assert_cmpuint (goban_plan_get_device (plan, v), ==,
                        goban_plan_get_device (moves ? a : b, v));
      g_assert_cmpint (goban_plan_get_priority (plan, v), ==,
                       goban_plan_get_priority (ranks ? a : b, v));
      n_changed += goban_plan_get_device (plan, v) != goban_plan_get_device (b, v)
                   || goban_plan_get_priority (plan, v) != goban_plan_get_priority (b, v)
                   || (kind == GOBAN_REVERT_FUSION
                       && goban_plan_get_fusions (plan)[v] != goban_plan_get_fusions (b)[v]);
    }
  g_assert_cmpint (goban_plan_get_order (plan), ==, goban_plan_get_order (is_order ? a : b));
  g_assert_true (goban_plan_get_transfer_priorities (plan) == NULL
                     ? goban_plan_get_transfer_priorities (has_transfers ? a : b) == NULL
                     : goban_plan_get_transfer_priorities (has_transfers ? a : b) != NULL);
  return n_changed;
}

/* Every kind, for half of the nodes. */
static void
test_naive_twin (void)
{
  guint n_changed[GOBAN_N_REVERT_KINDS] = { 0 };

  for (guint64 seed = 0; seed < 40; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanPlan) other = NULL;
      g_autoptr (GobanRun) before = NULL;
      g_autoptr (GobanRun) after = NULL;
      g_autoptr (GobanSelection) nodes = NULL;
      GobanNodeId half[10];
      GobanRng rng;

      (seed % 2 ? fused_run_init : random_run_init) (&run, 2 * G_N_ELEMENTS (half), seed);
      goban_rng_init (&rng, seed + 1000);
      other = random_plan (run.costs, &rng);
      before = goban_run_new (run.costs, other, "before");
      after = goban_run_new (run.costs, run.plan, "after");
      for (guint i = 0; i < G_N_ELEMENTS (half); i++)
        half[i] = 2 * i + goban_rng_below (&rng, 2);
      nodes = goban_selection_new (half, G_N_ELEMENTS (half));
      for (guint kind = 0; kind < GOBAN_N_REVERT_KINDS; kind++)
        n_changed[kind] += check_revert (before, after, (GobanRevertKind) kind, nodes);
    }
  for (guint kind = 0; kind < GOBAN_N_REVERT_KINDS; kind++)
    if (kind == GOBAN_REVERT_TRANSFER)
      g_assert_cmpuint (n_changed[kind], ==, 0);
    else
      g_assert_cmpuint (n_changed[kind], >, 100);
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

/* Kernels that overlap go back together, others alone. */
static void
test_kernels_by_members (void)
{
  static const gint32 pairs[] = { 70, 70, 5, 5, 9, 9 };
  static const gint32 shifted[] = { -1, 8, 8, -1, -1, -1 };
  g_autoptr (GobanGraph) graph = new_row ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanRun) a = new_fused_run (costs, pairs, "a");
  g_autoptr (GobanRun) b = new_fused_run (costs, shifted, "b");

  for (GobanNodeId node = 0; node < 6; node++)
    {
      g_autoptr (GobanSelection) one = goban_selection_new (&node, 1);
      g_autoptr (GobanPlan) plan = goban_revert_change (a, b, GOBAN_REVERT_FUSION, one);
      const gint32 *fusions = goban_plan_get_fusions (plan);

      for (GobanNodeId v = 0; v < 6; v += 2)
        {
          gboolean is_pair = fusions[v] == fusions[v + 1] && fusions[v] != GOBAN_NO_FUSION;

          g_assert_cmpint (is_pair, ==, (node < 4) == (v < 4));
        }
      g_assert_cmpint (fusions[1] == fusions[2] && fusions[1] != GOBAN_NO_FUSION, ==, node >= 4);
    }
}

/* --- the attributor --------------------------------------------------------------------------- */

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
  g_autoptr (GobanDifference) difference = NULL;
  g_autoptr (GobanPlan) expected = NULL;
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
  difference = goban_difference_new (single, round, 0, NULL);
  revert = (GobanRevert){ .before = single,
                          .after = round,
                          .kind = GOBAN_REVERT_MOVE,
                          .nodes = goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE),
                          .label = (char *) "moves" };
  expected = goban_revert_new_plan (&revert);
  goban_session_try_revert (session, &revert);
  wait_for_run (session, 3);
  tried = goban_session_get_current_run (session);
  g_assert_cmpstr (goban_run_get_name (tried), ==, "round-robin without moves");
  g_assert_true (toy_plans_are_same (goban_run_get_plan (tried), expected));
  g_assert_cmpuint (goban_plan_get_device (expected, goban_graph_find_node (graph, "left")), ==, 0);
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

TEST_PROGRAM (revert)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/scopes/depths", test_scopes);
  g_test_add_func ("/session/scopes/flat-names", test_flat_names);
  g_test_add_func ("/analysis/revert/naive-twin", test_naive_twin);
  g_test_add_func ("/analysis/revert/kernels-by-members", test_kernels_by_members);
  g_test_add_func ("/analysis/revert/attributor", test_attributor);
  g_test_add_func ("/analysis/revert/try", test_try);
  return g_test_run ();
}
