#include "engine/placers/coplacement.h"

#include <math.h>
#include <string.h>

/* Units that grow together: the sums are those of the whole set, kept at its root. */
typedef struct
{
  const GobanUnits *units;
  guint32 *parents;    /* (n_units) itself at a root, which is the least of its set */
  double *times_us;    /* (n_units x n_classes) */
  double *param_bytes; /* (n_units) */
} Merging;

GobanNodeId
goban_only_consumer (const GobanGraph *graph, GobanNodeId node)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GobanNodeId consumer = GOBAN_NO_NODE;

  for (guint i = 0; i < out.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, out.ids[i])->head;

      if (i > 0 && head != consumer)
        return GOBAN_NO_NODE;
      consumer = head;
    }
  return consumer;
}

static guint32
find_root (Merging *self, guint32 unit)
{
  while (self->parents[unit] != unit)
    {
      self->parents[unit] = self->parents[self->parents[unit]];
      unit = self->parents[unit];
    }
  return unit;
}

static gboolean
fits_somewhere (const Merging *self, guint32 a, guint32 b)
{
  const GobanUnits *units = self->units;
  double param_bytes = self->param_bytes[a] + self->param_bytes[b];

  for (guint d = 0; d < units->n_devices; d++)
    {
      guint c = units->classes[d];

      if (isfinite (self->times_us[(gsize) a * units->n_classes + c])
          && isfinite (self->times_us[(gsize) b * units->n_classes + c])
          && param_bytes
                 <= goban_cluster_get_device (units->cluster, (GobanDeviceId) d)->memory_bytes)
        return TRUE;
    }
  return FALSE;
}

static void
merge (Merging *self, guint32 a, guint32 b)
{
  guint n_classes = self->units->n_classes;
  guint32 root = MIN (a, b);
  guint32 child = MAX (a, b);

  self->parents[child] = root;
  self->param_bytes[root] += self->param_bytes[child];
  for (guint c = 0; c < n_classes; c++)
    self->times_us[(gsize) root * n_classes + c] += self->times_us[(gsize) child * n_classes + c];
}

GobanUnits *
goban_units_new_coplaced (const GobanCostModel *costs, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree guint32 *parents = NULL;
  g_autofree double *times_us = NULL;
  g_autofree double *param_bytes = NULL;
  g_autofree guint32 *labels = NULL;
  guint n_nodes;
  Merging self;

  if (units == NULL)
    return NULL;

  n_nodes = goban_graph_get_n_nodes (units->graph);
  parents = g_new (guint32, units->n_units);
  times_us = g_memdup2 (units->times_us,
                        (gsize) units->n_units * units->n_classes * sizeof *times_us);
  param_bytes = g_memdup2 (units->param_bytes, units->n_units * sizeof *param_bytes);
  self = (Merging){ units, parents, times_us, param_bytes };
  for (guint u = 0; u < units->n_units; u++)
    parents[u] = u;

  /* Who joins whom does not depend on what has joined already, so one pass is the fixpoint. */
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanNodeId consumer = goban_only_consumer (units->graph, v);
      guint32 a, b;

      if (consumer == GOBAN_NO_NODE)
        continue;
      a = find_root (&self, units->unit_of[v]);
      b = find_root (&self, units->unit_of[consumer]);
      if (a != b && fits_somewhere (&self, a, b))
        merge (&self, a, b);
    }

  labels = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    labels[v] = find_root (&self, units->unit_of[v]);
  return goban_units_new_labelled (costs, labels, units->n_units, error);
}
