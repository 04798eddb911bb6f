#include "engine/core/ranks/ordered-sum.h"

#include <string.h>

guint
goban_ordered_sum_get_width (guint i, guint end, guint n_items)
{
  guint64 width = 1;

  while (i % (2 * width) == 0 && i + width < n_items && MIN (i + 2 * width, n_items) <= end)
    width *= 2;
  return (guint) width;
}

static void
add (float *to, const float *from, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] += from[i];
}

gsize
goban_ordered_sum_reduce (float *items, guint first, guint end, guint n_items, gsize n)
{
  gsize n_roots = 0;
  guint width;

  for (guint i = first; i < end; i += width)
    {
      float *root = items + (gsize) (i - first) * n;

      width = goban_ordered_sum_get_width (i, end, n_items);
      for (guint stride = 1; stride < width; stride *= 2)
        for (guint k = 0; k + stride < width && i + k + stride < end; k += 2 * stride)
          add (root + (gsize) k * n, root + (gsize) (k + stride) * n, n);
      memmove (items + n_roots * n, root, n * sizeof *items);
      n_roots++;
    }
  return n_roots;
}

typedef struct
{
  float *roots;
  gsize n;
  guint n_items;
  const guint *items; /* (n_roots) first item of each */
  const guint *widths;
  guint next; /* root: the tree is walked in the order of the items */
} Join;

/* The sum of the subtree of @width items from item @i on. */
static float *
join_subtree (Join *self, guint i, guint64 width)
{
  float *left;

  g_assert (self->items[self->next] == i);
  if (self->widths[self->next] == width)
    return self->roots + self->next++ * self->n;
  left = join_subtree (self, i, width / 2);
  if (i + width / 2 < self->n_items)
    add (left, join_subtree (self, (guint) (i + width / 2), width / 2), self->n);
  return left;
}

void
goban_ordered_sum_join (float *roots, const guint *bounds, guint n_ranges, guint n_items, gsize n)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) widths = g_array_new (FALSE, FALSE, sizeof (guint));
  guint64 whole = 1;
  Join join;

  for (guint r = 0; r < n_ranges; r++)
    for (guint i = bounds[r], width; i < bounds[r + 1]; i += width)
      {
        width = goban_ordered_sum_get_width (i, bounds[r + 1], n_items);
        g_array_append_val (items, i);
        g_array_append_val (widths, width);
      }
  while (whole < n_items)
    whole *= 2;
  join = (Join){
    roots, n, n_items, (const guint *) (void *) items->data, (const guint *) (void *) widths->data,
    0
  };
  join_subtree (&join, 0, whole);
}
