/* trace-private.h: data of a trace, and functions that its makers share.
 *
 * Private to engine/sim. Written once, by goban_trace_new_from_run() or
 * goban_trace_new_recorded().
 */
#pragma once

#include "engine/sim/sim-units.h"
#include "engine/sim/trace.h"

struct _GobanTrace
{
  gatomicrefcount refs;
  GobanCostModel *costs;
  GobanPlan *plan;
  char *why;
  double makespan_us;
  double overflow_bytes;
  double transferred_bytes;
  GobanOpSpan *ops;
  GobanTransfer *transfers;
  GobanDeviceUse *uses;
  GobanStep *path;
  guint n_transfers;
  guint n_path;
  GobanNodeId *kernel;  /* (n_nodes) lowest node of each node's kernel; NULL: nothing is fused */
  GobanNodeId *next;    /* (n_nodes) next node of the kernel, or GOBAN_NO_NODE; NULL with kernel */
  guint32 *previous_op; /* (n_nodes) op that ran on the device immediately before, or SIM_NONE */
  guint32 *blocker;     /* (n_transfers) the transfer a waiting one waited for, else SIM_NONE */
  guint32 *by_tensor;   /* (n_transfers) indices of transfers by (tensor, to) */
  GobanMemoryPoint *levels; /* memory levels, device by device; NULL if recorded */
  guint *first_level;       /* (n_devices + 1) start of each device's levels; NULL with levels */
  gboolean is_out_of_memory;
  GobanOutOfMemory out_of_memory;
  GobanBounds bounds;
};

/* A trace with the references, the bounds and empty uses only. (transfer full) */
GobanTrace *goban_trace_new_empty (GobanCostModel *costs, GobanPlan *plan,
                                   const GobanBounds *bounds) G_GNUC_WARN_UNUSED_RESULT;

/* A trace of a run that could not start, or never ends. (transfer full) */
GobanTrace *goban_trace_new_failed (GobanCostModel *costs, GobanPlan *plan,
                                    const GobanBounds *bounds,
                                    const char *why) G_GNUC_WARN_UNUSED_RESULT;

/* trace.c: needs ops, transfers and causes. (transfer full) */
GobanStep *goban_trace_find_path (const GobanTrace *self, guint *n) G_GNUC_WARN_UNUSED_RESULT;

/* trace.c: the index of the tensor's transfer to that device, or SIM_NONE; needs
 * by_tensor. */
guint32 goban_trace_find_transfer (const GobanTrace *self, GobanTensorId tensor, GobanDeviceId to);

/* trace.c: the order of by_tensor, by tensor and receiver, and that of transfers, which start
 * one after another and are otherwise in the same order. */
int goban_transfer_compare_by_tensor (const GobanTransfer *a, const GobanTransfer *b);
int goban_transfer_compare (const GobanTransfer *a, const GobanTransfer *b);
