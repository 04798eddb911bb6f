#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/sim/evaluator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define N_PLANS 37

static GobanCostModel *
new_costs (guint n_nodes)
{
  GraphGen gen = graph_gen_small (n_nodes);
  g_autoptr (GobanGraph) graph = NULL;

  gen.group_share = 0;
  graph = graph_gen_new (&gen, 3);
  return toy_costs (graph, "p100x4");
}

/* Devices and priorities by lot. */
static GPtrArray *
new_plans (const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GPtrArray *plans = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
  GobanRng rng;

  goban_rng_init (&rng, 11);
  for (guint i = 0; i < N_PLANS; i++)
    {
      GobanPlan *plan = goban_plan_new (graph, 4);

      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        {
          goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (&rng, 4));
          goban_plan_set_priority (plan, v, (gint32) goban_rng_below (&rng, 100));
        }
      goban_plan_set_order (plan, i % 2 == 0 ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
      g_ptr_array_add (plans, plan);
    }
  return plans;
}

static void
check_equal (const GobanOutcome *a, const GobanOutcome *b, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (a[i].makespan_us, ==, b[i].makespan_us);
      g_assert_cmpfloat (a[i].overflow_bytes, ==, b[i].overflow_bytes);
    }
}

/* Batch after batch, of every size, so that helpers are woken often and at times find nothing to
 * do. */
static void
test_threads_agree (void)
{
  static const guint n_threads[] = { 1, 2, 5 };
  g_autoptr (GobanCostModel) costs = new_costs (60);
  g_autoptr (GPtrArray) plans = new_plans (costs);
  GobanPlan *const *list = (GobanPlan *const *) plans->pdata;
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  GobanOutcome expected[N_PLANS];

  for (guint i = 0; i < N_PLANS; i++)
    expected[i] = goban_simulator_evaluate (simulator, list[i]);
  g_assert_cmpfloat (expected[0].makespan_us, !=, expected[2].makespan_us);

  for (guint t = 0; t < G_N_ELEMENTS (n_threads); t++)
    {
      g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, n_threads[t]);

      g_assert_cmpuint (goban_evaluator_get_n_threads (evaluator), ==, n_threads[t]);
      for (guint n = 0; n <= N_PLANS; n++)
        {
          GobanOutcome outcomes[N_PLANS] = { { 0 } };

          goban_evaluator_evaluate (evaluator, list, n, outcomes);
          check_equal (outcomes, expected, n);
          if (n < N_PLANS)
            g_assert_cmpfloat (outcomes[n].makespan_us, ==, 0);
        }
    }
}

static void
check_told_the_same (const GobanTrace *trace, const GobanOutcome *outcome)
{
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, outcome->makespan_us);
  g_assert_cmpfloat (goban_trace_get_overflow_bytes (trace), ==, outcome->overflow_bytes);
}

/* Traces tell the same, each about its own plan; memory lacks where it is short. After them an
 * evaluator gives outcomes as before. */
static void
check_traces (GobanCostModel *costs, gboolean is_short)
{
  g_autoptr (GPtrArray) plans = new_plans (costs);
  GobanPlan *const *list = (GobanPlan *const *) plans->pdata;
  g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, 3);
  GobanOutcome outcomes[N_PLANS], again[N_PLANS] = { { 0 } };
  GobanTrace *traces[N_PLANS];
  guint n_short = 0;

  goban_evaluator_evaluate (evaluator, list, N_PLANS, outcomes);
  goban_evaluator_run (evaluator, list, N_PLANS, traces);
  goban_evaluator_evaluate (evaluator, list, N_PLANS, again);
  check_equal (again, outcomes, N_PLANS);
  for (guint i = 0; i < N_PLANS; i++)
    {
      g_assert_true (goban_trace_get_plan (traces[i]) == list[i]);
      check_told_the_same (traces[i], &outcomes[i]);
      g_assert_true (goban_trace_is_valid (traces[i]) == (outcomes[i].overflow_bytes <= 0));
      n_short += outcomes[i].overflow_bytes > 0;
      goban_trace_unref (traces[i]);
    }
  g_assert_true (is_short == (n_short > N_PLANS / 2));
}

static void
test_traces (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (60);
  g_autoptr (GobanGraph) graph = goban_graph_ref (goban_cost_model_get_graph (costs));
  g_autoptr (GobanCostModel) tight = toy_costs (graph, "msr:3,memory=60");

  check_traces (costs, FALSE);
  check_traces (tight, TRUE);
}

/* Two ops that take longer than can be counted: the trace has no spans, but memory lacks as
 * ever. */
static void
test_never (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("never", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanSimulator) simulator = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  GobanOutcome outcome;

  for (GobanNodeId v = 0; v < 2; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 1e308, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 1000);
    }
  goban_graph_builder_add_edge (builder, 0, 1);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "msr:1,memory=900");
  plan = goban_plan_new (graph, 2);
  simulator = goban_simulator_new (costs);
  outcome = goban_simulator_evaluate (simulator, plan);
  trace = goban_simulator_run (simulator, plan);
  g_assert_null (goban_trace_get_ops (trace));
  g_assert_cmpfloat (outcome.overflow_bytes, ==, 1100);
  check_told_the_same (trace, &outcome);
}

static void
test_processors (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (5);
  g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, 0);

  g_assert_cmpuint (goban_evaluator_get_n_threads (evaluator), ==, g_get_num_processors ());
}

/* Made and freed in numbers, with and without work: nobody is left waiting. */
static void
test_life (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (5);
  g_autoptr (GPtrArray) plans = new_plans (costs);

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, 1 + i % 4);
      GobanOutcome outcomes[N_PLANS];

      if (i % 3 != 0)
        goban_evaluator_evaluate (evaluator, (GobanPlan *const *) plans->pdata, i % N_PLANS,
                                  outcomes);
    }
}

static void
test_compare (void)
{
  /* from the best to the worst */
  static const GobanOutcome outcomes[] = { { 1, 0 }, { 5, 0 }, { 9, 1 }, { 10, 1 }, { 1, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (outcomes); j++)
      {
        int sign = goban_outcome_compare (&outcomes[i], &outcomes[j]);

        g_assert_cmpint (sign < 0, ==, i < j);
        g_assert_cmpint (sign > 0, ==, i > j);
      }
}

TEST_PROGRAM (evaluator)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/evaluator/threads-agree", test_threads_agree);
  g_test_add_func ("/evaluator/traces", test_traces);
  g_test_add_func ("/evaluator/traces-of-runs-without-end", test_never);
  g_test_add_func ("/evaluator/processors", test_processors);
  g_test_add_func ("/evaluator/life", test_life);
  g_test_add_func ("/evaluator/compare", test_compare);
  return g_test_run ();
}
