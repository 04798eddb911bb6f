#include "engine/placers/stages/stage-chain.h"

#include "engine/core/error.h"
#include "engine/graph/components.h"
#include "engine/placers/coplacement.h"
#include "engine/placers/node-heap.h"

#include <math.h>

/* Units of forward ops and the tensors between them, an edge per tensor and reader. */
typedef struct
{
  const GobanUnits *units;
  guint32 *offsets; /* (n_units + 1) into heads */
  guint32 *heads;
  /* (n_units) the first forward node that reads something; else the first; GOBAN_NO_NODE: the unit
   * has none */
  guint32 *firsts;
} Forward;

static gboolean
is_forward (const GobanGraph *graph, GobanNodeId v)
{
  return goban_graph_get_node (graph, v)->phase == GOBAN_PHASE_FORWARD;
}

static void
forward_clear (Forward *self)
{
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->heads, g_free);
  g_clear_pointer (&self->firsts, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forward, forward_clear)

/* TRUE with the units if the edge leads from one unit of forward ops to another. */
static gboolean
get_ends (const Forward *self, guint32 e, guint32 *tail, guint32 *head)
{
  const GobanGraph *graph = self->units->graph;
  const GobanEdge *edge = goban_graph_get_edge (graph, e);

  *tail = self->units->unit_of[edge->tail];
  *head = self->units->unit_of[edge->head];
  return *tail != *head && is_forward (graph, edge->tail) && is_forward (graph, edge->head);
}

static void
find_firsts (Forward *self)
{
  const GobanGraph *graph = self->units->graph;

  self->firsts = g_new (guint32, self->units->n_units + 1);
  for (guint u = 0; u < self->units->n_units; u++)
    {
      GobanNodeId first = GOBAN_NO_NODE;
      GobanNodeId reader = GOBAN_NO_NODE;

      for (guint32 i = self->units->offsets[u]; i < self->units->offsets[u + 1]; i++)
        {
          GobanNodeId v = self->units->nodes[i];

          if (!is_forward (graph, v))
            continue;
          first = MIN (first, v);
          if (goban_graph_get_in_edges (graph, v).n > 0)
            reader = MIN (reader, v);
        }
      self->firsts[u] = reader != GOBAN_NO_NODE ? reader : first;
    }
}

static void
forward_init (Forward *self, const GobanUnits *units)
{
  guint n_edges = goban_graph_get_n_edges (units->graph);
  g_autofree guint32 *next = NULL;
  guint32 tail, head;

  *self = (Forward){ .units = units };
  find_firsts (self);
  self->offsets = g_new0 (guint32, units->n_units + 1);
  for (GobanEdgeId e = 0; e < n_edges; e++)
    if (get_ends (self, e, &tail, &head))
      self->offsets[tail + 1]++;
  for (guint u = 0; u < units->n_units; u++)
    self->offsets[u + 1] += self->offsets[u];
  self->heads = g_new (guint32, self->offsets[units->n_units] + 1);
  next = g_memdup2 (self->offsets, (units->n_units + 1) * sizeof *next);
  for (GobanEdgeId e = 0; e < n_edges; e++)
    if (get_ends (self, e, &tail, &head))
      self->heads[next[tail]++] = head;
}

/* --- strongly connected units ---------------------------------------------------------------- */

/* component (n_units): G_MAXUINT for units without forward ops. Returns their number. */
static guint
find_components (const Forward *forward, guint *component)
{
  guint n = forward->units->n_units;
  g_autofree gboolean *is_root = g_new (gboolean, n + 1);

  for (guint u = 0; u < n; u++)
    is_root[u] = forward->firsts[u] != GOBAN_NO_NODE;
  return goban_find_components (n, forward->offsets, forward->heads, is_root, component);
}

/* --- the order of the blocks ---------------------------------------------------------------- */

/* order (n_components): the place of each in the topological order next to the file's. */
static void
order_components (const Forward *forward, const guint *component, guint n_components, guint *order)
{
  const GobanUnits *units = forward->units;
  g_autofree guint *n_waiting = g_new0 (guint, n_components + 1);
  g_autofree guint32 *firsts = g_new (guint32, n_components + 1);
  g_auto (GobanNodeHeap) ready = { 0 };
  g_autofree GSList **members = g_new0 (GSList *, n_components + 1);
  guint n = 0;

  for (guint c = 0; c < n_components; c++)
    firsts[c] = GOBAN_NO_NODE;
  for (guint u = units->n_units; u-- > 0;)
    if (component[u] != G_MAXUINT)
      {
        guint c = component[u];

        firsts[c] = MIN (firsts[c], forward->firsts[u]);
        members[c] = g_slist_prepend (members[c], GUINT_TO_POINTER (u));
        for (guint32 i = forward->offsets[u]; i < forward->offsets[u + 1]; i++)
          n_waiting[component[forward->heads[i]]] += component[forward->heads[i]] != c;
      }
  for (guint c = 0; c < n_components; c++)
    if (n_waiting[c] == 0)
      goban_node_heap_push (&ready, (GobanWaiting){ firsts[c], 0, c });
  while (ready.n > 0)
    {
      guint c = goban_node_heap_pop (&ready).node;

      order[c] = n++;
      for (GSList *m = members[c]; m != NULL; m = m->next)
        {
          guint u = GPOINTER_TO_UINT (m->data);

          for (guint32 i = forward->offsets[u]; i < forward->offsets[u + 1]; i++)
            {
              guint head = component[forward->heads[i]];

              if (head != c && --n_waiting[head] == 0)
                goban_node_heap_push (&ready, (GobanWaiting){ firsts[head], 0, head });
            }
        }
      g_slist_free (members[c]);
    }
}

/* --- the rest ------------------------------------------------------------------------------- */

/* The last block whose forward tensors the unit reads, but no later one than those whose gradients
 * it reads. */
static void
follow (GobanStageChain *self, guint unit)
{
  const GobanUnits *units = self->units;
  guint forward = G_MAXUINT;
  guint backward = G_MAXUINT;

  for (guint32 i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (units->graph, units->nodes[i]);

      for (guint k = 0; k < in.n; k++)
        {
          GobanNodeId tail = goban_graph_get_edge (units->graph, in.ids[k])->tail;
          guint block = self->block_of[units->unit_of[tail]];

          if (block == G_MAXUINT)
            continue;
          if (!is_forward (units->graph, tail))
            backward = MIN (backward, block);
          else if (forward == G_MAXUINT || block > forward)
            forward = block;
        }
    }
  self->block_of[unit] = MIN (MIN (forward, backward), self->n_blocks - 1);
}

static GobanStageChain *
chain_units (GobanUnits *units)
{
  GobanStageChain *self = g_new0 (GobanStageChain, 1);
  g_autofree guint *order = NULL;
  g_auto (Forward) forward = { 0 };

  self->units = units;
  self->block_of = g_new (guint, units->n_units + 1);
  forward_init (&forward, units);
  self->n_blocks = find_components (&forward, self->block_of);
  order = g_new (guint, self->n_blocks + 1);
  order_components (&forward, self->block_of, self->n_blocks, order);
  for (guint u = 0; u < units->n_units; u++)
    if (self->block_of[u] != G_MAXUINT)
      self->block_of[u] = order[self->block_of[u]];
  for (guint u = 0; u < units->n_units && self->n_blocks > 0; u++)
    if (self->block_of[u] == G_MAXUINT)
      follow (self, u);
  return self;
}

static GobanUnits *
make_units (GobanCostModel *costs, guint attempt, GError **error)
{
  switch (attempt)
    {
    case 0:
      return goban_units_new_coplaced (costs, GOBAN_COPLACE_READERS, error);
    case 1:
      return goban_units_new_coplaced (costs, GOBAN_COPLACE_CONSUMERS, error);
    default:
      return goban_units_new (costs, error);
    }
}

GobanStageChain *
goban_stage_chain_new (GobanCostModel *costs, guint n_stages, GError **error)
{
  guint most = 0;

  for (guint attempt = 0; attempt < 3; attempt++)
    {
      GobanUnits *units = make_units (costs, attempt, error);
      g_autoptr (GobanStageChain) self = units != NULL ? chain_units (units) : NULL;

      if (self == NULL)
        return NULL;
      if (self->n_blocks >= n_stages)
        return g_steal_pointer (&self);
      most = MAX (most, self->n_blocks);
    }
  goban_set_error (error, GOBAN_ERROR_INFEASIBLE,
                   "the graph has %u parts in a row, which are too few for %u stages", most,
                   n_stages);
  return NULL;
}

void
goban_stage_chain_free (GobanStageChain *self)
{
  goban_units_free (self->units);
  g_free (self->block_of);
  g_free (self);
}

/* --- transfers ------------------------------------------------------------------------------ */

/* Each tensor crosses the cuts between its producer and its farthest reader, once. */
double *
goban_stage_chain_new_cuts (const GobanStageChain *self)
{
  const GobanUnits *units = self->units;
  const GobanGraph *graph = units->graph;
  guint n_blocks = self->n_blocks;
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree double *means = g_new (double, n_tensors + 1);
  g_autofree double *back = g_new0 (double, n_blocks + 2);
  double *cuts_us = g_new0 (double, n_blocks + 2);

  goban_cost_model_mean_transfers (units->costs, means);
  for (GobanTensorId t = 0; t < n_tensors; t++)
    {
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (graph, t);
      guint from = self->block_of[units->unit_of[goban_graph_get_tensor (graph, t)->producer]];
      guint first = from, last = from;

      for (guint r = 0; r < readers.n; r++)
        {
          GobanNodeId head = goban_graph_get_edge (graph, readers.ids[r])->head;
          guint block = self->block_of[units->unit_of[head]];

          first = MIN (first, block);
          last = MAX (last, block);
        }
      cuts_us[from + 1] += means[t];
      cuts_us[last + 1] -= means[t];
      back[first + 1] += means[t];
      back[from + 1] -= means[t];
    }
  for (guint b = 0; b < n_blocks; b++)
    {
      cuts_us[b + 1] += cuts_us[b];
      back[b + 1] += back[b];
    }
  /* Links go one way: both directions at once. */
  for (guint b = 0; b <= n_blocks; b++)
    cuts_us[b] = MAX (cuts_us[b], back[b]);
  return cuts_us;
}

/* --- sums ------------------------------------------------------------------------------------- */

static void
sum_times (const GobanStageChain *self, GobanDeviceId device, double *times_us, guint *refusals)
{
  for (guint u = 0; u < self->units->n_units; u++)
    {
      double time_us = goban_units_time_us (self->units, u, device);
      guint b = self->block_of[u] + 1;

      times_us[b] += isinf (time_us) ? 0 : time_us;
      refusals[b] += isinf (time_us) ? 1 : 0;
    }
  for (guint b = 1; b <= self->n_blocks; b++)
    {
      times_us[b] += times_us[b - 1];
      refusals[b] += refusals[b - 1];
    }
}

static void
sum_bytes (const GobanStageChain *self, double *params, double *outputs)
{
  const GobanUnits *units = self->units;

  for (guint u = 0; u < units->n_units; u++)
    params[self->block_of[u] + 1] += units->param_bytes[u];
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (units->graph); v++)
    if (goban_graph_get_node (units->graph, v)->phase == GOBAN_PHASE_FORWARD)
      outputs[self->block_of[units->unit_of[v]] + 1]
          += goban_graph_get_output_bytes (units->graph, v);
  for (guint b = 0; b < self->n_blocks; b++)
    {
      params[b + 1] += params[b];
      outputs[b + 1] += outputs[b];
    }
}

GobanStageSums
goban_stage_chain_sum (const GobanStageChain *self, const GobanDeviceId *devices, guint n_devices)
{
  gsize n_sums = self->n_blocks + 1;
  GobanStageSums sums = { .times_us = g_new0 (double, n_devices *n_sums),
                          .refusals = g_new0 (guint, n_devices * n_sums),
                          .params = g_new0 (double, n_sums),
                          .outputs = g_new0 (double, n_sums) };

  for (guint d = 0; d < n_devices; d++)
    sum_times (self, devices[d], sums.times_us + d * n_sums, sums.refusals + d * n_sums);
  sum_bytes (self, sums.params, sums.outputs);
  return sums;
}

void
goban_stage_sums_clear (GobanStageSums *self)
{
  g_clear_pointer (&self->times_us, g_free);
  g_clear_pointer (&self->refusals, g_free);
  g_clear_pointer (&self->params, g_free);
  g_clear_pointer (&self->outputs, g_free);
}
