/* fused-ranks.h: upward ranks of a plan whose kernels are fused: of its contraction, not of its
 * nodes.
 *
 * Kernels take a third less than their members one by one, tensors within them nothing: ranks of
 * nodes (engine/placers/placed-ranks.h) put what is fused too early. Keeps its memory from plan to
 * plan. One thread at a time.
 */
#pragma once

#include "engine/plan/plan.h"

G_BEGIN_DECLS

typedef struct _GobanFusedRanks GobanFusedRanks;

GobanFusedRanks *goban_fused_ranks_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_fused_ranks_free (GobanFusedRanks *self);

/* ranks_us (n_nodes): of each node's kernel, the longest path from its start to the end, by its
 * time on its device and transfers without contention. O(N + E). @plan must pass
 * goban_fusion_check(). */
void goban_fused_ranks_fill (GobanFusedRanks *self, const GobanPlan *plan, double *ranks_us);

/* How long all kernels of @plan take together. */
double goban_fused_ranks_get_work_us (GobanFusedRanks *self, const GobanPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFusedRanks, goban_fused_ranks_free)

G_END_DECLS
