/* session-measured.h: measured times of the open graph in a session, and their runs. */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/**
 * goban_session_add_measured:
 * @costs: of the open graph, with measured times, on the cluster that was measured
 * @runs: (element-type GobanRun): of these costs, at least one: simulated and measured ones
 *
 * As one undoable change: costs and cluster are the present ones, the plans of the list that fit
 * the cluster are simulated with them, and @runs are added. The best of the simulated ones of @runs
 * is shown, with its measured run behind it. The caller writes the log.
 */
void goban_session_add_measured (GobanSession *self, GobanCostModel *costs, GPtrArray *runs);

G_END_DECLS
