/* decision-log.h: history of GO's plan: the start plan and every decision that led to the best
 * plan.
 *
 * Each decision made the plan shorter. If several tasks are decided, some made it slightly longer
 * and a shorter one possible.
 *
 * A step is y(t-1) -> y(t): the rows (groups of nodes) of the network's board that changed, the
 * probability of each choice, and the network's entropy on these rows. Steps are linked: the
 * choices after one are those before the next, so the choices after any step can be reconstructed.
 * The full record is kept for the last step only. The number of steps is bounded: the oldest become
 * part of the beginning.
 *
 * Counted. The run that makes it writes it; after that it is immutable, and any thread may read it.
 *
 * Decision E25 (engine/NOTES.md).
 */
#pragma once

#include "engine/policy/decision-record.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

#define GOBAN_DECISION_LOG_MAX_STEPS 256
/* Maximum number of nodes in all changes of all steps, about 16 MiB. A single step may have
 * more. */
#define GOBAN_DECISION_LOG_MAX_NODES (1u << 22)

/* Choice of a node that is not decided yet. */
#define GOBAN_NOT_CHOSEN G_MAXUINT32

typedef struct _GobanDecisionLog GobanDecisionLog;

/* The nodes of a row whose device or level was changed. */
typedef struct
{
  GobanDecision task;
  guint32 row;
  guint32 from; /* GOBAN_NOT_CHOSEN if this is the first choice */
  guint32 to;
  float probability; /* of @to among the row's actions when it was drawn */
  float entropy;     /* of the row's choice, in nats */
  const GobanNodeId *nodes;
  guint n_nodes;
} GobanDecisionChange;

typedef struct
{
  guint update;       /* update of the network, from 1; 0: before the first one on this graph */
  guint64 evaluation; /* number of the simulation that tried it, from 1 */
  double before_us;   /* makespans; NAN without a plan, or if it exceeds the memory */
  double after_us;
  guint n_rows; /* of its board */
  guint n_changes;
  const GobanDecisionChange *changes; /* task after task, rows ascending */
} GobanDecisionMove;

/* --- writing: by one run, before the log is shared ------------------------------------------ */

/* An empty log without choices and plan. (transfer full) */
GobanDecisionLog *goban_decision_log_new (guint n_nodes,
                                          GobanDecisions decisions) G_GNUC_WARN_UNUSED_RESULT;

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

/* Sets the number of dropped steps before the first; for adding known steps. */
void goban_decision_log_set_folded (GobanDecisionLog *self, guint n_folded);

/* Sets the entropies of all nodes (n_nodes, nats) when the task was last free to change; copied. */
void goban_decision_log_set_entropies (GobanDecisionLog *self, GobanDecision task,
                                       const float *entropies);

/* The log after its first @n_steps steps. For an earlier state there is no record, and entropies
 * are known only for changed nodes. (transfer full) */
GobanDecisionLog *goban_decision_log_new_head (const GobanDecisionLog *self,
                                               guint n_steps) G_GNUC_WARN_UNUSED_RESULT;

/* --- reading -------------------------------------------------------------------------------- */

GobanDecisionLog *goban_decision_log_ref (GobanDecisionLog *self);
void goban_decision_log_unref (GobanDecisionLog *self);

guint goban_decision_log_get_n_nodes (const GobanDecisionLog *self);
GobanDecisions goban_decision_log_get_decisions (const GobanDecisionLog *self);
/* Makespan of the plan before the first step; NAN without one. */
double goban_decision_log_get_start_us (const GobanDecisionLog *self);
guint goban_decision_log_get_n_steps (const GobanDecisionLog *self);
/* The number of dropped steps before the first one. */
guint goban_decision_log_get_n_folded (const GobanDecisionLog *self);
/* Borrowed. */
const GobanDecisionMove *goban_decision_log_get_step (const GobanDecisionLog *self, guint step);
/* (nullable): of the last step, borrowed; %NULL without steps. */
const GobanDecisionRecord *goban_decision_log_get_record (const GobanDecisionLog *self);

/* (n_nodes) the choices after the first @n_steps steps; (transfer full) (nullable): %NULL for a
 * task that is not decided. */
guint32 *goban_decision_log_dup_choices (const GobanDecisionLog *self, GobanDecision task,
                                         guint n_steps) G_GNUC_WARN_UNUSED_RESULT;

/* The choice of one node before the first step; GOBAN_NOT_CHOSEN for a task that is not decided. */
guint32 goban_decision_log_get_start_choice (const GobanDecisionLog *self, GobanDecision task,
                                             GobanNodeId node);

/* The entropy of a node's choice, in nats, in the last step in which the task was free to change
 * (with a start plan, tasks take turns). NAN without one, or for a task that is not decided. */
double goban_decision_log_get_entropy (const GobanDecisionLog *self, GobanDecision task,
                                       GobanNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionLog, goban_decision_log_unref)

G_END_DECLS
