/* greedy-plan.h: a plan decided op by op, with the greedy schedule that comes of it so far.
 *
 * Ops run in the order of their decisions, transfers are free of contention, and outputs stay in
 * memory. The schedule guides decisions; the simulator has the last word.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

typedef struct _GobanDecisionsWriter GobanDecisionsWriter; /* decisions-writer.h */
typedef struct _GobanGreedyPlan GobanGreedyPlan;
/* engine/decisions/decisions-writer.h */
typedef struct _GobanDecisionsWriter GobanDecisionsWriter;

/* @policy: the plan's policy by name. */
GobanGreedyPlan *goban_greedy_plan_new (GobanCostModel *costs,
                                        const char *policy) G_GNUC_WARN_UNUSED_RESULT;
void goban_greedy_plan_free (GobanGreedyPlan *self);

GobanCostModel *goban_greedy_plan_get_costs (const GobanGreedyPlan *self);
guint goban_greedy_plan_get_n_placed (const GobanGreedyPlan *self);

/* End of the last op on the device, and arrival of the last input of @node there. Inputs that are
 * not placed yet count as ready at once. */
double goban_greedy_plan_get_free_us (const GobanGreedyPlan *self, GobanDeviceId device);
double goban_greedy_plan_get_inputs_us (const GobanGreedyPlan *self, GobanNodeId node,
                                        GobanDeviceId device);

/* The device of a node that is placed. */
GobanDeviceId goban_greedy_plan_get_device (const GobanGreedyPlan *self, GobanNodeId node);

/* Whether the device can run the node, has the memory, and no other one has its group. */
gboolean goban_greedy_plan_fits (const GobanGreedyPlan *self, GobanNodeId node,
                                 GobanDeviceId device);

/* The device that has room for the node and finishes it first; without room anywhere, the first
 * that can run it. */
GobanDeviceId goban_greedy_plan_find_earliest (const GobanGreedyPlan *self, GobanNodeId node);

/* Puts a node on a device, on that of the first of its group, or on the one that the user forces.
 * %FALSE with %GOBAN_ERROR_INVALID set if it cannot run there. */
gboolean goban_greedy_plan_assign (GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device,
                                   GError **error);

/* Records each decision with its candidates (when the node would finish on each device), checks for
 * a stop and reports progress. All (nullable), borrowed. @decisions: an open span. */
void goban_greedy_plan_report (GobanGreedyPlan *self, GobanDecisionsWriter *decisions,
                               const GobanProgress *progress);

/* A copy of the plan, by priorities in the order of decisions.
 * (transfer full) (nullable): %NULL with @error set if it is not a valid one */
GobanPlan *goban_greedy_plan_copy_plan (const GobanGreedyPlan *self,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGreedyPlan, goban_greedy_plan_free)

G_END_DECLS
