/* decisions.h: names of the choices of a run's policy. */
#pragma once

#include "engine/machine/plan/task.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* The name of a choice: "gpu:0"; NULL for a level, which is a number, and for a choice that was not
 * made. */
const char *goban_decisions_get_device (GobanRun *run, GobanTask task, guint32 choice);

G_END_DECLS
