/* parallel-training.h: step of a training on a whole cluster: tensor, sequence, pipeline, data and
 * expert parallelism at once, as a run.
 *
 * tp * dp * pp devices, in this order (Narayanan et al., Efficient Large-Scale Language Model
 * Training on GPU Clusters Using Megatron-LM, 2021). The run is of a folded cluster: a device
 * stands for the tp * dp ranks of a stage, which do the same at the same time, and collectives are
 * ops (engine/machine/cluster/fold.h, engine/machine/parallel/rank-graph.h). Immutable; any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/run/run.h"

typedef struct
{
  guint tp;                 /* ranks that split every layer; 0: 1, as of all numbers here */
  guint pp;                 /* stages of layers, each on its own ranks */
  guint dp;                 /* copies of all that */
  guint ep;                 /* copies that split the experts among them; divides dp */
  gboolean splits_sequence; /* norms and residuals by sequence, too */
  guint micro_batch;        /* samples of one pass; 0: the batch of the model */
  guint batch;              /* of all copies and micro-batches; 0: 4 micro-batches a stage, or 8 */
  guint zero;
  const char *recompute;   /* (nullable): "none", "selective" or "full" (rank-graph.h) */
  const char *schedule;    /* (nullable): 1f1b */
  guint n_chunks;          /* stages a device; 0: two if interleaved or dualpipe-v, else one */
  gboolean overlaps_sends; /* between stages; else they keep the sender busy */
  gboolean shows_ops;      /* every op, not every pass of a stage */
  const GobanProgress *progress; /* (nullable) */
} GobanTrainingShape;

/* Micro-batches of a copy; 0 if the batch is not divided by copies and micro-batch. */
guint goban_training_shape_get_n_batches (const GobanTrainingShape *self);

/* Memory of one rank of a stage at its peak. */
typedef struct
{
  double weight_bytes;
  double gradient_bytes;
  double optimizer_bytes;
  double activation_bytes; /* and whatever else is in memory */
  double capacity_bytes;   /* INFINITY: unlimited */
} GobanRankMemory;

/* The sum of the four kinds. */
double goban_rank_memory_sum (const GobanRankMemory *self);

typedef struct
{
  guint n_devices; /* of the whole cluster that work */
  guint n_batches; /* micro-batches of a copy */
  guint batch;
  double flops;  /* of a step on all devices, without recomputation and updates */
  double used;   /* those / what the devices' peaks allow in the time: model FLOPs utilisation */
  double bubble; /* idle share of the devices */
  double collective_share; /* share of their time in collectives and sends, of all ops */
  double recomputed_share; /* the same in recomputation */
} GobanTrainingFigures;

/* Read-only. */
typedef struct _GobanParallelTraining
{
  GobanRun *run;
  GobanTrainingFigures figures;
  GobanRankMemory *memory; /* (n_devices) of the run */
  guint n_memory;
} GobanParallelTraining;

/**
 * goban_parallel_training_new:
 * @spec: (nullable): of a workload, whose batch, tp, sp and ep are the shape's where it has them
 * @graph: (nullable): instead of @spec, of a micro-batch on one rank. A generated one is generated
 *   again for the shape; another one cannot be split among ranks
 *
 * Returns: (transfer full) (nullable): %NULL with @error set, which names the divisor if numbers do
 *   not divide. A run that does not fit into memory has no end, as everywhere.
 */
GobanParallelTraining *goban_parallel_training_new (const char *spec, GobanGraph *graph,
                                                    GobanCluster *cluster,
                                                    const GobanTrainingShape *shape,
                                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_parallel_training_free (GobanParallelTraining *self);

/* Borrowed: (n) of each device of the run. */
const GobanRankMemory *goban_parallel_training_get_memory (const GobanParallelTraining *self,
                                                           guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanParallelTraining, goban_parallel_training_free)
