#include "engine/graph/collectives.h"
#include "engine/io/chakra.pb-c.h"
#include "engine/machine/cluster/cost-model.h"
#include "tests/io/io-support.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <gio/gio.h>
#include <string.h>

static const char json[] = "{\"workload_graph\": [\n"
                           "{\"Id\": 5, \"Name\": \"aten::add(0)\", \"NodeType\": 4, "
                           "\"data_deps\": [3], \"runtime\": 2},\n"
                           "{\"Id\": 3, \"Name\": \"aten::add(1)\", \"NodeType\": 4, \"ctrlDeps\": "
                           "[1], \"data_deps\": []}\n"
                           "]}\n";

static void
put_message (GByteArray *to, const GobanChakra__Node *node)
{
  gsize n = goban_chakra__node__get_packed_size (node);
  g_autofree guint8 *bytes = g_malloc (n);
  guint8 length = (guint8) n;

  g_assert_cmpuint (n, <, 128);
  goban_chakra__node__pack (node, bytes);
  g_byte_array_append (to, &length, 1);
  g_byte_array_append (to, bytes, (guint) n);
}

static void
test_json (void)
{
  g_autoptr (GobanGraph) graph = read_text ("chakra", json);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  g_assert_cmpstr (goban_graph_get_node (graph, 0)->op, ==, "aten::add");
  g_assert_cmpfloat (time_of (graph, "aten::add(0)", "*"), ==, 2);
  g_assert_false (goban_graph_has_time (graph, 0));
  g_assert_cmpstr (goban_graph_get_warnings (graph)[0], ==,
                   "1 control dependency is on a node that the trace leaves out");
}

/* The kernel is inside of the operation, which waits for it. */
static void
test_nested (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "chakra", "{\"workload_graph\": [\n"
                "{\"Id\": 1, \"Name\": \"op\", \"data_deps\": [2]},\n"
                "{\"Id\": 2, \"Name\": \"kernel\", \"ctrlDeps\": [1], \"data_deps\": []}]}\n");

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  g_assert_nonnull (
      strstr (goban_graph_get_warnings (graph)[0], "1 control dependency is left out"));
}

static void
test_messages (void)
{
  const GobanFormat *format = goban_format_find ("chakra", NULL);
  GobanReadOptions options = { 0 };
  GobanChakra__Node a = GOBAN_CHAKRA__NODE__INIT, b = GOBAN_CHAKRA__NODE__INIT;
  GobanChakra__Values outputs = GOBAN_CHAKRA__VALUES__INIT;
  guint64 dependencies[] = { 7 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  outputs.values = (char *) "[[4, 5, 0, 64, 4, 'cuda:0'], [1, 1], [6, 7, 0, 10, 2, 'cpu'], 3]";
  a.id = 7;
  a.name = (char *) "aten::mm(0)";
  a.type = b.type = 4;
  a.duration_micros = 12;
  a.outputs = &outputs;
  b.id = 8;
  b.name = (char *) "void gemm<float, 4>(float*)";
  b.n_data_deps = b.n_ctrl_deps = 1;
  b.data_deps = b.ctrl_deps = dependencies;
  g_byte_array_append (bytes, (const guint8 *) "\0", 1);
  put_message (bytes, &a);
  put_message (bytes, &b);

  g_assert_cmpint (format->sniff ((const char *) bytes->data, bytes->len, "x"), ==, 85);
  graph = format->read ((const char *) bytes->data, bytes->len, "test.et", &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2); /* one of data, one of control */
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, 0), ==, 64 * 4 + 10 * 2);
  g_assert_cmpstr (goban_graph_get_node (graph, 1)->op, ==, "void gemm");
  g_assert_cmpfloat (time_of (graph, "aten::mm(0)", "*"), ==, 12);

  g_assert_null (
      format->read ((const char *) bytes->data, bytes->len - 2, "test.et", &options, &error));
  g_assert_nonnull (strstr (error->message, "the message of node 2 is cut off"));
}

/* The file @name of an archive; NULL: skip. */
static GobanGraph *
read_packed (const char *archive, const char *name)
{
  g_autofree char *path = shared_data_path (archive);
  g_autoptr (GError) error = NULL;
  const GobanFormat *format = goban_format_find ("chakra", NULL);
  GobanReadOptions options = { 0 };
  GobanGraph *graph;
  g_autoptr (GSubprocess) tar = NULL;
  g_autoptr (GBytes) out = NULL;

  if (path == NULL)
    return NULL;
  tar = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "tar", "-xzOf", path, name, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate (tar, NULL, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (format->sniff (g_bytes_get_data (out, NULL), g_bytes_get_size (out), "x"), >=,
                   85);
  graph = format->read (g_bytes_get_data (out, NULL), g_bytes_get_size (out), "trace", &options,
                        &error);
  g_assert_no_error (error);
  return graph;
}

static guint
count_data_edges (const GobanGraph *graph)
{
  guint n = 0;

  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    n += !goban_graph_get_tensor (graph, goban_graph_get_edge (graph, e)->tensor)->is_control;
  return n;
}

/* A trace and its twin: the same nodes, times and data dependencies. */
static void
test_real (void)
{
  g_autoptr (GobanGraph) trace
      = read_packed ("chakra/feeder_tests_trace.tar.gz", "tests/data/chakra.0.et");
  g_autoptr (GobanGraph) twin = NULL;

  if (trace == NULL)
    return;
  twin = read_packed ("chakra/json_trace.tar.gz", "jsonData/chakra.0.json");
  g_assert_cmpuint (goban_graph_get_n_nodes (trace), ==, 3643 + 21);
  g_assert_cmpuint (goban_graph_get_n_nodes (twin), ==, 3643 + 21);
  g_assert_cmpuint (count_data_edges (trace), ==, 181878);
  g_assert_cmpuint (count_data_edges (twin), ==, 181878);
  assert_near (sum_ms (trace, "*", GOBAN_PHASE_FORWARD), 381.795, 1e-6);
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "{}", "test.txt:1: workload_graph is missing" },
    { "{\"workload_graph\": []}", "no nodes" },
    { "{\"workload_graph\": [1]}", "workload_graph[0] is 1: an object is needed" },
    { "{\"workload_graph\": [{}]}", "workload_graph[0].Id is missing" },
    { "{\"workload_graph\": [{\"Id\": 1}, {\"Id\": 1}]}",
      "workload_graph[1]: the id 1 is given twice" },
    { "{\"workload_graph\": [{\"Id\": 1, \"data_deps\": [2]}]}", "which is not in the file" },
    { "{\"workload_graph\": [{\"Id\": 1, \"data_deps\": [1]}]}", "cycle: " },
    { "{\"workload_graph\": [{\"Id\": 1, \"data_deps\": [\"x\"]}]}",
      "workload_graph[0].data_deps[0] is “x”: a whole number" },
    { "{\"workload_graph\": [{\"Id\": 1, \"runtime\": -1}]}", "runtime" },
    { "hello", "is cut off" },
  };

  check_bad_texts ("chakra", cases, G_N_ELEMENTS (cases));
}

/* Bytes without a time: the ring of four ranks takes 2 * 3 steps of a quarter, an all-gather three;
 * the trace's own times stay. */
static void
test_collectives (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = load_corpus ("chakra", "collective.et", NULL);
  g_autoptr (GobanGraph) twin = load_corpus ("chakra", "collective.json", NULL);
  g_autoptr (GobanCluster) cluster
      = goban_cluster_new_from_spec ("equal:4,bandwidth=1e9,latency=2e-6", &error);
  g_autoptr (GobanCluster) one = goban_cluster_new_from_spec ("equal:1", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanCostModel) twin_costs
      = goban_cost_model_new (twin, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanCostModel) alone = goban_cost_model_new (graph, one, GOBAN_EXECUTION_EVENTS);
  GobanNodeId grads = goban_graph_find_node (graph, "grads");
  GobanNodeId gather = goban_graph_find_node (graph, "gather");

  g_assert_no_error (error);
  assert_near (goban_cost_model_time_us (costs, goban_graph_find_node (graph, "fwd"), 0), 5, 1e-9);
  assert_near (goban_cost_model_time_us (costs, grads, 3), 6 * (2 + 1048576 / 4 / 1e3), 1e-6);
  assert_near (goban_cost_model_time_us (costs, gather, 0), 3 * (2 + 4096 / 4 / 1e3), 1e-6);
  g_assert_cmpint (goban_cost_model_get_source (costs, grads, 0), ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_cmpfloat (goban_cost_model_time_us (alone, grads, 0), ==, 0);
  assert_near (goban_cost_model_time_us (twin_costs, 0, 0), 6 * (2 + 256 / 1e3), 1e-6);
  g_assert_true (warns (graph, "2 communications have bytes but no time"));
}

/* Ranks 0 and 1 have a link of 8 GB/s, the others of 1 GB/s; all have 2 us. */
static GobanCluster *
make_pairs (void)
{
  g_autoptr (GString) cluster_json = g_string_new ("{ \"devices\": [");
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;

  for (guint d = 0; d < 4; d++)
    g_string_append_printf (cluster_json,
                            "%s{ \"name\": \"d%u\", \"kind\": \"gpu\", \"tflops\": 1, "
                            "\"memory_bandwidth\": 1e9, \"memory\": 1 }",
                            d > 0 ? ", " : "", d);
  g_string_append (cluster_json, "], \"links\": [");
  for (guint a = 0; a < 4; a++)
    for (guint b = a + 1; b < 4; b++)
      g_string_append_printf (cluster_json,
                              "%s{ \"from\": \"d%u\", \"to\": \"d%u\", \"latency\": \"2 us\", "
                              "\"bytes_per_us\": %u }",
                              a + b > 1 ? ", " : "", a, b, a + b == 1 ? 8000 : 1000);
  g_string_append (cluster_json, "] }");
  cluster = goban_cluster_new_from_json (cluster_json->str, -1, "pairs", &error);
  g_assert_no_error (error);
  return cluster;
}

/* The ranks are those of the process group, which the last node gives; a communication without a
 * size has that of its tensor. */
static void
test_process_groups (void)
{
  static const struct
  {
    const char *node;
    guint n_ranks, step;
  } cases[] = { { "data", 2, 2 },  { "model", 2, 1 },   { "all", 4, 1 },
                { "three", 3, 1 }, { "unknown", 0, 0 }, { "tensor", 2, 2 } };
  g_autoptr (GobanGraph) graph = load_corpus ("chakra", "groups.et", NULL);
  g_autoptr (GobanCluster) cluster = make_pairs ();
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  const double bytes = 1 << 20, slow_us = 2 + bytes / 2 / 1000, fast_us = 2 + bytes / 2 / 8000;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GobanNodeCollective *collective
          = goban_graph_find_collective (graph, goban_graph_find_node (graph, cases[i].node));

      g_test_message ("%s", cases[i].node);
      g_assert_nonnull (collective);
      g_assert_cmpuint (collective->n_ranks, ==, cases[i].n_ranks);
      g_assert_cmpuint (collective->rank_step, ==, cases[i].step);
      g_assert_cmpfloat (collective->bytes, ==, bytes);
    }
  assert_near (goban_cost_model_time_us (costs, goban_graph_find_node (graph, "data"), 0),
               2 * slow_us, 1e-6);
  assert_near (goban_cost_model_time_us (costs, goban_graph_find_node (graph, "model"), 0),
               2 * fast_us, 1e-6);
  assert_near (goban_cost_model_time_us (costs, goban_graph_find_node (graph, "all"), 0),
               6 * (2 + bytes / 4 / 1000), 1e-6);
  g_assert_true (warns (graph, "the process group of 1 communication is not in the file"));
}

/* Saved as our own JSON, it has them still. */
static void
test_saved_collectives (gconstpointer data)
{
  const GobanFormat *format = goban_format_find ("json", NULL);
  const GobanReadOptions options = { 0 };
  g_autoptr (GobanGraph) graph = load_corpus ("chakra", data, NULL);
  g_autoptr (GError) error = NULL;
  gsize size;
  g_autofree char *text = format->write (graph, &size, &error);
  g_autoptr (GobanGraph) again = NULL;
  guint n, n_again;
  const GobanNodeCollective *was, *is;

  g_assert_no_error (error);
  again = format->read (text, size, "x", &options, &error);
  g_assert_no_error (error);
  was = goban_graph_get_collectives (graph, &n);
  is = goban_graph_get_collectives (again, &n_again);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n_again, ==, n);
  g_assert_cmpuint (goban_graph_get_hash (again), ==, goban_graph_get_hash (graph));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (is[i].node, ==, was[i].node);
      g_assert_cmpint (is[i].kind, ==, was[i].kind);
      g_assert_cmpfloat (is[i].bytes, ==, was[i].bytes);
      g_assert_cmpuint (is[i].n_ranks, ==, was[i].n_ranks);
      g_assert_cmpuint (is[i].rank_step, ==, was[i].rank_step);
    }
}

/* proto3 leaves out an id of 0, of the first node or of a later one. */
static void
test_id_zero (void)
{
  g_autoptr (GobanGraph) first = load_corpus ("chakra", "id-zero.et", NULL);
  g_autoptr (GobanGraph) later = load_corpus ("chakra", "late-zero.et", NULL);

  g_assert_cmpuint (goban_graph_get_n_nodes (first), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (first), ==, 1);
  g_assert_cmpuint (goban_graph_get_n_nodes (later), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (later), ==, 1);
}

TEST_PROGRAM (chakra)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/chakra/reads/json", test_json);
  g_test_add_func ("/io/chakra/reads/nested", test_nested);
  g_test_add_func ("/io/chakra/reads/messages", test_messages);
  g_test_add_func ("/io/chakra/reads/real-traces", test_real);
  g_test_add_func ("/io/chakra/rejects/bad-texts", test_bad);
  g_test_add_func ("/chakra/collectives", test_collectives);
  g_test_add_func ("/chakra/process-groups", test_process_groups);
  g_test_add_data_func ("/chakra/collectives/saved", "collective.et", test_saved_collectives);
  g_test_add_data_func ("/chakra/process-groups/saved", "groups.et", test_saved_collectives);
  g_test_add_func ("/chakra/id-zero", test_id_zero);
  return g_test_run ();
}
