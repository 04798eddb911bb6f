#include "engine/study/measure/timing.h"

#include "engine/core/error.h"
#include "engine/core/file.h"

#include <math.h>
#include <string.h>

/* Runs that warm up caches and arenas, and do not count. */
#define N_WARM_UPS 2
#define LEAST_RUNS 3
/* Between two looks whether the user stops it. */
#define BATCH_US 250e3
/* Rounds of runs, at most, until their times do not change any more; fewer runs than that show
 * nothing about it. */
#define MOST_ROUNDS 4
#define LEAST_SETTLING 8

typedef struct
{
  const GobanSegments *segments;
  const GobanTimingOptions *options;
  GobanExecutor *executor;
  GobanSegmentSpan *spans; /* (n_runs x n_segments) */
  guint n_runs;            /* so far */
} Repeats;

/* From the start of the first segment, so that the meeting of the threads does not count. */
static double
find_makespan (const GobanSegmentSpan *spans, guint n)
{
  double first_us = INFINITY, last_us = 0;

  for (guint s = 0; s < n; s++)
    {
      first_us = MIN (first_us, spans[s].start_us);
      last_us = MAX (last_us, spans[s].finish_us);
    }
  return n > 0 ? last_us - first_us : 0;
}

/* Two warm-ups say how long a run lasts, and so how many there can be. */
static gboolean
warm_up (Repeats *self, guint *n_asked, GError **error)
{
  guint n = self->segments->n;
  double span_us;

  self->spans = g_renew (GobanSegmentSpan, self->spans, (gsize) N_WARM_UPS * n + 1);
  if (!goban_executor_run (self->executor, self->options->cpus, N_WARM_UPS, self->spans, error))
    return FALSE;
  span_us = MAX (find_makespan (self->spans + (gsize) (N_WARM_UPS - 1) * n, n), 1);
  *n_asked = (guint) CLAMP (self->options->most_us / span_us, LEAST_RUNS,
                            MAX (self->options->n_runs, LEAST_RUNS));
  self->n_runs = 0;
  return TRUE;
}

void
goban_timing_replay (const GobanSegments *segments, GobanSegmentSpan *spans)
{
  g_autofree double *free_us = g_new0 (double, segments->n_devices + 1);

  /* A segment's number is higher than those of all that it waits for. */
  for (guint32 s = 0; s < segments->n; s++)
    {
      const GobanSegment *segment = &segments->segments[s];
      double start_us = free_us[segment->device];

      for (guint i = 0; i < segment->n_waits; i++)
        start_us = MAX (start_us, spans[segments->waits[segment->first_wait + i]].finish_us);
      spans[s].start_us = start_us;
      spans[s].finish_us = free_us[segment->device] = start_us + spans[s].own_us;
    }
}

static gboolean
run_round (Repeats *self, guint n_asked, GError **error)
{
  guint n = self->segments->n, end = self->n_runs + n_asked, batch = 1;

  self->spans = g_renew (GobanSegmentSpan, self->spans, (gsize) end * n + 1);
  for (guint i = self->n_runs; i < end; i += batch)
    {
      double span_us = i > 0 ? find_makespan (self->spans + (gsize) (i - 1) * n, n) : BATCH_US;

      batch = (guint) CLAMP (BATCH_US / MAX (span_us, 1), 1, end - i);
      if (!goban_progress_check (self->options->progress, error)
          || !goban_executor_run (self->executor, self->options->cpus, batch,
                                  self->spans + (gsize) i * n, error))
        return FALSE;
    }
  for (guint i = self->n_runs; self->options->is_own_time && i < end; i++)
    goban_timing_replay (self->segments, self->spans + (gsize) i * n);
  self->n_runs = end;
  return TRUE;
}

/* (transfer full): (n_runs) */
static double *
list_makespans (const Repeats *self)
{
  guint n = self->segments->n;
  double *makespans_us = g_new (double, self->n_runs + 1);

  for (guint i = 0; i < self->n_runs; i++)
    makespans_us[i] = find_makespan (self->spans + (gsize) i * n, n);
  return makespans_us;
}

static gboolean
has_time_for (const double *makespans_us, guint n_runs, guint n_more, double most_us)
{
  double sum_us = 0;

  for (guint i = 0; i < n_runs; i++)
    sum_us += makespans_us[i];
  return sum_us / n_runs * (n_runs + n_more) <= most_us;
}

/* A processor that has just woken up is slower, so that more rounds follow one whose second half
 * differs from the first. */
static gboolean
repeat (Repeats *self, guint most_rounds, GError **error)
{
  guint n_asked;

  if (!warm_up (self, &n_asked, error))
    return FALSE;
  for (guint round = 0; round < most_rounds; round++)
    {
      g_autofree double *makespans_us = NULL;

      if (!run_round (self, n_asked, error))
        return FALSE;
      makespans_us = list_makespans (self);
      if (n_asked < LEAST_SETTLING || goban_spread_is_settled (makespans_us, self->n_runs)
          || !has_time_for (makespans_us, self->n_runs, n_asked, self->options->most_us))
        break;
    }
  return TRUE;
}

/* The run whose makespan is nearest to the median. */
static guint
find_typical (const GobanTiming *self)
{
  guint best = 0;

  for (guint i = 1; i < self->n_runs; i++)
    if (fabs (self->makespans_us[i] - self->makespan_us.median)
        < fabs (self->makespans_us[best] - self->makespan_us.median))
      best = i;
  return best;
}

static void
take_makespans (GobanTiming *self, const Repeats *repeats)
{
  guint n = repeats->segments->n;
  const GobanSegmentSpan *typical;

  self->n_runs = repeats->n_runs;
  self->n_segments = n;
  self->makespans_us = list_makespans (repeats);
  self->makespan_us = goban_spread_new (self->makespans_us, self->n_runs);
  typical = repeats->spans + (gsize) find_typical (self) * n;
  self->spans = g_memdup2 (typical, n * sizeof *typical);
}

static gboolean
time_segments (GobanTiming *self, GobanOrt *ort, GobanModelParts *parts, Repeats *repeats,
               GError **error)
{
  GobanExecutorOptions options = { .progress = repeats->options->progress };
  g_autoptr (GobanExecutor) executor
      = goban_executor_new (ort, parts, repeats->segments, &options, error);

  repeats->executor = executor;
  if (executor == NULL || !repeat (repeats, MOST_ROUNDS, error))
    return FALSE;
  take_makespans (self, repeats);
  return TRUE;
}

static double
find_least (const GArray *values)
{
  double least = INFINITY;

  for (guint i = 0; i < values->len; i++)
    least = MIN (least, g_array_index (values, double, i));
  return least;
}

static void
take_kernels (GobanTiming *self, GPtrArray *times, gboolean is_own_time)
{
  self->kernels_us = g_new (GobanSpread, times->len + 1);
  for (guint v = 0; v < times->len; v++)
    {
      const GArray *own = g_ptr_array_index (times, v);

      self->kernels_us[v]
          = own->len > 0 ? goban_spread_new ((const double *) (const void *) own->data, own->len)
                         : (GobanSpread){ .median = NAN, .low = NAN, .high = NAN };
      if (is_own_time && own->len > 0)
        self->kernels_us[v].median = self->kernels_us[v].low = find_least (own);
    }
}

static gboolean
time_kernels (GobanTiming *self, GobanOrt *ort, GobanModelParts *parts, Repeats *repeats,
              GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *folder = g_dir_make_tmp ("goban-measure-XXXXXX", &reason);
  GobanExecutorOptions options = { .progress = repeats->options->progress };
  g_autoptr (GobanExecutor) executor = NULL;
  g_autoptr (GPtrArray) times = NULL;
  gboolean ok;

  if (folder == NULL)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: profiles cannot be written there: %s",
                         g_get_tmp_dir (), reason->message);
  options.profile_folder = folder;
  executor = goban_executor_new (ort, parts, repeats->segments, &options, error);
  repeats->executor = executor;
  ok = executor != NULL && repeat (repeats, 1, error);
  if (ok)
    times = goban_executor_end_profiles (executor, 1 + N_WARM_UPS, error);
  /* Sessions that failed write their profiles when they are freed. */
  g_clear_pointer (&executor, goban_executor_free);
  goban_file_remove_folder (folder);
  if (times == NULL)
    return FALSE;
  take_kernels (self, times, repeats->options->is_own_time);
  return TRUE;
}

GobanTiming *
goban_timing_new (GobanOrt *ort, GobanModelParts *parts, const GobanSegments *segments,
                  const GobanTimingOptions *options, GError **error)
{
  g_autoptr (GobanTiming) self = g_new0 (GobanTiming, 1);
  Repeats repeats = { .segments = segments, .options = options };
  gboolean ok = time_segments (self, ort, parts, &repeats, error)
                && (!options->has_kernels || time_kernels (self, ort, parts, &repeats, error));

  g_free (repeats.spans);
  return ok ? g_steal_pointer (&self) : NULL;
}

void
goban_timing_free (GobanTiming *self)
{
  g_free (self->makespans_us);
  g_free (self->spans);
  g_free (self->kernels_us);
  g_free (self);
}
