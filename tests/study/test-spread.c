/* Medians, spreads and lines of measurements; ranges of random weights. */
#include "engine/study/measure/random-fill.h"
#include "engine/study/measure/spread.h"

#include "engine/io/onnx/onnx-tensor.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static void
test_quantiles (void)
{
  const double values[] = { 11, 1, 3, 2, 4, 5, 6, 7, 9, 8, 10 }; /* 1 to 11 */
  GobanSpread spread = goban_spread_new (values, 11);
  GobanSpread one = goban_spread_new (values, 1);

  g_assert_cmpfloat (spread.median, ==, 6);
  g_assert_cmpfloat (spread.low, ==, 2);
  g_assert_cmpfloat (spread.high, ==, 10);
  g_assert_cmpfloat (values[0], ==, 11);
  g_assert_cmpfloat (spread.middle, ==, 5);
  g_assert_cmpfloat (one.low, ==, 11);
  g_assert_true (goban_spread_is_even (&one, 1));
}

#define N_REPEATS 25

/* Repeats of 100, with a jitter of 1 %, the last @n_slow of which take @slow. */
static GobanSpread
repeat (guint n_slow, double slow)
{
  double values[N_REPEATS];

  for (guint i = 0; i < N_REPEATS; i++)
    values[i] = (i < N_REPEATS - n_slow ? 100 : slow) + i % 3;
  return goban_spread_new (values, N_REPEATS);
}

/* Single interruptions are no reason to doubt a median; a machine that changes between two speeds,
 * or makes all repeats differ, is. */
static void
test_even (void)
{
  static const struct
  {
    guint n_slow;
    double slow;
    guint n_outliers;
    gboolean is_even;
  } cases[] = {
    { 0, 0, 0, TRUE },    { 1, 1000, 1, TRUE }, { 5, 140, 5, TRUE },
    { 6, 130, 6, FALSE }, { 8, 130, 0, FALSE }, { 12, 130, 0, FALSE },
  };
  double values[N_REPEATS];
  GobanSpread spread;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      spread = repeat (cases[i].n_slow, cases[i].slow);
      g_assert_cmpuint (spread.n_outliers, ==, cases[i].n_outliers);
      g_assert_cmpint (goban_spread_is_even (&spread, N_REPEATS), ==, cases[i].is_even);
    }
  for (guint i = 0; i < N_REPEATS; i++)
    values[i] = 100 + i;
  spread = goban_spread_new (values, N_REPEATS);
  g_assert_cmpuint (spread.n_outliers, ==, 0);
  g_assert_false (goban_spread_is_even (&spread, N_REPEATS));
}

static void
test_settled (void)
{
  const double steady[] = { 100, 101, 900, 100, 101, 100, 102, 101 };
  const double warming[] = { 120, 118, 115, 110, 101, 100, 100, 100 };

  g_assert_true (goban_spread_is_settled (steady, G_N_ELEMENTS (steady)));
  g_assert_false (goban_spread_is_settled (warming, G_N_ELEMENTS (warming)));
}

/* y = 3 + 2 x, but for one that is far off. */
static void
test_line (void)
{
  const double x[] = { 0, 1, 2, 3, 4 }, y[] = { 3, 5, 700, 9, 11 };
  double slope, intercept;

  goban_fit_line (x, y, 5, &slope, &intercept);
  g_assert_cmpfloat (slope, ==, 2);
  g_assert_cmpfloat (intercept, ==, 3);
  goban_fit_line (x, y, 1, &slope, &intercept);
  g_assert_cmpfloat (slope, ==, 0);
  g_assert_cmpfloat (intercept, ==, 3);
}

static void
test_floats (void)
{
  static const gint64 matrix[] = { 600, 4 }, kernel[] = { 8, 6, 10, 10 }, vector[] = { 8 };
  GobanRandomRange range = goban_random_weight_range (matrix, 2);
  float a[100], b[100], c[100];
  float low = 1, high = -1;

  g_assert_cmpfloat_with_epsilon (range.high, 0.1, 1e-6);
  g_assert_cmpfloat_with_epsilon (goban_random_weight_range (kernel, 4).low, -0.1, 1e-6);
  g_assert_cmpfloat (goban_random_weight_range (vector, 1).low, >, 0);
  goban_random_fill (a, sizeof a, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, range, 1);
  goban_random_fill (b, sizeof b, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, range, 1);
  goban_random_fill (c, sizeof c, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, range, 2);
  g_assert_cmpmem (a, sizeof a, b, sizeof b);
  g_assert_cmpint (memcmp (a, c, sizeof a), !=, 0);
  for (guint i = 0; i < 100; i++)
    {
      low = MIN (low, a[i]);
      high = MAX (high, a[i]);
    }
  g_assert_cmpfloat (low, >=, range.low);
  g_assert_cmpfloat (low, <, range.low / 2);
  g_assert_cmpfloat (high, <, range.high);
  g_assert_cmpfloat (high, >, range.high / 2);
}

/* 0.5 to 1.5 in each format: the exponents that this has in halves are 14 and 15. */
static void
test_other_types (void)
{
  GobanRandomRange range = { 0.5f, 1.5f };
  guint16 halves[50], brains[50];
  double doubles[50];
  guint8 small[50];
  gint64 indices[3] = { 7, 7, 7 };

  goban_random_fill (halves, sizeof halves, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16, range, 3);
  goban_random_fill (brains, sizeof brains, ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16, range, 3);
  goban_random_fill (doubles, sizeof doubles, ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE, range, 3);
  goban_random_fill (small, sizeof small, ONNX__TENSOR_PROTO__DATA_TYPE__UINT8, range, 3);
  goban_random_fill (indices, sizeof indices, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, range, 3);
  for (guint i = 0; i < 50; i++)
    {
      guint32 bits = (guint32) brains[i] << 16;
      float brain;

      memcpy (&brain, &bits, sizeof brain);
      g_assert_cmpfloat (brain, >=, 0.49f);
      g_assert_cmpfloat (brain, <=, 1.5f);
      g_assert_cmpuint (halves[i] >> 10, >=, 14);
      g_assert_cmpuint (halves[i] >> 10, <=, 15);
      g_assert_cmpfloat (doubles[i], >=, 0.5);
      g_assert_cmpfloat (doubles[i], <, 1.5);
      g_assert_cmpuint (small[i], <, 4);
    }
  g_assert_cmpint (indices[0] | indices[1] | indices[2], ==, 0);
}

TEST_PROGRAM (spread)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/spread/quantiles", test_quantiles);
  g_test_add_func ("/measure/spread/even", test_even);
  g_test_add_func ("/measure/spread/settled", test_settled);
  g_test_add_func ("/measure/spread/line", test_line);
  g_test_add_func ("/measure/random/floats", test_floats);
  g_test_add_func ("/measure/random/other-types", test_other_types);
  return g_test_run ();
}
