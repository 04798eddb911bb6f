/* spread.h: median and spread of repeated measurements. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The spread is from the 10th to the 90th percentile. */
typedef struct
{
  double median;
  double low;
  double high;
} GobanSpread;

/* values (n > 0); not changed. */
GobanSpread goban_spread_new (const double *values, gsize n);

/* (high - low) / median; 0 if the median is. */
double goban_spread_get_relative (const GobanSpread *self);

/* The share @p of the way through sorted[0..n-1], between two values if need be. */
double goban_quantile (const double *sorted, gsize n, double p);

/**
 * goban_fit_line:
 * @x, @y: (array length=n): n >= 1
 *
 * The line through many points of which some are far off (Theil, 1950; Sen, 1968): its slope is the
 * median of those of all pairs of points, and half of the points are above it. O(n^2 log n).
 */
void goban_fit_line (const double *x, const double *y, gsize n, double *slope, double *intercept);

G_END_DECLS
