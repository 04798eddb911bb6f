/* sim-clock.h: finish times of a fixed number of slots, with the earliest one.
 *
 * Private to engine/sim. A slot is a device or a send channel, so there are few, and each has one
 * time: SIM_NEVER_US when idle. Sixteen times are searched at once, without a branch; more slots
 * make a tree whose nodes hold the least of sixteen. Measured at 16 slots: a third of the time of a
 * binary tree, whose levels wait for each other.
 */
#pragma once

#include "engine/sim/sim-units.h"

#define SIM_CLOCK_FAN 16
#define SIM_CLOCK_MAX_LEVELS 4

typedef struct
{
  double *level[SIM_CLOCK_MAX_LEVELS]; /* 0: the slots; each padded to a multiple of FAN */
  guint n_levels;                      /* the last has FAN entries */
  double *all_us;                      /* owns the levels */
  gsize n_all;
} SimClock;

static inline void
sim_clock_init (SimClock *self, guint n_slots)
{
  gsize n[SIM_CLOCK_MAX_LEVELS];
  gsize at = 0;

  n[0] = MAX ((n_slots + SIM_CLOCK_FAN - 1) / SIM_CLOCK_FAN, 1) * (gsize) SIM_CLOCK_FAN;
  self->n_levels = 1;
  while (n[self->n_levels - 1] > SIM_CLOCK_FAN)
    {
      gsize n_groups = n[self->n_levels - 1] / SIM_CLOCK_FAN;

      n[self->n_levels++] = (n_groups + SIM_CLOCK_FAN - 1) / SIM_CLOCK_FAN * SIM_CLOCK_FAN;
    }
  self->n_all = 0;
  for (guint i = 0; i < self->n_levels; i++)
    self->n_all += n[i];
  self->all_us = g_new (double, self->n_all);
  for (guint i = 0; i < self->n_levels; at += n[i++])
    self->level[i] = self->all_us + at;
}

static inline void
sim_clock_reset (SimClock *self)
{
  for (gsize i = 0; i < self->n_all; i++)
    self->all_us[i] = SIM_NEVER_US;
}

static inline double
sim_clock_lesser (double a, double b)
{
  return a < b ? a : b;
}

static inline double
sim_clock_least_of_4 (const double *us)
{
  return sim_clock_lesser (sim_clock_lesser (us[0], us[1]), sim_clock_lesser (us[2], us[3]));
}

static inline double
sim_clock_least (const double *us)
{
  return sim_clock_lesser (
      sim_clock_lesser (sim_clock_least_of_4 (us), sim_clock_least_of_4 (us + 4)),
      sim_clock_lesser (sim_clock_least_of_4 (us + 8), sim_clock_least_of_4 (us + 12)));
}

static inline double
sim_clock_next (const SimClock *self)
{
  return sim_clock_least (self->level[self->n_levels - 1]);
}

static inline void
sim_clock_set (SimClock *self, guint slot, double time_us)
{
  self->level[0][slot] = time_us;
  for (guint i = 1; i < self->n_levels; i++)
    {
      slot /= SIM_CLOCK_FAN;
      self->level[i][slot] = sim_clock_least (self->level[i - 1] + slot * SIM_CLOCK_FAN);
    }
}

typedef guint64 SimTimeBits __attribute__ ((may_alias));

/* A bit for each of the sixteen that is at that time. Times are sums of numbers that are not
 * negative, so equal ones have equal bits. One by one, and not two in a vector: a time that
 * was stored a moment ago goes straight to a load of the same width, a wider one has to
 * wait for the cache; measured 9 % of a run under blocked placement. */
static inline guint
sim_clock_match (const double *us, double time_us)
{
  const SimTimeBits *times = (const SimTimeBits *) us;
  SimTimeBits wanted = *(const SimTimeBits *) &time_us;
  guint low = 0;
  guint high = 0;

  for (gint i = SIM_CLOCK_FAN / 2 - 1; i >= 0; i--)
    {
      low = low * 2 + (times[i] == wanted);
      high = high * 2 + (times[i + SIM_CLOCK_FAN / 2] == wanted);
    }
  return low | high << SIM_CLOCK_FAN / 2;
}

/* Writes the slots with that time, in ascending order; returns their number. */
static inline guint
sim_clock_find (const SimClock *self, double time_us, guint32 *slots)
{
  guint bits[SIM_CLOCK_MAX_LEVELS];
  guint group[SIM_CLOCK_MAX_LEVELS] = { 0 };
  guint top = self->n_levels - 1;
  guint i = top;
  guint n = 0;

  bits[i] = sim_clock_match (self->level[i], time_us);
  if (top == 0)
    {
      for (guint set = bits[0]; set != 0; set &= set - 1)
        slots[n++] = __builtin_ctz (set);
      return n;
    }
  for (;;)
    {
      guint here;

      while (bits[i] == 0)
        if (i++ == top)
          return n;
      here = group[i] * SIM_CLOCK_FAN + __builtin_ctz (bits[i]);
      bits[i] &= bits[i] - 1;
      if (i == 0)
        {
          slots[n++] = here;
          continue;
        }
      i--;
      group[i] = here;
      bits[i] = sim_clock_match (self->level[i] + here * SIM_CLOCK_FAN, time_us);
    }
}
