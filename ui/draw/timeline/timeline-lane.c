#include "ui/draw/timeline/timeline-lane.h"

#include "engine/core/key-sort.h"

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

/* Insertion sort for up to 32 slices: few start at the same time. */
static void
sort_tied (GobanSlice *slices, guint n)
{
  if (n > 32)
    {
      qsort (slices, n, sizeof *slices, compare_starts);
      return;
    }
  for (guint i = 1; i < n; i++)
    {
      GobanSlice slice = slices[i];
      guint at = i;

      for (; at > 0 && compare_starts (&slices[at - 1], &slice) > 0; at--)
        slices[at] = slices[at - 1];
      slices[at] = slice;
    }
}

/* By start in linear time; only those that start together are compared. (transfer full) */
static GobanSlice *
sort_slices (const GobanSlice *slices, guint n)
{
  g_autofree double *starts_us = g_new (double, MAX (n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  GobanSlice *sorted = g_new (GobanSlice, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      starts_us[i] = slices[i].start_us;
      order[i] = i;
    }
  goban_key_sort (order, starts_us, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = slices[order[i]];
  for (guint first = 0, end; first < n; first = end)
    {
      gboolean is_sorted = TRUE;

      for (end = first + 1; end < n && sorted[end].start_us == sorted[first].start_us; end++)
        is_sorted = is_sorted && compare_starts (&sorted[end - 1], &sorted[end]) <= 0;
      if (!is_sorted)
        sort_tied (sorted + first, end - first);
    }
  return sorted;
}

void
goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree GobanSlice *sorted = sort_slices (slices, n_slices);
  g_autofree guint32 *row = g_new (guint32, MAX (n_slices, 1));
  g_autofree guint32 *next = NULL;

  for (guint i = 0; i < n_slices; i++)
    {
      row[i] = find_row (ends, sorted[i].start_us);
      g_array_index (ends, double, row[i]) = sorted[i].finish_us;
    }
  g_free (self->slices);
  g_free (self->row_first);
  self->n_slices = n_slices;
  self->n_rows = MAX (ends->len, 1);
  self->row_first = g_new0 (guint32, (gsize) self->n_rows + 1);
  if (self->n_rows == 1)
    {
      self->slices = g_steal_pointer (&sorted);
      self->row_first[1] = n_slices;
      return;
    }
  self->slices = g_new (GobanSlice, n_slices);
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

guint
goban_lane_find_point (const GobanLane *self, double time_us)
{
  guint low = 0;
  guint high = self->n_points;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->points[middle].time_us <= time_us)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : self->n_points;
}

double
goban_lane_get_bytes (const GobanLane *self, double time_us)
{
  guint at = goban_lane_find_point (self, time_us);

  return at < self->n_points ? self->points[at].bytes : 0;
}

double
goban_lane_get_top (const GobanLane *self, double scroll_y)
{
  double y = self->y - scroll_y;

  return self->place.is_stuck ? CLAMP (y, self->place.least_y, self->place.most_y) : y;
}

guint
goban_lane_row_of (const GobanLane *self, guint slice)
{
  guint low = 0;
  guint high = self->n_rows;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (self->row_first[middle] <= slice)
        low = middle;
      else
        high = middle;
    }
  return low;
}
