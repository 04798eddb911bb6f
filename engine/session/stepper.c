#include "engine/session/stepper.h"

#include "engine/core/jobs/job.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-run.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/run-list.h"

/* A run of 80,000 nodes has some 10 MB. */
#define MOST_KEPT 4

struct _GobanStepper
{
  GobanView *view; /* borrowed */
  GobanStepperEvents events;
  gpointer user_data;
  GobanRun *base;            /* (nullable): whose moments are shown */
  GobanDecisions *decisions; /* (nullable): the base's, borrowed */
  GPtrArray *kept;           /* GobanRun of finished plans, used last at the end */
  GArray *moments;           /* of GobanMoment: which these are of */
  GobanRun *shown;           /* (nullable) */
  int moment;                /* of shown */
  GobanJob *job;             /* (nullable) */
  GobanMoment job_moment;    /* that the job makes */
};

GobanRun *
goban_stepper_get_run (GobanStepper *self)
{
  return self->shown;
}

/* Slot of a moment's plan in the cache, or -1. */
static int
find_place (const GobanStepper *self, GobanMoment moment)
{
  for (guint i = 0; i < self->kept->len; i++)
    if (g_array_index (self->moments, GobanMoment, i) == moment)
      return (int) i;
  return -1;
}

/* (nullable): borrowed, and used last from now on. */
static GobanRun *
find_kept (GobanStepper *self, GobanMoment moment)
{
  int place = find_place (self, moment);
  GobanRun *run;

  if (moment == goban_run_get_moment (self->base))
    return self->base;
  if (place < 0)
    return NULL;
  run = g_ptr_array_steal_index (self->kept, (guint) place);
  g_array_remove_index (self->moments, (guint) place);
  g_ptr_array_add (self->kept, run);
  g_array_append_val (self->moments, moment);
  return run;
}

/* @run: (transfer full) */
static void
keep (GobanStepper *self, GobanMoment moment, GobanRun *run)
{
  if (self->kept->len == MOST_KEPT)
    {
      g_ptr_array_remove_index (self->kept, 0);
      g_array_remove_index (self->moments, 0);
    }
  g_ptr_array_add (self->kept, run);
  g_array_append_val (self->moments, moment);
}

static int
find_neighbour (const GobanStepper *self, int moment, int by)
{
  return (int) goban_decisions_next_stop (self->decisions, goban_view_get_level (self->view),
                                          goban_view_get_stops (self->view), (GobanMoment) moment,
                                          by);
}

GobanRun *
goban_stepper_get_before (GobanStepper *self)
{
  int place;

  if (self->shown == NULL)
    return NULL;
  if (goban_run_is_unfinished (self->shown))
    return self->base;
  place = find_place (self, (GobanMoment) find_neighbour (self, self->moment, -1));
  return place >= 0 ? g_ptr_array_index (self->kept, place) : NULL;
}

static void
show (GobanStepper *self, GobanRun *run, int moment)
{
  gboolean is_another = self->shown != run;

  self->moment = moment;
  goban_run_set (&self->shown, run);
  if (is_another)
    self->events.shown (self->user_data);
}

/* Shows a moment, of which @finished is the run of the plan that it leads to. */
static void
show_moment (GobanStepper *self, int moment, GobanRun *finished)
{
  g_autoptr (GobanRun) run = NULL;

  if (self->shown != NULL && self->moment == moment)
    return;
  run = goban_moment_new_run_within (self->base, finished, (GobanMoment) moment, NULL);
  if (run != NULL)
    show (self, run, moment);
}

/* --- making ----------------------------------------------------------------------------------- */

static void follow (GobanStepper *self);

static void
made_cb (GobanJob *job, GobanStepper *self)
{
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_job_steal_result (job, &error);
  int wanted = goban_view_get_moment (self->view);

  g_clear_object (&self->job);
  if (run != NULL)
    {
      keep (self, self->job_moment, run);
      if (self->shown != NULL && goban_stepper_get_before (self) == run)
        self->events.before (self->user_data);
    }
  else if (wanted != GOBAN_NO_MOMENT
           && goban_moment_find_plan (self->decisions, (GobanMoment) wanted) == self->job_moment)
    {
      self->events.failed (error->message, self->user_data);
      goban_view_set_moment (self->view, GOBAN_NO_MOMENT);
      return;
    }
  follow (self);
}

static void
start (GobanStepper *self, GobanMoment moment)
{
  self->job_moment = moment;
  self->job
      = goban_job_start ("Stepping", goban_moment_work,
                         goban_moment_new_work (goban_run_get_costs (self->base), self->decisions,
                                                goban_run_get_name (self->base), moment),
                         goban_moment_free_work, (GDestroyNotify) goban_run_unref);
  g_signal_connect (self->job, "done", G_CALLBACK (made_cb), self);
}

/* Makes the plan of the stop before the shown one, which is its ghost, then that of the next. */
static void
prepare_neighbours (GobanStepper *self, int moment)
{
  for (int by = -1; by <= 1 && self->job == NULL; by += 2)
    {
      GobanMoment finished = goban_moment_find_plan (
          self->decisions, (GobanMoment) find_neighbour (self, moment, by));

      if (find_kept (self, finished) == NULL)
        start (self, finished);
    }
}

/* Shows the requested moment as soon as its plan is made, and then makes those of its neighbours.
 */
static void
follow (GobanStepper *self)
{
  int moment = goban_view_get_moment (self->view);
  GobanMoment finished;
  GobanRun *run;

  if (moment == GOBAN_NO_MOMENT || self->decisions == NULL)
    {
      show (self, NULL, GOBAN_NO_MOMENT);
      return;
    }
  moment = MIN (moment, (int) goban_decisions_get_n_moments (self->decisions));
  finished = goban_moment_find_plan (self->decisions, (GobanMoment) moment);
  run = find_kept (self, finished);
  if (run != NULL)
    show_moment (self, moment, run);
  if (self->job != NULL)
    return;
  if (run == NULL)
    start (self, finished);
  else
    prepare_neighbours (self, moment);
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
  g_array_set_size (self->moments, 0);
  goban_run_set (&self->base, base);
  self->decisions = base != NULL ? goban_run_get_decisions (base) : NULL;
  g_clear_pointer (&self->shown, goban_run_unref);
  self->moment = GOBAN_NO_MOMENT;
}

void
goban_stepper_extend_base (GobanStepper *self, GobanRun *base)
{
  drop_job (self);
  goban_run_set (&self->base, base);
  self->decisions = goban_run_get_decisions (base);
  follow (self);
}

GobanStepper *
goban_stepper_new (GobanView *view, const GobanStepperEvents *events, gpointer user_data)
{
  GobanStepper *self = g_new0 (GobanStepper, 1);

  self->view = view;
  self->events = *events;
  self->user_data = user_data;
  self->kept = goban_run_array_new ();
  self->moments = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
  self->moment = GOBAN_NO_MOMENT;
  g_signal_connect_swapped (view, "notify::moment", G_CALLBACK (follow), self);
  g_signal_connect_swapped (view, "notify::level", G_CALLBACK (follow), self);
  return self;
}

void
goban_stepper_free (GobanStepper *self)
{
  g_signal_handlers_disconnect_by_data (self->view, self);
  goban_stepper_set_base (self, NULL);
  g_ptr_array_unref (self->kept);
  g_array_unref (self->moments);
  g_free (self);
}
