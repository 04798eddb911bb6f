/* bench-clock.h: what benchmarks measure by: the processor time of their own thread, so that a busy
 * machine disturbs them as little as it can.
 */
#pragma once

#include <time.h>

static inline double
cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}
