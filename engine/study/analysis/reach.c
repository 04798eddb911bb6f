#include "engine/study/analysis/reach.h"

typedef struct
{
  guint8 *is_seen;    /* (n_nodes) */
  GobanNodeId *queue; /* in order of distance */
  guint tail;
} Walk;

static void
visit (Walk *self, GobanNodeId node)
{
  if (!self->is_seen[node])
    self->queue[self->tail++] = node;
  self->is_seen[node] = TRUE;
}

static void
visit_neighbours (Walk *self, GobanGraph *graph, GobanNodeId node, gboolean is_upstream)
{
  GobanEdgeSpan edges = is_upstream ? goban_graph_get_in_edges (graph, node)
                                    : goban_graph_get_out_edges (graph, node);

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      visit (self, is_upstream ? edge->tail : edge->head);
    }
}

GobanSelection *
goban_reach_new (GobanGraph *graph, const GobanNodeId *ids, guint n, gint64 n_steps,
                 gboolean is_upstream)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *is_seen = g_new0 (guint8, n_nodes + 1);
  g_autofree GobanNodeId *queue = g_new (GobanNodeId, n_nodes + 1);
  Walk walk = { is_seen, queue, 0 };
  guint head = 0, n_given;

  for (guint i = 0; i < n; i++)
    visit (&walk, ids[i]);
  n_given = walk.tail;

  for (gint64 step = 0; step < n_steps && head < walk.tail; step++)
    for (guint end = walk.tail; head < end; head++)
      visit_neighbours (&walk, graph, queue[head], is_upstream);

  return goban_selection_new (queue + n_given, walk.tail - n_given);
}
