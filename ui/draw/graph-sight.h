/* graph-sight.h: what of one kind of things a picture shows, sorted into the bands in which it is painted.
 *
 * A picture is larger than what a processor has at hand, and edges and hulls write most pixels many times: painted band by
 * band, each pixel is fetched once. Things are added from below to above, each with the rows it may touch, and come back
 * in that order, band by band and pass by pass. Private to the graph's painter.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rows of a surface, from the top. */
typedef struct
{
  guint n;
  int y0;
  int y1; /* of the last */
  int height;
} GobanBands;

/* As many as a surface of that width needs; at least 1. */
GobanBands goban_bands_of (int y0, int y1, int width);

typedef struct
{
  guint32 id;
  guint8 pass;
  guint8 from; /* bands */
  guint8 to;
} GobanSeen;

typedef struct
{
  GobanBands bands;
  guint n_passes;
  GobanSeen *seen; /* (n) of room for as many as were told */
  guint n;
  guint32 *first; /* (bands x passes + 1) into ids; NULL before they are sorted */
  guint32 *ids;
} GobanInSight;

/* At most @n_most things. */
void goban_sight_init (GobanInSight *self, const GobanBands *bands, guint n_passes, guint n_most);
void goban_sight_clear (GobanInSight *self);

static inline guint8
goban_bands_find (const GobanBands *bands, double y)
{
  int band = y <= bands->y0   ? 0
             : y >= bands->y1 ? (int) bands->n - 1
                              : ((int) y - bands->y0) / bands->height;

  return (guint8) band;
}

/* @y0 and @y1: the rows it may touch. */
static inline void
goban_sight_add (GobanInSight *self, guint32 id, guint pass, double y0, double y1)
{
  self->seen[self->n++] = (GobanSeen){ id, (guint8) pass, goban_bands_find (&self->bands, y0),
                                       goban_bands_find (&self->bands, y1) };
}

/* When all are added. */
void goban_sight_sort (GobanInSight *self);

static inline const guint32 *
goban_sight_get (const GobanInSight *self, guint band, guint pass, guint *n)
{
  guint32 first = self->first[band * self->n_passes + pass];

  *n = self->first[band * self->n_passes + pass + 1] - first;
  return self->ids + first;
}

G_END_DECLS
