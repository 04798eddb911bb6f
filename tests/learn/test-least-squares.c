/* test-least-squares.c: weights learned example by example solve the normal equations, and the
 * error falls. */
#include "engine/learn/nn/least-squares.h"

#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  F = 5,
  N = F + 1, /* with the constant */
  MOST = 40
};

#define VARIANCE 2.5

typedef struct
{
  guint n;
  float x[MOST][F];
  double y[MOST];
} Examples;

static Examples
draw_examples (guint64 seed, guint n)
{
  Examples self = { .n = n };
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint i = 0; i < n; i++)
    {
      for (guint k = 0; k < F; k++)
        self.x[i][k] = (float) (2 * goban_rng_uniform (&rng) - 1);
      self.x[i][2] = self.x[i][1]; /* only the ridge tells the two apart */
      self.y[i]
          = 3 * (double) self.x[i][0] - (double) self.x[i][1] + 0.5 + goban_rng_uniform (&rng);
    }
  return self;
}

static GobanLeastSquares *
learn (const Examples *examples, double variance)
{
  GobanLeastSquares *self = goban_least_squares_new (F, variance);

  for (guint i = 0; i < examples->n; i++)
    goban_least_squares_add (self, examples->x[i], examples->y[i]);
  return self;
}

static double
feature (const Examples *examples, guint i, guint k)
{
  return k < F ? (double) examples->x[i][k] : 1;
}

/* a (N, N + 1): the matrix and the right side, solved in place by elimination. */
static void
eliminate (double a[N][N + 1])
{
  for (guint k = 0; k < N; k++)
    for (guint i = 0; i < N; i++)
      {
        double factor = a[i][k] / a[k][k];

        for (guint j = 0; j <= N && i != k; j++)
          a[i][j] -= factor * a[k][j];
      }
}

static void
assert_normal_equations (const Examples *examples)
{
  g_autoptr (GobanLeastSquares) self = learn (examples, VARIANCE);
  double a[N][N + 1] = { { 0 } };

  for (guint r = 0; r < N; r++)
    {
      a[r][r] = 1 / VARIANCE;
      for (guint i = 0; i < examples->n; i++)
        {
          for (guint c = 0; c < N; c++)
            a[r][c] += feature (examples, i, r) * feature (examples, i, c);
          a[r][N] += feature (examples, i, r) * examples->y[i];
        }
    }
  eliminate (a);
  for (guint r = 0; r < N; r++)
    g_assert_cmpfloat_with_epsilon (goban_least_squares_get_weights (self)[r], a[r][N] / a[r][r],
                                    1e-9);
}

static void
test_normal_equations (void)
{
  static const guint counts[] = { 0, 1, 3, MOST };

  for (guint seed = 1; seed <= 4; seed++)
    for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
      {
        Examples examples = draw_examples (seed, counts[i]);

        assert_normal_equations (&examples);
      }
}

static double
error_of (const GobanLeastSquares *self, const Examples *examples)
{
  double sum = 0;

  for (guint i = 0; i < examples->n; i++)
    {
      double difference = goban_least_squares_predict (self, examples->x[i]) - examples->y[i];

      sum += difference * difference;
    }
  return sum;
}

/* On its own examples, and on others of the same kind. */
static void
test_error_falls (void)
{
  Examples examples = draw_examples (9, MOST);
  Examples others = draw_examples (10, MOST);
  g_autoptr (GobanLeastSquares) nothing = goban_least_squares_new (F, VARIANCE);
  g_autoptr (GobanLeastSquares) learned = learn (&examples, VARIANCE);

  g_assert_cmpfloat (goban_least_squares_predict (nothing, others.x[0]), ==, 0);
  g_assert_cmpfloat (error_of (learned, &examples), <, 0.1 * error_of (nothing, &examples));
  g_assert_cmpfloat (error_of (learned, &others), <, 0.1 * error_of (nothing, &others));
}

/* The less variance is expected, the smaller the weights. */
static void
test_variance (void)
{
  Examples examples = draw_examples (11, MOST);
  g_autoptr (GobanLeastSquares) bold = learn (&examples, 10);
  g_autoptr (GobanLeastSquares) timid = learn (&examples, 1e-3);

  g_assert_cmpfloat (fabs (goban_least_squares_get_weights (timid)[0]), <,
                     0.1 * fabs (goban_least_squares_get_weights (bold)[0]));
}

#define N_DRAWS 4000
#define NOISE 0.5

/* Means and variances of draws, along one direction that examples say much of and one that they say
 * nothing of. */
static void
test_draws (void)
{
  Examples examples = draw_examples (13, MOST);
  g_autoptr (GobanLeastSquares) self = learn (&examples, VARIANCE);
  double sums[2] = { 0 };
  double squares[2] = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 14);
  for (guint i = 0; i < N_DRAWS; i++)
    {
      const double *means = goban_least_squares_get_weights (self);
      double weights[N];
      double differences[2];

      goban_least_squares_draw (self, NOISE, &rng, weights);
      differences[0] = weights[0] - means[0];
      differences[1] = (weights[1] - means[1] - weights[2] + means[2]) / sqrt (2);
      for (guint k = 0; k < 2; k++)
        {
          sums[k] += differences[k] / N_DRAWS;
          squares[k] += differences[k] * differences[k] / N_DRAWS;
        }
    }
  g_assert_cmpfloat (fabs (sums[0]), <, 0.1 * NOISE);
  g_assert_cmpfloat (fabs (sums[1]), <, 0.1 * NOISE);
  g_assert_cmpfloat (squares[0], <, 0.1 * NOISE * NOISE * VARIANCE);
  g_assert_cmpfloat_with_epsilon (squares[1] / (NOISE * NOISE * VARIANCE), 1, 0.15);
}

static void
test_repeatable (void)
{
  Examples examples = draw_examples (12, MOST);
  g_autoptr (GobanLeastSquares) one = learn (&examples, VARIANCE);
  g_autoptr (GobanLeastSquares) two = learn (&examples, VARIANCE);

  g_assert_cmpmem (goban_least_squares_get_weights (one), N * sizeof (double),
                   goban_least_squares_get_weights (two), N * sizeof (double));
}

TEST_PROGRAM (least_squares)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nn/least-squares/normal-equations", test_normal_equations);
  g_test_add_func ("/nn/least-squares/error-falls", test_error_falls);
  g_test_add_func ("/nn/least-squares/variance", test_variance);
  g_test_add_func ("/nn/least-squares/draws", test_draws);
  g_test_add_func ("/nn/least-squares/repeatable", test_repeatable);
  return g_test_run ();
}
