/* placed-ranks.h: upward ranks under a placement, and priorities by them.
 *
 * HEFT ranks with mean times before ops have devices; with a placement, the true times and the real
 * transfers give better priorities.
 */
#pragma once

#include "engine/placers/units.h"

#define GOBAN_PRIORITY_SPREAD 8

/* ranks (n_nodes): the longest path from a node's start to the end, by the times on the devices of
 * @plan and the transfers between them. */
void goban_placed_ranks (const GobanUnits *units, const GobanPlan *plan, double *ranks_us);

/* Priorities by these ranks, GOBAN_PRIORITY_SPREAD apart. */
void goban_plan_spread_priorities (GobanPlan *plan, const double *ranks_us);
