#include "engine/placers/stages/stages.h"

#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/graph/components.h"
#include "engine/placers/coplacement.h"
#include "engine/placers/node-heap.h"

/* --- chains --------------------------------------------------------------- */

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

/* (n_nodes) Where a gradient takes a node to stand: at its block; but where it is read last if it
 * is a weight that several blocks read, or made of weights alone. The table of words that a model
 * has in common with its last layer is one. */
static guint *
find_places (const GobanStageChain *self)
{
  const GobanGraph *graph = self->units->graph;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint *places = g_new (guint, n_nodes + 1);
  g_autofree guint *first_reads = g_new (guint, n_nodes + 1);
  g_autofree guint *last_reads = g_new0 (guint, n_nodes + 1);
  g_autofree gboolean *is_weight = g_new0 (gboolean, n_nodes + 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
      gboolean is_made = node->flops == 0 && (in.n > 0) == (node->param_bytes == 0);

      places[v] = self->block_of[self->units->unit_of[v]];
      first_reads[v] = G_MAXUINT;
      for (guint i = 0; i < in.n && is_forward (graph, v); i++)
        {
          GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;

          is_made = is_made && is_weight[tail];
          first_reads[tail] = MIN (first_reads[tail], places[v]);
          last_reads[tail] = MAX (last_reads[tail], places[v]);
        }
      is_weight[v] = is_made && is_forward (graph, v);
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (is_weight[v]
        && (goban_graph_get_in_edges (graph, v).n > 0 || first_reads[v] < last_reads[v]))
      places[v] = MAX (places[v], last_reads[v]);
  return places;
}

/* The last block whose forward tensors the unit reads, but no later one than those whose gradients
 * it reads. */
static void
follow (GobanStageChain *self, guint unit, const guint *places)
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
          else if (forward == G_MAXUINT || places[tail] > forward)
            forward = places[tail];
        }
    }
  self->block_of[unit] = MIN (MIN (forward, backward), self->n_blocks - 1);
}

static GobanStageChain *
chain_units (GobanUnits *units)
{
  GobanStageChain *self = g_new0 (GobanStageChain, 1);
  g_autofree guint *order = NULL;
  g_autofree guint *places = NULL;
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
  places = find_places (self);
  for (guint u = 0; u < units->n_units && self->n_blocks > 0; u++)
    if (self->block_of[u] == G_MAXUINT)
      follow (self, u, places);
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

/* Halvings of the interval of the slowest time: as many as a double has bits. */
#define N_HALVINGS 60

GobanDeviceId *
goban_stages_find_devices (const GobanCluster *cluster, guint *n)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  GobanDeviceId *devices = g_new (GobanDeviceId, n_devices + 1);

  *n = 0;
  for (guint d = 0; d < n_devices; d++)
    if (strcmp (goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind, "cpu") != 0)
      devices[(*n)++] = (GobanDeviceId) d;
  if (*n == 0)
    for (guint d = 0; d < n_devices; d++)
      devices[(*n)++] = (GobanDeviceId) d;
  return devices;
}

/* --- the cut -------------------------------------------------------------------------------- */

typedef struct
{
  const GobanStageRequest *request;
  const GobanStageChain *chain;
  GobanStageSums sums; /* of the request's devices */
  double *cuts_us;     /* (n_blocks + 1) transfers over the cut before each block */
  double most_us;      /* no stage takes longer */
  gboolean in_memory;  /* whether a stage must fit */
  gboolean leaves;     /* whether ops that a device cannot run are left to others */
  guint *ends;         /* (n_stages) the block after each stage's last */
  guint *n_later;      /* (n_blocks + 1) cuts after each that keep to the limit */
  guint *places;       /* (n_stages + 1) the place of each stage's first device */
} Cutting;

static void
cutting_clear (Cutting *self)
{
  goban_stage_sums_clear (&self->sums);
  g_free (self->cuts_us);
  g_free (self->ends);
  g_free (self->n_later);
  g_free (self->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cutting, cutting_clear)

static void
sum_cuts (Cutting *self)
{
  self->cuts_us = goban_stage_chain_new_cuts (self->chain);
  for (guint b = 0; b <= self->chain->n_blocks; b++)
    self->most_us = MAX (self->most_us, self->cuts_us[b]);
}

static void
sum_stage_times (Cutting *self)
{
  guint n_stages = self->request->n_stages, n_blocks = self->chain->n_blocks;
  guint n_devices;

  self->places = g_new0 (guint, n_stages + 1);
  for (guint s = 0; s < n_stages; s++)
    self->places[s + 1]
        = self->places[s] + (self->request->n_copies != NULL ? self->request->n_copies[s] : 1);
  n_devices = self->places[n_stages];
  self->sums = goban_stage_chain_sum (self->chain, self->request->devices, n_devices);
  for (guint d = 0; d < n_devices; d++)
    self->most_us = MAX (self->most_us, self->sums.times_us[(gsize) d * (n_blocks + 1) + n_blocks]);
}

static double
get_time (const Cutting *self, guint stage, guint first, guint end)
{
  double slowest_us = 0;

  for (guint d = self->places[stage]; d < self->places[stage + 1]; d++)
    {
      gsize offset = (gsize) d * (self->chain->n_blocks + 1);
      const double *sums = &self->sums.times_us[offset];
      const guint *refusals = &self->sums.refusals[offset];

      if (refusals[end] > refusals[first] && !self->leaves)
        return INFINITY;
      slowest_us = MAX (slowest_us, sums[end] - sums[first]);
    }
  return slowest_us / (self->places[stage + 1] - self->places[stage]);
}

static gboolean
fits (const Cutting *self, guint stage, guint first, guint end)
{
  guint n_copies = self->places[stage + 1] - self->places[stage];
  guint n_after = self->places[self->request->n_stages] - self->places[stage];
  guint n_in_flight = MIN (self->request->n_batches, (n_after + n_copies - 1) / n_copies);
  double bytes = self->sums.params[end] - self->sums.params[first]
                 + (self->sums.outputs[end] - self->sums.outputs[first]) * n_in_flight;

  for (guint d = self->places[stage]; d < self->places[stage + 1] && self->in_memory; d++)
    if (bytes > goban_cluster_get_device (self->chain->units->cluster, self->request->devices[d])
                    ->memory_bytes)
      return FALSE;
  return TRUE;
}

static void
count_cuts (Cutting *self, double limit_us)
{
  guint n_blocks = self->chain->n_blocks;

  self->n_later[n_blocks] = 0;
  for (guint b = n_blocks; b-- > 0;)
    self->n_later[b]
        = self->n_later[b + 1] + (b + 1 < n_blocks && self->cuts_us[b + 1] <= limit_us);
}

/* A cut behind which the later stages have theirs, too; the last stage ends the row. Without the
 * first, a higher limit could fail where a lower one does not. */
static gboolean
can_end (const Cutting *self, guint stage, guint block, double limit_us)
{
  guint n_after = self->request->n_stages - 1 - stage;

  if (n_after == 0 || block == self->chain->n_blocks)
    return n_after == 0 && block == self->chain->n_blocks;
  return self->cuts_us[block] <= limit_us && self->n_later[block] + 1 >= n_after;
}

/* Stage after stage as long as the limit allows; FALSE: blocks are left over. */
static gboolean
fill_stages (Cutting *self, double limit_us)
{
  guint n_blocks = self->chain->n_blocks;
  guint n_stages = self->request->n_stages;
  guint first = 0;

  count_cuts (self, limit_us);
  for (guint s = 0; s < n_stages; s++)
    {
      guint end = first;

      for (guint b = first + 1;
           b <= n_blocks && get_time (self, s, first, b) <= limit_us && fits (self, s, first, b);
           b++)
        if (can_end (self, s, b, limit_us))
          end = b;
      if (end == first)
        return FALSE;
      self->ends[s] = end;
      first = end;
    }
  return first == n_blocks;
}

static gboolean
cut (Cutting *self)
{
  double low_us = 0;
  double high_us = self->most_us;

  if (!fill_stages (self, high_us))
    return FALSE;
  for (guint i = 0; i < N_HALVINGS; i++)
    {
      double middle_us = low_us + (high_us - low_us) / 2;

      if (fill_stages (self, middle_us))
        high_us = middle_us;
      else
        low_us = middle_us;
    }
  return fill_stages (self, high_us);
}

static gboolean
find_cut (Cutting *self)
{
  self->in_memory = TRUE;
  if (cut (self))
    return TRUE;
  self->in_memory = FALSE;
  if (cut (self))
    return TRUE;
  self->leaves = self->request->is_lenient;
  return self->leaves && cut (self);
}

/* A gradient is never computed at a later stage than one that it reads. */
static void
check_backward (const GobanGraph *graph, guint *stages)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      if (goban_graph_get_node (graph, v)->phase != GOBAN_PHASE_BACKWARD)
        continue;
      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;

          if (goban_graph_get_node (graph, tail)->phase == GOBAN_PHASE_BACKWARD)
            stages[v] = MIN (stages[v], stages[tail]);
        }
    }
}

/* Time of the slowest stage or cut between stages. */
static double
get_slowest (const Cutting *self)
{
  double slowest_us = 0;
  guint first = 0;

  for (guint s = 0; s < self->request->n_stages; s++)
    {
      slowest_us = MAX (slowest_us, get_time (self, s, first, self->ends[s]));
      first = self->ends[s];
      if (s + 1 < self->request->n_stages)
        slowest_us = MAX (slowest_us, self->cuts_us[first]);
    }
  return slowest_us;
}

guint *
goban_stages_from_ends (const GobanStageChain *chain, const guint *ends)
{
  const GobanGraph *graph = chain->units->graph;
  guint *stages = g_new0 (guint, goban_graph_get_n_nodes (graph) + 1);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    while (ends[stages[v]] <= chain->block_of[chain->units->unit_of[v]])
      stages[v]++;
  check_backward (graph, stages);
  return stages;
}

/* @choice: (nullable) */
static guint *
cut_chain (const GobanStageChain *chain, const GobanStageRequest *request, GobanStageChoice *choice,
           GError **error)
{
  g_auto (Cutting) self = { .request = request, .chain = chain };

  self.ends = g_new0 (guint, request->n_stages + 1);
  self.n_later = g_new0 (guint, chain->n_blocks + 1);
  sum_stage_times (&self);
  sum_cuts (&self);
  if (!find_cut (&self))
    {
      goban_set_error (error, GOBAN_ERROR_INFEASIBLE,
                       "no cut into %u stages gives every device ops that it can run",
                       request->n_stages);
      return NULL;
    }
  if (choice != NULL)
    *choice = (GobanStageChoice){ .n_stages = request->n_stages,
                                  .slowest_us = get_slowest (&self),
                                  .fits = self.in_memory };
  return goban_stages_from_ends (chain, self.ends);
}

guint *
goban_stages_cut_chain (const GobanStageChain *chain, const GobanStageRequest *request,
                        GError **error)
{
  return cut_chain (chain, request, NULL, error);
}

static gboolean
is_better (const GobanStageChoice *a, const GobanStageChoice *b)
{
  if (a->fits != b->fits)
    return a->fits;
  return a->estimate_us < b->estimate_us;
}

guint *
goban_stages_choose (const GobanStageChain *chain, const GobanStageRequest *request,
                     guint n_batches, GobanStageChoice *choice, GError **error)
{
  guint most = MIN (request->n_stages, chain->n_blocks);
  g_autofree guint *best = NULL;
  g_autoptr (GError) first_error = NULL;

  for (guint n = 1; n <= most; n++)
    {
      GobanStageRequest tried = *request;
      GobanStageChoice found = { 0 };
      g_autoptr (GError) reason = NULL;
      g_autofree guint *stages = NULL;

      tried.n_stages = n;
      stages = cut_chain (chain, &tried, &found, &reason);
      found.estimate_us = ((double) n_batches + n - 1) * found.slowest_us;
      if (stages == NULL && first_error == NULL)
        first_error = g_steal_pointer (&reason);
      if (stages == NULL || (best != NULL && !is_better (&found, choice)))
        continue;
      g_free (best);
      best = g_steal_pointer (&stages);
      *choice = found;
    }
  if (best == NULL && first_error != NULL)
    g_propagate_error (error, g_steal_pointer (&first_error));
  else if (best == NULL)
    goban_set_error (error, GOBAN_ERROR_INFEASIBLE, "there is nothing to cut into stages");
  return g_steal_pointer (&best);
}

guint *
goban_stages_cut (GobanCostModel *costs, const GobanStageRequest *request, GError **error)
{
  g_autoptr (GobanStageChain) chain = goban_stage_chain_new (costs, request->n_stages, error);

  return chain != NULL ? goban_stages_cut_chain (chain, request, error) : NULL;
}

/* --- the stages of a plan ------------------------------------------------------------------- */

static gboolean
check_forward (GobanCostModel *costs, const guint *stages, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);

  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      const GobanNode *tail = goban_graph_get_node (graph, edge->tail);
      const GobanNode *head = goban_graph_get_node (graph, edge->head);
      gboolean is_back = stages[edge->head] < stages[edge->tail];

      if ((tail->phase == GOBAN_PHASE_FORWARD && head->phase == GOBAN_PHASE_FORWARD && is_back)
          || (tail->phase == GOBAN_PHASE_BACKWARD && head->phase == GOBAN_PHASE_BACKWARD && !is_back
              && stages[edge->head] != stages[edge->tail]))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "the stages of a pipeline follow each other: node “%s” of stage %u "
                             "reads node “%s” of stage %u",
                             head->name, stages[edge->head], tail->name, stages[edge->tail]);
    }
  return TRUE;
}

/* A source, such as a variable, does not show the position of a device in the row. */
static void
number_devices (const GobanGraph *graph, const GobanPlan *plan, gboolean sources, guint *numbers,
                GArray *found)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanDeviceId device = goban_plan_get_device (plan, v);

      if (goban_graph_get_node (graph, v)->phase != GOBAN_PHASE_FORWARD
          || numbers[device] != G_MAXUINT
          || (!sources && goban_graph_get_in_edges (graph, v).n == 0))
        continue;
      numbers[device] = found->len;
      g_array_append_val (found, device);
    }
}

guint *
goban_stages_from_plan (GobanCostModel *costs, const GobanPlan *plan, GobanDeviceId **devices,
                        guint *n_stages, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_devices = goban_plan_get_n_devices (plan);
  g_autofree guint *numbers = g_new (guint, n_devices + 1);
  g_autofree guint *stages = g_new (guint, n_nodes + 1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (GobanDeviceId));

  for (guint d = 0; d < n_devices; d++)
    numbers[d] = G_MAXUINT;
  number_devices (graph, plan, FALSE, numbers, found);
  number_devices (graph, plan, TRUE, numbers, found);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      stages[v] = numbers[goban_plan_get_device (plan, v)];
      if (stages[v] == G_MAXUINT)
        {
          goban_set_error (error, GOBAN_ERROR_INVALID,
                           "node “%s” is on a device that computes no stage of the forward pass",
                           goban_graph_get_node (graph, v)->name);
          return NULL;
        }
    }
  if (!check_forward (costs, stages, error))
    return NULL;
  *n_stages = found->len;
  *devices = (GobanDeviceId *) (void *) g_array_free (g_steal_pointer (&found), FALSE);
  return g_steal_pointer (&stages);
}
