/* executor.h: execution of a model in segments on pinned threads, a thread per device.
 *
 * Each segment is a session of ONNX Runtime. A thread runs the segments of its device in their
 * order; before one that reads from other devices it spins until those segments have finished.
 * Tensors are handed over in memory, without copies. All threads begin a run together.
 *
 * One thread makes, uses and frees an executor.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/measure/model-parts.h"
#include "engine/study/measure/ort.h"
#include "engine/study/run/run.h"

/* Runs of consecutive nodes of a device, which a plan is executed by.
 *
 * A device runs its nodes in the order of the simulated run. A segment ends before a node that
 * reads a tensor of another device, and after a node that another device reads: so a segment waits
 * only before its first node, and hands over only after its last. Segments are numbered in an
 * order in which every one follows all that it waits for.
 */

typedef struct
{
  GobanDeviceId device;
  guint first; /* of the nodes, and of the ops that it waits for */
  guint n;
  guint first_wait;
  guint n_waits;
} GobanSegment;

typedef struct _GobanSegments
{
  GobanSegment *segments;
  guint n;
  guint n_devices;
  GobanNodeId *nodes;  /* (n_nodes) segment by segment, in the order of execution */
  guint32 *waits;      /* segments of other devices, by segment */
  guint32 *segment_of; /* (n_nodes) */
  guint n_hand_overs;  /* pairs of segments of different devices, one waiting for the other */
} GobanSegments;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set if the run could not start or
 * if its plan makes kernels of several nodes */
GobanSegments *goban_segments_new (GobanRun *run, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* All nodes on one device, in one segment. (transfer full) */
GobanSegments *goban_segments_new_single (const GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
void goban_segments_free (GobanSegments *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSegments, goban_segments_free)

typedef struct _GobanExecutor GobanExecutor;

/* Microseconds from the beginning of a run. */
typedef struct
{
  double start_us; /* end of the op that it waited for */
  double finish_us;
  double own_us; /* processor time of its thread, without the time that others used the core */
} GobanSegmentSpan;

typedef struct
{
  const char *profile_folder; /* (nullable): an existing folder; profiles slow kernels a little */
  const GobanProgress *progress; /* (nullable) */
} GobanExecutorOptions;

/**
 * goban_executor_new:
 * @ort, @parts, @segments: borrowed as long as the executor lives
 *
 * Makes the sessions and runs each once, in the calling thread.
 *
 * Returns: (transfer full) (nullable): %NULL with @error set, which names the nodes that cannot be
 *   run
 */
GobanExecutor *goban_executor_new (GobanOrt *ort, GobanModelParts *parts,
                                   const GobanSegments *segments,
                                   const GobanExecutorOptions *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_executor_free (GobanExecutor *self);

/**
 * goban_executor_run:
 * @cpus: (n_devices): the processor of each device
 * @n_runs: one after the other
 * @spans: (n_runs x n_segments): filled
 */
gboolean goban_executor_run (GobanExecutor *self, const guint *cpus, guint n_runs,
                             GobanSegmentSpan *spans, GError **error);

/**
 * goban_executor_end_profiles:
 * @n_skipped: first runs that do not count, the one of goban_executor_new() among them
 *
 * Returns: (transfer full) (nullable): (n_nodes) kernel times of each node as a #GArray of double,
 *   one per run; %NULL with @error set
 */
GPtrArray *goban_executor_end_profiles (GobanExecutor *self, guint n_skipped,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanExecutor, goban_executor_free)
