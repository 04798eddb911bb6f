#include "engine/placers/search/cell-splits.h"

#include <math.h>
#include <string.h>

/* --- construction and disposal ---------------------------------------------------------------- */

static double
total_time_us (const GobanUnits *units, GobanDeviceId device)
{
  double total_us = 0;

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId host
          = goban_units_can_run (units, u, device) ? device : goban_units_fastest_device (units, u);

      total_us += goban_units_time_us (units, u, host);
    }
  return total_us;
}

static gboolean
runs_all (const GobanUnits *units, GobanDeviceId device)
{
  for (guint u = 0; u < units->n_units; u++)
    if (!goban_units_can_run (units, u, device))
      return FALSE;
  return TRUE;
}

static gboolean
is_faster (const GobanCellSplits *self, const gboolean *runs_all, GobanDeviceId a, GobanDeviceId b)
{
  if (runs_all[a] != runs_all[b])
    return runs_all[a];
  return self->time_us[a] < self->time_us[b];
}

static void
sort_devices (GobanCellSplits *self)
{
  guint n = self->units->n_devices;
  g_autofree gboolean *all = g_new (gboolean, n);

  self->fastest = g_new (GobanDeviceId, n);
  self->time_us = g_new (double, n);
  for (guint d = 0; d < n; d++)
    {
      guint i = d;

      all[d] = runs_all (self->units, (GobanDeviceId) d);
      self->time_us[d] = total_time_us (self->units, (GobanDeviceId) d);
      for (; i > 0 && is_faster (self, all, (GobanDeviceId) d, self->fastest[i - 1]); i--)
        self->fastest[i] = self->fastest[i - 1];
      self->fastest[i] = (GobanDeviceId) d;
    }
}

static void
weigh_rows (GobanCellSplits *self, const double *work_us)
{
  const GobanUnits *units = self->units;

  self->work_us = g_new0 (double, self->rows->n_rows);
  self->bytes = g_new0 (double, self->rows->n_rows);
  for (GobanNodeId v = 0; v < self->rows->offsets[self->rows->n_rows]; v++)
    self->work_us[self->rows->row_of[v]] += work_us[v];
  for (guint u = 0; u < units->n_units; u++)
    self->bytes[self->rows->row_of[units->nodes[units->offsets[u]]]]
        += units->param_bytes[u] + units->output_bytes[u];
}

GobanCellSplits *
goban_cell_splits_new (const GobanUnits *units)
{
  GobanCellSplits *self = g_new0 (GobanCellSplits, 1);
  g_autofree double *work_us = g_new (double, goban_graph_get_n_nodes (units->graph));
  guint n_groups, n_slots;

  goban_cost_model_mean_times (units->costs, work_us);
  self->units = units;
  self->cells = goban_cells_new (units->graph, work_us);
  goban_cells_choose (self->cells, units->n_devices, &n_groups, &n_slots);
  self->rows = goban_cell_rows_new (self->cells, n_groups, n_slots);
  weigh_rows (self, work_us);
  sort_devices (self);
  return self;
}

void
goban_cell_splits_free (GobanCellSplits *self)
{
  goban_cells_free (self->cells);
  goban_cell_rows_free (self->rows);
  g_free (self->work_us);
  g_free (self->bytes);
  g_free (self->time_us);
  g_free (self->fastest);
  g_free (self);
}

/* --- cuts ------------------------------------------------------------------------------------- */

/* ends (n_parts): end of each part, as a share of the whole. */
static void
find_ends (const GobanCellSplits *self, guint n_parts, gboolean by_bytes, double *ends)
{
  double total = 0;

  for (guint i = 0; i < n_parts; i++)
    {
      GobanDeviceId d = self->fastest[i];
      double share = by_bytes ? goban_cluster_get_device (self->units->cluster, d)->memory_bytes
                              : 1 / self->time_us[d];

      total += isfinite (share) && share > 0 ? share : 1;
      ends[i] = total;
    }
  for (guint i = 0; i < n_parts; i++)
    ends[i] /= total;
}

/* The part of each item, by the item's middle. */
static void
cut_items (const double *weights, guint n_items, const double *ends, guint n_parts, guint *parts)
{
  double total = 0;
  double before = 0;
  guint part = 0;

  for (guint i = 0; i < n_items; i++)
    total += weights[i];
  for (guint i = 0; i < n_items; i++)
    {
      double middle = total > 0 ? (before + weights[i] / 2) / total : 0;

      while (part + 1 < n_parts && middle >= ends[part])
        part++;
      parts[i] = part;
      before += weights[i];
    }
}

static guint
item_of (const GobanCellSplits *self, GobanSplit axis, guint row)
{
  if (axis == GOBAN_SPLIT_GROUPS)
    return self->rows->group_of[row];
  return axis == GOBAN_SPLIT_SLOTS ? self->rows->slot_of[row] : row;
}

void
goban_cell_splits_cut (const GobanCellSplits *self, GobanSplit axis, guint n_parts,
                       gboolean by_bytes, GobanDeviceId *devices)
{
  guint n_rows = self->rows->n_rows;
  guint n_items = MAX (n_rows, self->rows->n_slots);
  const double *of_rows = by_bytes ? self->bytes : self->work_us;
  g_autofree double *weights = g_new0 (double, n_items);
  g_autofree double *ends = g_new (double, n_parts);
  g_autofree guint *parts = g_new (guint, n_items);

  for (guint r = 0; r < n_rows; r++)
    weights[item_of (self, axis, r)] += of_rows[r];
  find_ends (self, n_parts, by_bytes, ends);
  cut_items (weights, n_items, ends, n_parts, parts);
  for (guint r = 0; r < n_rows; r++)
    devices[r] = self->fastest[parts[item_of (self, axis, r)]];
}

void
goban_cell_splits_place (const GobanCellSplits *self, const GobanDeviceId *devices, GobanPlan *plan)
{
  const GobanUnits *units = self->units;

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId device = devices[self->rows->row_of[units->nodes[units->offsets[u]]]];

      if (!goban_units_can_run (units, u, device))
        device = goban_units_fastest_device (units, u);
      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        goban_plan_set_device (plan, units->nodes[i], device);
    }
}

/* --- all of them ------------------------------------------------------------------------------ */

static void
add_cut (GPtrArray *cuts, const GobanCellSplits *self, GobanSplit axis, guint n_parts)
{
  gsize size = self->rows->n_rows * sizeof (GobanDeviceId);
  g_autofree GobanDeviceId *devices = g_malloc (MAX (size, 1));

  goban_cell_splits_cut (self, axis, n_parts, FALSE, devices);
  for (guint i = 0; i < cuts->len; i++)
    if (memcmp (cuts->pdata[i], devices, size) == 0)
      return;
  g_ptr_array_add (cuts, g_steal_pointer (&devices));
}

static void
add_cuts (GPtrArray *cuts, const GobanCellSplits *self, guint n_parts, guint n_most)
{
  for (guint axis = 0; axis < GOBAN_N_SPLITS && cuts->len < n_most; axis++)
    add_cut (cuts, self, (GobanSplit) axis, n_parts);
}

GPtrArray *
goban_cell_splits_all (const GobanCellSplits *self, guint n_most)
{
  GPtrArray *cuts = g_ptr_array_new_with_free_func (g_free);
  guint n_devices = self->units->n_devices;

  for (guint n = n_devices; n > 1; n = n / 2)
    add_cuts (cuts, self, n, n_most);
  if (cuts->len < n_most)
    add_cut (cuts, self, GOBAN_SPLIT_ROWS, 1);
  for (guint n = n_devices - 1; n > 2; n--)
    add_cuts (cuts, self, n, n_most);
  return cuts;
}
