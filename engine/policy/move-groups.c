#include "engine/policy/move-groups.h"

#include <math.h>
#include <string.h>

/* Of so many groups, how many are sets that grow, and stretches; the others are of cells. */
#define N_KINDS 20
#define N_GROWN 10
#define N_STRETCHES 3

#define N_PARTITIONS 4

/* Units by a coordinate of their cells. */
typedef struct
{
  guint32 *part_of; /* (n_units) */
  guint32 *offsets; /* (n_parts + 1) into units */
  guint32 *units;
} Partition;

struct _GobanMoveGroups
{
  const GobanUnits *units;
  GobanUnitSet *set;
  Partition partitions[N_PARTITIONS]; /* from small parts to large ones */
};

static Partition
new_partition (const GobanUnits *units, const guint32 *row_of, const guint32 *coordinate_of,
               guint n_parts)
{
  Partition self = { .part_of = g_new (guint32, units->n_units + 1),
                     .offsets = g_new0 (guint32, n_parts + 2),
                     .units = g_new (guint32, units->n_units + 1) };
  g_autofree guint32 *next = g_new (guint32, n_parts + 1);

  /* A unit is where its first node is. */
  for (guint32 u = 0; u < units->n_units; u++)
    {
      guint32 row = row_of[units->nodes[units->offsets[u]]];

      self.part_of[u] = coordinate_of != NULL ? coordinate_of[row] : row;
      self.offsets[self.part_of[u] + 1]++;
    }
  for (guint i = 0; i < n_parts; i++)
    self.offsets[i + 1] += self.offsets[i];
  memcpy (next, self.offsets, n_parts * sizeof *next);
  for (guint32 u = 0; u < units->n_units; u++)
    self.units[next[self.part_of[u]]++] = u;
  return self;
}

GobanMoveGroups *
goban_move_groups_new (const GobanUnits *units, const GobanCells *cells, const GobanCellRows *rows)
{
  GobanMoveGroups *self = g_new0 (GobanMoveGroups, 1);

  self->units = units;
  self->set = goban_unit_set_new (units);
  self->partitions[0] = new_partition (units, cells->cell_of, NULL, cells->n_cells);
  self->partitions[1] = new_partition (units, rows->row_of, NULL, rows->n_rows);
  self->partitions[2] = new_partition (units, rows->row_of, rows->group_of, rows->n_groups);
  self->partitions[3] = new_partition (units, rows->row_of, rows->slot_of, rows->n_slots);
  return self;
}

void
goban_move_groups_free (GobanMoveGroups *self)
{
  goban_unit_set_free (self->set);
  for (guint i = 0; i < N_PARTITIONS; i++)
    {
      g_free (self->partitions[i].part_of);
      g_free (self->partitions[i].offsets);
      g_free (self->partitions[i].units);
    }
  g_free (self);
}

static GobanDeviceId
device_of (const GobanMoveGroups *self, const GobanPlan *plan, guint32 unit)
{
  return goban_plan_get_devices (plan)[self->units->nodes[self->units->offsets[unit]]];
}

/* 1 .. most */
static guint
draw_size (GobanRng *rng, guint most)
{
  double size = exp (goban_rng_uniform (rng) * log ((double) most + 1));

  return CLAMP ((guint) size, 1, most);
}

static void
add_stretch (GobanMoveGroups *self, const GobanPlan *plan, guint32 first, guint n)
{
  GobanDeviceId device = device_of (self, plan, first);

  for (guint32 unit = first; unit < self->units->n_units && self->set->members->len < n; unit++)
    if (device_of (self, plan, unit) == device)
      goban_unit_set_add (self->set, unit);
}

/* The device's share of the part that the seed is in; the seed alone if that is too large. */
static void
add_part (GobanMoveGroups *self, const GobanPlan *plan, const Partition *partition, guint32 seed,
          guint most)
{
  guint32 part = partition->part_of[seed];
  GobanDeviceId device = device_of (self, plan, seed);

  for (guint32 i = partition->offsets[part]; i < partition->offsets[part + 1]; i++)
    if (device_of (self, plan, partition->units[i]) == device)
      goban_unit_set_add (self->set, partition->units[i]);
  if (self->set->members->len <= most)
    return;
  goban_unit_set_start (self->set);
  goban_unit_set_add (self->set, seed);
}

const GArray *
goban_move_groups_draw (GobanMoveGroups *self, GobanRng *rng, const GobanPlan *plan, guint most)
{
  guint32 seed = goban_rng_below (rng, self->units->n_units);
  guint kind = goban_rng_below (rng, N_KINDS);

  goban_unit_set_start (self->set);
  if (kind < N_GROWN)
    goban_unit_set_grow (self->set, rng, plan, seed, draw_size (rng, most));
  else if (kind < N_GROWN + N_STRETCHES)
    add_stretch (self, plan, seed, draw_size (rng, most));
  else
    add_part (self, plan, &self->partitions[goban_rng_below (rng, N_PARTITIONS)], seed, most);
  return self->set->members;
}
