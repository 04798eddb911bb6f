#include "engine/placers/search/unit-set.h"

#include <string.h>

/* Neighbours that growing tries if a unit has many: the heaviest ones, and some at random. */
#define N_HEAVIEST 12
#define N_BY_LOT 12

GobanUnitSet *
goban_unit_set_new (const GobanUnits *units)
{
  GobanUnitSet *self = g_new0 (GobanUnitSet, 1);

  self->units = units;
  self->graph = goban_unit_graph_new (units);
  self->members = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->frontier = g_array_new (FALSE, FALSE, sizeof (GobanUnitLink));
  self->marks = g_new0 (guint32, units->n_units);
  goban_unit_set_start (self);
  return self;
}

void
goban_unit_set_free (GobanUnitSet *self)
{
  goban_unit_graph_free (self->graph);
  g_array_unref (self->members);
  g_array_unref (self->frontier);
  g_free (self->marks);
  g_free (self);
}

void
goban_unit_set_start (GobanUnitSet *self)
{
  g_array_set_size (self->members, 0);
  g_array_set_size (self->frontier, 0);
  /* Once round, old marks could be taken for new ones. */
  if (++self->mark == 0)
    {
      memset (self->marks, 0, self->units->n_units * sizeof *self->marks);
      self->mark = 1;
    }
}

static gboolean
has (const GobanUnitSet *self, guint32 unit)
{
  return self->marks[unit] == self->mark;
}

void
goban_unit_set_add (GobanUnitSet *self, guint32 unit)
{
  if (has (self, unit))
    return;
  self->marks[unit] = self->mark;
  g_array_append_val (self->members, unit);
}

static void
reach_out (GobanUnitSet *self, GobanRng *rng, guint32 unit)
{
  guint32 first = self->graph->offsets[unit];
  guint32 n = self->graph->offsets[unit + 1] - first;

  for (guint i = 0; i < MIN (n, N_HEAVIEST + N_BY_LOT); i++)
    {
      guint32 at = i;

      if (i >= N_HEAVIEST && n > N_HEAVIEST + N_BY_LOT)
        at = N_HEAVIEST + goban_rng_below (rng, n - N_HEAVIEST);
      if (!has (self, self->graph->links[first + at].unit))
        g_array_append_val (self->frontier, self->graph->links[first + at]);
    }
}

static guint32
take_from_frontier (GobanUnitSet *self, GobanRng *rng, gboolean prefer_heavy)
{
  const GobanUnitLink *links = (const GobanUnitLink *) (const void *) self->frontier->data;
  guint best = goban_rng_below (rng, self->frontier->len);
  guint32 unit;

  for (guint i = 0; prefer_heavy && i < 3; i++)
    {
      guint other = goban_rng_below (rng, self->frontier->len);

      if (links[other].weight_us > links[best].weight_us)
        best = other;
    }
  unit = links[best].unit;
  g_array_remove_index_fast (self->frontier, best);
  return unit;
}

static GobanDeviceId
device_of (const GobanUnitSet *self, const GobanPlan *plan, guint32 unit)
{
  return goban_plan_get_devices (plan)[self->units->nodes[self->units->offsets[unit]]];
}

void
goban_unit_set_grow (GobanUnitSet *self, GobanRng *rng, const GobanPlan *plan, guint32 seed,
                     guint n_wanted)
{
  GobanDeviceId device = device_of (self, plan, seed);
  gboolean prefer_heavy = goban_rng_below (rng, 2) == 0;
  guint n_most = self->members->len + n_wanted;

  g_array_set_size (self->frontier, 0);
  goban_unit_set_add (self, seed);
  if (n_wanted > 1)
    reach_out (self, rng, seed);
  while (self->members->len < n_most && self->frontier->len > 0)
    {
      guint32 unit = take_from_frontier (self, rng, prefer_heavy);

      if (has (self, unit) || device_of (self, plan, unit) != device)
        continue;
      goban_unit_set_add (self, unit);
      reach_out (self, rng, unit);
    }
}
