/* parallel-order.h: order for a training on a whole cluster, for a pipeline, for data-parallel
 * copies or for a collective.
 *
 * It makes a run of a derived graph (engine/session/session-derived.h), with its Lua line and its
 * figures in words.
 *
 * A worker carries it out: an order owns all that it names, and the result has no GObject.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/run/collective-run.h"
#include "engine/study/run/parallel-training.h"
#include "engine/study/run/pipeline.h"
#include "engine/study/run/replicas-run.h"

typedef enum
{
  GOBAN_PARALLEL_TRAINING,
  GOBAN_PARALLEL_PIPELINE,
  GOBAN_PARALLEL_COPIES,
  GOBAN_PARALLEL_COLLECTIVE,
  GOBAN_N_PARALLEL_KINDS
} GobanParallelKind;

typedef struct
{
  GobanParallelKind kind;
  GobanCostModel *costs; /* of the open graph; (nullable) of a collective */
  GobanCluster *cluster;
  GobanPlan *plan;   /* (nullable): of the open graph: its devices are the stages, or one copy's */
  gboolean is_split; /* the graph's batch is shared out */
  guint n;           /* stages, copies, or ranks of a collective; 0: as many as fit */

  /* a training: without what it borrows, which is here and below */
  GobanTrainingShape shape;
  char *recompute; /* (nullable) */

  /* pipelines and trainings */
  char *schedule; /* a name; of a pipeline also "none" or the path of a CSV file */
  guint n_batches;
  gboolean chooses_stages;
  gboolean copies_stages; /* shared out to copies as PipeDream's optimiser plans them */

  /* copies and collectives */
  char *algorithm; /* (nullable): the kind's first */
  double bucket_bytes;
  double slowdown;
  gboolean adds_backward; /* of copies: to the open graph first, whose @plan is then unused */
  char *collective;       /* "all-reduce" */
  double bytes;
} GobanParallelOrder;

/* For the open graph of those costs, or NULL for a collective on @cluster. (transfer full) */
GobanParallelOrder *goban_parallel_order_new (GobanParallelKind kind, GobanCostModel *costs,
                                              GobanCluster *cluster) G_GNUC_WARN_UNUSED_RESULT;
void goban_parallel_order_free (GobanParallelOrder *self);

/* The Lua expression of the run: g:pipeline{ schedule = "1f1b", micro_batches = 8 }. (transfer
 * full) */
char *goban_parallel_order_dup_code (const GobanParallelOrder *self) G_GNUC_WARN_UNUSED_RESULT;

/* Whether @graph has forward nodes only, to which an order of copies can add the others. */
gboolean goban_parallel_is_inference (GobanGraph *graph);

/* Nodes that the run's graph has at least, to judge how long it takes. */
guint64 goban_parallel_order_count_nodes (const GobanParallelOrder *self);

typedef struct
{
  GobanRun *run; /* with its derivation (engine/study/run/run-origin.h) */
  char *text;    /* its figures, in sentences; or why it has no end */
  gboolean is_feasible;
  GobanRankMemory *memory; /* (nullable) (n_memory) of the devices of a training */
  guint n_memory;
} GobanParallelResult;

void goban_parallel_result_free (GobanParallelResult *self);

/* (transfer full) (nullable): %NULL with @error set. The run may need more memory than there is. */
GobanParallelResult *goban_parallel_order_try (const GobanParallelOrder *self,
                                               const GobanProgress *progress,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A GobanJobFunc of a GobanParallelOrder: the same, with @error set for such a run, too. */
gpointer goban_parallel_order_run (const GobanProgress *progress, gpointer order, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanParallelOrder, goban_parallel_order_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanParallelResult, goban_parallel_result_free)
