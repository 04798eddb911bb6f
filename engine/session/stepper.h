/* stepper.h: background maker of the intermediate run that a session's view shows, with a small
 * cache.
 *
 * A session owns one. What it has made last stays until the next is there, so that graph, timeline
 * and makespan always are of one plan. The step after the one that is shown is made ahead. Main
 * thread.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

typedef struct _GobanStepper GobanStepper;

/* @changed: told when there is another run to be shown */
GobanStepper *goban_stepper_new (GobanSession *session,
                                 void (*changed) (GobanSession *session)) G_GNUC_WARN_UNUSED_RESULT;
void goban_stepper_free (GobanStepper *self);

/* (nullable): the run of a step of the session's current run; borrowed. */
GobanRun *goban_stepper_get_run (GobanStepper *self);
/* (nullable): that of the step before it, once it is made; borrowed. The session says that it is by "notify::ghost". */
GobanRun *goban_stepper_get_before (GobanStepper *self);
/* Which one that is, GOBAN_NO_STEP for none: what is asked for may be on its way. */
int goban_stepper_get_step (GobanStepper *self);

/* The session's current run is another: nothing is kept. */
void goban_stepper_forget (GobanStepper *self);

G_END_DECLS
