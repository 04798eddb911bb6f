/* slack.h: how much later each op of a run could finish without making the run longer.
 *
 * Every device keeps its order of ops and every transfer its duration; transfers are not held
 * to wait for each other again. So a slack says where there is room, not that all of it can
 * be used at once. O(N log N + E log T), computed once per run.
 */
#pragma once

#include "engine/run/run.h"

G_BEGIN_DECLS

/* (n_nodes) microseconds, borrowed from the run; NULL where the run could not start. Any thread. */
const double *goban_run_get_slacks (GobanRun *run);

/* For a run that nobody else has. */
void goban_run_forget_slacks (GobanRun *run);

G_END_DECLS
