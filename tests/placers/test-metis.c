#include "engine/graph/graph-builder.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/placers/placer.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

/* Bytes that cross between devices, a tensor once for each device that reads it. */
static double
cut_bytes (const GobanGraph *graph, const GobanPlan *plan, guint n_devices)
{
  g_autofree guint32 *seen = g_new0 (guint32, n_devices);
  double cut = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      GobanDeviceId from = goban_plan_get_device (plan, tensor->producer);

      for (guint i = 0; i < edges.n; i++)
        {
          GobanDeviceId to
              = goban_plan_get_device (plan, goban_graph_get_edge (graph, edges.ids[i])->head);

          if (to != from && seen[to] != t + 1)
            cut += tensor->size_bytes;
          seen[to] = t + 1;
        }
    }
  return cut;
}

/* Time on each device over all time. */
static void
find_loads (const GobanCostModel *costs, const GobanPlan *plan, double *loads, guint n_devices)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autofree double *mean_us = g_new (double, n_nodes);
  double total_us = 0;

  goban_cost_model_mean_times (costs, mean_us);
  for (guint d = 0; d < n_devices; d++)
    loads[d] = 0;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      loads[goban_plan_get_device (plan, v)] += mean_us[v];
      total_us += mean_us[v];
    }
  for (guint d = 0; d < n_devices; d++)
    loads[d] /= total_us;
}

static GobanGraph *
new_large_graph (guint64 seed)
{
  GraphGen gen = { .n_nodes = 2000,
                   .edges_per_node = 1.8,
                   .width = 20,
                   .max_time_us = 9,
                   .max_bytes = 100,
                   .max_tensors = 2,
                   .group_share = 0.05 };

  return graph_gen_new (&gen, seed);
}

static void
test_balance_and_cut (void)
{
  for (guint64 seed = 0; seed < 10; seed++)
    {
      g_autoptr (GobanGraph) graph = new_large_graph (seed);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
      g_autoptr (GobanPlan) plan = toy_place (costs, "metis", seed);
      g_autoptr (GobanPlan) lot = toy_place (costs, "random", seed);
      double loads[4];

      find_loads (costs, plan, loads, 4);
      for (guint d = 0; d < 4; d++)
        {
          g_assert_cmpfloat (loads[d], <=, 0.25 * 1.04);
          g_assert_cmpfloat (loads[d], >=, 0.25 * 0.85);
        }
      g_assert_cmpfloat (cut_bytes (graph, plan, 4), <, 0.2 * cut_bytes (graph, lot, 4));
    }
}

static void
test_seed (void)
{
  g_autoptr (GobanGraph) graph = new_large_graph (3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
  g_autoptr (GobanPlan) plan = toy_place (costs, "metis", 5);
  g_autoptr (GobanPlan) same = toy_place (costs, "metis", 5);
  g_autoptr (GobanPlan) other = toy_place (costs, "metis", 6);
  g_autoptr (GobanPlanDiff) none = goban_plan_diff (plan, same);
  g_autoptr (GobanPlanDiff) some = goban_plan_diff (plan, other);

  g_assert_cmpuint (none->n_moved, ==, 0);
  g_assert_cmpuint (some->n_moved, >, 0);
}

/* A long chain without parameters, and beside it one of no time to speak of with all of them: cut
 * by time the second stays whole on one device, which cannot hold it. */
static GobanGraph *
new_heavy_chain (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("heavy", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < 2000; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_get_node (builder, v)->param_bytes = v < 1000 ? 0 : 100;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, v < 1000 ? 10 : 0.001,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, v < 1000 ? 1 : 20);
      if (v % 1000 > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static void
test_memory (void)
{
  /* 100,000 bytes of parameters, and 20,000 of their outputs that metis-mem counts. */
  static const char cluster[] = "{ \"devices\": [" TOY_DEVICE ("a", "gpu", "70000") "," TOY_DEVICE (
      "b", "gpu", "70000") "], \"all_pairs\": { \"bandwidth\": 1e9 } }";
  g_autoptr (GobanGraph) graph = new_heavy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);

  for (guint64 seed = 0; seed < 5; seed++)
    {
      g_autoptr (GobanPlan) plain = toy_place (costs, "metis", seed);
      g_autoptr (GobanPlan) fair = toy_place (costs, "metis-mem", seed);
      g_autoptr (GobanTrace) plain_trace = goban_simulate (costs, plain);
      g_autoptr (GobanTrace) fair_trace = goban_simulate (costs, fair);
      double loads[2];
      double bytes[2] = { 0, 0 };

      g_assert_false (goban_trace_is_valid (plain_trace));
      g_assert_true (goban_trace_is_valid (fair_trace));
      find_loads (costs, fair, loads, 2);
      for (GobanNodeId v = 0; v < 2000; v++)
        bytes[goban_plan_get_device (fair, v)] += v < 1000 ? 1 : 120;
      for (guint d = 0; d < 2; d++)
        {
          g_assert_cmpfloat (loads[d], <=, 0.5 * 1.04);
          g_assert_cmpfloat (bytes[d], <=, 0.5 * 1.04 * (bytes[0] + bytes[1]));
        }
    }
}

/* n tasks of one microsecond without edges: the graph falls apart. */
static GobanGraph *
new_islands (guint n_nodes, double time_us, double fast_us)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("islands", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < n_nodes; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, "slow", time_us, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "fast", fast_us, GOBAN_SOURCE_GIVEN);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

#define DEVICE(name, kind)                                                                         \
  "{ \"name\": \"" name "\", \"kind\": \"" kind "\", \"tflops\": 1, \"memory_bandwidth\": 1e9, "   \
  "\"memory\": \"unlimited\" }"
#define SLOW_AND_FAST                                                                              \
  "{ \"devices\": [" DEVICE ("s", "slow") "," DEVICE (                                             \
      "f", "fast") "], "                                                                           \
                   "\"all_pairs\": { \"bandwidth\": \"1 GB/s\" } }"

static void
test_shares_by_speed (void)
{
  g_autoptr (GobanGraph) graph = new_islands (1000, 3, 1);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, SLOW_AND_FAST);
  g_autoptr (GobanPlan) plan = toy_place (costs, "metis", 0);
  double loads[2];

  find_loads (costs, plan, loads, 2);
  g_assert_cmpfloat_with_epsilon (loads[0], 0.25, 0.01);
}

static void
test_unable_units_move (void)
{
  g_autoptr (GobanGraph) graph = new_islands (100, 3, (double) INFINITY);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, SLOW_AND_FAST);
  g_autoptr (GobanPlan) plan = toy_place (costs, "metis", 0);

  for (GobanNodeId v = 0; v < 100; v++)
    g_assert_cmpuint (goban_plan_get_device (plan, v), ==, 0);
}

static void
test_few_nodes (void)
{
  for (guint n_nodes = 1; n_nodes < 12; n_nodes++)
    for (guint n_devices = 1; n_devices < 10; n_devices++)
      {
        g_autofree char *spec = g_strdup_printf ("equal:%u", n_devices);
        g_autoptr (GobanGraph) islands = new_islands (n_nodes, 1, 1);
        g_autoptr (GobanGraph) timeless = new_islands (n_nodes, 0, 0);
        g_autoptr (GobanCostModel) island_costs = toy_costs (islands, spec);
        g_autoptr (GobanCostModel) timeless_costs = toy_costs (timeless, spec);
        g_autoptr (GobanPlan) plan = toy_place (island_costs, "metis", 0);
        g_autoptr (GobanPlan) timeless_plan = toy_place (timeless_costs, "metis", 0);
        g_autoptr (GobanPlan) fair_plan = toy_place (island_costs, "metis-mem", 0);

        if (n_nodes <= n_devices)
          for (GobanNodeId v = 0; v < n_nodes; v++)
            g_assert_cmpuint (goban_plan_get_device (plan, v), ==, v);
      }
}

/* Weights whose sums overflow 32 and 64 bits, and nearly doubles. */
static void
test_huge_weights (void)
{
  static const double factors[] = { 1e9, 1e18, 1e300 };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      GraphGen gen = { .n_nodes = 300, .edges_per_node = 2, .width = 10, .max_tensors = 1 };
      g_autoptr (GobanGraph) shape = graph_gen_new (&gen, 9);
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("huge", "test");
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      double loads[3];

      for (GobanNodeId v = 0; v < gen.n_nodes; v++)
        {
          goban_graph_builder_add_node (builder, "", "Task");
          goban_graph_builder_add_tensor (builder, v, (v % 7) * factors[i]);
          goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, factors[i], GOBAN_SOURCE_GIVEN);
        }
      for (guint e = 0; e < goban_graph_get_n_edges (shape); e++)
        goban_graph_builder_add_edge (builder, goban_graph_get_edge (shape, e)->tail,
                                      goban_graph_get_edge (shape, e)->head);
      graph = goban_graph_builder_finish (builder, NULL, &error);
      g_assert_no_error (error);
      costs = toy_costs (graph, "equal:3,bandwidth=1e9");
      plan = toy_place (costs, "metis", 0);
      find_loads (costs, plan, loads, 3);
      for (guint d = 0; d < 3; d++)
        g_assert_cmpfloat (loads[d], <=, 0.36);
    }
}

/* A chain of nodes without time but for the first few. */
static GobanGraph *
new_uneven (guint n_nodes, guint n_heavy)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("uneven", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < n_nodes; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, v < n_heavy ? 1000 : 0,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 1 + v % 5);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* A few vertices outweigh all others: METIS has words for that, which are nobody's business. */
static void
test_prints_nothing (void)
{
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_test_trap_assert_stdout_unmatched ("*bisect*");
      return;
    }

  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *spec = g_strdup_printf ("equal:%u", 4 + i % 5);
      g_autoptr (GobanGraph) graph = new_uneven (10 + i / 5, 1 + i % 3);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, spec);
      g_autoptr (GobanPlan) plan = toy_place (costs, "metis", i);
      g_autoptr (GobanPlan) fair = toy_place (costs, "metis-mem", i);
    }
}

TEST_PROGRAM (metis)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/metis/balance-and-cut", test_balance_and_cut);
  g_test_add_func ("/metis/memory", test_memory);
  g_test_add_func ("/metis/seed", test_seed);
  g_test_add_func ("/metis/shares-by-speed", test_shares_by_speed);
  g_test_add_func ("/metis/unable-units-move", test_unable_units_move);
  g_test_add_func ("/metis/few-nodes", test_few_nodes);
  g_test_add_func ("/metis/huge-weights", test_huge_weights);
  g_test_add_func ("/metis/prints-nothing", test_prints_nothing);
  return g_test_run ();
}
