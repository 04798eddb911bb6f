/* Parts of ONNX models: their nodes, ends and constants, and weights that are made up. */
#include "engine/study/measure/model-parts.h"

#include "engine/core/error.h"
#include "tests/io/onnx-make.h"
#include "tests/support/test-program.h"

#include <string.h>

typedef struct
{
  OnnxMake *make;
  GobanGraph *graph;
  GobanModelParts *parts;
} Case;

static void
case_clear (Case *self)
{
  g_clear_pointer (&self->parts, goban_model_parts_free);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->make, onnx_make_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* Reads what was made, and divides it: node i of the graph into part_of[i]. */
static void
case_read (Case *self, const guint32 *part_of)
{
  g_autoptr (GBytes) bytes = onnx_make_pack (self->make);
  g_autoptr (GError) error = NULL;

  self->graph = onnx_make_read (self->make, NULL, &error);
  g_assert_no_error (error);
  self->parts = goban_model_parts_new_from_bytes (bytes, "made", self->graph, 0, &error);
  g_assert_no_error (error);
  goban_model_parts_divide (self->parts, part_of);
}

static void
append_infos (GString *text, const char *title, Onnx__ValueInfoProto *const *infos, gsize n)
{
  g_string_append_printf (text, "; %s", title);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, " %s", infos[i]->name);
}

/* "goban-node-0=Relu; in x; const w; out y" */
static char *
describe (const Onnx__ModelProto *model)
{
  const Onnx__GraphProto *graph = model->graph;
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < graph->n_node; i++)
    g_string_append_printf (text, "%s%s=%s", i > 0 ? " " : "",
                            goban_onnx_str (graph->node[i]->name), graph->node[i]->op_type);
  append_infos (text, "in", graph->input, graph->n_input);
  g_string_append (text, "; const");
  for (gsize i = 0; i < graph->n_initializer; i++)
    g_string_append_printf (text, " %s", graph->initializer[i]->name);
  append_infos (text, "out", graph->output, graph->n_output);
  return g_string_free (text, FALSE);
}

/* (transfer full) */
static Onnx__ModelProto *
cut (Case *self, guint32 part, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanModelPart) result = goban_model_parts_cut (self->parts, part, &error);
  g_autofree char *text = NULL;
  Onnx__ModelProto *model;
  gsize size;
  const guint8 *data;

  g_assert_no_error (error);
  data = g_bytes_get_data (result->model, &size);
  model = onnx__model_proto__unpack (NULL, size, data);
  g_assert_nonnull (model);
  text = describe (model);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (result->inputs->len, ==, model->graph->n_input);
  g_assert_cmpuint (result->outputs->len, ==, model->graph->n_output);
  return model;
}

static void
cut_and_free (Case *self, guint32 part, const char *expected)
{
  onnx__model_proto__free_unpacked (cut (self, part, expected), NULL);
}

static void
make_named (Case *self, const char *name, const char *value)
{
  onnx_make_constant (self->make, name, value);
}

static void
assert_renamed (Case *self)
{
  g_autofree char *text = goban_part_rename_nodes (
      self->graph, "(goban-node-2, MatMul) after goban-node-0; not goban-node-9, goban-node-");

  g_assert_cmpstr (text, ==, "(b, MatMul) after r; not goban-node-9, goban-node-");
}

/* x -> relu -> matmul a -> add, and relu -> matmul b -> add: matmul b alone in a part. */
static void
test_parts (void)
{
  static const guint32 part_of[] = { 0, 0, 1, 2 };
  g_auto (Case) self = { .make = onnx_make_new (17) };
  GobanOnnxValue value = { .dtype = 1, .has_rank = TRUE, .n_dims = 1, .dims = { 4 } };

  onnx_make_input (self.make, "x", "2x4");
  make_named (&self, "w", "4x4");
  make_named (&self, "u", "4x4");
  onnx_make_node (self.make, "Relu", "$x", "", "r");
  onnx_make_node (self.make, "MatMul", "$r $w", "", "a");
  onnx_make_node (self.make, "MatMul", "$r $u", "", "b");
  onnx_make_node (self.make, "Add", "$a $b", "", "c");
  case_read (&self, part_of);
  cut_and_free (&self, 0, "goban-node-0=Relu goban-node-1=MatMul; in x; const w; out r a");
  cut_and_free (&self, 1, "goban-node-2=MatMul; in r; const u; out b");
  cut_and_free (&self, 2, "goban-node-3=Add; in a b; const; out c");
  g_assert_cmpuint (goban_model_parts_get_n_random (self.parts), ==, 2);
  g_assert_cmpuint (goban_part_find_node (self.graph, "goban-node-3"), ==, 3);
  g_assert_cmpuint (goban_part_find_node (self.graph, "goban-node-4"), ==, GOBAN_NO_NODE);
  g_assert_cmpuint (goban_part_find_node (self.graph, "relu"), ==, GOBAN_NO_NODE);
  assert_renamed (&self);
  for (guint32 t = 0; t < goban_model_parts_get_n_tensors (self.parts); t++)
    {
      goban_model_parts_set_value (self.parts, t, &value);
      g_assert_cmpint (goban_model_parts_get_value (self.parts, t)->n_dims, ==, 1);
    }
}

/* An output of the model is one of its part, although that reads it; a name that is no tensor is
 * none. */
static void
test_results (void)
{
  static const guint32 part_of[] = { 0, 0, 1 };
  g_auto (Case) self = { .make = onnx_make_new (17) };
  Onnx__ValueInfoProto infos[] = { ONNX__VALUE_INFO_PROTO__INIT, ONNX__VALUE_INFO_PROTO__INIT };
  Onnx__ValueInfoProto *outputs[] = { &infos[0], &infos[1] };
  Onnx__GraphProto *graph = onnx_make_get (self.make)->graph;

  infos[0].name = (char *) "r";
  infos[1].name = (char *) "nobody";
  graph->n_output = 2;
  graph->output = outputs;
  onnx_make_input (self.make, "x", "2x4");
  onnx_make_node (self.make, "Relu", "$x", "", "r");
  onnx_make_node (self.make, "Relu", "$r", "", "s");
  onnx_make_node (self.make, "Relu", "$s", "", "y");
  case_read (&self, part_of);
  cut_and_free (&self, 0, "goban-node-0=Relu goban-node-1=Relu; in x; const; out r s");
  cut_and_free (&self, 1, "goban-node-2=Relu; in s; const; out y");
}

static void
assert_differ (const Onnx__TensorProto *a, const Onnx__TensorProto *b)
{
  g_assert_cmpuint (a->raw_data.len, ==, 64);
  g_assert_cmpuint (b->raw_data.len, ==, 64);
  g_assert_cmpint (memcmp (a->raw_data.data, b->raw_data.data, 64), !=, 0);
}

/* A light model: both of its weights stand for one number, over and over. A small constant stays a
 * node, and goes into both parts that read it. */
static void
test_weights (void)
{
  static const guint32 part_of[] = { 0, 1, 0 };
  g_auto (Case) self = { .make = onnx_make_new (17) };
  Onnx__ModelProto *first, *second;

  onnx_make_input (self.make, "x", "4x4");
  onnx_make_node (self.make, "ConstantOfShape", "{4,4}", "", "w");
  onnx_make_node (self.make, "ConstantOfShape", "{4,4}", "", "u");
  onnx_make_node (self.make, "Constant", "", "value_ints=[2,8]", "s");
  onnx_make_node (self.make, "MatMul", "$x $w", "", "a");
  onnx_make_node (self.make, "Reshape", "$x $s", "", "b");
  onnx_make_node (self.make, "Gemm", "$a $u $w", "", "c");
  case_read (&self, part_of);
  g_assert_cmpuint (goban_graph_get_n_nodes (self.graph), ==, 3);
  first = cut (&self, 0, "goban-node-0=MatMul goban-node-2=Gemm; in x; const w u; out c");
  second = cut (&self, 1, "=Constant goban-node-1=Reshape; in x; const; out b");
  assert_differ (first->graph->initializer[0], first->graph->initializer[1]);
  onnx__model_proto__free_unpacked (first, NULL);
  onnx__model_proto__free_unpacked (second, NULL);
}

static void
assert_refused (Case *self, const char *part)
{
  static const guint32 part_of[] = { 0, 0 };
  g_autoptr (GobanModelPart) result = NULL;
  g_autoptr (GError) error = NULL;

  case_read (self, part_of);
  result = goban_model_parts_cut (self->parts, 0, &error);
  g_assert_null (result);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, part));
}

/* A tensor that nobody writes, and indices without data: neither can be made up. */
static void
test_refused (void)
{
  g_auto (Case) stripped = { .make = onnx_make_new (17) };
  g_auto (Case) indices = { .make = onnx_make_new (17) };

  onnx_make_node (stripped.make, "Relu", "$nobody", "", "y");
  assert_refused (&stripped, "“nobody”");
  onnx_make_input (indices.make, "x", "4x4");
  make_named (&indices, "shape", "s64:2");
  onnx_make_node (indices.make, "Reshape", "$x $shape", "", "y");
  assert_refused (&indices, "“shape”");
}

/* Weights that a file only names may be as large as it likes; each alone would be taken. */
static void
test_too_large (void)
{
  g_auto (Case) self = { .make = onnx_make_new (17) };

  onnx_make_input (self.make, "x", "4x4");
  onnx_make_node (self.make, "ConstantOfShape", "{4,4}", "", "w");
  onnx_make_node (self.make, "ConstantOfShape", "{536870911}", "", "u");
  onnx_make_node (self.make, "MatMul", "$x $w", "", "a");
  onnx_make_node (self.make, "Relu", "$u", "", "b");
  assert_refused (&self, "the constants without data, up to “u”");
}

/* A graph of another file. */
static void
test_another (void)
{
  static const guint32 part_of[] = { 0 };
  g_auto (Case) self = { .make = onnx_make_new (17) };
  g_autoptr (OnnxMake) other = onnx_make_new (17);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  onnx_make_node (self.make, "Relu", "2x2", "", "y");
  case_read (&self, part_of);
  onnx_make_node (other, "Relu", "2x2", "", "z");
  bytes = onnx_make_pack (other);
  g_assert_null (goban_model_parts_new_from_bytes (bytes, "other", self.graph, 0, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
}

TEST_PROGRAM (model_parts)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/model-parts/parts", test_parts);
  g_test_add_func ("/measure/model-parts/results", test_results);
  g_test_add_func ("/measure/model-parts/weights", test_weights);
  g_test_add_func ("/measure/model-parts/refused", test_refused);
  g_test_add_func ("/measure/model-parts/too-large", test_too_large);
  g_test_add_func ("/measure/model-parts/another-file", test_another);
  return g_test_run ();
}
