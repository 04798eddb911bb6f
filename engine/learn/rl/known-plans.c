#include "engine/learn/rl/known-plans.h"

#include "engine/placers/policies.h"

#include <math.h>

gboolean
goban_known_plans_measure (GobanKnownPlans *self, GobanCostModel *costs, GobanEvaluator *evaluator,
                           const GobanProgress *progress, GError **error)
{
  const GobanPlacer *placers[]
      = { &goban_placer_single, &goban_placer_expert, &goban_placer_m_etf };
  /* What it is done for goes on to be told, not these plans. */
  const GobanProgress quiet
      = progress != NULL ? (GobanProgress){ NULL, progress->should_stop, progress->user_data }
                         : (GobanProgress){ 0 };
  GobanPlacerOptions options = { .progress = &quiet };
  GobanOutcome best = { INFINITY, INFINITY };
  GobanKnownPlans known = { .expert_us = NAN };

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
      if (placers[i] == &goban_placer_expert && outcome.overflow_bytes <= 0)
        known.expert_us = outcome.makespan_us;
    }
  known.reference_us = best.makespan_us > 0 && isfinite (best.makespan_us) ? best.makespan_us : 1;
  *self = known;
  return TRUE;
}
