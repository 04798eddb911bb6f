#include "engine/graph/drawing.h"

#include "engine/core/error.h"
#include "engine/core/lua-text.h"
#include "engine/graph/graph-builder.h"

#include <math.h>

static double
get_time_us (const GobanGraph *graph, GobanNodeId node)
{
  return goban_graph_get_n_kinds (graph) > 0 ? goban_graph_get_time_us (graph, node, 0)
                                             : (double) NAN;
}

gboolean
goban_drawing_is (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  if (!g_str_equal (goban_graph_get_format (graph), "json") || n_nodes > GOBAN_DRAWING_MOST_NODES
      || goban_graph_get_n_groups (graph) > 0 || goban_graph_get_n_kinds (graph) > 1
      || (goban_graph_get_n_kinds (graph) == 1
          && !g_str_equal (goban_graph_get_kind (graph, 0), GOBAN_ANY_KIND)))
    return FALSE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint n;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n);

      if (n > 1 || (n == 1 && goban_graph_get_tensor (graph, first)->is_control)
          || goban_graph_get_node (graph, v)->param_bytes > 0)
        return FALSE;
    }
  return TRUE;
}

/* --- changing --------------------------------------------------------------------------------- */

static guint32
add_op (GobanGraphBuilder *builder, const char *name, const char *op, double time_us, double bytes)
{
  guint32 node = goban_graph_builder_add_node (builder, name, op);

  if (!isnan (time_us))
    goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_add_tensor (builder, node, bytes);
  return node;
}

/* Edge by edge: tensors of the builder have the numbers of their nodes. */
static void
copy_edges (GobanGraphBuilder *builder, const GobanGraph *graph, const GobanDrawChange *change,
            const guint32 *ids)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;
          gboolean is_cut
              = change->kind == GOBAN_DRAW_DISCONNECT && tail == change->node && v == change->to;

          if (!is_cut && ids[tail] != GOBAN_NO_NODE && ids[v] != GOBAN_NO_NODE)
            goban_graph_builder_add_edge (builder, ids[tail], ids[v]);
        }
    }
}

GobanGraph *
goban_drawing_change (const GobanGraph *graph, const GobanDrawChange *change, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanGraphBuilder) builder
      = goban_graph_builder_new (goban_graph_get_name (graph), goban_graph_get_format (graph));
  g_autofree guint32 *ids = g_new (guint32, n_nodes);

  if (change->kind == GOBAN_DRAW_ADD && n_nodes >= GOBAN_DRAWING_MOST_NODES)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH, "a drawn graph has at most %u ops",
                       GOBAN_DRAWING_MOST_NODES);
      return NULL;
    }
  if (change->kind == GOBAN_DRAW_REMOVE && n_nodes == 1)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH, "%s is the last op: add another one first",
                       goban_graph_get_node (graph, change->node)->name);
      return NULL;
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      gboolean is_set = change->kind == GOBAN_DRAW_SET && v == change->node;

      ids[v] = change->kind == GOBAN_DRAW_REMOVE && v == change->node
                   ? GOBAN_NO_NODE
                   : add_op (builder, node->name, is_set ? change->op : node->op,
                             is_set ? change->time_us : get_time_us (graph, v),
                             is_set ? change->bytes : goban_graph_get_output_bytes (graph, v));
    }
  copy_edges (builder, graph, change, ids);
  if (change->kind == GOBAN_DRAW_ADD)
    add_op (builder, change->name, change->op, change->time_us, change->bytes);
  if (change->kind == GOBAN_DRAW_CONNECT)
    goban_graph_builder_add_edge (builder, ids[change->node], ids[change->to]);
  return goban_graph_builder_finish (builder, NULL, error);
}

/* --- as Lua ----------------------------------------------------------------------------------- */

static void
append_name (GString *code, const GobanGraph *graph, GobanNodeId node)
{
  goban_lua_text_append (code, goban_graph_get_node (graph, node)->name);
}

static void
append_values (GString *code, const GobanDrawChange *change)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE], bytes[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (code, "op = ");
  goban_lua_text_append (code, change->op);
  g_string_append_printf (code, ", times = %s, outputs = { %s }",
                          g_ascii_dtostr (time, sizeof time, change->time_us / 1e6),
                          g_ascii_dtostr (bytes, sizeof bytes, change->bytes));
}

/* The place of an edge among the inputs of its head, from 1; an edge that is not there comes last.
 */
static guint
find_input (const GobanGraph *graph, GobanNodeId tail, GobanNodeId head)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, head);

  for (guint i = 0; i < in.n; i++)
    if (goban_graph_get_edge (graph, in.ids[i])->tail == tail)
      return i + 1;
  return in.n + 1;
}

char *
goban_drawing_dup_code (const GobanGraph *graph, const GobanDrawChange *change)
{
  g_autoptr (GString) code = g_string_new ("g:edit{ ");

  switch (change->kind)
    {
    case GOBAN_DRAW_ADD:
      g_string_append (code, "add = { { name = ");
      goban_lua_text_append (code, change->name);
      g_string_append (code, ", ");
      append_values (code, change);
      g_string_append (code, " } }");
      break;
    case GOBAN_DRAW_SET:
      g_string_append (code, "where = { ");
      append_name (code, graph, change->node);
      g_string_append (code, " }, set = { ");
      append_values (code, change);
      g_string_append (code, " }");
      break;
    case GOBAN_DRAW_REMOVE:
      g_string_append (code, "where = { ");
      append_name (code, graph, change->node);
      g_string_append (code, " }, remove = true");
      break;
    case GOBAN_DRAW_CONNECT:
    case GOBAN_DRAW_DISCONNECT:
      g_string_append (code, "rewire = { { ");
      append_name (code, graph, change->to);
      g_string_append_printf (
          code, ", input = %u, from = ", find_input (graph, change->node, change->to));
      if (change->kind == GOBAN_DRAW_CONNECT)
        append_name (code, graph, change->node);
      else
        g_string_append (code, "false");
      g_string_append (code, " } }");
      break;
    }
  g_string_append (code, " }");
  return g_string_free (g_steal_pointer (&code), FALSE);
}
