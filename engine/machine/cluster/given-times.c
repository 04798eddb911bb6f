#include "engine/machine/cluster/given-times.h"

struct _GobanGivenTimes
{
  gatomicrefcount ref_count;
  char *kind;
  double *times_us; /* (n_nodes) */
};

GobanGivenTimes *
goban_given_times_new (const char *kind, const double *times_us, guint n_nodes)
{
  GobanGivenTimes *self = g_new0 (GobanGivenTimes, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = g_strdup (kind);
  self->times_us = g_memdup2 (times_us, n_nodes * sizeof *times_us);
  return self;
}

GobanGivenTimes *
goban_given_times_ref (GobanGivenTimes *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_given_times_unref (GobanGivenTimes *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->kind);
  g_free (self->times_us);
  g_free (self);
}

const char *
goban_given_times_get_kind (const GobanGivenTimes *self)
{
  return self->kind;
}

const double *
goban_given_times_get_us (const GobanGivenTimes *self)
{
  return self->times_us;
}
