/* evaluator.h: parallel simulation of many plans of one cost model.
 *
 * Keeps one simulator per thread. The outcome of a plan does not depend on the others, nor on
 * the number of threads, so a search that asks in batches gives the same bytes on every machine.
 * One caller at a time.
 */
#pragma once

#include "engine/sim/simulator.h"

typedef struct _GobanEvaluator GobanEvaluator;

/* @n_threads: maximum number of threads, the caller's included; 0: the number of processors. */
GobanEvaluator *goban_evaluator_new (GobanCostModel *costs,
                                     guint n_threads) G_GNUC_WARN_UNUSED_RESULT;
void goban_evaluator_free (GobanEvaluator *self);

guint goban_evaluator_get_n_threads (const GobanEvaluator *self);

/* outcomes (n_plans): the result of goban_simulator_evaluate() for each plan. Returns when all are
 * done. */
void goban_evaluator_evaluate (GobanEvaluator *self, GobanPlan *const *plans, guint n_plans,
                               GobanOutcome *outcomes);

/* The same with a limit for each plan, limits_us (n_plans) (nullable), see
 * goban_simulator_evaluate_within(). */
void goban_evaluator_evaluate_within (GobanEvaluator *self, GobanPlan *const *plans, guint n_plans,
                                      const double *limits_us, GobanOutcome *outcomes);

/* traces (n_plans): the full trace of each plan, (transfer full). Two to three times as
 * expensive. */
void goban_evaluator_run (GobanEvaluator *self, GobanPlan *const *plans, guint n_plans,
                          GobanTrace **traces);

/* The result of goban_simulator_evaluate() for the plan of @trace. */
GobanOutcome goban_outcome_of_trace (const GobanTrace *trace);

/* Negative if @a is the better outcome, positive if @b is: the valid before the invalid, then the
 * shorter; among the invalid the one that lacks less memory, then the shorter. */
int goban_outcome_compare (const GobanOutcome *a, const GobanOutcome *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanEvaluator, goban_evaluator_free)
