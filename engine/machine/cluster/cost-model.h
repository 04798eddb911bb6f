/* cost-model.h: cost model: the time of every op on every device and of every tensor on every
 * route.
 *
 * Binds a graph to a cluster. Immutable and reference-counted, holding references to both. Measured
 * times of the graph are used on devices of their kind (or of any, for "*"). If a node has times,
 * but none for a device's kind, its smallest time is scaled by the peak FLOP rates of the two
 * kinds. Otherwise the roofline estimates, as in Williams, Waterman and Patterson (2009):
 *
 *   time = max (flops / (compute_efficiency x peak),
 *               (read + written) / (memory_efficiency x bandwidth)) + launch
 *
 * with the peak of the type of its first output of numbers. A node without FLOPs and bytes costs
 * nothing, not even its launch. A collective operation without a time takes that of the device's
 * link to its group or, where there is none, of the links between all devices but CPUs
 * (collective-time.h).
 *
 * Decisions E44 and E46 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/graph.h"
#include "engine/machine/cluster/cluster.h"

typedef struct _GobanCostModel GobanCostModel;

/* How plans are executed, by the rules of engine/sim/simulator.h. */
typedef enum
{
  GOBAN_EXECUTION_EVENTS,          /* contention on channels and links of the cluster */
  GOBAN_EXECUTION_CONTENTION_FREE, /* transfers never wait for each other */
} GobanExecution;

GobanCostModel *goban_cost_model_new (GobanGraph *graph, GobanCluster *cluster,
                                      GobanExecution execution) G_GNUC_WARN_UNUSED_RESULT;
/* The same costs, but each of @nodes (n) can run only on its device of devices (n); all policies
 * respect that. Its cluster has a class for each device; otherwise plans cost the same as on
 * @costs. */
GobanCostModel *
goban_cost_model_new_pinned (const GobanCostModel *costs, const GobanNodeId *nodes, guint n,
                             const GobanDeviceId *devices) G_GNUC_WARN_UNUSED_RESULT;
GobanCostModel *goban_cost_model_ref (GobanCostModel *self);
void goban_cost_model_unref (GobanCostModel *self);

GobanGraph *goban_cost_model_get_graph (const GobanCostModel *self);
GobanCluster *goban_cost_model_get_cluster (const GobanCostModel *self);
GobanExecution goban_cost_model_get_execution (const GobanCostModel *self);
gboolean goban_cost_model_is_contention_free (const GobanCostModel *self);

/* "events", "contention-free", in the order of the numbers. */
const char *goban_execution_get_name (GobanExecution execution);
/* FALSE with %GOBAN_ERROR_INVALID set, whose message lists the names. */
gboolean goban_execution_from_name (const char *name, GobanExecution *execution, GError **error);

/* INFINITY if the node cannot run on that device. */
double goban_cost_model_time_us (const GobanCostModel *self, GobanNodeId node,
                                 GobanDeviceId device);
/* Row (n_classes) of the node: the time on each class of devices. Borrowed. */
const double *goban_cost_model_times_us (const GobanCostModel *self, GobanNodeId node);
GobanSource goban_cost_model_get_source (const GobanCostModel *self, GobanNodeId node,
                                         GobanDeviceId device);

gboolean goban_cost_model_can_run (const GobanCostModel *self, GobanNodeId node,
                                   GobanDeviceId device);

/* 0 on the same device; a time given with the graph; else latency + bytes / bandwidth of the
 * route. */
double goban_cost_model_transfer_us (const GobanCostModel *self, GobanTensorId tensor,
                                     GobanDeviceId from, GobanDeviceId to);

/* The type whose peak an estimate of the node uses: that of its first output that says one. */
GobanPeak goban_node_get_peak (const GobanGraph *graph, GobanNodeId node);
/* That peak of the device, in FLOPs per microsecond, whatever share of it is reached. */
double goban_cost_model_get_peak_flops (const GobanCostModel *self, GobanNodeId node,
                                        GobanDeviceId device);

/* w (n_nodes): the mean time over the devices that can run each node, as in HEFT; INFINITY for a
 * node that no device can run. */
void goban_cost_model_mean_times (const GobanCostModel *self, double *w);
/* w (n_nodes): the least time over the devices. */
void goban_cost_model_min_times (const GobanCostModel *self, double *w);
/* c (n_tensors): the mean transfer time over ordered pairs of different devices. */
void goban_cost_model_mean_transfers (const GobanCostModel *self, double *c);

/* Resident from start to end: parameters of a node. */
double goban_cost_model_param_bytes (const GobanCostModel *self, GobanNodeId node);

/* Sum of the devices' memory. */
double goban_cost_model_total_memory (const GobanCostModel *self);

/**
 * goban_cluster_check_times:
 * @warning: (out) (transfer full) (nullable): a sentence about times that are estimated, and about
 *   transfers that cost nothing because the graph gives them for other kinds of devices; %NULL if
 *   all devices are of kinds that the graph has times for
 *
 * Finds devices of kinds that the graph has no times for. A user interface that lets
 * the user choose a cluster shows the result.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set if times for such a device would be those of
 *   another one, unchanged, because the speed of both is unknown: runs there would be meaningless
 */
gboolean goban_cluster_check_times (const GobanCluster *cluster, const GobanGraph *graph,
                                    char **warning, GError **error);

/* FALSE for a path. */
gboolean goban_cluster_is_description (const char *spec);

/* The cluster that the graph's file names: a preset, equal:N, msr:N or devices:KIND,…
 * (transfer full) (nullable): %NULL without an error if it names none. */
GobanCluster *goban_cluster_new_for_graph (const GobanGraph *graph,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Cached values that other modules derive from a cost model alone: kept with the model, for all
 * threads. Only the owner of a slot uses its type. */
typedef enum
{
  GOBAN_KEPT_BOUNDS,       /* engine/sim: GobanBounds of plans that fuse nothing */
  GOBAN_KEPT_FUSED_BOUNDS, /* and of the others */
  GOBAN_N_KEPT
} GobanKept;

/* (nullable): borrowed. */
gconstpointer goban_cost_model_get_kept (GobanCostModel *self, GobanKept slot);
/* @value: (transfer full), freed by g_free(). If another thread was faster, its value stays.
 * Returns the cached value. */
gconstpointer goban_cost_model_keep (GobanCostModel *self, GobanKept slot, gpointer value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCostModel, goban_cost_model_unref)
