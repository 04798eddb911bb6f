/* measured-run.h: a plan's run on this machine, laid over its simulated run.
 *
 * Immutable. The measured timeline is that of the repeat whose makespan is the median: segments
 * have the times that they had, and in a segment each node has the median of its kernel's times,
 * with equal pauses between them. It is a recording, too: a graph of its own
 * (engine/io/traces/trace-graph.h) whose simulation by the policy "recorded" repeats it, so that
 * critical path, idle times and comparisons of recordings hold for it.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"
#include "engine/study/measure/spread.h"
#include "engine/study/run/run.h"

/* Measured costs of a model on the cores of this machine: a graph with times, and a
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

typedef struct _GobanSegments GobanSegments;
typedef struct _GobanTiming GobanTiming;

/* One node, predicted and measured. */
typedef struct
{
  double predicted_start_us;
  double predicted_us;
  double start_us;
  double measured_us;  /* its kernel and its share of the time between kernels */
  gboolean is_outside; /* its kernel took a time outside of the spread of its calibration */
} GobanMeasuredOp;

typedef struct
{
  GobanRun *predicted;
  GobanMeasuredOp *ops; /* (n_nodes) */
  guint n_runs;
  guint n_segments;
  guint n_hand_overs;
  GobanSpread makespan_us; /* measured */
  double error;            /* (predicted - measured) / measured */
  double median_op_error;  /* of |predicted - measured| / measured, weighted by measured time */
  double inside_share;     /* of the measured time: ops within their spread */
} GobanMeasuredRun;

/* @options: with the processors of the run's devices. (transfer full) (nullable): %NULL with @error
 * set */
GobanMeasuredRun *goban_measured_run_new (GobanOrt *ort, GobanModelParts *parts,
                                          const GobanCalibration *calibration, GobanRun *predicted,
                                          const GobanTimingOptions *options,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_measured_run_free (GobanMeasuredRun *self);

/* The figures of @self from times: @timing with kernels, of @segments. For tests of the arithmetic,
 * too. */
void goban_measured_run_compute (GobanMeasuredRun *self, const GobanCalibration *calibration,
                                 const GobanSegments *segments, const GobanTiming *timing);

/* Nodes whose kernels took a time outside of the spread of their calibration, those first whose
 * time differs most from the prediction. @nodes (most): filled. Returns how many. */
guint goban_measured_run_find_outside (const GobanMeasuredRun *self, GobanNodeId *nodes,
                                       guint most);

/* The measured timeline as a trace for Perfetto and for this program, which reads it as a recorded
 * run; with @has_prediction the simulated one beside it, which then is no recording. (transfer
 * full) */
char *goban_measured_run_to_trace (const GobanMeasuredRun *self,
                                   gboolean has_prediction) G_GNUC_WARN_UNUSED_RESULT;

/* A row per node: name, op, device, predicted and measured start and time, error, inside. (transfer
 * full) */
char *goban_measured_run_to_csv (const GobanMeasuredRun *self) G_GNUC_WARN_UNUSED_RESULT;

/* The measured timeline as a run of the recording's own graph and cluster. (transfer full)
 * (nullable): %NULL with @error set */
GobanRun *goban_measured_run_new_recorded (const GobanMeasuredRun *self,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMeasuredRun, goban_measured_run_free)
