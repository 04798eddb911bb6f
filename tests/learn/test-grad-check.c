/* test-grad-check.c: the checker passes what is right and finds what is not: a sign, a term, a
 * factor, planted in copies of backward functions. */
#include "engine/learn/nn/layernorm.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

enum
{
  N = 3,
  D = 6
};

#define STEP 0.02
#define TOLERANCE 5e-3

typedef struct
{
  float x[N * D], gamma[D], beta[D], y[N * D], mean[N], inverse[N], weights[N * D];
} Layer;

static double
layer_loss (gpointer data)
{
  Layer *self = data;

  goban_layernorm_forward (self->y, self->mean, self->inverse, self->x, self->gamma, self->beta, N,
                           D);
  return grad_dot (self->y, self->weights, N * D);
}

static void
fill_layer (Layer *self)
{
  grad_fill (self->x, N * D, 2, 1);
  grad_fill (self->gamma, D, 1, 2);
  grad_fill (self->beta, D, 1, 3);
  grad_fill (self->weights, N * D, 1, 4);
  layer_loss (self);
}

static GradReport
judge (Layer *self, const float *dx)
{
  GradArray array = { "x", self->x, dx, N * D };

  return grad_check (layer_loss, self, &array, 1, STEP, TOLERANCE);
}

static void
test_right (void)
{
  Layer self;
  float dx[N * D] = { 0 };
  GradReport report;

  fill_layer (&self);
  goban_layernorm_backward (dx, NULL, NULL, self.weights, self.x, self.mean, self.inverse,
                            self.gamma, N, D);
  report = judge (&self, dx);
  g_assert_cmpuint (report.n_checked, ==, N * D);
  g_assert_cmpuint (report.n_wrong, ==, 0);
  g_assert_cmpuint (report.n_wrong_signs, ==, 0);
}

/* goban_layernorm_backward() for x alone, with each of its two means taken in or left out. */
static void
backward_with_terms (const Layer *self, float *dx, double first, double second)
{
  for (int n = 0; n < N; n++)
    {
      double mean_du = 0, mean_udu = 0;

      for (int d = 0; d < D; d++)
        {
          double u = (double) (self->x[n * D + d] - self->mean[n]) * (double) self->inverse[n];
          double du = (double) (self->weights[n * D + d] * self->gamma[d]);

          mean_du += du / D;
          mean_udu += u * du / D;
        }
      for (int d = 0; d < D; d++)
        {
          double u = (double) (self->x[n * D + d] - self->mean[n]) * (double) self->inverse[n];
          double du = (double) (self->weights[n * D + d] * self->gamma[d]);

          dx[n * D + d] = (float) ((double) self->inverse[n]
                                   * (du - first * mean_du - second * u * mean_udu));
        }
    }
}

static void
test_missing_term_is_found (void)
{
  Layer self;
  float dx[N * D];

  fill_layer (&self);
  backward_with_terms (&self, dx, 1, 1);
  g_assert_cmpuint (judge (&self, dx).n_wrong, ==, 0);
  backward_with_terms (&self, dx, 0, 1);
  g_assert_cmpuint (judge (&self, dx).n_wrong, >, N * D / 2);
  backward_with_terms (&self, dx, 1, 0);
  g_assert_cmpuint (judge (&self, dx).n_wrong, >, N * D / 2);
}

static void
test_flipped_sign_is_found (void)
{
  Layer self;
  float dx[N * D];
  GradReport report;

  fill_layer (&self);
  backward_with_terms (&self, dx, 1, -1);
  g_assert_cmpuint (judge (&self, dx).n_wrong, >, 0);

  /* a single element of many */
  backward_with_terms (&self, dx, 1, 1);
  dx[7] = -dx[7];
  report = judge (&self, dx);
  g_assert_cmpuint (report.n_wrong, ==, 1);
  g_assert_cmpuint (report.n_wrong_signs, ==, 1);
  g_assert_cmpuint (report.worst_index, ==, 7);
}

static void
test_small_factor_is_found (void)
{
  Layer self;
  float dx[N * D];

  fill_layer (&self);
  backward_with_terms (&self, dx, 1, 1);
  for (int i = 0; i < N * D; i++)
    dx[i] *= 1.02f;
  g_assert_cmpuint (judge (&self, dx).n_wrong, >, N * D / 2);
}

static void
test_nan_is_found (void)
{
  Layer self;
  float dx[N * D];

  fill_layer (&self);
  backward_with_terms (&self, dx, 1, 1);
  dx[3] = NAN;
  g_assert_cmpuint (judge (&self, dx).n_wrong, ==, 1);
}

TEST_PROGRAM (grad_check)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grad-check/right", test_right);
  g_test_add_func ("/grad-check/missing-term-is-found", test_missing_term_is_found);
  g_test_add_func ("/grad-check/flipped-sign-is-found", test_flipped_sign_is_found);
  g_test_add_func ("/grad-check/small-factor-is-found", test_small_factor_is_found);
  g_test_add_func ("/grad-check/nan-is-found", test_nan_is_found);
  return g_test_run ();
}
