/* resting.h: runs without their traces, for histories that nothing else references. */
#pragma once

#include "engine/run/run.h"

G_BEGIN_DECLS

/* A resting run has no trace, which is
 * most of its memory. It must not be used until it is woken, which simulates its plan again. Main
 * thread. */
void goban_run_rest (GobanRun *self);
void goban_run_wake (GobanRun *self);
gboolean goban_run_is_resting (GobanRun *self);

G_END_DECLS
