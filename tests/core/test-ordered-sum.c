/* test-ordered-sum.c: a sum has the same bytes however its items are divided. */
#include "engine/core/ranks/ordered-sum.h"
#include "engine/core/ranks/ranks.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N 3

/* The definition: item i takes item i + stride, for strides 1, 2, 4, ... */
static void
sum_plainly (float *items, guint n_items)
{
  for (guint stride = 1; stride < n_items; stride *= 2)
    for (guint i = 0; i + stride < n_items; i += 2 * stride)
      for (guint k = 0; k < N; k++)
        items[i * N + k] += items[(i + stride) * N + k];
}

/* Numbers of very different size, whose sum depends on the order. */
static float *
draw_items (guint n_items)
{
  float *items = g_new (float, (gsize) n_items *N);

  for (guint i = 0; i < n_items * N; i++)
    items[i] = (float) (g_test_rand_double_range (-1, 1)
                        * (double) (1 << g_test_rand_int_range (0, 24)));
  return items;
}

static void
assert_same (const float *items, const guint *bounds, guint n_ranges, guint n_items)
{
  g_autofree float *all = g_new (float, (gsize) n_items *N);
  g_autofree float *plain = g_memdup2 (items, (gsize) n_items * N * sizeof *items);
  gsize n_roots = 0;

  for (guint r = 0; r < n_ranges; r++)
    {
      gsize size = (gsize) (bounds[r + 1] - bounds[r]) * N;
      g_autofree float *mine = g_memdup2 (items + (gsize) bounds[r] * N, size * sizeof *items);
      gsize n = goban_ordered_sum_reduce (mine, bounds[r], bounds[r + 1], n_items, N);

      if (n > 0)
        memcpy (all + n_roots * N, mine, n * N * sizeof *all);
      n_roots += n;
    }
  goban_ordered_sum_join (all, bounds, n_ranges, n_items, N);
  sum_plainly (plain, n_items);
  g_assert_cmpmem (all, N * sizeof *all, plain, N * sizeof *plain);
}

static void
test_shares (void)
{
  for (guint n_items = 1; n_items <= 40; n_items++)
    {
      g_autofree float *items = draw_items (n_items);

      for (guint size = 1; size <= 11; size++)
        {
          guint bounds[12];

          for (guint r = 0; r < size; r++)
            goban_ranks_share (n_items, r, size, &bounds[r], &bounds[r + 1]);
          g_assert_cmpuint (bounds[0], ==, 0);
          g_assert_cmpuint (bounds[size], ==, n_items);
          for (guint r = 0; r < size; r++)
            g_assert_cmpuint (bounds[r + 1] - bounds[r] - n_items / size, <=, 1);
          assert_same (items, bounds, size, n_items);
        }
    }
}

/* Whatever the bounds. */
static void
test_any_bounds (void)
{
  for (guint round = 0; round < 200; round++)
    {
      guint n_items = (guint) g_test_rand_int_range (1, 70);
      guint a = (guint) g_test_rand_int_range (0, (gint32) n_items + 1);
      guint b = (guint) g_test_rand_int_range ((gint32) a, (gint32) n_items + 1);
      guint bounds[] = { 0, a, b, n_items };
      g_autofree float *items = draw_items (n_items);

      assert_same (items, bounds, 3, n_items);
    }
}

/* A share of a power of two is one subtree: one vector goes over the network. */
static void
test_few_roots (void)
{
  float items[8 * N] = { 0 };

  g_assert_cmpuint (goban_ordered_sum_reduce (items, 8, 16, 32, N), ==, 1);
  g_assert_cmpuint (goban_ordered_sum_reduce (items, 16, 21, 21, N), ==, 1);
  g_assert_cmpuint (goban_ordered_sum_reduce (items, 1, 8, 32, N), ==, 3);
  g_assert_cmpuint (goban_ordered_sum_get_width (0, 5, 5), ==, 8);
}

TEST_PROGRAM (ordered_sum)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranks/ordered-sum/shares", test_shares);
  g_test_add_func ("/ranks/ordered-sum/any-bounds", test_any_bounds);
  g_test_add_func ("/ranks/ordered-sum/few-roots", test_few_roots);
  return g_test_run ();
}
