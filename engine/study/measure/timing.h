/* timing.h: repeated runs of a model in segments, and the times of its segments and kernels.
 *
 * Runs are repeated in rounds, until the medians of the first and the second half agree, or four
 * times, or as long as there is time.
 *
 * Runs without profiles give the makespans and the times of the segments; profiles of as many more
 * runs give the times of the kernels, which a profile changes little, while it lengthens the pauses
 * between them.
 *
 * On a busy machine both can be told from the threads' own processor times: a run then lasts as
 * long as it would have if each segment had started when its core and its inputs were free, and had
 * taken its own time; of a kernel's times the least counts, because others may have been
 * interrupted.
 */
#pragma once

#include "engine/study/measure/executor.h"
#include "engine/study/measure/spread.h"

typedef struct _GobanTimingOptions
{
  const guint *cpus;             /* (n_devices of the segments) */
  guint n_runs;                  /* of a round, at least three; fewer if they take long */
  double most_us;                /* for all runs of one kind, after which there are no more */
  gboolean is_own_time;          /* processor times, for a busy machine */
  gboolean has_kernels;          /* whether kernels are timed, too */
  const GobanProgress *progress; /* (nullable) */
} GobanTimingOptions;

typedef struct _GobanTiming
{
  guint n_runs;
  double *makespans_us;    /* (n_runs) */
  GobanSpread makespan_us; /* of them */
  GobanSegmentSpan *spans; /* (n_segments) of the run whose makespan is the median */
  guint n_segments;
  GobanSpread *kernels_us; /* (n_nodes), %NULL without profiles; NAN for nodes without a kernel */
} GobanTiming;

/* (transfer full) (nullable): %NULL with @error set */
GobanTiming *goban_timing_new (GobanOrt *ort, GobanModelParts *parts, const GobanSegments *segments,
                               const GobanTimingOptions *options,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_timing_free (GobanTiming *self);

/* Replaces starts and finishes of spans (n_segments) by those that their own times give. */
void goban_timing_replay (const GobanSegments *segments, GobanSegmentSpan *spans);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTiming, goban_timing_free)
