/* test-attention.c: additive attention against its formulas, and its gradients. */
#include "engine/learn/nn/attention.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

enum
{
  B = 3,
  S = 4,
  D = 11 /* a whole vector and some more */
};

typedef struct
{
  float k[S * D], q[B * D], v[D], y[B * D], a[B * S], weights[B * D];
} Layer;

static void
fill (Layer *self)
{
  grad_fill (self->k, S * D, 1, 1);
  grad_fill (self->q, B * D, 1, 2);
  grad_fill (self->v, D, 1, 3);
  grad_fill (self->weights, B * D, 1, 4);
}

static double
loss (gpointer data)
{
  Layer *self = data;

  goban_attention_forward (self->y, self->a, self->k, self->q, self->v, B, S, D);
  return grad_dot (self->y, self->weights, B * D);
}

static void
test_twin (void)
{
  Layer self;

  fill (&self);
  loss (&self);
  for (int b = 0; b < B; b++)
    {
      double u[S], total = 0;

      for (int s = 0; s < S; s++)
        {
          u[s] = 0;
          for (int d = 0; d < D; d++)
            u[s] += (double) self.v[d]
                    * tanh ((double) self.k[s * D + d] + (double) self.q[b * D + d]);
          total += exp (u[s]);
        }
      for (int d = 0; d < D; d++)
        {
          double y = 0;

          for (int s = 0; s < S; s++)
            y += exp (u[s]) / total * (double) self.k[s * D + d];
          g_assert_cmpfloat_with_epsilon ((double) self.y[b * D + d], y, 1e-6);
        }
    }
}

static void
test_gradient (void)
{
  Layer self;
  float dk[S * D] = { 0 }, dq[B * D] = { 0 }, dv[D] = { 0 }, da[B * S];
  GradArray arrays[]
      = { { "k", self.k, dk, S * D }, { "q", self.q, dq, B * D }, { "v", self.v, dv, D } };

  fill (&self);
  loss (&self);
  goban_attention_backward (dk, dq, dv, da, self.weights, self.a, self.k, self.q, self.v, B, S, D);
  grad_check_assert (loss, &self, arrays, G_N_ELEMENTS (arrays), 0.03, 5e-3);
}

TEST_PROGRAM (attention)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attention/twin", test_twin);
  g_test_add_func ("/attention/gradient", test_gradient);
  return g_test_run ();
}
