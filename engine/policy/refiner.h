/* refiner.h: boards for improving a plan: GO's iterations conditioned on the last decisions.
 *
 *   p (y' | G, y) = prod_i p (y'_i | h_G, y)
 *
 * with y the best plan so far. A board's rows are groups of units, drawn anew for every board:
 * connected and of one device each, so that a row that stays as it is leaves the plan as it is.
 * Large groups make moves that cross valleys, small ones those that finish a plan: what METIS does
 * between its levels, and our annealing with its moves of connected groups. The columns that tell
 * of the plan are filled (engine/policy/board.h).
 *
 * One thread at a time. Same plan and random numbers, same boards.
 *
 * Decision G2 (engine/NOTES.md).
 */
#pragma once

#include "engine/base/rng.h"
#include "engine/policy/board.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

typedef struct _GobanRefiner GobanRefiner;

/* Decisions of a plan by unit. Arrays of n_units, NULL for tasks that are not decided. Owned by the
 * caller. */
typedef struct
{
  guint32 *of[GOBAN_N_DECISIONS];
} GobanUnitChoices;

void goban_unit_choices_clear (GobanUnitChoices *self);

/* @units must outlive it. Computes the eigenvectors, once. */
GobanRefiner *goban_refiner_new (GobanCostModel *costs, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_refiner_free (GobanRefiner *self);

/* Every unit a row, no plan. */
const GobanBoard *goban_refiner_get_fine (const GobanRefiner *self);

/* What the run of a plan says of nodes, kept for the boards of that plan. */
void goban_refiner_look_at (GobanRefiner *self, const GobanTrace *trace, const double *blame_us);

/**
 * goban_refiner_new_board:
 * @choices: of the plan that was last looked at
 * @n_wanted: about how many rows; never more than there are units
 *
 * O(N + E).
 */
GobanBoard *goban_refiner_new_board (GobanRefiner *self, const GobanUnitChoices *choices,
                                     guint n_wanted, GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRefiner, goban_refiner_free)

G_END_DECLS
