/* fused-ranks.h: upward ranks of a fused plan, computed on its kernels instead of its nodes.
 *
 * A kernel takes a third less time than its members one by one, and tensors within it are free.
 * Ranks of single nodes (engine/placers/placed-ranks.h) ignore that and run fused ops too early.
 * Keeps its memory from plan to plan. One thread at a time.
 */
#pragma once

#include "engine/machine/plan/plan.h"

G_BEGIN_DECLS

typedef struct _GobanFusedRanks GobanFusedRanks;

GobanFusedRanks *goban_fused_ranks_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_fused_ranks_free (GobanFusedRanks *self);

/* ranks_us (n_nodes): the longest path from the start of each node's kernel to the end, with times
 * on the plan's devices and transfers without contention. O(N + E). @plan must pass
 * goban_fusion_check(). */
void goban_fused_ranks_fill (GobanFusedRanks *self, const GobanPlan *plan, double *ranks_us);

/* Total time of all kernels of @plan. */
double goban_fused_ranks_get_work_us (GobanFusedRanks *self, const GobanPlan *plan);

/* Writes the time of each op's kernel over that of its members one by one to shares (n_nodes); 1
 * for kernels that take no time. */
void goban_fused_ranks_fill_shares (GobanFusedRanks *self, const GobanPlan *plan, double *shares);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFusedRanks, goban_fused_ranks_free)

G_END_DECLS
