/* remap.h: a plan of one version of a graph for another version; nodes are matched by name.
 *
 * A unit (a colocation group, or a node without one) goes to the device of most of its nodes that
 * the old graph had, if it can run there. A new unit goes to its nearest neighbours' device,
 * producers before consumers; one without neighbours to the device with most of the plan. Fused
 * kernels are separated, because they need not be legal any more. Any thread.
 *
 * Decision E45 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

/* Number of the new graph's nodes whose names the old graph has. */
guint goban_remap_count (GobanGraph *old, GobanGraph *fresh);

/**
 * goban_remap_run:
 * @run: of the old graph
 * @costs: of the new one, on a cluster with as many devices
 *
 * Plan and decisions are kept whole if the graph is the same one, read again.
 *
 * Returns: (transfer full) (nullable): the plan simulated, or %NULL with %GOBAN_ERROR_INVALID or
 *   INFEASIBLE set
 */
GobanRun *goban_remap_run (GobanRun *run, GobanCostModel *costs,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a plan alone. @old needs only the names and numbers of the plan's nodes. (transfer
 * full) (nullable): %NULL with @error set. */
GobanPlan *goban_remap_plan (GobanGraph *old, GobanPlan *plan, GobanCostModel *costs,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The nodes of the same names. (transfer full) */
GobanSelection *goban_remap_nodes (GobanGraph *old, GobanGraph *fresh,
                                   const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;
