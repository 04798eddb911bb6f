/* slack.h: slack of each op of a run: the delay of its finish that does not lengthen the run.
 *
 * Every device keeps its order of ops and every transfer its duration; new contention between
 * transfers is ignored. So slack shows where there is room, but not all of it can be used at once.
 * O(N log N + E log T), computed once per run.
 */
#pragma once

#include "engine/study/run/run.h"

/* (n_nodes) microseconds, borrowed from the run; NULL if the run could not start. Any thread. */
const double *goban_run_get_slacks (GobanRun *run);
