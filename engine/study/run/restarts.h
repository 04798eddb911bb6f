/* restarts.h: the best of several searches of one policy, which differ in their random numbers.
 *
 * Restart i has the seed of the options plus i, so that it can be repeated alone. They are run one
 * after another, or shared by the ranks of a job, with the same result. The best has a valid plan,
 * then the shortest makespan, then the lowest seed.
 */
#pragma once

#include "engine/core/ranks/ranks.h"
#include "engine/study/run/policy-run.h"

#define GOBAN_MAX_RESTARTS 100000

/**
 * goban_restarts_run:
 * @options: with skips_record unset the best search is repeated for its decisions
 * @ranks: (nullable)
 * @best: (out) (nullable): on rank 0 the run of the best plan, %NULL on others. Its origin counts
 *   the evaluations of all restarts, and its improvements are those of one after another.
 *
 * If the options' finish becomes 1, the best of the restarts that are finished by then counts. One
 * process ends the restart that is under way with its best plan.
 *
 * Returns: %FALSE with @error set as goban_run_new_from_policy() does, or by another rank
 */
gboolean goban_restarts_run (GobanCostModel *costs, const char *policy,
                             const GobanRunOptions *options, guint n_restarts, GobanRanks *ranks,
                             GobanRun **best, GError **error);
