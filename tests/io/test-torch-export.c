#include "engine/core/error.h"
#include "engine/io/torch/torch-export.h"
#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <string.h>

/* The files are made by scripts/dev/make-pt2.py. */
static GobanGraph *
load (const char *name, gint64 batch)
{
  GobanReadOptions options = { .batch = batch };

  return load_corpus ("torch-export", name, &options);
}

static void
test_costs (void)
{
  g_autoptr (GobanGraph) graph = load ("residual.pt2", 0);
  const GobanNode *conv = node_of (graph, "layer1/0/conv/convolution");
  const GobanNode *norm = node_of (graph, "layer1/0/bn/getitem");
  const GobanNode *linear = node_of (graph, "fc/linear");
  const double map_bytes = 2 * 16 * 8 * 8 * 4;

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 9);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 9);
  g_assert_cmpstr (conv->op, ==, "convolution");
  g_assert_cmpfloat (conv->macs, ==, 2 * 16 * 8 * 8 * 16 * 9);
  g_assert_cmpfloat (conv->flops, ==, 2 * conv->macs);
  g_assert_cmpfloat (conv->param_count, ==, 16 * 16 * 9);
  g_assert_cmpfloat (conv->read_bytes, ==, map_bytes + 16 * 16 * 9 * 4);
  g_assert_cmpfloat (conv->written_bytes, ==, map_bytes);
  g_assert_cmpint (conv->size_source, ==, GOBAN_SOURCE_GIVEN);
  g_assert_cmpfloat (norm->flops, ==, 2 * map_bytes / 4);
  g_assert_cmpfloat (norm->param_count, ==, 4 * 16);
  g_assert_cmpfloat (node_of (graph, "relu/relu_")->flops, ==, map_bytes / 4);
  g_assert_cmpfloat (node_of (graph, "pool/max_pool2d")->flops, ==, map_bytes / 4);
  g_assert_cmpfloat (node_of (graph, "flatten")->read_bytes, ==, 0);
  g_assert_cmpfloat (linear->macs, ==, 2 * 10 * 16);
  g_assert_cmpfloat (linear->flops, ==, 2 * 2 * 10 * 16 + 2 * 10);
  g_assert_cmpfloat (linear->param_count, ==, 170);
  g_assert_null (goban_graph_get_warnings (graph)[0]);
}

/* Stored, deflated, with records of zip64, in a folder "models", or unpacked by hand: the same
 * graph. */
static void
test_archives (void)
{
  static const char *const names[][2] = { { "residual.pt2", "residual.json" },
                                          { "attention.pt2", "attention.json" },
                                          { "models.pt2", "attention.json" },
                                          { "wide.pt2", "attention.json" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GobanGraph) packed = load (names[i][0], 0);
      g_autoptr (GobanGraph) plain = load (names[i][1], 0);

      g_assert_cmphex (goban_graph_get_hash (packed), ==, goban_graph_get_hash (plain));
    }
}

/* Open sizes are those of the example, unless a batch is asked for. */
static void
test_sizes (void)
{
  g_autoptr (GobanGraph) graph = load ("attention.pt2", 0);
  g_autoptr (GobanGraph) batched = load ("attention.pt2", 6);
  g_autoptr (GobanGraph) bare = load ("no-example.json", 0);
  g_autoptr (GobanGraph) bad = load ("bad-sizes.json", 0);
  g_autoptr (GobanGraph) fixed = load ("residual.json", 6);

  g_assert_cmpfloat (bytes_of (graph, "cat"), ==, 2 * 10 * 8 * 4);
  g_assert_cmpfloat (bytes_of (graph, "other"), ==, 2 * 6 / 2 * 4);
  g_assert_cmpfloat (bytes_of (batched, "cat"), ==, 6 * 10 * 8 * 4);
  g_assert_cmpfloat (bytes_of (batched, "other"), ==, 6 * 6 / 2 * 4);
  g_assert_cmpfloat (node_of (graph, "attn/scaled_dot_product_attention")->macs, ==,
                     2 * 2 * 5 * 5 * 8);
  g_assert_cmpfloat (node_of (graph, "embed/embedding")->param_bytes, ==, 3200);
  g_assert_true (warns (graph, "s0 = 2, s1 = 5"));
  g_assert_true (warns (batched, "s0 = 6, s1 = 5"));
  /* The file allows at most 64 steps. */
  g_assert_cmpfloat (bytes_of (bare, "cat"), ==, 1 * 128 * 8 * 4);
  g_assert_true (warns (bare, "s0 = 1, s1 = 64"));
  g_assert_cmpfloat (bytes_of (bad, "cat"), ==, 0);
  g_assert_true (warns (bad, "1 sizes are expressions"));
  g_assert_true (warns (fixed, "the batch is fixed"));
}

#define OPEN(name, hint, text)                                                                     \
  "\"" name "\": {\"dtype\": 7, \"sizes\": [{\"as_expr\": {\"expr_str\": \"" text                  \
  "\", \"hint\": {\"as_int\": " hint "}}}]}"

/* Of expressions that cannot be evaluated the example's values are kept, which are those of another
 * batch if one is asked for. */
static void
test_expressions (void)
{
  static const char *const sizes[]
      = { OPEN ("x", "2", "s0"), OPEN ("a", "7", "Max(1, 3, s0, 2)"),
          OPEN ("b", "5", "floor((s0 + 1)/2)"), OPEN ("c", "9", "f(s0, 2, 3)"), NULL };
  g_autofree char *list = g_strjoinv (",\n", (char **) sizes);
  g_autofree char *text = g_strdup_printf (
      "{\"graph_module\": {\"graph\": {\"tensor_values\": {%s},\n"
      "\"nodes\": [{\"target\": \"f\", \"inputs\": [{\"name\": \"i\",\n"
      "\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}], \"outputs\":\n"
      "[{\"as_tensors\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}]}]}]},\n"
      "\"signature\": {\"input_specs\": [{\"user_input\": {\"arg\":\n"
      "{\"as_tensor\": {\"name\": \"x\"}}}}]}}}",
      list);
  GobanReadOptions batched = { .batch = 6 };
  g_autoptr (GobanGraph) graph = read_text ("torch-export", text);
  g_autoptr (GobanGraph) other = read_text_with ("torch-export", text, &batched);

  g_assert_cmpfloat (bytes_of (graph, "a"), ==, 4 * (3 + 1 + 9));
  g_assert_false (warns (graph, "of the example"));
  g_assert_cmpfloat (bytes_of (other, "a"), ==, 4 * (6 + 3 + 9));
  g_assert_true (warns (other, "1 sizes are expressions that cannot be evaluated: they are those"));
}

static void
test_bodies (void)
{
  g_autoptr (GobanGraph) graph = load ("branches.json", 0);

  g_assert_true (
      warns (graph, "1 node has a body that is not expanded, the first is \"cond_out\""));
  g_assert_cmpfloat (bytes_of (graph, "sigmoid"), ==, 4 * 2);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
}

static void
test_ops (void)
{
  static const char *const cases[][2] = {
    { "torch.ops.aten.conv2d.default", "conv2d" },
    { "torch.ops.aten.relu", "relu" },
    { "torch.ops.higher_order.cond", "cond" },
    { "torch.ops.mylib.scale.default", "mylib.scale" },
    { "_operator.mul", "operator.mul" },
    { "torch.ops.x", "torch.ops.x" },
    { "#ns:op", "#ns:op" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *op = goban_torch_dup_op (cases[i][0]);

      g_assert_cmpstr (op, ==, cases[i][1]);
    }
}

#define MODULE(graph) "{\"graph_module\": {\"graph\": " graph "}}"
#define NODES(nodes)                                                                               \
  MODULE ("{\"tensor_values\": {\"x\": {\"dtype\": 7, \"sizes\": []}},\n\"nodes\": [" nodes "]}")
#define NODE(in, out)                                                                              \
  "{\"target\": \"f\", \"inputs\": [{\"name\": \"a\", \"arg\": {\"as_tensor\": {\"name\": \"" in   \
  "\"}}}],\n\"outputs\": [{\"as_tensor\": {\"name\": \"" out "\"}}]}"

/* Names in lists, and in lists of lists. */
static void
test_lists (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "torch-export",
      NODES (NODE ("x", "y") "," NODE (
          "x", "z") ",\n"
                    "{\"target\": \"g\", \"inputs\": [{\"name\": \"a\", \"arg\": "
                    "{\"as_nested_tensors\":\n"
                    "[[{\"name\": \"y\"}], [{\"name\": \"z\"}, {\"name\": \"x\"}]]}}, {\"name\": "
                    "\"b\",\n"
                    "\"arg\": {\"as_optional_tensors\": [{\"as_none\": true}, {\"as_tensor\":\n"
                    "{\"name\": \"z\"}}]}}], \"outputs\": [{\"as_none\": true}]}"));

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
  g_assert_cmpstr (goban_graph_get_node (graph, 2)->name, ==, "g");
}

/* Not JSON, but PyTorch has written it. In texts such words are words. */
static void
test_infinities (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "torch-export",
      NODES ("{\"target\": \"Infinity \\\" NaN\", \"inputs\": [{\"name\": \"a\", \"arg\":\n"
             "{\"as_floats\": [-Infinity, NaN, Infinity]}}], \"outputs\": []}"));
  static const BadText cut[] = { { "{\"graph_module\": -Infinit", "test.txt:1:19" } };

  g_assert_cmpstr (goban_graph_get_node (graph, 0)->op, ==, "Infinity \" NaN");
  check_bad_texts ("torch-export", cut, 1);
}

/* Types that are new, and types that nobody knows. */
static void
test_types (void)
{
  g_autoptr (GobanGraph) graph = read_text (
      "torch-export",
      MODULE ("{\"tensor_values\": {\"x\": {\"dtype\": 34, \"sizes\": [{\"as_int\": 3}]},\n"
              "\"y\": {\"dtype\": 99, \"sizes\": [{\"as_int\": 3}]}}, \"nodes\": [{\"target\": "
              "\"f\",\n"
              "\"inputs\": [], \"outputs\": [{\"as_tensors\": [{\"name\": \"x\"}, {\"name\": "
              "\"y\"}]}]}]}"));

  g_assert_cmpfloat (bytes_of (graph, "x"), ==, 12);
  g_assert_true (warns (graph, "1 tensors have a type that is not known here, or more than 12 "
                               "dimensions, the first is \"y\""));
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "{}", "graph_module is missing" },
    { "[]", "an object is needed" },
    { MODULE ("{}"), "graph_module.graph.tensor_values is missing" },
    { MODULE ("{\"tensor_values\": {}}"), "graph_module.graph.nodes is missing" },
    { MODULE ("{\"tensor_values\": {\"x\": {\"sizes\": [3]}}, \"nodes\": []}"),
      "sizes[0] is 3: a size (as_int or as_expr) is needed" },
    { MODULE ("{\"tensor_values\": {\"x\": {\"sizes\": [{\"as_int\": -1}]}}, \"nodes\": []}"),
      "as_int is -1" },
    { NODES (""), "no nodes" },
    { NODES ("{}"), "test.txt:2: graph_module.graph.nodes[0].target is missing" },
    { NODES (NODE ("y", "z")), "nodes[0]: it reads “y”, which is not in the graph" },
    { NODES (NODE ("x", "z") "," NODE ("x", "z")), "nodes[1]: “z” is written twice" },
    { NODES (NODE ("z", "z")), "cycle" },
    { "{\"graph_module\": ", "test.txt:1:" },
  };

  check_bad_texts ("torch-export", cases, G_N_ELEMENTS (cases));
  check_large_batch ("torch-export", "{}");
}

/* @at: counted from the end if it is negative. */
static void
check_damaged (const char *name, gssize at, char byte, const char *message)
{
  g_autofree char *path = corpus_path ("torch-export", name);
  const GobanFormat *format = goban_format_find ("torch-export", NULL);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  if (byte == '\0')
    size = (gsize) at;
  else
    data[at < 0 ? (gssize) size + at : at] ^= byte;
  if (format->read (data, size, "x.pt2", &options, &error) != NULL)
    g_error ("%s with byte %zd changed was read, not refused: %s", name, at, message);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  if (strstr (error->message, message) == NULL)
    g_error ("“%s” is not said, but: %s", message, error->message);
  g_assert_true (g_str_has_prefix (error->message, "x.pt2"));
}

/* Where a header of the member begins: "PK\1\2" in the archive's directory, whose name is 46 bytes
 * after it, or "PK\3\4" before the member, with 30. */
static gssize
find_entry (const char *name, const char *mark, gsize n_before, const char *member)
{
  g_autofree char *path = corpus_path ("torch-export", name);
  g_autofree char *data = NULL;
  gssize found = 0;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  for (gsize at = 0; at + n_before + strlen (member) < size; at++)
    if (memcmp (data + at, mark, 4) == 0
        && memcmp (data + at + n_before, member, strlen (member)) == 0)
      found = (gssize) at;
  g_assert_cmpint (found, >, 0);
  return found;
}

static void
test_damaged (void)
{
  gssize entry = find_entry ("residual.pt2", "PK\1\2", 46, "residual/models/");
  gssize local = find_entry ("residual.pt2", "PK\3\4", 30, "residual/models/");
  gssize packed = find_entry ("attention.pt2", "PK\1\2", 46, "serialized_exp");

  check_damaged ("residual.pt2", 600, 1, "model.json” of the zip archive is damaged");
  check_damaged ("residual.pt2", 5000, 0, "directory at the end of the zip archive is missing");
  check_damaged ("residual.pt2", local + 6, 1, "is encrypted");
  check_damaged ("residual.pt2", local + 8, 9, "packed in a way that is not read");
  check_damaged ("residual.pt2", entry + 23, 0x40, "is cut off");
  check_damaged ("residual.pt2", entry + 1, 1,
                 "directory at the end of the zip archive is missing");
  check_damaged ("attention.pt2", 200, 0x55,
                 "serialized_exported_program.json” of the zip archive is damaged");
  check_damaged ("attention.pt2", packed + 24, 1, "is damaged");
  check_damaged ("wide.pt2", -22 - 20 + 8, 1, "directory at the end of the zip archive is missing");
  check_damaged ("empty.pt2", 31, 1, "the archive has no exported program");
}

/* An archive is a program by its members, not by its ending. */
static void
test_sniff (void)
{
  const GobanFormat *format = goban_format_find ("torch-export", NULL);
  g_autofree char *path = corpus_path ("torch-export", "empty.pt2");
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  g_assert_cmpint (format->sniff (data, size, "x.pt2"), ==, 0);
  g_assert_cmpint (format->sniff ("PK\3\4", 4, "x.zip"), ==, 0);
  g_assert_cmpint (format->sniff ("PK\3\4", 4, "cut-off.pt2"), ==, 30);
  g_assert_cmpint (format->sniff ("{\"graph_module\"", 15, "x.json"), ==, 90);
  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
}

TEST_PROGRAM (torch_export)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/torch-export/costs", test_costs);
  g_test_add_func ("/torch-export/archives", test_archives);
  g_test_add_func ("/torch-export/sizes", test_sizes);
  g_test_add_func ("/torch-export/expressions", test_expressions);
  g_test_add_func ("/torch-export/types", test_types);
  g_test_add_func ("/torch-export/bodies", test_bodies);
  g_test_add_func ("/torch-export/ops", test_ops);
  g_test_add_func ("/torch-export/lists", test_lists);
  g_test_add_func ("/torch-export/infinities", test_infinities);
  g_test_add_func ("/torch-export/bad", test_bad);
  g_test_add_func ("/torch-export/damaged", test_damaged);
  g_test_add_func ("/torch-export/sniff", test_sniff);
  return g_test_run ();
}
