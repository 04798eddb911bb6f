#include "engine/learn/rl/credit.h"

#include <math.h>

typedef struct
{
  const GobanTrace *trace;
  const GobanGraph *graph;
  const GobanOpSpan *ops;
  const GobanTransfer *transfers;
  double *blame_us;
} Walk;

static GobanNodeId
get_producer (const Walk *self, guint32 transfer)
{
  return goban_graph_get_tensor (self->graph, self->transfers[transfer].tensor)->producer;
}

static double
get_length_us (const Walk *self, const GobanStep *step)
{
  return step->is_transfer
             ? self->transfers[step->index].finish_us - self->transfers[step->index].start_us
             : self->ops[step->index].finish_us - self->ops[step->index].start_us;
}

/* How long the step waited for its cause, which held the device or the channel. */
static double
get_waited_us (const Walk *self, const GobanStep *step, const GobanStep *cause)
{
  return MIN (step->waited_us, get_length_us (self, cause));
}

static gboolean
waits_for_turn (const GobanStep *step)
{
  return step->wait == GOBAN_WAIT_DEVICE || step->wait == GOBAN_WAIT_CHANNEL;
}

static void
blame_wait (Walk *self, const GobanStep *step, const GobanStep *cause)
{
  double time_us = get_waited_us (self, step, cause);

  self->blame_us[step->is_transfer ? get_producer (self, step->index) : step->index] += time_us / 2;
  self->blame_us[cause->is_transfer ? get_producer (self, cause->index) : cause->index]
      += time_us / 2;
}

static void
blame_placement (Walk *self, const GobanStep *steps, guint n)
{
  for (guint i = 0; i < n; i++)
    if (steps[i].is_transfer)
      {
        /* A transfer on the path is followed by the op that needed it, or by a transfer that
         * waited for the channel. In the second case its reader is not on the path, and the
         * other transfer's producer gets half of the waited time. So each microsecond is
         * assigned once. */
        const GobanStep *step = &steps[i];
        const GobanStep *next = i + 1 < n ? &steps[i + 1] : NULL;
        double time_us = get_length_us (self, step), shared_us = 0;
        GobanNodeId producer = get_producer (self, step->index), other = producer;

        if (next != NULL && !next->is_transfer)
          {
            other = next->index;
            shared_us = time_us;
          }
        else if (next != NULL && waits_for_turn (next))
          {
            other = get_producer (self, next->index);
            shared_us = get_waited_us (self, next, step);
          }
        self->blame_us[producer] += time_us - shared_us / 2;
        self->blame_us[other] += shared_us / 2;
      }
    else if (i > 0 && steps[i].wait == GOBAN_WAIT_DEVICE)
      blame_wait (self, &steps[i], &steps[i - 1]);
}

static void
blame_fusion (Walk *self, const GobanStep *steps, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      double time_us;

      if (steps[i].is_transfer)
        continue;

      /* Overhead of running an op as a kernel of its own: if it were fused with its producer,
       * launch and reads of that tensor would be saved. */
      GobanNodeId v = steps[i].index;
      const GobanCluster *cluster
          = goban_cost_model_get_cluster (goban_trace_get_costs (self->trace));
      GobanDeviceId device = goban_plan_get_device (goban_trace_get_plan (self->trace), v);
      double peak = goban_device_get_flops_per_us (goban_cluster_get_device (cluster, device),
                                                   goban_node_get_peak (self->graph, v));
      double length_us = self->ops[v].finish_us - self->ops[v].start_us;

      time_us = MAX (length_us - goban_graph_get_node (self->graph, v)->flops / peak, 0);

      self->blame_us[steps[i].index] += time_us / 2;
      self->blame_us[i > 0 && steps[i].wait == GOBAN_WAIT_INPUT ? steps[i - 1].index
                                                                : steps[i].index]
          += time_us / 2;
    }
}

void
goban_credit_blame (const GobanTrace *trace, GobanTask decision, double *blame_us)
{
  Walk walk = { .trace = trace, .ops = goban_trace_get_ops (trace), .blame_us = blame_us };
  const GobanStep *steps;
  guint n;

  if (walk.ops == NULL)
    return;
  walk.graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  walk.transfers = goban_trace_get_transfers (trace, &n);
  steps = goban_trace_get_critical_path (trace, &n);

  switch (decision)
    {
    case GOBAN_TASK_FUSION:
      blame_fusion (&walk, steps, n);
      break;
    case GOBAN_TASK_PLACEMENT:
      blame_placement (&walk, steps, n);
      break;
    case GOBAN_TASK_SCHEDULING:
      {
        for (guint i = 1; i < n; i++)
          if (waits_for_turn (&steps[i]))
            blame_wait (&walk, &steps[i], &steps[i - 1]);
      }
      break;
    case GOBAN_N_TASKS:
      break;
    }
}
