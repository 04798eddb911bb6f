/* sim-clock.h: when each of a fixed number of slots finishes what it is doing.
 *
 * Private to engine/sim. A slot is a device or a send channel, so there are few, and each
 * has one time: SIM_NEVER_US when idle. Sixteen times are searched at once, without a branch; more
 * slots make a tree whose nodes hold the least of sixteen. Measured at 16 slots: a third of the
 * time of a binary tree, whose levels wait for each other.
 */
#pragma once

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

/* INFINITY is a float. */
#define SIM_NEVER_US ((double) INFINITY)

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

typedef double SimPair __attribute__ ((vector_size (16), may_alias));
typedef gint64 SimBits __attribute__ ((vector_size (16)));

/* A bit for each of the sixteen that is at that time. @us is aligned to 16 bytes, as a level is. */
static inline guint
sim_clock_match (const double *us, double time_us)
{
  const SimPair *pair = (const SimPair *) us;
  SimPair wanted = { time_us, time_us };
  SimBits low = ((pair[0] == wanted) & (SimBits){ 1 << 0, 1 << 1 })
                | ((pair[1] == wanted) & (SimBits){ 1 << 2, 1 << 3 })
                | ((pair[2] == wanted) & (SimBits){ 1 << 4, 1 << 5 })
                | ((pair[3] == wanted) & (SimBits){ 1 << 6, 1 << 7 });
  SimBits high = ((pair[4] == wanted) & (SimBits){ 1 << 8, 1 << 9 })
                 | ((pair[5] == wanted) & (SimBits){ 1 << 10, 1 << 11 })
                 | ((pair[6] == wanted) & (SimBits){ 1 << 12, 1 << 13 })
                 | ((pair[7] == wanted) & (SimBits){ 1 << 14, 1 << 15 });
  SimBits all = low | high;

  return (guint) (all[0] | all[1]);
}

/* Writes down the slots at that time, in ascending order; returns how many. */
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

G_END_DECLS
