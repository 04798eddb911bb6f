#include "tests/io/io-support.h"

#include "engine/graph/collectives.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define HEAD "{\"goban\": \"graph\", \"version\": 1, "

static char *
write_text (const GobanGraph *graph)
{
  g_autoptr (GError) error = NULL;
  gsize size;
  char *text = goban_format_find ("json", NULL)->write (graph, &size, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (size, ==, strlen (text));
  return text;
}

/* Everything a graph knows, from one end to the other. */
static void
test_fields (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "json",
      HEAD "\"name\": \"toy\", \"kinds\": [\"cpu\", \"gpu\"], \"warnings\": [\"mind\"],\n"
           "\"nodes\": [\n"
           "{\"name\": \"b\", \"inputs\": [[\"a\", 1], \"a\"], \"group\": 1,"
           " \"times\": {\"gpu\": 1.5, \"cpu\": \"never\"}, \"time_source\": \"measured\"},\n"
           "{\"name\": \"a\", \"op\": \"Conv\", \"flops\": 1, \"macs\": 2, \"read_bytes\": 3,"
           " \"written_bytes\": 4, \"param_bytes\": 5, \"param_count\": 6, \"group\": 0,"
           " \"phase\": \"update\", \"size_source\": \"given\", \"outputs\": [12,\n"
           "{\"bytes\": 0.5, \"dtype\": \"f32\", \"dims\": [-1, 3],"
           " \"transfers\": [[\"gpu\", \"cpu\", 7]]}, {\"control\": true}]},\n"
           "{\"name\": \"c\", \"inputs\": [[\"a\", 2]]}]}");
  GobanNodeId a = goban_graph_find_node (graph, "a");
  GobanNodeId b = goban_graph_find_node (graph, "b");
  const GobanNode *conv = goban_graph_get_node (graph, a);
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, a, &n);
  const GobanTensor *second = goban_graph_get_tensor (graph, first + 1);
  GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, b);

  g_assert_cmpstr (goban_graph_get_name (graph), ==, "toy");
  g_assert_cmpstr (goban_graph_get_kind (graph, 0), ==, "cpu");
  g_assert_cmpstr (goban_graph_get_warnings (graph)[0], ==, "mind");
  g_assert_cmpstr (conv->op, ==, "Conv");
  g_assert_cmpfloat (conv->flops, ==, 1);
  g_assert_cmpfloat (conv->macs, ==, 2);
  g_assert_cmpfloat (conv->read_bytes, ==, 3);
  g_assert_cmpfloat (conv->written_bytes, ==, 4);
  g_assert_cmpfloat (conv->param_bytes, ==, 5);
  g_assert_cmpfloat (conv->param_count, ==, 6);
  g_assert_cmpint (conv->phase, ==, GOBAN_PHASE_UPDATE);
  g_assert_cmpint (conv->size_source, ==, GOBAN_SOURCE_GIVEN);
  g_assert_cmpint (conv->time_source, ==, GOBAN_SOURCE_ESTIMATED);
  /* Group numbers are the file's, though b comes first in it. */
  g_assert_cmpuint (conv->group, ==, 0);
  g_assert_cmpuint (goban_graph_get_node (graph, b)->group, ==, 1);
  g_assert_cmpint (goban_graph_get_node (graph, b)->time_source, ==, GOBAN_SOURCE_MEASURED);
  g_assert_cmpfloat (time_of (graph, "b", "gpu"), ==, 1.5);
  g_assert_true (isinf (time_of (graph, "b", "cpu")));
  g_assert_true (isnan (time_of (graph, "a", "cpu")));

  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (second->size_bytes, ==, 0.5);
  g_assert_cmpstr (second->dtype, ==, "f32");
  g_assert_cmpint (second->dims[0], ==, -1);
  g_assert_cmpint (second->dims[1], ==, 3);
  g_assert_true (goban_graph_get_tensor (graph, first + 2)->is_control);
  g_assert_cmpfloat (goban_graph_get_transfer_us (graph, first + 1, 1, 0), ==, 7);
  g_assert_true (isnan (goban_graph_get_transfer_us (graph, first, 1, 0)));

  /* Inputs keep their order. */
  g_assert_cmpuint (inputs.n, ==, 2);
  g_assert_cmpuint (goban_graph_get_edge (graph, inputs.ids[0])->tensor, ==, first + 1);
}

static void
assert_round_trip (const GobanGraph *graph)
{
  g_autofree char *text = write_text (graph);
  g_autoptr (GobanGraph) again = read_text ("json", text);
  g_autofree char *text_again = write_text (again);

  g_assert_cmpuint (goban_graph_get_hash (graph), ==, goban_graph_get_hash (again));
  /* What the hash leaves out, such as marks, warnings and the order of inputs, is in the text. */
  g_assert_cmpstr (text, ==, text_again);
}

static void
test_round_trip_random (void)
{
  for (guint i = 0; i < 100; i++)
    {
      GraphGen gen = graph_gen_small (1 + i);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);

      assert_round_trip (graph);
    }
}

/* Numbers that need all their digits, names that need escapes, kinds and groups named late. */
static void
test_round_trip_odd (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("n\"\\\n\x01\xc3\xa9", "onnx");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) again = NULL;
  g_autofree char *text = NULL;
  gint64 dims[] = { 1, G_MAXINT64, -1 };
  guint32 x, y, z, control, tensor;
  guint n;

  goban_graph_builder_warn (builder, "a \"warning\"");
  goban_graph_builder_set_cluster_spec (builder, "devices:cpu=7,tpu");
  x = goban_graph_builder_add_node (builder, "x\ty", "");
  y = goban_graph_builder_add_node (builder, "\xe2\x80\xa8", "op/:[]{}");
  z = goban_graph_builder_add_node (builder, "z", "Add");
  goban_graph_builder_set_group (builder, z, 99);
  goban_graph_builder_set_group (builder, x, 5);
  goban_graph_builder_set_time (builder, z, "tpu", 0.1 + 0.2, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_time (builder, x, "cpu", 1e30, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, y, "cpu", INFINITY, GOBAN_SOURCE_ESTIMATED);
  goban_graph_builder_get_node (builder, y)->flops = 1e15 + 2;
  goban_graph_builder_get_node (builder, y)->param_bytes = 5e-324;

  /* A control tensor before a plain one, and a tensor that nobody reads. */
  goban_graph_builder_add_control_edge (builder, x, z);
  tensor = goban_graph_builder_add_tensor (builder, x, 1 / 3.0);
  goban_graph_builder_set_tensor_shape (builder, tensor, "bf16", dims, 3);
  goban_graph_builder_set_transfer (builder, tensor, "tpu", "*", 1e-9);
  goban_graph_builder_add_edge (builder, tensor, z);
  goban_graph_builder_add_edge (builder, tensor, y);
  tensor = goban_graph_builder_add_tensor (builder, y, 0);
  goban_graph_builder_set_tensor_shape (builder, tensor, "", NULL, 0);
  control = goban_graph_builder_add_control_tensor (builder, x);
  g_assert_cmpuint (control, ==, 0);
  goban_graph_builder_set_collective (
      builder, (GobanNodeCollective){ y, GOBAN_COLLECTIVE_SEND, 1 / 3.0, 2, 8, "t\"p" });

  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  assert_round_trip (graph);
  text = write_text (graph);
  again = read_text ("json", text);
  g_assert_cmpstr (goban_graph_get_cluster_spec (again), ==, "devices:cpu=7,tpu");
  g_assert_cmpstr (goban_graph_get_collectives (again, &n)[0].group, ==, "t\"p");
  g_assert_cmpuint (n, ==, 1);
}

static void
test_round_trip_formats (void)
{
  static const char *const names[][2] = {
    { "msr/throughput-layer-gnmt_training.json", "msr" },
    { "pipedream/inception_v3.graph.txt", "pipedream" },
    { "moirai/googlenet.csv", "moirai" },
    { "hlo/bert_single.dot", "dot" },
    { "stg/rand0003.stg", "stg" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GobanGraph) graph = load_shared (names[i][0], names[i][1]);

      if (graph == NULL)
        return;
      assert_round_trip (graph);
    }
}

/* One changed node is one changed line. */
static void
test_line_per_node (void)
{
  GraphGen gen = graph_gen_small (20);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autofree char *text = write_text (graph);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n_nodes = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n_nodes += g_str_has_prefix (lines[i], "{\"name\": \"n");
  g_assert_cmpuint (n_nodes, ==, 20);
}

#define NODES(text) HEAD "\"nodes\": [\n" text "]}"

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "[1]", "the top level is a list: an object is needed" },
    { "{}", "test.txt:1: this is not a graph: it has no" },
    { "{\"goban\": \"plan\"}", "this is not a graph" },
    { "{\"goban\": \"graph\", \"version\": 2}", "version is 2" },
    { "{\"goban\": \"graph\", \"version\": 1,\n\"nodes\": [", "test.txt:2:" },
    { HEAD "\"nodes\": 3}", "test.txt:1: nodes is 3: a list is needed" },
    { HEAD "\"extra\": 0}", "nodes is missing" },
    { HEAD "\n\"x\": 0}", "test.txt:2: x is not known; known are goban, version, name" },
    { HEAD "\"kind\": [], \"nodes\": []}", "test.txt:1: kind is not known: did you mean kinds?" },
    { NODES ("{\"name\": \"a\", \"tmes\": {\"gpu\": 1}}"),
      "test.txt:2: nodes[0].tmes is not known: did you mean times?" },
    { NODES ("{\"name\": \"a\", \"param_byte\": 1}"), "did you mean param_bytes?" },
    { NODES ("{\"name\": \"a\", \"colocate\": 1}"),
      "nodes[0].colocate is not known; known are name, op, inputs, outputs, times, flops" },
    { NODES ("{\"name\": \"a\", \"outputs\": [{\"byte\": 1}]}"),
      "nodes[0].outputs[0].byte is not known: did you mean bytes?" },
    { NODES (""), "no nodes" },
    { NODES ("1"), "test.txt:2: nodes[0] is 1: an object is needed" },
    { NODES ("{}"), "nodes[0].name is missing" },
    { NODES ("{\"name\": \"\"}"), "nodes[0].name is “”: a name is needed" },
    { NODES ("{\"name\": 1}"), "nodes[0].name is 1: a text is needed" },
    { NODES ("{\"name\": \"a\"},\n\n{\"name\": \"a\"}"),
      "test.txt:4: nodes[1]: the name “a” is given twice" },
    { NODES ("{\"name\": \"a\", \"flops\": -1}"),
      "nodes[0].flops is -1: a number of at least 0 is needed" },
    { NODES ("{\"name\": \"a\", \"flops\": \"1\"}"), "nodes[0].flops is “1”: a number" },
    { NODES ("{\"name\": \"a\", \"flops\": 1e999}"), "nodes[0].flops is 1e999: a number" },
    { NODES ("{\"name\": \"a\", \"flops\": 1e31}"),
      "node “a”: flops is out of range; it may be at most 1e+30" },
    { NODES ("{\"name\": \"a\", \"outputs\": [1, 1e300]}"),
      "node “a”: size of an output is out of range; it may be at most 1e+30" },
    { HEAD "\"kinds\": [\"gpu\"], \"nodes\": [{\"name\": \"a\", \"times\": {\"gpu\": 1e308}}]}",
      "node “a”: time is out of range; it may be at most 1e+30" },
    { NODES ("{\"name\": \"a\", \"group\": 0.5}"),
      "nodes[0]: group is 0.5: a whole number is needed" },
    { NODES ("{\"name\": \"a\", \"phase\": \"later\"}"),
      "nodes[0].phase is “later”: one of forward, backward, update is needed" },
    { NODES ("{\"name\": \"a\", \"time_source\": \"me\"}"),
      "nodes[0].time_source is “me”: one of measured, given, estimated is needed" },
    { NODES ("{\"name\": \"a\", \"times\": {\"gpu\": 1}}"),
      "nodes[0].times.gpu: “gpu” is not among" },
    { NODES ("{\"name\": \"a\", \"times\": {\"gpu\": -1}}"),
      "nodes[0].times.gpu is -1: a number of at least 0 or “never” is needed" },
    { NODES ("{\"name\": \"a\", \"times\": [1]}"),
      "nodes[0].times is a list: an object is needed" },
    { NODES ("{\"name\": \"a\", \"outputs\": [-1]}"),
      "nodes[0].outputs[0] is -1: a number of at least 0 or an object is needed" },
    { NODES ("{\"name\": \"a\", \"outputs\": [\"1\"]}"),
      "nodes[0].outputs[0] is “1”: a number of at least 0 or an object" },
    { NODES ("{\"name\": \"a\", \"outputs\": [{\"bytes\": -1}]}"),
      "nodes[0].outputs[0].bytes is -1: a number of at least 0 is needed" },
    { NODES ("{\"name\": \"a\", \"outputs\": [{\"dims\": [-2]}]}"),
      "nodes[0].outputs[0].dims[0] is -2: a whole number of at least -1" },
    { NODES ("{\"name\": \"a\", \"outputs\": [{\"dtype\": \"f32\"}]}"),
      "test.txt:2: nodes[0].outputs[0].dtype: dtype needs dims" },
    { NODES ("{\"name\": \"a\", \"outputs\": [{\"transfers\": [[1]]}]}"),
      "nodes[0].outputs[0].transfers[0] is a list: [" },
    { NODES ("{\"name\": \"a\", \"outputs\": [{\"control\": true}, {\"control\": true}]}"),
      "only one output" },
    { NODES ("{\"name\": \"a\", \"inputs\": [\"b\"]}"),
      "test.txt:2: nodes[0]: there is no node “b”" },
    { NODES ("{\"name\": \"a\", \"inputs\": [1]}"),
      "nodes[0].inputs[0] is 1: “name” or [“name”, output] is needed" },
    { NODES ("{\"name\": \"b\"}, {\"name\": \"a\", \"inputs\": [\"b\"]}"), "has 0 outputs" },
    { NODES ("{\"name\": \"b\", \"outputs\": [1]}, {\"name\": \"a\", \"inputs\": [[\"b\", 1]]}"),
      "none of them 1" },
    { NODES ("{\"name\": \"a\", \"outputs\": [1], \"inputs\": [\"a\"]}"), "cycle: a" },
    { HEAD "\"kinds\": [1], \"nodes\": []}", "test.txt:1: kinds[0] is 1: a text is needed" },
    { HEAD "\"warnings\": [1], \"nodes\": []}", "warnings[0] is 1: a text is needed" },
    { NODES ("{\"name\": \"\\u0000\"}"), "this escape does not stand for a character" },
    { NODES ("{\"name\": \"\\udc00\"}"), "this escape does not stand for a character" },
    { NODES ("{\"name\": \"\xff\"}"), "not UTF-8" },
  };

  check_bad_texts ("json", cases, G_N_ELEMENTS (cases));
}

/* "extra" is for other programs. */
static void
test_extra (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "json", HEAD "\"extra\": {\"by\": [1]}, \"nodes\": [\n{\"name\": \"a\", \"extra\": 7, "
                   "\"outputs\": [{\"bytes\": 3, \"extra\": null}]}]}");

  g_assert_cmpfloat (bytes_of (graph, "a"), ==, 3);
}

/* Names and ops of a million characters. */
static void
test_long_names (void)
{
  g_autofree char *word = g_strnfill (1000000, 'x');
  g_autofree char *text = g_strdup_printf (
      HEAD "\"nodes\": [\n{\"name\": \"%s\", \"op\": \"%s\", \"outputs\": [1]},\n"
           "{\"name\": \"b\", \"inputs\": [\"%s\"]}]}",
      word, word, word);
  g_autoptr (GobanGraph) graph = read_text ("json", text);

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  g_assert_cmpstr (node_of (graph, word)->op, ==, word);
}

/* 60 kinds for 30,000 tensors would be 800 MB of transfer times. */
static void
test_out_of_proportion (void)
{
  g_autoptr (GString) text = g_string_new (HEAD "\"kinds\": [\"k\"");
  BadText cases[1];

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, ", \"k%u\"", i);
  g_string_append (text, "], \"nodes\": [{\"name\": \"a\", \"outputs\": ["
                         "{\"transfers\": [[\"k\", \"k\", 1]]}");
  for (guint i = 0; i < 30000; i++)
    g_string_append (text, ",0");
  g_string_append (text, "]}]}");
  cases[0] = (BadText){ text->str, "more than fit" };
  check_bad_texts ("json", cases, 1);
}

TEST_PROGRAM (json)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/json/reads/fields", test_fields);
  g_test_add_func ("/io/json/reads/extra", test_extra);
  g_test_add_func ("/io/json/reads/long-names", test_long_names);
  g_test_add_func ("/io/json/round-trip/random", test_round_trip_random);
  g_test_add_func ("/io/json/round-trip/odd", test_round_trip_odd);
  g_test_add_func ("/io/json/round-trip/other-formats", test_round_trip_formats);
  g_test_add_func ("/io/json/writes/line-per-node", test_line_per_node);
  g_test_add_func ("/io/json/rejects/bad-texts", test_bad);
  g_test_add_func ("/io/json/rejects/out-of-proportion", test_out_of_proportion);
  return g_test_run ();
}
