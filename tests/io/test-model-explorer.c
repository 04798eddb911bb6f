#include "tests/io/io-support.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <gio/gio.h>
#include <string.h>

static const char small[]
    = "{\"label\": \"m\", \"graphs\": [{\"id\": \"main\", \"nodes\": [\n"
      "{\"id\": \"7\", \"label\": \"conv_2d\", \"namespace\": \"a/b\", \"incomingEdges\": [\n"
      "  {\"sourceNodeId\": \"in\", \"sourceNodeOutputId\": \"1\", \"targetNodeInputId\": "
      "\"0\"}],\n"
      " \"outputsMetadata\": [{\"id\": \"0\", \"attrs\": [\n"
      "  {\"key\": \"tensor_shape\", \"value\": \"float32[1,8,8,3]\"}]}]},\n"
      "{\"id\": \"in\", \"label\": \"GraphInputs\", \"namespace\": \"\", \"attrs\": [\n"
      "  {\"key\": \"flops\", \"value\": \"12\"}, {\"key\": \"time_us:gpu\", \"value\": "
      "\"2.5\"}],\n"
      " \"outputsMetadata\": [{\"id\": \"0\"}, {\"id\": \"1\", \"attrs\": [\n"
      "  {\"key\": \"tensor_shape\", \"value\": \"bool[-1,2]\"}]}]}\n"
      "]}]}\n";

static GobanGraph *
write_and_read (const GobanGraph *graph)
{
  const GobanFormat *format = goban_format_find ("model-explorer", NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GobanGraph *again;
  gsize size;

  text = format->write (graph, &size, &error);
  g_assert_no_error (error);
  g_assert_cmpint (format->sniff (text, size, "x.json"), ==, 90);
  again = format->read (text, size, "test.json", &options, &error);
  g_assert_no_error (error);
  return again;
}

static void
test_small (void)
{
  g_autoptr (GobanGraph) graph = read_text ("model-explorer", small);
  g_autoptr (GobanGraph) again = NULL;
  GobanNodeId conv = goban_graph_find_node (graph, "a/b/7");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  g_assert_cmpuint (conv, !=, GOBAN_NO_NODE);
  g_assert_cmpstr (goban_graph_get_node (graph, conv)->op, ==, "conv_2d");
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, conv), ==, 8 * 8 * 3 * 4);
  g_assert_cmpfloat (time_of (graph, "in", "gpu"), ==, 2.5);
  g_assert_cmpfloat (goban_graph_get_node (graph, 0)->flops, ==, 12);
  g_assert_cmpstr (goban_graph_get_warnings (graph)[0], ==,
                   "2 outputs have no known size: they count as 0 bytes");
  again = write_and_read (graph);
  g_assert_cmphex (goban_graph_get_hash (again), ==, goban_graph_get_hash (graph));
}

/* Control edges, groups, phases and several outputs survive, too. */
static void
test_round_trip (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "json",
      "{\"goban\": \"graph\", \"version\": 1, \"kinds\": [\"cpu\", \"gpu\"],\n\"nodes\": [\n"
      "{\"name\": \"s/a\", \"op\": \"A\", \"param_bytes\": 8, \"group\": 0,\n"
      " \"outputs\": [4, {\"bytes\": 6, \"dtype\": \"f16\", \"dims\": [3]},\n"
      " {\"bytes\": 0, \"control\": true}], \"times\": {\"cpu\": \"never\", \"gpu\": 1}},\n"
      "{\"name\": \"b\\\"\", \"op\": \"B\", \"phase\": \"update\", \"group\": 0,\n"
      " \"inputs\": [[\"s/a\", 1], [\"s/a\", 2]]}]}");
  g_autoptr (GobanGraph) again = write_and_read (graph);

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
  g_assert_cmphex (goban_graph_get_hash (again), ==, goban_graph_get_hash (graph));
  g_assert_cmpint (goban_graph_get_node (again, 1)->phase, ==, GOBAN_PHASE_UPDATE);
  g_assert_true (goban_graph_get_tensor (again, 2)->is_control);
}

static char *
unpack (const char *path, gsize *size)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GConverter) gzip
      = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) packed = G_INPUT_STREAM (g_file_read (file, NULL, &error));
  g_autoptr (GOutputStream) out = g_memory_output_stream_new_resizable ();
  g_autoptr (GInputStream) in = NULL;

  g_assert_no_error (error);
  in = g_converter_input_stream_new (packed, gzip);
  g_output_stream_splice (out, in, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error (error);
  *size = g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (out));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (out));
}

static void
test_real (void)
{
  g_autofree char *path = shared_data_path ("model-explorer/coco-ssd.json.gz");
  const GobanFormat *format = goban_format_find ("model-explorer", NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanGraph) again = NULL;
  gsize size;

  if (path == NULL)
    return;
  text = unpack (path, &size);
  g_assert_cmpint (format->sniff (text, size, "x.json"), ==, 90);
  graph = format->read (text, size, "coco-ssd.json", &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 304);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 342);
  again = write_and_read (graph);
  g_assert_cmphex (goban_graph_get_hash (again), ==, goban_graph_get_hash (graph));
}

/* The first bytes may be full of the outputs of one node. */
static void
test_sniff (void)
{
  const GobanFormat *format = goban_format_find ("model-explorer", NULL);
  const char *text = "{\"graphs\": [{\"nodes\": [{\"id\": \"a\", \"outputsMetadata\": [";

  g_assert_cmpint (format->sniff (text, strlen (text), "x.json"), ==, 90);
  g_assert_cmpint (format->sniff ("{\"graphs\": []}", 14, "x.json"), ==, 0);
}

static void
test_writer (void)
{
  g_assert_cmpstr (goban_format_find_writer ("x.model-explorer.json", NULL, NULL)->name, ==,
                   "model-explorer");
  g_assert_cmpstr (goban_format_find_writer ("x.json", NULL, NULL)->name, ==, "json");
}

#define GRAPH(nodes) "{\"graphs\": [{\"nodes\": [" nodes "]}]}"

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "{}", "there is no graph in “graphs”" },
    { "{\"graphs\": [3]}", "graphs[0] is 3: an object is needed" },
    { "{\"graphs\": [{}]}", "graphs[0].nodes is missing" },
    { GRAPH (""), "no nodes" },
    { GRAPH ("3"), "graphs[0].nodes[0] is 3: an object is needed" },
    { GRAPH ("{\"label\": \"a\"}"), "graphs[0].nodes[0].id is missing" },
    { GRAPH ("{\"id\": \"a\"}, {\"id\": \"a\"}"), "graphs[0].nodes[1]: the id “a” is given twice" },
    { GRAPH ("{\"id\": \"a\", \"incomingEdges\": [{\"sourceNodeId\": \"b\"}]}"),
      "graphs[0].nodes[0].incomingEdges[0]: there is no node with the id “b”" },
    { GRAPH ("{\"id\": \"a\", \"incomingEdges\": [{\"sourceNodeId\": \"a\"}]}"), "cycle: " },
    { GRAPH ("{\"id\": \"a\", \"attrs\": [{\"key\": \"time_us:gpu\", \"value\": \"-1\"}]}"),
      "the time on “gpu” is not an amount" },
    { GRAPH ("{\"id\": \"a\", \"outputsMetadata\": [1]}"),
      "graphs[0].nodes[0].outputsMetadata[0] is 1: an object is needed" },
  };

  check_bad_texts ("model-explorer", cases, G_N_ELEMENTS (cases));
}

/* Collections, lists of collections and lists of graphs. */
static void
test_lists (void)
{
  g_autoptr (GobanGraph) collections = load_corpus ("model-explorer", "collections.json", NULL);
  g_autoptr (GobanGraph) file = load_corpus ("model-explorer", "graph-collections.json", NULL);
  g_autoptr (GobanGraph) graphs = load_corpus ("model-explorer", "graphs.json", NULL);

  g_assert_cmpuint (goban_graph_get_n_nodes (collections), ==, 2);
  g_assert_true (warns (collections, "the file holds 2 graphs; the first is read: “one”"));
  g_assert_cmpuint (goban_graph_get_n_nodes (file), ==, 1);
  g_assert_cmpuint (goban_graph_get_n_nodes (graphs), ==, 1);
}

TEST_PROGRAM (model_explorer)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/model-explorer/reads/small", test_small);
  g_test_add_func ("/io/model-explorer/reads/real-graph", test_real);
  g_test_add_func ("/io/model-explorer/reads/by-content", test_sniff);
  g_test_add_func ("/io/model-explorer/writes/round-trip", test_round_trip);
  g_test_add_func ("/io/model-explorer/writes/by-ending", test_writer);
  g_test_add_func ("/io/model-explorer/rejects/bad-texts", test_bad);
  g_test_add_func ("/io/model-explorer/reads/lists", test_lists);
  return g_test_run ();
}
