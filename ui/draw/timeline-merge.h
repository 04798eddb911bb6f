/* timeline-merge.h: merging of slices narrower than a pixel into one column per pixel.
 *
 * Slices are chosen by time first and merged then, so nothing is lost by zooming in.
 */
#pragma once

#include "ui/draw/timeline-scene.h"

G_BEGIN_DECLS

typedef struct
{
  float share;    /* of the column's time that is busy, 0..1; 0: nothing is there */
  guint16 colour; /* the device, family or level that has most of that time, ties to the lower */
  guint8 is_critical;
} GobanColumn;

/* Sums slices, in order of time and not overlapping, into columns of @us_per_px from @start_us. It
 * may be called again for more slices, as long as they are later. */
typedef struct
{
  double start_us;
  double us_per_px;
  guint n_columns;
  gboolean by_family;
  const guint16 *levels; /* (nullable) by node, instead of devices and families */
  GobanColumn *columns;  /* (n_columns) the caller's, zeroed */
  guint at;              /* the column being summed */
  double tally[GOBAN_MAX_DEVICES];
  guint16 used[GOBAN_MAX_DEVICES]; /* which tallies are not 0 */
  guint n_used;
  gboolean is_critical;
} GobanMerge;

/* @columns are cleared. */
void goban_merge_start (GobanMerge *self, GobanColumn *columns, guint n_columns, double start_us,
                        double us_per_px);
void goban_merge_add (GobanMerge *self, const GobanSlice *slice);
/* Writes the last column. */
void goban_merge_finish (GobanMerge *self);

G_END_DECLS
