/* decision-record.h: decisions of a network on a board, step by step, for display.
 *
 * A step is one task of one iteration. It has, for every row, the probabilities of all actions, the
 * allowed actions, the chosen one, and the entropy of the choice. It is a copy: the pass, the
 * network and the board that it was made from may be freed or changed.
 *
 * Immutable and counted: any thread may read it and keep it alive.
 */
#pragma once

#include "engine/policy/network.h"

G_BEGIN_DECLS

typedef struct _GobanDecisionRecord GobanDecisionRecord;

/**
 * goban_decision_record_new:
 * @pass: after goban_pass_decide()
 * @choices: (nullable): the drawn choices; %NULL: each row takes its likeliest action
 *
 * If the configuration is not sampled, iterations before the last are not decisions: their steps
 * have probabilities, but no choices.
 *
 * Returns: (transfer full): the record
 */
GobanDecisionRecord *goban_decision_record_new (const GobanPass *pass, const GobanChoices *choices)
    G_GNUC_WARN_UNUSED_RESULT;
/* Inputs of a record, if the pass alone is not enough. */
typedef struct
{
  const GobanPass *pass;       /* after goban_pass_decide() */
  const GobanChoices *choices; /* (nullable), as above */
  GobanDecisions decisions;    /* the requested tasks of the network */
  /* (nullable): the (N,A) logits of the draws, if they are not the pass's; borrowed until the next
   * call. */
  const float *(*see_logits) (gpointer data, int iteration, GobanDecision task);
  gpointer data;
} GobanDecisionView;

/* (transfer full) */
GobanDecisionRecord *
goban_decision_record_new_of_view (const GobanDecisionView *view) G_GNUC_WARN_UNUSED_RESULT;
/* Inputs of a record of placement only, by a network that decides row by row: arrays are copied. */
typedef struct
{
  guint n_rows; /* N */
  guint n_nodes;
  guint n_devices;       /* A */
  const guint32 *row_of; /* (n_nodes) */
  const float *chances;  /* (N,A) 0: not allowed */
  const guint32 *chosen; /* (N) */
} GobanPlacementView;

/* (transfer full) */
GobanDecisionRecord *
goban_decision_record_new_of_placement (const GobanPlacementView *view) G_GNUC_WARN_UNUSED_RESULT;
GobanDecisionRecord *goban_decision_record_ref (GobanDecisionRecord *self);
void goban_decision_record_unref (GobanDecisionRecord *self);

guint goban_decision_record_get_n_rows (const GobanDecisionRecord *self);
guint goban_decision_record_get_n_nodes (const GobanDecisionRecord *self);
/* The nodes of a row, ascending; borrowed. */
const GobanNodeId *goban_decision_record_get_nodes (const GobanDecisionRecord *self, guint row,
                                                    guint *n_nodes);
guint32 goban_decision_record_get_row_of (const GobanDecisionRecord *self, GobanNodeId node);

/* Steps, in the order in which they were taken. */
typedef struct
{
  int iteration;
  GobanDecision task;
  guint n_actions;            /* A: devices or levels */
  const float *probabilities; /* (n_rows,A) 0 if not allowed */
  const guint8 *allowed;      /* (n_rows,A) */
  const float *entropies;     /* (n_rows) nats */
  const guint32 *chosen;      /* (n_rows) (nullable) */
  /* (n_rows) (nullable): the choices of the plan to be changed; a row that chooses the same changes
   * nothing (engine/policy/board.h). */
  const guint32 *had;
  double mean_entropy;
} GobanDecisionStep;

guint goban_decision_record_get_n_steps (const GobanDecisionRecord *self);
/* Borrowed. */
const GobanDecisionStep *goban_decision_record_get_step (const GobanDecisionRecord *self,
                                                         guint step);

/* The step of the last iteration, which determines the plan; %NULL for a task that is not decided.
 * Borrowed. */
const GobanDecisionStep *goban_decision_record_find_last (const GobanDecisionRecord *self,
                                                          GobanDecision task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionRecord, goban_decision_record_unref)

G_END_DECLS
