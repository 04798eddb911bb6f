#include "engine/study/analysis/causes.h"

#include "engine/core/quantity.h"

struct _GobanCauses
{
  GobanTrace *trace;
  GArray *causes; /* GobanCause */
};

static GobanCauses *
new_causes (GobanTrace *trace)
{
  GobanCauses *self = g_new0 (GobanCauses, 1);

  self->trace = goban_trace_ref (trace);
  self->causes = g_array_new (FALSE, FALSE, sizeof (GobanCause));
  return self;
}

void
goban_causes_free (GobanCauses *self)
{
  g_clear_pointer (&self->trace, goban_trace_unref);
  g_clear_pointer (&self->causes, g_array_unref);
  g_free (self);
}

const GobanCause *
goban_causes_get (const GobanCauses *self, guint *n)
{
  *n = self->causes->len;
  return (const GobanCause *) (const void *) self->causes->data;
}

/* --- the chain --------------------------------------------------------------------------- */

static GobanCause
make_cause (GobanTrace *trace, GobanCauseKind kind, const GobanStep *step)
{
  GobanCause cause = { .kind = kind, .step = *step };
  guint n;

  if (step->is_transfer)
    {
      const GobanTransfer *transfer = &goban_trace_get_transfers (trace, &n)[step->index];

      cause.device = transfer->to;
      cause.start_us = transfer->start_us;
      cause.finish_us = transfer->finish_us;
    }
  else
    {
      const GobanOpSpan *span = &goban_trace_get_ops (trace)[step->index];

      cause.device = goban_plan_get_device (goban_trace_get_plan (trace), step->index);
      cause.start_us = span->start_us;
      cause.finish_us = span->finish_us;
    }
  return cause;
}

static void
add_plain (GobanCauses *self, GobanCauseKind kind, GobanDeviceId device, double start_us,
           double finish_us)
{
  GobanCause cause
      = { .kind = kind, .device = device, .start_us = start_us, .finish_us = finish_us };

  g_array_append_val (self->causes, cause);
}

/* Appends the causes of @step, which is explained already. The activity that was running at
 * @since_us ends the chain: it is the reason why nothing could begin then. */
static void
add_chain (GobanCauses *self, GobanStep step, double since_us)
{
  while (goban_trace_get_cause (self->trace, &step, &step))
    {
      GobanCause cause = make_cause (self->trace, GOBAN_CAUSE_STEP, &step);

      if (cause.start_us < since_us)
        cause.kind = GOBAN_CAUSE_RUNNING;
      g_array_append_val (self->causes, cause);
      if (cause.kind == GOBAN_CAUSE_RUNNING)
        return;
    }
}

static void
add_never (GobanCauses *self)
{
  add_plain (self, GOBAN_CAUSE_NEVER, GOBAN_NO_DEVICE, 0, 0);
}

static GobanCauses *
new_for_step (GobanTrace *trace, gboolean is_transfer, guint32 index)
{
  GobanCauses *self = new_causes (trace);
  GobanCause first;

  if (goban_trace_get_ops (trace) == NULL)
    {
      add_never (self);
      return self;
    }

  first = make_cause (trace, GOBAN_CAUSE_STEP,
                      &(GobanStep){ .is_transfer = is_transfer, .index = index });
  first.step = goban_trace_get_step (trace, is_transfer, index);
  g_array_append_val (self->causes, first);
  add_chain (self, first.step, -1);
  return self;
}

GobanCauses *
goban_causes_new_for_node (GobanTrace *trace, GobanNodeId node)
{
  return new_for_step (trace, FALSE, node);
}

GobanCauses *
goban_causes_new_for_transfer (GobanTrace *trace, guint32 transfer)
{
  return new_for_step (trace, TRUE, transfer);
}

/* Activity of a device around a time, found by a scan over all ops. */
typedef struct
{
  GobanNodeId running;
  GobanNodeId next;   /* the first to start after the time */
  double last_end_us; /* 0 if nothing ended before */
} Moment;

static Moment
find_moment (GobanTrace *trace, GobanDeviceId device, double time_us)
{
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  const GobanPlan *plan = goban_trace_get_plan (trace);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  guint n_nodes = goban_plan_get_n_nodes (plan);
  Moment moment = { GOBAN_NO_NODE, GOBAN_NO_NODE, 0 };

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (devices[v] != device)
        continue;
      if (spans[v].start_us <= time_us && time_us < spans[v].finish_us)
        moment.running = goban_trace_get_kernel (trace, v);
      else if (spans[v].finish_us <= time_us)
        moment.last_end_us = MAX (moment.last_end_us, spans[v].finish_us);
      else if (moment.next == GOBAN_NO_NODE || spans[v].start_us < spans[moment.next].start_us)
        moment.next = v;
    }
  return moment;
}

GobanCauses *
goban_causes_new_for_device (GobanTrace *trace, GobanDeviceId device, double time_us)
{
  GobanCauses *self = new_causes (trace);
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  Moment moment;
  GobanCause first;

  if (spans == NULL)
    {
      add_never (self);
      return self;
    }

  moment = find_moment (trace, device, time_us);
  if (moment.running != GOBAN_NO_NODE)
    {
      first.step = goban_trace_get_step (trace, FALSE, moment.running);
      first = make_cause (trace, GOBAN_CAUSE_RUNS, &first.step);
      g_array_append_val (self->causes, first);
      add_chain (self, first.step, -1);
    }
  else if (moment.next != GOBAN_NO_NODE)
    {
      first.step = goban_trace_get_step (trace, FALSE, moment.next);
      add_plain (self, GOBAN_CAUSE_IDLE, device, moment.last_end_us, spans[moment.next].start_us);
      g_array_index (self->causes, GobanCause, 0).step = first.step;
      add_chain (self, first.step, moment.last_end_us);
    }
  else
    {
      add_plain (self, GOBAN_CAUSE_DONE, device, moment.last_end_us,
                 goban_trace_get_makespan (trace));
    }
  return self;
}

/* --- in words -------------------------------------------------------------------------------- */

static const char *
node_name (GobanTrace *trace, GobanNodeId node)
{
  GobanCostModel *costs = goban_trace_get_costs (trace);

  return goban_graph_get_node (goban_cost_model_get_graph (costs), node)->name;
}

static const char *
device_name (GobanTrace *trace, GobanDeviceId device)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));

  return goban_cluster_get_device (cluster, device)->name;
}

static const GobanTransfer *
transfer_of (GobanTrace *trace, const GobanStep *step)
{
  guint n;

  return &goban_trace_get_transfers (trace, &n)[step->index];
}

/* The op, or the producer of the tensor sent. */
static const char *
step_name (GobanTrace *trace, const GobanStep *step)
{
  const GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));

  if (!step->is_transfer)
    return node_name (trace, step->index);
  return node_name (trace,
                    goban_graph_get_tensor (graph, transfer_of (trace, step)->tensor)->producer);
}

char *
goban_describe_wait (GobanTrace *trace, const GobanStep *step)
{
  GobanStep cause = *step;
  char time[GOBAN_QUANTITY_LEN];

  goban_trace_get_cause (trace, step, &cause);
  goban_format_time (time, step->waited_us);
  switch (step->wait)
    {
    case GOBAN_WAIT_NONE:
      break;
    case GOBAN_WAIT_INPUT:
    case GOBAN_WAIT_PRODUCER:
      return g_strdup_printf ("starts when %s ends", step_name (trace, &cause));
    case GOBAN_WAIT_ARRIVAL:
      return g_strdup_printf ("starts when %s arrives from %s", step_name (trace, &cause),
                              device_name (trace, transfer_of (trace, &cause)->from));
    case GOBAN_WAIT_DEVICE:
      return g_strdup_printf (
          "waited %s for %s, busy with %s", time,
          device_name (trace, goban_plan_get_device (goban_trace_get_plan (trace), step->index)),
          step_name (trace, &cause));
    case GOBAN_WAIT_CHANNEL:
      return g_strdup_printf ("waited %s for a channel, busy with %s from %s to %s", time,
                              step_name (trace, &cause),
                              device_name (trace, transfer_of (trace, &cause)->from),
                              device_name (trace, transfer_of (trace, &cause)->to));
    }
  return g_strdup ("nothing to wait for");
}

static char *
describe_idle (const GobanCauses *self, const GobanCause *cause)
{
  const char *device = device_name (self->trace, cause->device);
  char time[GOBAN_QUANTITY_LEN];
  GobanStep awaited;

  goban_format_time (time, cause->finish_us - cause->start_us);
  if (!goban_trace_get_cause (self->trace, &cause->step, &awaited))
    return g_strdup_printf ("%s is idle for %s", device, time);
  if (!awaited.is_transfer)
    return g_strdup_printf ("%s waits %s for “%s”", device, time,
                            step_name (self->trace, &awaited));
  return g_strdup_printf ("%s waits %s for “%s” from %s, which “%s” needs", device, time,
                          step_name (self->trace, &awaited),
                          device_name (self->trace, transfer_of (self->trace, &awaited)->from),
                          node_name (self->trace, cause->step.index));
}

char *
goban_causes_describe (const GobanCauses *self, guint i)
{
  const GobanCause *cause = &g_array_index (self->causes, GobanCause, i);
  char start[GOBAN_QUANTITY_LEN], finish[GOBAN_QUANTITY_LEN];
  g_autofree char *wait = NULL;

  g_return_val_if_fail (i < self->causes->len, NULL);

  if (cause->kind == GOBAN_CAUSE_RUNS || cause->kind == GOBAN_CAUSE_RUNNING)
    wait = goban_describe_wait (self->trace, &cause->step);
  goban_format_time (start, cause->start_us);
  goban_format_time (finish, cause->finish_us);
  switch (cause->kind)
    {
    case GOBAN_CAUSE_RUNS:
      return g_strdup_printf ("%s runs “%s” from %s to %s: %s",
                              device_name (self->trace, cause->device),
                              step_name (self->trace, &cause->step), start, finish, wait);
    case GOBAN_CAUSE_IDLE:
      return describe_idle (self, cause);
    case GOBAN_CAUSE_DONE:
      return g_strdup_printf ("%s has nothing to do from %s on",
                              device_name (self->trace, cause->device), start);
    case GOBAN_CAUSE_RUNNING:
      return g_strdup_printf ("“%s” %s %s: under way from %s to %s, %s",
                              step_name (self->trace, &cause->step),
                              cause->step.is_transfer ? "to" : "on",
                              device_name (self->trace, cause->device), start, finish, wait);
    case GOBAN_CAUSE_STEP:
      return goban_trace_describe_step (self->trace, &cause->step);
    case GOBAN_CAUSE_NEVER:
      break;
    }
  return g_strdup_printf ("the run did not take place: %s", goban_trace_get_why (self->trace));
}
