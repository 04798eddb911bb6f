#include "engine/placers/search/unit-graph.h"

#include <stdlib.h>

typedef struct
{
  guint32 from;
  guint32 to;
  double weight_us;
} Pair;

static int
compare_pairs (const void *a, const void *b)
{
  const Pair *x = a;
  const Pair *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

static int
compare_links (const void *a, const void *b)
{
  const GobanUnitLink *x = a;
  const GobanUnitLink *y = b;

  if (x->weight_us != y->weight_us)
    return x->weight_us > y->weight_us ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Both directions of every pair that a tensor connects. */
static GArray *
gather_pairs (const GobanUnits *units)
{
  guint n_tensors = goban_graph_get_n_tensors (units->graph);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autofree guint32 *seen_by = g_new (guint32, units->n_units);
  g_autofree double *transfers_us = g_new (double, n_tensors);

  for (guint u = 0; u < units->n_units; u++)
    seen_by[u] = GOBAN_NO_TENSOR;
  goban_cost_model_mean_transfers (units->costs, transfers_us);

  for (GobanTensorId t = 0; t < n_tensors; t++)
    {
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (units->graph, t);
      guint32 from = units->unit_of[goban_graph_get_tensor (units->graph, t)->producer];

      for (guint i = 0; i < edges.n; i++)
        {
          guint32 to = units->unit_of[goban_graph_get_edge (units->graph, edges.ids[i])->head];
          Pair both[] = { { from, to, transfers_us[t] }, { to, from, transfers_us[t] } };

          if (to == from || seen_by[to] == t)
            continue;
          seen_by[to] = t;
          g_array_append_vals (pairs, both, G_N_ELEMENTS (both));
        }
    }
  return pairs;
}

GobanUnitGraph *
goban_unit_graph_new (const GobanUnits *units)
{
  GobanUnitGraph *self = g_new0 (GobanUnitGraph, 1);
  g_autoptr (GArray) pairs = gather_pairs (units);
  guint32 n = 0;

  if (pairs->len > 1)
    qsort (pairs->data, pairs->len, sizeof (Pair), compare_pairs);
  self->n_units = units->n_units;
  self->offsets = g_new0 (guint32, units->n_units + 1);
  self->links = g_new (GobanUnitLink, pairs->len);
  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, i);

      if (i > 0 && compare_pairs (pair, pair - 1) == 0)
        {
          self->links[n - 1].weight_us += (float) pair->weight_us;
          continue;
        }
      self->links[n++] = (GobanUnitLink){ pair->to, (float) pair->weight_us };
      self->offsets[pair->from + 1] = n;
    }

  for (guint u = 0; u < units->n_units; u++)
    {
      guint32 first = self->offsets[u];

      self->offsets[u + 1] = MAX (self->offsets[u + 1], first);
      if (self->offsets[u + 1] - first > 1)
        qsort (&self->links[first], self->offsets[u + 1] - first, sizeof *self->links,
               compare_links);
    }
  return self;
}

void
goban_unit_graph_free (GobanUnitGraph *self)
{
  g_free (self->offsets);
  g_free (self->links);
  g_free (self);
}
