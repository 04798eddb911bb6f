/* moment-shown.h: plans that pictures show of moments: the moment's own if that is finished, else
 * the decided part of the plan that it leads to.
 *
 * Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"

/* The last moment if all nodes have devices then; in the record of a policy that is still running,
 * the newest one at which an accepted plan was finished, or 0. O(nodes + moments) */
GobanMoment goban_moment_find_newest (const GobanDecisions *decisions);

/* The moment itself if all nodes have devices then, else the first finished one that it leads to;
 * the newest if there is none yet. O(nodes + moments) */
GobanMoment goban_moment_find_plan (const GobanDecisions *decisions, GobanMoment moment);

/* The plan of that moment. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if it
 * was dropped, or the run has no decisions */
GobanPlan *goban_moment_new_plan (GobanRun *run, GobanMoment moment,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The run to show of a moment, of which @finished is the run of the plan that it leads to, or is.
 * (transfer full) (nullable): as above */
GobanRun *goban_moment_new_run_within (GobanRun *base, GobanRun *finished, GobanMoment moment,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The run to show, in one call. (transfer full) (nullable): as above */
GobanRun *goban_moment_new_shown_run (GobanRun *base, GobanMoment moment,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "Plan 5 of 17 › Decision 3 of 313: conv1 to gpu:1, finish 26 µs". (transfer full) */
char *goban_moment_describe_whole (const GobanCostModel *costs, const GobanDecisions *decisions,
                                   GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* Replays and simulates the plan; the record is that of the new run, too. @name: of the run whose
 * moment it is; the new one is "heft, moment 12".
 *
 * (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if @decisions is %NULL or has no
 * plan at the moment */
GobanRun *goban_moment_new_run (GobanCostModel *costs, GobanDecisions *decisions, const char *name,
                                GobanMoment moment, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same as a job's data and function (job.h); goban_moment_free_work() frees the data. */
gpointer goban_moment_new_work (GobanCostModel *costs, GobanDecisions *decisions, const char *name,
                                GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_free_work (gpointer work);
gpointer goban_moment_work (const GobanProgress *progress, gpointer work, GError **error);
