/* segment.h: mean and maximum of neighbours' features, over lists of rows. N nodes, D width.
 *
 * Row n gathers the rows ids[offsets[n]] .. ids[offsets[n + 1] - 1] of x, which may have any number
 * of rows. A row without neighbours yields zeros.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const guint32 *offsets; /* (N + 1) */
  const guint32 *ids;     /* (offsets[N]) rows of x */
  int N;
} GobanSegments;

/* y (N,D)  x (rows,D).   Backward adds to dx (rows,D). */
void goban_segment_mean_forward (float *y, const float *x, const GobanSegments *segments, int D);
void goban_segment_mean_backward (float *dx, const float *dy, const GobanSegments *segments, int D);

/* sources (N,D) (nullable): the row of x that each maximum came from, the first in the list among
 * equals; G_MAXUINT32 if there is none, and y is 0. */
void goban_segment_max_forward (float *y, guint32 *sources, const float *x,
                                const GobanSegments *segments, int D);
