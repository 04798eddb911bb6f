#include "engine/io/model-explorer-write.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/io/node-fields.h"

#include <math.h>
#include <string.h>

/* `{"key": ..., "value": ...}`, both of them text. */
static void
append_attr (GString *out, gboolean *any, const char *key, const char *value)
{
  g_string_append (out, *any ? ", {\"key\": " : "{\"key\": ");
  goban_json_append_string (out, key);
  g_string_append (out, ", \"value\": ");
  goban_json_append_string (out, value);
  g_string_append_c (out, '}');
  *any = TRUE;
}

static void
append_number (GString *out, gboolean *any, const char *key, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  append_attr (out, any, key, isinf (value) ? "never" : goban_format_double (buffer, value));
}

static void
append_attrs (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  gboolean any = FALSE;

  g_string_append (out, ", \"attrs\": [");
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      double value = G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset);

      if (value != 0)
        append_number (out, &any, goban_node_fields[i].name, value);
    }
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, id, k);
      g_autofree char *key = g_strconcat ("time_us:", goban_graph_get_kind (graph, k), NULL);

      if (!isnan (time_us))
        append_number (out, &any, key, time_us);
    }
  append_attr (out, &any, "size_source", goban_source_names[node->size_source]);
  append_attr (out, &any, "time_source", goban_source_names[node->time_source]);
  if (node->phase != GOBAN_PHASE_FORWARD)
    append_attr (out, &any, "phase", goban_phase_names[node->phase]);
  if (node->group != GOBAN_NO_GROUP)
    append_number (out, &any, "group", node->group);
  g_string_append_c (out, ']');
}

static void
append_edges (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  GobanEdgeSpan span = goban_graph_get_in_edges (graph, node);

  g_string_append (out, ", \"incomingEdges\": [");
  for (guint i = 0; i < span.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, span.ids[i]);
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, edge->tail, &n_tensors);

      g_string_append (out, i > 0 ? ", {\"sourceNodeId\": " : "{\"sourceNodeId\": ");
      goban_json_append_string (out, goban_graph_get_node (graph, edge->tail)->name);
      g_string_append_printf (out,
                              ", \"sourceNodeOutputId\": \"%u\", \"targetNodeInputId\": \"%u\"}",
                              edge->tensor - first, i);
    }
  g_string_append_c (out, ']');
}

/* "f32[2,3]" */
static char *
dup_shape (const GobanTensor *tensor)
{
  GString *text = g_string_new (tensor->dtype);

  g_string_append_c (text, '[');
  for (guint i = 0; i < tensor->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", tensor->dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
append_outputs (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  g_string_append (out, ", \"outputsMetadata\": [");
  for (guint i = 0; i < n_tensors; i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);
      g_autofree char *shape = tensor->has_shape ? dup_shape (tensor) : NULL;
      gboolean any = FALSE;

      g_string_append_printf (out, "%s{\"id\": \"%u\", \"attrs\": [", i > 0 ? ", " : "", i);
      if (shape != NULL)
        append_attr (out, &any, "tensor_shape", shape);
      append_number (out, &any, "size_bytes", tensor->size_bytes);
      if (tensor->is_control)
        append_attr (out, &any, "control", "true");
      g_string_append (out, "]}");
    }
  g_string_append_c (out, ']');
}

static void
append_node (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  const char *slash = strrchr (node->name, '/');
  g_autofree char *scope
      = slash != NULL ? g_strndup (node->name, (gsize) (slash - node->name)) : g_strdup ("");

  g_string_append (out, "{\"id\": ");
  goban_json_append_string (out, node->name);
  g_string_append (out, ", \"label\": ");
  goban_json_append_string (out, node->op);
  g_string_append (out, ", \"namespace\": ");
  goban_json_append_string (out, scope);
  append_attrs (out, graph, id);
  append_edges (out, graph, id);
  append_outputs (out, graph, id);
  g_string_append_c (out, '}');
}

char *
goban_model_explorer_write (const GobanGraph *graph, gsize *size, GError **error)
{
  GString *out = g_string_new ("{\"label\": ");

  goban_json_append_string (out, goban_graph_get_name (graph));
  g_string_append (out, ", \"graphs\": [{\"id\": \"main\", \"nodes\": [");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      g_string_append (out, v > 0 ? ",\n" : "\n");
      append_node (out, graph, v);
    }
  g_string_append (out, "\n]}]}\n");
  *size = out->len;
  return g_string_free (out, FALSE);
}
