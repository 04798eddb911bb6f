/* neighbours.h: lists of the rows that each row reads from, or that read from it.
 *
 * The owner of lists that are passed on as GobanSegments (engine/learn/nn/segment.h), which are
 * borrowed.
 */
#pragma once

#include "engine/learn/nn/segment.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 *offsets; /* (n_rows + 1) */
  guint32 *ids;     /* (offsets[n_rows]) */
  guint n_rows;
} GobanNeighbours;

void goban_neighbours_clear (GobanNeighbours *self);

/* Borrowed. */
GobanSegments goban_neighbours_get_segments (const GobanNeighbours *self);

/* Offsets of each row's items once they are sorted by row: (n_rows + 1). (transfer full) */
guint32 *goban_neighbours_count (const guint32 *row_of, guint n_items,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;

/* All pairs reversed, ascending. (transfer full) */
GobanNeighbours goban_neighbours_transpose (const GobanNeighbours *self) G_GNUC_WARN_UNUSED_RESULT;

/* The neighbours in either; both are ascending. (transfer full) */
GobanNeighbours goban_neighbours_unite (const GobanNeighbours *a,
                                        const GobanNeighbours *b) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
