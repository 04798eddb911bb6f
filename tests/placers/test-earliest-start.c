/* ETF and m-ETF: what the heaps find is what looking at every pair finds. */
#include "engine/graph/graph-builder.h"
#include "engine/placers/earliest-start.h"
#include "engine/placers/list-schedule-record.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

/* --- the slow twin ----------------------------------------------------------------------- */

typedef struct
{
  GobanNodeId node;
  GobanDeviceId device;
  double start_us;
} Pair;

static gboolean
is_ready (const GobanListSchedule *schedule, const GobanGraph *graph, const gboolean *is_done,
          GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

  for (guint i = 0; i < in.n; i++)
    {
      GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;

      if (!is_done[tail] && !goban_list_schedule_is_carried (schedule, tail))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_before (const Pair *a, const Pair *b, const double *levels)
{
  if (a->start_us != b->start_us)
    return a->start_us < b->start_us;
  if (levels[a->node] != levels[b->node])
    return levels[a->node] > levels[b->node];
  return a->node != b->node ? a->node < b->node : a->device < b->device;
}

static Pair
find_pair (GobanListSchedule *schedule, const GobanUnits *units, const gboolean *is_done,
           const double *free_us, const double *levels)
{
  Pair best = { GOBAN_NO_NODE, 0, 0 };

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (units->graph); v++)
    {
      if (is_done[v] || goban_list_schedule_is_carried (schedule, v)
          || !is_ready (schedule, units->graph, is_done, v))
        continue;
      goban_list_schedule_turn_to (schedule, v);
      for (guint d = 0; d < units->n_devices; d++)
        {
          GobanPlacement placement;
          Pair pair = { v, (GobanDeviceId) d, 0 };

          if (!goban_list_schedule_look (schedule, pair.device, &placement))
            continue;
          pair.start_us = MAX (placement.ready_us, free_us[d]);
          if (best.node == GOBAN_NO_NODE || is_before (&pair, &best, levels))
            best = pair;
        }
    }
  return best;
}

static GobanListSchedule *
schedule_slowly (const GobanUnits *units, gboolean channels, const double *levels)
{
  GobanListSchedule *schedule = goban_list_schedule_new (units, channels);
  g_autofree gboolean *is_done = g_new0 (gboolean, goban_graph_get_n_nodes (units->graph));
  g_autofree double *free_us = g_new0 (double, units->n_devices);
  Pair pair;

  while ((pair = find_pair (schedule, units, is_done, free_us, levels)).node != GOBAN_NO_NODE)
    {
      goban_list_schedule_turn_to (schedule, pair.node);
      goban_list_schedule_place (schedule, pair.device, pair.start_us);
      free_us[pair.device] = goban_list_schedule_get_finishes (schedule)[pair.node];
      is_done[pair.node] = TRUE;
    }
  return schedule;
}

static void
check_against_twin (GobanCostModel *costs, gboolean channels)
{
  GobanPlacerOptions options = { .seed = 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = goban_units_new (costs, &error);
  g_auto (GobanTrees) trees = { 0 };
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree double *levels = g_new (double, n_nodes);
  g_autoptr (GobanListSchedule) slow = NULL;
  g_autoptr (GobanListSchedule) fast = NULL;
  g_autoptr (GobanPlan) slow_plan = NULL;
  g_autoptr (GobanPlan) fast_plan = NULL;
  GobanEarliestStartRules rules;

  g_assert_no_error (error);
  goban_trees_init_trivial (&trees, units);
  goban_units_static_levels (units, levels);
  rules = (GobanEarliestStartRules){
    .units = units, .trees = &trees, .channels = channels, .levels = levels
  };
  slow = schedule_slowly (units, channels, levels);
  fast = goban_earliest_start_schedule (&rules, &options, &error);
  g_assert_no_error (error);
  slow_plan = goban_list_schedule_new_plan (slow);
  fast_plan = goban_list_schedule_new_plan (fast);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      g_assert_cmpuint (goban_plan_get_device (fast_plan, v), ==,
                        goban_plan_get_device (slow_plan, v));
      g_assert_cmpfloat (goban_list_schedule_get_starts (fast)[v], ==,
                         goban_list_schedule_get_starts (slow)[v]);
    }
}

static void
test_twin (void)
{
  static const char *const specs[] = { "equal:3", "equal:2,bandwidth=1e6", "p100x4", "p100x2" };

  for (guint i = 0; i < 200; i++)
    {
      GraphGen gen = graph_gen_small (10 + i % 40);
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;

      gen.max_bytes = i % 3 == 0 ? 12 : 1e6;
      gen.width = i % 2 == 0 ? 0 : 6; /* many readers of one tensor */
      gen.edges_per_node = i % 2 == 0 ? 1.6 : 2.5;
      graph = graph_gen_new (&gen, i);
      costs = toy_costs (graph, specs[i % G_N_ELEMENTS (specs)]);
      check_against_twin (costs, FALSE);
      check_against_twin (costs, TRUE);
    }
}

/* --- ETF's bound ------------------------------------------------------------------------ */

/* Hwang et al., theorem 3.1: on n equal devices at most (2 - 1 / n) times the optimum without
 * communication, and the transfers of one chain on top. */
static void
test_bound (void)
{
  for (guint i = 0; i < 100; i++)
    {
      GraphGen gen = graph_gen_small (60);
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanTrace) trace = NULL;
      GobanBounds bounds;

      gen.group_share = 0;
      gen.max_bytes = 0;
      graph = graph_gen_new (&gen, i);
      costs = toy_costs (graph, "equal:3");
      plan = toy_place (costs, "etf", 0);
      trace = goban_simulate (costs, plan);
      bounds = goban_bounds (costs);
      g_assert_cmpfloat (goban_trace_get_makespan (trace), <=,
                         bounds.work_us + (1 - 1.0 / 3) * bounds.critical_path_us + 1e-9);
    }
}

/* --- memory ------------------------------------------------------------------------------- */

/* Layers of nodes with parameters, each read by two of the next. */
static GobanGraph *
new_layers (guint n_layers, double param_bytes)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("layers", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < 4 * n_layers; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_get_node (builder, v)->param_bytes = param_bytes;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 10);
    }
  for (guint v = 4; v < 4 * n_layers; v++)
    {
      goban_graph_builder_add_edge (builder, v / 4 * 4 - 4 + v % 4, v);
      goban_graph_builder_add_edge (builder, v / 4 * 4 - 4 + (v + 1) % 4, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* 8,000 bytes of parameters: one device is small, all together hold little more. */
static void
test_memory (void)
{
  static const char cluster[] = "{ \"devices\": [" TOY_DEVICE ("a", "gpu", "1000") "," TOY_DEVICE (
      "b", "gpu", "4500") "," TOY_DEVICE ("c", "gpu",
                                          "3500") "],"
                                                  "\"all_pairs\": { \"bandwidth\": 1e7 } }";
  static const char *const policies[] = { "heft", "cpop", "etf", "m-etf", "m-sct" };
  g_autoptr (GobanGraph) graph = new_layers (20, 100);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autoptr (GobanPlan) plan = toy_place (costs, policies[i], 0);
      g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

      g_test_message ("%s: %s", policies[i], goban_trace_get_why (trace));
      g_assert_true (goban_trace_is_valid (trace));
    }
}

/* “first” keeps the large device busy. The small one refuses “large”, which waits for the other,
 * and takes “small”: that binds their group to it, so “large” must come back to where it was
 * refused. */
static void
test_refused_device_binds_group (void)
{
  /* clang-format off */
  static const char cluster[]
      = "{ \"devices\": [" TOY_DEVICE ("roomy", "gpu", "1000") ","
        TOY_DEVICE ("tight", "gpu", "50") "],"
        "\"all_pairs\": { \"bandwidth\": 1e7 } }";
  /* clang-format on */
  static const struct
  {
    const char *name;
    double time_us, size_bytes;
  } ops[] = { { "first", 30, 0 }, { "large", 20, 100 }, { "small", 10, 10 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("refused", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) fitting = NULL;
  g_autoptr (GobanUnits) units = NULL;
  g_autoptr (GobanListSchedule) schedule = NULL;
  g_auto (GobanTrees) trees = { 0 };
  g_autofree double *levels = NULL;
  const GobanPlacerOptions options = { 0 };
  GobanEarliestStartRules rules;

  for (guint v = 0; v < G_N_ELEMENTS (ops); v++)
    {
      goban_graph_builder_add_node (builder, ops[v].name, "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, ops[v].time_us, GOBAN_SOURCE_GIVEN);
      if (ops[v].size_bytes > 0)
        {
          goban_graph_builder_set_group (builder, v, 1);
          goban_graph_builder_add_tensor (builder, v, ops[v].size_bytes);
        }
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, cluster);
  units = goban_units_new (costs, &error);
  levels = g_new (double, G_N_ELEMENTS (ops));
  goban_units_static_levels (units, levels);
  goban_trees_init_trivial (&trees, units);
  rules = (GobanEarliestStartRules){ .units = units, .trees = &trees, .levels = levels };
  schedule = goban_earliest_start_schedule (&rules, &options, &error);
  g_assert_no_error (error);
  plan = goban_list_schedule_new_plan (schedule);
  g_assert_cmpuint (goban_plan_get_device (plan, 0), ==, 0);
  g_assert_cmpuint (goban_plan_get_device (plan, 1), ==, 1);
  g_assert_cmpuint (goban_plan_get_device (plan, 2), ==, 1);
  /* That lacks memory, so the policy makes another one. */
  fitting = toy_place (costs, "etf", 0);
  g_assert_cmpuint (goban_plan_get_device (fitting, 1), ==, 0);
  g_assert_cmpuint (goban_plan_get_device (fitting, 2), ==, 0);
}

/* --- what is carried along ------------------------------------------------------------ */

/* A variable of 2 us of transfer, read by the second of two parallel chains: it lies where that
 * runs, not on the first device. */
static void
test_variable_goes_with_reader (void)
{
  static const char *const policies[] = { "heft", "cpop", "etf", "critical-path", "m-etf" };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("variable", "test");
  guint32 variable = goban_graph_builder_add_node (builder, "variable", "VarHandleOp");
  guint32 read = goban_graph_builder_add_node (builder, "read", "ReadVariableOp");
  guint32 tensor;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  goban_graph_builder_get_node (builder, variable)->param_bytes = 1000;
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, variable, 0),
                                read);
  tensor = goban_graph_builder_add_tensor (builder, read, 1000);
  for (guint32 v = 0; v < 2; v++)
    goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 0, GOBAN_SOURCE_GIVEN);
  for (guint32 v = 2; v < 6; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, v % 2 == 0 ? 30 : 20,
                                    GOBAN_SOURCE_GIVEN);
      if (v >= 4)
        goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, v - 2, 1e5),
                                      v);
    }
  for (guint32 v = 3; v < 6; v += 2)
    goban_graph_builder_add_edge (builder, tensor, v);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "equal:2,bandwidth=1e9");

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autoptr (GobanPlan) plan = toy_place (costs, policies[i], 0);

      g_assert_cmpuint (goban_plan_get_device (plan, 2), !=, goban_plan_get_device (plan, 3));
      g_assert_cmpuint (goban_plan_get_device (plan, 3), ==, goban_plan_get_device (plan, 5));
      g_assert_cmpuint (goban_plan_get_device (plan, read), ==, goban_plan_get_device (plan, 3));
      g_assert_cmpuint (goban_plan_get_device (plan, variable), ==,
                        goban_plan_get_device (plan, 3));
    }
}

TEST_PROGRAM (earliest_start)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/earliest-start/twin", test_twin);
  g_test_add_func ("/earliest-start/bound", test_bound);
  g_test_add_func ("/earliest-start/memory", test_memory);
  g_test_add_func ("/earliest-start/refused-device-binds-group", test_refused_device_binds_group);
  g_test_add_func ("/earliest-start/variable-goes-with-reader", test_variable_goes_with_reader);
  return g_test_run ();
}
