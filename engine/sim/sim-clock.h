/* sim-clock.h: when each of a fixed number of slots finishes what it is doing.
 *
 * Private to engine/sim. A slot is a device or a send channel, so there are few, and each
 * has one time: INFINITY when idle. A tree of minima over them answers "what is next" at its
 * root and is mended on one path without a branch to mispredict.
 */
#pragma once

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

typedef struct
{
  double *min_us; /* (2 n) heap-shaped: the root is 1, slot i is n + i */
  guint n;        /* a power of two */
} SimClock;

static inline void
sim_clock_init (SimClock *self, guint n_slots)
{
  self->n = 1;
  while (self->n < n_slots)
    self->n *= 2;
  self->min_us = g_new (double, 2 * (gsize) self->n);
}

static inline void
sim_clock_reset (SimClock *self)
{
  for (gsize i = 0; i < 2 * (gsize) self->n; i++)
    self->min_us[i] = INFINITY;
}

static inline double
sim_clock_next (const SimClock *self)
{
  return self->min_us[1];
}

static inline void
sim_clock_set (SimClock *self, guint slot, double time_us)
{
  double *min_us = self->min_us;
  guint i = self->n + slot;

  min_us[i] = time_us;
  while (i > 1)
    {
      double left = min_us[i & ~1u];
      double right = min_us[i | 1u];

      i /= 2;
      min_us[i] = left < right ? left : right;
    }
}

/* Which slot is next; the lowest of those at the same time. */
static inline guint
sim_clock_first (const SimClock *self)
{
  double next_us = self->min_us[1];
  guint i = 1;

  while (i < self->n)
    i = 2 * i + (self->min_us[2 * i] != next_us);
  return i - self->n;
}

G_END_DECLS
