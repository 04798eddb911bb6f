#include "engine/graph/graph-builder.h"
#include "engine/sim/simulator.h"
#include "tests/support/stg.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

static void
test_stg (void)
{
  g_autoptr (GPtrArray) cases = stg_cases_new (FALSE);
  guint n_optimal = 0;

  if (cases == NULL)
    return;
  for (guint i = 0; i < cases->len; i++)
    {
      const StgCase *one = cases->pdata[i];
      g_autoptr (GobanPlan) plan = toy_place (one->costs, "critical-path", 0);
      double makespan_us = toy_makespan_us (one->costs, plan);

      g_assert_cmpfloat (makespan_us, >=, one->least_us);
      g_assert_cmpfloat (makespan_us, >=, goban_bounds (one->costs).bound_us - 1e-9);
      /* Graham's bound for any list schedule without communication. */
      g_assert_cmpfloat (makespan_us, <=, (2 - 1.0 / one->n_devices) * one->least_us);
      n_optimal += makespan_us == one->least_us;
    }
  /* 16 of 30. */
  g_assert_cmpuint (n_optimal, >=, 15);
}

static GobanCostModel *
bind (GobanGraphBuilder *builder, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_builder_finish (builder, NULL, &error);
  g_autoptr (GobanCluster) cluster = NULL;

  g_assert_no_error (error);
  cluster = goban_cluster_new_from_json (json, -1, "test", &error);
  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

#define TWO_DEVICES(contention_free)                                                               \
  "{ \"contention_free\": " contention_free ", \"devices\": [ { \"name\": \"d\", \"count\": 2, "   \
  "\"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1e9, \"memory\": \"unlimited\" } ], "   \
  "\"all_pairs\": { \"bandwidth\": 1e6 } }"

/* Two producers of 10 us and 5 bytes, read by a sink beside the first producer's device: with one
 * transfer at a time four inputs from elsewhere arrive at 15, 20, 25 and 30 us. */
static GobanGraphBuilder *
new_fan_in (void)
{
  GobanGraphBuilder *builder = goban_graph_builder_new ("fan-in", "test");
  guint32 source = goban_graph_builder_add_node (builder, "source", "Task");
  guint32 sink = goban_graph_builder_add_node (builder, "sink", "Task");
  guint32 other = goban_graph_builder_add_node (builder, "other", "Task");

  for (guint i = 0; i < 4; i++)
    goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, source, 5),
                                  sink);
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, source, 0),
                                other);
  goban_graph_builder_set_time (builder, source, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, sink, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, other, GOBAN_ANY_KIND, 17, GOBAN_SOURCE_GIVEN);
  return builder;
}

/* "other" has the longer path and takes the source's device, which is free again at 27 µs. Four
 * transfers side by side bring the sink's inputs to the second device by 15 us; one after another
 * they take until 30, and the sink waits for the first device instead. */
static void
test_transfers_queue (void)
{
  g_autoptr (GobanGraphBuilder) free_builder = new_fan_in ();
  g_autoptr (GobanGraphBuilder) queued_builder = new_fan_in ();
  g_autoptr (GobanCostModel) free_costs = bind (free_builder, TWO_DEVICES ("true"));
  g_autoptr (GobanCostModel) queued_costs = bind (queued_builder, TWO_DEVICES ("false"));
  g_autoptr (GobanPlan) free_plan = toy_place (free_costs, "critical-path", 0);
  g_autoptr (GobanPlan) queued_plan = toy_place (queued_costs, "critical-path", 0);
  GobanNodeId sink = goban_graph_find_node (goban_cost_model_get_graph (free_costs), "sink");

  g_assert_cmpfloat (toy_makespan_us (free_costs, free_plan), ==, 27);
  g_assert_cmpuint (goban_plan_get_device (free_plan, sink), ==, 1);
  g_assert_cmpfloat (toy_makespan_us (queued_costs, queued_plan), ==, 37);
  g_assert_cmpuint (goban_plan_get_device (queued_plan, sink), ==, 0);
  g_assert_cmpint (goban_plan_get_order (queued_plan), ==, GOBAN_ORDER_PRIORITY);
}

TEST_PROGRAM (critical_path)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/critical-path/stg", test_stg);
  g_test_add_func ("/critical-path/transfers-queue", test_transfers_queue);
  return g_test_run ();
}
