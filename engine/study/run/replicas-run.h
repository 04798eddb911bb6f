/* replicas-run.h: data parallelism of a graph, simulated. */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/run/run.h"

#define GOBAN_MAX_SLOWDOWN 100.0

typedef struct
{
  guint n_replicas;    /* 0: as many as fit on the devices that are not CPUs */
  gboolean splits;     /* the batch is shared out among the replicas */
  gboolean is_tree;    /* all-reduce over a tree, not a ring */
  double bucket_bytes; /* gradients are collected up to so many; 0: each alone */
  /* a straggler: the devices of the last replica take so many times as long, in computing and in
   * reading memory; 0: 1. Not for given times */
  double slowdown;
  /* (nullable): of one replica, whose devices the others follow; NULL: one device each */
  GobanPlan *plan;
  const GobanProgress *progress; /* (nullable) */
} GobanReplicasRunOptions;

/* Sets is_tree by the name of an all-reduce's algorithm: "ring" or "tree", (nullable): ring. %FALSE
 * for any other name. */
gboolean goban_replicas_run_set_algorithm (GobanReplicasRunOptions *options, const char *algorithm);

/* Figures of replicas, beside their run. */
typedef struct
{
  guint n_replicas;
  guint n_buckets;
  double gradient_bytes; /* of one replica */
} GobanReplicasFigures;

/* @costs: of the graph of one replica. The cluster of the run is theirs, or a copy with slower
 * devices. (transfer full) (nullable): %NULL with @error set. */
GobanRun *goban_replicas_run_new (GobanCostModel *costs, const GobanReplicasRunOptions *options,
                                  GobanReplicasFigures *figures,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
