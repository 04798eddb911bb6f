#include "engine/measure/spread.h"

#include <math.h>
#include <stdlib.h>

#define LOW 0.1
#define HIGH 0.9

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

double
goban_quantile (const double *sorted, gsize n, double p)
{
  double at = p * (double) (n - 1);
  gsize below = (gsize) floor (at);
  gsize above = MIN (below + 1, n - 1);

  return sorted[below] + (at - (double) below) * (sorted[above] - sorted[below]);
}

GobanSpread
goban_spread_new (const double *values, gsize n)
{
  g_autofree double *sorted = sort (values, n);

  return (GobanSpread){ goban_quantile (sorted, n, 0.5), goban_quantile (sorted, n, LOW),
                        goban_quantile (sorted, n, HIGH) };
}

double
goban_spread_get_relative (const GobanSpread *self)
{
  return self->median > 0 ? (self->high - self->low) / self->median : 0;
}

static double
find_median (const double *values, gsize n)
{
  return n > 0 ? goban_spread_new (values, n).median : 0;
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
