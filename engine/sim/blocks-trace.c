/* blocks-trace.c: trace of a run in blocks. */
#include "engine/sim/blocks-private.h"
#include "engine/sim/trace-private.h"

static int
compare_transfers (const void *a, const void *b, gpointer user_data)
{
  const GArray *transfers = user_data;

  return goban_transfer_compare (&g_array_index (transfers, GobanTransfer, *(const guint32 *) a),
                                 &g_array_index (transfers, GobanTransfer, *(const guint32 *) b));
}

static guint32
place_of (const SimBlocks *self, BlocksItem item, const guint32 *rank)
{
  if (item.index == BLOCKS_NONE)
    return SIM_NONE;
  return item.is_transfer ? self->n_nodes + rank[item.index] : item.index;
}

static void
keep_transfers (const SimBlocks *self, GobanTrace *trace, const BlocksRecord *record)
{
  guint n = record->transfers->len;
  g_autofree guint32 *order = g_new (guint32, n);
  g_autofree guint32 *rank = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof *order, compare_transfers, record->transfers);
  for (guint32 i = 0; i < n; i++)
    rank[order[i]] = i;

  trace->n_transfers = n;
  trace->transfers = g_new (GobanTransfer, n);
  trace->cause = g_new (guint32, (gsize) self->n_nodes + n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      BlocksItem cause = g_array_index (record->move_cause, BlocksItem, order[i]);

      trace->transfers[i] = g_array_index (record->transfers, GobanTransfer, order[i]);
      trace->cause[self->n_nodes + i] = place_of (self, cause, rank);
    }
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    trace->cause[v] = place_of (self, record->op_cause[v], rank);
}

static void
fill_uses (const SimBlocks *self, GobanTrace *trace)
{
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      GobanDeviceUse *use = &trace->uses[self->device[v]];

      use->busy_us += trace->ops[v].finish_us - trace->ops[v].start_us;
      use->n_ops++;
    }
  for (guint i = 0; i < trace->n_transfers; i++)
    {
      const GobanTransfer *transfer = &trace->transfers[i];
      double size_bytes
          = sim_whole_bytes (goban_graph_get_tensor (self->graph, transfer->tensor)->size_bytes);

      trace->uses[transfer->from].sending_us += transfer->finish_us - transfer->start_us;
      trace->uses[transfer->to].receiving_us += transfer->finish_us - transfer->start_us;
      trace->uses[transfer->from].sent_bytes += size_bytes;
      trace->uses[transfer->to].received_bytes += size_bytes;
      trace->transferred_bytes += size_bytes;
    }
  for (guint d = 0; d < self->n_devices; d++)
    trace->uses[d].peak_bytes = self->held_bytes[d];
}

/* The last op of a run, or a last transfer out of a block. */
static GobanStep
find_last (const SimBlocks *self, const GobanTrace *trace)
{
  for (guint i = trace->n_transfers; i-- > 0;)
    if (trace->transfers[i].finish_us == trace->makespan_us
        && trace->transfers[i].to == self->memory)
      return goban_trace_get_step (trace, TRUE, i);
  for (GobanNodeId v = self->n_nodes; v-- > 0;)
    if (trace->ops[v].finish_us == trace->makespan_us)
      return goban_trace_get_step (trace, FALSE, v);
  g_assert_not_reached ();
}

static void
find_path (const SimBlocks *self, GobanTrace *trace)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (GobanStep));
  gboolean is_caused = self->n_nodes > 0;

  for (GobanStep step = is_caused ? find_last (self, trace) : (GobanStep){ 0 }; is_caused;
       is_caused = goban_trace_get_cause (trace, &step, &step))
    g_array_prepend_val (steps, step);
  trace->n_path = steps->len;
  trace->path = (GobanStep *) (void *) g_array_free (steps, FALSE);
}

static void
record_init (BlocksRecord *record, const SimBlocks *self)
{
  *record = (BlocksRecord){
    .ops = g_new0 (GobanOpSpan, self->n_nodes + 1),
    .op_cause = g_new0 (BlocksItem, self->n_nodes),
    .transfers = g_array_new (FALSE, FALSE, sizeof (GobanTransfer)),
    .move_cause = g_array_new (FALSE, FALSE, sizeof (BlocksItem)),
    .out_after = g_new0 (BlocksItem, self->n_nodes),
    .block_end = g_new (BlocksItem, self->n_devices),
  };
  for (guint d = 0; d < self->n_devices; d++)
    record->block_end[d] = (BlocksItem){ BLOCKS_NONE, FALSE };
}

static void
record_clear (BlocksRecord *record)
{
  g_free (record->ops);
  g_free (record->op_cause);
  g_array_unref (record->transfers);
  g_array_unref (record->move_cause);
  g_free (record->out_after);
  g_free (record->block_end);
  g_free (record->why);
}

GobanTrace *
sim_blocks_run (SimBlocks *self, GobanPlan *plan, const GobanBounds *bounds)
{
  GobanTrace *trace;
  BlocksRecord record;
  GobanDeviceId worst = 0;
  GobanOutcome outcome;

  if (goban_plan_is_fused (plan))
    return goban_trace_new_failed (self->costs, plan, bounds,
                                   "the model msr-latency knows no fused kernels");
  if (self->memory == GOBAN_NO_DEVICE)
    return goban_trace_new_failed (self->costs, plan, bounds,
                                   "the model msr-latency needs a device of kind “cpu”, through "
                                   "whose memory everything moves");
  record_init (&record, self);
  self->record = &record;
  outcome = blocks_run_plan (self, plan);
  self->record = NULL;

  trace = goban_trace_new_empty (self->costs, plan, bounds);
  trace->makespan_us = outcome.makespan_us;
  trace->overflow_bytes = outcome.overflow_bytes;
  trace->ops = g_steal_pointer (&record.ops);
  keep_transfers (self, trace, &record);
  fill_uses (self, trace);
  find_path (self, trace);
  if (blocks_overflow (self, &worst) > 0)
    goban_trace_explain_memory (trace, worst, 0);
  else
    trace->why = record.why != NULL ? g_steal_pointer (&record.why) : g_strdup ("");
  record_clear (&record);
  return trace;
}
