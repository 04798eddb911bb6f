/* timeline-reasons.h: reasons for the start time of an op or a transfer, as text.
 *
 * Read from the trace alone. No display needed.
 */
#pragma once

#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* "waited 1.2 ms for gpu:0, busy with enc/concat", "starts when enc/l1 arrives from gpu:1",
 * "nothing to wait for". (transfer full) */
char *goban_describe_op_wait (GobanTrace *trace, GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;
char *goban_describe_transfer_wait (GobanTrace *trace, guint32 transfer) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
