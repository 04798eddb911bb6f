#include "engine/machine/parallel/pass-parts.h"

#include <string.h>

#define GRADIENT_PREFIX "grad/"

/* Facts found from the last node to the first. */
typedef struct
{
  const GobanGraph *graph;
  GobanParts *parts;
  gboolean *is_sum;      /* (n_nodes) adds gradients of weights up */
  gboolean *is_gradient; /* (n_tensors) of weights */
  gboolean has_updates;
} Search;

static gboolean
is_data (const GobanGraph *graph, GobanEdgeId edge)
{
  return !goban_graph_get_tensor (graph, goban_graph_get_edge (graph, edge)->tensor)->is_control;
}

/* Neither computes nor moves bytes. */
static gboolean
is_free (const GobanGraph *graph, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (graph, v);

  if (node->flops > 0 || node->read_bytes + node->written_bytes > 0)
    return FALSE;
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    if (goban_graph_get_time_us (graph, v, k) > 0)
      return FALSE;
  return TRUE;
}

/* A variable, or an op on variables alone. */
static gboolean
is_shared (const Search *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

  for (guint i = 0; i < in.n; i++)
    if (self->parts->of_node[goban_graph_get_edge (self->graph, in.ids[i])->tail]
        != GOBAN_PART_SHARED)
      return FALSE;
  return in.n > 0 || (node->param_bytes > 0 && is_free (self->graph, v));
}

static GobanPhase
get_phase (const Search *self, GobanNodeId v)
{
  return goban_graph_get_node (self->graph, v)->phase;
}

/* Such as the norm of a gradient by which the update clips: of the sum over all micro-batches. */
static gboolean
reads_gradients_alone (const Search *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, edge->tensor);
      gboolean is_updated = FALSE;

      for (guint r = 0; r < readers.n; r++)
        is_updated |= get_phase (self, goban_graph_get_edge (self->graph, readers.ids[r])->head)
                      == GOBAN_PHASE_UPDATE;
      if (!is_updated || get_phase (self, edge->tail) != GOBAN_PHASE_BACKWARD)
        return FALSE;
    }
  return in.n > 0;
}

static gboolean
has_only_updates (const Search *self, GobanNodeId v)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);

  for (guint i = 0; i < out.n; i++)
    if (get_phase (self, goban_graph_get_edge (self->graph, out.ids[i])->head)
        != GOBAN_PHASE_UPDATE)
      return FALSE;
  return out.n > 0;
}

static void
find_phases (Search *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      guint8 *part = &self->parts->of_node[v];
      GobanPhase phase = get_phase (self, v);

      self->has_updates |= phase == GOBAN_PHASE_UPDATE;
      if (phase == GOBAN_PHASE_UPDATE)
        *part = GOBAN_PART_ONCE;
      else if (phase == GOBAN_PHASE_FORWARD)
        *part = is_shared (self, v) ? GOBAN_PART_SHARED : GOBAN_PART_FORWARD;
      else
        *part = has_only_updates (self, v) && reads_gradients_alone (self, v) ? GOBAN_PART_ONCE
                                                                              : GOBAN_PART_INPUT;
    }
}

static gboolean
is_weight_gradient (const Search *self, GobanTensorId t)
{
  GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);

  for (guint r = 0; r < readers.n; r++)
    {
      GobanNodeId head = goban_graph_get_edge (self->graph, readers.ids[r])->head;

      if (self->parts->of_node[head] != GOBAN_PART_ONCE && !self->is_sum[head])
        return FALSE;
    }
  return readers.n > 0;
}

/* Whether the node may add gradients up: all its inputs are as large as its output. */
static gboolean
adds_up (const Search *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
  double size_bytes = goban_graph_get_output_bytes (self->graph, v);

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);

      if (is_data (self->graph, in.ids[i])
          && (get_phase (self, edge->tail) == GOBAN_PHASE_FORWARD
              || goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes != size_bytes))
        return FALSE;
    }
  return in.n > 0;
}

/* In a graph without updates: by its forward node, which has the parameters. */
static gboolean
has_weights_by_name (const Search *self, GobanNodeId v)
{
  const char *name = goban_graph_get_node (self->graph, v)->name;
  GobanNodeId forward;

  if (self->has_updates || !g_str_has_prefix (name, GRADIENT_PREFIX))
    return FALSE;
  forward = goban_graph_find_node (self->graph, name + strlen (GRADIENT_PREFIX));
  return forward != GOBAN_NO_NODE && goban_graph_get_node (self->graph, forward)->param_bytes > 0;
}

void
goban_parts_init (GobanParts *self, const GobanGraph *graph, gboolean cuts)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree gboolean *is_sum = g_new0 (gboolean, n_nodes + 1);
  g_autofree gboolean *is_gradient = g_new0 (gboolean, n_tensors + 1);
  Search search = { graph, self, is_sum, is_gradient, FALSE };

  self->of_node = g_new0 (guint8, n_nodes + 1);
  self->of_tensor = g_new0 (guint8, n_tensors + 1);
  find_phases (&search);
  for (GobanNodeId v = n_nodes; v-- > 0 && cuts;)
    if (self->of_node[v] == GOBAN_PART_INPUT)
      {
        guint n, n_gradients = 0, n_others = 0;
        GobanTensorId first = goban_graph_get_node_tensors (search.graph, v, &n);

        for (GobanTensorId t = first; t < first + n; t++)
          {
            if (goban_graph_get_tensor_edges (search.graph, t).n == 0)
              continue;
            search.is_gradient[t] = is_weight_gradient (&search, t);
            n_gradients += search.is_gradient[t];
            n_others += !search.is_gradient[t];
          }
        search.is_sum[v] = n_gradients > 0 && n_others == 0 && adds_up (&search, v);
        if (n_gradients > 0)
          search.parts->of_node[v] = n_others > 0 ? GOBAN_PART_HALVES : GOBAN_PART_WEIGHT;
        else if (has_weights_by_name (&search, v))
          search.parts->of_node[v] = GOBAN_PART_HALVES;
      }
  for (GobanTensorId t = 0; t < n_tensors; t++)
    {
      guint8 part = self->of_node[goban_graph_get_tensor (graph, t)->producer];

      if (part == GOBAN_PART_HALVES)
        part = is_gradient[t] ? GOBAN_PART_WEIGHT : GOBAN_PART_INPUT;
      self->of_tensor[t] = part;
    }
}

void
goban_parts_clear (GobanParts *self)
{
  g_clear_pointer (&self->of_node, g_free);
  g_clear_pointer (&self->of_tensor, g_free);
}

void
goban_parts_join_updates (GobanParts *self, const GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (self->of_node[v] == GOBAN_PART_ONCE)
      self->of_node[v] = GOBAN_PART_INPUT;
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    if (self->of_tensor[t] == GOBAN_PART_ONCE)
      self->of_tensor[t] = GOBAN_PART_INPUT;
}
