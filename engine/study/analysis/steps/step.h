/* step.h: intermediate states of a run: the plan after the first n decisions of its policy.
 *
 * Of a run that has a record of its policy (engine/machine/plan/placement-record.h): after n
 * choices of a policy that builds its plan, n of its decisions are made and the other nodes are
 * undecided; step n of a search is its n-th best plan. Both begin with step 1.
 *
 * Or of a run that has a decision log (engine/learn/policy/decision-log.h), which is one of GO's.
 * Step n is the plan after n decisions: 0 is what it began with, which is no plan where the network
 * chose for every node first; then the first step is 1. The last one is mostly the run's own plan,
 * but need not be: if no log ends in the best plan, what was improved last is told.
 *
 * A log holds choices, not plans. What was not decided, the order and the kernels that followed
 * from the choices, is made as the policy makes it, and where that can be done in more than one
 * way, in the way whose makespan is what the log says. Functions of immutable values, for any
 * thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/learn/policy/decision-log.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

G_BEGIN_DECLS

/* The step of a view that shows none. */
#define GOBAN_NO_STEP (-1)

/* The number of steps in the run's log or record; 0 without them. */
guint goban_steps_count (GobanRun *run);
/* 0, or 1 if there is no start plan. */
guint goban_steps_get_first (GobanRun *run);
/* The logged makespan; NAN without a plan, and if it exceeds the memory. After a choice, the length
 * of the policy's own schedule so far; NAN if it has none. */
double goban_steps_get_makespan_us (GobanRun *run, guint n);

/* The plan after @n steps, simulated, with the log or record up to that step; O(N + E). After
 * choices it is the final plan with its simulation, O(1): goban_steps_is_decided() tells which
 * nodes are to be shown. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if there
 * is no such step, or no plan yet */
GobanRun *goban_steps_new_run (GobanRun *run, guint n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same as a job's data and function (job.h); goban_steps_free_work() frees the data. */
gpointer goban_steps_new_work (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;
void goban_steps_free_work (gpointer work);
gpointer goban_steps_work (const GobanProgress *progress, gpointer work, GError **error);

/* The devices of the nodes before step @n: (n_nodes) GOBAN_NO_DEVICE for nodes that it did not
 * move, and for those without a device before. (transfer full) */
GobanDeviceId *goban_steps_dup_had (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* Nodes whose choice step @n changed: for one task, or for all with GOBAN_N_TASKS. (transfer
 * full) */
GobanSelection *goban_steps_dup_changed (GobanRun *run, guint n,
                                         GobanTask task) G_GNUC_WARN_UNUSED_RESULT;

/* The last change of a node up to step @n, and in @step its number; (nullable), borrowed: NULL if
 * there is none since the start. */
const GobanLogChange *goban_steps_find_change (GobanRun *run, guint n, GobanTask task,
                                                    GobanNodeId node, guint *step);

/* The choice for a node after step @n; GOBAN_NOT_CHOSEN if there is none, the task is not decided,
 * or the steps are plans of a search. */
guint32 goban_steps_get_choice (GobanRun *run, guint n, GobanTask task, GobanNodeId node);

/* Describes a step: "step 12 of 40: 7 rows to gpu:1, p 0.62, 612 → 598 ms" or "step 0 of 40: the
 * plan it began with, 700 ms". Steps that are no longer kept count. (transfer full) */
char *goban_steps_describe (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* The displayed number of step @n; the last step's is the total. */
guint goban_steps_get_number (GobanRun *run, guint n);

G_END_DECLS
