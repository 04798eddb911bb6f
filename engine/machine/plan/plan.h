/* plan.h: one decision per node: a device, a scheduling priority and a fusion choice.
 *
 * A plan is about one graph (by its hash) and as many devices as the cluster had. Its maker writes
 * it; once it is shared it must not be changed: copy it to edit. Reference-counted.
 *
 * Priorities: the highest runs first, ties by node id. A transfer has the priority of its
 * most urgent consumer, unless the plan gives its tensor one of its own. Fusion: nodes of
 * the same non-negative number run as one kernel; engine/sim/fusion says which may, and the
 * simulator refuses the others.
 *
 * Decision E5 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"

#define GOBAN_NO_FUSION (-1)

/* Order in which a device takes its ready ops, and a channel its waiting transfers. */
typedef enum
{
  GOBAN_ORDER_FIFO,     /* the one that became ready first; ties by node id */
  GOBAN_ORDER_PRIORITY, /* the highest priority; ties by node id */
} GobanOrder;

typedef struct _GobanPlan GobanPlan;

/* All nodes on device 0, priority 0, unfused, FIFO order. */
GobanPlan *goban_plan_new (const GobanGraph *graph, guint n_devices) G_GNUC_WARN_UNUSED_RESULT;
GobanPlan *goban_plan_copy (const GobanPlan *self) G_GNUC_WARN_UNUSED_RESULT;
GobanPlan *goban_plan_ref (GobanPlan *self);
void goban_plan_unref (GobanPlan *self);

guint goban_plan_get_n_nodes (const GobanPlan *self);
guint goban_plan_get_n_tensors (const GobanPlan *self);
guint goban_plan_get_n_devices (const GobanPlan *self);
guint64 goban_plan_get_graph_hash (const GobanPlan *self);

/* Arrays of n_nodes, borrowed. */
const GobanDeviceId *goban_plan_get_devices (const GobanPlan *self);
const gint32 *goban_plan_get_priorities (const GobanPlan *self);
const gint32 *goban_plan_get_fusions (const GobanPlan *self);

GobanDeviceId goban_plan_get_device (const GobanPlan *self, GobanNodeId node);
gint32 goban_plan_get_priority (const GobanPlan *self, GobanNodeId node);

void goban_plan_set_device (GobanPlan *self, GobanNodeId node, GobanDeviceId device);
void goban_plan_set_priority (GobanPlan *self, GobanNodeId node, gint32 priority);
void goban_plan_set_fusion (GobanPlan *self, GobanNodeId node, gint32 fusion);
/* TRUE if some node has a fusion number. */
gboolean goban_plan_is_fused (const GobanPlan *self);

/* Sets every priority to the rank of keys[node] among all: the largest key gets the highest
 * priority, equal keys favour the lower id. Priorities become 0..n_nodes-1. */
void goban_plan_set_priorities_by_key (GobanPlan *self, const double *keys);

/* (n_tensors) borrowed, or %NULL if transfers have their consumers' priorities. */
const gint32 *goban_plan_get_transfer_priorities (const GobanPlan *self);
/* (n_tensors) copied; %NULL restores the consumers' priorities. */
void goban_plan_set_transfer_priorities (GobanPlan *self, const gint32 *priorities);

/* Lower bound of the makespan of every plan without fusion, proven by the maker of this plan; 0 if
 * there is none, or if it was proven of other times, another cluster or another execution model
 * than those of @costs. A plan that reaches its bound is optimal among plans, not among all
 * schedules, because the simulator lets no device wait that has ready work. */
double goban_plan_get_proven_bound_us (const GobanPlan *self, const GobanCostModel *costs);
/* Keeps the bound with the fingerprint of @costs, of which it was proven. (NULL, 0): nothing is
 * proven of this plan any more, for example because it has kernels. */
void goban_plan_set_proven_bound_us (GobanPlan *self, const GobanCostModel *costs, double bound_us);

GobanOrder goban_plan_get_order (const GobanPlan *self);
void goban_plan_set_order (GobanPlan *self, GobanOrder order);

/* The policy that made it: "heft", "by hand"; copied, "" at first. */
const char *goban_plan_get_policy (const GobanPlan *self);
void goban_plan_set_policy (GobanPlan *self, const char *policy);

/**
 * goban_plan_check:
 *
 * Returns: %TRUE if the plan is one for @costs' graph and cluster, every node can run on its
 *   device and every colocation group has one device; else %FALSE with %GOBAN_ERROR_INVALID set,
 *   naming the first node at fault
 */
gboolean goban_plan_check (const GobanPlan *self, const GobanCostModel *costs, GError **error);

/* --- files ------------------------------------------------------------------------------ */

/* JSON by node and device names, one line per node, so that plans can be compared as text. */
gboolean goban_plan_save (const GobanPlan *self, const GobanCostModel *costs, const char *path,
                          GError **error);

/* Identifies the subject of a proof: the graph, given times, the cluster and the execution model.
 * (transfer full) */
char *goban_plan_make_fingerprint (const GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO, %GOBAN_ERROR_PARSE (path:line) or
 * %GOBAN_ERROR_INVALID (a node or device the graph or cluster lacks, a node left out). */
GobanPlan *goban_plan_load (const char *path, const GobanCostModel *costs,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the plan at @path can be read and is for the nodes of @graph, by their names. */
gboolean goban_plan_file_fits (const char *path, const GobanGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlan, goban_plan_unref)
