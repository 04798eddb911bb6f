#include "engine/io/json-write.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/graph/collectives.h"
#include "engine/io/node-fields.h"

#include <math.h>

static void
append_number (GString *out, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append (out, goban_format_double (buffer, value));
}

/* `, "name": ` */
static void
append_member (GString *out, const char *name)
{
  g_string_append (out, ", ");
  goban_json_append_string (out, name);
  g_string_append (out, ": ");
}

static void
append_times (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  gboolean any = FALSE;

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, node, k);

      if (isnan (time_us))
        continue;
      g_string_append (out, any ? ", " : ", \"times\": {");
      goban_json_append_string (out, goban_graph_get_kind (graph, k));
      g_string_append (out, ": ");
      if (isinf (time_us))
        g_string_append (out, "\"never\"");
      else
        append_number (out, time_us);
      any = TRUE;
    }

  if (any)
    g_string_append_c (out, '}');
  if (goban_graph_get_node (graph, node)->time_source
      != (any ? GOBAN_SOURCE_GIVEN : GOBAN_SOURCE_ESTIMATED))
    {
      append_member (out, "time_source");
      goban_json_append_string (
          out, goban_source_names[goban_graph_get_node (graph, node)->time_source]);
    }
}

static void
append_inputs (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  GobanEdgeSpan span = goban_graph_get_in_edges (graph, node);

  for (guint i = 0; i < span.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, span.ids[i]);
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, edge->tail, &n_tensors);

      g_string_append (out, i == 0 ? ", \"inputs\": [" : ", ");
      if (edge->tensor > first)
        g_string_append_c (out, '[');
      goban_json_append_string (out, goban_graph_get_node (graph, edge->tail)->name);
      if (edge->tensor > first)
        g_string_append_printf (out, ", %u]", edge->tensor - first);
    }
  if (span.n > 0)
    g_string_append_c (out, ']');
}

/* Returns whether there were any. */
static gboolean
append_transfers (GString *out, const GobanGraph *graph, GobanTensorId tensor)
{
  guint n_kinds = goban_graph_get_n_kinds (graph);
  gboolean any = FALSE;

  for (guint a = 0; a < n_kinds; a++)
    for (guint b = 0; b < n_kinds; b++)
      {
        double time_us = goban_graph_get_transfer_us (graph, tensor, a, b);

        if (isnan (time_us))
          continue;
        g_string_append (out, any ? ", [" : ", \"transfers\": [[");
        goban_json_append_string (out, goban_graph_get_kind (graph, a));
        g_string_append (out, ", ");
        goban_json_append_string (out, goban_graph_get_kind (graph, b));
        g_string_append (out, ", ");
        append_number (out, time_us);
        g_string_append_c (out, ']');
        any = TRUE;
      }
  if (any)
    g_string_append_c (out, ']');
  return any;
}

static void
append_output (GString *out, const GobanGraph *graph, GobanTensorId id)
{
  const GobanTensor *tensor = goban_graph_get_tensor (graph, id);
  gsize start = out->len;
  gboolean is_plain = !tensor->has_shape && !tensor->is_control;

  g_string_append (out, "{\"bytes\": ");
  append_number (out, tensor->size_bytes);
  if (tensor->is_control)
    g_string_append (out, ", \"control\": true");
  if (tensor->has_shape)
    {
      if (*tensor->dtype != '\0')
        {
          append_member (out, "dtype");
          goban_json_append_string (out, tensor->dtype);
        }
      g_string_append (out, ", \"dims\": [");
      for (guint i = 0; i < tensor->n_dims; i++)
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", tensor->dims[i]);
      g_string_append_c (out, ']');
    }
  if (append_transfers (out, graph, id) || !is_plain)
    {
      g_string_append_c (out, '}');
      return;
    }

  /* Nothing but a size: the number alone says it. */
  g_string_truncate (out, start);
  append_number (out, tensor->size_bytes);
}

static void
append_outputs (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  for (guint i = 0; i < n_tensors; i++)
    {
      g_string_append (out, i == 0 ? ", \"outputs\": [" : ", ");
      append_output (out, graph, first + i);
    }
  if (n_tensors > 0)
    g_string_append_c (out, ']');
}

static void
append_node (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  const GobanNodeCollective *collective = goban_graph_find_collective (graph, id);

  g_string_append (out, "{\"name\": ");
  goban_json_append_string (out, node->name);
  if (*node->op != '\0')
    {
      append_member (out, "op");
      goban_json_append_string (out, node->op);
    }
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      double value = G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset);

      if (value == 0)
        continue;
      append_member (out, goban_node_fields[i].name);
      append_number (out, value);
    }
  if (node->size_source != GOBAN_SOURCE_ESTIMATED)
    {
      append_member (out, "size_source");
      goban_json_append_string (out, goban_source_names[node->size_source]);
    }
  if (node->phase != GOBAN_PHASE_FORWARD)
    {
      append_member (out, "phase");
      goban_json_append_string (out, goban_phase_names[node->phase]);
    }
  if (node->group != GOBAN_NO_GROUP)
    g_string_append_printf (out, ", \"group\": %u", node->group);
  if (node->lane != GOBAN_NO_LANE)
    g_string_append_printf (out, ", \"lane\": %u", node->lane);
  if (node->micro_batch != GOBAN_NO_BATCH)
    g_string_append_printf (out, ", \"micro_batch\": %u", node->micro_batch);
  if (node->origin != NULL)
    {
      append_member (out, "origin");
      goban_json_append_string (out, node->origin);
    }
  if (collective != NULL)
    {
      append_member (out, "collective");
      goban_json_append_string (out, goban_collective_names[collective->kind]);
      append_member (out, "collective_bytes");
      append_number (out, collective->bytes);
      if (collective->n_ranks > 0)
        g_string_append_printf (out, ", \"collective_ranks\": %u, \"collective_step\": %u",
                                collective->n_ranks, collective->rank_step);
      if (collective->group != NULL)
        {
          append_member (out, "collective_group");
          goban_json_append_string (out, collective->group);
        }
    }

  append_times (out, graph, id);
  append_inputs (out, graph, id);
  append_outputs (out, graph, id);
  g_string_append_c (out, '}');
}

static void
append_list (GString *out, const char *name, const char *const *words, guint n)
{
  g_string_append_printf (out, ",\n\"%s\": [", name);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      goban_json_append_string (out, words[i]);
    }
  g_string_append_c (out, ']');
}

char *
goban_json_write (const GobanGraph *graph, gsize *size, GError **error)
{
  GString *out = g_string_new ("{\n\"goban\": \"graph\", \"version\": 1");
  const char *const *warnings = goban_graph_get_warnings (graph);
  guint n_kinds = goban_graph_get_n_kinds (graph);

  append_member (out, "name");
  goban_json_append_string (out, goban_graph_get_name (graph));
  if (n_kinds > 0)
    {
      g_autofree const char **kinds = g_new (const char *, n_kinds);

      for (guint k = 0; k < n_kinds; k++)
        kinds[k] = goban_graph_get_kind (graph, k);
      append_list (out, "kinds", kinds, n_kinds);
    }
  if (*goban_graph_get_cluster_spec (graph) != '\0')
    {
      append_member (out, "cluster");
      goban_json_append_string (out, goban_graph_get_cluster_spec (graph));
    }
  if (warnings[0] != NULL)
    append_list (out, "warnings", warnings, g_strv_length ((char **) warnings));

  g_string_append (out, ",\n\"nodes\": [");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      g_string_append (out, v > 0 ? ",\n" : "\n");
      append_node (out, graph, v);
    }
  g_string_append (out, "\n]}\n");

  *size = out->len;
  return g_string_free (out, FALSE);
}
