/* timeline-merge.h: merging of slices narrower than a pixel into one column per pixel.
 *
 * Slices are chosen by time first and merged then, so nothing is lost by zooming in.
 */
#pragma once

#include "ui/draw/timeline/timeline-scene.h"

typedef struct
{
  float share;    /* busy share of the column's time, 0..1 */
  guint16 colour; /* the device, family or level with most of that time, ties to the lower */
  guint8 is_critical;
} GobanColumn;

/* Sums slices, sorted by time and not overlapping, into columns of @us_per_px from @start_us. May
 * be called again for later slices. */
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
  guint16 used[GOBAN_MAX_DEVICES]; /* indices of non-zero tallies */
  guint n_used;
  gboolean is_critical;
} GobanMerge;

/* @columns are cleared. */
void goban_merge_start (GobanMerge *self, GobanColumn *columns, guint n_columns, double start_us,
                        double us_per_px);
void goban_merge_add (GobanMerge *self, const GobanSlice *slice);
/* Writes the last column. */
void goban_merge_finish (GobanMerge *self);
