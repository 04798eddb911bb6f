/* The ONNX reader as a whole: names, constants, batches, followed shapes, bad files. */
#include <string.h>

#include "engine/core/error.h"
#include "engine/io/formats.h"
#include "tests/io/io-support.h"
#include "tests/io/onnx-make.h"
#include "tests/support/test-program.h"

static GobanGraph *
read_ok (OnnxMake *make, const GobanReadOptions *options)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = onnx_make_read (make, options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (graph);
  return graph;
}

static void
assert_shape (const GobanGraph *graph, const char *node, const char *expected)
{
  GobanNodeId id = goban_graph_find_node (graph, node);
  g_autofree char *text = NULL;
  guint n;

  g_assert_cmpuint (id, !=, GOBAN_NO_NODE);
  text = onnx_make_text (
      goban_graph_get_tensor (graph, goban_graph_get_node_tensors (graph, id, &n)));
  g_assert_cmpstr (text, ==, expected);
}

static const GobanNode *
get_node (const GobanGraph *graph, const char *name)
{
  GobanNodeId id = goban_graph_find_node (graph, name);

  g_assert_cmpuint (id, !=, GOBAN_NO_NODE);
  return goban_graph_get_node (graph, id);
}

static void
assert_edge (const GobanGraph *graph, const char *tail, const char *head)
{
  GobanEdgeSpan edges = goban_graph_get_in_edges (graph, goban_graph_find_node (graph, head));

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      if (g_str_equal (goban_graph_get_node (graph, edge->tail)->name, tail))
        return;
    }
  g_test_fail_printf ("no edge from %s to %s", tail, head);
}

/* --- nodes, names, edges ------------------------------------------------- */

static void
test_names (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Relu", "2x3", "", "a")->name = (char *) "/layer1/layer1.0/relu/Relu";
  onnx_make_node (make, "Relu", "$a", "", "scope/b");
  onnx_make_node (make, "Relu", "$scope/b", "", "c")->name = (char *) "bad\xff";
  graph = read_ok (make, NULL);
  g_assert_cmpstr (goban_graph_get_name (graph), ==, "made");
  g_assert_cmpstr (goban_graph_get_format (graph), ==, "onnx");
  assert_edge (graph, "layer1/layer1.0/relu/Relu", "scope/b");
  for (guint i = 0; i < goban_graph_get_n_nodes (graph); i++)
    g_assert_true (g_utf8_validate (goban_graph_get_node (graph, i)->name, -1, NULL));
}

static void
test_unordered (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Add", "$a $b", "", "c");
  onnx_make_node (make, "Relu", "$a", "", "b");
  onnx_make_node (make, "Relu", "2x3", "", "a");
  graph = read_ok (make, NULL);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3);
  assert_shape (graph, "c", "f32 2x3");
}

static void
test_costs (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;
  const GobanNode *node;

  onnx_make_node (make, "Conv", "1x3x8x8 #4x3x1x1 #4", "", "conv");
  onnx_make_node (make, "Add", "$conv $conv", "", "add");
  onnx_make_node (make, "Flatten", "$add", "", "flat");
  onnx_make_node (make, "Slice", "$flat {0} {10} {1}", "", "slice");
  graph = read_ok (make, NULL);
  node = get_node (graph, "conv");
  g_assert_cmpfloat (node->read_bytes, ==, 4 * (192 + 12 + 4));
  g_assert_cmpfloat (node->written_bytes, ==, 4 * 256);
  g_assert_cmpfloat (node->param_bytes, ==, 4 * 16);
  g_assert_cmpfloat (node->param_count, ==, 16);
  /* What is read twice is in memory once. */
  g_assert_cmpfloat (get_node (graph, "add")->read_bytes, ==, 4 * 256);
  g_assert_cmpfloat (get_node (graph, "flat")->read_bytes, ==, 0);
  g_assert_cmpfloat (get_node (graph, "slice")->written_bytes, ==, 40);
  g_assert_cmpfloat (get_node (graph, "slice")->read_bytes, ==, 40 + 3 * 8);
}

static void
test_sources (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Relu", "2x3", "", "given");
  onnx_make_node (make, "Relu", "$given", "", "inferred");
  onnx_make_node (make, "Relu", "$inferred", "", "other");
  onnx_make_declare (make, "given", "2x3");
  onnx_make_declare (make, "other", "2x4");
  graph = read_ok (make, NULL);
  g_assert_cmpint (get_node (graph, "given")->size_source, ==, GOBAN_SOURCE_GIVEN);
  g_assert_cmpint (get_node (graph, "inferred")->size_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_cmpint (get_node (graph, "other")->size_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_true (onnx_make_has_warning (graph, "written by node \"other\""));
  assert_shape (graph, "other", "f32 2x3");
}

/* --- constants ----------------------------------------------------------- */

static void
test_shared_weight (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_constant (make, "w", "3x3");
  onnx_make_node (make, "MatMul", "2x3 $w", "", "first");
  onnx_make_node (make, "MatMul", "$first $w", "", "second");
  graph = read_ok (make, NULL);
  g_assert_cmpfloat (get_node (graph, "first")->param_count, ==, 9);
  g_assert_cmpfloat (get_node (graph, "second")->param_count, ==, 0);
  g_assert_cmpfloat (get_node (graph, "second")->read_bytes, ==, 4 * (6 + 9));
}

static void
add_light_conv (OnnxMake *make)
{
  onnx_make_node (make, "ConstantOfShape", "{4,3,1,1}", "", "w");
  onnx_make_node (make, "Conv", "1x3x8x8 $w", "", "conv");
}

static void
test_light (void)
{
  const GobanReadOptions keep = { .keep_constants = TRUE };
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) folded = NULL;
  g_autoptr (GobanGraph) kept = NULL;

  add_light_conv (make);
  folded = read_ok (make, NULL);
  kept = read_ok (make, &keep);
  g_assert_cmpuint (goban_graph_get_n_nodes (folded), ==, 1);
  g_assert_cmpuint (goban_graph_get_n_edges (folded), ==, 0);
  g_assert_cmpfloat (get_node (folded, "conv")->param_count, ==, 12);
  g_assert_cmpuint (goban_graph_get_n_nodes (kept), ==, 2);
  assert_edge (kept, "w", "conv");
  g_assert_cmpfloat (get_node (kept, "conv")->param_count, ==, 0);
  g_assert_cmpfloat (get_node (kept, "w")->param_count, ==, 12);
  assert_shape (folded, "conv", "f32 1x4x8x8");
  assert_shape (kept, "conv", "f32 1x4x8x8");
}

/* Shapes and indices are no parameters. */
static void
test_indices_are_no_weights (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Reshape", "2x3 {6}", "", "a");
  onnx_make_node (make, "MatMulInteger", "u8:2x3 #s8:3x4", "", "b");
  graph = read_ok (make, NULL);
  g_assert_cmpfloat (get_node (graph, "a")->param_count, ==, 0);
  g_assert_cmpfloat (get_node (graph, "b")->param_count, ==, 12);
  g_assert_cmpfloat (get_node (graph, "b")->param_bytes, ==, 12);
}

/* Files of the first years name every constant among the inputs too. */
static void
test_repeated_initializers (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (7);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_input (make, "w", "3x4");
  onnx_make_constant (make, "w", "3x4");
  onnx_make_node (make, "MatMul", "2x3 $w", "", "y");
  graph = read_ok (make, NULL);
  g_assert_cmpfloat (get_node (graph, "y")->param_count, ==, 12);
}

/* --- batch and open extents ---------------------------------------------- */

static void
add_classifier (OnnxMake *make, const char *input)
{
  g_autofree char *values = g_strdup_printf ("%s #8x3x3x3", input);

  onnx_make_node (make, "Conv", values, "pads=[1,1,1,1]", "conv");
  onnx_make_node (make, "GlobalAveragePool", "$conv", "", "pool");
  onnx_make_node (make, "Reshape", "$pool {1,8}", "", "flat");
  onnx_make_node (make, "Reshape", "#8x1x1 {1,-1,1,1}", "", "of-weights");
  onnx_make_node (make, "Gemm", "$flat #8x10", "", "fc");
}

static void
test_batch (void)
{
  const GobanReadOptions eight = { .batch = 8 };
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  add_classifier (make, "1x3x8x8");
  onnx_make_declare (make, "fc", "1x10");
  graph = read_ok (make, &eight);
  assert_shape (graph, "conv", "f32 8x8x8x8");
  assert_shape (graph, "flat", "f32 8x8");
  assert_shape (graph, "of-weights", "f32 1x8x1x1");
  assert_shape (graph, "fc", "f32 8x10");
  g_assert_cmpint (get_node (graph, "fc")->size_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_true (onnx_make_has_warning (graph, "made for batch 1, the first is \"flat\""));
  g_assert_false (onnx_make_has_warning (graph, "other shapes"));
}

static void
test_open_batch (void)
{
  const GobanReadOptions four = { .batch = 4 };
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) one = NULL;
  g_autoptr (GobanGraph) many = NULL;

  onnx_make_node (make, "Relu", "Nx3", "", "y");
  onnx_make_node (make, "Foo", "$y", "", "z");
  onnx_make_declare (make, "z", "Nx7");
  one = read_ok (make, NULL);
  many = read_ok (make, &four);
  assert_shape (one, "y", "f32 1x3");
  assert_shape (many, "y", "f32 4x3");
  assert_shape (many, "z", "f32 4x7");
}

static void
test_open_extents (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Relu", "batchxseq", "", "a");
  onnx_make_node (make, "Relu", "batchxpast+seq", "", "b");
  onnx_make_node (make, "Relu", "?x3x?x?", "", "c");
  onnx_make_node (make, "Relu", "-1x-1", "", "d");
  graph = read_ok (make, NULL);
  assert_shape (graph, "a", "f32 1x128");
  assert_shape (graph, "b", "f32 1x256");
  assert_shape (graph, "c", "f32 1x3x224x224");
  assert_shape (graph, "d", "f32 1x128");
  g_assert_true (onnx_make_has_warning (graph, "dimension 1 (seq) of input \"v0\" open"));
}

/* --- shapes the model computes itself ------------------------------------ */

/* What exporters make of x.view (x.shape[0], x.shape[1], 12, 64).transpose (1, 2). */
static void
test_followed_shape (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (13);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Relu", "batchxseqx768", "", "x");
  onnx_make_node (make, "Shape", "$x", "", "s");
  onnx_make_node (make, "Gather", "$s =0", "", "g0");
  onnx_make_node (make, "Gather", "$s =1", "", "g1");
  onnx_make_node (make, "Unsqueeze", "$g0 {0}", "", "u0");
  onnx_make_node (make, "Unsqueeze", "$g1 {0}", "", "u1");
  onnx_make_node (make, "Concat", "$u0 $u1 {12} {64}", "axis=0", "target");
  onnx_make_node (make, "Reshape", "$x $target", "", "heads");
  onnx_make_node (make, "Transpose", "$heads", "perm=[0,2,1,3]", "turned");
  graph = read_ok (make, NULL);
  assert_shape (graph, "target", "s64 4");
  assert_shape (graph, "turned", "f32 1x12x128x64");
  g_assert_cmpfloat (get_node (graph, "s")->read_bytes, ==, 0);
}

/* Causal masks and positions: ranges, slices, comparisons of extents. */
static void
test_followed_arithmetic (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (13);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Shape", "2x6x8", "", "s");
  onnx_make_node (make, "Slice", "$s {1} {2} {0}", "", "one");
  onnx_make_node (make, "Squeeze", "$one {0}", "", "seq");
  onnx_make_node (make, "Range", "=0 $seq =1", "", "range");
  onnx_make_node (make, "Mul", "$seq =4", "", "wide");
  onnx_make_node (make, "Div", "$wide =5", "", "part");
  onnx_make_node (make, "Cast", "$part", "to=7", "whole");
  onnx_make_node (make, "Unsqueeze", "$whole {0}", "", "vector");
  onnx_make_node (make, "Equal", "$vector {-1}", "", "is-open");
  onnx_make_node (make, "ConstantOfShape", "$vector", "", "zeros");
  onnx_make_node (make, "Where", "$is-open {9} $vector", "", "chosen");
  onnx_make_node (make, "Expand", "1x1 $chosen", "", "expanded");
  onnx_make_node (make, "ReduceProd", "$s", "keepdims=0", "product");
  onnx_make_node (make, "Unsqueeze", "$product {0}", "", "length");
  onnx_make_node (make, "Max", "$length {7}", "", "max");
  onnx_make_node (make, "ConstantOfShape", "$max", "", "flat");
  onnx_make_node (make, "Split", "$s", "axis=0", "p q r");
  onnx_make_node (make, "ConstantOfShape", "$r", "", "last");
  graph = read_ok (make, NULL);
  assert_shape (graph, "range", "s64 6");
  /* 6 * 4 / 5 is 4 in whole numbers */
  assert_shape (graph, "zeros", "f32 4");
  assert_shape (graph, "expanded", "f32 1x4");
  assert_shape (graph, "flat", "f32 96");
  assert_shape (graph, "last", "f32 8");
}

/* --- bodies and unknown ops ---------------------------------------------- */

static void
test_body (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (OnnxMake) body = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;
  Onnx__AttributeProto attr = ONNX__ATTRIBUTE_PROTO__INIT;
  Onnx__AttributeProto *attrs[] = { &attr };
  Onnx__NodeProto *node;

  onnx_make_node (body, "Add", "$outer $inner", "", "sum");
  onnx_make_node (body, "Relu", "$sum", "", "inner");
  onnx_make_declare (body, "sum", "2x3");
  attr.name = (char *) "then_branch";
  attr.g = onnx_make_get (body)->graph;
  attr.g->output = attr.g->value_info; /* the branch says its shape */
  attr.g->n_output = attr.g->n_value_info;

  onnx_make_node (make, "Relu", "2x3", "", "outer");
  node = onnx_make_node (make, "If", "bool:scalar", "", "y");
  node->attribute = attrs;
  node->n_attribute = 1;
  graph = read_ok (make, NULL);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
  assert_edge (graph, "outer", "y");
  assert_shape (graph, "y", "f32 2x3");
  g_assert_true (onnx_make_has_warning (graph, "cannot be followed, the first is \"y\""));
}

/* The branches of an If say what it makes, where the file does not. */
static void
test_branches (void)
{
  static const char *const names[] = { "else_branch", "then_branch" };
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (OnnxMake) less = onnx_make_new (17);
  g_autoptr (OnnxMake) more = onnx_make_new (17);
  OnnxMake *branches[] = { less, more };
  g_autoptr (GobanGraph) graph = NULL;
  Onnx__AttributeProto attrs[] = { ONNX__ATTRIBUTE_PROTO__INIT, ONNX__ATTRIBUTE_PROTO__INIT };
  Onnx__ValueInfoProto results[] = { ONNX__VALUE_INFO_PROTO__INIT, ONNX__VALUE_INFO_PROTO__INIT };
  Onnx__ValueInfoProto *outputs[] = { &results[0], &results[1] };
  Onnx__AttributeProto *all[] = { &attrs[0], &attrs[1] };
  Onnx__NodeProto *node;

  onnx_make_node (less, "Relu", "$x", "", "less");
  onnx_make_node (more, "MatMul", "$x $x", "", "more");
  for (guint i = 0; i < 2; i++)
    {
      results[i].name = (char *) (i == 0 ? "less" : "more");
      attrs[i].name = (char *) names[i];
      attrs[i].g = onnx_make_get (branches[i])->graph;
      attrs[i].g->output = &outputs[i];
      attrs[i].g->n_output = 1;
    }
  onnx_make_node (make, "Relu", "4x4", "", "x");
  node = onnx_make_node (make, "If", "bool:scalar", "", "y");
  node->attribute = all;
  node->n_attribute = 2;
  onnx_make_node (make, "MatMul", "$y $y", "", "z");
  graph = read_ok (make, NULL);
  assert_shape (graph, "y", "f32 4x4");
  g_assert_cmpfloat (onnx_make_sum_macs (graph), ==, 2 * 4 * 4 * 4);
  g_assert_true (onnx_make_has_warning (graph, "costs and sizes are those of the larger branch"));
}

/* A list of tensors is written whole, and has as many as were put into it. */
static void
test_lists (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "SequenceEmpty", "", "", "none");
  onnx_make_node (make, "SequenceInsert", "$none 2x3", "", "one");
  onnx_make_node (make, "SequenceInsert", "$one 2x3", "", "two");
  onnx_make_node (make, "ConcatFromSequence", "$two", "axis=0", "y");
  graph = read_ok (make, NULL);
  assert_shape (graph, "two", "f32 2x2x3");
  assert_shape (graph, "y", "f32 4x3");
  g_assert_cmpstr (goban_graph_get_warnings (graph)[0], ==, NULL);
}

static double
sum_macs (const GobanGraph *graph)
{
  return onnx_make_sum_macs (graph);
}

/* Nested functions, an attribute that is handed on, an input and an output left out. */
static void
test_functions (void)
{
  g_autoptr (GobanGraph) graph = load_corpus ("onnx", "functions", NULL);
  g_autoptr (GobanGraph) overloads = load_corpus ("onnx", "function-overloads", NULL);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 8);
  g_assert_cmpfloat (sum_macs (graph), ==, 2 * 2 * 4 * 4);
  g_assert_cmpfloat (onnx_make_sum_params (graph), ==, 16);
  assert_edge (graph, "b1/mm", "b1/a1/act");
  assert_edge (graph, "b1/a1/act", "b1/a1/y");
  assert_edge (graph, "b1/a1/act", "b1/a1/more");
  assert_edge (graph, "b1/a1/y", "b2/mm");
  assert_shape (graph, "b2/a1/y", "f32 2x4");
  g_assert_cmpuint (goban_graph_get_n_nodes (overloads), ==, 3);
  assert_edge (overloads, "f1/t", "f1/y");
  assert_edge (overloads, "f1/y", "f2/y");
}

static void
test_function_ring (void)
{
  g_autofree char *path = corpus_path ("onnx", "function-ring");
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "function “A” calls itself"));
}

/* Of an If the larger branch counts, of a loop every iteration. */
static void
test_bodies (void)
{
  g_autoptr (GobanGraph) choice = load_corpus ("onnx", "function-in-if", NULL);
  g_autoptr (GobanGraph) five = load_corpus ("onnx", "loop-of-five", NULL);
  g_autoptr (GobanGraph) open = load_corpus ("onnx", "loop-open", NULL);
  g_autoptr (GobanGraph) scan = load_corpus ("onnx", "scan", NULL);
  guint n_tensors;
  GobanTensorId first;

  g_assert_cmpfloat (sum_macs (choice), ==, 2 * 4 * 4);
  g_assert_true (onnx_make_has_warning (choice, "those of the larger branch"));
  g_assert_cmpfloat (sum_macs (five), ==, 5 * 2 * 4 * 4);
  g_assert_cmpfloat (onnx_make_sum_params (five), ==, 16);
  g_assert_cmpstr (goban_graph_get_warnings (five)[0], ==, NULL);
  first = goban_graph_get_node_tensors (five, 0, &n_tensors);
  g_assert_cmpuint (n_tensors, ==, 2);
  g_assert_cmpfloat (goban_graph_get_tensor (five, first)->size_bytes, ==, 2 * 4 * 4);
  g_assert_cmpfloat (goban_graph_get_tensor (five, first + 1)->size_bytes, ==, 5 * 2 * 4 * 4);
  g_assert_cmpfloat (sum_macs (open), ==, 2 * 4 * 4);
  g_assert_true (onnx_make_has_warning (open, "1 loop runs a number of times"));
  g_assert_cmpfloat (goban_graph_get_node (scan, 0)->flops, ==, 7 * 4);
}

static void
test_only_constants (void)
{
  g_autoptr (GobanGraph) graph = load_corpus ("onnx", "only-constants", NULL);
  g_autoptr (GobanGraph) shuffled = load_corpus ("onnx", "shuffled", NULL);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
  g_assert_cmpfloat (onnx_make_sum_params (graph), ==, 6);
  g_assert_cmpuint (goban_graph_get_n_nodes (shuffled), ==, 1);
}

static void
test_two_bits (void)
{
  g_autoptr (GobanGraph) graph = load_corpus ("onnx", "int2", NULL);

  g_assert_cmpfloat (goban_graph_get_node (graph, 0)->param_bytes, ==, 4);
  g_assert_cmpfloat (goban_graph_get_node (graph, 1)->param_bytes, ==, 3); /* 18 bits */
  assert_shape (graph, "i", "u2 2x8");
  assert_shape (graph, "k", "s2 3x3");
}

static void
test_unknown_op (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Foo", "2x3", "", "a");
  onnx_make_node (make, "Foo", "$a", "", "b");
  onnx_make_node (make, "Relu", "$b", "", "c");
  onnx_make_declare (make, "b", "2x5");
  graph = read_ok (make, NULL);
  g_assert_true (onnx_make_has_warning (graph, "no shape rule for op Foo (2 nodes)"));
  g_assert_true (onnx_make_has_warning (graph, "1 of 3 nodes have outputs of unknown size"));
  assert_shape (graph, "a", "? unknown");
  assert_shape (graph, "c", "f32 2x5");
}

static void
test_missing_producer (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Relu", "$nowhere", "", "y");
  graph = read_ok (make, NULL);
  g_assert_true (onnx_make_has_warning (graph, "\"nowhere\", read by node \"y\""));
}

/* --- bad files ----------------------------------------------------------- */

static void
assert_fails (OnnxMake *make, const char *part)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = onnx_make_read (make, NULL, &error);

  g_assert_null (graph);
  g_assert_nonnull (error);
  g_assert_true (error->domain == GOBAN_ERROR);
  if (strstr (error->message, part) == NULL)
    g_test_fail_printf ("\"%s\" does not say \"%s\"", error->message, part);
}

static void
test_bad_models (void)
{
  g_autoptr (OnnxMake) twice = onnx_make_new (17);
  g_autoptr (OnnxMake) constants = onnx_make_new (17);
  g_autoptr (OnnxMake) negative = onnx_make_new (17);
  g_autoptr (OnnxMake) huge = onnx_make_new (17);
  g_autoptr (OnnxMake) ring = onnx_make_new (17);
  g_autoptr (OnnxMake) nameless = onnx_make_new (17);
  g_autoptr (OnnxMake) empty = onnx_make_new (17);
  g_autoptr (OnnxMake) inputs = onnx_make_new (17);

  onnx_make_node (twice, "Relu", "2x3", "", "y")->name = (char *) "first";
  onnx_make_node (twice, "Relu", "2x3", "", "y")->name = (char *) "second";
  assert_fails (twice, "node \"second\" writes \"y\", which is written by node \"first\" too");

  onnx_make_constant (constants, "w", "2");
  onnx_make_constant (constants, "w", "2");
  onnx_make_node (constants, "Relu", "$w", "", "y");
  assert_fails (constants, "two constants \"w\"");

  onnx_make_constant (negative, "w", "3x-4");
  onnx_make_node (negative, "Relu", "$w", "", "y");
  assert_fails (negative, "constant \"w\": dimension 1 is -4, which is negative");

  onnx_make_constant (huge, "w", "4611686018427387904x4");
  onnx_make_node (huge, "Relu", "$w", "", "y");
  assert_fails (huge, "too large for any machine");

  onnx_make_node (ring, "Relu", "$b", "", "a");
  onnx_make_node (ring, "Relu", "$a", "", "b");
  assert_fails (ring, "a");

  onnx_make_node (nameless, "", "2x3", "", "y");
  assert_fails (nameless, "node \"y\" has no operator");

  assert_fails (empty, "no nodes");

  onnx_make_input (inputs, "x", "2");
  onnx_make_input (inputs, "x", "2");
  onnx_make_node (inputs, "Relu", "$x", "", "y");
  assert_fails (inputs, "input 1 is named \"x\"");
}

/* Extents near the limits overflow nothing; sizes that no machine has are unknown. */
static void
test_large_extents (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GobanGraph) graph = NULL;

  onnx_make_node (make, "Relu", "4503599627370496x4503599627370496", "", "square");
  onnx_make_node (make, "Concat", "9007199254740991x1 9007199254740991x1", "axis=0", "joined");
  onnx_make_node (make, "Tile", "4503599627370496 {4503599627370496}", "", "tiled");
  onnx_make_node (make, "Relu", "9223372036854775807", "", "long");
  graph = read_ok (make, NULL);
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, 0), ==, 0);
  assert_shape (graph, "joined", "f32 ?x1");
  assert_shape (graph, "tiled", "f32 ?");
  g_assert_true (onnx_make_has_warning (graph, "outputs of unknown size"));
}

static GBytes *
pack_light_conv (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);

  add_light_conv (make);
  return onnx_make_pack (make);
}

/* Cut off anywhere, a file is refused or is a smaller model, and never crashes. */
static void
test_truncated (void)
{
  g_autoptr (GBytes) bytes = pack_light_conv ();
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  guint n_refused = 0;

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *cut = g_memdup2 (data, n);
      g_autoptr (GobanGraph) graph = goban_format_onnx.read (cut, n, "cut.onnx", NULL, &error);

      n_refused += graph == NULL;
      g_assert_true ((graph == NULL) == (error != NULL));
      if (error != NULL)
        g_assert_true (g_str_has_prefix (error->message, "cut.onnx: "));
    }
  g_assert_cmpuint (n_refused, >, size / 2);
}

/* Every byte changed in turn, to each of a few values. */
static void
test_corrupt (void)
{
  static const guint8 values[] = { 0x00, 0x01, 0x0a, 0x7f, 0x80, 0xff };
  g_autoptr (GBytes) bytes = pack_light_conv ();
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  for (gsize i = 0; i < size; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (values); j++)
      {
        g_autoptr (GError) error = NULL;
        g_autofree char *changed = g_memdup2 (data, size);
        g_autoptr (GobanGraph) graph = NULL;

        changed[i] = (char) values[j];
        graph = goban_format_onnx.read (changed, size, "changed.onnx", NULL, &error);
        g_assert_true ((graph == NULL) == (error != NULL));
      }
}

static void
assert_bytes_fail (const char *data, gsize size, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_format_onnx.read (data, size, "bad.onnx", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  if (strstr (error->message, part) == NULL)
    g_test_fail_printf ("\"%s\" does not say \"%s\"", error->message, part);
}

static void
test_no_protobuf (void)
{
  static const char claims[] = "\x08\x08\x3a\xff\xff\xff\xff\x0f"
                               "abc";

  assert_bytes_fail ("", 0, "the file is empty");
  assert_bytes_fail ("digraph { a -> b }", 18, "byte 0: not an ONNX model");
  assert_bytes_fail (claims, sizeof claims - 1, "claims 4294967295 bytes where 3 are left");
  assert_bytes_fail ("\x08\x08", 2, "no graph");
}

/* Puts what is there into a field of bytes. */
static void
wrap (GByteArray *bytes, guint8 tag)
{
  guint8 head[6] = { tag };
  guint n = 1, left = bytes->len;

  for (; left >= 0x80; left >>= 7)
    head[n++] = (guint8) (left | 0x80);
  head[n++] = (guint8) left;
  g_byte_array_prepend (bytes, head, n);
}

/* A graph in an attribute of a node of a graph in an attribute ... */
static void
test_deep (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint depth = 0; depth < 5000; depth++)
    {
      wrap (bytes, 0x32); /* AttributeProto.g */
      wrap (bytes, 0x2a); /* NodeProto.attribute */
      wrap (bytes, 0x0a); /* GraphProto.node */
    }
  wrap (bytes, 0x3a); /* ModelProto.graph */
  assert_bytes_fail ((const char *) bytes->data, bytes->len, "nest more than 96 deep");
}

/* Two bytes for a message of hundreds. */
static void
test_swelling (void)
{
  const gsize n = 3000000;
  g_autofree char *data = g_malloc (2 * n);

  for (gsize i = 0; i < n; i++)
    {
      data[2 * i] = 0x3a; /* graph, again and again: protobuf-c would merge them */
      data[2 * i + 1] = 0;
    }
  assert_bytes_fail (data, 2 * n, "MB of empty messages");
}

static void
test_sniff (void)
{
  g_autoptr (GBytes) bytes = pack_light_conv ();
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  g_assert_cmpint (goban_format_onnx.sniff (data, size, "x"), >=, 90);
  g_assert_cmpint (goban_format_onnx.sniff (data, 20, "x"), >=, 60);
  g_assert_cmpint (goban_format_onnx.sniff ("digraph { }", 11, "x.dot"), ==, 0);
  g_assert_cmpint (goban_format_onnx.sniff ("", 0, "x.dot"), ==, 0);
  /* A GraphDef starts with its nodes. */
  g_assert_cmpint (goban_format_onnx.sniff ("\x0a\x03xyz", 5, "x.pb"), ==, 0);
}

TEST_PROGRAM (onnx)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/onnx/names", test_names);
  g_test_add_func ("/onnx/unordered", test_unordered);
  g_test_add_func ("/onnx/costs", test_costs);
  g_test_add_func ("/onnx/sources", test_sources);
  g_test_add_func ("/onnx/constants/shared", test_shared_weight);
  g_test_add_func ("/onnx/constants/light", test_light);
  g_test_add_func ("/onnx/constants/indices", test_indices_are_no_weights);
  g_test_add_func ("/onnx/constants/among-inputs", test_repeated_initializers);
  g_test_add_func ("/onnx/batch/explicit", test_batch);
  g_test_add_func ("/onnx/batch/open", test_open_batch);
  g_test_add_func ("/onnx/open-extents", test_open_extents);
  g_test_add_func ("/onnx/follows/shapes", test_followed_shape);
  g_test_add_func ("/onnx/follows/arithmetic", test_followed_arithmetic);
  g_test_add_func ("/onnx/body", test_body);
  g_test_add_func ("/onnx/branches", test_branches);
  g_test_add_func ("/onnx/lists", test_lists);
  g_test_add_func ("/onnx/functions", test_functions);
  g_test_add_func ("/onnx/functions/ring", test_function_ring);
  g_test_add_func ("/onnx/bodies", test_bodies);
  g_test_add_func ("/onnx/only-constants", test_only_constants);
  g_test_add_func ("/onnx/two-bits", test_two_bits);
  g_test_add_func ("/onnx/unknown-op", test_unknown_op);
  g_test_add_func ("/onnx/missing-producer", test_missing_producer);
  g_test_add_func ("/onnx/rejects/models", test_bad_models);
  g_test_add_func ("/onnx/rejects/truncated", test_truncated);
  g_test_add_func ("/onnx/rejects/corrupt", test_corrupt);
  g_test_add_func ("/onnx/rejects/no-protobuf", test_no_protobuf);
  g_test_add_func ("/onnx/rejects/deep", test_deep);
  g_test_add_func ("/onnx/rejects/swelling", test_swelling);
  g_test_add_func ("/onnx/large-extents", test_large_extents);
  g_test_add_func ("/onnx/sniff", test_sniff);

  return g_test_run ();
}
