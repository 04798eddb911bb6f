#include "engine/placers/search/critical-ops.h"

struct _GobanCriticalOps
{
  const GobanUnits *units;
  GArray *all; /* GobanCriticalOp */
};

GobanCriticalOps *
goban_critical_ops_new (const GobanUnits *units)
{
  GobanCriticalOps *self = g_new0 (GobanCriticalOps, 1);

  self->units = units;
  self->all = g_array_new (FALSE, FALSE, sizeof (GobanCriticalOp));
  return self;
}

void
goban_critical_ops_free (GobanCriticalOps *self)
{
  g_array_unref (self->all);
  g_free (self);
}

static void
blame (GobanCriticalOps *self, GobanNodeId node, GobanDeviceId device, double time_us)
{
  GobanCriticalOp op = { self->units->unit_of[node], device, time_us };

  if (time_us <= 0)
    return;
  if (self->all->len > 0)
    op.until_us += g_array_index (self->all, GobanCriticalOp, self->all->len - 1).until_us;
  g_array_append_val (self->all, op);
}

/* The transfer's time: its producer should be there, or its consumer here. */
static void
blame_transfer (GobanCriticalOps *self, const GobanTrace *trace, const GobanStep *step,
                const GobanStep *next)
{
  guint n;
  const GobanTransfer *transfer = &goban_trace_get_transfers (trace, &n)[step->index];
  double time_us = transfer->finish_us - transfer->start_us;
  GobanNodeId producer = goban_graph_get_tensor (self->units->graph, transfer->tensor)->producer;

  blame (self, producer, transfer->to, time_us + step->waited_us);
  if (next != NULL && !next->is_transfer)
    blame (self, next->index, transfer->from, time_us + step->waited_us);
}

void
goban_critical_ops_learn (GobanCriticalOps *self, const GobanTrace *trace)
{
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_steps;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n_steps);

  g_array_set_size (self->all, 0);
  for (guint i = 0; ops != NULL && i < n_steps; i++)
    {
      const GobanStep *step = &steps[i];
      double time_us;

      if (step->is_transfer)
        {
          blame_transfer (self, trace, step, i + 1 < n_steps ? &steps[i + 1] : NULL);
          continue;
        }
      /* The node that waited for its device, and the one it waited for. */
      time_us = ops[step->index].finish_us - ops[step->index].start_us;
      if (step->wait == GOBAN_WAIT_DEVICE)
        {
          blame (self, step->index, GOBAN_NO_DEVICE, step->waited_us);
          if (i > 0 && !steps[i - 1].is_transfer)
            blame (self, steps[i - 1].index, GOBAN_NO_DEVICE, step->waited_us);
        }
      blame (self, step->index, GOBAN_NO_DEVICE, time_us / 4);
    }
}

const GobanCriticalOp *
goban_critical_ops_draw (const GobanCriticalOps *self, GobanRng *rng)
{
  const GobanCriticalOp *ops = (const GobanCriticalOp *) (const void *) self->all->data;
  guint low = 0;
  guint high = self->all->len;
  double at_us;

  if (high == 0)
    return NULL;
  at_us = goban_rng_uniform (rng) * ops[high - 1].until_us;
  while (low + 1 < high)
    {
      guint middle = (low + high) / 2;

      if (ops[middle - 1].until_us <= at_us)
        low = middle;
      else
        high = middle;
    }
  return &ops[low];
}
