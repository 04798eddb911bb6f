/* micro-batches-private.h: state of the making of a graph of micro-batches. */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/parallel/micro-batches.h"
#include "engine/parallel/pass-parts.h"

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
  double share; /* of the batch that an op of a micro-batch computes */
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

/* Adds the nodes that end passes, the control edges of the schedule, the ranks and the keys. */
void goban_repetition_add_passes (GobanRepetition *self);

G_END_DECLS
