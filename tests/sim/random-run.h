/* random-run.h: random graphs on random clusters with random plans, all functions of a seed.
 *
 * Whole-numbered times and sizes, many of them 0, so that much happens at the same instant;
 * clusters of 1 to 4 devices joined directly, through one switch or by a shared trunk, with
 * bandwidths and latencies that may be infinite and 0; memories that often do not suffice.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/machine/plan/plan.h"

typedef struct
{
  GobanGraph *graph;
  GobanCluster *cluster;
  GobanCostModel *costs;
  GobanPlan *plan;
} RandomRun;

void random_run_init (RandomRun *self, guint n_nodes, guint64 seed);
/* The same with ops of all kinds, half of them estimated, and a plan that fuses whatever it may. */
void fused_run_init (RandomRun *self, guint n_nodes, guint64 seed);
void random_run_clear (RandomRun *self);

/* (transfer full) */
GobanCluster *random_cluster (GobanRng *rng, guint n_devices) G_GNUC_WARN_UNUSED_RESULT;
GobanPlan *random_plan (const GobanCostModel *costs, GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
/* Joins nodes, most of them neighbours, wherever that is legal. */
void fuse_at_random (GobanPlan *plan, GobanCostModel *costs, GobanRng *rng);

typedef struct
{
  double time_factor;     /* of op times and given transfer times; 0: 1 */
  GobanRng *kinds;        /* (nullable) gives new times per kind of device, some infinite */
  GobanRng *works;        /* (nullable) gives new ops, and takes the times of half of them away */
  const guint32 *shuffle; /* (nullable) (n_nodes) the order in which nodes are added */
} Rebuild;

/* The same graph again, but for @how; node_ids (out) (optional) (transfer full) maps old to new.
 * (transfer full) */
GobanGraph *rebuild_graph (const GobanGraph *graph, const Rebuild *how,
                           GobanNodeId **node_ids) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RandomRun, random_run_clear)
