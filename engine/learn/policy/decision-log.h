/* decision-log.h: history of GO's plan: the start plan and every decision that led to the best
 * plan.
 *
 * Each decision made the plan shorter. If several tasks are decided, some made it slightly longer
 * and a shorter one possible.
 *
 * A step is y(t-1) -> y(t): the rows (groups of nodes) of the network's board that changed, the
 * probability of each choice, and the network's entropy on these rows. Steps are linked: the
 * choices after one are those before the next, so the choices after any step can be reconstructed.
 * The probabilities of all rows are kept of every step, if they fit into
 * GOBAN_DECISION_LOG_MAX_BYTES; else the oldest are dropped. The full record is kept for the last
 * step only. The number of steps is bounded: the oldest become part of the beginning.
 *
 * Counted. The run that makes it writes it (decision-log-writer.h); after that it is immutable, and
 * any thread may read it.
 *
 * Decision E25 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/policy/decision-record.h"

G_BEGIN_DECLS

/* Choice of a node that is not decided yet. */
#define GOBAN_NOT_CHOSEN G_MAXUINT32

typedef struct _GobanDecisionLog GobanDecisionLog;
/* engine/learn/policy/step-probabilities.h */
typedef struct _GobanStepProbabilities GobanStepProbabilities;

/* The nodes of a row whose device or level was changed. */
typedef struct
{
  GobanTask task;
  guint32 row;
  guint32 from; /* GOBAN_NOT_CHOSEN if this is the first choice */
  guint32 to;
  float probability; /* of @to among the row's actions when it was drawn; NAN if it was not */
  float entropy;     /* of the row's choice, in nats; NAN likewise */
  const GobanNodeId *nodes;
  guint n_nodes;
} GobanLogChange;

typedef struct
{
  guint update;       /* update of the network, from 1; 0: before the first one on this graph */
  guint64 evaluation; /* number of the simulation that tried it, from 1 */
  double before_us;   /* makespans; NAN without a plan, or if it exceeds the memory */
  double after_us;
  guint n_rows; /* of its board */
  guint n_changes;
  const GobanLogChange *changes; /* task after task, rows ascending */
} GobanDecisionMove;

GobanDecisionLog *goban_decision_log_ref (GobanDecisionLog *self);
void goban_decision_log_unref (GobanDecisionLog *self);

guint goban_decision_log_get_n_nodes (const GobanDecisionLog *self);
GobanTasks goban_decision_log_get_decisions (const GobanDecisionLog *self);
/* Makespan of the plan before the first step; NAN without one. */
double goban_decision_log_get_start_us (const GobanDecisionLog *self);
guint goban_decision_log_get_n_steps (const GobanDecisionLog *self);
/* The number of dropped steps before the first one. */
guint goban_decision_log_get_n_folded (const GobanDecisionLog *self);
/* Borrowed. */
const GobanDecisionMove *goban_decision_log_get_step (const GobanDecisionLog *self, guint step);
/* (nullable): borrowed; %NULL if they were dropped, or the step is not of a network's draws. */
GobanStepProbabilities *goban_decision_log_get_probabilities (const GobanDecisionLog *self,
                                                              guint step);
/* (nullable): of the last step, borrowed; %NULL without steps. */
const GobanDecisionRecord *goban_decision_log_get_record (const GobanDecisionLog *self);

/* (n_nodes) the choices after the first @n_steps steps; (transfer full) (nullable): %NULL for a
 * task that is not decided. */
guint32 *goban_decision_log_dup_choices (const GobanDecisionLog *self, GobanTask task,
                                         guint n_steps) G_GNUC_WARN_UNUSED_RESULT;

/* The choice of one node before the first step; GOBAN_NOT_CHOSEN for a task that is not decided. */
guint32 goban_decision_log_get_start_choice (const GobanDecisionLog *self, GobanTask task,
                                             GobanNodeId node);

/* The entropy of a node's choice, in nats, in the last step in which the task was free to change
 * (with a start plan, tasks take turns). NAN without one, or for a task that is not decided. */
double goban_decision_log_get_entropy (const GobanDecisionLog *self, GobanTask task,
                                       GobanNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionLog, goban_decision_log_unref)

G_END_DECLS
