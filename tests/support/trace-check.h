/* trace-check.h: checker: proves that a trace obeys the rules of simulator.h.
 *
 * Shares no code with the simulator and reads only the trace, the plan and the costs. It walks
 * through the instants of the trace: finishes are taken from there, and the starts that must follow
 * are derived from the rules. Every simulation in the tests goes through it.
 *
 * O(n log n) in ops and transfers, times the devices: at every round all of them and all pairs of
 * them with something waiting are looked at.
 */
#pragma once

#include "engine/sim/trace.h"

/**
 * goban_trace_check:
 *
 * Returns: %TRUE, or %FALSE with %GOBAN_ERROR_INVALID set: the first violated rule, with the nodes,
 *   devices and times concerned
 */
gboolean goban_trace_check (const GobanTrace *trace, GError **error);
