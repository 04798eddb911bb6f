/* trace.h: trace of a simulation: the times of every op and every transfer, and their causes.
 *
 * Immutable and reference-counted. Times are microseconds from the start of the run. Spans and
 * transfers are kept even if the run is invalid (out of memory, for example), so that users can see
 * the reason; a run that cannot start at all has none.
 */
#pragma once

#include "engine/machine/plan/plan.h"

typedef struct _GobanTrace GobanTrace;

/* One run of one op, indexed by node id. Nodes that the plan fuses run as one kernel and have the
 * same span; a tensor that only they read is never in memory. */
typedef struct
{
  double ready_us; /* every input is in the device's memory */
  double start_us;
  double finish_us;
} GobanOpSpan;

/* One tensor to one device, sorted by (start, tensor, to). */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId from;
  GobanDeviceId to;
  double ready_us; /* the producer has finished */
  double start_us;
  double finish_us;
} GobanTransfer;

/* Reason why an op or a transfer could not start earlier. */
typedef enum
{
  GOBAN_WAIT_NONE,     /* it starts the run */
  GOBAN_WAIT_INPUT,    /* an op waited for a producer on its own device, or a control edge */
  GOBAN_WAIT_ARRIVAL,  /* an op waited for a transfer to arrive */
  GOBAN_WAIT_DEVICE,   /* an op was ready, but its device was busy with another */
  GOBAN_WAIT_PRODUCER, /* a transfer waited for the op that makes its tensor */
  GOBAN_WAIT_CHANNEL,  /* a transfer waited for a channel or link held by another */
} GobanWait;

/* An op or a transfer and its wait. It starts when its cause finishes. For a kernel, causes and the
 * critical path name the lowest node, and count it once. */
typedef struct
{
  gboolean is_transfer;
  guint32 index; /* node id, or index of the transfer */
  GobanWait wait;
  double waited_us; /* start - ready: 0 unless the wait is for a DEVICE or a CHANNEL */
} GobanStep;

typedef struct
{
  double busy_us;    /* ops */
  double sending_us; /* its send channel */
  double receiving_us;
  double sent_bytes;
  double received_bytes;
  double peak_bytes;   /* memory */
  double peak_time_us; /* time at which the peak is first reached, 0 if by the parameters alone */
  guint n_ops;         /* kernels: fused ops count once */
} GobanDeviceUse;

/* Lower bounds of the makespan. For a plan without fusion, of all schedules without fusion; for a
 * fused plan, of all schedules with any fusion. */
typedef struct
{
  double critical_path_us; /* longest path on the fastest devices with free links */
  double work_us;          /* all work, spread optimally over the devices */
  /* enforced by memory limits: 0 if they enforce nothing, INFINITY if nothing fits */
  double memory_us;
  double bound_us; /* the largest of them */
} GobanBounds;

/* The first time a device runs out of memory. */
typedef struct
{
  GobanDeviceId device;
  double time_us;
  /* the op whose outputs or, before the run, parameters did not fit; or the transfer's producer */
  GobanNodeId node;
  gboolean is_parameter; /* found before the run starts, time_us is 0 */
  gboolean is_transfer;
  double needed_bytes;
  double in_use_bytes;
  double capacity_bytes;
} GobanOutOfMemory;

GobanTrace *goban_trace_ref (GobanTrace *self);
void goban_trace_unref (GobanTrace *self);

GobanCostModel *goban_trace_get_costs (const GobanTrace *self);
GobanPlan *goban_trace_get_plan (const GobanTrace *self);

/* INFINITY if the plan cannot run at all. */
double goban_trace_get_makespan (const GobanTrace *self);
/* The figure by which searches compare invalid plans, as in goban_simulator_evaluate(); 0 if the
 * plan fails goban_plan_check(). */
double goban_trace_get_overflow_bytes (const GobanTrace *self);
gboolean goban_trace_is_valid (const GobanTrace *self);
/* "" if valid; else a sentence with the device, the node and the missing amount. */
const char *goban_trace_get_why (const GobanTrace *self);
/* NULL if memory sufficed. */
const GobanOutOfMemory *goban_trace_get_out_of_memory (const GobanTrace *self);

/* (n_nodes) spans, or NULL for a run that could not start. */
const GobanOpSpan *goban_trace_get_ops (const GobanTrace *self);
/* The lowest node of @node's kernel: often @node itself. */
GobanNodeId goban_trace_get_kernel (const GobanTrace *self, GobanNodeId node);
/* The next higher node of the kernel, or GOBAN_NO_NODE. */
GobanNodeId goban_trace_get_next_fused (const GobanTrace *self, GobanNodeId node);
/* FALSE if nothing is fused. */
gboolean goban_trace_is_fused (const GobanTrace *self);
const GobanTransfer *goban_trace_get_transfers (const GobanTrace *self, guint *n);
/* (n_devices). */
const GobanDeviceUse *goban_trace_get_uses (const GobanTrace *self);
double goban_trace_get_transferred_bytes (const GobanTrace *self);
const GobanBounds *goban_trace_get_bounds (const GobanTrace *self);
/* In order of time: each step is the cause of the next. */
const GobanStep *goban_trace_get_critical_path (const GobanTrace *self, guint *n);

/* Any op (by node) or transfer (by index) of a run that has spans. */
GobanStep goban_trace_get_step (const GobanTrace *self, gboolean is_transfer, guint32 index);
/* Stores in @cause, which may be @step itself, the step that @step waited for; FALSE if it starts
 * the run. O(inputs x log transfers). */
gboolean goban_trace_get_cause (const GobanTrace *self, const GobanStep *step, GobanStep *cause);

/* A device's memory over time as a staircase: n points (time, bytes from there on), (transfer
 * full). A copy of recorded data. */
typedef struct
{
  double time_us;
  double bytes;
} GobanMemoryPoint;

GobanMemoryPoint *goban_trace_get_memory (const GobanTrace *self, GobanDeviceId device,
                                          guint *n) G_GNUC_WARN_UNUSED_RESULT;
/* "waits 1.8 ms for enc/concat from gpu:0": a step in words, (transfer full). */
char *goban_trace_describe_step (const GobanTrace *self,
                                 const GobanStep *step) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrace, goban_trace_unref)
