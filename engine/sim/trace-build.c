#include "engine/sim/trace-build.h"

GobanTrace *
goban_trace_new_empty (GobanCostModel *costs, GobanPlan *plan, const GobanBounds *bounds)
{
  GobanTrace *self = g_new0 (GobanTrace, 1);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));

  g_atomic_ref_count_init (&self->refs);
  self->costs = goban_cost_model_ref (costs);
  self->plan = goban_plan_ref (plan);
  self->bounds = *bounds;
  self->uses = g_new0 (GobanDeviceUse, n_devices);
  return self;
}

GobanTrace *
goban_trace_new_failed (GobanCostModel *costs, GobanPlan *plan, const GobanBounds *bounds,
                        const char *why)
{
  GobanTrace *self = goban_trace_new_empty (costs, plan, bounds);

  self->makespan_us = SIM_NEVER_US;
  self->why = g_strdup (why);
  return self;
}

int
goban_transfer_compare_by_tensor (const GobanTransfer *a, const GobanTransfer *b)
{
  if (a->tensor != b->tensor)
    return a->tensor < b->tensor ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

int
goban_transfer_compare (const GobanTransfer *a, const GobanTransfer *b)
{
  if (a->start_us != b->start_us)
    return a->start_us < b->start_us ? -1 : 1;
  return goban_transfer_compare_by_tensor (a, b);
}

/* Moves ascend by (tensor, device) of the tables they were made of. A contraction's tensors are in
 * the order of its ops; counting puts them in the graph's. */
static void
rank_moves (const GobanSimulator *sim, guint32 *rank)
{
  g_autofree guint32 *first = NULL;

  if (sim->fused.ops == NULL)
    {
      for (guint32 m = 0; m < sim->n_moves; m++)
        rank[m] = m;
      return;
    }
  first = g_new0 (guint32, sim->own.n_tensors + 1);
  for (guint32 m = 0; m < sim->n_moves; m++)
    first[sim_source_of (sim, sim->move_tensor[m]) + 1]++;
  for (guint t = 0; t < sim->own.n_tensors; t++)
    first[t + 1] += first[t];
  for (guint32 m = 0; m < sim->n_moves; m++)
    rank[m] = first[sim_source_of (sim, sim->move_tensor[m])]++;
}

static int
compare_ranks (const void *a, const void *b, gpointer user_data)
{
  const guint32 *rank = user_data;
  guint32 x = rank[*(const guint32 *) a];
  guint32 y = rank[*(const guint32 *) b];

  return (x > y) - (x < y);
}

/* The run recorded transfers as they started, so only those of one instant remain to be sorted for
 * the order (start, tensor, to). */
static void
sort_instants (const SimRecord *record, guint32 *rank)
{
  guint32 first = 0;

  while (first < record->n_moves)
    {
      double start_us = record->moves[record->order[first]].start_us;
      guint32 end = first + 1;

      while (end < record->n_moves && record->moves[record->order[end]].start_us == start_us)
        end++;
      if (end - first > 1)
        g_qsort_with_data (record->order + first, (int) (end - first), sizeof *record->order,
                           compare_ranks, rank);
      first = end;
    }
}

/* Every node of a kernel has its span. Takes record->ops. */
static void
fill_ops (GobanTrace *self, const GobanSimulator *sim, const SimRecord *record)
{
  const GobanContracted *ops = sim->fused.ops;
  guint n_nodes = sim->own.n_nodes;

  if (ops == NULL)
    {
      self->ops = record->ops;
      return;
    }
  self->ops = g_new (GobanOpSpan, n_nodes);
  self->kernel = g_new (GobanNodeId, n_nodes);
  self->next = g_new (GobanNodeId, n_nodes);
  for (guint32 op = 0; op < ops->n_ops; op++)
    for (guint32 i = ops->first_member[op]; i < ops->first_member[op + 1]; i++)
      {
        GobanNodeId v = ops->member[i];

        self->ops[v] = record->ops[op];
        self->kernel[v] = ops->member[ops->first_member[op]];
        self->next[v] = i + 1 < ops->first_member[op + 1] ? ops->member[i + 1] : GOBAN_NO_NODE;
      }
  g_free (record->ops);
}

GobanTrace *
goban_trace_new_from_run (const GobanSimulator *sim, GobanPlan *plan, const GobanBounds *bounds,
                          const SimRecord *record, GobanOutcome outcome)
{
  g_autofree guint32 *rank = g_new (guint32, sim->n_moves);
  g_autofree guint32 *index = g_new (guint32, sim->n_moves);
  TracePlaces places = { rank, index };
  GobanTrace *self = goban_trace_new_empty (sim->costs, plan, bounds);

  self->makespan_us = outcome.makespan_us;
  self->overflow_bytes = outcome.overflow_bytes;
  rank_moves (sim, rank);
  fill_ops (self, sim, record);
  sort_instants (record, places.rank);
  self->n_transfers = record->n_moves;
  self->transfers = g_new (GobanTransfer, record->n_moves);
  for (guint32 i = 0; i < record->n_moves; i++)
    {
      guint32 m = record->order[i];
      const SimMove *move = &sim->moves[m];
      const GobanOpSpan *span = &record->moves[m];

      places.index[m] = i;
      self->transfers[i] = (GobanTransfer){
        .tensor = sim_source_of (sim, sim->move_tensor[m]),
        .from = move->from,
        .to = move->to,
        .ready_us = span->ready_us,
        .start_us = span->start_us,
        .finish_us = span->finish_us,
      };
    }

  /* Sums go over kernels, by their lowest nodes, and over transfers in their order, as the
   * checker's do. */
  for (guint v = 0; v < sim->own.n_nodes; v++)
    {
      GobanDeviceUse *use = &self->uses[goban_plan_get_device (self->plan, v)];

      if (goban_trace_get_kernel (self, v) != v)
        continue;
      use->busy_us += self->ops[v].finish_us - self->ops[v].start_us;
      use->n_ops++;
    }
  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];
      double size_bytes = sim->own.tensor_bytes[transfer->tensor];

      self->uses[transfer->from].sending_us += transfer->finish_us - transfer->start_us;
      self->uses[transfer->to].receiving_us += transfer->finish_us - transfer->start_us;
      self->uses[transfer->from].sent_bytes += size_bytes;
      self->uses[transfer->to].received_bytes += size_bytes;
      self->transferred_bytes += size_bytes;
    }
  for (guint d = 0; d < sim->n_devices; d++)
    {
      self->uses[d].peak_bytes = sim->memory[d].peak_bytes;
      self->uses[d].peak_time_us = sim->memory[d].peak_time_us;
    }

  goban_trace_keep_causes (self, sim, record, &places);
  goban_trace_keep_levels (self, record->levels, sim->n_devices);
  self->path = goban_trace_find_path (self, &self->n_path);

  /* The device that overflows first; of several at one time, the lowest. */
  guint first = 0;

  for (guint d = 1; d < sim->n_devices; d++)
    if (sim->memory[d].overflow_time_us < sim->memory[first].overflow_time_us)
      first = d;
  if (sim->memory[first].overflow_time_us < SIM_NEVER_US)
    goban_trace_explain_memory (self, first, sim->memory[first].overflow_time_us);
  else
    self->why = g_strdup ("");

  return self;
}
