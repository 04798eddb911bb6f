#include "engine/run/run-private.h"

#include "engine/plan/improvement.h"
#include "engine/run/slack.h"
#include "engine/sim/simulator.h"
#include "engine/sim/trace-json.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (GobanRun, goban_run, G_TYPE_OBJECT)

static void
goban_run_finalize (GObject *object)
{
  GobanRun *self = GOBAN_RUN (object);

  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->expression, g_free);
  g_clear_pointer (&self->improvements, g_array_unref);
  g_clear_pointer (&self->decisions, goban_decision_log_unref);
  g_clear_pointer (&self->record, goban_placement_record_unref);
  g_clear_pointer (&self->trace, goban_trace_unref);
  g_clear_pointer (&self->resting, goban_plan_unref);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  G_OBJECT_CLASS (goban_run_parent_class)->finalize (object);
}

static void
goban_run_class_init (GobanRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_run_finalize;
}

static void
goban_run_init (GobanRun *self)
{
  self->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
}

GobanRun *
goban_run_simulate (GobanCostModel *costs, GobanPlan *plan, const char *name, gint64 started_us,
                    guint64 evaluations)
{
  GobanRun *self = g_object_new (GOBAN_TYPE_RUN, NULL);
  const char *policy = goban_plan_get_policy (plan);

  /* Often a file's, whose bytes need not be UTF-8; pictures, lists and files of sessions are. */
  self->name = g_utf8_make_valid (name != NULL ? name : *policy != '\0' ? policy : "plan", -1);
  self->costs = goban_cost_model_ref (costs);
  self->trace = goban_simulate (costs, plan);
  self->evaluations = evaluations + 1;
  self->seconds = (g_get_monotonic_time () - started_us) / 1e6;
  return self;
}

GobanRun *
goban_run_new (GobanCostModel *costs, GobanPlan *plan, const char *name)
{
  g_return_val_if_fail (costs != NULL && plan != NULL, NULL);

  return goban_run_simulate (costs, plan, name, g_get_monotonic_time (), 0);
}

gboolean
goban_run_save_trace (GobanRun *self, const char *path, GError **error)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), FALSE);

  return goban_trace_save (self->trace, path, error);
}

const char *
goban_run_get_name (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->name;
}

GobanGraph *
goban_run_get_graph (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return goban_cost_model_get_graph (self->costs);
}

GobanCluster *
goban_run_get_cluster (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return goban_cost_model_get_cluster (self->costs);
}

GobanCostModel *
goban_run_get_costs (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->costs;
}

GobanPlan *
goban_run_get_plan (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return goban_trace_get_plan (self->trace);
}

GobanTrace *
goban_run_get_trace (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->trace;
}

double
goban_run_get_makespan_us (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), (double) NAN);

  return goban_trace_get_makespan (self->trace);
}

double
goban_run_get_ratio (GobanRun *self)
{
  double bound_us, makespan_us;

  g_return_val_if_fail (GOBAN_IS_RUN (self), (double) NAN);

  bound_us = goban_trace_get_bounds (self->trace)->bound_us;
  makespan_us = goban_trace_get_makespan (self->trace);
  if (!(bound_us > 0) || !isfinite (bound_us) || !isfinite (makespan_us))
    return (double) NAN;
  return makespan_us / bound_us;
}

int
goban_run_compare (gconstpointer a, gconstpointer b)
{
  GobanRun *left = GOBAN_RUN ((gpointer) a);
  GobanRun *right = GOBAN_RUN ((gpointer) b);
  gboolean left_valid = goban_trace_is_valid (left->trace);
  gboolean right_valid = goban_trace_is_valid (right->trace);
  double left_us = goban_run_get_makespan_us (left);
  double right_us = goban_run_get_makespan_us (right);

  if (left_valid != right_valid)
    return left_valid ? -1 : 1;
  if (left_us != right_us)
    return left_us < right_us ? -1 : 1;
  return strcmp (left->name, right->name);
}