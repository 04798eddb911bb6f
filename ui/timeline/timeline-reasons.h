/* timeline-reasons.h: reasons for the start time of an op or a transfer, as text.
 *
 * Read from traces alone. No display needed.
 */
#pragma once

#include "engine/study/run/run.h"

/* "waited 1.2 ms for gpu:0, busy with enc/concat", "starts when enc/l1 arrives from gpu:1",
 * "nothing to wait for". (transfer full) */
char *goban_describe_op_wait (GobanTrace *trace, GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;
char *goban_describe_transfer_wait (GobanTrace *trace, guint32 transfer) G_GNUC_WARN_UNUSED_RESULT;

/* "measured 110.9 µs, predicted 47.6 µs: +133.0 %" of an op, if one of the runs of a plan was
 * measured and the other one simulated. @other: (nullable). (transfer full) (nullable): %NULL for
 * any other runs */
char *goban_describe_deviation (GobanRun *run, GobanRun *other,
                                GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;
