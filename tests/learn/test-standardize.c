/* test-standardize.c: columns brought to one mean and deviation, with and without weights. */
#include "engine/learn/nn/layernorm.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  N = 7,
  A = 35 /* more than one block of columns */
};

typedef struct
{
  const float *w;
  float x[N * A], y[N * A], inverse[A], weights[N * A];
} Layer;

/* Sums to 1; one row counts for nothing. */
static const float uneven[N] = { 0.25f, 0.125f, 0.0f, 0.125f, 0.25f, 0.125f, 0.125f };

static double
loss (gpointer data)
{
  Layer *self = data;

  goban_standardize_forward (self->y, self->inverse, self->x, self->w, N, A);
  return grad_dot (self->y, self->weights, N * A);
}

static void
fill (Layer *self, const float *w)
{
  self->w = w;
  grad_fill (self->x, N * A, 2, 1);
  grad_fill (self->weights, N * A, 1, 2);
}

static double
weight_of (const float *w, int n)
{
  return w != NULL ? (double) w[n] : 1.0 / N;
}

static void
check_twin (const float *w)
{
  Layer self;

  fill (&self, w);
  loss (&self);
  for (int a = 0; a < A; a++)
    {
      double mean = 0, variance = 1e-6;

      for (int n = 0; n < N; n++)
        mean += weight_of (w, n) * (double) self.x[n * A + a];
      for (int n = 0; n < N; n++)
        variance += weight_of (w, n) * pow ((double) self.x[n * A + a] - mean, 2);
      g_assert_cmpfloat_with_epsilon ((double) self.inverse[a], 1 / sqrt (variance), 1e-6);
      for (int n = 0; n < N; n++)
        g_assert_cmpfloat_with_epsilon ((double) self.y[n * A + a],
                                        ((double) self.x[n * A + a] - mean) / sqrt (variance),
                                        2e-6);
    }
}

static void
test_twin (void)
{
  check_twin (NULL);
  check_twin (uneven);
}

static void
check_gradient (const float *w)
{
  Layer self;
  float dx[N * A] = { 0 };
  GradArray array = { "x", self.x, dx, N * A };

  fill (&self, w);
  loss (&self);
  goban_standardize_backward (dx, self.weights, self.y, self.inverse, w, N, A);
  grad_check_assert (loss, &self, &array, 1, 0.02, 5e-3);
}

static void
test_gradient (void)
{
  check_gradient (NULL);
  check_gradient (uneven);
}

/* A gradient made as if all rows weighed the same must be found. */
static void
test_planted (void)
{
  Layer self;
  float dx[N * A] = { 0 };
  GradArray array = { "x", self.x, dx, N * A };
  GradReport report;

  fill (&self, uneven);
  loss (&self);
  goban_standardize_backward (dx, self.weights, self.y, self.inverse, NULL, N, A);
  report = grad_check (loss, &self, &array, 1, 0.02, 5e-3);
  g_assert_cmpuint (report.n_wrong, >, N * A / 2);
}

/* A column that says the same of every row says nothing, and its gradient is finite. */
static void
test_flat (void)
{
  const float x[] = { 3, 3, 3, 3 };
  float y[4], inverse, dx[4] = { 0 };

  goban_standardize_forward (y, &inverse, x, NULL, 4, 1);
  g_assert_cmpfloat_with_epsilon (inverse, 1000, 0.01f);
  goban_standardize_backward (dx, x, y, &inverse, NULL, 4, 1);
  for (int n = 0; n < 4; n++)
    {
      g_assert_cmpfloat (y[n], ==, 0);
      g_assert_cmpfloat_with_epsilon (dx[n], 0, 1e-6f);
    }
}

/* Rows in another order, and their weights: the same outputs in that order. Weights that are all
 * equal are as good as none. */
static void
test_permuted (void)
{
  static const int order[N] = { 2, 5, 0, 6, 1, 4, 3 };
  Layer self, other;
  float w[N];

  fill (&self, uneven);
  fill (&other, w);
  for (int n = 0; n < N; n++)
    {
      w[n] = uneven[order[n]];
      memcpy (other.x + n * A, self.x + order[n] * A, A * sizeof *other.x);
    }
  loss (&self);
  loss (&other);
  for (int n = 0; n < N; n++)
    for (int a = 0; a < A; a++)
      g_assert_cmpfloat_with_epsilon (other.y[n * A + a], self.y[order[n] * A + a], 1e-6f);

  for (int n = 0; n < N; n++)
    w[n] = 1.0f / N;
  loss (&other);
  self.w = NULL;
  memcpy (self.x, other.x, sizeof self.x);
  loss (&self);
  for (int i = 0; i < N * A; i++)
    g_assert_cmpfloat_with_epsilon (other.y[i], self.y[i], 1e-6f);
}

/* No scale and no shift of a column is seen. */
static void
test_same_for_all (void)
{
  Layer self, other;

  fill (&self, NULL);
  fill (&other, NULL);
  for (int i = 0; i < N * A; i++)
    other.x[i] = 8 * self.x[i] + (float) (i % A);
  loss (&self);
  loss (&other);
  for (int i = 0; i < N * A; i++)
    g_assert_cmpfloat_with_epsilon (other.y[i], self.y[i], 1e-5f);
}

TEST_PROGRAM (standardize)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/standardize/twin", test_twin);
  g_test_add_func ("/standardize/gradient", test_gradient);
  g_test_add_func ("/standardize/planted", test_planted);
  g_test_add_func ("/standardize/flat", test_flat);
  g_test_add_func ("/standardize/permuted", test_permuted);
  g_test_add_func ("/standardize/same-for-all", test_same_for_all);
  return g_test_run ();
}
