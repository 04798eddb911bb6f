/* move-problem.h: a graph on a cluster whose plans are changed by moves, with plans to begin at.
 *
 * Nothing that names or an expert know is in it. One thread at a time.
 */
#pragma once

#include "engine/placers/cell-splits.h"
#include "engine/rl/improver.h"

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
 * @n_splits: at most so many contiguous splits of cells are tried, then the best of them under
 *   every static order
 * @order: (out): a GobanStaticOrder
 *
 * Every plan is offered to the search.
 *
 * Returns: (transfer full) (nullable): the best by the improver's score; %NULL if the search ended
 *   before the first
 */
GobanPlan *goban_move_problem_start (GobanMoveProblem *self, GobanSearch *search, guint n_splits,
                                     guint *order, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A random split of cells, or everything on one device, under a random order. (transfer full) */
GobanPlan *goban_move_problem_draw_start (GobanMoveProblem *self, GobanRng *rng,
                                          guint *order) G_GNUC_WARN_UNUSED_RESULT;

/* What a search of so many evaluations from that start makes of it, with chance from @seed; net
 * (nullable): uniform. best_us (n): the best score after counts[i] evaluations, ascending. */
void goban_move_problem_try (GobanMoveProblem *self, const GobanScorerNet *net, guint64 seed,
                             const guint *counts, guint n, double *best_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveProblem, goban_move_problem_free)

G_END_DECLS
