#include "engine/learn/rl/moves/failed-moves.h"

#include <string.h>

#define N_KEPT 64

typedef struct
{
  guint n; /* units; 0: none */
  GobanDeviceId device;
  float score;
} Failed;

struct _GobanFailedMoves
{
  guint n_units;
  Failed kept[N_KEPT];
  guint n;       /* number of recorded moves; the next is stored at this modulo N_KEPT */
  guint64 *sets; /* (n_units) bit i: in the group of kept[i] */
};

GobanFailedMoves *
goban_failed_moves_new (guint n_units)
{
  GobanFailedMoves *self = g_new0 (GobanFailedMoves, 1);

  self->n_units = n_units;
  self->sets = g_new0 (guint64, n_units + 1);
  return self;
}

void
goban_failed_moves_free (GobanFailedMoves *self)
{
  g_free (self->sets);
  g_free (self);
}

void
goban_failed_moves_forget (GobanFailedMoves *self)
{
  memset (self->kept, 0, sizeof self->kept);
  memset (self->sets, 0, self->n_units * sizeof *self->sets);
  self->n = 0;
}

void
goban_failed_moves_add (GobanFailedMoves *self, const GobanUnitMove *move, float score)
{
  guint slot = self->n++ % N_KEPT;
  guint64 bit = (guint64) 1 << slot;

  if (self->kept[slot].n > 0)
    for (guint u = 0; u < self->n_units; u++)
      self->sets[u] &= ~bit;
  for (guint i = 0; i < move->n; i++)
    self->sets[move->units[i]] |= bit;
  self->kept[slot] = (Failed){ move->n, move->device, score };
}

static float
find_penalty (const Failed *failed, const GobanUnitMove *move, guint n_both)
{
  if (n_both == 0 || failed->device != move->device)
    return 0;
  return failed->score * ((float) n_both / (float) (move->n + failed->n - n_both));
}

float
goban_failed_moves_get_penalty (const GobanFailedMoves *self, const GobanUnitMove *move)
{
  guint n_both[N_KEPT] = { 0 };
  float penalty = 0;

  for (guint i = 0; i < move->n; i++)
    for (guint64 sets = self->sets[move->units[i]]; sets != 0; sets &= sets - 1)
      n_both[__builtin_ctzll (sets)]++;
  for (guint k = 0; k < N_KEPT; k++)
    {
      float own = find_penalty (&self->kept[k], move, n_both[k]);

      penalty = own > penalty ? own : penalty;
    }
  return penalty;
}

float
goban_failed_moves_get_last_penalty (const GobanFailedMoves *self, const GobanUnitMove *move)
{
  guint slot = (self->n + N_KEPT - 1) % N_KEPT;
  guint n_both = 0;

  if (self->kept[slot].device != move->device)
    return 0;
  for (guint i = 0; i < move->n; i++)
    n_both += self->sets[move->units[i]] >> slot & 1;
  return self->n > 0 ? find_penalty (&self->kept[slot], move, n_both) : 0;
}
