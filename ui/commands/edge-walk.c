#include "ui/commands/edge-walk.h"

#include "engine/study/run/selection.h"

static GobanNodeId
other_end (GobanGraph *graph, GobanEdgeId edge, gboolean is_input)
{
  const GobanEdge *data = goban_graph_get_edge (graph, edge);

  return is_input ? data->tail : data->head;
}

static GobanNodeId
walk_along (GobanGraph *graph, GobanNodeId node, gboolean is_input)
{
  GobanEdgeSpan edges
      = is_input ? goban_graph_get_in_edges (graph, node) : goban_graph_get_out_edges (graph, node);
  GobanNodeId best = GOBAN_NO_NODE;
  double most_bytes = -1;

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);
      double size_bytes = goban_graph_get_tensor (graph, edge->tensor)->size_bytes;

      if (size_bytes > most_bytes)
        {
          most_bytes = size_bytes;
          best = other_end (graph, edges.ids[i], is_input);
        }
    }

  return best;
}

GobanNodeId
goban_edge_walk_input (GobanGraph *graph, GobanNodeId node)
{
  return walk_along (graph, node, TRUE);
}

GobanNodeId
goban_edge_walk_output (GobanGraph *graph, GobanNodeId node)
{
  return walk_along (graph, node, FALSE);
}

/* Among the nodes beside @node, the next one in its direction, and the furthest one against it,
 * which follows after the end. */
typedef struct
{
  GobanNodeId next;
  GobanNodeId furthest;
} Beside;

static void
look_beside (Beside *beside, GobanNodeId node, GobanNodeId other, int direction)
{
  gboolean is_ahead = direction > 0 ? other > node : other < node;

  if (is_ahead
      && (beside->next == GOBAN_NO_NODE
          || (direction > 0 ? other < beside->next : other > beside->next)))
    beside->next = other;
  if (beside->furthest == GOBAN_NO_NODE
      || (direction > 0 ? other < beside->furthest : other > beside->furthest))
    beside->furthest = other;
}

GobanNodeId
goban_edge_walk_sibling (GobanGraph *graph, GobanNodeId node, int direction)
{
  GobanEdgeSpan up = goban_graph_get_in_edges (graph, node);
  gboolean has_inputs = up.n > 0;
  Beside beside = { GOBAN_NO_NODE, GOBAN_NO_NODE };

  if (!has_inputs)
    up = goban_graph_get_out_edges (graph, node);
  for (guint i = 0; i < up.n; i++)
    {
      GobanNodeId shared = other_end (graph, up.ids[i], has_inputs);
      GobanEdgeSpan down = has_inputs ? goban_graph_get_out_edges (graph, shared)
                                      : goban_graph_get_in_edges (graph, shared);

      for (guint k = 0; k < down.n; k++)
        look_beside (&beside, node, other_end (graph, down.ids[k], !has_inputs), direction);
    }

  if (beside.next != GOBAN_NO_NODE)
    return beside.next;
  return beside.furthest != GOBAN_NO_NODE ? beside.furthest : node;
}

static GobanSelection *
dup_ends (GobanGraph *graph, GobanEdgeSpan edges, gboolean is_input)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, edges.n + 1);

  for (guint i = 0; i < edges.n; i++)
    ids[i] = other_end (graph, edges.ids[i], is_input);
  return goban_selection_new (ids, edges.n);
}

GobanNodeId *
goban_edge_walk_neighbours (GobanGraph *graph, GobanNodeId node, guint *n)
{
  g_autoptr (GobanSelection) inputs
      = dup_ends (graph, goban_graph_get_in_edges (graph, node), TRUE);
  g_autoptr (GobanSelection) outputs
      = dup_ends (graph, goban_graph_get_out_edges (graph, node), FALSE);
  guint n_inputs, n_outputs;
  const GobanNodeId *in = goban_selection_get_ids (inputs, &n_inputs);
  const GobanNodeId *out = goban_selection_get_ids (outputs, &n_outputs);
  GobanNodeId *ids = g_new (GobanNodeId, n_inputs + n_outputs + 1);

  for (guint i = 0; i < n_inputs; i++)
    ids[i] = in[i];
  for (guint i = 0; i < n_outputs; i++)
    ids[n_inputs + i] = out[i];
  *n = n_inputs + n_outputs;
  return ids;
}
