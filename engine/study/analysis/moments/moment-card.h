/* moment-card.h: all options that one decision had, with scores, refusals and differences to the
 * best.
 *
 * Functions of immutable values, for any thread; moment-words.h describes @costs.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/cost-model.h"

typedef struct
{
  char *name;         /* "gpu:1", "level 7", "move 3" */
  char *words;        /* its score: "finish 26 µs", "0.31"; "" without one */
  char *why_not;      /* (nullable): refusals in words: "cannot run, memory" */
  guint refusals;     /* GobanRefusal; 0: it was allowed */
  double score;       /* NAN: unknown */
  double probability; /* NAN unless scores are probabilities */
  double difference;  /* of its score to the best one, above 0 if worse; NAN */
  gboolean is_chosen;
  /* The best one allowed, by the policy's own measure; FALSE if it has no such rule. */
  gboolean is_best;
} GobanCardOption;

/* Another row of the board that had some of the network's attention in this decision. */
typedef struct
{
  guint32 row;
  GobanNodeId node; /* the first of the row's nodes; GOBAN_NO_NODE if its decision was dropped */
  guint n_nodes;    /* of the row; 0 if it was dropped */
  double weight;    /* of the attention, mean over the heads */
} GobanCardAttended;

typedef struct
{
  GobanMoment moment;
  GobanTask task;
  GobanOptionKind kind;
  GobanScoreKind score;
  guint n_nodes;              /* that were decided together */
  GobanNodeId node;           /* the first of them; GOBAN_NO_NODE */
  guint32 row;                /* of the network's board, from 1; 0 without rows */
  char *path;                 /* "Plan 5 of 17 › Decision 3 of 313" */
  char *what;                 /* goban_moment_describe() */
  char *why;                  /* (nullable): goban_moment_explain() */
  char *had;                  /* (nullable): the name of the first node's choice before */
  char *key;                  /* (nullable): what the node was taken by: "upward rank 4.329 ms" */
  double entropy;             /* nats; NAN */
  double temperature;         /* NAN */
  double before_us, after_us; /* see moment-state.h; NAN */
  const char *note;           /* (nullable) interned: the policy's remark */
  guint flags;                /* GobanDecisionFlags */
  guint32 span;               /* the innermost, from 1; 0: none */
  gboolean lacks_scores;      /* they were left out to save memory */
  GArray *options;            /* of GobanCardOption: empty for carried decisions */
  GArray *attended;           /* of GobanCardAttended, most first */
} GobanMomentCard;

/* %NULL if the details of the moment were dropped, and for moment 0. (transfer full) (nullable) */
GobanMomentCard *goban_moment_card_new (const GobanCostModel *costs,
                                        const GobanDecisions *decisions,
                                        GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_card_free (GobanMomentCard *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMomentCard, goban_moment_card_free)

/* --- lines ------------------------------------------------------------------------------------ */

/* Numbering of a record as people read it: plans, and the decisions of each.
 *
 * A line is a moment that is listed. The lines of one span of plans are one plan. A line outside
 * such spans that changes a whole plan is a plan of its own; others beside each other are one.
 * Plans, and the decisions of a plan, are counted from 1 among those that are listed.
 *
 * Immutable; any thread.
 */

/* Neither a line nor a plan. */
#define GOBAN_NO_LINE G_MAXUINT

typedef struct
{
  guint first, n;                  /* its lines */
  GobanMoment last;                /* whose plan it is */
  double makespan_us, previous_us; /* of that plan, and of the listed one before it; NAN: unknown */
  gboolean is_accepted;
} GobanLinesPlan;

/* Read-only. */
typedef struct _GobanMomentLines
{
  GobanDecisions *decisions;
  GArray *moments; /* of GobanMoment, ascending */
  GArray *plans;   /* of GobanLinesPlan */
} GobanMomentLines;

/* O(moments) */
GobanMomentLines *goban_moment_lines_new (GobanDecisions *decisions,
                                          GobanStops which) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_lines_free (GobanMomentLines *self);

const GobanLinesPlan *goban_moment_lines_get_plan (const GobanMomentLines *self, guint plan);
GobanMoment goban_moment_lines_get_moment (const GobanMomentLines *self, guint line);

/* The last line up to @moment; GOBAN_NO_LINE at the beginning. */
guint goban_moment_lines_find (const GobanMomentLines *self, GobanMoment moment);
/* The plan of a line; GOBAN_NO_LINE of that. */
guint goban_moment_lines_find_plan (const GobanMomentLines *self, guint line);

/* Whether a plan has decisions of its own to walk through: more than one. */
gboolean goban_moment_lines_has_decisions (const GobanMomentLines *self, guint plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMomentLines, goban_moment_lines_free)
