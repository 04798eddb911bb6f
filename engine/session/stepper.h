/* stepper.h: background maker of the intermediate run that a session's view shows, with a small
 * cache.
 *
 * A session owns one. Its last result stays until the next is made, so that graph, timeline and
 * makespan always are of one plan. The step after the one that is shown is made ahead. Main thread.
 *
 * Decision U39 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/view.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

typedef struct _GobanStepper GobanStepper;

typedef struct
{
  void (*shown) (gpointer user_data);  /* another run is to be shown */
  void (*before) (gpointer user_data); /* the run of the step before it is made */
  void (*failed) (const char *trouble, gpointer user_data);
} GobanStepperEvents;

/* Follows the step of @view, which outlives it. */
GobanStepper *goban_stepper_new (GobanView *view, const GobanStepperEvents *events,
                                 gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
void goban_stepper_free (GobanStepper *self);

/* (nullable): the run of a step of the base; borrowed. */
GobanRun *goban_stepper_get_run (GobanStepper *self);
/* (nullable): the run of the step before it, once it is made; borrowed. */
GobanRun *goban_stepper_get_before (GobanStepper *self);

/* Drops all runs, because another run's steps are to be shown. @base: (nullable) */
void goban_stepper_set_base (GobanStepper *self, GobanRun *base);
/* The same for a run with the same decisions, and later ones: keeps what is shown and made. */
void goban_stepper_extend_base (GobanStepper *self, GobanRun *base);

G_END_DECLS
