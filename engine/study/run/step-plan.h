/* step-plan.h: the plan of GO after a step of its decision log.
 *
 * Devices are what was chosen. Kernels are those that levels of fusion make, or where fusion was
 * not decided the default ones or none; the order is that of levels of scheduling, or where that
 * was not decided the upward ranks under the placement, of ops or of kernels, or what the final
 * plan has. Which of these it was no log says, so they are tried, and the one is taken whose
 * makespan is the log's. Any thread.
 *
 * Decision E43 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/policy/decision-log.h"
#include "engine/machine/plan/plan.h"

G_BEGIN_DECLS

/* @final: the plan of the run, from which undecided parts are taken. (transfer full) (nullable):
 * %NULL with %GOBAN_ERROR_INFEASIBLE or INVALID set */
GobanPlan *goban_step_plan_new (GobanCostModel *costs, const GobanPlan *final,
                                const GobanDecisionLog *log, guint n_steps,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
