#include "engine/study/run/run-source.h"

#include "engine/machine/plan/improvement.h"
#include "engine/sim/simulator.h"
#include "engine/study/run/run-private.h"

/* Lock of all sources: a run is made or dropped seldom, and each time for a few instructions. */
static GMutex mutex;

GobanRunSource *
goban_run_source_new (GobanCostModel *costs, GobanPlan *plan, const char *name)
{
  GobanRunSource *self = g_new0 (GobanRunSource, 1);
  const char *policy = goban_plan_get_policy (plan);

  g_atomic_ref_count_init (&self->ref_count);
  /* Often a file's, whose bytes need not be UTF-8; pictures, lists and files of sessions are. */
  self->name = g_utf8_make_valid (name != NULL ? name : *policy != '\0' ? policy : "plan", -1);
  self->costs = goban_cost_model_ref (costs);
  self->plan = goban_plan_ref (plan);
  self->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  self->origin.improvements = self->improvements;
  return self;
}

void
goban_run_source_set_request (GobanRunSource *self, GobanRunOptions *request,
                              const GobanForcedDecision *forced)
{
  self->origin.request = request != NULL ? g_atomic_rc_box_acquire (request) : NULL;
  self->forced_of = g_strdup (forced->of);
  self->origin.forced = *forced;
  self->origin.forced.of = self->forced_of;
}

GobanRunSource *
goban_run_source_ref (GobanRunSource *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_run_source_unref (GobanRunSource *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->origin.decisions, goban_decisions_unref);
  g_array_unref (self->improvements);
  g_free (self->expression);
  g_free (self->forced_of);
  g_clear_pointer (&self->origin.request, goban_run_options_release);
  g_clear_pointer (&self->recorded, goban_trace_unref);
  goban_plan_unref (self->plan);
  goban_cost_model_unref (self->costs);
  g_free (self->name);
  g_free (self);
}

GobanRunSource *
goban_run_get_source (GobanRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  return run->source;
}

/* With the mutex. A run without references waits for it, to be dropped. */
static GobanRun *
take_run (GobanRunSource *self)
{
  gint n = self->run != NULL ? g_atomic_int_get (&self->run->ref_count) : 0;

  while (n > 0 && !g_atomic_int_compare_and_exchange (&self->run->ref_count, n, n + 1))
    n = g_atomic_int_get (&self->run->ref_count);
  return n > 0 ? self->run : NULL;
}

GobanRun *
goban_run_source_peek_run (GobanRunSource *self)
{
  GobanRun *run;

  g_return_val_if_fail (self != NULL, NULL);

  g_mutex_lock (&mutex);
  run = take_run (self);
  g_mutex_unlock (&mutex);
  return run;
}

GobanRun *
goban_run_source_get_run (GobanRunSource *self)
{
  GobanRun *run = goban_run_source_peek_run (self);

  if (run != NULL || self == NULL)
    return run;
  /* Views ask for it in the main thread. */
  if (goban_plan_is_fused (self->plan))
    goban_kept_bounds (self->costs, FALSE);
  return goban_run_source_take_trace (self, self->recorded != NULL
                                                ? goban_trace_ref (self->recorded)
                                                : goban_simulate (self->costs, self->plan));
}

GobanRun *
goban_run_source_take_trace (GobanRunSource *self, GobanTrace *trace)
{
  GobanRun *run;

  g_mutex_lock (&mutex);
  run = take_run (self);
  if (run == NULL)
    {
      run = self->run = g_new0 (GobanRun, 1);
      run->ref_count = 1;
      run->source = goban_run_source_ref (self);
      run->parts = (GobanRunParts){ .graph = goban_cost_model_get_graph (self->costs),
                                    .cluster = goban_cost_model_get_cluster (self->costs),
                                    .costs = self->costs,
                                    .plan = self->plan,
                                    .trace = goban_trace_ref (trace) };
    }
  g_mutex_unlock (&mutex);
  goban_trace_unref (trace);
  return run;
}

void
goban_run_source_drop_run (GobanRunSource *self, GobanRun *run)
{
  g_mutex_lock (&mutex);
  if (self->run == run)
    self->run = NULL;
  g_mutex_unlock (&mutex);
}
