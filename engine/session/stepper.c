#include "engine/session/stepper.h"

#include "engine/core/jobs/job.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/run-list.h"

/* A run of 80,000 nodes has some 10 MB. */
#define MOST_KEPT 4

struct _GobanStepper
{
  GobanView *view; /* borrowed */
  GobanStepperEvents events;
  gpointer user_data;
  GobanRun *base;  /* (nullable): whose steps are kept */
  GPtrArray *kept; /* GobanRun, used last at the end */
  GArray *numbers; /* of guint: which steps these are */
  GobanRun *shown; /* (nullable) */
  int step;        /* of shown */
  GobanJob *job;   /* (nullable) */
  guint job_step;  /* that the job makes */
};

GobanRun *
goban_stepper_get_run (GobanStepper *self)
{
  return self->shown;
}

/* Slot of a step in the cache, or -1. */
static int
find_place (GobanStepper *self, int step)
{
  for (guint i = 0; step >= 0 && i < self->kept->len; i++)
    if (g_array_index (self->numbers, guint, i) == (guint) step)
      return (int) i;
  return -1;
}

GobanRun *
goban_stepper_get_before (GobanStepper *self)
{
  int place = self->shown != NULL ? find_place (self, self->step - 1) : -1;

  return place >= 0 ? g_ptr_array_index (self->kept, place) : NULL;
}

/* --- cache ------------------------------------------------------------------------------------ */

/* (nullable): borrowed, and used last from now on. */
static GobanRun *
find_kept (GobanStepper *self, guint step)
{
  for (guint i = 0; i < self->kept->len; i++)
    if (g_array_index (self->numbers, guint, i) == step)
      {
        GobanRun *run = g_ptr_array_steal_index (self->kept, i);

        g_array_remove_index (self->numbers, i);
        g_ptr_array_add (self->kept, run);
        g_array_append_val (self->numbers, step);
        return run;
      }
  return NULL;
}

/* @run: (transfer full) */
static void
keep (GobanStepper *self, guint step, GobanRun *run)
{
  if (self->kept->len == MOST_KEPT)
    {
      g_ptr_array_remove_index (self->kept, 0);
      g_array_remove_index (self->numbers, 0);
    }
  g_ptr_array_add (self->kept, run);
  g_array_append_val (self->numbers, step);
}

static void
show (GobanStepper *self, GobanRun *run, int step)
{
  gboolean is_another = self->shown != run;

  self->step = step;
  goban_run_set (&self->shown, run);
  if (is_another)
    self->events.shown (self->user_data);
}

/* --- making ----------------------------------------------------------------------------------- */

static void follow (GobanStepper *self);

static void
made_cb (GobanJob *job, GobanStepper *self)
{
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_job_steal_result (job, &error);
  guint step = self->job_step;

  g_clear_object (&self->job);
  if (run != NULL)
    {
      keep (self, step, run);
      if (self->shown != NULL && self->step == (int) step + 1)
        self->events.before (self->user_data);
    }
  else if (goban_view_get_step (self->view) == (int) step)
    {
      self->events.failed (error->message, self->user_data);
      goban_view_set_step (self->view, GOBAN_NO_STEP);
      return;
    }
  follow (self);
}

static void
start (GobanStepper *self, guint step)
{
  self->job_step = step;
  self->job
      = goban_job_start ("Stepping", goban_steps_work, goban_steps_new_work (self->base, step),
                         goban_steps_free_work, (GDestroyNotify) goban_run_unref);
  g_signal_connect (self->job, "done", G_CALLBACK (made_cb), self);
}

/* The step to prepare beside the shown one: the one before it, which is its ghost, then the next;
 * GOBAN_NO_STEP: none. */
static int
find_wanted (GobanStepper *self, int step)
{
  int before = step - 1, next = step + 1;

  if (before >= (int) goban_steps_get_first (self->base)
      && find_kept (self, (guint) before) == NULL)
    return before;
  if (next <= (int) goban_steps_count (self->base) && find_kept (self, (guint) next) == NULL)
    return next;
  return GOBAN_NO_STEP;
}

/* Shows the requested step as soon as it is made, and then makes its neighbours. */
static void
follow (GobanStepper *self)
{
  int step = goban_view_get_step (self->view);
  GobanRun *run;
  int wanted;

  if (step == GOBAN_NO_STEP || self->base == NULL)
    {
      show (self, NULL, GOBAN_NO_STEP);
      return;
    }
  run = find_kept (self, (guint) step);
  if (run != NULL)
    show (self, run, step);
  wanted = run == NULL ? step : find_wanted (self, step);
  if (self->job == NULL && wanted != GOBAN_NO_STEP
      && wanted <= (int) goban_steps_count (self->base))
    start (self, (guint) wanted);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
drop_job (GobanStepper *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

void
goban_stepper_set_base (GobanStepper *self, GobanRun *base)
{
  drop_job (self);
  g_ptr_array_set_size (self->kept, 0);
  g_array_set_size (self->numbers, 0);
  goban_run_set (&self->base, base);
  g_clear_pointer (&self->shown, goban_run_unref);
  self->step = GOBAN_NO_STEP;
}

GobanStepper *
goban_stepper_new (GobanView *view, const GobanStepperEvents *events, gpointer user_data)
{
  GobanStepper *self = g_new0 (GobanStepper, 1);

  self->view = view;
  self->events = *events;
  self->user_data = user_data;
  self->kept = goban_run_array_new ();
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  self->step = GOBAN_NO_STEP;
  g_signal_connect_swapped (view, "notify::step", G_CALLBACK (follow), self);
  return self;
}

void
goban_stepper_free (GobanStepper *self)
{
  g_signal_handlers_disconnect_by_data (self->view, self);
  goban_stepper_set_base (self, NULL);
  g_ptr_array_unref (self->kept);
  g_array_unref (self->numbers);
  g_free (self);
}
