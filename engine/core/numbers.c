#include "engine/core/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EACH(expression)                                                                           \
  for (gsize i = 0; i < n; i++)                                                                    \
    {                                                                                              \
      double x = a[i * step_a], y = b[i * step_b];                                                 \
                                                                                                   \
      out[i] = (expression);                                                                       \
    }                                                                                              \
  break

void
goban_numbers_pair (GobanNumbersPair pair, double *out, const double *a, gsize step_a,
                    const double *b, gsize step_b, gsize n)
{
  switch (pair)
    {
    case GOBAN_NUMBERS_ADD:
      EACH (x + y);
    case GOBAN_NUMBERS_SUBTRACT:
      EACH (x - y);
    case GOBAN_NUMBERS_MULTIPLY:
      EACH (x * y);
    case GOBAN_NUMBERS_DIVIDE:
      EACH (x / y);
    case GOBAN_NUMBERS_POWER:
      EACH (pow (x, y));
    case GOBAN_NUMBERS_LEAST:
      EACH (x < y ? x : y);
    case GOBAN_NUMBERS_MOST:
      EACH (x > y ? x : y);
    case GOBAN_NUMBERS_LESS:
      EACH (x < y);
    case GOBAN_NUMBERS_LESS_OR_EQUAL:
      EACH (x <= y);
    case GOBAN_NUMBERS_GREATER:
      EACH (x > y);
    case GOBAN_NUMBERS_GREATER_OR_EQUAL:
      EACH (x >= y);
    case GOBAN_NUMBERS_EQUAL:
      EACH (x == y);
    case GOBAN_NUMBERS_UNEQUAL:
      EACH (x != y);
    }
}

#undef EACH
#define EACH(expression)                                                                           \
  for (gsize i = 0; i < n; i++)                                                                    \
    out[i] = (expression);                                                                         \
  break

void
goban_numbers_map (GobanNumbersMap map, double *out, const double *a, gsize n)
{
  double sum = 0;

  switch (map)
    {
    case GOBAN_NUMBERS_EXP:
      EACH (exp (a[i]));
    case GOBAN_NUMBERS_LOG:
      EACH (log (a[i]));
    case GOBAN_NUMBERS_ABS:
      EACH (fabs (a[i]));
    case GOBAN_NUMBERS_SQRT:
      EACH (sqrt (a[i]));
    case GOBAN_NUMBERS_FLOOR:
      EACH (floor (a[i]));
    case GOBAN_NUMBERS_NEGATIVE:
      EACH (-a[i]);
    case GOBAN_NUMBERS_RUNNING_SUM:
      EACH (sum += a[i]);
    }
}

/* --- one number of many ----------------------------------------------------------------------- */

static double
sum_of (const double *a, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

static double
spread_of (const double *a, gsize n)
{
  double mean = 0, squares = 0;

  for (gsize i = 0; i < n; i++)
    mean += a[i] - a[0]; /* so that equal numbers have no spread */
  if (n > 0)
    mean = a[0] + mean / (double) n;
  for (gsize i = 0; i < n; i++)
    squares += (a[i] - mean) * (a[i] - mean);
  return n > 1 ? sqrt (squares / (double) (n - 1)) : (double) NAN;
}

gsize
goban_numbers_find_least (const double *a, gsize n, double sign)
{
  gsize found = n;

  for (gsize i = 0; i < n; i++)
    if (!isnan (a[i]) && (found == n || sign * a[i] < sign * a[found]))
      found = i;
  return found;
}

double
goban_numbers_fold (GobanNumbersFold fold, const double *a, gsize n)
{
  gsize found, count = 0;

  switch (fold)
    {
    case GOBAN_NUMBERS_SUM:
      return sum_of (a, n);
    case GOBAN_NUMBERS_MEAN:
      return n > 0 ? sum_of (a, n) / (double) n : (double) NAN;
    case GOBAN_NUMBERS_SPREAD:
      return spread_of (a, n);
    case GOBAN_NUMBERS_MIN:
    case GOBAN_NUMBERS_MAX:
      found = goban_numbers_find_least (a, n, fold == GOBAN_NUMBERS_MIN ? 1 : -1);
      return found < n ? a[found] : (double) NAN;
    case GOBAN_NUMBERS_COUNT:
      for (gsize i = 0; i < n; i++)
        count += a[i] != 0;
      return (double) count;
    }
  g_return_val_if_reached (NAN);
}

double
goban_numbers_quantile (const double *sorted, gsize n, double q)
{
  double place = q * (double) (n - 1);
  gsize below;

  if (n == 0)
    return NAN;
  below = MIN ((gsize) place, n - 1);
  if (below + 1 == n || place == (double) below)
    return sorted[below];
  return sorted[below] + (place - (double) below) * (sorted[below + 1] - sorted[below]);
}

/* --- order and groups ------------------------------------------------------------------------- */

typedef struct
{
  double value;
  guint32 i;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  if (isnan (x->value) || isnan (y->value))
    {
      int order = (isnan (x->value) != 0) - (isnan (y->value) != 0);

      return order != 0 ? order : (x->i > y->i) - (x->i < y->i);
    }
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return (x->i > y->i) - (x->i < y->i);
}

void
goban_numbers_order (guint32 *order, const double *a, gsize n)
{
  Place *places = g_new (Place, n);

  for (gsize i = 0; i < n; i++)
    places[i] = (Place){ a[i], (guint32) i };
  if (n > 1)
    qsort (places, n, sizeof *places, compare_places);
  for (gsize i = 0; i < n; i++)
    order[i] = places[i].i;
  g_free (places);
}

void
goban_numbers_sort (double *out, const double *a, gsize n)
{
  guint32 *order = g_new (guint32, n);
  double *copy = g_memdup2 (a, n * sizeof *a);

  goban_numbers_order (order, copy, n);
  for (gsize i = 0; i < n; i++)
    out[i] = copy[order[i]];
  g_free (copy);
  g_free (order);
}

gsize
goban_numbers_group (guint32 *group, double *keys, const double *a, gsize n)
{
  guint32 *order = g_new (guint32, n);
  gsize n_keys = 0;

  goban_numbers_order (order, a, n);
  for (gsize i = 0; i < n; i++)
    {
      double value = a[order[i]];

      /* All NAN are one group. */
      if (n_keys == 0
          || (value != keys[n_keys - 1] && !(isnan (value) && isnan (keys[n_keys - 1]))))
        keys[n_keys++] = value;
      group[order[i]] = (guint32) (n_keys - 1);
    }
  g_free (order);
  return n_keys;
}

void
goban_numbers_gather_groups (double *out, gsize *begins, gsize n_groups, const double *a,
                             const guint32 *group, gsize n)
{
  memset (begins, 0, (n_groups + 1) * sizeof *begins);
  for (gsize i = 0; i < n; i++)
    begins[group[i] + 1]++;
  for (gsize k = 0; k < n_groups; k++)
    begins[k + 1] += begins[k];
  /* While it is filled, a group begins where its next number goes; in the end where the next one
   * begins. */
  for (gsize i = 0; i < n; i++)
    out[begins[group[i]]++] = a[i];
  memmove (begins + 1, begins, n_groups * sizeof *begins);
  begins[0] = 0;
}
