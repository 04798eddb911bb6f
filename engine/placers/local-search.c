/* Iterated local search: variable neighbourhood descent over devices and priorities, and kicks.
 *
 * Starts from the best of the plans of starts.h; refine.c does the rest.
 */
#include "engine/placers/policies.h"
#include "engine/placers/refine.h"
#include "engine/placers/starts.h"

#define DEFAULT_EVALUATIONS 10000

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_auto (GobanSearch) search = { NULL };
  g_autoptr (GobanEvaluator) evaluator = NULL;
  g_autoptr (GobanPlan) start = NULL;
  GobanRefining refining = { .search = &search, .units = units, .costs = costs };
  GobanOutcome outcome;

  if (units == NULL)
    return NULL;
  goban_search_begin (&search, options, DEFAULT_EVALUATIONS);
  search.bound_us = goban_bounds (costs).bound_us;
  if (!goban_search_go_on (&search, "searching", error))
    return NULL;
  evaluator = goban_search_new_evaluator (costs);
  start = goban_starts_offer (&search, units, costs, evaluator, &outcome, error);
  if (start == NULL)
    return NULL;

  refining.evaluator = evaluator;
  refining.decisions = GOBAN_DECISIONS_DEFAULT | 1u << GOBAN_DECIDE_SCHEDULING;
  refining.seed = options->seed;
  goban_refine (&refining, start, outcome, error);
  return goban_search_end (&search, evaluations);
}

const GobanPlacer goban_placer_local_search = {
  .name = "local-search",
  .blurb = "iterated local search: variable neighbourhood descent, kicked on",
  .about
  = "Starts from the best of HEFT, the expert, critical path, METIS, m-TOPO, one device, a "
    "balanced "
    "contiguous cut and cuts along numbered scopes. Descends through eleven neighbourhoods of "
    "devices "
    "and priorities, first what the "
    "critical path waits for, taking moves that change nothing, too; then is kicked and descends "
    "again. Small graphs are also started from plans drawn by lot.",
  .source = "Lourenço, Martin and Stützle, Iterated Local Search, 2003; Mladenović and Hansen, "
            "Variable Neighborhood Search, 1997",
  .effort = GOBAN_EFFORT_SEARCH,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .place = place,
};
