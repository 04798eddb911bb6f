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
#include "engine/study/measure/segments.h"

G_BEGIN_DECLS

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

G_END_DECLS
