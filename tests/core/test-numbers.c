/* Orders and groups of numbers, also of those that are none; tests/lua/arrays.lua has the rest. */
#include "engine/core/numbers.h"

#include "tests/support/test-program.h"

#include <math.h>

static void
test_order (void)
{
  static const double a[] = { 3, NAN, 1, 3, NAN, -INFINITY };
  static const guint32 expected[] = { 5, 2, 0, 3, 1, 4 };
  guint32 order[6];

  goban_numbers_order (order, a, 6);
  g_assert_cmpmem (order, sizeof order, expected, sizeof expected);
  goban_numbers_order (order, a, 0);
  g_assert_cmpuint (goban_numbers_find_least (a, 6, 1), ==, 5);
  g_assert_cmpuint (goban_numbers_find_least (a, 6, -1), ==, 0);
  g_assert_cmpuint (goban_numbers_find_least (a + 1, 1, 1), ==, 1);
}

/* Every number is in the group of its key, keys rise, and groups are gathered as they stand. */
static void
test_groups (void)
{
  for (guint round = 0; round < 100; round++)
    {
      gsize n = (gsize) g_test_rand_int_range (0, 50);
      double a[50], keys[50], gathered[50];
      guint32 group[50];
      gsize begins[51], n_keys;

      for (gsize i = 0; i < n; i++)
        a[i] = g_test_rand_int_range (0, 9) == 0 ? (double) NAN : g_test_rand_int_range (-4, 4);
      n_keys = goban_numbers_group (group, keys, a, n);
      for (gsize k = 1; k < n_keys; k++)
        g_assert_true (keys[k - 1] < keys[k] || isnan (keys[k]));
      for (gsize i = 0; i < n; i++)
        {
          g_assert_cmpuint (group[i], <, n_keys);
          g_assert_true (keys[group[i]] == a[i] || (isnan (a[i]) && isnan (keys[group[i]])));
        }
      for (gsize i = 0; i < n; i++)
        a[i] = (double) i;
      goban_numbers_gather_groups (gathered, begins, n_keys, a, group, n);
      g_assert_true (begins[0] == 0 && begins[n_keys] == n);
      for (gsize k = 0; k < n_keys; k++)
        for (gsize i = begins[k]; i < begins[k + 1]; i++)
          {
            g_assert_cmpuint (group[(gsize) gathered[i]], ==, k);
            g_assert_true (i == begins[k] || gathered[i - 1] < gathered[i]);
          }
      g_assert_cmpfloat (goban_numbers_fold (GOBAN_NUMBERS_SUM, gathered, n), ==,
                         (double) (n * (n - 1)) / 2);
      goban_numbers_sort (gathered, gathered, n);
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat (gathered[i], ==, (double) i);
    }
}

/* Numbers and arrays with each other, in place too. */
static void
test_pairs (void)
{
  double a[] = { 1, -2, 4 };
  static const double b[] = { 2, -2, 0.5 }, half = 0.5;
  double out[3];

  goban_numbers_pair (GOBAN_NUMBERS_POWER, out, a, 1, b, 1, 3);
  g_assert_true (out[0] == 1 && out[1] == 0.25 && out[2] == 2);
  goban_numbers_pair (GOBAN_NUMBERS_LESS_OR_EQUAL, out, a, 1, b, 1, 3);
  g_assert_true (out[0] == 1 && out[1] == 1 && out[2] == 0);
  goban_numbers_pair (GOBAN_NUMBERS_DIVIDE, a, &half, 0, a, 1, 3);
  g_assert_true (a[0] == 0.5 && a[1] == -0.25 && a[2] == 0.125);
  goban_numbers_map (GOBAN_NUMBERS_RUNNING_SUM, a, a, 3);
  g_assert_true (a[0] == 0.5 && a[1] == 0.25 && a[2] == 0.375);
}

/* Known values, by linear interpolation. */
static void
test_quantiles (void)
{
  static const double sorted[] = { 1, 2, 4, 8 };

  g_assert_cmpfloat (goban_numbers_quantile (sorted, 4, 0), ==, 1);
  g_assert_cmpfloat (goban_numbers_quantile (sorted, 4, 0.5), ==, 3);
  g_assert_cmpfloat (goban_numbers_quantile (sorted, 4, 0.75), ==, 5);
  g_assert_cmpfloat (goban_numbers_quantile (sorted, 4, 1), ==, 8);
  g_assert_cmpfloat (goban_numbers_quantile (sorted, 1, 0.3), ==, 1);
  g_assert_true (isnan (goban_numbers_quantile (sorted, 0, 0.5)));
}

TEST_PROGRAM (numbers)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/numbers/order", test_order);
  g_test_add_func ("/core/numbers/groups", test_groups);
  g_test_add_func ("/core/numbers/pairs", test_pairs);
  g_test_add_func ("/core/numbers/quantiles", test_quantiles);
  return g_test_run ();
}
