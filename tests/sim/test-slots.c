#include "engine/sim/evaluator.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

#include <math.h>

#define N_EDITS 40

/* The node and those that must stay with it. */
static void
move_node (GobanPlan *plan, const GobanGraph *graph, GobanNodeId v, GobanDeviceId device)
{
  guint32 group = goban_graph_get_node (graph, v)->group;

  for (GobanNodeId u = 0; u < goban_graph_get_n_nodes (graph); u++)
    if (u == v || (group != GOBAN_NO_GROUP && goban_graph_get_node (graph, u)->group == group))
      goban_plan_set_device (plan, u, device);
}

static void
edit_nodes (GobanPlan *plan, const GobanGraph *graph, guint n, GobanRng *rng)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_devices = goban_plan_get_n_devices (plan);

  for (guint i = 0; i < n; i++)
    {
      GobanNodeId v = goban_rng_below (rng, n_nodes);

      if (goban_rng_below (rng, 3) > 0)
        move_node (plan, graph, v, (GobanDeviceId) goban_rng_below (rng, n_devices));
      if (goban_rng_below (rng, 3) == 0)
        goban_plan_set_priority (plan, v, (gint32) goban_rng_below (rng, 6) - 3);
    }
}

/* Mostly a few nodes; at times most of them, the order, kernels or transfers' priorities. @is_wild:
 * most of them, so that plans have little in common for a while. */
static void
edit (GobanPlan *plan, GobanCostModel *costs, gboolean is_wild, GobanRng *rng)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);

  switch (is_wild ? 3 : goban_rng_below (rng, 20))
    {
    case 0:
      goban_plan_set_order (plan, goban_plan_get_order (plan) == GOBAN_ORDER_FIFO
                                      ? GOBAN_ORDER_PRIORITY
                                      : GOBAN_ORDER_FIFO);
      break;
    case 1:
      goban_plan_set_transfer_priorities (plan, NULL);
      break;
    case 2:
      fuse_at_random (plan, costs, rng);
      break;
    case 3:
      edit_nodes (plan, graph, n_nodes, rng);
      break;
    default:
      edit_nodes (plan, graph, goban_rng_below (rng, 4), rng);
    }
}

static gboolean
is_legal (const GobanPlan *plan, GobanCostModel *costs)
{
  return goban_plan_check (plan, costs, NULL) && goban_fusion_check (plan, costs, NULL);
}

/* Kernels that an edit has made illegal come apart; what cannot run there goes back. */
static GobanPlan *
new_edited (const GobanPlan *plan, GobanCostModel *costs, gboolean is_wild, GobanRng *rng)
{
  GobanPlan *edited = goban_plan_copy (plan);

  edit (edited, costs, is_wild, rng);
  if (!is_legal (edited, costs))
    for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (edited); v++)
      goban_plan_set_fusion (edited, v, GOBAN_NO_FUSION);
  if (is_legal (edited, costs))
    return edited;
  goban_plan_unref (edited);
  return goban_plan_copy (plan);
}

/* A run from scratch that tells the whole story shares the layout of no other. */
static GobanOutcome
simulate_afresh (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autoptr (GobanTrace) trace = goban_simulator_run (simulator, plan);

  return goban_outcome_of_trace (trace);
}

/* A run within the limit is what it is without one; one that is stopped would have been longer. */
static void
check_limit (GobanSimulator *simulator, const GobanPlan *plan, GobanOutcome expected, GobanRng *rng)
{
  double share = goban_rng_below (rng, 5) / 4.0 + 0.25;
  double limit_us = expected.makespan_us * share;
  GobanOutcome outcome = goban_simulator_evaluate_within (simulator, plan, limit_us);

  if (share >= 1 || isfinite (outcome.makespan_us))
    {
      g_assert_cmpfloat (outcome.makespan_us, ==, expected.makespan_us);
      g_assert_cmpfloat (outcome.overflow_bytes, ==, expected.overflow_bytes);
    }
  else
    g_assert_cmpfloat (outcome.overflow_bytes, <=, expected.overflow_bytes);
}

static void
check_edits (RandomRun *run, guint64 seed, guint *n_invalid)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (run->costs);
  GobanRng rng;

  goban_rng_init (&rng, seed ^ 0xed17);
  for (guint i = 0; i < N_EDITS; i++)
    {
      GobanPlan *next = new_edited (run->plan, run->costs, seed % 4 == 0 && i % 10 < 5, &rng);
      GobanOutcome expected = simulate_afresh (run->costs, next);
      GobanOutcome outcome = goban_simulator_evaluate (simulator, next);

      g_assert_cmpfloat (outcome.makespan_us, ==, expected.makespan_us);
      g_assert_cmpfloat (outcome.overflow_bytes, ==, expected.overflow_bytes);
      check_limit (simulator, next, expected, &rng);
      *n_invalid += expected.overflow_bytes > 0;
      goban_plan_unref (run->plan);
      run->plan = next;
    }
}

static void
test_edits (void)
{
  guint n_invalid = 0;

  for (guint64 seed = 0; seed < 250; seed++)
    {
      g_auto (RandomRun) run = { NULL };

      random_run_init (&run, 1 + (guint) seed % 45, seed);
      if (is_legal (run.plan, run.costs))
        check_edits (&run, seed, &n_invalid);
    }
  g_assert_cmpuint (n_invalid, >, 1000);
}

static void
test_fused_edits (void)
{
  guint n_invalid = 0;

  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };

      fused_run_init (&run, 2 + (guint) seed % 30, seed);
      if (is_legal (run.plan, run.costs))
        check_edits (&run, seed, &n_invalid);
    }
  g_assert_cmpuint (n_invalid, >, 100);
}

TEST_PROGRAM (slots)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slots/edits", test_edits);
  g_test_add_func ("/slots/fused-edits", test_fused_edits);
  return g_test_run ();
}
