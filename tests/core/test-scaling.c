/* test-scaling.c: the model is exact where its terms are known. */
#include "engine/core/ranks/scaling.h"
#include "tests/support/test-program.h"

#include <string.h>

/* 10 updates of 32 items of 1 ms, measured by a rank of four; 2 ms are its own. */
static GobanScaling
sample (void)
{
  return (GobanScaling){ .n_updates = 10,
                         .n_items = 320,
                         .n_own_items = 80,
                         .own_seconds = 0.080,
                         .exchange_seconds = 0.010,
                         .seconds = 0.110,
                         .n_exchanges = 20,
                         .n_sums = 10,
                         .vector_bytes = 8000 };
}

static void
test_terms (void)
{
  GobanScaling scaling = sample ();
  GobanNetwork none = { 0, 1e30 };
  GobanNetwork slow = { 1e-3, 8e6 };

  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &none, 1), 0.034, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &none, 4), 0.010, 1e-9);
  /* Seven have to wait for the one with five items. */
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &none, 7), 0.007, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &none, 64), 0.003, 1e-9);
  /* Alone nothing is sent; four take two steps of two messages, twice, and three vectors. */
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &slow, 1), 0.034, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &slow, 4),
                                  0.010 + 2 * 4e-3 + 3e-3, 1e-9);
  /* Of a long vector, a slice of each and then the others' sums; two more messages. */
  scaling.vector_bytes = 80000;
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&scaling, &slow, 4),
                                  0.010 + 2 * 6e-3 + 15e-3, 1e-9);
}

/* Of four ranks one has no items and waits. */
static void
test_average (void)
{
  GobanScaling ranks[4] = { sample (), sample (), sample (), sample () };
  GobanScaling mean;

  ranks[0].n_own_items = 0;
  ranks[0].own_seconds = 0;
  ranks[0].exchange_seconds = 0.090;
  mean = goban_scaling_average (ranks, 4);
  g_assert_cmpfloat_with_epsilon (mean.own_seconds / mean.n_own_items, 0.001, 1e-12);
  g_assert_cmpfloat_with_epsilon (mean.exchange_seconds, 0.030, 1e-12);
  g_assert_cmpuint (mean.n_items, ==, 320);
  g_assert_cmpfloat_with_epsilon (goban_scaling_predict (&mean, &(GobanNetwork){ 0, 1e30 }, 32),
                                  0.003, 1e-9);
}

static void
test_most (void)
{
  GobanScaling scaling = sample ();
  GobanNetwork none = { 0, 1e30 };
  GobanNetwork slow = { 1e-3, 8e6 };
  GobanScaling nothing = { .n_updates = 3, .seconds = 1 };
  GobanNetwork usual = goban_network_default ();
  g_autofree char *text = goban_scaling_to_text (&scaling, &none, 4);
  g_autofree char *empty = goban_scaling_to_text (&nothing, &usual, 1);

  /* 34 / (16 x 4) = 0.53; 34 / (32 x 3) = 0.35 */
  g_assert_cmpuint (goban_scaling_find_most (&scaling, &none), ==, 16);
  g_assert_cmpuint (goban_scaling_find_most (&scaling, &slow), ==, 2);
  g_assert_nonnull (strstr (text, "\n              16        4.000      8.50        53 %\n"));
  g_assert_nonnull (strstr (text, "up to 16 ranks"));
  g_assert_nonnull (strstr (empty, "nothing was shared"));
}

TEST_PROGRAM (scaling)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranks/scaling/terms", test_terms);
  g_test_add_func ("/ranks/scaling/average", test_average);
  g_test_add_func ("/ranks/scaling/most", test_most);
  return g_test_run ();
}
