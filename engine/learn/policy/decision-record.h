/* decision-record.h: decisions of a network on a board, step by step, for display.
 *
 * A step is one task of one iteration. It has, for every row, the probabilities of all actions, the
 * allowed actions, the chosen one, and the entropy of the choice. It is a copy: the pass, the
 * network and the board that it was made from may be freed or changed.
 *
 * Immutable and counted: any thread may read it and keep it alive.
 */
#pragma once

#include "engine/graph/graph.h"
#include "engine/machine/plan/task.h"

G_BEGIN_DECLS

/* Rows that are kept of those a row attends to. */
#define GOBAN_N_ATTENDED 4
#define GOBAN_NO_ROW G_MAXUINT32

typedef struct _GobanDecisionRecord GobanDecisionRecord;

GobanDecisionRecord *goban_decision_record_ref (GobanDecisionRecord *self);
void goban_decision_record_unref (GobanDecisionRecord *self);

guint goban_decision_record_get_n_rows (const GobanDecisionRecord *self);
guint goban_decision_record_get_n_nodes (const GobanDecisionRecord *self);
/* The nodes of a row, ascending; borrowed. */
const GobanNodeId *goban_decision_record_get_nodes (const GobanDecisionRecord *self, guint row,
                                                    guint *n_nodes);
guint32 goban_decision_record_get_row_of (const GobanDecisionRecord *self, GobanNodeId node);

/* (n_nodes) (nullable), borrowed: the devices of a plan that was refined after it was drawn; %NULL
 * if its devices are those that were chosen. */
const guint32 *goban_decision_record_get_settled (const GobanDecisionRecord *self);

/* Steps, in the order in which they were taken. */
typedef struct
{
  int iteration;
  GobanTask task;
  guint n_actions;            /* A: devices or levels */
  const float *probabilities; /* (n_rows,A) 0 if not allowed */
  const guint8 *allowed;      /* (n_rows,A) */
  const float *entropies;     /* (n_rows) nats */
  const guint32 *chosen;      /* (n_rows) (nullable) */
  /* (n_rows) (nullable): the choices of the plan to be changed; a row that chooses the same changes
   * nothing (engine/learn/policy/board.h). */
  const guint32 *had;
  /* (n_rows) (nullable): the order of decisions, from 1; 0: the row was not decided by itself.
   * %NULL if all were decided at once. */
  const guint32 *order;
  /* (n_rows,GOBAN_N_ATTENDED) (nullable): the other rows that get most of the attention of a row in
   * the task's layer, the most first; GOBAN_NO_ROW behind the last. %NULL without attention, and
   * for iterations before the last. */
  const guint32 *attended;
  const float *attention; /* likewise: their shares, means over the heads; 0 behind the last */
  double mean_entropy;
} GobanDecisionStep;

guint goban_decision_record_get_n_steps (const GobanDecisionRecord *self);
/* Borrowed. */
const GobanDecisionStep *goban_decision_record_get_step (const GobanDecisionRecord *self,
                                                         guint step);

/* The step of the last iteration, which determines the plan; %NULL for a task that is not decided.
 * Borrowed. */
const GobanDecisionStep *goban_decision_record_find_last (const GobanDecisionRecord *self,
                                                          GobanTask task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionRecord, goban_decision_record_unref)

G_END_DECLS
