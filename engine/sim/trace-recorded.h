/* trace-recorded.h: trace of a plan's run that was measured instead of simulated.
 *
 * Ops have the times that they had. Transfers are made up to explain them: a tensor leaves when it
 * is made, and takes the time of the costs unless its first reader on a device began earlier. If a
 * device stood idle before an op, what the op waited for last arrives when it starts, so that
 * causes, critical path and idle times are those of the measurement. Memory is that of the
 * parameters alone, and there is no lower bound: bounds are of simulated costs.
 *
 * Decision E65 (engine/NOTES.md).
 */
#pragma once

#include "engine/sim/trace.h"

/**
 * goban_trace_new_recorded:
 * @plan: fuses nothing
 * @start_us, @finish_us: (n_nodes) of the ops
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if an op starts before
 *   its inputs are made, if ops of a device overlap, or if a time is none
 */
GobanTrace *goban_trace_new_recorded (GobanCostModel *costs, GobanPlan *plan,
                                      const double *start_us, const double *finish_us,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
