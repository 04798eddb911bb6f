#include "engine/core/error.h"
#include "engine/graph/file-devices.h"
#include "engine/io/protobuf-text.h"
#include "engine/io/source-nodes.h"
#include "engine/io/tensorflow.pb-c.h"
#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <string.h>

/* A convolution and a matrix product, of which only the first inputs have shapes. */
static const char frozen[]
    = "# frozen\n"
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
      "  attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 8 } dim { size: 8 }\n"
      "    dim { size: 3 } } } } }\n"
      "node { name: 'w' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
      "  attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 }\n"
      "    dim { size: 3 } dim { size: 3 } dim { size: 16 } } float_val: 0.5 } } } }\n"
      "node { name: 'conv' op: 'Conv2D' input: 'x' input: 'w'\n"
      "  attr { key: 'T' value { type: DT_FLOAT } }\n"
      "  attr { key: 'padding' value { s: 'SAME' } }\n"
      "  attr { key: 'strides' value { list { i: [1, 2, 2, 1] } } } }\n"
      "node { name: 'relu' op: 'Relu' input: 'conv:0' input: '^w' device: '/device:GPU:0'\n"
      "  attr { key: 'T' value { type: DT_FLOAT } } }\n"
      "node { name: 'to' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } }\n"
      "  attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } }\n"
      "    tensor_content: \"\\377\\377\\377\\377\\000\\001\\000\\000\" } } } }\n"
      "node { name: 'flat' op: 'Reshape' input: 'relu' input: 'to'\n"
      "  attr { key: 'T' value { type: DT_FLOAT } } }\n"
      "node { name: 'v' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
      "  attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 10 }\n"
      "    dim { size: 256 } } float_val: 0.5 } } } }\n"
      "node { name: 'product' op: 'MatMul' input: 'flat' input: 'v'\n"
      "  attr { key: 'T' value { type: DT_FLOAT } }\n"
      "  attr { key: 'transpose_b' value { b: true } } }\n";

/* A loop that counts to a limit, with another inside. */
static const char loop[] = "node { name: 'zero' op: 'Const' }\n"
                           "node { name: 'enter' op: 'Enter' input: 'zero'\n"
                           "  attr { key: 'frame_name' value { s: 'outer' } } }\n"
                           "node { name: 'merge' op: 'Merge' input: 'enter' input: 'next' }\n"
                           "node { name: 'less' op: 'Less' input: 'merge' input: 'limit' }\n"
                           "node { name: 'limit' op: 'Const' input: '^merge' }\n"
                           "node { name: 'cond' op: 'LoopCond' input: 'less' }\n"
                           "node { name: 'switch' op: 'Switch' input: 'merge' input: 'cond' }\n"
                           "node { name: 'in' op: 'Enter' input: 'switch:1'\n"
                           "  attr { key: 'frame_name' value { s: 'inner' } } }\n"
                           "node { name: 'm2' op: 'Merge' input: 'in' input: 'n2' }\n"
                           "node { name: 's2' op: 'Switch' input: 'm2' input: 'less' }\n"
                           "node { name: 'n2' op: 'NextIteration' input: 's2:1' }\n"
                           "node { name: 'out' op: 'Exit' input: 's2' }\n"
                           "node { name: 'add' op: 'Add' input: 'out' input: 'limit' }\n"
                           "node { name: 'next' op: 'NextIteration' input: 'add' }\n"
                           "node { name: 'exit' op: 'Exit' input: 'switch' }\n"
                           "node { name: 'user' op: 'Identity' input: 'exit' }\n";

static void
test_costs (void)
{
  GobanReadOptions options = { .batch = 4 };
  g_autoptr (GobanGraph) graph = read_text_with ("graphdef", frozen, &options);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 8);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 8);
  g_assert_cmpfloat (bytes_of (graph, "x"), ==, 4 * 8 * 8 * 3 * 4);
  g_assert_cmpfloat (bytes_of (graph, "conv"), ==, 4 * 4 * 4 * 16 * 4);
  g_assert_cmpfloat (node_of (graph, "conv")->macs, ==, 4 * 4 * 4 * 16 * 27);
  g_assert_cmpfloat (node_of (graph, "conv")->flops, ==, 2 * 4 * 4 * 4 * 16 * 27);
  g_assert_cmpfloat (node_of (graph, "relu")->flops, ==, 4 * 4 * 4 * 16);
  g_assert_cmpfloat (node_of (graph, "w")->param_count, ==, 27 * 16);
  g_assert_cmpfloat (node_of (graph, "to")->param_count, ==, 2);
  g_assert_cmpfloat (node_of (graph, "product")->macs, ==, 4 * 10 * 256);
  g_assert_cmpfloat (bytes_of (graph, "product"), ==, 4 * 10 * 4);
  g_assert_true (warns (graph, "/device:GPU:0 (1)"));
}

static void
test_loop (void)
{
  g_autoptr (GobanGraph) graph = read_text ("graphdef", loop);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
  g_assert_cmpstr (node_of (graph, "outer")->op, ==, "While");
  g_assert_true (warns (graph, "1 loops of 14 nodes"));
}

static void
test_groups (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("graphdef", "node { name: 'a' op: 'VariableV2' }\n"
                               "node { name: 'b' op: 'Assign' input: 'a'\n"
                               "  attr { key: '_class' value { list { s: 'loc:@a' } } } }\n"
                               "node { name: 'c' op: 'NoOp' input: '^b' }\n");

  g_assert_cmpuint (goban_graph_get_n_groups (graph), ==, 1);
  g_assert_cmpuint (node_of (graph, "a")->group, ==, node_of (graph, "b")->group);
  g_assert_cmpuint (node_of (graph, "c")->group, ==, GOBAN_NO_GROUP);
}

#define FUNCTION(name, arg, body, ret)                                                             \
  "function { signature { name: '" name "' input_arg { name: '" arg "' }\n"                        \
  "  output_arg { name: 'o' } }\n" body " ret { key: 'o' value: '" ret "' } }\n"

/* A call of f, which calls g twice; g passes its argument on. */
static const char calls[]
    = "node { name: 'x' op: 'Placeholder' }\n"
      "node { name: 'y' op: 'NoOp' }\n"
      "node { name: 'c' op: 'f' input: 'x' input: '^y' device: '/gpu:1' }\n"
      "node { name: 'z' op: 'Neg' input: 'c' }\n"
      "node { name: 'w' op: 'NoOp' input: '^c' }\n"
      "library {\n" FUNCTION ("f", "a",
                              "node_def { name: 'h' op: 'PartitionedCall' input: 'a'\n"
                              "  attr { key: 'f' value { func { name: 'g' } } } }\n"
                              "node_def { name: 'i' op: 'g' input: 'h:output:0' }\n"
                              "node_def { name: 'n' op: 'FusedBatchNorm' input: 'i:o:0' }\n"
                              "node_def { name: 'm' op: 'Neg' input: 'n:y:0' }\n"
                              "node_def { name: 'j' op: 'Abs' input: 'n:batch_variance:0'\n"
                              "  device: '/cpu:0' }\n",
                              "j:y:0")
          FUNCTION ("g", "a", "node_def { name: 'r' op: 'Relu' input: 'a' }\n", "a") "}\n";

static const GobanEdge *
edge_of (const GobanGraph *graph, const char *name, guint i)
{
  GobanEdgeSpan edges = goban_graph_get_in_edges (graph, goban_graph_find_node (graph, name));

  g_assert_cmpuint (i, <, edges.n);
  return goban_graph_get_edge (graph, edges.ids[i]);
}

static const char *
tail_of (const GobanGraph *graph, const char *name, guint i)
{
  return goban_graph_get_node (graph, edge_of (graph, name, i)->tail)->name;
}

static const char *
device_of (const GobanGraph *graph, const char *name)
{
  return goban_graph_get_file_device (graph, goban_graph_find_node (graph, name));
}

static void
test_calls (void)
{
  g_autoptr (GobanGraph) graph = read_text ("graphdef", calls);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 9);
  g_assert_cmpstr (tail_of (graph, "c/h/r", 0), ==, "x");
  g_assert_cmpstr (tail_of (graph, "c/h/r", 1), ==, "y");
  g_assert_cmpstr (tail_of (graph, "c/i/r", 0), ==, "x");
  g_assert_cmpstr (tail_of (graph, "c/n", 0), ==, "x");
  g_assert_cmpstr (tail_of (graph, "c/j", 0), ==, "c/n");
  g_assert_cmpstr (tail_of (graph, "z", 0), ==, "c/j");
  g_assert_cmpstr (tail_of (graph, "w", 0), ==, "c/j");
  /* Another output of the batch norm. */
  g_assert_cmpuint (edge_of (graph, "c/j", 0)->tensor, !=, edge_of (graph, "c/m", 0)->tensor);
  g_assert_cmpstr (device_of (graph, "c/h/r"), ==, "gpu:1");
  g_assert_cmpstr (device_of (graph, "c/j"), ==, "cpu:0");
}

/* All calls of a function have the same nodes in the file: no device can be written to one. */
static void
test_calls_have_no_source (void)
{
  g_autoptr (GobanGraph) graph = read_text ("graphdef", calls);
  g_autoptr (GBytes) bytes = g_bytes_new_static (calls, strlen (calls));
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_graphdef_find_nodes (bytes, "x.pbtxt", graph, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "x.pbtxt: its nodes are in functions"));
}

/* A model's file also holds what saves it; only what the model serves is read. */
static void
test_keras (void)
{
  GobanReadOptions options = { .batch = 2 };
  g_autoptr (GobanGraph) graph = load_corpus ("graphdef", "keras.pbtxt", &options);
  const char *const product = "StatefulPartitionedCall/StatefulPartitionedCall/model/dense/MatMul";

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 10);
  g_assert_cmpfloat (node_of (graph, product)->macs, ==, 2 * 4 * 8);
  g_assert_cmpfloat (node_of (graph, "dense/kernel")->param_count, ==, 32);
  g_assert_cmpstr (tail_of (graph, "StatefulPartitionedCall/Identity", 0), ==,
                   "StatefulPartitionedCall/StatefulPartitionedCall/model/activate/Relu");
  g_assert_cmpuint (goban_graph_find_node (graph, "StatefulPartitionedCall_1/SaveV2"), ==,
                    GOBAN_NO_NODE);
  g_assert_true (warns (graph, "5 nodes that the signature \"serving_default\" does not need"));
  g_assert_false (warns (graph, "calls of functions"));
}

/* What calls itself, takes lists or is a branch stays a call. */
static void
test_kept_calls (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "graphdef",
      "node { name: 'c' op: 'f' } node { name: 'l' op: 'list' }\n"
      "node { name: 'i' op: 'If' attr { key: 'then_branch' value { func { name: 'f' } } } }\n"
      "library { function { signature { name: 'list' input_arg { name: 'a' number_attr: 'N' } } }\n"
      "  function { signature { name: 'f' } node_def { name: 'd' op: 'f' } } }\n");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpstr (node_of (graph, "c/d")->op, ==, "f");
  g_assert_true (warns (graph, "3 calls of functions stay one node each, the first is \"c/d\""));
}

#define TOP "node { name: 'x' op: 'A' } node { name: 'c' op: 'f' input: 'x' }\nlibrary { "

static void
test_bad_calls (void)
{
  static const BadText cases[] = {
    { TOP FUNCTION ("f", "a", "node_def { name: 'n' op: 'A' input: 'b' }", "a") "}",
      "the input “b” in the function “f” is not in the file" },
    { "node { name: 'c' op: 'f' }\nlibrary { " FUNCTION (
          "f", "a", "node_def { name: 'n' op: 'A' input: 'a' }", "a") "}",
      "the input “a” in the function “f” is an argument that its call does not pass" },
    { TOP FUNCTION ("f", "a", "node_def { name: 'n' op: 'A' input: 'a' }",
                    "a") "}\n"
                         "node { name: 'z' op: 'A' input: 'c:1' }",
      "the input “c” in the function “f” is a result that the function does not have" },
    { "node { name: 'c' op: 'f' input: 'd' } node { name: 'd' op: 'f' input: 'c' }\n"
      "node { name: 'z' op: 'A' input: 'c' } library { " FUNCTION ("f", "a", "", "a") "}",
      "leads in a circle" },
  };

  check_bad_texts ("graphdef", cases, G_N_ELEMENTS (cases));
}

static gboolean
stop_soon (gpointer data)
{
  return ++*(guint *) data > 100;
}

/* A function that calls another thirty times, which calls a third one of 700 nodes as often: too
 * much, unless somebody stops it before. */
static void
test_too_many (void)
{
  g_autoptr (GString) text = g_string_new ("node { name: 'c' op: 'f2' }\nlibrary {\n");
  const GobanFormat *format = goban_format_find ("graphdef", NULL);
  guint n_asked = 0;
  GobanProgress progress = { .should_stop = stop_soon, .user_data = &n_asked };
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_string_append_printf (text, "function { signature { name: 'f%u' }\n", i);
      for (guint n = 0; n < (i == 0 ? 700 : 30); n++)
        g_string_append_printf (text, "node_def { name: 'n%u' op: '%s' }\n", n,
                                i == 0   ? "NoOp"
                                : i == 1 ? "f0"
                                         : "f1");
      g_string_append (text, "}\n");
    }
  g_string_append_c (text, '}');
  g_assert_null (format->read (text->str, text->len, "x", &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "more than 500000 nodes"));
  g_clear_error (&error);
  options.progress = &progress;
  g_assert_null (format->read (text->str, text->len, "x", &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

/* A node without inputs in a function waits for what the call waits for, and for what the call
 * around that waits for, unless that one has something else to wait for. */
static void
test_first_nodes (void)
{
  static const char *const inputs[] = { "input: 'a' input: 'a'", "input: 'a' input: 'p'" };

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "node { name: 'x' op: 'A' } node { name: 'w' op: 'A' }\n"
          "node { name: 'c' op: 'f' input: '^w' input: 'x' }\nlibrary {\n"
          "function { signature { name: 'f' input_arg { name: 'a' } }\n"
          "  node_def { name: 'p' op: 'A' } node_def { name: 'd' op: 'g' %s } }\n"
          "function { signature { name: 'g' input_arg { name: 'a' } input_arg { name: 'b' } }\n"
          "  node_def { name: 'k' op: 'A' } node_def { name: 'm' op: 'A' input: 'b' } } }\n",
          inputs[i]);
      g_autoptr (GobanGraph) graph = read_text ("graphdef", text);
      GobanNodeId constant = goban_graph_find_node (graph, "c/d/k");

      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 5);
      g_assert_cmpuint (goban_graph_get_in_edges (graph, constant).n, ==, i == 0 ? 1 : 0);
      g_assert_cmpstr (tail_of (graph, "c/p", 0), ==, "w");
      g_assert_cmpstr (tail_of (graph, "c/d/m", 0), ==, i == 0 ? "x" : "c/p");
      if (i == 0)
        g_assert_cmpstr (tail_of (graph, "c/d/k", 0), ==, "w");
    }
}

/* Nodes of a function stay with others of the same call, and not with those of the same name. */
static void
test_colocated (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "graphdef",
      "node { name: 'k' op: 'A' }\n"
      "node { name: 'c' op: 'f' device: '/gpu:1' } node { name: 'd' op: 'f' } library {\n"
      "function { signature { name: 'f' } node_def { name: 'k' op: 'A' }\n"
      "  node_def { name: 'm' op: 'A' attr { key: '_class' value { list { s: 'loc:@k' } } } } } }");
  GobanNodeId c = goban_graph_find_node (graph, "c/k");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 5);
  g_assert_cmpuint (node_of (graph, "c/m")->group, ==, node_of (graph, "c/k")->group);
  g_assert_cmpuint (node_of (graph, "c/m")->group, !=, GOBAN_NO_GROUP);
  g_assert_cmpuint (node_of (graph, "d/m")->group, ==, node_of (graph, "d/k")->group);
  g_assert_cmpuint (node_of (graph, "d/m")->group, !=, node_of (graph, "c/m")->group);
  g_assert_cmpuint (node_of (graph, "k")->group, ==, GOBAN_NO_GROUP);
  g_assert_cmpstr (goban_graph_get_file_device (graph, c), ==, "gpu:1");
  g_assert_true (warns (graph, "on 1 device,"));
}

/* Rows and columns of zeros that the file counts, with channels last and first. */
static void
test_explicit_padding (void)
{
  static const char *const cases[][3] = {
    { "8 8 3", "0 0 1 1 2 3 0 0", "NHWC" },
    { "3 8 8", "0 0 0 0 1 1 2 3", "NCHW" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_auto (GStrv) sizes = g_strsplit (cases[i][0], " ", -1);
      g_auto (GStrv) paddings = g_strsplit (cases[i][1], " ", -1);
      g_autoptr (GobanGraph) graph = NULL;

      g_string_printf (
          text,
          "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
          "attr { key: 'shape' value { shape { dim { size: 1 } dim { size: %s } dim { size: %s }\n"
          "dim { size: %s } } } } }\n"
          "node { name: 'w' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
          "attr { key: 'shape' value { shape { dim { size: 3 } dim { size: 3 } dim { size: 3 }\n"
          "dim { size: 4 } } } } }\n"
          "node { name: 'c' op: 'Conv2D' input: 'x' input: 'w'\n"
          "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'padding' value { s: 'EXPLICIT' "
          "} }\n"
          "attr { key: 'data_format' value { s: '%s' } }\n"
          "attr { key: 'strides' value { list { i: 1 i: 1 i: 1 i: 1 } } }\n"
          "attr { key: 'explicit_paddings' value { list { ",
          sizes[0], sizes[1], sizes[2], cases[i][2]);
      for (guint k = 0; paddings[k] != NULL; k++)
        g_string_append_printf (text, "i: %s ", paddings[k]);
      g_string_append (text, "} } } }");
      graph = read_text ("graphdef", text->str);
      g_assert_cmpfloat (goban_graph_get_output_bytes (graph, goban_graph_find_node (graph, "c")),
                         ==, 4 * 4 * (8 + 2 - 2) * (8 + 5 - 2));
    }
}

/* Types of TensorFlow 2.16, also of variables. */
static void
test_new_types (void)
{
  static const struct
  {
    const char *name;
    double bytes;
  } cases[] = {
    { "DT_FLOAT8_E5M2", 6 },     { "DT_FLOAT8_E4M3FN", 6 },
    { "DT_FLOAT8_E4M3FNUZ", 6 }, { "DT_FLOAT8_E4M3B11FNUZ", 6 },
    { "DT_FLOAT8_E5M2FNUZ", 6 }, { "DT_INT4", 3 },
    { "DT_UINT4", 3 },           { "DT_UINT8_REF", 6 },
    { "DT_UINT64_REF", 48 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: %s } }\n"
          "attr { key: 'shape' value { shape { dim { size: 2 } dim { size: 3 } } } } }",
          cases[i].name);
      g_autoptr (GobanGraph) graph = read_text ("graphdef", text);

      g_assert_cmpfloat (goban_graph_get_output_bytes (graph, 0), ==, cases[i].bytes);
    }
}

/* The names of a file's devices as those of a cluster; of several tasks as they are. */
static void
test_devices (void)
{
  static const struct
  {
    const char *given, *other, *found;
  } cases[] = {
    { "/device:GPU:1", "", "gpu:1" },
    { "/job:localhost/replica:0/task:0/device:CPU:0", "/job:localhost/replica:0/task:0/gpu:1",
      "cpu:0" },
    { "/gpu:2", "", "gpu:2" },
    { "/device:XLA_GPU:*", "", "xla_gpu:0" },
    { "/job:ps", "/device:GPU:0", "" },
    { "", "/device:GPU:0", "" },
    { "/job:worker/task:0/device:GPU:0", "/job:worker/task:1/device:GPU:0",
      "/job:worker/task:0/device:GPU:0" },
    { "/job:ps", "/job:worker/device:GPU:0", "/job:ps" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("node { name: 'b' op: 'B' input: 'a' device: '%s' }\n"
                             "node { name: 'a' op: 'A' device: '%s' }\n",
                             cases[i].given, cases[i].other);
      g_autoptr (GobanGraph) graph = read_text ("graphdef", text);

      g_assert_cmpstr (goban_graph_get_file_device (graph, goban_graph_find_node (graph, "b")), ==,
                       cases[i].found);
      g_assert_true (goban_graph_has_file_devices (graph));
    }
}

static GobanGraph *
read_bytes (const GByteArray *bytes)
{
  const GobanFormat *format = goban_format_find ("graphdef", NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  g_assert_cmpint (format->sniff ((const char *) bytes->data, bytes->len, "x"), ==, 90);
  g_assert_cmpint (
      goban_format_find ("onnx", NULL)->sniff ((const char *) bytes->data, bytes->len, "x"), ==, 0);
  graph = format->read ((const char *) bytes->data, bytes->len, "test.txt", &options, &error);
  g_assert_no_error (error);
  return graph;
}

/* The same graph in each of the messages that hold one, as text and as bytes. */
static void
test_containers (void)
{
  const struct
  {
    const ProtobufCMessageDescriptor *descriptor;
    const char *before, *after;
  } cases[] = {
    { &goban_tf__graph_def__descriptor, "", "" },
    { &goban_tf__meta_graph__descriptor, "graph_def {", "}" },
    { &goban_tf__saved_model__descriptor,
      "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def <",
      "> }" },
  };
  g_autoptr (GobanGraph) plain = read_text ("graphdef", frozen);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (cases[i].before, frozen, cases[i].after, NULL);
      g_autoptr (GobanGraph) from_text = read_text ("graphdef", text);
      g_autoptr (GError) error = NULL;
      g_autoptr (GByteArray) bytes = goban_protobuf_text_encode (cases[i].descriptor, text,
                                                                 strlen (text), "test.txt", &error);
      g_autoptr (GobanGraph) from_bytes = NULL;

      g_assert_no_error (error);
      from_bytes = read_bytes (bytes);
      g_assert_cmphex (goban_graph_get_hash (from_text), ==, goban_graph_get_hash (plain));
      g_assert_cmphex (goban_graph_get_hash (from_bytes), ==, goban_graph_get_hash (plain));
    }
}

static void
test_real (void)
{
  g_autoptr (GobanGraph) graph = load_shared ("graphdef/SimpleCNN.pbtxt", "graphdef");
  double macs = 0, parameters = 0;
  guint n_updates = 0;

  if (graph == NULL)
    return;
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 160);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 253);
  for (GobanNodeId v = 0; v < 160; v++)
    {
      macs += goban_graph_get_node (graph, v)->macs;
      parameters += goban_graph_get_node (graph, v)->param_count;
      n_updates += goban_graph_get_node (graph, v)->phase == GOBAN_PHASE_UPDATE;
    }
  g_assert_cmpfloat (parameters, ==, 1756426);
  /* A training step: each product of the forward pass thrice. */
  g_assert_cmpfloat (macs, ==, 3.0 * (629145600.0 + 3355443200.0 + 211009536.0));
  g_assert_cmpuint (n_updates, ==, 10);
}

/* A chain of many nodes, each read by the next: nothing may take quadratic time. */
static void
test_many (void)
{
  const guint n = 100000;
  g_autoptr (GString) text = g_string_new ("node { name: 'n0' op: 'A0' }");
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "node { name: 'n%u' op: 'A%u' input: 'n%u' input: 'n0:%u' }\n", i,
                            i, i - 1, i % 60000);
  graph = read_text ("graphdef", text->str);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, n);
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "versions { producer: 1 }", "no nodes" },
    { "node { name: 'a' op: 'A' } node { name: 'a' op: 'B' }", "two nodes have the name “a”" },
    { "node { op: 'A' }", "node 0 has no name" },
    { "node { name: 'a' id: 4 compute_cost: 58 }", "node “a” has no op" },
    { "node { name: 'a' op: 'A' input: 'b' }", "node “a” reads “b”, which is not in the file" },
    { "node { name: 'a' op: 'A' input: '^b' }", "reads “^b”" },
    { "node { name: 'a' op: 'A' input: 'a:4000000000' }", "not “NAME”" },
    { "node { name: 'a' op: 'A' input: 'b' } node { name: 'b' op: 'A' input: 'a' }", "cycle: " },
    { "node {\n name: 'a\n' }", "test.txt:2: the string does not end" },
    { "node {\n name: 4 }", "test.txt:2: " },
    { "node {\n name 'a' }", "test.txt:2: a “:” or a “{” is missing" },
    { "node {\n op: 'A'\n", "test.txt:3: the message does not end" },
    { "node {\n name: ['a', 'b' }", "the list does not end" },
    { "node { name: 'a' attr { key: 'x' value { i: 3x } } }", "“3x” is not a whole number" },
    { "node { name: 'a\\000b' }", "zero byte" },
    { "node: 'a'", "is not a string" },
    { "node {} }", "the name of a field is missing" },
    { "node { name: '\xc3' }", "not UTF-8" },
  };
  g_autoptr (GString) deep = g_string_new ("library ");

  check_bad_texts ("graphdef", cases, G_N_ELEMENTS (cases));
  check_large_batch ("graphdef", frozen);
  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "{ x ");
  check_bad_texts ("graphdef", &(BadText){ deep->str, "nest more than" }, 1);
}

/* Every file that is opened is looked at: a million messages in one another must not nest calls. */
static void
test_deep_bytes (void)
{
  g_autoptr (GString) bytes = g_string_new (NULL);

  for (guint i = 0; i < 200000; i++)
    g_string_append (bytes, "\x12\xff\xff\xff\x7f");
  check_bad_texts ("graphdef", &(BadText){ bytes->str, "test.txt" }, 1);
}

/* A file without functions: what saves and initialises is left out, unless all is asked for. */
static void
test_signature (void)
{
  const GobanReadOptions all = { .keep_constants = TRUE };
  g_autoptr (GobanGraph) served = load_corpus ("graphdef", "signature.pb", NULL);
  g_autoptr (GobanGraph) whole = load_corpus ("graphdef", "signature.pb", &all);

  g_assert_cmpuint (goban_graph_get_n_nodes (served), ==, 3);
  g_assert_true (warns (served, "3 nodes that the signature \"serving_default\" does not need"));
  g_assert_cmpuint (goban_graph_get_n_nodes (whole), ==, 6);
}

static void
test_field_order (void)
{
  static const char *const files[]
      = { "object-graph-first.pb", "meta-first.pb", "library-first.pb" };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GobanGraph) graph = load_corpus ("graphdef", files[i], NULL);

      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
    }
}

TEST_PROGRAM (graphdef)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/graphdef/reads/costs", test_costs);
  g_test_add_func ("/io/graphdef/reads/loop", test_loop);
  g_test_add_func ("/io/graphdef/reads/calls", test_calls);
  g_test_add_func ("/io/graphdef/reads/keras", test_keras);
  g_test_add_func ("/io/graphdef/calls-have-no-source", test_calls_have_no_source);
  g_test_add_func ("/io/graphdef/reads/kept-calls", test_kept_calls);
  g_test_add_func ("/io/graphdef/reads/groups", test_groups);
  g_test_add_func ("/io/graphdef/reads/devices", test_devices);
  g_test_add_func ("/io/graphdef/reads/containers", test_containers);
  g_test_add_func ("/io/graphdef/reads/real-graph", test_real);
  g_test_add_func ("/io/graphdef/reads/many-nodes", test_many);
  g_test_add_func ("/io/graphdef/rejects/bad-texts", test_bad);
  g_test_add_func ("/io/graphdef/rejects/bad-calls", test_bad_calls);
  g_test_add_func ("/io/graphdef/rejects/too-many-calls", test_too_many);
  g_test_add_func ("/io/graphdef/reads/first-nodes", test_first_nodes);
  g_test_add_func ("/io/graphdef/reads/new-types", test_new_types);
  g_test_add_func ("/io/graphdef/reads/colocated", test_colocated);
  g_test_add_func ("/io/graphdef/reads/explicit-padding", test_explicit_padding);
  g_test_add_func ("/io/graphdef/rejects/deep-bytes", test_deep_bytes);
  g_test_add_func ("/graphdef/signature/without-functions", test_signature);
  g_test_add_func ("/graphdef/field-order", test_field_order);
  return g_test_run ();
}
