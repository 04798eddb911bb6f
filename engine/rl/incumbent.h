/* incumbent.h: the best plan so far, which rollouts change: what it decides, what came of it.
 *
 * The y of engine/policy/refiner.h. Held by unit, so that a board of any groups can be made of it.
 */
#pragma once

#include "engine/placers/search.h"
#include "engine/rl/problem.h"

G_BEGIN_DECLS

/* What it begins with. */
typedef enum
{
  GOBAN_START_NOTHING, /* all on the fastest device: from scratch */
  GOBAN_START_QUICK, /* the best of the quick heuristics: engine/placers/starts.h, less what knows names */
  GOBAN_START_ALL, /* the expert's and cuts along names as well: where our searches start */
} GobanStart;

typedef struct
{
  GobanUnitChoices choices;
  GobanDecisions decisions; /* the problem's: what offers are read for */
  GobanPlan *plan;          /* NULL before it begins */
  GobanOutcome outcome;
  gboolean is_looked_at; /* the problem's refiner has seen its run */
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

/* Takes another plan, whose devices decide where placement does. Levels become the middle ones. */
void goban_incumbent_take_plan (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
                                GobanSearch *search);

/* Shows its run to the refiner, once per plan: an evaluation. */
void goban_incumbent_look (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search);

/* Takes the plan of these choices on @board if its outcome is better. %TRUE if it is. */
gboolean goban_incumbent_offer (GobanIncumbent *self, const GobanBoard *board,
                                const GobanChoices *choices, GobanPlan *plan, GobanOutcome outcome);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanIncumbent, goban_incumbent_clear)

G_END_DECLS
