#include "engine/core/pattern-search.h"

#include <math.h>
#include <string.h>

#define FIRST_FACTOR 2.0
#define LAST_FACTOR 1.0002

/* The @move-th neighbour of @from: digits of @move in base 3 say for each value whether it is kept,
 * multiplied or divided. Returns how many values it changes. */
static guint
make_neighbour (const double *from, guint n, guint move, double factor, double *to)
{
  guint n_changed = 0;

  for (guint i = 0; i < n; i++, move /= 3)
    {
      to[i] = from[i] * (move % 3 == 1 ? factor : move % 3 == 2 ? 1 / factor : 1);
      n_changed += move % 3 != 0;
    }
  return n_changed;
}

/* Goes to the best neighbour that changes one value or, if @several, more than one. */
static gboolean
step (double *best, guint n, double factor, gboolean several, GobanPatternError error_of,
      gpointer data, double *error)
{
  guint n_moves = (guint) pow (3, n);
  double from[GOBAN_PATTERN_MOST], tried[GOBAN_PATTERN_MOST];
  gboolean is_better = FALSE;

  memcpy (from, best, n * sizeof *from);
  for (guint move = 1; move < n_moves; move++)
    if ((make_neighbour (from, n, move, factor, tried) > 1) == several)
      {
        double tried_error = error_of (tried, data);

        if (!(tried_error < *error))
          continue;
        *error = tried_error;
        memcpy (best, tried, n * sizeof *best);
        is_better = TRUE;
      }
  return is_better;
}

double
goban_pattern_search (const double *start, guint n, GobanPatternError error_of, gpointer data,
                      double *best)
{
  double error = error_of (start, data);

  g_return_val_if_fail (n <= GOBAN_PATTERN_MOST, error);

  memmove (best, start, n * sizeof *best);
  for (double factor = FIRST_FACTOR; factor > LAST_FACTOR; factor = sqrt (factor))
    while (step (best, n, factor, FALSE, error_of, data, &error)
           || step (best, n, factor, TRUE, error_of, data, &error))
      ;
  return error;
}
