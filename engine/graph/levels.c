#include "engine/graph/levels.h"

#include "engine/graph/graph-private.h"

static double
tensor_weight (const double *c, GobanTensorId tensor)
{
  return c != NULL ? c[tensor] : 0;
}

void
goban_graph_top_levels (const GobanGraph *graph, double *top_us, const double *w, const double *c)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      top_us[v] = 0;
      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
          double end_us = top_us[edge->tail] + w[edge->tail] + tensor_weight (c, edge->tensor);

          top_us[v] = MAX (top_us[v], end_us);
        }
    }
}

void
goban_graph_bottom_levels (const GobanGraph *graph, double *bottom_us, const double *w,
                           const double *c)
{
  /* Ids are topological, so walking them downwards meets every successor first. */
  for (GobanNodeId v = goban_graph_get_n_nodes (graph); v-- > 0;)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);
      double rest_us = 0;

      for (guint i = 0; i < out.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);

          rest_us = MAX (rest_us, tensor_weight (c, edge->tensor) + bottom_us[edge->head]);
        }
      bottom_us[v] = w[v] + rest_us;
    }
}

double
goban_graph_longest_path (const GobanGraph *graph, const double *w, const double *c)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *bottom_us = g_new (double, n_nodes);
  double longest_us = 0;

  goban_graph_bottom_levels (graph, bottom_us, w, c);
  for (guint v = 0; v < n_nodes; v++)
    longest_us = MAX (longest_us, bottom_us[v]);
  return longest_us;
}

guint
goban_graph_depths (const GobanGraph *graph, guint32 *depth)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint deepest = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      depth[v] = 0;
      for (guint i = 0; i < in.n; i++)
        depth[v] = MAX (depth[v], depth[goban_graph_get_edge (graph, in.ids[i])->tail] + 1);
      deepest = MAX (deepest, depth[v]);
    }
  return deepest;
}

/* heads (n_edges): those of each node's out-edges in the order of adding; a node's begin where its
 * out-edges do. */
static void
gather_heads (const GobanGraph *graph, GobanNodeId *heads)
{
  g_autofree guint32 *next
      = g_memdup2 (graph->out_offsets, (graph->n_nodes + 1) * sizeof *graph->out_offsets);

  for (guint i = 0; i < graph->n_edges; i++)
    {
      const GobanEdge *edge = &graph->edges[graph->added_edges[i]];

      heads[next[edge->tail]++] = edge->head;
    }
}

void
goban_graph_kahn_order (const GobanGraph *graph, GobanNodeId *order)
{
  g_autofree GobanNodeId *heads = g_new (GobanNodeId, graph->n_edges + 1);
  g_autofree guint32 *n_waiting = g_new (guint32, graph->n_nodes + 1);
  guint n_ordered = 0;

  gather_heads (graph, heads);
  for (GobanNodeId v = 0; v < graph->n_nodes; v++)
    {
      n_waiting[v] = graph->in_offsets[v + 1] - graph->in_offsets[v];
      if (n_waiting[v] == 0)
        order[n_ordered++] = v;
    }

  for (guint i = 0; i < n_ordered; i++)
    for (guint32 e = graph->out_offsets[order[i]]; e < graph->out_offsets[order[i] + 1]; e++)
      if (--n_waiting[heads[e]] == 0)
        order[n_ordered++] = heads[e];
}
