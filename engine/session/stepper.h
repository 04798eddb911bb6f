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

/* @changed: called when another run is to be shown */
GobanStepper *goban_stepper_new (GobanSession *session,
                                 void (*changed) (GobanSession *session)) G_GNUC_WARN_UNUSED_RESULT;
void goban_stepper_free (GobanStepper *self);

/* (nullable): the run of a step of the session's current run; borrowed. */
GobanRun *goban_stepper_get_run (GobanStepper *self);
/* (nullable): the run of the step before it, once it is made; borrowed. The session then emits
 * "notify::ghost". */
GobanRun *goban_stepper_get_before (GobanStepper *self);
/* The step of that run, GOBAN_NO_STEP for none; the requested one may still be in progress. */
int goban_stepper_get_step (GobanStepper *self);

/* Drops all runs, because the session's current run has changed. */
void goban_stepper_forget (GobanStepper *self);

G_END_DECLS
