/* scope-cuts.h: placements along the numbers in the names of scopes.
 *
 * Where names count something ("layer_0", "layer_1", ... or "stack_1", ...), an expert cuts there:
 * the numbers in ascending order, cut into as many stretches as there are devices, of equal mean
 * time. Units that bear no such number go with the neighbour they exchange most with.
 */
#pragma once

#include "engine/placers/search/unit-graph.h"

G_BEGIN_DECLS

/* (transfer full): of GobanDeviceId[n_units], at most @n_most of them: for the words that number
 * the most units, ties by which comes first. Empty where names count nothing. */
GPtrArray *goban_scope_cuts_new (const GobanUnits *units, guint n_most) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
