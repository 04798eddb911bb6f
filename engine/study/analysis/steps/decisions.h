/* decisions.h: decisions of runs with names of nodes and devices, for files and scripts.
 *
 * Runs of GO's policies have a log (engine/learn/policy/decision-log.h), returned by
 * goban_run_get_log(), runs of the others a record (engine/machine/plan/placement-record.h),
 * returned by goban_run_get_record().
 */
#pragma once

#include "engine/machine/plan/task.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* The name of a choice: "gpu:0"; NULL for a level, which is a number, and for a choice that was not
 * made. */
const char *goban_decisions_get_device (GobanRun *run, GobanTask task, guint32 choice);

/* %FALSE with %GOBAN_ERROR_INVALID set if the run has neither, or %GOBAN_ERROR_IO. */
gboolean goban_decisions_save (GobanRun *run, const char *path, GError **error);

G_END_DECLS
