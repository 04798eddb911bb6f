/* decision-record-new.h: making of a decision record, from a pass of a network or from chances. */
#pragma once

#include "engine/learn/policy/choices.h"
#include "engine/learn/policy/decision-record.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"
#include "engine/machine/plan/task.h"

G_BEGIN_DECLS

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
  GobanTasks decisions;        /* the requested tasks of the network */
  /* (nullable): the (N,A) logits of the draws, if they are not the pass's; borrowed until the next
   * call. */
  const float *(*see_logits) (gpointer data, int iteration, GobanTask task);
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
  const guint32 *order;  /* (N) (nullable), as GobanDecisionStep.order */
  /* (n_nodes) (nullable), as goban_decision_record_get_settled() */
  const guint32 *settled;
} GobanPlacementView;

/* (transfer full) */
GobanDecisionRecord *
goban_decision_record_new_of_placement (const GobanPlacementView *view) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
