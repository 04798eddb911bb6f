/* regal-lessons.h: small random graphs for training REGAL's network, in any number.
 *
 * Lesson number n of a seed is always the same: a random task graph, a random training step (layers
 * forward, the same backward, updates), a workload of one node per layer, or one of single ops cut
 * down to a step or two; on a cluster of two to eight devices. Ten to some seven hundred nodes.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): %NULL with an error of the workloads' or the clusters' set */
GobanCostModel *goban_regal_lesson_new (guint64 seed, guint n,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
