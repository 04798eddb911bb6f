/* visible-items.h: visible items of one kind, bucketed by paint band.
 *
 * A picture is larger than a processor's cache, and edges and hulls write most pixels many times:
 * painted band by band, each pixel is fetched once. Items are added from bottom to top, each with
 * the rows that it may touch, and are returned in that order, by band and pass. Private to the
 * graph's painter.
 *
 * Decision U44 (ui/NOTES.md).
 */
#pragma once

#include <glib.h>

/* Rows of a surface, from the top. */
typedef struct
{
  guint n;
  int y0;
  int y1; /* of the last */
  int height;
} GobanBands;

/* The bands of a surface of that width; at least 1. */
GobanBands goban_bands_of (int y0, int y1, int width);

typedef struct
{
  guint32 id;
  guint8 pass;
  guint8 from; /* bands */
  guint8 to;
} GobanVisibleItem;

typedef struct
{
  GobanBands bands;
  guint n_passes;
  GobanVisibleItem *seen; /* (n), with room for n_most */
  guint n;
  guint32 *first; /* (bands x passes + 1) into ids; NULL before they are sorted */
  guint32 *ids;
} GobanVisibleItems;

/* Room for @n_most items. */
void goban_visible_items_init (GobanVisibleItems *self, const GobanBands *bands, guint n_passes,
                               guint n_most);
void goban_visible_items_clear (GobanVisibleItems *self);

static inline guint8
goban_bands_find (const GobanBands *bands, double y)
{
  int band = y <= bands->y0   ? 0
             : y >= bands->y1 ? (int) bands->n - 1
                              : ((int) y - bands->y0) / bands->height;

  return (guint8) band;
}

/* @y0, @y1: the rows that the item may touch. */
static inline void
goban_visible_items_add (GobanVisibleItems *self, guint32 id, guint pass, double y0, double y1)
{
  self->seen[self->n++]
      = (GobanVisibleItem){ id, (guint8) pass, goban_bands_find (&self->bands, y0),
                            goban_bands_find (&self->bands, y1) };
}

/* Called after the last item is added. */
void goban_visible_items_sort (GobanVisibleItems *self);

static inline const guint32 *
goban_visible_items_get (const GobanVisibleItems *self, guint band, guint pass, guint *n)
{
  guint32 first = self->first[band * self->n_passes + pass];

  *n = self->first[band * self->n_passes + pass + 1] - first;
  return self->ids + first;
}
