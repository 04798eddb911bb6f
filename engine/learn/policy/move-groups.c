#include "engine/learn/policy/move-groups.h"

#include "engine/placers/search/unit-groups.h"

#include <math.h>
#include <string.h>

/* Numbers of grown sets, sets grown along the order, and stretches among N_KINDS groups; the others
 * are parts. */
#define N_KINDS 20
#define N_GROWN 5
#define N_CONES 2
#define N_STRETCHES 3

/* Numbers of parts, among N_CUTS, that are limited to one phase and to a stretch. */
#define N_CUTS 12
#define N_PHASES 3
#define N_STRETCHED 3

/* Numbers of groups of heavy-edge matching, from coarse to fine. */
static const guint cluster_counts[] = { 24, 100, 400 };

#define N_OF_CELLS 4
#define N_PARTITIONS (N_OF_CELLS + G_N_ELEMENTS (cluster_counts))

/* Units by a coordinate of their cells, or by clusters of heavy edges. */
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
  guint8 *phase_of; /* (n_units) */
  Partition partitions[N_PARTITIONS];
};

/* part_of: (transfer full) */
static Partition
new_partition (guint32 *part_of, guint n_units, guint n_parts)
{
  Partition self = { .part_of = part_of,
                     .offsets = g_new0 (guint32, n_parts + 2),
                     .units = g_new (guint32, n_units + 1) };
  g_autofree guint32 *next = g_new (guint32, n_parts + 1);

  for (guint32 u = 0; u < n_units; u++)
    self.offsets[part_of[u] + 1]++;
  for (guint i = 0; i < n_parts; i++)
    self.offsets[i + 1] += self.offsets[i];
  memcpy (next, self.offsets, n_parts * sizeof *next);
  for (guint32 u = 0; u < n_units; u++)
    self.units[next[part_of[u]]++] = u;
  return self;
}

/* Partitions units by the cells of their first nodes. coordinate_of: (nullable): coordinates of
 * rows. */
static Partition
new_of_cells (const GobanUnits *units, const guint32 *row_of, const guint32 *coordinate_of,
              guint n_parts)
{
  guint32 *part_of = g_new (guint32, units->n_units + 1);

  for (guint32 u = 0; u < units->n_units; u++)
    {
      guint32 row = row_of[units->nodes[units->offsets[u]]];

      part_of[u] = coordinate_of != NULL ? coordinate_of[row] : row;
    }
  return new_partition (part_of, units->n_units, n_parts);
}

static Partition
new_of_clusters (const GobanUnits *units, guint n_wanted)
{
  g_autoptr (GobanUnitGroups) clusters = goban_unit_groups_new (units, n_wanted);

  return new_partition (g_memdup2 (clusters->group_of, units->n_units * sizeof (guint32)),
                        units->n_units, clusters->n_groups);
}

GobanMoveGroups *
goban_move_groups_new (const GobanUnits *units, const GobanCells *cells, const GobanCellRows *rows)
{
  GobanMoveGroups *self = g_new0 (GobanMoveGroups, 1);

  self->units = units;
  self->set = goban_unit_set_new (units);
  self->phase_of = g_new (guint8, units->n_units + 1);
  for (guint32 u = 0; u < units->n_units; u++)
    self->phase_of[u]
        = (guint8) goban_graph_get_node (units->graph, units->nodes[units->offsets[u]])->phase;
  self->partitions[0] = new_of_cells (units, cells->cell_of, NULL, cells->n_cells);
  self->partitions[1] = new_of_cells (units, rows->row_of, NULL, rows->n_rows);
  self->partitions[2] = new_of_cells (units, rows->row_of, rows->group_of, rows->n_groups);
  self->partitions[3] = new_of_cells (units, rows->row_of, rows->slot_of, rows->n_slots);
  for (guint i = 0; i < G_N_ELEMENTS (cluster_counts); i++)
    self->partitions[N_OF_CELLS + i] = new_of_clusters (units, cluster_counts[i]);
  return self;
}

void
goban_move_groups_free (GobanMoveGroups *self)
{
  goban_unit_set_free (self->set);
  g_free (self->phase_of);
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

/* Grows a set from the seed along tensors, only upward or only downward in the topological order,
 * nearest units first. */
static void
add_cone (GobanMoveGroups *self, const GobanPlan *plan, guint32 seed, guint n, gboolean is_upward)
{
  const GobanUnitGraph *graph = self->set->graph;
  GobanDeviceId device = device_of (self, plan, seed);
  GArray *members = self->set->members;

  goban_unit_set_add (self->set, seed);
  for (guint i = 0; i < members->len && members->len < n; i++)
    {
      guint32 unit = g_array_index (members, guint32, i);

      for (guint32 k = graph->offsets[unit]; k < graph->offsets[unit + 1] && members->len < n; k++)
        {
          guint32 other = graph->links[k].unit;

          if ((other < unit) == is_upward && device_of (self, plan, other) == device)
            goban_unit_set_add (self->set, other);
        }
    }
}

/* Cuts units first .. end - 1 of a part around the seed, with random numbers of units on either
 * side. */
static void
cut_stretch (GobanRng *rng, guint32 at, guint32 *first, guint32 *end)
{
  guint before = at - *first;
  guint after = *end - at;
  guint side = goban_rng_below (rng, 3);

  if (side != 0)
    *end = at + draw_size (rng, after);
  if (side != 1)
    *first = at - (draw_size (rng, before + 1) - 1);
}

static guint32
find_unit (const Partition *partition, guint32 unit)
{
  guint32 low = partition->offsets[partition->part_of[unit]];

  while (partition->units[low] != unit)
    low++;
  return low;
}

/* Adds the units of the seed's part that are on its device, or a stretch or phase of them; only the
 * seed if these are too many. */
static void
add_part (GobanMoveGroups *self, GobanRng *rng, const GobanPlan *plan, guint32 seed, guint most)
{
  const Partition *partition = &self->partitions[goban_rng_below (rng, N_PARTITIONS)];
  guint32 first = partition->offsets[partition->part_of[seed]];
  guint32 end = partition->offsets[partition->part_of[seed] + 1];
  GobanDeviceId device = device_of (self, plan, seed);
  guint cut = goban_rng_below (rng, N_CUTS);

  if (cut >= N_PHASES && cut < N_PHASES + N_STRETCHED)
    cut_stretch (rng, find_unit (partition, seed), &first, &end);
  for (guint32 i = first; i < end; i++)
    {
      guint32 unit = partition->units[i];
      gboolean is_alike = cut >= N_PHASES || self->phase_of[unit] == self->phase_of[seed];

      if (is_alike && device_of (self, plan, unit) == device)
        goban_unit_set_add (self->set, unit);
    }
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
  else if (kind < N_GROWN + N_CONES)
    {
      gboolean is_upward = goban_rng_below (rng, 2) == 0;

      add_cone (self, plan, seed, draw_size (rng, most), is_upward);
    }
  else if (kind < N_GROWN + N_CONES + N_STRETCHES)
    {
      guint n = draw_size (rng, most);
      GobanDeviceId device = device_of (self, plan, seed);

      for (guint32 unit = seed; unit < self->units->n_units && self->set->members->len < n; unit++)
        if (device_of (self, plan, unit) == device)
          goban_unit_set_add (self->set, unit);
    }
  else
    add_part (self, rng, plan, seed, most);
  return self->set->members;
}

void
goban_move_groups_close (GobanMoveGroups *self, const GobanNodeId *kernel_of,
                         const GobanNodeId *next_fused)
{
  const GobanUnits *units = self->units;
  guint n = self->set->members->len;

  for (guint i = 0; i < n; i++)
    {
      guint32 unit = g_array_index (self->set->members, guint32, i);

      for (guint32 k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        for (GobanNodeId v = kernel_of[units->nodes[k]]; v != GOBAN_NO_NODE; v = next_fused[v])
          goban_unit_set_add (self->set, units->unit_of[v]);
    }
}
