#include "engine/placers/coplacement.h"

#include "engine/core/disjoint.h"
#include "engine/placers/forward-ops.h"

#include <math.h>

/* Units that grow together: the sums are those of the whole set, kept at its root. */
typedef struct
{
  const GobanUnits *units;
  guint32 *parents;    /* (n_units) itself at a root, which is the least of its set */
  double *times_us;    /* (n_units x n_classes) */
  double *param_bytes; /* (n_units) */
  guint8 *is_forward;  /* (n_units) whether it holds a forward node */
} Merging;

static gboolean
is_forward (const GobanGraph *graph, GobanNodeId node)
{
  return goban_graph_get_node (graph, node)->phase == GOBAN_PHASE_FORWARD;
}

static GobanNodeId
find_only_consumer (const GobanGraph *graph, GobanNodeId node, gboolean among_forward)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GobanNodeId consumer = GOBAN_NO_NODE;

  for (guint i = 0; i < out.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, out.ids[i])->head;

      if (head == consumer || (among_forward && !is_forward (graph, head)))
        continue;
      if (consumer != GOBAN_NO_NODE)
        return GOBAN_NO_NODE;
      consumer = head;
    }
  return consumer;
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
  self->is_forward[root] |= self->is_forward[child];
  for (guint c = 0; c < n_classes; c++)
    self->times_us[(gsize) root * n_classes + c] += self->times_us[(gsize) child * n_classes + c];
}

static void
join (Merging *self, GobanNodeId v, GobanNodeId w, gboolean may_join_forward)
{
  guint32 a, b;

  if (w == GOBAN_NO_NODE)
    return;
  a = goban_disjoint_find (self->parents, self->units->unit_of[v]);
  b = goban_disjoint_find (self->parents, self->units->unit_of[w]);
  if (a != b && (may_join_forward || !self->is_forward[a] || !self->is_forward[b])
      && fits_somewhere (self, a, b))
    merge (self, a, b);
}

/* A variable, or its value: a node without inputs that computes nothing and stands beside one. */
static gboolean
is_variable (const GobanUnits *units, const guint8 *has_variable, GobanNodeId v)
{
  return has_variable[units->unit_of[v]] && is_forward (units->graph, v)
         && goban_graph_get_node (units->graph, v)->flops == 0;
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
join_readers (Merging *self)
{
  const GobanGraph *graph = self->units->graph;
  g_autofree guint8 *has_variable = find_variables (self->units);

  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      if (is_variable (self->units, has_variable, edge->tail) && is_forward (graph, edge->head)
          && goban_graph_get_node (graph, edge->head)->macs > 0)
        join (self, edge->tail, edge->head, TRUE);
    }
}

/* Forward nodes first, as if there were no others; then their followers. Sums of gradients would
 * otherwise make one group of all the steps and layers whose gradients they sum. */
static void
join_all (Merging *self, GobanCoplacement coplacement)
{
  const GobanGraph *graph = self->units->graph;
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (is_forward (graph, v))
      join (self, v, find_only_consumer (graph, v, TRUE), TRUE);
  if (coplacement == GOBAN_COPLACE_READERS)
    join_readers (self);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    join (self, v, goban_forward_namesake (graph, v), FALSE);
  for (GobanNodeId v = n_nodes; v-- > 0;)
    if (!is_forward (graph, v))
      join (self, v, find_only_consumer (graph, v, FALSE), FALSE);
}

GobanUnits *
goban_units_new_coplaced (const GobanCostModel *costs, GobanCoplacement coplacement, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree guint32 *parents = NULL;
  g_autofree double *times_us = NULL;
  g_autofree double *param_bytes = NULL;
  g_autofree guint8 *holds_forward = NULL;
  g_autofree guint32 *labels = NULL;
  guint n_nodes;
  Merging self;

  if (units == NULL)
    return NULL;

  n_nodes = goban_graph_get_n_nodes (units->graph);
  parents = goban_disjoint_new (units->n_units);
  times_us
      = g_memdup2 (units->times_us, (gsize) units->n_units * units->n_classes * sizeof *times_us);
  param_bytes = g_memdup2 (units->param_bytes, units->n_units * sizeof *param_bytes);
  holds_forward = g_new0 (guint8, units->n_units);
  self = (Merging){ units, parents, times_us, param_bytes, holds_forward };
  for (GobanNodeId v = 0; v < n_nodes; v++)
    holds_forward[units->unit_of[v]] |= is_forward (units->graph, v);

  join_all (&self, coplacement);

  labels = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    labels[v] = goban_disjoint_find (parents, units->unit_of[v]);
  return goban_units_new_labelled (costs, labels, units->n_units, error);
}

void
goban_trees_clear (GobanTrees *self)
{
  g_clear_pointer (&self->tree_of, g_free);
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->nodes, g_free);
}

/* roots (n_nodes): the root of every node's tree. */
static void
fill_trees (GobanTrees *self, const GobanNodeId *roots, guint n_nodes)
{
  g_autofree guint32 *next = NULL;

  self->n_trees = 0;
  self->tree_of = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (roots[v] == v)
      self->tree_of[v] = self->n_trees++;

  self->offsets = g_new0 (guint32, self->n_trees + 1);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->tree_of[v] = self->tree_of[roots[v]];
      self->offsets[self->tree_of[v] + 1]++;
    }
  for (guint t = 0; t < self->n_trees; t++)
    self->offsets[t + 1] += self->offsets[t];

  next = g_memdup2 (self->offsets, (self->n_trees + 1) * sizeof *next);
  self->nodes = g_new (GobanNodeId, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[next[self->tree_of[v]]++] = v;
}

void
goban_trees_init (GobanTrees *self, const GobanUnits *units)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree GobanNodeId *roots = g_new (GobanNodeId, n_nodes);

  for (GobanNodeId v = n_nodes; v-- > 0;)
    {
      GobanNodeId consumer = find_only_consumer (units->graph, v, FALSE);
      gboolean is_root = consumer == GOBAN_NO_NODE || units->unit_of[consumer] != units->unit_of[v];

      roots[v] = is_root ? v : roots[consumer];
    }
  fill_trees (self, roots, n_nodes);
}

void
goban_trees_init_trivial (GobanTrees *self, const GobanUnits *units)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree GobanNodeId *roots = g_new (GobanNodeId, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    roots[v] = v;
  fill_trees (self, roots, n_nodes);
}
