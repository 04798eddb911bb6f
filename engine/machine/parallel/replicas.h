/* replicas.h: a training graph repeated for data parallelism.
 *
 * Every replica has all nodes, named "replica1/...", with parameters of its own. Gradients that
 * updates read are all-reduced: the updates of a replica read the sum over all replicas. Several
 * gradients of one place travel together, as buckets, in the order in which they are computed
 * (Li et al., PyTorch Distributed, 2020).
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  guint n_replicas;
  gboolean splits;       /* the graph's batch is shared out; else each has one as large */
  gboolean is_tree;      /* all-reduce over a tree, not a ring */
  double bucket_bytes;   /* gradients are collected up to so many; 0: each alone */
  const guint16 *places; /* (n_nodes) (nullable): gradients of different places share no bucket */
} GobanReplicaOptions;

/* A graph of replicas, with figures for each of its nodes. */
typedef struct
{
  GobanGraph *graph;
  /* the node that it is a copy of; of a step of an all-reduce, the producer of the first
   * gradient */
  GobanNodeId *origins;
  gboolean *is_step; /* of an all-reduce */
  guint *replicas;   /* the replica of each node */
  guint n_buckets;
  double gradient_bytes; /* of one replica, that are reduced */
} GobanReplicas;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set, also for a graph without
 * gradients that an update reads. */
GobanReplicas *goban_replicas_new (const GobanGraph *graph, const GobanReplicaOptions *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_replicas_free (GobanReplicas *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanReplicas, goban_replicas_free)
