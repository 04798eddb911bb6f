#include "engine/core/rng.h"
#include "tests/support/test-program.h"

/* First outputs of xoshiro256** for the seed 42 through splitmix64, from an independent program. */
static void
test_repeats (void)
{
  GobanRng a, b;

  goban_rng_init (&a, 42);
  goban_rng_init (&b, 42);
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (goban_rng_next (&a), ==, goban_rng_next (&b));

  goban_rng_init (&a, 42);
  goban_rng_init (&b, 43);
  g_assert_cmpuint (goban_rng_next (&a), !=, goban_rng_next (&b));

  goban_rng_init (&a, 42);
  g_assert_cmpuint (goban_rng_next (&a), ==, G_GUINT64_CONSTANT (1546998764402558742));
}

static void
test_below_is_even (void)
{
  guint counts[7] = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < 70000; i++)
    counts[goban_rng_below (&rng, 7)]++;

  /* Standard deviation 93: five of them on either side. */
  for (guint i = 0; i < 7; i++)
    g_assert_cmpuint (ABS ((int) counts[i] - 10000), <, 465);
  g_assert_cmpuint (goban_rng_below (&rng, 1), ==, 0);
}

static void
test_uniform_stays_inside (void)
{
  GobanRng rng;
  double sum = 0;

  goban_rng_init (&rng, 7);
  for (guint i = 0; i < 100000; i++)
    {
      double u = goban_rng_uniform (&rng);

      g_assert_true (u >= 0 && u < 1);
      sum += u;
    }
  g_assert_cmpfloat_with_epsilon (sum / 100000, 0.5, 0.005);
}

static void
test_shuffle_permutes (void)
{
  guint32 values[100];
  gboolean seen[100] = { FALSE };
  guint n_fixed = 0;
  GobanRng rng;

  for (guint i = 0; i < 100; i++)
    values[i] = i;
  goban_rng_init (&rng, 3);
  goban_rng_shuffle (&rng, values, 100);

  for (guint i = 0; i < 100; i++)
    {
      g_assert_false (seen[values[i]]);
      seen[values[i]] = TRUE;
      n_fixed += values[i] == i;
    }
  g_assert_cmpuint (n_fixed, <, 10);
}

TEST_PROGRAM (rng)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/rng/repeats", test_repeats);
  g_test_add_func ("/base/rng/below-is-even", test_below_is_even);
  g_test_add_func ("/base/rng/uniform-stays-inside", test_uniform_stays_inside);
  g_test_add_func ("/base/rng/shuffle-permutes", test_shuffle_permutes);
  return g_test_run ();
}
