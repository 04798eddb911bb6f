/* trials.h: a plan and several moves from it, simulated side by side.
 *
 * The common part of hill climbers. All moves of a batch are drawn from the same plan, so that the
 * plans can be simulated in parallel; at most one of them is taken. Which are tried and taken does
 * not depend on threads.
 *
 * In the search's decisions a batch is a round of one moment, whose options are the moves and, as
 * the last one, none of them. Batches that change nothing are left out, and most of a long search.
 *
 * Decision E42 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/search.h"
#include "engine/placers/search/moves.h"

#define GOBAN_MAX_TRIALS 8
#define GOBAN_TAKE_NONE G_MAXUINT

typedef struct
{
  GobanEvaluator *evaluator; /* borrowed */
  GobanMoves *moves;         /* borrowed */
  GobanSimulator *tracer;    /* NULL until a trace is asked for */
  GobanPlan *plan;           /* where the search stands */
  GobanOutcome outcome;      /* of the plan */

  guint n;                                 /* moves tried and not settled */
  GobanPlan *plans[GOBAN_MAX_TRIALS];      /* equal to the plan but for their moves */
  GobanMove tried[GOBAN_MAX_TRIALS];       /* applied to plans of the same index */
  GobanOutcome outcomes[GOBAN_MAX_TRIALS]; /* of plans */

  GobanSearch *search;   /* borrowed: gets every plan; its record gets every move */
  double temperature_us; /* for the record; 0: none */
  guint best;            /* the last of the moves tried that is the search's best plan */
  GobanMoment moment;    /* of the search's decisions, whose state is the plan; 0: unknown */
  guint64 n_left_out;    /* batches since the last one in the decisions */
} GobanTrials;

/* Stands on a copy of @plan. */
void goban_trials_init (GobanTrials *self, GobanEvaluator *evaluator, GobanMoves *moves,
                        const GobanPlan *plan, GobanOutcome outcome);
void goban_trials_clear (GobanTrials *self);

/* Goes to another plan; nothing may be unsettled. @moment: as the field. */
void goban_trials_go_to (GobanTrials *self, const GobanPlan *plan, GobanOutcome outcome,
                         GobanMoment moment);

/* Draws up to @n_wanted moves, simulates them and offers them to the search. How many it tried:
 * fewer where the budget ends. */
guint goban_trials_try (GobanTrials *self, const double *weights, guint n_wanted);

/* The same in two steps, for callers that know a limit: returns the number of drawn moves; runs
 * that exceed limits_us (n) (nullable) may be stopped, with a makespan of INFINITY. */
guint goban_trials_draw (GobanTrials *self, const double *weights, guint n_wanted);
void goban_trials_run (GobanTrials *self, const double *limits_us);

/* Whether runs may be stopped early: only if nothing but a shorter plan with enough memory could be
 * accepted. */
gboolean goban_trials_may_limit (const GobanTrials *self);

/* Takes one of the moves tried, or GOBAN_TAKE_NONE, or what the user forces in its place, and
 * returns it; the others are gone. */
guint goban_trials_settle (GobanTrials *self, guint taken);

/* Traces the plan, for one evaluation, and gives the moves its critical path. */
void goban_trials_learn (GobanTrials *self, GobanCostModel *costs);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTrials, goban_trials_clear)
