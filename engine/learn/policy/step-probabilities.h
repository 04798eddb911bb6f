/* step-probabilities.h: probabilities of all choices of all rows at one decision step, two bytes
 * each.
 *
 * They are those of the last iteration, which determines the plan. The probabilities of a row are
 * multiples of 1/GOBAN_PROBABILITY_UNITS and sum to 1 exactly; smaller ones are 0.
 *
 * Immutable and counted: any thread may read it.
 *
 * Decision E66 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/policy/decision-record.h"

G_BEGIN_DECLS

#define GOBAN_PROBABILITY_UNITS 65534u
/* A choice that is not allowed. */
#define GOBAN_PROBABILITY_MASKED G_MAXUINT16

typedef struct _GobanStepProbabilities GobanStepProbabilities;

/* A task's part. */
typedef struct
{
  guint n_actions;        /* A: devices or levels; 0: the task was not decided */
  const guint16 *units;   /* (n_rows,A) or GOBAN_PROBABILITY_MASKED */
  const float *entropies; /* (n_rows) nats, of the exact probabilities */
  const guint16 *chosen;  /* (n_rows) */
  /* (n_rows,GOBAN_N_ATTENDED) (nullable), as GobanDecisionStep.attended; both or none */
  const guint32 *attended;
  const guint16 *attention; /* likewise: shares in units, each rounded by itself */
} GobanTaskProbabilities;

/* Parts of a new value; all arrays are copied. */
typedef struct
{
  guint n_nodes;
  guint n_rows;
  const guint32 *row_of; /* (n_nodes) */
  const guint32 *order;  /* (n_rows) (nullable), as goban_step_probabilities_get_order() */
  GobanTaskProbabilities tasks[GOBAN_N_TASKS];
} GobanStepProbabilitiesParts;

/* @before: (nullable): a value that may have the same rows, which are then shared. (transfer
 * full) */
GobanStepProbabilities *
goban_step_probabilities_new (const GobanDecisionRecord *record,
                              GobanStepProbabilities *before) G_GNUC_WARN_UNUSED_RESULT;
GobanStepProbabilities *
goban_step_probabilities_new_of_parts (const GobanStepProbabilitiesParts *parts,
                                       GobanStepProbabilities *before) G_GNUC_WARN_UNUSED_RESULT;
GobanStepProbabilities *goban_step_probabilities_ref (GobanStepProbabilities *self);
void goban_step_probabilities_unref (GobanStepProbabilities *self);

guint goban_step_probabilities_get_n_rows (const GobanStepProbabilities *self);
guint32 goban_step_probabilities_get_row_of (const GobanStepProbabilities *self, GobanNodeId node);
/* (n_nodes), borrowed; the same pointer for steps that share their rows. */
const guint32 *goban_step_probabilities_get_rows (const GobanStepProbabilities *self);
/* The place of a row in the order of decisions, from 1; 0 if it was not decided by itself, or all
 * rows were decided at once. */
guint goban_step_probabilities_get_order (const GobanStepProbabilities *self, guint row);
/* Borrowed. */
const GobanTaskProbabilities *goban_step_probabilities_get_task (const GobanStepProbabilities *self,
                                                                 GobanTask task);
/* 0 for a choice that is not allowed. */
double goban_step_probabilities_get (const GobanStepProbabilities *self, GobanTask task, guint row,
                                     guint action);
/* About the memory that it takes beside shared rows. */
gsize goban_step_probabilities_get_n_bytes (const GobanStepProbabilities *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanStepProbabilities, goban_step_probabilities_unref)

G_END_DECLS
