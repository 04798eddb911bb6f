/* moment-state.h: the state of a plan at a moment: numbers, changed nodes, states and schedule.
 *
 * Functions of immutable values, for any thread. Moments must be there (goban_decisions_has()).
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/sim/trace.h"
#include "engine/study/run/selection.h"

G_BEGIN_DECLS

/* Makespans before and after the decision, or lengths of the policy's schedule; those of the span
 * whose plan it is, if it has none itself; NAN if unknown. */
void goban_decision_get_times (const GobanDecisions *decisions, const GobanDecision *decision,
                               double *before_us, double *after_us);

/* The moment's own changes, of GobanDecisionChange; none at the beginning. (transfer full) */
GArray *goban_moment_list_changes (const GobanDecisions *decisions,
                                   GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;
/* The devices that the moment's changed nodes had before: (n_nodes) GOBAN_NO_DEVICE for others
 * and for those that had none. (transfer full) */
GobanDeviceId *goban_moment_dup_had (const GobanDecisions *decisions,
                                     GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;
/* Nodes whose choice the moment changed: in one task, or in any with GOBAN_N_TASKS. (transfer
 * full) */
GobanSelection *goban_moment_dup_changed (const GobanDecisions *decisions, GobanMoment moment,
                                          GobanTask task) G_GNUC_WARN_UNUSED_RESULT;
/* Node to show first: the first that was changed, else the first that was decided; or
 * GOBAN_NO_NODE. */
GobanNodeId goban_moment_find_node (const GobanDecisions *decisions, GobanMoment moment);

/* The moments that decided the node on the chain of @until, one a task in their order; of
 * GobanMoment. (transfer full) */
GArray *goban_moments_list_of_node (const GobanDecisions *decisions, GobanNodeId node,
                                    GobanMoment until) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE if all nodes have devices after the moment, and for the last one of a policy that has ended;
 * FALSE if it was dropped.
 * O(changes) if the next decision is about a node without a device, else O(nodes + moments) */
gboolean goban_moment_is_finished (const GobanDecisions *decisions, GobanMoment moment);
/* The nodes without a device after the moment. (transfer full) */
GobanSelection *goban_moment_dup_undecided (const GobanDecisions *decisions,
                                            GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* The policy's own schedule after the moment: (n_nodes) ready_us is start_us; NAN for nodes that
 * are not in it. (transfer full) (nullable): %NULL if it has none, and after moves, plans and
 * rules, which are in no schedule */
GobanOpSpan *goban_moment_dup_spans (const GobanCostModel *costs, const GobanDecisions *decisions,
                                     GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
