/* fusion.h: fusion executors: turn fusion decisions into the clusters of a plan.
 *
 * Both keep the rules of fusion-rules.h and read the devices of the plan, so fuse after placing.
 * A plan is a partition of its nodes: a node runs in one kernel. XLA may also copy a cheap
 * producer into each of its consumers; that cannot be said here, and is not done by either.
 *
 * A fuser keeps its memory from plan to plan. One thread at a time.
 *
 * Decision E17 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/plan.h"

typedef struct _GobanFuser GobanFuser;

GobanFuser *goban_fuser_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_fuser_free (GobanFuser *self);

/* Both write the fusion number of every node: the lowest id of its cluster, GOBAN_NO_FUSION for a
 * single node. The plan's proof is dropped. Both return the number of clusters of two nodes and
 * more. */

/**
 * goban_fuser_fuse_default:
 *
 * The baseline: InstructionFusion of XLA:GPU as it was in 2020. Consumers are visited in reverse
 * topological order; each takes its producers in, in order of its inputs, and then theirs. A
 * producer is taken in if the cluster stays legal and
 *
 *   - all its consumers are in the cluster, control edges included: else it would have to run
 *     twice. So no cycle can arise, and none is looked for;
 *   - it is no reduction: a kernel of XLA ends with one;
 *   - it is not heavy where a consumer reads elements many times (a broadcast, or a heavy op).
 *
 * XLA proper leaves matrix products and convolutions to libraries; here they may take in what
 * follows element by element, as in the other executor, so that neither has an advantage.
 *
 * O(N + E).
 */
guint goban_fuser_fuse_default (GobanFuser *self, GobanPlan *plan);

/**
 * goban_fuser_fuse_by_priority:
 * @priorities: (array length=n_nodes): a level per node
 *
 * GO's executor. Nodes are visited from the highest priority to the lowest, ties by id. The one
 * visited is fused with all its consumers on its device, or with none if that is not
 * legal; with them comes what they are fused with already. Consumers on other devices get
 * its tensor as before; control edges make no consumer. A node of level 0 or less is left alone:
 * neither visited nor fused with by others.
 *
 * O(N + E), with a factor that depends on how far consumers are apart.
 */
guint goban_fuser_fuse_by_priority (GobanFuser *self, GobanPlan *plan, const gint32 *priorities);

/* By priority: whether a node that may not be fused with all its consumers is fused, in a second
 * pass, with each of those that it may be fused with. That saves launches, but no traffic. FALSE at
 * first, as GO. */
void goban_fuser_set_pairs (GobanFuser *self, gboolean has_pairs);

/* The same with a fuser of its own. */
guint goban_fusion_default (GobanCostModel *costs, GobanPlan *plan);
guint goban_fusion_by_priority (GobanCostModel *costs, GobanPlan *plan, const gint32 *priorities);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFuser, goban_fuser_free)
