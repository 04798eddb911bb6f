/* go-refine: half of the budget for GO, half for local search from its plan. */
#include "engine/core/i18n.h"
#include "engine/learn/rl/go/go-run.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/placed-ranks.h"
#include "engine/placers/search/refine.h"

#define DEFAULT_EVALUATIONS 2000
#define SHARE_OF_GO 0.5

/* Returns the plan with the same order, but gaps between priorities for the shifts of the
 * search. */
static GobanPlan *
spread (const GobanPlan *plan)
{
  GobanPlan *copy = goban_plan_copy (plan);

  if (goban_plan_get_order (plan) == GOBAN_ORDER_PRIORITY)
    for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
      goban_plan_set_priority (copy, v, goban_plan_get_priority (plan, v) * GOBAN_PRIORITY_SPREAD);
  return copy;
}

/* Continues by local search over devices, and over priorities unless the order is a start's. */
static gboolean
search_on (GobanGoRun *run, GobanCostModel *costs, const GobanPlacerOptions *options,
           GError **error)
{
  const GobanTasks scheduling = 1u << GOBAN_TASK_SCHEDULING;
  GobanRefining refining = {
    .search = &run->search,
    .units = goban_problem_get_board (run->problem)->units,
    .costs = costs,
    .evaluator = goban_problem_get_evaluator (run->problem),
    .decisions = goban_problem_get_decisions (run->problem)
                 | (run->settings.order != GOBAN_GO_ORDER_FIFO
                            && goban_learned_options (options)->start == NULL
                        ? scheduling
                        : 0),
    .seed = options->seed,
  };
  g_autoptr (GobanPlan) found = goban_tasks_have (refining.decisions, GOBAN_TASK_SCHEDULING)
                                    ? spread (run->search.best)
                                    : goban_plan_copy (run->search.best);

  return goban_refine (&refining, found, run->search.outcome, error);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GobanGoRun) run = { 0 };
  gboolean moves;

  if (!goban_go_run_begin (&run, costs, options, FALSE, DEFAULT_EVALUATIONS, error))
    return NULL;
  moves = goban_tasks_have (goban_problem_get_decisions (run.problem), GOBAN_TASK_PLACEMENT);
  if (!goban_go_run_learn (&run, moves ? SHARE_OF_GO : 1, G_MAXUINT, error))
    return NULL;
  if (moves && run.search.best != NULL && !search_on (&run, costs, options, error))
    return NULL;
  return goban_go_run_end (&run, evaluations);
}

const GobanPlacer goban_placer_go_refine = {
  .name = "go-refine",
  .blurb = N_ ("GO for half of the budget, then local search from its plan"),
  .about
  = N_ ("The first half of the budget is go's, the second half local-search's, from the plan "
        "that GO found: the network finds what many groups should do, the search what single "
        "ops should. Priorities are shifted too, unless the order is to be first in first out "
        "or that of a start. Where placement is no task, there is nothing to move, and all of "
        "the budget is go's."),
  .source = "Ours; Zhou et al., NeurIPS 2020, and iterated local search (Lourenço, Martin and "
            "Stützle, 2003)",
  .effort = GOBAN_EFFORT_LEARNED,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_PLAN,
  .why_no_forcing = "decides all rows of a plan at once and learns from many plans, so that it "
                    "cannot go on from one",
  .place = place,
};
