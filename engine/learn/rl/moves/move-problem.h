/* move-problem.h: a graph on a cluster for searches by moves, with start plans.
 *
 * It uses neither names nor the expert's plan. One thread at a time.
 */
#pragma once

#include "engine/learn/rl/moves/improver.h"
#include "engine/placers/search/cell-splits.h"

G_BEGIN_DECLS

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanCellSplits *splits;
  GobanImprover *improver;
} GobanMoveProblem;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE set */
GobanMoveProblem *goban_move_problem_new (GobanCostModel *costs,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_problem_free (GobanMoveProblem *self);

/**
 * goban_move_problem_start:
 * @n_splits: most contiguous splits of cells to try; the best is then tried under every static
 *   order
 * @order: (out): a GobanStaticOrder
 *
 * Finds a start plan. Every tried plan is offered to the search.
 *
 * Returns: (transfer full) (nullable): the plan with the best score; %NULL if the search ended
 *   before the first plan
 */
GobanPlan *goban_move_problem_start (GobanMoveProblem *self, GobanSearch *search, guint n_splits,
                                     guint *order, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Draws a start plan: a random split of cells, or everything on one device, under a random order.
 * (transfer full) */
GobanPlan *goban_move_problem_draw_start (GobanMoveProblem *self, GobanRng *rng,
                                          guint *order) G_GNUC_WARN_UNUSED_RESULT;

/* Searches from the start plan with random numbers from @seed, and writes the best score after
 * counts[i] evaluations (ascending) to best_us (n). net (nullable): %NULL for uniform moves. */
void goban_move_problem_try (GobanMoveProblem *self, const GobanScorerNet *net, guint64 seed,
                             const guint *counts, guint n, double *best_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveProblem, goban_move_problem_free)

G_END_DECLS
