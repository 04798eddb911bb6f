#include "engine/learn/rl/graph-curve.h"

#include "engine/learn/rl/learned-options.h"
#include "engine/placers/policies.h"

#include <math.h>
#include <string.h>

gboolean
goban_graph_curve_measure_reference (GobanCostModel *costs, GobanEvaluator *evaluator,
                                     const GobanProgress *progress, double *reference_us,
                                     GError **error)
{
  const GobanPlacer *placers[]
      = { &goban_placer_single, &goban_placer_expert, &goban_placer_m_etf };
  /* What it is done for goes on to be told, not these plans. */
  const GobanProgress quiet
      = progress != NULL ? (GobanProgress){ NULL, progress->should_stop, progress->user_data }
                         : (GobanProgress){ 0 };
  GobanPlacerOptions options = { .progress = &quiet };
  GobanOutcome best = { INFINITY, INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (placers); i++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (!goban_placer_try (placers[i], costs, &options, &plan, error))
        return FALSE;
      if (plan == NULL)
        continue;
      goban_evaluator_evaluate (evaluator, &plan, 1, &outcome);
      if (goban_outcome_compare (&outcome, &best) < 0)
        best = outcome;
    }
  *reference_us = best.makespan_us > 0 && isfinite (best.makespan_us) ? best.makespan_us : 1;
  return TRUE;
}

gboolean
goban_graph_curve_init (GobanGraphCurve *self, GobanCostModel *costs,
                        const GobanPlacerOptions *options, GError **error)
{
  g_autoptr (GobanEvaluator) evaluator = NULL;

  *self = (GobanGraphCurve){ .sink = goban_learned_options (options)->curve };
  if (self->sink == NULL)
    return TRUE;
  evaluator = goban_evaluator_new (costs, 1);
  if (!goban_graph_curve_measure_reference (costs, evaluator, options->progress,
                                            &self->reference_us, error))
    return FALSE;
  self->n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  self->shares = g_new (double, self->n_devices);
  self->work_us = g_new (double, goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)) + 1);
  goban_cost_model_mean_times (costs, self->work_us);
  return TRUE;
}

void
goban_graph_curve_clear (GobanGraphCurve *self)
{
  g_clear_pointer (&self->shares, g_free);
  g_clear_pointer (&self->work_us, g_free);
}

void
goban_graph_curve_begin_update (GobanGraphCurve *self)
{
  if (self->sink == NULL)
    return;
  self->begun_us = g_get_monotonic_time ();
  self->n_samples = self->n_valid = self->n_choices = 0;
  self->makespan_us = self->reward = self->top_share = self->entropy = 0;
  self->best_us = INFINITY;
}

/* Share of the work on the device that has most of it; NAN without a choice of devices. */
static double
get_top_share (GobanGraphCurve *self, const GobanPlan *plan)
{
  double top_us = 0, total_us = 0;

  memset (self->shares, 0, self->n_devices * sizeof *self->shares);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    self->shares[goban_plan_get_device (plan, v)] += self->work_us[v];
  for (guint d = 0; d < self->n_devices; d++)
    {
      top_us = MAX (top_us, self->shares[d]);
      total_us += self->shares[d];
    }
  return total_us > 0 && self->n_devices > 1 ? top_us / total_us : (double) NAN;
}

void
goban_graph_curve_add_draft (GobanGraphCurve *self, const GobanOutcome *outcome)
{
  if (self->sink != NULL && outcome->overflow_bytes <= 0)
    self->best_us = MIN (self->best_us, outcome->makespan_us);
}

void
goban_graph_curve_add_sample (GobanGraphCurve *self, const GobanPlan *plan,
                              const GobanOutcome *outcome, double reward)
{
  if (self->sink == NULL)
    return;
  goban_graph_curve_add_draft (self, outcome);
  self->n_samples++;
  self->reward += reward;
  self->top_share += get_top_share (self, plan);
  if (outcome->overflow_bytes > 0)
    return;
  self->n_valid++;
  self->makespan_us += outcome->makespan_us;
}

void
goban_graph_curve_add_choices (GobanGraphCurve *self, double entropy, guint n)
{
  self->entropy += entropy * n;
  self->n_choices += n;
}

void
goban_graph_curve_end_update (GobanGraphCurve *self, double gradient_norm, double clipped)
{
  GobanCurvePoint point = { 0 };

  if (self->sink == NULL)
    return;
  point.step = ++self->n_updates;
  point.values[GOBAN_CURVE_MEAN]
      = self->n_valid > 0 ? self->makespan_us / self->n_valid / self->reference_us : (double) NAN;
  point.values[GOBAN_CURVE_BEST]
      = isfinite (self->best_us) ? self->best_us / self->reference_us : (double) NAN;
  point.values[GOBAN_CURVE_VALID] = (double) self->n_valid / MAX (self->n_samples, 1);
  point.values[GOBAN_CURVE_REWARD] = self->reward / MAX (self->n_samples, 1);
  point.values[GOBAN_CURVE_ENTROPY] = self->entropy / MAX (self->n_choices, 1);
  point.values[GOBAN_CURVE_GRADIENT] = gradient_norm;
  point.values[GOBAN_CURVE_CLIPPED] = clipped;
  point.values[GOBAN_CURVE_SECONDS]
      = (double) (g_get_monotonic_time () - self->begun_us) / G_USEC_PER_SEC;
  point.values[GOBAN_CURVE_TOP_SHARE] = self->top_share / MAX (self->n_samples, 1);
  self->sink->add (&point, self->sink->user_data);
}
