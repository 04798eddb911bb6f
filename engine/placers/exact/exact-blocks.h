/* exact-blocks.h: branch and bound over placements for GOBAN_EXECUTION_BLOCKS
 * (engine/sim/blocks.h).
 *
 * Private to exact*.c. There is nothing to order, so a placement is a plan. Units are placed in
 * topological order; a part is cut off if its blocks cannot be blocks any more, if its parameters
 * do not fit, or where what is placed and the longest way from there takes as long as the best
 * plan. Accelerators that may change places are tried once. An evaluation is one bound.
 */
#pragma once

#include "engine/placers/search.h"
#include "engine/placers/units.h"

G_BEGIN_DECLS

/* Offers better plans to the search, which must have one. Returns the proven bound: the best
 * makespan, or less if the budget is spent; with @error set if it was cancelled. */
double exact_blocks_prove (const GobanUnits *units, GobanSearch *search, GobanSimulator *simulator,
                           GError **error);

G_END_DECLS
