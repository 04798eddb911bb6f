/* micro-batches-private.h: state of the making of a graph of micro-batches. */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/machine/parallel/micro-batches.h"
#include "engine/machine/parallel/pass-parts.h"

G_BEGIN_DECLS

/* Facts about one of the builder's nodes. */
typedef struct
{
  GobanNodeId origin;
  guint rank;
  double key;
} GobanCopyFacts;

typedef struct
{
  const GobanGraph *graph;
  const GobanMicroBatchOptions *options;
  guint n_batches;
  const guint *n_copies; /* (n_stages) (nullable) of each stage; NULL: no stage has several */
  guint *first_ranks;    /* (n_stages) of the first copy, if stages have copies */
  gboolean *is_update;   /* (n_nodes) updates, also in an asynchronous schedule */
  GHashTable *sums;      /* (tensor, round) -> those of each copy, of stage-sums.c */
  double share;          /* of the batch that an op of a micro-batch computes */
  GobanParts parts;
  GobanGraphBuilder *builder;
  guint32 *nodes; /* (n_nodes x n_batches) the builder's; of nodes that are there once, the same */
  guint32 *weights; /* the same of second halves; else those of nodes */
  guint32 *tensors; /* (n_tensors x n_batches) */
  GArray *facts;    /* of GobanCopyFacts, by the builder's node */
} GobanRepetition;

static inline gsize
goban_repetition_index (const GobanRepetition *self, guint32 id, guint batch)
{
  return (gsize) id * self->n_batches + batch;
}

static inline GobanCopyFacts *
goban_repetition_facts (const GobanRepetition *self, guint32 copy)
{
  return &g_array_index (self->facts, GobanCopyFacts, copy);
}

/* Number of copies of the node's stage. */
static inline guint
goban_repetition_n_copies (const GobanRepetition *self, GobanNodeId v)
{
  return self->n_copies != NULL ? self->n_copies[self->options->stages[v]] : 1;
}

/* Rank of the copy of the node's stage that has the micro-batch; G_MAXUINT: there are no ranks. */
static inline guint
goban_repetition_rank (const GobanRepetition *self, GobanNodeId v, guint batch)
{
  if (self->n_copies != NULL)
    return self->first_ranks[self->options->stages[v]]
           + batch % goban_repetition_n_copies (self, v);
  return self->options->schedule != NULL
             ? goban_schedule_get_rank (self->options->schedule, self->options->stages[v])
             : G_MAXUINT;
}

/* Priority of a step of an all-reduce among the passes of a schedule: other ranks wait for it. */
#define GOBAN_SUM_KEY 2.0

/* --- sums over the copies of a stage (stage-sums.c) ------------------------------------------- */

/* TRUE if the tensor is a gradient that several copies of its stage compute. */
gboolean goban_repetition_is_reduced (const GobanRepetition *self, GobanTensorId t);
/* TRUE if the all-reduce's chunks stand for the tensor of this micro-batch. */
gboolean goban_repetition_is_chunked (const GobanRepetition *self, GobanTensorId t, guint batch);
/* Steps of all the all-reduces. */
gsize goban_repetition_count_steps (const GobanRepetition *self);
/* Adds the edges by which an update reads a reduced gradient, and at the first of them the
 * all-reduces. */
void goban_repetition_add_reduced (GobanRepetition *self, const GobanEdge *edge);

/* Adds the nodes that end passes, the control edges of the schedule, the ranks and the keys. */
void goban_repetition_add_passes (GobanRepetition *self);

G_END_DECLS
