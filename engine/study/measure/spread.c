#include "engine/study/measure/spread.h"

#include <math.h>
#include <stdlib.h>

#define LOW 0.1
#define HIGH 0.9
#define LOWER_QUARTILE 0.25
#define UPPER_QUARTILE 0.75
/* Tukey's fences are as many interquartile ranges off the quartiles. */
#define FENCE 1.5
/* Shares of the median: nearer values are no outliers, if the others are even nearer to each other;
 * the middle half of an even series; halves of a settled one. */
#define LEAST_OFF 0.05
#define MOST_MIDDLE 0.1
#define MOST_DRIFT 0.02
#define MOST_OUTLIERS 0.2

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double *
sort (const double *values, gsize n)
{
  double *sorted = g_memdup2 (values, n * sizeof *values);

  qsort (sorted, n, sizeof *sorted, compare);
  return sorted;
}

/* The share @p of the way through sorted (n), between two values if need be. */
static double
find_quantile (const double *sorted, gsize n, double p)
{
  double at = p * (double) (n - 1);
  gsize below = (gsize) floor (at);
  gsize above = MIN (below + 1, n - 1);

  return sorted[below] + (at - (double) below) * (sorted[above] - sorted[below]);
}

static guint
count_outliers (const double *sorted, gsize n, double median)
{
  double lower = find_quantile (sorted, n, LOWER_QUARTILE);
  double upper = find_quantile (sorted, n, UPPER_QUARTILE);
  double off = MAX (FENCE * (upper - lower), LEAST_OFF * fabs (median));
  guint n_outliers = 0;

  for (gsize i = 0; i < n; i++)
    n_outliers += sorted[i] < lower - off || sorted[i] > upper + off;
  return n_outliers;
}

GobanSpread
goban_spread_new (const double *values, gsize n)
{
  g_autofree double *sorted = sort (values, n);
  double median = find_quantile (sorted, n, 0.5);

  return (GobanSpread){
    .median = median,
    .low = find_quantile (sorted, n, LOW),
    .high = find_quantile (sorted, n, HIGH),
    .middle = find_quantile (sorted, n, UPPER_QUARTILE) - find_quantile (sorted, n, LOWER_QUARTILE),
    .n_outliers = count_outliers (sorted, n, median),
  };
}

gboolean
goban_spread_is_even (const GobanSpread *self, gsize n)
{
  return self->middle <= MOST_MIDDLE * self->median
         && (double) self->n_outliers <= MOST_OUTLIERS * (double) n;
}

static double
find_median (const double *values, gsize n)
{
  return n > 0 ? goban_spread_new (values, n).median : 0;
}

gboolean
goban_spread_is_settled (const double *values, gsize n)
{
  double first = find_median (values, n / 2);
  double second = find_median (values + n / 2, n - n / 2);

  return fabs (second - first) <= MOST_DRIFT * MIN (first, second);
}

void
goban_fit_line (const double *x, const double *y, gsize n, double *slope, double *intercept)
{
  g_autofree double *slopes = g_new (double, n *n + 1);
  g_autofree double *rests = g_new (double, n + 1);
  gsize n_slopes = 0;

  for (gsize i = 0; i < n; i++)
    for (gsize j = i + 1; j < n; j++)
      if (x[i] != x[j])
        slopes[n_slopes++] = (y[j] - y[i]) / (x[j] - x[i]);
  *slope = find_median (slopes, n_slopes);
  for (gsize i = 0; i < n; i++)
    rests[i] = y[i] - *slope * x[i];
  *intercept = find_median (rests, n);
}
