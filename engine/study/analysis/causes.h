/* causes.h: chain of causes of a device's activity, or idle gap, at a given time.
 *
 * Each cause explains the start of the one before it, back to the start of the run or, for a gap,
 * to an op or transfer that was already running when the gap began. Immutable; keeps its trace.
 */
#pragma once

#include "engine/sim/trace.h"

typedef enum
{
  GOBAN_CAUSE_RUNS,    /* the device is busy with an op */
  GOBAN_CAUSE_IDLE,    /* the device waits for its next op, from start_us to finish_us */
  GOBAN_CAUSE_DONE,    /* the device has no op after start_us */
  GOBAN_CAUSE_STEP,    /* an op or a transfer, and the reason for its wait */
  GOBAN_CAUSE_RUNNING, /* an op or a transfer that was already running when the gap began */
  GOBAN_CAUSE_NEVER,   /* the run did not take place */
} GobanCauseKind;

typedef struct
{
  GobanCauseKind kind;
  GobanDeviceId device; /* of the op, or the transfer's receiver */
  double start_us;
  double finish_us;
  GobanStep step; /* IDLE: the op that ends the gap; unset for DONE and NEVER */
} GobanCause;

typedef struct _GobanCauses GobanCauses;

/* (transfer full) */
GobanCauses *goban_causes_new_for_device (GobanTrace *trace, GobanDeviceId device,
                                          double time_us) G_GNUC_WARN_UNUSED_RESULT;
GobanCauses *goban_causes_new_for_node (GobanTrace *trace,
                                        GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;
GobanCauses *goban_causes_new_for_transfer (GobanTrace *trace,
                                            guint32 transfer) G_GNUC_WARN_UNUSED_RESULT;
void goban_causes_free (GobanCauses *self);

/* At least one. Borrowed. */
const GobanCause *goban_causes_get (const GobanCauses *self, guint *n);

/* "gpu:1 waits 1.8 ms for “dec/add” from gpu:0", "“dec/add” on gpu:0: waits 10 µs for the device,
 * busy with “x”, then runs 3 ms". (transfer full) */
char *goban_causes_describe (const GobanCauses *self, guint i) G_GNUC_WARN_UNUSED_RESULT;

/* Short description of the wait of one op or transfer, without its own name: "waited 10 us for
 * gpu:0, busy with a", "starts when a arrives from gpu:1", "nothing to wait for". (transfer
 * full) */
char *goban_describe_wait (GobanTrace *trace, const GobanStep *step) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCauses, goban_causes_free)
