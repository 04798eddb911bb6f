/* bench-clock.h: timing for benchmarks: processor time of the own thread, the median of several
 * runs, and memory use.
 *
 * Processor time keeps the influence of other programs on a busy machine small.
 */
#pragma once

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double
read_clock_ms (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

static inline double
cpu_ms (void)
{
  return read_clock_ms (CLOCK_THREAD_CPUTIME_ID);
}

/* Of all threads together. */
static inline double
process_ms (void)
{
  return read_clock_ms (CLOCK_PROCESS_CPUTIME_ID);
}

/* What people wait for; other programs lengthen it. */
static inline double
wall_ms (void)
{
  return read_clock_ms (CLOCK_MONOTONIC);
}

static inline int
compare_ms (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Sorts them: times_ms[0] is the least from then on. */
static inline double
median_ms (double *times_ms, size_t n)
{
  qsort (times_ms, n, sizeof *times_ms, compare_ms);
  return times_ms[n / 2];
}

/* In MB, and /proc has KiB: "VmRSS" of the process's status now, "VmHWM" at most. */
static inline double
memory_mb (const char *path, const char *key)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  at = strstr (text, key);
  return at != NULL ? g_ascii_strtod (at + strlen (key) + 1, NULL) * 1.024e-3 : 0;
}
