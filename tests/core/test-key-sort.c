/* Sorting by keys against qsort, with all that floating point has to offer. */
#include "engine/core/key-sort.h"
#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <stdlib.h>

static const double *the_keys;

/* Equal keys by number, for order begins ascending. */
static int
compare (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (the_keys[x] != the_keys[y])
    return the_keys[x] < the_keys[y] ? -1 : 1;
  return x < y ? -1 : 1;
}

static double
draw_key (GobanRng *rng, guint kind)
{
  static const double odd[] = { 0.0, -0.0, INFINITY, -INFINITY, 5e-324, -5e-324, 1e308, -1e308 };

  if (kind == 0)
    return odd[goban_rng_below (rng, G_N_ELEMENTS (odd))];
  if (kind == 1)
    return goban_rng_below (rng, 10); /* many are equal */
  if (kind == 2)
    return goban_rng_below (rng, 3)
           + ldexp (1 + goban_rng_uniform (rng), -24); /* few differ in their upper bits */
  return ldexp (goban_rng_uniform (rng) - 0.5, (int) goban_rng_below (rng, 60) - 30);
}

static void
test_is_qsort (void)
{
  static const guint sizes[] = { 0, 1, 2, 3, 63, 64, 65, 1000, 20000 };
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint kind = 0; kind < 4; kind++)
      {
        guint n = sizes[s];
        g_autofree double *keys = g_new (double, n + 1);
        g_autofree guint32 *order = g_new (guint32, n + 1);
        g_autofree guint32 *wanted = g_new (guint32, n + 1);

        for (guint i = 0; i < n; i++)
          {
            keys[i] = draw_key (&rng, kind);
            order[i] = wanted[i] = i;
          }
        the_keys = keys;
        qsort (wanted, n, sizeof *wanted, compare);
        goban_key_sort (order, keys, n);
        g_assert_cmpmem (order, n * sizeof *order, wanted, n * sizeof *wanted);
      }
}

/* A key list may be longer than the order: only those that are named are sorted. */
static void
test_keeps_order_of_equals (void)
{
  const double keys[] = { 1, 9, 1, 9, 1 };
  guint32 order[] = { 4, 0, 2, 1 };
  const guint32 wanted[] = { 4, 0, 2, 1 };

  goban_key_sort (order, keys, 4);
  g_assert_cmpmem (order, sizeof order, wanted, sizeof wanted);
}

TEST_PROGRAM (key_sort)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/key-sort/is-qsort", test_is_qsort);
  g_test_add_func ("/base/key-sort/keeps-order-of-equals", test_keeps_order_of_equals);
  return g_test_run ();
}
