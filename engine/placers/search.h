/* search.h: shared frame of the searches: budget, clock and best plan so far.
 *
 * A search offers every plan it has simulated and stops when the evaluations or the seconds of its
 * options are spent. With a budget of evaluations the same seed gives the same plan; with a limit
 * of seconds it depends on the machine.
 *
 * Each new best plan is a span of the options' decisions, unless the search writes finer ones; the
 * last state is the plan that is returned.
 *
 *   goban_search_begin (&search, options, DEFAULT_EVALUATIONS);
 *   while (goban_search_go_on (&search, "annealing", error)) { ... goban_search_offer (...) }
 *   return goban_search_end (&search, evaluations);
 */
#pragma once

#include "engine/placers/placer.h"
#include "engine/sim/evaluator.h"

typedef struct
{
  const GobanPlacerOptions *options; /* borrowed */
  guint64 max_evaluations;           /* 0: limited by seconds only */
  guint64 n_evaluations;
  guint64 best_evaluation; /* number of the evaluation that found the best */
  double bound_us;         /* lower bound: the search stops there; 0: unknown */
  gint64 started_us;       /* monotonic */
  gint64 reported_us;      /* monotonic: last progress report, 0 before */
  double reported;         /* fraction of the last progress report */
  GobanPlan *best;         /* owned, NULL before the first offer */
  GobanOutcome outcome;    /* of the best */
  gboolean is_cancelled;
  GobanDecisionsWriter *decisions; /* (nullable) the options' */
  GobanMoment best_moment;         /* whose state is the best plan; 0: none is */
  guint64 written;                 /* evaluations until the last span of the decisions */
  const char *note; /* (nullable) static: kind of the plans that are offered, for the decisions */
} GobanSearch;

/* With one thread per processor, or only the caller's if waking another would cost more than a
 * simulation. */
GobanEvaluator *goban_search_new_evaluator (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;

/* Uses the options' evaluations, else @default_evaluations, unless only seconds were given. */
void goban_search_begin (GobanSearch *self, const GobanPlacerOptions *options,
                         guint64 default_evaluations);

/* %FALSE when the budget is spent, the best has reached the bound, the user asked for the best so
 * far, or the search was cancelled, with %GOBAN_ERROR_CANCELLED set. Reports progress as @what, now
 * and then. */
gboolean goban_search_go_on (GobanSearch *self, const char *what, GError **error);

/* The size of the next batch, at most @n_wanted: smaller towards the end of the budget. */
guint goban_search_clip (const GobanSearch *self, guint n_wanted);

/* Counts a step of a search tree as one evaluation. %FALSE if the budget is enough for only the one
 * plan that this step may lead to, or if the search was cancelled. */
gboolean goban_search_step (GobanSearch *self, const char *what, GError **error);

/* The spent share of the budget, in [0, 1]: for cooling schedules. */
double goban_search_get_fraction (const GobanSearch *self);

/* Counts one evaluation, adds it to the options' record, and keeps a copy of @plan if it is the
 * best so far, with a step of the options' improvements if it is valid, too. %TRUE if it is the
 * best. */
gboolean goban_search_offer (GobanSearch *self, const GobanPlan *plan, GobanOutcome outcome);

/* The same but for the decisions, to which the caller writes the plan if it is the best. */
gboolean goban_search_consider (GobanSearch *self, const GobanPlan *plan, GobanOutcome outcome);

/* Whether the decisions have room for a step that has led to no better plan: for all steps at
 * first, later for one in so many evaluations that a million of them add some thousand spans. */
gboolean goban_search_is_due (const GobanSearch *self);

GobanSpanResult goban_search_get_result (GobanOutcome outcome);

/* Opens the span of a batch of moves from @plan, before which *n_left_out were not written.
 * @moment: of the decisions, whose state the plan is; 0: unknown. */
GobanDecisionsWriter *goban_search_open_batch (GobanSearch *self, const GobanPlan *plan,
                                               GobanMoment moment, guint64 evaluation,
                                               guint64 *n_left_out);

/* Writes the best plan as one decision, a span within that of @in. */
void goban_search_write_best (GobanSearch *self, GobanDecisionsWriter *in,
                              const GobanSpanHead *head, gboolean is_accepted);

/* Writes that the best plan is the present state of the decisions, or becomes that by a decision
 * with @head (nullable), of which it is the first option. @span: the span of that. */
void goban_search_set_best (GobanSearch *self, GobanDecisionsWriter *span,
                            const GobanDecisionHead *head);

/* Adds its count to *evaluations, and goes back to the best plan in the decisions. (transfer full)
 * (nullable): the best plan; %NULL after it was cancelled. Nothing is left to free. */
GobanPlan *goban_search_end (GobanSearch *self, guint64 *evaluations) G_GNUC_WARN_UNUSED_RESULT;

/* Drops the best plan, for an early exit. */
void goban_search_clear (GobanSearch *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanSearch, goban_search_clear)
