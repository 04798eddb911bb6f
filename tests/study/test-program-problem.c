/* The problem as a program reads it: its arrays are those of graph, cluster and costs. */
#include "engine/study/programs/program-message.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanJsonValue
find (GobanJsonValue root, const char *part, const char *key, guint n)
{
  GobanJsonValue list = goban_json_find (goban_json_find (root, part), key);
  GobanJsonItems items;

  g_assert_true (goban_json_read_list (list, &items, NULL));
  g_assert_cmpuint (items.n, ==, n);
  return goban_json_find (root, part);
}

/* null counts as infinite. */
static double
get (GobanJsonValue part, const char *key, guint i)
{
  double number = INFINITY;

  goban_json_is_number (goban_json_get_element (part, key, i), &number);
  return number;
}

static double
get_in_row (GobanJsonValue part, const char *key, guint i, guint k)
{
  GobanJsonValue row = goban_json_get_element (part, key, i);
  GobanJsonItems items;
  GobanJsonValue item;
  double number = INFINITY;

  g_assert_true (goban_json_read_list (row, &items, NULL));
  for (guint at = 0; at <= k; at++)
    g_assert_true (goban_json_items_next (&items, &item));
  goban_json_is_number (item, &number);
  return number;
}

static void
check_nodes (GobanJsonValue root, GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n = goban_graph_get_n_nodes (graph);
  GobanJsonValue nodes = find (root, "nodes", "time_us", n);
  GobanJsonValue devices = find (root, "devices", "class", goban_cluster_get_n_devices (cluster));

  find (root, "nodes", "name", n);
  for (GobanNodeId v = 0; v < n; v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      g_assert_cmpfloat (get (nodes, "group", v), ==,
                         group == GOBAN_NO_GROUP ? -1 : (double) group);
      g_assert_cmpfloat (get (nodes, "output_bytes", v), ==,
                         goban_graph_get_output_bytes (graph, v));
      for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
        g_assert_cmpfloat (get_in_row (nodes, "time_us", v, (guint) get (devices, "class", d)), ==,
                           goban_cost_model_time_us (costs, v, (GobanDeviceId) d));
    }
}

static void
check_edges (GobanJsonValue root, GobanGraph *graph)
{
  guint n = goban_graph_get_n_edges (graph);
  GobanJsonValue edges = find (root, "edges", "tensor", n);
  GobanJsonValue tensors = find (root, "tensors", "bytes", goban_graph_get_n_tensors (graph));

  for (guint e = 0; e < n; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      g_assert_cmpfloat (get (edges, "from", e), ==, edge->tail);
      g_assert_cmpfloat (get (edges, "to", e), ==, edge->head);
      g_assert_cmpfloat (get (tensors, "bytes", (guint) get (edges, "tensor", e)), ==,
                         goban_graph_get_tensor (graph, edge->tensor)->size_bytes);
    }
}

static void
check_devices (GobanJsonValue root, GobanCluster *cluster)
{
  guint n = goban_cluster_get_n_devices (cluster);
  GobanJsonValue devices = find (root, "devices", "memory_bytes", n);
  GobanJsonValue links = find (root, "links", "bytes_per_us", n);

  for (guint a = 0; a < n; a++)
    {
      g_assert_cmpfloat (get (devices, "memory_bytes", a), ==,
                         goban_cluster_get_device (cluster, (GobanDeviceId) a)->memory_bytes);
      for (guint b = 0; b < n; b++)
        g_assert_cmpfloat (
            get_in_row (links, "bytes_per_us", a, b), ==,
            a == b ? (double) INFINITY
                   : goban_cluster_get_route (cluster, (GobanDeviceId) a, (GobanDeviceId) b)
                         ->bytes_per_us);
    }
}

static void
test_arrays (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_various_costs (i);
      g_autoptr (GString) line = g_string_new (NULL);
      g_autoptr (GobanJsonReader) reader = NULL;
      g_autoptr (GError) error = NULL;
      GobanJsonValue root;

      goban_program_write_problem (line, &(GobanProgramProblem){ .costs = costs,
                                                                 .tasks = GOBAN_TASKS_DEFAULT,
                                                                 .seed = G_MAXUINT64,
                                                                 .n_plans = 3,
                                                                 .n_rollouts = 1 });
      g_assert_true (strchr (line->str, '\n') == line->str + line->len - 1);
      g_assert_nonnull (strstr (line->str, "\"seed\": 18446744073709551615, \"plans\": 3, "));
      reader = goban_json_reader_new (line->str, (gssize) line->len, "line", &error);
      g_assert_no_error (error);
      root = goban_json_reader_get_root (reader);
      check_nodes (root, costs);
      check_edges (root, goban_cost_model_get_graph (costs));
      check_devices (root, goban_cost_model_get_cluster (costs));
    }
}

TEST_PROGRAM (program_problem)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program-problem/arrays", test_arrays);
  return g_test_run ();
}
