/* clock.h: the system's clocks in whole nanoseconds, those of processor time among them. */
#pragma once

#include <glib.h>
#include <time.h>

static inline gint64
goban_clock_read_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}
