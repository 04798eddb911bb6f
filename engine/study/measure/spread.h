/* spread.h: median and spread of repeated measurements. */
#pragma once

#include <glib.h>

/* The spread is from the 10th to the 90th percentile. */
typedef struct
{
  double median;
  double low;
  double high;
  double middle;    /* from the lower to the upper quartile */
  guint n_outliers; /* by Tukey's fences (1977), and at least a twentieth off the quartiles */
} GobanSpread;

/* values (n > 0); not changed. */
GobanSpread goban_spread_new (const double *values, gsize n);

/* Whether repeats (@n of them) agree: the middle half differs by at most a tenth of the median, and
 * at most a fifth are outliers. Interruptions make single repeats longer, on an idle machine, too;
 * on a machine whose speed changes, or which is in use, more of them are longer. */
gboolean goban_spread_is_even (const GobanSpread *self, gsize n);

/* Whether the medians of the first and the second half agree within 2 %. */
gboolean goban_spread_is_settled (const double *values, gsize n);

/**
 * goban_fit_line:
 * @x, @y: (array length=n): n >= 1
 *
 * The line through many points of which some are far off (Theil, 1950; Sen, 1968): its slope is the
 * median of those of all pairs of points, and half of the points are above it. O(n^2 log n).
 */
void goban_fit_line (const double *x, const double *y, gsize n, double *slope, double *intercept);
