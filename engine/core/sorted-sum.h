/* sorted-sum.h: sum of floating-point numbers that does not depend on the order of its terms. */
#pragma once

#include <glib.h>

/* Sum from the smallest value to the largest. values, sorted (n): the second is overwritten.
 * O(n^2), for few values. */
static inline double
goban_sorted_sum (const double *values, guint n, double *sorted)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      guint j = i;

      for (; j > 0 && sorted[j - 1] > values[i]; j--)
        sorted[j] = sorted[j - 1];
      sorted[j] = values[i];
    }
  for (guint i = 0; i < n; i++)
    sum += sorted[i];
  return sum;
}
