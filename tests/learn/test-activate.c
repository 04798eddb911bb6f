/* test-activate.c: the exponential against the C library's, and the gradients of what uses it. */
#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/vector.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

enum
{
  N = 24
};

typedef void (*Forward) (float *y, const float *x, gsize n);
typedef void (*Backward) (float *dx, const float *dy, const float *y, gsize n);

static GOBAN_VECTOR void
exp_forward (float *y, const float *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = goban_exp (x[i]);
}

static double
worst_relative (Forward forward, double (*truth) (double), double from, double to)
{
  double worst = 0;

  for (double at = from; at <= to; at += (to - from) / 50000)
    {
      float x = (float) at, y;

      forward (&y, &x, 1);
      worst = MAX (worst, fabs ((double) y - truth ((double) x)) / fabs (truth ((double) x)));
    }
  return worst;
}

static double
true_sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}

static void
test_accuracy (void)
{
  g_assert_cmpfloat (worst_relative (exp_forward, exp, -86.8, 88.6), <, 3e-7);
  g_assert_cmpfloat (worst_relative (goban_tanh_forward, tanh, 1e-6, 12), <, 1e-6);
  g_assert_cmpfloat (worst_relative (goban_tanh_forward, tanh, -12, -1e-6), <, 1e-6);
  g_assert_cmpfloat (worst_relative (goban_sigmoid_forward, true_sigmoid, -80, 20), <, 1e-6);
}

static void
test_edges (void)
{
  const float x[] = { 0, -INFINITY, INFINITY, NAN, -1000, 1000, 88.7f, 88.72f };
  float y[G_N_ELEMENTS (x)];

  exp_forward (y, x, G_N_ELEMENTS (x));
  g_assert_cmpfloat (y[0], ==, 1);
  g_assert_cmpfloat (y[1], ==, 0);
  g_assert_true (isinf (y[2]) && isnan (y[3]) && isinf (y[5]) && isfinite (y[6]) && isinf (y[7]));
  g_assert_cmpfloat (y[4], ==, 0);

  goban_sigmoid_forward (y, x, G_N_ELEMENTS (x));
  g_assert_cmpfloat (y[0], ==, 0.5f);
  g_assert_cmpfloat (y[1], ==, 0);
  g_assert_cmpfloat (y[2], ==, 1);
  g_assert_true (isnan (y[3]));

  goban_tanh_forward (y, x, G_N_ELEMENTS (x));
  g_assert_cmpfloat (y[0], ==, 0);
  g_assert_cmpfloat (y[1], ==, -1);
  g_assert_cmpfloat (y[2], ==, 1);
  g_assert_true (isnan (y[3]));

  goban_relu_forward (y, x, G_N_ELEMENTS (x));
  g_assert_cmpfloat (y[4], ==, 0);
  g_assert_cmpfloat (y[5], ==, 1000);
  g_assert_true (isnan (y[3]));
}

/* Vectors and what is left over at their end give the same bits as one number at a time. */
static void
test_same_bits_at_any_length (void)
{
  Forward forwards[] = { exp_forward, goban_tanh_forward, goban_sigmoid_forward };
  float x[N], y[N];

  grad_fill (x, N, 5, 1);
  for (gsize f = 0; f < G_N_ELEMENTS (forwards); f++)
    {
      forwards[f](y, x, N);
      for (int i = 0; i < N; i++)
        {
          float alone;

          forwards[f](&alone, x + i, 1);
          g_assert_cmpmem (&alone, sizeof alone, y + i, sizeof alone);
        }
    }
}

typedef struct
{
  Forward forward;
  float x[N], y[N], weights[N];
} Layer;

static double
layer_loss (gpointer data)
{
  Layer *self = data;

  self->forward (self->y, self->x, N);
  return grad_dot (self->y, self->weights, N);
}

static void
check_gradient (Forward forward, Backward backward)
{
  Layer self = { .forward = forward };
  float dx[N] = { 0 };
  GradArray array = { "x", self.x, dx, N };

  grad_fill (self.x, N, 2, 1);
  /* away from where relu bends */
  for (int i = 0; i < N; i++)
    self.x[i] += self.x[i] > 0 ? 0.1f : -0.1f;
  grad_fill (self.weights, N, 1, 2);
  layer_loss (&self);
  backward (dx, self.weights, self.y, N);
  grad_check_assert (layer_loss, &self, &array, 1, 0.01, 2e-3);
}

static void
test_gradients (void)
{
  check_gradient (goban_relu_forward, goban_relu_backward);
  check_gradient (goban_sigmoid_forward, goban_sigmoid_backward);
  check_gradient (goban_tanh_forward, goban_tanh_backward);
}

/* Softmax's own exponential has the same bits, and at the lower edge the same values. */
static void
test_exp_below (void)
{
  const float edges[] = { 0.0f, -0.0f, -86.91f, -1e30f, -INFINITY };

  for (gsize i = 0; i < G_N_ELEMENTS (edges); i++)
    g_assert_cmpfloat (goban_exp_below (edges[i]), ==, goban_exp (edges[i]));
  for (float x = 0; x > -86; x -= 0.00137f)
    g_assert_cmpfloat (goban_exp_below (x), ==, goban_exp (x));
  for (float x = -86; x > -87; x -= 0.00137f)
    g_assert_cmpfloat_with_epsilon (goban_exp_below (x), goban_exp (x), 3e-45f);
  g_assert_true (isnan (goban_exp_below (NAN)));
}

TEST_PROGRAM (activate)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/activate/accuracy", test_accuracy);
  g_test_add_func ("/activate/edges", test_edges);
  g_test_add_func ("/activate/same-bits-at-any-length", test_same_bits_at_any_length);
  g_test_add_func ("/activate/exp-below", test_exp_below);
  g_test_add_func ("/activate/gradients", test_gradients);
  return g_test_run ();
}
