/* decisions-private.h: moments in counted blocks, shared by snapshots.
 *
 * All blocks but the last are full and never change. A moment is a head and those parts that it
 * has, one after another. A writer and its snapshots hold full blocks together; a lighter block
 * takes the place of one that has to be dropped.
 *
 * A moment that is left follows another one that is left, or the beginning's: if one is dropped,
 * all that follow it are.
 */
#pragma once

#include "engine/decisions/decisions-parts.h"
#include "engine/decisions/decisions-writer.h"

#define BLOCK_MOMENTS 4096 /* at most; heavy moments make shorter blocks */
/* A state takes so many a node. */
#define STATE_BYTES ((gsize) (GOBAN_N_TASKS + 2) * sizeof (guint32))

/* More flags beside GobanDecisionFlags. */
enum
{
  FACT_TAKES_LEAST = 1 << 4,
  FACT_HAS_SCORES = 1 << 5,
  FACT_LOST_SCORES = 1 << 6,
  FACT_DROPPED = 1 << 7, /* with all but its number */
};

/* Parts of a moment, in their order. All take whole words of 32 bits. */
typedef enum
{
  PART_NODE,     /* the only one */
  PART_NODES,    /* several: their number, and each */
  PART_CHANGES,  /* their number, and each; none: a single node from had to chosen, or nothing */
  PART_SCORES,   /* n_options of float, or of guint16 for probabilities */
  PART_REFUSALS, /* n_options of guint8 */
  PART_KEY,      /* float, as the next two */
  PART_TEMPERATURE,
  PART_ENTROPY,
  PART_BEFORE, /* double */
  PART_AFTER,
  PART_ROW,
  PART_NOTE,     /* const char *, interned */
  PART_ATTENDED, /* their number, and each */
  PART_TIMES,    /* two of float; the last part, since they come late */
  N_PARTS
} Part;

#define PARTS(part) (1u << (part))

typedef struct
{
  guint32 span;
  guint32 n_options;
  guint32 had;
  guint32 chosen;
  guint32 parts : 14; /* of PARTS() */
  guint32 task : 3;
  guint32 options : 3;
  guint32 score : 4;
  guint32 flags : 8;
} Fact;

typedef struct
{
  gatomicrefcount refs;
  guint n, n_room; /* moments */
  guint n_words, n_word_room;
  guint32 *offsets; /* (n_room) the first word of each moment */
  guint32 *words;   /* (n_word_room) */
} Block;

#define BLOCK_BYTES(block)                                                                         \
  (sizeof (Block)                                                                                  \
   + ((gsize) ((const Block *) (block))->n + ((const Block *) (block))->n_words)                   \
         * sizeof (guint32))

/* Parts of a moment that are kept when memory is short. */
typedef enum
{
  REST_ALL,
  REST_CHOICE, /* all but scores, refusals and attention */
  REST_NUMBER, /* dropped */
} Rest;

/* A moment that does not follow the one before it. */
typedef struct
{
  GobanMoment moment, previous;
} Jump;

/* Moments first .. last that follow one another. */
typedef struct
{
  GobanMoment first, last;
} Segment;

/* The choices before the first block that is left. */
typedef struct
{
  gatomicrefcount refs;
  GobanMoment moment; /* whose state it is */
  GobanDecisionState state;
} Beginning;

struct _GobanDecisions
{
  gatomicrefcount refs;
  guint n_nodes, n_devices;
  GPtrArray *blocks;  /* of Block; NULL: all of its moments were dropped */
  GArray *firsts;     /* of GobanMoment: the first one of each block */
  guint n_folded;     /* of blocks in front, which are in the beginning */
  GobanMoment folded; /* the last moment of these blocks */
  Beginning *beginning;
  GobanMoment n_moments;
  GobanMoment last;
  GArray *spans;     /* of GobanSpan */
  GArray *span_ids;  /* of guint32, ascending: Fact.span, which folding does not change */
  GArray *jumps;     /* of Jump, ascending */
  GArray *settlings; /* of GobanSettledPlan, in their order */
  GArray *line;      /* of Segment, ascending */
};

static inline Fact *
block_get_fact (const Block *block, guint i)
{
  return (Fact *) (gpointer) &block->words[block->offsets[i]];
}

/* With as much room as @like (nullable) has used, which saves copies while it grows. */
Block *goban_block_new (const Block *like) G_GNUC_WARN_UNUSED_RESULT;
Block *goban_block_ref (Block *self);
void goban_block_unref (gpointer self);
/* Adds a moment of the span with an id. @scores: as in PART_SCORES, (nullable). Changes, and the
 * choice of the nodes, go into @state, too. A moment of FACT_DROPPED is but a number. */
void goban_block_add (Block *self, guint32 span, const GobanDecision *decision,
                      gconstpointer scores, const GobanDecisionChange *changes, guint n_changes,
                      guint flags, GobanDecisionState *state);
/* Sets the times of the last moment. */
void goban_block_set_times (Block *self, float start_us, float finish_us);
Block *goban_block_copy (const Block *self) G_GNUC_WARN_UNUSED_RESULT;
/* Appends moment @i of @from. */
void goban_block_append (Block *self, const Block *from, guint i, Rest rest);

/* Both are of as many nodes. */
void goban_decision_state_copy (GobanDecisionState *self, const GobanDecisionState *from);
Beginning *goban_beginning_new (guint n_nodes) G_GNUC_WARN_UNUSED_RESULT;
Beginning *goban_beginning_ref (Beginning *self);
void goban_beginning_unref (Beginning *self);

/* The settling of @plan at a moment with the given state. */
GobanSettledPlan goban_settling_make (GobanMoment moment, const GobanDecisionState *state,
                                      const GobanPlan *plan);
/* Appends a settling, (transfer full), that shares the columns which the last one has, too; returns
 * the bytes that it takes. */
gsize goban_settlings_append (GArray *settlings, GobanSettledPlan settling);
/* (transfer full) */
GArray *goban_settlings_copy (const GArray *settlings) G_GNUC_WARN_UNUSED_RESULT;
gsize goban_settlings_get_n_bytes (const GArray *settlings);
void goban_settling_clear (gpointer settling);

/* Without a moment. (transfer full) */
GobanDecisions *goban_decisions_new (guint n_nodes, guint n_devices) G_GNUC_WARN_UNUSED_RESULT;
/* The block of a moment and its place in it; NULL if it was dropped. */
const Block *goban_decisions_find_block (const GobanDecisions *self, GobanMoment moment, guint *i);
/* The last moment of block @b. */
GobanMoment goban_decisions_get_block_end (const GobanDecisions *self, guint b);
/* Bytes of all but the settled plans and the blocks before the last. */
gsize goban_decisions_get_n_own_bytes (const GobanDecisions *self);
gboolean goban_decisions_is_dropped (const GobanDecisions *self, GobanMoment moment);
/* Whether the state after the moment is there. */
gboolean goban_decisions_is_left (const GobanDecisions *self, GobanMoment moment);
/* A record that shares the blocks and the beginning of @self, without its line. (transfer full) */
GobanDecisions *goban_decisions_copy (const GobanDecisions *self) G_GNUC_WARN_UNUSED_RESULT;
/* Folds spans without a moment that is left into the sibling after them. */
void goban_decisions_fold_spans (GobanDecisions *self);
/* The number of the span with an id; 0: none, or folded. */
guint32 goban_decisions_find_span (const GobanDecisions *self, guint32 id);
/* The last jump at or before @moment; NULL: all of them are later. */
const Jump *goban_decisions_find_jump (const GobanDecisions *self, GobanMoment moment);
/* The last moment until @end on the chain of @moment, or the beginning's if that is later. */
GobanMoment goban_decisions_find_ancestor (const GobanDecisions *self, GobanMoment moment,
                                           GobanMoment end);

/* The segments from the beginning to @moment, ascending, appended to @chain. */
void goban_decisions_append_chain (const GobanDecisions *self, GobanMoment moment, GArray *chain);
/* Changes the choices of state @a, which are in @state, to those of @b; both must be there. */
void goban_decisions_change_state (const GobanDecisions *self, GobanMoment a, GobanMoment b,
                                   GobanDecisionState *state);
/* Sets the state to that after the segments. */
void goban_decisions_apply (const GobanDecisions *self, const GArray *chain,
                            GobanDecisionState *state);
