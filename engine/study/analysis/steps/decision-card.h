/* decision-card.h: all choices that one decision had, with probabilities or candidates.
 *
 * Of runs with a decision log the decision about a node's row in one step; of policies that build
 * their plans node by node the choice for the node; searches that compare whole plans have none.
 * Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/machine/plan/placement-record.h"
#include "engine/machine/plan/task.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* A device or a level. */
typedef struct
{
  char *name;            /* "gpu:1", "level 7" */
  double probability;    /* NAN without one */
  double candidate;      /* the policy's figure for the device; NAN without one */
  guint refusals;        /* GobanRefusal; 0: it was allowed */
  gboolean is_chosen;    /* of a network: drawn with these probabilities */
  gboolean is_likeliest; /* the highest probability, or the best candidate */
} GobanCardChoice;

/* Another row that the network looked at for this decision. */
typedef struct
{
  GobanNodeId node; /* the first of the row's nodes */
  guint row;        /* from 1 */
  guint n_nodes;    /* of the row */
  double share;     /* of the row's attention, mean over the heads */
} GobanCardAttended;

typedef struct
{
  GobanTask task;
  guint step;    /* of the run, from 1: that of the decision, which may be earlier than asked for */
  guint n_nodes; /* that were decided together */
  guint row;     /* from 1; 0 without rows */
  guint n_rows;
  guint order;           /* of the decision in the step, from 1; 0: all at once */
  double entropy;        /* nats; NAN without one */
  const char *candidate; /* (nullable) static: "finish_us" */
  const char *key;       /* (nullable) static: key by which nodes were ordered: "upward_rank_us" */
  double key_value;
  const char *note; /* (nullable) static: the policy's remark, or why numbers are missing */
  char *settled; /* (nullable): the device of the node, if the drawn plan was refined afterwards */
  gboolean is_sampled; /* another choice was likelier */
  GArray *choices;     /* of GobanCardChoice */
  GArray *attended;    /* of GobanCardAttended, most first; empty without attention */
} GobanDecisionCard;

/* The decisions about @node that hold at step @n: one a task. (element-type GobanDecisionCard)
 * (transfer full): empty if it is undecided, or the policy decides about whole plans. */
GPtrArray *goban_decision_cards_new (GobanRun *run, guint n,
                                     GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* A node to begin with: the first that step @n changed; GOBAN_NO_NODE without one. */
GobanNodeId goban_decision_cards_find_node (GobanRun *run, guint n);

/* "placement in step 3: gpu:1, probability 0.31, sampled, not the likeliest; gpu:0 0.62; cpu:
 * cannot run; entropy 0.83 nats; row 12 of 60 with 31 nodes; attends to row 11 0.310, row 3
 * 0.120; refined afterwards: gpu:0". (transfer full) */
char *goban_decision_card_describe (const GobanDecisionCard *self) G_GNUC_WARN_UNUSED_RESULT;

/* Criterion of a policy without probabilities: "by finish, upward rank 4.329 ms". (transfer
 * full) */
char *goban_decision_card_describe_rule (const GobanDecisionCard *self) G_GNUC_WARN_UNUSED_RESULT;

/* The number of a choice: "0.31", "< 0.001", "12.6 ms", "cannot run, memory"; "" without one.
 * (transfer full) */
char *goban_card_choice_describe (const GobanDecisionCard *self,
                                  const GobanCardChoice *choice) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
