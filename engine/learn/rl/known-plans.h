/* known-plans.h: makespans of plans that are made without learning: the unit of learning curves.
 *
 * One device, the expert's plan and m-ETF's; these are placed as TensorFlow runs them.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/sim/evaluator.h"

G_BEGIN_DECLS

typedef struct
{
  double reference_us; /* of the best one that fits in memory, else of the best; 1 without any */
  double expert_us;    /* NAN if the expert's does not fit in memory or does not exist */
} GobanKnownPlans;

/* @progress: (nullable). %FALSE with %GOBAN_ERROR_CANCELLED set; @self is unchanged then. */
gboolean goban_known_plans_measure (GobanKnownPlans *self, GobanCostModel *costs,
                                    GobanEvaluator *evaluator, const GobanProgress *progress,
                                    GError **error);

G_END_DECLS
