/* test-rows.c: layers that work row by row: layer norm and embedding. */
#include "engine/learn/nn/layernorm.h"
#include "engine/learn/nn/linear.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

enum
{
  N = 4,
  D = 7,
  ROWS = 3
};

typedef struct
{
  float x[N * D], gamma[D], beta[D], y[N * D], mean[N], inverse[N], weights[N * D];
  float table[ROWS * D];
  guint32 ids[N];
} Layer;

static double
norm_loss (gpointer data)
{
  Layer *self = data;

  goban_layernorm_forward (self->y, self->mean, self->inverse, self->x, self->gamma, self->beta, N,
                           D);
  return grad_dot (self->y, self->weights, N * D);
}

static double
embedding_loss (gpointer data)
{
  Layer *self = data;

  goban_embedding_forward (self->y, self->table, self->ids, N, D);
  return grad_dot (self->y, self->weights, N * D);
}

static void
fill (Layer *self)
{
  *self = (Layer){ .ids = { 2, 0, 2, 2 } };
  grad_fill (self->x, N * D, 2, 1);
  grad_fill (self->gamma, D, 1, 2);
  grad_fill (self->beta, D, 1, 3);
  grad_fill (self->weights, N * D, 1, 4);
  grad_fill (self->table, ROWS * D, 1, 5);
}

static void
test_norm_values (void)
{
  const float x[] = { 1, 2, 3, 4 }, gamma[] = { 1, 1, 1, 2 }, beta[] = { 0, 0, 0, 1 };
  float y[4], mean, inverse;

  goban_layernorm_forward (y, &mean, &inverse, x, gamma, beta, 1, 4);
  g_assert_cmpfloat (mean, ==, 2.5f);
  g_assert_cmpfloat_with_epsilon (inverse, 1 / sqrtf (1.25f + 1e-5f), 1e-6f);
  g_assert_cmpfloat_with_epsilon (y[0], -1.5f * inverse, 1e-6f);
  g_assert_cmpfloat_with_epsilon (y[3], 1.5f * inverse * 2 + 1, 1e-6f);
}

/* More rows than go together, one by one and all at once: the same bytes. */
static void
test_norm_of_many (void)
{
  enum
  {
    N_ROWS = 19
  };
  float x[N_ROWS * D], gamma[D], beta[D], y[N_ROWS * D], mean[N_ROWS], inverse[N_ROWS];

  grad_fill (x, N_ROWS * D, 1, 1);
  grad_fill (gamma, D, 1, 2);
  grad_fill (beta, D, 1, 3);
  goban_layernorm_forward (y, mean, inverse, x, gamma, beta, N_ROWS, D);
  for (int n = 0; n < N_ROWS; n++)
    {
      float one[D], one_mean, one_inverse;

      goban_layernorm_forward (one, &one_mean, &one_inverse, x + n * D, gamma, beta, 1, D);
      g_assert_cmpmem (one, sizeof one, y + n * D, sizeof one);
      g_assert_cmpfloat (one_mean, ==, mean[n]);
      g_assert_cmpfloat (one_inverse, ==, inverse[n]);
    }
}

static void
test_norm_gradient (void)
{
  Layer self;
  float dx[N * D] = { 0 }, dgamma[D] = { 0 }, dbeta[D] = { 0 };
  GradArray arrays[] = { { "x", self.x, dx, N * D },
                         { "gamma", self.gamma, dgamma, D },
                         { "beta", self.beta, dbeta, D } };

  fill (&self);
  norm_loss (&self);
  goban_layernorm_backward (dx, dgamma, dbeta, self.weights, self.x, self.mean, self.inverse,
                            self.gamma, N, D);
  grad_check_assert (norm_loss, &self, arrays, G_N_ELEMENTS (arrays), 0.02, 5e-3);
}

/* Row 1 is never looked up, row 2 three times. */
static void
test_embedding_gradient (void)
{
  Layer self;
  float dtable[ROWS * D] = { 0 };
  GradArray array = { "table", self.table, dtable, ROWS * D };

  fill (&self);
  goban_embedding_backward (dtable, self.weights, self.ids, N, D);
  for (int d = 0; d < D; d++)
    g_assert_cmpfloat (dtable[D + d], ==, 0);
  grad_check_assert (embedding_loss, &self, &array, 1, 0.05, 1e-3);
}

TEST_PROGRAM (rows)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layernorm/values", test_norm_values);
  g_test_add_func ("/layernorm/many", test_norm_of_many);
  g_test_add_func ("/layernorm/gradient", test_norm_gradient);
  g_test_add_func ("/embedding/gradient", test_embedding_gradient);
  return g_test_run ();
}
