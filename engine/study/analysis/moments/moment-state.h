/* moment-state.h: the state of a plan at a moment: numbers, changed nodes, states and schedule.
 *
 * Functions of immutable values, for any thread. Moments must be there (goban_decisions_has()).
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/sim/trace.h"
#include "engine/study/run/selection.h"

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

/* --- paths ------------------------------------------------------------------------------------ */

/* Place of a moment among the spans of its record, as people read it.
 *
 * "Plan 5 of 17 › Decision 3 of 313": spans are counted among those of the same name within the
 * same span, folded ones included. A span that has all moments of the one around it, or is the only
 * one of the record, has no part of its own, nor has the decision of a span that is one decision.
 */

/* (transfer full): "" at the beginning. O(spans) */
char *goban_moment_describe_path (const GobanDecisions *decisions,
                                  GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* The paths of all moments: O(spans) once, O(depth) for each. @decisions outlives it. */
typedef struct _GobanMomentPaths GobanMomentPaths;

/* @is_translated: FALSE for files. */
GobanMomentPaths *goban_moment_paths_new (const GobanDecisions *decisions,
                                          gboolean is_translated) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_paths_free (GobanMomentPaths *self);
/* (transfer full) */
char *goban_moment_paths_describe (const GobanMomentPaths *self,
                                   GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMomentPaths, goban_moment_paths_free)

/* --- stops ------------------------------------------------------------------------------------ */

/* Stops of a player in a record of decisions, and lengths of the plans there.
 *
 * Functions of immutable values, for any thread.
 */

/* FALSE if there is nothing to walk through: the whole plan is at most one decision. */
gboolean goban_moments_can_be_walked (const GobanDecisions *decisions);
/* The policy's reason for having no finer decisions; (nullable): interned. */
const char *goban_moments_get_reason (const GobanDecisions *decisions);

/* Whether the record has spans of a level; it always has moments. */
gboolean goban_moments_have_level (const GobanDecisions *decisions, GobanLevel level);

/* Ascending, of GobanMoment: the beginning, the stops of a level, and the last moment. (transfer
 * full): O(moments) */
GArray *goban_moments_list_stops (const GobanDecisions *decisions, GobanLevel level,
                                  GobanStops which) G_GNUC_WARN_UNUSED_RESULT;
/* The index of the last stop up to @moment. */
guint goban_moments_find_stop (const GArray *stops, GobanMoment moment);

/* (n_stops): makespans of the plans there, or lengths of the policy's schedule so far; NAN:
 * unknown. (transfer full): O(moments) */
double *goban_moments_dup_lengths_us (const GobanDecisions *decisions,
                                      const GArray *stops) G_GNUC_WARN_UNUSED_RESULT;
