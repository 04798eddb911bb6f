/* Iterated local search: variable neighbourhood descent over devices and priorities, and kicks.
 *
 * Starts from the best of the plans of starts.h; refine.c does the rest.
 */
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/refine.h"
#include "engine/placers/search/walk.h"

#define DEFAULT_EVALUATIONS 10000

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  GobanWalk walk
      = { .costs = costs, .what = N_ ("searching"), .default_evaluations = DEFAULT_EVALUATIONS };
  GobanPlan *plan = NULL;

  if (goban_walk_begin (&walk, options, error))
    {
      goban_refine (
          &(GobanRefining){ .search = &walk.search,
                            .units = walk.units,
                            .costs = costs,
                            .evaluator = walk.evaluator,
                            .decisions = GOBAN_TASKS_DEFAULT | 1u << GOBAN_TASK_SCHEDULING,
                            .seed = options->seed },
          walk.trials.plan, walk.trials.outcome, error);
      plan = goban_search_end (&walk.search, evaluations);
    }
  goban_walk_clear (&walk);
  return plan;
}

const GobanPlacer goban_placer_local_search = {
  .name = "local-search",
  .blurb = N_ ("iterated local search: variable neighbourhood descent, kicked on"),
  .about = N_ ("Starts from the best of HEFT, the expert, critical path, METIS, m-TOPO, one "
               "device, a balanced contiguous cut, cuts along numbered scopes and splits along "
               "parameters or their uses (--set cells=0 leaves these out). Descends through "
               "eleven neighbourhoods of devices and priorities, first what the critical path "
               "waits for, taking moves that change nothing, too; then is kicked and descends "
               "again. Small graphs are also started from random plans."),
  .source = "Lourenço, Martin and Stützle, Iterated Local Search, 2003; Mladenović and Hansen, "
            "Variable Neighborhood Search, 1997",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .has_start = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .setting = "cells",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
