#include "ui/timeline/timeline-reasons.h"

#include "engine/analysis/causes.h"

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
