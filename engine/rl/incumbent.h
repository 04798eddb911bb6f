/* incumbent.h: the best plan so far, from which rollouts start: its decisions and its outcome.
 *
 * The y of engine/policy/refiner.h. Held by unit, so that a board of any groups can be made of it.
 *
 * Decision G8 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/search.h"
#include "engine/rl/problem.h"

G_BEGIN_DECLS

/* What it begins with. */
typedef enum
{
  GOBAN_START_NOTHING, /* all on the fastest device: from scratch */
  /* the best of the quick heuristics: engine/placers/starts.h, less what knows names */
  GOBAN_START_QUICK,
  GOBAN_START_ALL, /* the expert's and cuts along names as well: where our searches start */
} GobanStart;

typedef struct
{
  GobanUnitChoices choices;
  GobanDecisions decisions; /* the problem's: what offers are read for */
  GobanPlan *plan;          /* NULL before it begins */
  GobanOutcome outcome;
  gboolean is_looked_at; /* the problem's refiner has seen its run */
  /* set before it begins: the problem takes the best static order for its start */
  gboolean tries_orders;
  gboolean leaves_out_cells; /* set before it begins: no splits along parameters and uses */

  /* Where work counts, another plan may stand in for the best for a while. */
  /* of a microsecond of work beside one of makespan; 0: the shortest plan is the best */
  double work_weight;
  double work_us; /* of the plan; 0 where it does not count */
  GobanUnitChoices best_choices;
  GobanPlan *best_plan; /* (nullable): shorter than the plan */
  GobanOutcome best_outcome;
} GobanIncumbent;

void goban_incumbent_clear (GobanIncumbent *self);

/**
 * goban_incumbent_begin:
 *
 * Every plan that it chooses from is an evaluation, with the problem's own executors.
 *
 * Returns: %FALSE with %GOBAN_ERROR_CANCELLED or INFEASIBLE set
 */
gboolean goban_incumbent_begin (GobanIncumbent *self, GobanProblem *problem, GobanStart start,
                                GobanSearch *search, GError **error);

/* Replaces the plan, whose devices decide where placement does. Levels become the middle ones. */
void goban_incumbent_set_plan (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
                               GobanSearch *search);

/* Shows its run to the refiner, once per plan: an evaluation. */
void goban_incumbent_look (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search);

/**
 * goban_incumbent_weigh_work:
 * @weight: from now on
 *
 * What fusion saves on a device that nobody waits for shortens nothing, until placement gives the
 * device more to do. So plans are compared by makespan + weight x work of the mean device, and one
 * that is 1 % longer than the best may be taken. Weight 0 goes back to the best.
 *
 * Returns: whether it went back
 */
gboolean goban_incumbent_weigh_work (GobanIncumbent *self, GobanProblem *problem, double weight);

/* Whether the plan is the best that it has been. */
gboolean goban_incumbent_is_best (const GobanIncumbent *self);

/* What plans are compared by where both have the memory. */
double goban_incumbent_get_score (const GobanIncumbent *self, GobanOutcome outcome, double work_us);
/* Than the best. */
gboolean goban_incumbent_is_shorter (const GobanIncumbent *self, GobanOutcome outcome);
/* A shorter plan than the best, or one that may stand in for it. */
gboolean goban_incumbent_would_take (const GobanIncumbent *self, GobanOutcome outcome,
                                     double work_us);

/* Takes the plan of these choices on @board if it is better. %TRUE if it is. @work_us: 0 where it
 * does not count */
gboolean goban_incumbent_offer (GobanIncumbent *self, const GobanBoard *board,
                                const GobanChoices *choices, GobanPlan *plan, GobanOutcome outcome,
                                double work_us);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanIncumbent, goban_incumbent_clear)

G_END_DECLS
