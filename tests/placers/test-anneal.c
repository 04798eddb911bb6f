#include "engine/graph/graph-builder.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

static GobanOutcome
anneal (GobanCostModel *costs, guint64 seed, guint64 n_evaluations)
{
  GobanPlacerOptions options = { .seed = seed, .max_evaluations = n_evaluations };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  guint64 evaluations = 0;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (&goban_placer_anneal, costs, &options, &evaluations, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (evaluations, <=, n_evaluations);
  return goban_simulator_evaluate (simulator, plan);
}

/* @n_layers down, @n_steps across, every cell two ops that share their weights' device. */
static GobanGraph *
new_recurrent (guint n_layers, guint n_steps)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("recurrent", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint step = 0; step < n_steps; step++)
    for (guint layer = 0; layer < n_layers; layer++)
      for (guint op = 0; op < 2; op++)
        {
          g_autofree char *name
              = g_strdup_printf ("layer_%u/step_%u/%s", layer, step, op == 0 ? "matmul" : "cell");
          guint32 v = goban_graph_builder_add_node (builder, name, "Op");

          goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, op == 0 ? 60 : 20,
                                        GOBAN_SOURCE_GIVEN);
          goban_graph_builder_add_tensor (builder, v, 600000);
          if (op == 1 || layer > 0)
            goban_graph_builder_add_edge (builder, v - 1, v);
          if (op == 0 && step > 0)
            goban_graph_builder_add_edge (builder, v + 1 - 2 * n_layers, v);
        }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* Well beyond the best start, and the further the more it may spend. */
static void
test_gains_with_budget (void)
{
  g_autoptr (GobanGraph) graph = new_recurrent (6, 24);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  double starts_us = anneal (costs, 1, 24).makespan_us;
  double few_us = anneal (costs, 1, 300).makespan_us;
  double many_us = anneal (costs, 1, 4000).makespan_us;

  g_assert_cmpfloat (few_us, <, starts_us);
  g_assert_cmpfloat (many_us, <, few_us);
  g_assert_cmpfloat (many_us, <, 0.95 * starts_us);
  g_assert_cmpfloat (many_us, >=, goban_bounds (costs).bound_us - 1e-9);
}

/* Parameters of 6, 5, 4, 3, 3 and 3 on two devices of 12: 6 + 3 + 3 and 5 + 4 + 3 alone fit. */
static void
test_finds_room (void)
{
  static const double param_bytes[] = { 3, 6, 3, 5, 4, 3 };
  static const char cluster[]
      = "{ \"devices\": [ { \"name\": \"d\", \"count\": 2, \"kind\": \"gpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": \"1 GB/s\", \"memory\": 12 } ],"
        " \"all_pairs\": { \"bandwidth\": \"1 GB/s\" } }";
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("full", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  for (guint v = 0; v < G_N_ELEMENTS (param_bytes); v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 9 - v, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_get_node (builder, v)->param_bytes = param_bytes[v];
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, cluster);
  g_assert_cmpfloat (anneal (costs, 1, 2).overflow_bytes, >, 0); /* the first start alone */
  g_assert_cmpfloat (anneal (costs, 1, 2000).overflow_bytes, ==, 0);
}

/* One device, one node, and no time at all: nothing to search, and no harm done. */
static void
test_nothing_to_search (void)
{
  g_autoptr (GobanGraph) chain = toy_chain ();
  g_autoptr (GobanCostModel) one_device = toy_costs (chain, "equal:1");
  g_autoptr (GobanCostModel) two_devices = toy_costs (chain, "equal:2");

  g_assert_cmpfloat (anneal (one_device, 1, 100).makespan_us, ==, 40);
  g_assert_cmpfloat (anneal (two_devices, 1, 100).makespan_us, ==, 40);
}

static GobanCostModel *
new_costs (GobanGraph *graph, const char *memory)
{
  g_autofree char *json
      = g_strdup_printf ("{ \"devices\": [ { \"name\": \"d\", \"count\": 3, \"kind\": \"gpu\","
                         " \"tflops\": 1, \"memory_bandwidth\": \"1 GB/s\", \"memory\": %s } ],"
                         " \"all_pairs\": { \"bandwidth\": \"20 GB/s\" } }",
                         memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster
      = goban_cluster_new_from_json (json, (gssize) strlen (json), "three", &error);

  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static GobanPlan *
anneal_with (GobanCostModel *costs, guint64 seed, guint n_threads, gboolean ends_runs)
{
  GobanPlacerOptions options
      = { .seed = seed, .max_evaluations = 400, .n_threads = n_threads, .ends_runs = ends_runs };
  g_autoptr (GError) error = NULL;
  guint64 evaluations = 0;
  GobanPlan *plan
      = goban_placer_place (&goban_placer_anneal, costs, &options, &evaluations, &error);

  g_assert_no_error (error);
  return plan;
}

/* Neither threads nor runs that are stopped early change a decision. */
static void
test_same_plan (void)
{
  static const char *const memories[] = { "\"unlimited\"", "2500000" };
  static const struct
  {
    guint n_threads;
    gboolean ends_runs;
  } ways[] = { { 1, FALSE }, { 3, FALSE }, { 9, FALSE }, { 3, TRUE } };
  g_autoptr (GobanGraph) graph = new_recurrent (4, 8);

  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    for (guint64 seed = 0; seed < 12; seed++)
      {
        g_autoptr (GobanCostModel) costs = new_costs (graph, memories[i]);
        g_autoptr (GobanPlan) plain = anneal_with (costs, seed, 1, TRUE);

        for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
          {
            g_autoptr (GobanPlan) plan
                = anneal_with (costs, seed, ways[k].n_threads, ways[k].ends_runs);
            g_autoptr (GobanPlanDiff) diff = goban_plan_diff (plain, plan);

            g_assert_cmpuint (diff->n_moved, ==, 0);
            g_assert_cmpuint (diff->n_reprioritised, ==, 0);
          }
      }
}

TEST_PROGRAM (anneal)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/anneal/gains-with-budget", test_gains_with_budget);
  g_test_add_func ("/anneal/finds-room", test_finds_room);
  g_test_add_func ("/anneal/nothing-to-search", test_nothing_to_search);
  g_test_add_func ("/anneal/same-plan", test_same_plan);
  return g_test_run ();
}
