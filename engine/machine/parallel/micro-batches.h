/* micro-batches.h: a graph repeated for each micro-batch of a pipeline.
 *
 * Ops of micro-batch 3 are named "mb3/...", and have its number. Variables and updates are there
 * once, and so are the bytes of parameters: the copies of an op share a device. Gradients of
 * weights are added up in place: each backward pass of a stage reads the sum of the one before it,
 * and the update reads the last.
 *
 * With a schedule, a node "passes/2F0" of no cost ends each pass, and control edges make each rank
 * follow its order; all nodes of a rank share a device. Without one, priorities decide. In an
 * asynchronous schedule the updates belong to the backward passes, once for each micro-batch, and a
 * stage has the bytes of all versions of its weights that are in memory at once.
 *
 * A stage may have several copies, each on a device of its own, which take the micro-batches in
 * turn: copy c has those whose number is c modulo the copies. "copy1/..." is its instance of what
 * is there once. The sums of the gradients of its micro-batches are all-reduced over a ring of the
 * copies ("all-reduce/0/rank1/Reduce0"), and every copy updates its weights. In an asynchronous
 * schedule that is done for every round of a micro-batch each, beside the passes.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/graph/graph.h"
#include "engine/machine/parallel/schedule.h"

typedef struct
{
  guint n_batches; /* 0: those of the schedule */
  gboolean splits; /* the graph's batch is shared out; else each micro-batch is as large as it */
  const GobanSchedule *schedule; /* (nullable) */
  const guint *stages; /* (n_nodes) with a schedule or copies: below the number of stages */
  guint n_stages;      /* with copies but without a schedule */
  /* (n_stages) (nullable) of each stage: without a schedule, which has its own */
  const guint *n_copies;
  const GobanProgress *progress; /* (nullable): told how far the copying is, up to its half */
} GobanMicroBatchOptions;

/* Priority of an op that has no schedule, as 1F1B has it, the largest first: variables, which have
 * no micro-batch; backward passes; forward ones; updates. Early micro-batches go before late
 * ones. */
double goban_micro_batch_key (GobanPhase phase, guint32 batch, guint n_batches);

/* A graph of micro-batches, with figures for each of its nodes. */
typedef struct
{
  GobanGraph *graph;
  GobanNodeId *origins; /* the node that it is a copy of, or GOBAN_NO_NODE */
  /* (nullable): with a schedule, or stages with copies, whose ranks follow those of the stage
   * before */
  guint *ranks;
  double *keys; /* the largest runs first; without a schedule as 1f1b has it */
} GobanMicroBatches;

/**
 * goban_micro_batches_new:
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set, or INVALID_GRAPH, which
 *   names the nodes, if the schedule and the edges between the stages contradict each other
 */
GobanMicroBatches *goban_micro_batches_new (const GobanGraph *graph,
                                            const GobanMicroBatchOptions *options,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_micro_batches_free (GobanMicroBatches *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMicroBatches, goban_micro_batches_free)
