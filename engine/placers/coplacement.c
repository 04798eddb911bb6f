#include "engine/placers/coplacement.h"

#include "engine/placers/forward-ops.h"

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

      if (goban_graph_get_node (graph, head)->phase != GOBAN_PHASE_FORWARD)
        continue;
      if (consumer != GOBAN_NO_NODE && head != consumer)
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

/* A variable, or its value: what stands beside one, takes nothing in and computes nothing. */
static gboolean
is_variable (const GobanUnits *units, const guint8 *has_variable, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (units->graph, v);

  return has_variable[units->unit_of[v]] && node->phase == GOBAN_PHASE_FORWARD && node->flops == 0;
}

static gboolean
multiplies (const GobanGraph *graph, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (graph, v);

  return node->phase == GOBAN_PHASE_FORWARD && node->macs > 0;
}

/* (n_units) whether a node of it holds parameters and reads nothing. */
static guint8 *
find_variables (const GobanUnits *units)
{
  guint8 *has_variable = g_new0 (guint8, units->n_units);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (units->graph); v++)
    if (goban_graph_get_node (units->graph, v)->param_bytes > 0
        && goban_graph_get_in_edges (units->graph, v).n == 0)
      has_variable[units->unit_of[v]] = TRUE;
  return has_variable;
}

static void
join (Merging *self, GobanNodeId v, GobanNodeId w)
{
  guint32 a = find_root (self, self->units->unit_of[v]);
  guint32 b = find_root (self, self->units->unit_of[w]);

  if (a != b && fits_somewhere (self, a, b))
    merge (self, a, b);
}

static void
join_readers (Merging *self, const guint8 *has_variable)
{
  const GobanGraph *graph = self->units->graph;

  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      if (is_variable (self->units, has_variable, edge->tail) && multiplies (graph, edge->head))
        join (self, edge->tail, edge->head);
    }
}

GobanUnits *
goban_units_new_coplaced (const GobanCostModel *costs, GobanCoplacement coplacement, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree guint32 *parents = NULL;
  g_autofree double *times_us = NULL;
  g_autofree double *param_bytes = NULL;
  g_autofree guint32 *labels = NULL;
  g_autofree GobanNodeId *owners = NULL;
  g_autofree guint8 *has_variable = NULL;
  guint n_nodes;
  Merging self;

  if (units == NULL)
    return NULL;

  n_nodes = goban_graph_get_n_nodes (units->graph);
  owners = goban_forward_ops (units->graph);
  has_variable = find_variables (units);
  parents = g_new (guint32, units->n_units);
  times_us
      = g_memdup2 (units->times_us, (gsize) units->n_units * units->n_classes * sizeof *times_us);
  param_bytes = g_memdup2 (units->param_bytes, units->n_units * sizeof *param_bytes);
  self = (Merging){ units, parents, times_us, param_bytes };
  for (guint u = 0; u < units->n_units; u++)
    parents[u] = u;

  /* Who joins whom does not depend on what has joined already, so one pass is the fixpoint. */
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanNodeId consumer = goban_only_consumer (units->graph, v);

      if (owners[v] == v && consumer != GOBAN_NO_NODE)
        join (&self, v, consumer);
    }
  if (coplacement == GOBAN_COPLACE_READERS)
    join_readers (&self, has_variable);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    join (&self, v, owners[v]);

  labels = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    labels[v] = find_root (&self, units->unit_of[v]);
  return goban_units_new_labelled (costs, labels, units->n_units, error);
}
