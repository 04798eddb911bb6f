/* trace-private.h: what a trace holds and how the simulator makes one.
 *
 * Private to engine/sim. Written once, by goban_trace_new_from_run().
 */
#pragma once

#include "engine/sim/simulator-private.h"

G_BEGIN_DECLS

struct _GobanTrace
{
  gatomicrefcount refs;
  GobanCostModel *costs;
  GobanPlan *plan;
  char *why;
  double makespan_us;
  double transferred_bytes;
  GobanOpSpan *ops;
  GobanTransfer *transfers;
  GobanDeviceUse *uses;
  GobanStep *path;
  guint n_transfers;
  guint n_path;
  guint32 *previous_op; /* (n_nodes) that ran on the device just before, or SIM_NONE */
  guint32 *blocker;     /* (n_transfers) the transfer a waiting one waited for, else SIM_NONE */
  guint32 *by_tensor;   /* (n_transfers) indices of transfers by (tensor, to) */
  gboolean is_out_of_memory;
  GobanOutOfMemory out_of_memory;
  GobanBounds bounds;
};

/* A run that could not start, or never ends. (transfer full) */
GobanTrace *goban_trace_new_failed (GobanCostModel *costs, GobanPlan *plan,
                                    const GobanBounds *bounds,
                                    const char *why) G_GNUC_WARN_UNUSED_RESULT;

/* Takes record->ops. (transfer full) */
GobanTrace *goban_trace_new_from_run (const GobanSimulator *sim, GobanPlan *plan,
                                      const SimRecord *record,
                                      double makespan_us) G_GNUC_WARN_UNUSED_RESULT;

/* critical-path.c: index_of_move gives the place of a move in the trace. */
void goban_trace_keep_causes (GobanTrace *self, const SimRecord *record,
                              const guint32 *index_of_move);
/* Needs ops, transfers and causes. (transfer full) */
GobanStep *goban_trace_find_path (const GobanTrace *self, guint *n) G_GNUC_WARN_UNUSED_RESULT;

/* memory.c: finds what first exceeds the device's memory, at overflow_time_us, and says so. */
void goban_trace_explain_memory (GobanTrace *self, GobanDeviceId device, double overflow_time_us);

G_END_DECLS
