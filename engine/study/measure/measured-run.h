/* measured-run.h: a plan's run on this machine, laid over its simulated run.
 *
 * Immutable. The measured timeline is that of the repeat whose makespan is the median: segments
 * have the times that they had, and in a segment each node has the median of its kernel's times,
 * with equal pauses between them. It is a recording, too: a graph of its own
 * (engine/io/traces/trace-graph.h) whose simulation by the policy "recorded" repeats it, so that
 * critical path, idle times and comparisons of recordings hold for it.
 */
#pragma once

#include "engine/study/measure/calibration.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

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

G_END_DECLS
