#include "engine/run/run-origin.h"

#include "engine/plan/improvement.h"
#include "engine/policy/decision-log.h"
#include "engine/run/proof.h"
#include "engine/run/run-private.h"

GobanRun *
goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                    const GobanRunOrigin *origin)
{
  GobanRun *self = goban_run_new (costs, plan, name);

  if (self == NULL)
    return NULL;
  self->seed = origin->seed;
  if (origin->evaluations > 0)
    {
      self->evaluations = origin->evaluations;
      self->seconds = origin->seconds;
    }
  self->expression = g_strdup (origin->expression);
  if (origin->improvements != NULL && origin->improvements->len > 0)
    g_array_append_vals (self->improvements, origin->improvements->data, origin->improvements->len);
  if (origin->decisions != NULL)
    self->decisions = goban_decision_log_ref (origin->decisions);
  if (origin->record != NULL)
    self->record = goban_placement_record_ref (origin->record);
  return self;
}

GobanRun *
goban_run_new_head (GobanRun *run, const char *name, GobanPlacementRecord *head)
{
  GobanRun *self;

  g_return_val_if_fail (GOBAN_IS_RUN (run) && run->trace != NULL, NULL);

  self = g_object_new (GOBAN_TYPE_RUN, NULL);
  self->name = g_strdup (name);
  self->costs = goban_cost_model_ref (run->costs);
  self->trace = goban_trace_ref (run->trace);
  self->seed = run->seed;
  self->evaluations = run->evaluations;
  self->record = goban_placement_record_ref (head);
  return self;
}

char *
goban_run_describe_proof (GobanRun *self)
{
  double proven_us, bound_us;

  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  if (!goban_trace_is_valid (self->trace))
    return NULL;
  proven_us = goban_plan_get_proven_bound_us (goban_run_get_plan (self));
  /* In blocks nothing is left to wait for: what is proven is proven of all plans of that model. */
  if (goban_cost_model_get_execution (self->costs) == GOBAN_EXECUTION_BLOCKS)
    bound_us = proven_us;
  else
    bound_us = goban_trace_get_bounds (self->trace)->bound_us;
  return goban_describe_proof (goban_trace_get_makespan (self->trace), proven_us, bound_us);
}

const GArray *
goban_run_get_improvements (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->improvements;
}

const GobanDecisionLog *
goban_run_get_decisions (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->decisions;
}

GobanPlacementRecord *
goban_run_get_record (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->record;
}

guint64
goban_run_get_best_evaluation (GobanRun *self)
{
  const GArray *steps;

  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  steps = self->improvements;
  return steps->len > 0 ? g_array_index (steps, GobanImprovement, steps->len - 1).evaluation : 0;
}

guint64
goban_run_get_seed (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  return self->seed;
}

guint64
goban_run_get_evaluations (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  return self->evaluations;
}

const char *
goban_run_get_expression (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->expression;
}

double
goban_run_get_seconds (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  return self->seconds;
}
