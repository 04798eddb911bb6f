/* carry.h: plans for a graph that has changed: what has the same name keeps its place.
 *
 * A unit (a colocation group, or a node without one) goes where most of those of its nodes were that the old graph had,
 * as far as it can run there; a new one goes to its nearest neighbours, producers before consumers; what has none goes where
 * most of the plan is. Kernels are taken apart, for what is fused need not be legal any more. Any thread.
 */
#pragma once

#include "engine/session/run.h"
#include "engine/session/selection.h"

G_BEGIN_DECLS

/* How many of the new graph's nodes the old one had, by name. */
guint goban_carry_count (GobanGraph *old, GobanGraph *fresh);

/**
 * goban_carry_run:
 * @run: of the old graph
 * @costs: of the new one, on a cluster with as many devices
 *
 * Of the same graph, read again, plan and decisions are kept whole.
 *
 * Returns: (transfer full) (nullable): the plan simulated, or %NULL with %GOBAN_ERROR_INVALID or INFEASIBLE set
 */
GobanRun *goban_carry_run (GobanRun *run, GobanCostModel *costs,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a plan alone. @old: has the names and numbers of the plan's nodes, and need have nothing else. (transfer full)
 * (nullable): %NULL with @error set. */
GobanPlan *goban_carry_plan (GobanGraph *old, GobanPlan *plan, GobanCostModel *costs,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The nodes of the same names. (transfer full) */
GobanSelection *goban_carry_nodes (GobanGraph *old, GobanGraph *fresh,
                                   const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
