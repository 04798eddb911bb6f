/* run-bounds.h: makespan of a run over the lower bound that all plans of a list share. */
#pragma once

#include "engine/study/run/run.h"

/* makespan / lower bound of plans without fusion; below 1 for a fused plan that is shorter than any
 * of those. NAN if there is no bound or no makespan. */
double goban_run_get_unfused_ratio (GobanRun *self);
