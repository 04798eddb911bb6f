#include "engine/study/analysis/propagate.h"

static void
combine (GobanNumbersFold how, double *sum, guint *n, double value)
{
  if (*n == 0)
    *sum = value;
  else if (how == GOBAN_NUMBERS_SUM)
    *sum += value;
  else if (how == GOBAN_NUMBERS_MAX ? value > *sum : value < *sum)
    *sum = value;
  ++*n;
}

static void
propagate_forward (const GobanGraph *graph, GobanNumbersFold how, double *out, const double *values,
                   const double *along)
{
  gsize k = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
      double sum = 0;
      guint n = 0;

      for (guint i = 0; i < in.n; i++, k++)
        combine (how, &sum, &n,
                 out[goban_graph_get_edge (graph, in.ids[i])->tail]
                     + (along != NULL ? along[k] : 0));
      out[v] = values[v] + sum;
    }
}

/* Ids are topological: what comes to a node has come when the nodes behind it are done. */
static void
propagate_backward (const GobanGraph *graph, GobanNumbersFold how, double *out,
                    const double *values, const double *along)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  double *sums = g_new0 (double, n_nodes);
  guint *counts = g_new0 (guint, n_nodes);
  gsize k = goban_graph_get_n_edges (graph);

  for (GobanNodeId v = n_nodes; v-- > 0;)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      out[v] = values[v] + sums[v];
      k -= in.n;
      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;

          combine (how, &sums[tail], &counts[tail], out[v] + (along != NULL ? along[k + i] : 0));
        }
    }
  g_free (sums);
  g_free (counts);
}

void
goban_propagate (const GobanGraph *graph, GobanNumbersFold how, gboolean is_backward, double *out,
                 const double *values, const double *along)
{
  if (is_backward)
    propagate_backward (graph, how, out, values, along);
  else
    propagate_forward (graph, how, out, values, along);
}
