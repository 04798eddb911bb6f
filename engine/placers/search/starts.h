/* starts.h: the quick plans that searches start from.
 *
 * All on the fastest device, a contiguous cut in topological order balanced by time, the expert's
 * plan, m-TOPO, METIS, HEFT, critical-path list scheduling, and contiguous cuts along what the
 * names count (layers, stacks): each as its policy made it, and with priorities by the upward rank
 * of its own placement. Splits along parameters and uses (cell-splits.h) go by depth and by these
 * ranks. Each counts as an evaluation.
 *
 * Decision G3 (engine/NOTES.md).
 */
#pragma once

#include "engine/placers/search.h"
#include "engine/placers/search/moves.h"

/* Which plans besides those of quick policies. */
typedef enum
{
  GOBAN_STARTS_OF_NAMES = 1 << 0, /* the expert's, and cuts along numbers in names */
  GOBAN_STARTS_OF_CELLS = 1 << 1, /* splits along parameters and uses */
} GobanStartKinds;

/**
 * goban_starts_offer:
 * @outcome: (out caller-allocates): of the plan returned
 *
 * Offers those that the search's settings allow to @search, as far as its budget goes, and looks
 * for the best one with priorities; if a FIFO plan is better, it is also offered with priorities in
 * the order in which its ops started.
 *
 * Returns: (transfer full) (nullable): that plan, or %NULL with an error set: cancelled, then
 *   so is @search
 */
GobanPlan *goban_starts_offer (GobanSearch *search, const GobanUnits *units, GobanCostModel *costs,
                               GobanEvaluator *evaluator, GobanOutcome *outcome,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same but for priorities in the order in which @plan's ops start, which a run by priorities
 * nearly repeats: the form of a FIFO plan whose order can be searched. (transfer full) */
GobanPlan *goban_starts_new_as_it_ran (GobanCostModel *costs,
                                       const GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;
