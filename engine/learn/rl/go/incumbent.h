/* incumbent.h: the best plan so far, from which rollouts start: its decisions and its outcome.
 *
 * The y of engine/learn/policy/refiner.h. Decisions are stored by unit, so that a board with any
 * groups can be made from them.
 *
 * Decision G8 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/rl/go/problem.h"
#include "engine/placers/search.h"
#include "engine/sim/outcome.h"

G_BEGIN_DECLS

/* The start plans to choose from. */
typedef enum
{
  GOBAN_START_NOTHING, /* everything on the fastest device */
  /* the quick heuristics of engine/placers/search/starts.h that do not read names */
  GOBAN_START_QUICK,
  GOBAN_START_ALL, /* also the expert's plan and cuts along names, as for the other searches */
} GobanStart;

typedef struct
{
  GobanUnitChoices choices;
  GobanTasks decisions; /* decisions of the problem, which are read from offered plans */
  GobanPlan *plan;      /* NULL before goban_incumbent_begin() */
  GobanOutcome outcome;
  GobanMoment moment;    /* of the search's decisions, whose state is the plan; 0: unknown */
  gboolean is_looked_at; /* the problem's refiner has seen its run */
  /* set before begin: choose the best static order for the start plan */
  gboolean tries_orders;
  gboolean leaves_out_cells; /* set before begin: no splits along parameters and uses */

  /* If work counts, a plan slightly longer than the best may be current for a while. */
  /* weight of work relative to makespan; 0: only the makespan counts */
  double work_weight;
  double work_us; /* work of the plan; 0 if it does not count */
  GobanUnitChoices best_choices;
  GobanPlan *best_plan; /* (nullable): the best plan, if it is not the current one */
  GobanOutcome best_outcome;
  GobanMoment best_moment;
} GobanIncumbent;

void goban_incumbent_clear (GobanIncumbent *self);

/**
 * goban_incumbent_begin:
 *
 * Chooses the best start plan. Each candidate is an evaluation, with the problem's own executors.
 *
 * Returns: %FALSE with %GOBAN_ERROR_CANCELLED or INFEASIBLE set
 */
gboolean goban_incumbent_begin (GobanIncumbent *self, GobanProblem *problem, GobanStart start,
                                GobanSearch *search, GError **error);

/* Replaces the plan, whose devices decide where placement does. Levels become the middle ones. */
void goban_incumbent_set_plan (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
                               GobanSearch *search);

/* Passes the run of the plan to the refiner, once per plan; that is an evaluation. */
void goban_incumbent_look (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search);

/**
 * goban_incumbent_weigh_work:
 * @weight: the new weight of work
 *
 * Fusion on a device that no op waits for does not shorten the run, until placement gives the
 * device more work. So plans are compared by makespan + weight x mean work of a device, and a plan
 * up to 1 % longer than the best may become current. With weight 0 the best plan becomes current
 * again.
 */
void goban_incumbent_weigh_work (GobanIncumbent *self, GobanProblem *problem, double weight);

/* The score by which plans that fit in memory are compared. */
double goban_incumbent_get_score (const GobanIncumbent *self, GobanOutcome outcome, double work_us);
/* Whether an outcome is better than the best. */
gboolean goban_incumbent_is_shorter (const GobanIncumbent *self, GobanOutcome outcome);
/* Whether the plan would become current: shorter than the best, or better by the weighted score. */
gboolean goban_incumbent_would_take (const GobanIncumbent *self, GobanOutcome outcome,
                                     double work_us);

/* Takes the plan of these choices on @board if it is better; returns whether it is: its moment is
 * unknown then. @work_us: 0 if work does not count */
gboolean goban_incumbent_offer (GobanIncumbent *self, const GobanBoard *board,
                                const GobanChoices *choices, GobanPlan *plan, GobanOutcome outcome,
                                double work_us);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanIncumbent, goban_incumbent_clear)

G_END_DECLS
