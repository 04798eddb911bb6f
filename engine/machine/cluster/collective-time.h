/* collective-time.h: times of collective operations by the formulas of their algorithms.
 *
 * Every step takes as long as the slowest of its routes; steps do not wait for other traffic. In a
 * cluster where a device stands for many ranks (fold.h), its link to a group has the figures of a
 * step. The algorithms are those of engine/machine/parallel/collective.h.
 */
#pragma once

#include "engine/graph/collectives.h"
#include "engine/machine/cluster/cluster.h"

typedef struct
{
  GobanCollectiveKind kind;
  gboolean is_tree; /* of all-reduce */
  double bytes;
  const GobanLink *link; /* (nullable): of every step, in place of the routes between devices */
} GobanCollectiveLoad;

/* @devices: (n_ranks), the ranks in their order, unless @load has a link. 0 for a single one. */
double goban_cluster_get_collective_us (const GobanCluster *cluster, const GobanDeviceId *devices,
                                        guint n_ranks, const GobanCollectiveLoad *load);
