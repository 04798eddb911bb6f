/* step.h: intermediate plans of a run: the plan after the first n decisions of its log.
 *
 * Of a run that has a decision log (engine/policy/decision-log.h). Step n is the plan after n
 * decisions: 0 is what it began with, which is no plan where the network chose for every node
 * first; then the first step is 1. The last one is mostly the run's own plan, but need not be:
 * if no log ends in the best plan, what was improved last is told.
 *
 * A log holds choices, not plans. What was not decided, the order and the kernels that followed
 * from the choices, is made as the policy makes it, and where that can be done in more than one
 * way, in the way whose makespan is what the log says. Functions of immutable values, for any
 * thread.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/session/run.h"
#include "engine/session/selection.h"

G_BEGIN_DECLS

/* What a view shows while it shows no step. */
#define GOBAN_NO_STEP (-1)

/* How many steps the run's log has; 0 without one. */
guint goban_steps_count (GobanRun *run);
/* 0, or 1 if nothing was chosen before. */
guint goban_steps_get_first (GobanRun *run);
/* As the log has it; NAN without a plan, and of one that lacks memory. */
double goban_steps_get_makespan_us (GobanRun *run, guint n);

/* The plan after @n steps, simulated, with the log up to there; O(N + E). (transfer full) (nullable): %NULL with
 * %GOBAN_ERROR_INVALID set if there is no such step, or no plan yet */
GobanRun *goban_steps_new_run (GobanRun *run, guint n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same as the work of a job (job.h): what it is about, to be freed by goban_steps_free_work(), and how it is done. */
gpointer goban_steps_new_work (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;
void goban_steps_free_work (gpointer work);
gpointer goban_steps_work (const GobanProgress *progress, gpointer work, GError **error);

/* What a device was before step @n changed it: (n_nodes) GOBAN_NO_DEVICE of nodes that it left where they were, and of
 * those that had none before. (transfer full) */
GobanDeviceId *goban_steps_dup_had (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* Nodes that step @n has given something else: of one task, or of all for GOBAN_N_DECISIONS. (transfer full) */
GobanSelection *goban_steps_dup_changed (GobanRun *run, guint n,
                                         GobanDecision task) G_GNUC_WARN_UNUSED_RESULT;

/* The last change of a node up to step @n, and @step which it was; (nullable), borrowed: none since the beginning. */
const GobanDecisionChange *goban_steps_find_change (GobanRun *run, guint n, GobanDecision task,
                                                    GobanNodeId node, guint *step);

/* What was chosen for a node after step @n, GOBAN_NOT_CHOSEN if nothing was, or the task is not decided. */
guint32 goban_steps_get_choice (GobanRun *run, guint n, GobanDecision task, GobanNodeId node);

/* "step 12 of 40: 7 rows to gpu:1, p 0.62, 612 → 598 ms", "step 0 of 40: the plan it began with, 700 ms". Steps
 * that are no longer kept count. (transfer full) */
char *goban_steps_describe (GobanRun *run, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* The number that people see for step @n, and for the last one. */
guint goban_steps_get_number (GobanRun *run, guint n);

G_END_DECLS
