#include "engine/base/file.h"
#include "engine/graph/graph-builder.h"
#include "engine/io/io.h"
#include "engine/sim/simulator.h"
#include "tests/support/shared-data.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* One line of optimal.csv: file, devices, optimum or its bounds. */
static void
check_line (const char *line, guint *n_optimal)
{
  g_auto (GStrv) fields = g_strsplit (line, ",", -1);
  g_autofree char *name = g_strconcat ("stg/", fields[0], NULL);
  g_autofree char *path = shared_data_path (name);
  g_autofree char *spec = g_strconcat ("equal:", fields[1], NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  double optimum_us = g_ascii_strtod (fields[2], NULL);
  guint n_devices = (guint) g_ascii_strtoull (fields[1], NULL, 10);
  g_autoptr (GobanPlan) plan = NULL;
  double makespan_us;

  g_assert_no_error (error);
  cluster = goban_cluster_new_from_spec (spec, &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, FALSE);
  plan = toy_place (costs, "critical-path", 0);
  makespan_us = toy_makespan_us (costs, plan);

  g_assert_cmpfloat (makespan_us, >=, optimum_us);
  g_assert_cmpfloat (makespan_us, >=, goban_bounds (costs).bound_us - 1e-9);
  /* Graham's bound for any list schedule without communication. */
  g_assert_cmpfloat (makespan_us, <=, (2 - 1.0 / n_devices) * optimum_us);
  *n_optimal += makespan_us == optimum_us;
}

static void
test_stg (void)
{
  g_autofree char *path = shared_data_path ("stg/optimal.csv");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_lines = 0;
  guint n_optimal = 0;

  if (path == NULL)
    return;

  bytes = goban_file_read (path, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "rand"))
      {
        check_line (g_strchomp (lines[i]), &n_optimal);
        n_lines++;
      }
  g_assert_cmpuint (n_lines, ==, 30);
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
  return goban_cost_model_new (graph, cluster, FALSE);
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

/* "other" has the longer path and takes the source's device, which is free again at 27 us. Four
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/critical-path/stg", test_stg);
  g_test_add_func ("/critical-path/transfers-queue", test_transfers_queue);
  return g_test_run ();
}
