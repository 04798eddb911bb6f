#include "engine/sim/trace-private.h"

#include <stdlib.h>

static GobanTrace *
new_trace (GobanCostModel *costs, GobanPlan *plan, const GobanBounds *bounds)
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
  GobanTrace *self = new_trace (costs, plan, bounds);

  self->makespan_us = SIM_NEVER_US;
  self->why = g_strdup (why);
  return self;
}

static int
compare_ids (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* The run wrote transfers down as they started; moves ascend by (tensor, device), so what is
 * left to do for the order (start, tensor, to) is to sort those of one instant. */
static void
sort_instants (const SimRecord *record)
{
  guint32 first = 0;

  while (first < record->n_moves)
    {
      double start_us = record->moves[record->order[first]].start_us;
      guint32 end = first + 1;

      while (end < record->n_moves && record->moves[record->order[end]].start_us == start_us)
        end++;
      if (end - first > 1)
        qsort (record->order + first, end - first, sizeof *record->order, compare_ids);
      first = end;
    }
}

static void
fill_transfers (GobanTrace *self, const GobanSimulator *sim, const SimRecord *record,
                guint32 *index_of_move)
{
  sort_instants (record);
  self->n_transfers = record->n_moves;
  self->transfers = g_new (GobanTransfer, record->n_moves);
  for (guint32 i = 0; i < record->n_moves; i++)
    {
      guint32 m = record->order[i];
      const SimMove *move = &sim->moves[m];
      const GobanOpSpan *span = &record->moves[m];

      index_of_move[m] = i;
      self->transfers[i] = (GobanTransfer){
        .tensor = sim->move_tensor[m],
        .from = move->from,
        .to = move->to,
        .ready_us = span->ready_us,
        .start_us = span->start_us,
        .finish_us = span->finish_us,
      };
    }
}

/* Sums go over nodes and over transfers in their order, as the checker's do. */
static void
fill_uses (GobanTrace *self, const GobanSimulator *sim)
{
  for (guint v = 0; v < sim->n_nodes; v++)
    {
      GobanDeviceUse *use = &self->uses[goban_plan_get_device (self->plan, v)];

      use->busy_us += self->ops[v].finish_us - self->ops[v].start_us;
      use->n_ops++;
    }
  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];
      double size_bytes = sim->tensor_bytes[transfer->tensor];

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
}

/* The device that overflows first; of several at one time, the lowest. */
static void
find_overflow (GobanTrace *self, const GobanSimulator *sim)
{
  guint first = 0;

  for (guint d = 1; d < sim->n_devices; d++)
    if (sim->memory[d].overflow_time_us < sim->memory[first].overflow_time_us)
      first = d;
  if (sim->memory[first].overflow_time_us < SIM_NEVER_US)
    goban_trace_explain_memory (self, first, sim->memory[first].overflow_time_us);
  else
    self->why = g_strdup ("");
}

GobanTrace *
goban_trace_new_from_run (const GobanSimulator *sim, GobanPlan *plan, const SimRecord *record,
                          double makespan_us)
{
  g_autofree guint32 *index_of_move = g_new (guint32, sim->n_moves);
  GobanTrace *self = new_trace (sim->costs, plan, &sim->bounds);

  self->makespan_us = makespan_us;
  self->ops = record->ops;
  fill_transfers (self, sim, record, index_of_move);
  fill_uses (self, sim);
  goban_trace_keep_causes (self, record, index_of_move);
  self->path = goban_trace_find_path (self, &self->n_path);
  find_overflow (self, sim);
  return self;
}
