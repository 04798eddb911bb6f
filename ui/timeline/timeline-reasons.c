#include "ui/timeline/timeline-reasons.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/causes.h"
#include "engine/study/run/run-origin.h"

char *
goban_describe_op_wait (GobanTrace *trace, GobanNodeId node)
{
  GobanStep step;

  if (goban_trace_get_ops (trace) == NULL)
    return g_strdup ("never ran");

  step = goban_trace_get_step (trace, FALSE, node);
  return goban_describe_wait (trace, &step);
}

char *
goban_describe_transfer_wait (GobanTrace *trace, guint32 transfer)
{
  GobanStep step = goban_trace_get_step (trace, TRUE, transfer);

  return goban_describe_wait (trace, &step);
}

char *
goban_describe_deviation (GobanRun *run, GobanRun *other, GobanNodeId node)
{
  const GobanOpSpan *measured, *predicted;
  char took[GOBAN_QUANTITY_LEN], cost[GOBAN_QUANTITY_LEN], change[GOBAN_QUANTITY_LEN];
  double measured_us, predicted_us;

  if (run == NULL || other == NULL || goban_run_get_plan (run) != goban_run_get_plan (other)
      || goban_run_is_recorded (run) == goban_run_is_recorded (other))
    return NULL;
  measured = goban_trace_get_ops (goban_run_get_trace (goban_run_is_recorded (run) ? run : other));
  predicted = goban_trace_get_ops (goban_run_get_trace (goban_run_is_recorded (run) ? other : run));
  if (measured == NULL || predicted == NULL)
    return NULL;
  measured_us = measured[node].finish_us - measured[node].start_us;
  predicted_us = predicted[node].finish_us - predicted[node].start_us;
  if (!(predicted_us > 0))
    return NULL;
  return g_strdup_printf (_ ("measured %s, predicted %s: %s"),
                          goban_format_time (took, measured_us),
                          goban_format_time (cost, predicted_us),
                          goban_format_percent_change (change, predicted_us, measured_us));
}
