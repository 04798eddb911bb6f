/* moment-run.h: runs of the plan after a moment of a record. */
#pragma once

#include "engine/core/progress.h"
#include "engine/decisions/decisions.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

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

G_END_DECLS
