/* refiner.h: boards for improving a plan: GO's iterations conditioned on the last decisions.
 *
 *   p (y' | G, y) = prod_i p (y'_i | h_G, y)
 *
 * with y the best plan so far. A board's rows are groups of units, drawn anew for every board. Each
 * group is connected and on one device, so an unchanged row leaves the plan unchanged. Large groups
 * escape local optima, small ones refine a plan, as METIS does between its levels and annealing by
 * moves of connected groups. The board's columns about the plan are filled
 * (engine/learn/policy/board.h).
 *
 * One thread at a time. The same plan and random numbers give the same boards.
 *
 * Decision G2 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/learn/policy/board.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

typedef struct _GobanRefiner GobanRefiner;

/* Decisions of a plan by unit. Arrays of n_units, NULL for tasks that are not decided. Owned by the
 * caller. */
typedef struct
{
  guint32 *of[GOBAN_N_TASKS];
} GobanUnitChoices;

void goban_unit_choices_clear (GobanUnitChoices *self);

/* @units must outlive it. Computes the eigenvectors, once. */
GobanRefiner *goban_refiner_new (GobanCostModel *costs, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_refiner_free (GobanRefiner *self);

/* The board with a row per unit and without a plan. */
const GobanBoard *goban_refiner_get_fine (const GobanRefiner *self);

/* Stores figures of a plan's run for the boards of that plan. */
void goban_refiner_look_at (GobanRefiner *self, const GobanTrace *trace, const double *blame_us);

/**
 * goban_refiner_new_board:
 * @choices: decisions of the plan that was last read
 * @n_wanted: approximate number of rows, at most the number of units
 *
 * O(N + E).
 */
GobanBoard *goban_refiner_new_board (GobanRefiner *self, const GobanUnitChoices *choices,
                                     guint n_wanted, GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRefiner, goban_refiner_free)

G_END_DECLS
