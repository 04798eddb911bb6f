#include "tests/io/onnx-cases.h"

static const char *const names[] = { "y0", "y0 y1", "y0 y1 y2", "y0 y1 y2 y3" };

static guint
count_outputs (const char *outputs)
{
  g_auto (GStrv) list = g_strsplit (outputs, ",", -1);

  return g_strv_length (list);
}

static void
test_case (gconstpointer data)
{
  const OnnxCase *c = data;
  g_autoptr (OnnxMake) make = onnx_make_new (c->opset > 0 ? c->opset : 17);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GString) outputs = g_string_new (NULL);
  const GobanNode *node;
  guint first, n;

  onnx_make_node (make, c->op, c->values, c->attributes, names[count_outputs (c->outputs) - 1]);
  graph = onnx_make_read (make, NULL, &error);
  g_assert_no_error (error);

  first = goban_graph_get_node_tensors (graph, 0, &n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = onnx_make_text (goban_graph_get_tensor (graph, first + i));

      g_string_append_printf (outputs, "%s%s", i > 0 ? "," : "", text);
    }
  g_assert_cmpstr (outputs->str, ==, c->outputs);
  node = goban_graph_get_node (graph, 0);
  g_assert_cmpfloat (node->macs, ==, c->macs);
  g_assert_cmpfloat (node->flops, ==, c->flops);
}

void
onnx_cases_add (const char *group, const OnnxCase *cases, guint n)
{
  g_test_set_nonfatal_assertions (); /* every row is told of, not only the first that fails */
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%s/%s/%s", group, cases[i].op, cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
}
