/* refine.h: iterated local search that starts from a given plan.
 *
 * Moves devices, and priorities where scheduling is among the decisions; fusion stays as it is, and
 * kernels stay whole. Without scheduling, order and priorities stay too: a FIFO plan remains one.
 * With it a FIFO plan is given priorities in the order in which its ops started, for one
 * evaluation, and goes on from there.
 *
 * The same plan, seed and budget of evaluations make the same search.
 */
#pragma once

#include "engine/machine/plan/task.h"
#include "engine/placers/search.h"
#include "engine/placers/units.h"

typedef struct
{
  GobanSearch *search; /* whose budget it spends, and to which it offers simulated plans */
  const GobanUnits *units;
  GobanCostModel *costs;     /* of the units */
  GobanEvaluator *evaluator; /* of the costs */
  GobanTasks decisions;
  guint64 seed;
} GobanRefining;

/**
 * goban_refine:
 * @plan: passes goban_plan_check() and goban_fusion_check(); has been offered to the search, so
 *   that the best is never worse
 * @outcome: of @plan
 *
 * Ends with the budget. Moves of priorities want room between them: goban_plan_spread_priorities().
 *
 * Returns: %FALSE with @error set: cancelled, then so is the search, or %GOBAN_ERROR_INFEASIBLE for
 *   kernels with groups that have no device in common
 */
gboolean goban_refine (const GobanRefining *refining, const GobanPlan *plan, GobanOutcome outcome,
                       GError **error);
