#include "ui/draw/graph/visible-items.h"

/* About half of the second level of a processor's cache. */
#define BAND_PIXELS (200 * 1024)
#define LEAST_ROWS 32
#define MOST_BANDS 200

GobanBands
goban_bands_of (int y0, int y1, int width)
{
  int rows = MAX (y1 - y0, 1);
  int height = MAX (BAND_PIXELS / MAX (width, 1), LEAST_ROWS);
  int n;

  height = MAX (height, rows / MOST_BANDS + 1);
  n = (rows + height - 1) / height;
  /* As equal as can be. */
  height = (rows + n - 1) / n;
  return (GobanBands){ (guint) ((rows + height - 1) / height), y0, y0 + rows, height };
}

void
goban_visible_items_init (GobanVisibleItems *self, const GobanBands *bands, guint n_passes,
                          guint n_most)
{
  *self = (GobanVisibleItems){ *bands, n_passes, g_new (GobanVisibleItem, MAX (n_most, 1)),
                               0,      NULL,     NULL };
}

void
goban_visible_items_clear (GobanVisibleItems *self)
{
  g_clear_pointer (&self->seen, g_free);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->ids, g_free);
}

/* Counting sort: an item in several bands is listed in each. */
void
goban_visible_items_sort (GobanVisibleItems *self)
{
  guint n_slots = self->bands.n * self->n_passes;
  guint32 *next;

  self->first = g_new0 (guint32, n_slots + 1);
  for (guint i = 0; i < self->n; i++)
    for (guint b = self->seen[i].from; b <= self->seen[i].to; b++)
      self->first[b * self->n_passes + self->seen[i].pass + 1]++;
  for (guint s = 0; s < n_slots; s++)
    self->first[s + 1] += self->first[s];
  self->ids = g_new (guint32, MAX (self->first[n_slots], 1));
  next = g_memdup2 (self->first, n_slots * sizeof *next);
  for (guint i = 0; i < self->n; i++)
    for (guint b = self->seen[i].from; b <= self->seen[i].to; b++)
      self->ids[next[b * self->n_passes + self->seen[i].pass]++] = self->seen[i].id;
  g_free (next);
}
