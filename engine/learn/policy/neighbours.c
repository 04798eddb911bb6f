#include "engine/learn/policy/neighbours.h"

void
goban_neighbours_clear (GobanNeighbours *self)
{
  g_clear_pointer (&self->offsets, g_free);
  g_clear_pointer (&self->ids, g_free);
}

GobanSegments
goban_neighbours_get_segments (const GobanNeighbours *self)
{
  return (GobanSegments){ self->offsets, self->ids, (int) self->n_rows };
}

guint32 *
goban_neighbours_count (const guint32 *row_of, guint n_items, guint n_rows)
{
  guint32 *offsets = g_new0 (guint32, n_rows + 1);

  for (guint i = 0; i < n_items; i++)
    offsets[row_of[i] + 1]++;
  for (guint r = 0; r < n_rows; r++)
    offsets[r + 1] += offsets[r];
  return offsets;
}

GobanNeighbours
goban_neighbours_transpose (const GobanNeighbours *self)
{
  guint32 n_ids = self->offsets[self->n_rows];
  guint32 *offsets = goban_neighbours_count (self->ids, n_ids, self->n_rows);
  guint32 *ids = g_new (guint32, n_ids + 1);
  g_autofree guint32 *next = g_memdup2 (offsets, (self->n_rows + 1) * sizeof *next);

  for (guint r = 0; r < self->n_rows; r++)
    for (guint32 i = self->offsets[r]; i < self->offsets[r + 1]; i++)
      ids[next[self->ids[i]]++] = r;
  return (GobanNeighbours){ offsets, ids, self->n_rows };
}

GobanNeighbours
goban_neighbours_unite (const GobanNeighbours *a, const GobanNeighbours *b)
{
  guint n_rows = a->n_rows;
  guint32 *offsets = g_new0 (guint32, n_rows + 1);
  guint32 *ids = g_new (guint32, (gsize) a->offsets[n_rows] + b->offsets[n_rows] + 1);
  guint32 n = 0;

  for (guint r = 0; r < n_rows; r++)
    {
      guint32 i = a->offsets[r], j = b->offsets[r];

      while (i < a->offsets[r + 1] || j < b->offsets[r + 1])
        {
          guint32 x = i < a->offsets[r + 1] ? a->ids[i] : G_MAXUINT32;
          guint32 y = j < b->offsets[r + 1] ? b->ids[j] : G_MAXUINT32;

          ids[n++] = MIN (x, y);
          i += x <= y;
          j += y <= x;
        }
      offsets[r + 1] = n;
    }
  return (GobanNeighbours){ offsets, ids, n_rows };
}
