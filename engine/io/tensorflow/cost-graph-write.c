#include "engine/io/tensorflow/cost-graph-write.h"

#include "engine/core/error.h"
#include "engine/graph/file-devices.h"
#include "engine/io/onnx/onnx-tensor.h"
#include "engine/io/protobuf-text.h"
#include "engine/io/tensorflow.pb-c.h"
#include "engine/io/tensorflow/tf-shapes.h"

#include <math.h>
#include <string.h>

/* Amounts above count as this, so that they are exact. */
#define MOST_WHOLE 9007199254740992.0 /* 2^53 */

static void
append_text (GString *out, const char *field, const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  g_string_append_printf (out, "  %s: \"%s\"\n", field, escaped);
}

static void
append_whole (GString *out, const char *field, double value)
{
  value = MIN (round (value), MOST_WHOLE);
  if (value > 0)
    g_string_append_printf (out, "  %s: %.0f\n", field, value);
}

/* "gpu:1" is "/device:GPU:1"; names of tasks are as the file had them. */
static void
append_device (GString *out, const char *device)
{
  g_autofree char *upper = NULL;
  g_autofree char *full = NULL;

  if (*device == '\0')
    return;
  upper = g_ascii_strup (device, -1);
  full = g_strconcat ("/device:", upper, NULL);
  append_text (out, "device", *device == '/' ? device : full);
}

/* (nullable): "DT_FLOAT" of "f32". */
static const char *
find_dtype (const char *dtype)
{
  const ProtobufCEnumDescriptor *types = &goban_tf__data_type__descriptor;

  for (unsigned i = 0; *dtype != '\0' && i < types->n_values; i++)
    if (strcmp (goban_onnx_dtype_name (goban_tf_dtype (types->values[i].value)), dtype) == 0)
      return types->values[i].name;
  return NULL;
}

static void
append_output (GString *out, const GobanTensor *tensor)
{
  const char *dtype = find_dtype (tensor->dtype);

  g_string_append_printf (out, "  output_info { size: %.0f alias_input_port: -1",
                          MIN (ceil (tensor->size_bytes), MOST_WHOLE));
  if (tensor->has_shape)
    {
      g_string_append (out, " shape {");
      for (guint i = 0; i < tensor->n_dims; i++)
        g_string_append_printf (out, " dim { size: %" G_GINT64_FORMAT " }", tensor->dims[i]);
      g_string_append (out, " }");
    }
  if (dtype != NULL)
    g_string_append_printf (out, " dtype: %s", dtype);
  g_string_append (out, " }\n");
}

/* Control edges have a field of their own, and their tensors no port. */
static void
append_edges (GString *out, const GobanGraph *graph, const guint32 *ports, GobanNodeId node)
{
  GobanEdgeSpan edges = goban_graph_get_in_edges (graph, node);

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      if (goban_graph_get_tensor (graph, edge->tensor)->is_control)
        g_string_append_printf (out, "  control_input: %u\n", edge->tail);
      else if (ports[edge->tensor] == 0)
        g_string_append_printf (out, "  input_info { preceding_node: %u }\n", edge->tail);
      else
        g_string_append_printf (out, "  input_info { preceding_node: %u preceding_port: %u }\n",
                                edge->tail, ports[edge->tensor]);
    }
}

static gboolean
append_time (GString *out, const GobanGraph *graph, GobanNodeId node, GError **error)
{
  guint kind = goban_graph_find_kind (graph, GOBAN_ANY_KIND);
  double time_us;

  if (goban_graph_get_n_kinds (graph) == 0)
    return TRUE;
  kind = kind != GOBAN_NO_KIND ? kind : 0;
  time_us = goban_graph_get_time_us (graph, node, kind);
  if (isinf (time_us))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "node “%s” cannot run on “%s”, which a CostGraphDef cannot say",
                         goban_graph_get_node (graph, node)->name,
                         goban_graph_get_kind (graph, kind));
  if (!isnan (time_us))
    append_whole (out, "compute_cost", time_us);
  return TRUE;
}

static gboolean
append_node (GString *out, const GobanGraph *graph, const guint32 *ports, GobanNodeId id,
             GError **error)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, id, &n_tensors);

  g_string_append (out, "node {\n");
  append_text (out, "name", node->name);
  append_device (out, goban_graph_get_file_device (graph, id));
  g_string_append_printf (out, "  id: %u\n", id);
  append_edges (out, graph, ports, id);
  for (guint i = 0; i < n_tensors; i++)
    if (!goban_graph_get_tensor (graph, first + i)->is_control)
      append_output (out, goban_graph_get_tensor (graph, first + i));
  if (goban_graph_get_out_edges (graph, id).n == 0)
    g_string_append (out, "  is_final: true\n");
  if (!append_time (out, graph, id, error))
    return FALSE;
  append_whole (out, "persistent_memory_size", node->param_bytes);
  g_string_append (out, "}\n");
  return TRUE;
}

/* Number of each tensor among those of its node that are not control. */
static guint32 *
number_ports (const GobanGraph *graph)
{
  guint32 *ports = g_new0 (guint32, goban_graph_get_n_tensors (graph) + 1);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint n;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n);
      guint32 port = 0;

      for (guint i = 0; i < n; i++)
        if (!goban_graph_get_tensor (graph, first + i)->is_control)
          ports[first + i] = port++;
    }
  return ports;
}

char *
goban_cost_graph_write (const GobanGraph *graph, gsize *size, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree guint32 *ports = number_ports (graph);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (!append_node (out, graph, ports, v, error))
      return NULL;
  *size = out->len;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
goban_cost_graph_write_binary (const GobanGraph *graph, gsize *size, GError **error)
{
  g_autofree char *text = goban_cost_graph_write (graph, size, error);
  g_autoptr (GByteArray) bytes = NULL;

  if (text == NULL)
    return NULL;
  bytes = goban_protobuf_text_encode (&goban_tf__cost_graph__descriptor, text, *size,
                                      "CostGraphDef", error);
  if (bytes == NULL)
    return NULL;
  *size = bytes->len;
  return (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}
