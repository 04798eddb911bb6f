/* contraction.h: contraction of a fused plan: its graph with every cluster merged into one op.
 *
 * Ops are numbered by their lowest node, so that ties by op are ties by node; they are not in
 * topological order. A tensor that only its own cluster reads is gone, and so is every edge within
 * a cluster. Tensors are in the order of their ops, then of their ids.
 *
 * The time of a fused op, with sums over its members in order of id. Traffic is saved by tensors
 * that never leave the cluster: their one write and each read, in whole bytes. What their
 * producer writes and their readers read is all that can be saved of it.
 *
 *   estimated members:   E = max (sum of flops / peak, (sum of read + written - saved) / bandwidth)
 *   members with times:  G = sum of times - sum of all launches but one - saved / bandwidth,
 *                        at least the longest of them
 *
 * where a launch is at most what its member takes, and the longest member keeps its own. The time
 * is E + launch, or G, or E + the larger of launch and G where there are both, since times that
 * were measured have their launch in them. Estimated members that cost nothing have no launch. So a
 * fused op takes at most as long as its members one by one, and at least as long as the arithmetic
 * of those estimated and the longest of the others.
 *
 * Keeps its memory from plan to plan. One thread at a time.
 *
 * Decision E18 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/plan.h"
#include "engine/sim/fusion/fusion-rules.h"

/* Result as flat arrays; owned by the contraction, valid until it is filled again. */
typedef struct
{
  guint n_ops;
  guint n_tensors;
  guint n_edges;
  guint32 *op_of;        /* (n_nodes) */
  guint32 *first_member; /* (n_ops + 1) */
  GobanNodeId *member;   /* (n_nodes) by op, ascending */
  GobanDeviceId *device; /* (n_ops) */
  gint32 *priority;      /* (n_ops) the highest of the members */
  double *time_us;       /* (n_ops) on its device */
  double *param_bytes;   /* (n_ops) whole bytes */
  double *output_bytes;  /* (n_ops) whole bytes of the tensors that leave */
  guint32 *first_tensor; /* (n_ops + 1) */
  GobanTensorId *tensor; /* (n_tensors) the graph's id */
  guint32 *tensor_op;    /* (n_tensors) its producer */
  guint32 *first_edge;   /* (n_tensors + 1) */
  guint32 *edge_head;    /* (n_edges) ops; one that reads a tensor twice occurs twice */
  guint32 *first_input;  /* (n_ops + 1) */
  guint32 *edge_input;   /* (n_edges) index of the edge among all inputs */
  double saved_bytes;    /* traffic of all tensors that never leave their cluster */
} GobanContracted;

typedef struct _GobanContraction GobanContraction;

GobanContraction *goban_contraction_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_contraction_free (GobanContraction *self);

/* O(N + E), no allocation. @plan must be for the costs' graph and cluster. Members of a cluster
 * on different devices count as on the device of the lowest: goban_contraction_check() first. */
const GobanContracted *goban_contraction_fill (GobanContraction *self, const GobanPlan *plan);

/* TRUE if the ops filled last can all run; order (n_ops) is then a topological order of them.
 * FALSE if clusters wait for each other; order then begins with the *n ops (optional) that can
 * run. */
gboolean goban_contraction_sort (GobanContraction *self, guint32 *order, guint *n);

/**
 * goban_contraction_check:
 *
 * @plan must pass goban_plan_check(). Fills the contraction.
 *
 * Returns: %TRUE if every cluster keeps the rules of fusion-rules.h; else %FALSE with
 *   %GOBAN_ERROR_INVALID set, naming the nodes at fault
 */
gboolean goban_contraction_check (GobanContraction *self, const GobanPlan *plan, GError **error);

/* goban_contraction_check() with a temporary contraction. */
gboolean goban_fusion_check (const GobanPlan *plan, GobanCostModel *costs, GError **error);

/* Dissolves clusters whose members are no longer all on one device; as a whole, because the rest of
 * a cluster might wait for itself. Returns the number of freed nodes. */
guint goban_fusion_dissolve_split (GobanPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanContraction, goban_contraction_free)
