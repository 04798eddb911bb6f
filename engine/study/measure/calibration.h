/* calibration.h: measured costs of a model on the cores of this machine: a graph with times, and a
 * cluster.
 *
 * The whole model runs as one session on one core. An op costs the median of its kernel's times and
 * an equal share of the time between kernels. A device of the cluster is a core, and a link has the
 * latency and bandwidth of a hand-over. Transfers do not wait for each other: they are reads of the
 * same memory.
 *
 * A hand-over is the time from the end of an op on one core to the start of the next one on
 * another. Probes are chains of small ops on tensors of several sizes, run twice: on one core as
 * one session, and from core to core. The difference, per link of the chain, is the end of a
 * session's call, the signal, the beginning of the next call, and the tensor's way from one core's
 * cache to the other's. A line through the sizes gives latency and bandwidth.
 *
 * Decision E61 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"
#include "engine/study/measure/spread.h"

G_BEGIN_DECLS

typedef struct _GobanModelParts GobanModelParts;
typedef struct _GobanOrt GobanOrt;
typedef struct _GobanTimingOptions GobanTimingOptions;

typedef struct
{
  double bytes;
  GobanSpread us; /* per hand-over; less than 0 if it is lost in the noise */
} GobanHandOverProbe;

#define GOBAN_N_HAND_OVER_PROBES 4

typedef struct
{
  GobanHandOverProbe probes[GOBAN_N_HAND_OVER_PROBES];
  double latency_us;
  double bytes_per_us; /* INFINITY if size does not matter */
} GobanHandOver;

typedef struct
{
  guint n_cores;
  guint n_runs;            /* of the whole model on one core */
  GobanSpread single_us;   /* its makespan there */
  double kernels_us;       /* the sum of the medians of its kernels */
  double dispatch_us;      /* between two kernels; 0 if the kernels alone take longer */
  GobanSpread *kernel_us;  /* (n_nodes) NAN for a node without a kernel */
  GobanHandOver hand_over; /* all 0 for one core */
  GobanGraph *graph;       /* a copy of the model's, with times for "cpu" */
  GobanCluster *cluster;   /* "cpu:0", "cpu:1", ... */
  GobanCostModel *costs;   /* of the model's graph with these times, on the cluster */
} GobanCalibration;

/* @options: its cpus are those of the devices, n_cores of them, the first of which runs the model.
 * (transfer full) (nullable): %NULL with @error set */
GobanCalibration *goban_calibration_new (GobanOrt *ort, GobanModelParts *parts, guint n_cores,
                                         const GobanTimingOptions *options,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_calibration_free (GobanCalibration *self);

/* The times of the ops, a line each, in the form of a profile of ONNX Runtime: --costs and
 * g:with_costs() read it, and two of them can be compared as text. (transfer full) */
char *goban_calibration_to_costs (const GobanCalibration *self) G_GNUC_WARN_UNUSED_RESULT;

/* @kernel_us: measured for a node. TRUE if it is within the node's spread; kernels are timed in
 * whole microseconds. */
gboolean goban_calibration_covers (const GobanCalibration *self, GobanNodeId node,
                                   double kernel_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCalibration, goban_calibration_free)

G_END_DECLS
