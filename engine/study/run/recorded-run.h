/* recorded-run.h: runs that were measured, which are never simulated. */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* A run with the costs and the plan of @trace (engine/sim/trace-recorded.h), kept with its source.
 * (transfer full) */
GobanRun *goban_run_new_recorded (GobanTrace *trace, const char *name) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_run_is_recorded (GobanRun *self);

/* Ends the name of a measured run. */
#define GOBAN_MEASURED_SUFFIX ", measured"

/* The run's name without that: for its plan when it is simulated. (transfer full) */
char *goban_run_dup_plan_name (GobanRun *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
