/* test-softmax.c: choices: probabilities, masks, lots and the gradients that learn from them. */
#include "engine/learn/nn/softmax.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

enum
{
  N = 3,
  A = 11
};

static void
test_known_values (void)
{
  float z[] = { 0, logf (2), logf (5) }, p[3], l[3], h;

  goban_softmax_forward (p, z, 1, 3);
  g_assert_cmpfloat_with_epsilon (p[0], 1.0f / 8, 1e-6f);
  g_assert_cmpfloat_with_epsilon (p[1], 2.0f / 8, 1e-6f);
  g_assert_cmpfloat_with_epsilon (p[2], 5.0f / 8, 1e-6f);
  goban_log_softmax_forward (l, z, 1, 3);
  g_assert_cmpfloat_with_epsilon (l[2], logf (5.0f / 8), 1e-6f);
  goban_entropy_forward (&h, p, 1, 3);
  g_assert_cmpfloat_with_epsilon (h, -(logf (0.125f) + 2 * logf (0.25f) + 5 * logf (0.625f)) / 8,
                                  1e-6f);
  g_assert_cmpint (goban_categorical_best (p, 3), ==, 2);
}

/* Widths about those of vectors, a rest of rows, in place, against the C library's exp. */
static void
test_twins (void)
{
  static const int widths[] = { 1, 2, 8, 31, 32, 33, 100, 256 };
  enum
  {
    N_ROWS = 7
  };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      int width = widths[i];
      g_autofree float *z = g_new (float, N_ROWS *width);
      g_autofree float *p = g_new (float, N_ROWS *width);

      grad_fill (z, N_ROWS * width, 20, 1);
      goban_softmax_forward (p, z, N_ROWS, width);
      for (int n = 0; n < N_ROWS; n++)
        {
          double total = 0;

          for (int a = 0; a < width; a++)
            total += exp ((double) z[n * width + a]);
          for (int a = 0; a < width; a++)
            g_assert_cmpfloat_with_epsilon (
                p[n * width + a], (float) (exp ((double) z[n * width + a]) / total), 1e-6f);
        }
      goban_softmax_forward (z, z, N_ROWS, width);
      g_assert_cmpmem (z, N_ROWS * width * sizeof *z, p, N_ROWS * width * sizeof *p);
    }
}

static void
test_large_logits (void)
{
  float z[] = { 1e30f, -1e30f, 1e30f }, p[3];

  goban_softmax_forward (p, z, 1, 3);
  g_assert_cmpfloat (p[0], ==, 0.5f);
  g_assert_cmpfloat (p[1], ==, 0);
}

/* Masked: probability 0, log-probability -INFINITY, and never drawn. */
static void
test_masked (void)
{
  guint8 allowed[A] = { 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0 };
  float z[A], p[A], l[A];
  GobanRng rng;

  grad_fill (z, A, 3, 1);
  goban_mask_logits (z, allowed, 1, A);
  goban_softmax_forward (p, z, 1, A);
  goban_log_softmax_forward (l, z, 1, A);
  for (int a = 0; a < A; a++)
    if (!allowed[a])
      g_assert_true (p[a] == 0 && isinf (l[a]));
    else
      g_assert_cmpfloat_with_epsilon (logf (p[a]), l[a], 1e-5f);

  goban_rng_init (&rng, 1);
  for (int i = 0; i < 5000; i++)
    g_assert_true (allowed[goban_categorical_sample (p, A, &rng)]);
}

static void
test_lots (void)
{
  const float p[] = { 0.1f, 0, 0.6f, 0.3f };
  guint counts[4] = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 5);
  for (int i = 0; i < 20000; i++)
    counts[goban_categorical_sample (p, 4, &rng)]++;
  g_assert_cmpuint (counts[1], ==, 0);
  for (int a = 0; a < 4; a++)
    g_assert_cmpfloat_with_epsilon (counts[a] / 20000.0, (double) p[a], 0.015);
}

static void
test_normal (void)
{
  double total = 0, squares = 0;
  GobanRng rng;

  goban_rng_init (&rng, 5);
  for (int i = 0; i < 20000; i++)
    {
      double x = (double) goban_normal_sample (&rng);

      total += x;
      squares += x * x;
    }
  g_assert_cmpfloat (fabs (total / 20000), <, 0.03);
  g_assert_cmpfloat_with_epsilon (squares / 20000, 1, 0.05);
}

typedef struct
{
  float z[N * A], out[N * A], weights[N * A];
  guint32 actions[N];
} Layer;

static double
softmax_loss (gpointer data)
{
  Layer *self = data;

  goban_softmax_forward (self->out, self->z, N, A);
  return grad_dot (self->out, self->weights, N * A);
}

static double
entropy_loss (gpointer data)
{
  Layer *self = data;
  float h[N];

  goban_softmax_forward (self->out, self->z, N, A);
  goban_entropy_forward (h, self->out, N, A);
  return grad_dot (h, self->weights, N);
}

static double
log_prob_loss (gpointer data)
{
  Layer *self = data;
  double total = 0;

  goban_log_softmax_forward (self->out, self->z, N, A);
  for (int n = 0; n < N; n++)
    total += (double) (self->weights[n] * self->out[n * A + (int) self->actions[n]]);
  return total;
}

static void
test_gradients (void)
{
  Layer self = { .actions = { 4, 0, 10 } };
  float dz[3][N * A] = { 0 };
  GradArray arrays[3];

  grad_fill (self.z, N * A, 2, 1);
  grad_fill (self.weights, N * A, 1, 2);
  for (int i = 0; i < 3; i++)
    arrays[i] = (GradArray){ "z", self.z, dz[i], N * A };

  softmax_loss (&self);
  goban_softmax_backward (dz[0], self.weights, self.out, N, A);
  goban_entropy_backward (dz[1], self.weights, self.out, N, A);
  goban_log_prob_backward (dz[2], self.weights, self.actions, self.out, N, A);

  grad_check_assert (softmax_loss, &self, &arrays[0], 1, 0.02, 3e-3);
  grad_check_assert (entropy_loss, &self, &arrays[1], 1, 0.02, 3e-3);
  grad_check_assert (log_prob_loss, &self, &arrays[2], 1, 0.02, 3e-3);
}

/* What was learned for good: gradients of no size are none, for subnormal numbers are slow. */
static void
test_no_subnormal_gradients (void)
{
  const float z[] = { 0, -80, -50, 1 }, weight = 1e-8f;
  const guint32 action = 3;
  float p[4], dz[4] = { 0 };

  goban_softmax_forward (p, z, 1, 4);
  goban_log_prob_backward (dz, &weight, &action, p, 1, 4);
  g_assert_cmpfloat (dz[0], <, 0);
  g_assert_cmpfloat (dz[1], ==, 0);
  g_assert_cmpfloat (dz[2], ==, 0);
  g_assert_cmpfloat (dz[3], >, 0);
}

TEST_PROGRAM (softmax)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/softmax/known-values", test_known_values);
  g_test_add_func ("/softmax/twins", test_twins);
  g_test_add_func ("/softmax/large-logits", test_large_logits);
  g_test_add_func ("/softmax/masked", test_masked);
  g_test_add_func ("/softmax/lots", test_lots);
  g_test_add_func ("/softmax/normal", test_normal);
  g_test_add_func ("/softmax/gradients", test_gradients);
  g_test_add_func ("/softmax/no-subnormal-gradients", test_no_subnormal_gradients);
  return g_test_run ();
}
