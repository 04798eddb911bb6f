#include "engine/core/error.h"
#include "engine/graph/file-devices.h"
#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <string.h>

/* The example of REGAL's README. */
static const char regal[]
    = "node { name: \"_SOURCE\" }\n"
      "node { name: \"node_1\" id: 1 output_info { size: 10 alias_input_port: -1 }\n"
      "  control_input: 0 compute_cost: 7 }\n"
      "node { name: \"node_3\" id: 4 input_info { preceding_node: 1 }\n"
      "  output_info { size: 55 alias_input_port: -1 } control_input: 0 compute_cost: 58 }\n";

static const char full[]
    = "# proto-message: CostGraphDef\n"
      "node { name: 'a\"\\303\\244' id: 3 device: '/job:w/task:0/device:GPU:1'\n"
      "  output_info { size: 24 shape { dim { size: 2 } dim { size: 3 } } dtype: DT_FLOAT }\n"
      "  output_info { size: -1 } temporary_memory_size: 99 persistent_memory_size: 1000\n"
      "  compute_time: 4 memory_time: 9 inaccurate: true }\n"
      "node { id: 5 input_info { preceding_node: 3 preceding_port: 1 }\n"
      "  input_info { preceding_node: 3 } input_info { preceding_node: 3 preceding_port: 7 } }\n";

/* Written and read again in that format, which the content tells. */
static GobanGraph *
write_and_read (const GobanGraph *graph, const char *format)
{
  const GobanFormat *found = goban_format_find (format, NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  GobanGraph *again;
  gsize size;

  data = found->write (graph, &size, &error);
  g_assert_no_error (error);
  g_assert_cmpint (found->sniff (data, size, "x"), ==, 92);
  again = found->read (data, size, "test.cost.pb", &options, &error);
  g_assert_no_error (error);
  return again;
}

static void
test_regal (void)
{
  g_autoptr (GobanGraph) graph = read_text ("cost-graph", regal);
  g_autoptr (GobanGraph) text = write_and_read (graph, "cost-graph");
  g_autoptr (GobanGraph) binary = write_and_read (graph, "cost-graph-binary");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  g_assert_cmpfloat (time_of (graph, "node_3", "*"), ==, 58);
  g_assert_cmpfloat (time_of (graph, "_SOURCE", "*"), ==, 0);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, 2), ==, 55);
  g_assert_cmpstr (goban_graph_get_node (graph, 1)->op, ==, "node");
  g_assert_null (goban_graph_get_warnings (graph)[0]);
  g_assert_cmphex (goban_graph_get_hash (text), ==, goban_graph_get_hash (graph));
  g_assert_cmphex (goban_graph_get_hash (binary), ==, goban_graph_get_hash (graph));
}

static void
test_full (void)
{
  g_autoptr (GobanGraph) graph = read_text ("cost-graph", full);
  g_autoptr (GobanGraph) again = write_and_read (graph, "cost-graph-binary");
  const GobanTensor *tensor = goban_graph_get_tensor (graph, 0);

  g_assert_cmpstr (goban_graph_get_node (graph, 0)->name, ==, "a\"ä");
  g_assert_cmpstr (goban_graph_get_node (graph, 1)->name, ==, "node_5");
  g_assert_cmpstr (goban_graph_get_file_device (graph, 0), ==, "gpu:1");
  g_assert_cmpstr (goban_graph_get_file_device (again, 0), ==, "gpu:1");
  g_assert_cmpfloat (goban_graph_get_node (graph, 0)->param_bytes, ==, 1000);
  g_assert_cmpfloat (time_of (graph, "a\"ä", "*"), ==, 9);
  g_assert_cmpstr (tensor->dtype, ==, "f32");
  g_assert_cmpuint (tensor->n_dims, ==, 2);
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  g_assert_true (warns (graph, "2 outputs have no known size"));
  g_assert_true (warns (graph, "1 of its 2 times are marked as inaccurate"));
  g_assert_true (warns (graph, "temporary memory of its nodes, 99 bytes"));
  g_assert_cmphex (goban_graph_get_hash (again), ==, goban_graph_get_hash (graph));
}

/* Without any time in the file, times are estimated; they are not 0. */
static void
test_no_times (void)
{
  g_autoptr (GobanGraph) graph = read_text ("cost-graph", "node { id: 1 output_info { size: 9 } }");

  g_assert_cmpuint (goban_graph_get_n_kinds (graph), ==, 0);
}

static void
test_sniff (void)
{
  static const struct
  {
    const char *text;
    int score;
  } cases[] = {
    { regal, 92 },
    { full, 92 },
    { "node { name: 'compute_cost' op: 'A' input: 'id' }", 0 },
    { "node { name: 'a' attr { key: 'k' value { i: 3 } } op: 'A' }", 0 },
    { "# id: 3\nnode { name: 'a\\'id: 3' device: 'd' }", 0 },
    { "nodes { id: 3 }", 0 },
    { "node", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (goban_format_find ("cost-graph", NULL)
                         ->sniff (cases[i].text, strlen (cases[i].text), "x.pbtxt"),
                     ==, cases[i].score);
  /* The nodes of a GraphDef have texts where these have numbers. */
  g_assert_cmpint (goban_format_find ("cost-graph-binary", NULL)->sniff ("\n\6\n\1a\22\1b", 8, "x"),
                   ==, 0);
  g_assert_cmpint (goban_format_find ("cost-graph-binary", NULL)->sniff ("\n\5\n\1a\30\7", 7, "x"),
                   ==, 92);
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "node { id: 1 }\nnode { name: 'b' id: 1 }", "node “b”: another node has the id 1" },
    { "node { name: 'a' compute_cost: -1 }", "node “a”: its cost or its memory is negative" },
    { "node { name: 'a' control_input: 8 }", "node “a” reads from node 8, which is not in" },
    { "node { name: 'a'\n id: x }", "test.txt:2:" },
    { "node { id: 1 input_info { preceding_node: 1 } }", "cycle" },
    { "cost { cost: 1 }", "no nodes" },
    { "node { } node { id: 1 input_info { preceding_port: -2 } }",
      "node “node_1” reads output -2" },
    { "\xff", "not a CostGraphDef" },
  };

  check_bad_texts ("cost-graph", cases, G_N_ELEMENTS (cases));
}

/* TensorFlow numbers what only waits -1. */
static void
test_control_port (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("cost-graph", "node { name: 'a' output_info { size: 8 } }\n"
                                 "node { name: 'b' id: 1 input_info { preceding_port: -1 } }");

  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 2);
  g_assert_true (goban_graph_get_tensor (graph, 1)->is_control);
  g_assert_null (goban_graph_get_warnings (graph)[0]);
}

/* A file's times on one kind of device can be written, "cannot run there" cannot. */
static void
test_never (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("json", "{\"goban\": \"graph\", \"version\": 1, \"kinds\": [\"cpu\"],\n"
                           "\"nodes\": [{\"name\": \"a\", \"times\": {\"cpu\": \"never\"}}]}");
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_null (goban_format_find ("cost-graph", NULL)->write (graph, &size, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "node “a” cannot run on “cpu”"));
}

TEST_PROGRAM (cost_graph)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost-graph/regal", test_regal);
  g_test_add_func ("/cost-graph/full", test_full);
  g_test_add_func ("/cost-graph/no-times", test_no_times);
  g_test_add_func ("/cost-graph/sniff", test_sniff);
  g_test_add_func ("/cost-graph/bad", test_bad);
  g_test_add_func ("/cost-graph/control-port", test_control_port);
  g_test_add_func ("/cost-graph/never", test_never);
  return g_test_run ();
}
