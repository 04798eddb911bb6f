/* fold.h: a cluster of whose devices each stands for many that do the same at the same time.
 *
 * In a training on tp x dp x pp ranks (tensor, data and pipeline parallelism) the ranks of a stage
 * of the pipeline do the same. Ranks are numbered as Megatron-LM does (Narayanan et al. 2021),
 * rank = (p dp + d) tp + t, over the devices that are not CPUs. The folded cluster has one device
 * a stage, and groups (cluster.h) whose links have the figures of one step of a collective among
 * the ranks that the device stands for:
 *
 *   "tp"   the tp ranks of a stage and a d
 *   "dp"   the dp ranks of a stage and a t
 *   "ep"   ep ranks of those, one behind the other: experts are spread over them
 *   "edp"  the dp / ep ranks that have the same experts
 *   "pp"   a stage and the next one, if sends block
 *
 * Sends that block are nodes of their own, "send" collectives of the group "pp", and links between
 * the devices are free; else those links take the time of sends. A group of one rank is left out.
 *
 * All groups of a kind work at once, each rank sending to the next one of its ring. So a flow has
 * the least of (bandwidth / flows on the link) over the links of its route, times the sender's
 * bus_efficiency, and a step takes as long as the slowest flow of the stage. If every two ranks of
 * a group have a link of their own, n - 1 rings at once use all of them.
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

typedef struct
{
  guint tp; /* each at least 1 */
  guint dp;
  guint pp;
  guint ep;             /* divides dp */
  gboolean sends_block; /* the sender is busy meanwhile */
} GobanFoldShape;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if @whole has not that many
 * devices, or ep does not divide dp. */
GobanCluster *goban_cluster_fold (const GobanCluster *whole, const GobanFoldShape *shape,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
