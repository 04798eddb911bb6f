/* trace-check.h: proves that a trace obeys the rules of simulator.h.
 *
 * Shares no code with the simulator and reads only the trace, the plan and the costs.
 * O(n log n) in ops and transfers. Every simulation in the tests goes through it.
 */
#pragma once

#include "engine/sim/trace.h"

G_BEGIN_DECLS

/**
 * goban_trace_check:
 *
 * Returns: %TRUE, or %FALSE with %GOBAN_ERROR_INVALID set: the first rule found broken, with
 *   the nodes, devices and times concerned
 */
gboolean goban_trace_check (const GobanTrace *trace, GError **error);

G_END_DECLS
