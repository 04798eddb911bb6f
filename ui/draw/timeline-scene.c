#include "ui/draw/timeline-scene.h"

#include <math.h>
#include <stdlib.h>

#define DEVICE_H 30.0
#define MEMORY_H 26.0
#define LINK_ROW_H 13.0
#define LINK_MAX_H 78.0 /* rows become thinner beyond */
#define LANE_GAP 3.0
#define DEVICE_GAP 12.0

GobanTimelineScene *
goban_timeline_scene_new_empty (guint n_lanes)
{
  GobanTimelineScene *self = g_new0 (GobanTimelineScene, 1);

  self->n_lanes = n_lanes;
  self->lanes = g_new0 (GobanLane, MAX (n_lanes, 1));
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  return self;
}

static void
clear_lane (GobanLane *lane)
{
  g_free (lane->name);
  g_free (lane->detail);
  g_free (lane->slices);
  g_free (lane->row_first);
  g_free (lane->points);
}

void
goban_timeline_scene_free (GobanTimelineScene *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_lanes; i++)
    clear_lane (&self->lanes[i]);
  g_free (self->lanes);
  g_free (self->title);
  g_free (self->subtitle);
  g_free ((gpointer) self->names);
  g_free ((gpointer) self->bytes);
  g_free (self->levels);
  if (self->free_source != NULL)
    self->free_source (self->source);
  g_free (self);
}

void
goban_timeline_scene_set_values (GobanTimelineScene *self, const GobanNodeValues *values)
{
  g_clear_pointer (&self->levels, g_free);
  self->n_levels = 0;
  if (values == NULL)
    return;

  self->n_levels = values->n_nodes;
  self->levels = g_new (guint16, MAX (values->n_nodes, 1));
  for (guint v = 0; v < values->n_nodes; v++)
    self->levels[v] = isnan (values->places[v])
                          ? GOBAN_RAMP_LEVELS
                          : (guint16) (values->places[v] * (GOBAN_RAMP_LEVELS - 1));
}

static int
compare_starts (gconstpointer pa, gconstpointer pb)
{
  const GobanSlice *a = pa;
  const GobanSlice *b = pb;

  if (a->start_us != b->start_us)
    return a->start_us < b->start_us ? -1 : 1;
  if (a->finish_us != b->finish_us)
    return a->finish_us < b->finish_us ? -1 : 1;
  return a->node < b->node ? -1 : a->node > b->node;
}

/* The row for a slice: the first that is free by then, or a new one. */
static guint
find_row (GArray *ends, double start_us)
{
  double never = -1;

  for (guint r = 0; r < ends->len; r++)
    if (g_array_index (ends, double, r) <= start_us)
      return r;
  g_array_append_val (ends, never);
  return ends->len - 1;
}

void
goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree GobanSlice *sorted = g_memdup2 (slices, n_slices * sizeof *slices);
  g_autofree guint32 *row = g_new (guint32, MAX (n_slices, 1));
  g_autofree guint32 *next = NULL;

  if (n_slices > 0)
    qsort (sorted, n_slices, sizeof *sorted, compare_starts);
  for (guint i = 0; i < n_slices; i++)
    {
      row[i] = find_row (ends, sorted[i].start_us);
      g_array_index (ends, double, row[i]) = sorted[i].finish_us;
    }
  g_free (self->slices);
  g_free (self->row_first);
  self->n_slices = n_slices;
  self->n_rows = MAX (ends->len, 1);
  self->slices = g_new (GobanSlice, MAX (n_slices, 1));
  self->row_first = g_new0 (guint32, (gsize) self->n_rows + 1);
  next = g_new (guint32, self->n_rows);
  for (guint i = 0; i < n_slices; i++)
    self->row_first[row[i] + 1]++;
  for (guint r = 0; r < self->n_rows; r++)
    {
      self->row_first[r + 1] += self->row_first[r];
      next[r] = self->row_first[r];
    }
  for (guint i = 0; i < n_slices; i++)
    self->slices[next[row[i]]++] = sorted[i];
}

guint
goban_lane_find (const GobanLane *self, guint row, double time_us)
{
  guint low = self->row_first[row];
  guint high = self->row_first[row + 1];

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->slices[middle].finish_us > time_us)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

void
goban_timeline_scene_arrange (GobanTimelineScene *self)
{
  double y = DEVICE_GAP / 2;

  for (guint i = 0; i < self->n_lanes; i++)
    {
      GobanLane *lane = &self->lanes[i];

      if (i > 0)
        y += lane->kind == GOBAN_LANE_DEVICE ? DEVICE_GAP : LANE_GAP;
      lane->y = y;
      if (lane->kind == GOBAN_LANE_DEVICE)
        lane->height = DEVICE_H;
      else if (lane->kind == GOBAN_LANE_MEMORY)
        lane->height = MEMORY_H;
      else
        lane->height = MIN (MAX (lane->n_rows, 1) * LINK_ROW_H, LINK_MAX_H);
      y += lane->height;
    }
  self->height = y + DEVICE_GAP / 2;
}
