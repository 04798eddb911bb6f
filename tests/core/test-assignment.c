/* The solver against all permutations. */
#include "engine/core/assignment.h"
#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>

#define MOST 6

static double
find_best (const double *gains, guint n, guint row, guint taken)
{
  double best = row == n ? 0 : -INFINITY;

  for (guint c = 0; c < n && row < n; c++)
    if ((taken >> c & 1) == 0)
      best = fmax (best, gains[row * n + c] + find_best (gains, n, row + 1, taken | 1u << c));
  return best;
}

/* Whole numbers, some negative, so that sums are exact and ties abound. */
static void
test_all_permutations (void)
{
  GobanRng rng;

  goban_rng_init (&rng, 7);
  for (guint round = 0; round < 400; round++)
    {
      guint n = goban_rng_below (&rng, MOST + 1);
      double gains[MOST * MOST], sum = 0;
      guint32 column_of[MOST];
      guint seen = 0;

      for (guint i = 0; i < n * n; i++)
        gains[i] = (double) goban_rng_below (&rng, 12) - 4;
      g_assert_cmpfloat (goban_assignment_solve (gains, n, column_of), ==,
                         find_best (gains, n, 0, 0));
      for (guint r = 0; r < n; r++)
        {
          sum += gains[r * n + column_of[r]];
          seen |= 1u << column_of[r];
        }
      g_assert_cmpuint (seen, ==, (1u << n) - 1);
      g_assert_cmpfloat (sum, ==, find_best (gains, n, 0, 0));
    }
}

TEST_PROGRAM (assignment)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/assignment/all-permutations", test_all_permutations);
  return g_test_run ();
}
