#include "engine/study/run/run-origin.h"

#include "engine/machine/plan/improvement.h"
#include "engine/study/run/proof.h"
#include "engine/study/run/run-private.h"

#include <math.h>

GobanRun *
goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                    const GobanRunOrigin *origin)
{
  GobanRun *self = goban_run_new (costs, plan, name);
  GobanRunOrigin *own;

  if (self == NULL)
    return NULL;
  own = &self->source->origin;
  own->seed = origin->seed;
  if (origin->evaluations > 0)
    {
      own->evaluations = origin->evaluations;
      own->seconds = origin->seconds;
    }
  if (origin->improvements != NULL && origin->improvements->len > 0)
    g_array_append_vals (self->source->improvements, origin->improvements->data,
                         origin->improvements->len);
  if (origin->decisions != NULL)
    own->decisions = goban_decisions_ref (origin->decisions);
  own->is_within = origin->is_within;
  own->moment = origin->moment;
  self->source->expression = g_strdup (origin->expression);
  own->expression = self->source->expression;
  goban_run_source_set_request (self->source, origin->request, &origin->forced);
  return self;
}

GobanRun *
goban_run_new_within (GobanRun *run, GobanPlan *plan, const char *name, GobanMoment moment,
                      gboolean is_unfinished)
{
  g_autoptr (GobanRunSource) source = NULL;

  g_return_val_if_fail (run != NULL, NULL);

  source = goban_run_source_new (run->parts.costs, plan, name);
  source->origin.seed = run->source->origin.seed;
  source->origin.evaluations = run->source->origin.evaluations;
  source->origin.decisions = goban_decisions_ref (run->source->origin.decisions);
  source->origin.is_within = TRUE;
  source->origin.moment = moment;
  source->is_unfinished = is_unfinished;
  goban_run_source_set_request (source, run->source->origin.request, &run->source->origin.forced);
  return goban_run_source_take_trace (source, goban_trace_ref (run->parts.trace));
}

double
goban_run_get_proven_bound_us (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, 0);

  if (self->source->recorded != NULL)
    return 0;
  return goban_plan_get_proven_bound_us (self->parts.plan, self->parts.costs);
}

char *
goban_run_describe_proof (GobanRun *self)
{
  double proven_us, bound_us;

  g_return_val_if_fail (self != NULL, NULL);

  if (!goban_trace_is_valid (self->parts.trace))
    return NULL;
  proven_us = goban_run_get_proven_bound_us (self);
  bound_us = goban_trace_get_bounds (self->parts.trace)->bound_us;
  return goban_describe_proof (goban_trace_get_makespan (self->parts.trace), proven_us, bound_us);
}

const GArray *
goban_run_get_improvements (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source->origin.improvements;
}

GobanDecisions *
goban_run_get_decisions (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source->origin.decisions;
}

void
goban_run_origin_set_decisions (GobanRunOrigin *self, GobanRun *run)
{
  const GobanRunOrigin *origin = &run->source->origin;

  self->decisions = origin->decisions;
  self->is_within = origin->is_within;
  self->moment = origin->moment;
}

GobanMoment
goban_run_get_moment (GobanRun *self)
{
  const GobanRunOrigin *origin;

  g_return_val_if_fail (self != NULL, 0);

  origin = &self->source->origin;
  if (origin->decisions == NULL || origin->is_within)
    return origin->moment;
  return goban_decisions_get_last (origin->decisions);
}

gboolean
goban_run_is_unfinished (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->source->is_unfinished;
}

guint64
goban_run_get_best_evaluation (GobanRun *self)
{
  const GArray *steps;

  g_return_val_if_fail (self != NULL, 0);

  steps = self->source->origin.improvements;
  return steps->len > 0 ? g_array_index (steps, GobanImprovement, steps->len - 1).evaluation : 0;
}

guint64
goban_run_get_seed (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->source->origin.seed;
}

guint64
goban_run_get_evaluations (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->source->origin.evaluations;
}

const char *
goban_run_get_expression (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source->origin.expression;
}

GobanRunOptions *
goban_run_get_request (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source->origin.request;
}

const GobanForcedDecision *
goban_run_get_forced (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->source->origin.forced;
}

double
goban_run_get_seconds (GobanRun *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->source->origin.seconds;
}

/* (n_nodes + 1), of which the last is 0 if no other is known. */
static float *
find_entropies (const GobanDecisions *decisions, GobanMoment until)
{
  guint n_nodes = goban_decisions_get_n_nodes (decisions);
  float *entropies = g_new (float, n_nodes + 1);

  for (guint v = 0; v < n_nodes; v++)
    entropies[v] = (float) NAN;
  entropies[n_nodes] = 0;
  for (GobanMoment m = until; m > 0; m = goban_decisions_get_previous (decisions, m))
    {
      GobanDecision decision;

      if (!goban_decisions_get (decisions, m, NULL, &decision)
          || decision.task != GOBAN_TASK_PLACEMENT || isnan (decision.entropy))
        continue;
      entropies[n_nodes] = 1;
      for (guint k = 0; k < decision.n_nodes; k++)
        if (isnan (entropies[decision.nodes[k]]))
          entropies[decision.nodes[k]] = decision.entropy;
    }
  return entropies;
}

const float *
goban_run_get_entropies (GobanRun *run)
{
  GQuark key = g_quark_from_static_string ("goban-run-entropies");
  const GobanDecisions *decisions = goban_run_get_decisions (run);
  const float *entropies = goban_run_get_derived (run, key);

  if (decisions == NULL)
    return NULL;
  if (entropies == NULL)
    entropies = goban_run_keep_derived (
        run, key, find_entropies (decisions, goban_run_get_moment (run)), g_free);
  return entropies[goban_decisions_get_n_nodes (decisions)] > 0 ? entropies : NULL;
}
