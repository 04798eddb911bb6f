/* decisions.h: immutable record of the decisions of one run of a policy.
 *
 * A moment is one decision, numbered 1..n in the order in which it was made; 0 is the beginning.
 * Numbers never change, even if details are dropped. A span is an interval of moments: a pass, a
 * plan or a round. Spans nest. A span begins with the state after its base.
 *
 * Each moment follows another: the one before it, the base if it is the first of a span, or the
 * moment before a rejected span if it comes after that. State (m) is the sum of the changes along
 * this chain, from the beginning to m. The chain of the last state is the line; rejected spans are
 * side lines, and just as exact.
 *
 * Times are in microseconds, NAN if unknown; entropies in nats. Counted; any thread may read it.
 * decisions-writer.h writes it, replay.h makes plans of it.
 *
 * Decisions E25, E43, E66 and E71 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/graph.h"
#include "engine/machine/plan/refusal.h"
#include "engine/machine/plan/task.h"

typedef struct _GobanDecisions GobanDecisions;

typedef guint32 GobanMoment;

/* The choice of a node that no moment has decided. */
#define GOBAN_UNDECIDED G_MAXUINT32

typedef enum
{
  GOBAN_LEVEL_MOMENT,
  GOBAN_LEVEL_PASS,  /* draft, refinement, settling */
  GOBAN_LEVEL_PLAN,  /* attempt, evaluation, rollout */
  GOBAN_LEVEL_ROUND, /* update, generation, batch */
  GOBAN_N_DECISION_LEVELS
} GobanLevel;

typedef enum
{
  GOBAN_OPTION_DEVICE, /* option i is device i */
  GOBAN_OPTION_LEVEL,  /* option i is level i of the task */
  GOBAN_OPTION_RULE,
  GOBAN_OPTION_MOVE,
  GOBAN_OPTION_PLAN,
} GobanOptionKind;

/* Whether the chosen option is the choice of all nodes of the decision. */
static inline gboolean
goban_option_is_choice (GobanOptionKind kind)
{
  return kind == GOBAN_OPTION_DEVICE || kind == GOBAN_OPTION_LEVEL;
}

/* Meaning of the scores of a moment's options. */
typedef enum
{
  GOBAN_SCORE_NONE,
  GOBAN_SCORE_PROBABILITY, /* they sum to 1 */
  GOBAN_SCORE_FINISH_US,
  GOBAN_SCORE_START_US,
  GOBAN_SCORE_TIME_US,
  GOBAN_SCORE_BYTES,
  GOBAN_SCORE_MAKESPAN_US,
  GOBAN_SCORE_EXPECTED_US,
  GOBAN_SCORE_GAIN,
  GOBAN_SCORE_BOUND_US,
} GobanScoreKind;

typedef enum
{
  GOBAN_DECISION_SAMPLED = 1 << 0, /* drawn by its probabilities */
  GOBAN_DECISION_CARRIED = 1 << 1, /* follows from another decision; it has no options */
  GOBAN_DECISION_AT_ONCE = 1 << 2, /* made together with its neighbours, without their outcomes */
  GOBAN_DECISION_FORCED = 1 << 3,  /* by the user, in place of the policy's choice */
} GobanDecisionFlags;

/* Which stops goban_decisions_next_stop() counts. */
typedef enum
{
  GOBAN_STOPS_ALL,
  GOBAN_STOPS_ACCEPTED, /* within no rejected span */
  GOBAN_STOPS_LINE,     /* on the way to the last state */
} GobanStops;

typedef struct
{
  const char *name; /* interned: "attempt", "draft" */
  GobanLevel level;
  guint32 parent;               /* span, from 1; 0: none */
  GobanMoment begin, end, base; /* its moments are begin + 1 .. end */
  GobanMoment last;             /* whose state is its plan: @base if nothing in it was accepted */
  guint64 evaluation;           /* number of the simulation that tried it, from 1; 0: none */
  guint64 n_left_out;           /* siblings before it that were folded */
  guint64 digest;               /* of its settled plan; 0: none */
  double before_us, after_us;   /* makespans of its base and of its plan */
  double overflow_bytes;        /* memory that its plan lacks */
  gboolean is_accepted;
  gboolean is_open; /* the policy is within it */
  const char *why;  /* (nullable) interned: why it is not divided into finer decisions */
  const char *key;  /* (nullable) interned: the sort key of its nodes: "upward_rank_us" */
  const char *ties; /* (nullable) interned: which of several options of the least score */
} GobanSpan;

/* A row that a decision read, and its share of the attention. */
typedef struct
{
  guint32 row;
  float weight;
} GobanAttended;

/* The choice of a node in a task before and after. */
typedef struct
{
  GobanTask task;
  GobanNodeId node;
  guint32 from, to; /* device, level or priority (as guint32); or GOBAN_UNDECIDED */
} GobanDecisionChange;

/* A decision; its pointers are borrowed until the room is used again. */
typedef struct
{
  GobanMoment number;
  guint32 span; /* the innermost, from 1; 0: none */
  GobanTask task;
  GobanOptionKind options;
  GobanScoreKind score;
  gboolean takes_least; /* the policy takes the least score among the options not refused */
  const GobanNodeId *nodes;
  guint n_nodes;
  guint32 row; /* of a learned policy's board */
  guint n_options;
  guint32 had;            /* the first node's choice before */
  guint32 chosen;         /* option */
  const float *scores;    /* (n_options) NAN if unknown; (nullable): none, or left out */
  const guint8 *refusals; /* (n_options) GobanRefusal, as the policy said; (nullable): none */
  float key, temperature, entropy, start_us, finish_us;
  double before_us, after_us; /* the partial schedule or makespan */
  const GobanAttended *attended;
  guint n_attended;
  const char *note; /* (nullable) interned */
  guint flags;      /* GobanDecisionFlags */
} GobanDecision;

/* Memory of a GobanDecision; begins as { 0 }. */
typedef struct
{
  GArray *scores;
} GobanDecisionRoom;

void goban_decision_room_clear (GobanDecisionRoom *self);

/* The choices after a moment. */
typedef struct
{
  guint n_nodes;
  guint32 *choices[GOBAN_N_TASKS]; /* (n_nodes) each; GOBAN_UNDECIDED */
  float *starts_us, *finishes_us;  /* (n_nodes) the last known of the policy's schedule; NAN */
} GobanDecisionState;

void goban_decision_state_init (GobanDecisionState *self, guint n_nodes);
void goban_decision_state_clear (GobanDecisionState *self);

GobanDecisions *goban_decisions_ref (GobanDecisions *self);
void goban_decisions_unref (GobanDecisions *self);

guint goban_decisions_get_n_nodes (const GobanDecisions *self);
guint goban_decisions_get_n_devices (const GobanDecisions *self);
GobanMoment goban_decisions_get_n_moments (const GobanDecisions *self);
guint goban_decisions_get_n_spans (const GobanDecisions *self);
/* Span @n, from 1; borrowed. */
const GobanSpan *goban_decisions_get_span (const GobanDecisions *self, guint32 n);
/* The moment of the last state, the end of the line. */
GobanMoment goban_decisions_get_last (const GobanDecisions *self);
/* The bytes of its own and shared memory. */
gsize goban_decisions_get_n_bytes (const GobanDecisions *self);
/* The number of moments without their scores, and without anything but a number. */
void goban_decisions_count_left_out (const GobanDecisions *self, guint *scores, guint *moments);

/* FALSE if the state after the moment was dropped; 0 is always there, as the earliest state that
 * is left. */
gboolean goban_decisions_has (const GobanDecisions *self, GobanMoment moment);
/* Moment from 1. FALSE if it was dropped, even if its state is there. @room (nullable): without
 * one, scores are left out. */
gboolean goban_decisions_get (const GobanDecisions *self, GobanMoment moment,
                              GobanDecisionRoom *room, GobanDecision *decision);
/* The moment whose state this one changed. */
GobanMoment goban_decisions_get_previous (const GobanDecisions *self, GobanMoment moment);
gboolean goban_decisions_is_on_line (const GobanDecisions *self, GobanMoment moment);

/* The last moment on the chain of @until that decided the node; 0: none, or dropped. O(chain) */
GobanMoment goban_decisions_find (const GobanDecisions *self, GobanNodeId node, GobanTask task,
                                  GobanMoment until);

/**
 * goban_decisions_next_stop:
 * @by: number of stops, negative for those before
 *
 * A level's stops are the plans of its spans; of GOBAN_LEVEL_MOMENT, all moments that are there. 0
 * is a stop of each level.
 *
 * Returns: the stop; the first or last one, or @moment, if there are fewer
 */
GobanMoment goban_decisions_next_stop (const GobanDecisions *self, GobanLevel level,
                                       GobanStops walk, GobanMoment moment, int by);

/* @state was made for as many nodes. O(chain): no key-frames are needed. */
void goban_decisions_fill_state (const GobanDecisions *self, GobanMoment moment,
                                 GobanDecisionState *state);

/* The differences of state @b from state @a, ascending by task and node, of GobanDecisionChange.
 * O(c log c) in the changes c between the two. (transfer full) */
GArray *goban_decisions_list_changes (const GobanDecisions *self, GobanMoment a,
                                      GobanMoment b) G_GNUC_WARN_UNUSED_RESULT;

/* least_us, most_us (n): of the makespans after the stops of a level, within each of @n equal parts
 * of the moments; NAN if a part has none. */
void goban_decisions_sample (const GobanDecisions *self, GobanLevel level, guint n,
                             double *least_us, double *most_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisions, goban_decisions_unref)
