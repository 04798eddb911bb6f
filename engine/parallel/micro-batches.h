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
 */
#pragma once

#include "engine/graph/graph.h"
#include "engine/parallel/schedule.h"

G_BEGIN_DECLS

typedef struct
{
  guint n_batches; /* 0: those of the schedule */
  gboolean splits; /* the graph's batch is shared out; else each micro-batch is as large as it */
  const GobanSchedule *schedule; /* (nullable) */
  const guint *stages;           /* (n_nodes) with a schedule: below its number of stages */
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
  guint *ranks;         /* with a schedule */
  double *keys;         /* the largest runs first; without a schedule as 1f1b has it */
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

G_END_DECLS
