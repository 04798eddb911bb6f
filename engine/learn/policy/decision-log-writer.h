/* decision-log-writer.h: making of a decision log, by one run, before the log is shared. */
#pragma once

#include "engine/learn/policy/decision-log.h"
#include "engine/learn/policy/decision-record.h"
#include "engine/machine/plan/task.h"
#include "engine/sim/outcome.h"

G_BEGIN_DECLS

#define GOBAN_DECISION_LOG_MAX_STEPS 256
/* Maximum number of nodes in all changes of all steps, about 16 MiB. A single step may have
 * more. */
#define GOBAN_DECISION_LOG_MAX_NODES (1u << 22)

/* Maximum of the memory for probabilities of steps; those of the last step are always kept. */
#define GOBAN_DECISION_LOG_MAX_BYTES (24u << 20)

/* An empty log without choices and plan. (transfer full) */
GobanDecisionLog *goban_decision_log_new (guint n_nodes,
                                          GobanTasks decisions) G_GNUC_WARN_UNUSED_RESULT;

/* A plan's makespan as a log has it: NAN if it exceeds the memory. */
double goban_decision_log_get_us (GobanOutcome outcome);

/* Sets the start plan: choices[task] is (n_nodes) for every decided task. Before the first step. */
void goban_decision_log_begin (GobanDecisionLog *self, guint32 *const *choices,
                               GobanOutcome outcome);

/* Adds the last iteration of @record as a step, and keeps the record. */
void goban_decision_log_add (GobanDecisionLog *self, guint update, guint64 evaluation,
                             GobanOutcome outcome, GobanDecisionRecord *record);

/* Adds a known step, from a file or another log. Its changes are copied, and must continue the log;
 * each node occurs once per task. From then on the entropy of a node is that of its row. The
 * previous choices are taken from the log itself, and no record is kept. %FALSE if it is invalid: a
 * task that is not decided, an unknown node, or one with another previous choice. */
gboolean goban_decision_log_add_known (GobanDecisionLog *self, const GobanDecisionMove *move);

/* Sets the probabilities of the last step, from a file or another log. */
void goban_decision_log_set_probabilities (GobanDecisionLog *self,
                                           GobanStepProbabilities *probabilities);

/* Sets the number of dropped steps before the first; for adding known steps. */
void goban_decision_log_set_folded (GobanDecisionLog *self, guint n_folded);

/* Sets the entropies of all nodes (n_nodes, nats) when the task was last free to change; copied. */
void goban_decision_log_set_entropies (GobanDecisionLog *self, GobanTask task,
                                       const float *entropies);

/* The log after its first @n_steps steps. For an earlier state there is no record, and entropies
 * are known only for changed nodes. (transfer full) */
GobanDecisionLog *goban_decision_log_new_head (const GobanDecisionLog *self,
                                               guint n_steps) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
