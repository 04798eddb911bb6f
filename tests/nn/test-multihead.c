/* test-multihead.c: attention with several heads against its formulas, and its gradients. */
#include "engine/nn/multihead.h"
#include "tests/support/grad-check.h"

#include <math.h>
#include <string.h>

enum
{
  S = 5,
  M = 3,
  H = 2,
  D = 6,
  K = M + S
};

typedef struct
{
  GobanMultihead shape;
  float q[S * D], k[S * D], v[S * D], k_mem[M * D], v_mem[M * D];
  float y[S * D], weights[S * D];
  float *work;
} Layer;

static Layer *
layer_new (int n_remembered, int n_heads)
{
  Layer *self = g_new0 (Layer, 1);

  self->shape = (GobanMultihead){ S,       n_remembered, n_heads,     D,          self->q,
                                  self->k, self->v,      self->k_mem, self->v_mem };
  grad_fill (self->q, S * D, 2, 1);
  grad_fill (self->k, S * D, 2, 2);
  grad_fill (self->v, S * D, 1, 3);
  grad_fill (self->k_mem, M * D, 2, 4);
  grad_fill (self->v_mem, M * D, 1, 5);
  grad_fill (self->weights, S * D, 1, 6);
  self->work = g_new (float, goban_multihead_work_size (S, n_remembered, n_heads, D));
  return self;
}

static void
layer_free (Layer *self)
{
  g_free (self->work);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Layer, layer_free)

static double
loss (gpointer data)
{
  Layer *self = data;

  goban_multihead_forward (self->y, &self->shape, self->work);
  return grad_dot (self->y, self->weights, S * D);
}

/* --- the formulas -------------------------------------------------------------------------- */

/* Key or value t of all, remembered ones first. */
static double
get_of (const float *own, const float *remembered, int n_remembered, int t, int column)
{
  return t < n_remembered ? (double) remembered[t * D + column]
                          : (double) own[(t - n_remembered) * D + column];
}

static void
plain_row (double *y, const GobanMultihead *self, int s, int h)
{
  int d = self->D / self->H, n_keys = self->M + self->S;
  double p[K], total = 0;

  for (int t = 0; t < n_keys; t++)
    {
      double z = 0;

      for (int i = h * d; i < (h + 1) * d; i++)
        z += (double) self->q[s * D + i] * get_of (self->k, self->k_mem, self->M, t, i);
      p[t] = exp (z / sqrt (d));
      total += p[t];
    }
  for (int i = h * d; i < (h + 1) * d; i++)
    {
      y[i] = 0;
      for (int t = 0; t < n_keys; t++)
        y[i] += p[t] / total * get_of (self->v, self->v_mem, self->M, t, i);
    }
}

static void
check_twin (int n_remembered, int n_heads)
{
  g_autoptr (Layer) self = layer_new (n_remembered, n_heads);

  loss (self);
  for (int s = 0; s < S; s++)
    {
      double y[D];

      for (int h = 0; h < n_heads; h++)
        plain_row (y, &self->shape, s, h);
      for (int i = 0; i < D; i++)
        g_assert_cmpfloat_with_epsilon ((double) self->y[s * D + i], y[i], 1e-6);
    }
}

static void
test_twin (void)
{
  check_twin (0, 1);
  check_twin (M, 1);
  check_twin (0, 3);
  check_twin (M, 2);
  check_twin (1, 6);
}

/* --- gradients ----------------------------------------------------------------------------- */

typedef struct
{
  float dq[S * D], dk[S * D], dv[S * D], dk_mem[M * D], dv_mem[M * D];
} Gradients;

static void
backward (Gradients *to, Layer *self)
{
  GobanMultiheadGrad grad = { to->dq, to->dk, to->dv, to->dk_mem, to->dv_mem };

  goban_multihead_backward (&grad, self->weights, &self->shape, self->work);
}

static void
check_gradient (int n_remembered, int n_heads)
{
  g_autoptr (Layer) self = layer_new (n_remembered, n_heads);
  Gradients g = { 0 };
  GradArray arrays[] = { { "q", self->q, g.dq, S * D },
                         { "k", self->k, g.dk, S * D },
                         { "v", self->v, g.dv, S * D },
                         { "k_mem", self->k_mem, g.dk_mem, n_remembered * D },
                         { "v_mem", self->v_mem, g.dv_mem, n_remembered * D } };

  backward (&g, self);
  grad_check_assert (loss, self, arrays, n_remembered > 0 ? 5 : 3, 0.03, 5e-3);
}

static void
test_gradient (void)
{
  check_gradient (0, 1);
  check_gradient (M, 1);
  check_gradient (0, 3);
  check_gradient (M, 2);
}

/* Wrong in the sign of one number, and where heads are taken for one another: both must be found. */
static void
test_planted (void)
{
  g_autoptr (Layer) self = layer_new (M, H);
  Gradients g = { 0 };
  GradArray array = { "k_mem", self->k_mem, g.dk_mem, M * D };
  GradReport report;

  backward (&g, self);
  g.dk_mem[7] = -g.dk_mem[7];
  report = grad_check (loss, self, &array, 1, 0.03, 5e-3);
  g_assert_cmpuint (report.n_wrong_signs, ==, 1);
  g_assert_cmpuint (report.worst_index, ==, 7);

  memset (&g, 0, sizeof g);
  self->shape.H = 1;
  backward (&g, self);
  self->shape.H = H;
  report = grad_check (loss, self, &array, 1, 0.03, 5e-3);
  g_assert_cmpuint (report.n_wrong, >, M * D / 2);
}

static void
test_adds_and_skips (void)
{
  g_autoptr (Layer) self = layer_new (M, H);
  Gradients once = { 0 }, twice = { 0 }, some = { 0 };
  GobanMultiheadGrad grad = { .dk = some.dk };

  backward (&once, self);
  backward (&twice, self);
  backward (&twice, self);
  for (gsize i = 0; i < sizeof once / sizeof (float); i++)
    g_assert_cmpfloat (((float *) &twice)[i], ==, 2 * ((float *) &once)[i]);

  /* As where gradients stop at what is remembered. */
  goban_multihead_backward (&grad, self->weights, &self->shape, self->work);
  g_assert_cmpmem (some.dk, sizeof some.dk, once.dk, sizeof once.dk);
}

/* --- relations ----------------------------------------------------------------------------- */

static void
permute (float *to, const float *from, const int *order)
{
  for (int s = 0; s < S; s++)
    memcpy (to + s * D, from + order[s] * D, D * sizeof *to);
}

/* No row knows its place: queries in another order are answered in that order, whatever the order of
 * keys. */
static void
test_permuted (void)
{
  static const int order[S] = { 3, 0, 4, 1, 2 };
  g_autoptr (Layer) self = layer_new (M, H);
  g_autoptr (Layer) other = layer_new (M, H);
  Gradients g = { 0 }, g_other = { 0 };
  float expected[S * D];

  permute (other->q, self->q, order);
  permute (other->k, self->k, order);
  permute (other->v, self->v, order);
  permute (other->weights, self->weights, order);
  loss (self);
  loss (other);
  permute (expected, self->y, order);
  for (int i = 0; i < S * D; i++)
    g_assert_cmpfloat_with_epsilon (other->y[i], expected[i], 1e-6f);

  backward (&g, self);
  backward (&g_other, other);
  permute (expected, g.dk, order);
  for (int i = 0; i < S * D; i++)
    g_assert_cmpfloat_with_epsilon (g_other.dk[i], expected[i], 1e-6f);
}

/* What is remembered counts like own rows do. */
static void
test_memory (void)
{
  g_autoptr (Layer) self = layer_new (M, H);
  GobanMultihead all = self->shape;
  float q[K * D] = { 0 }, k[K * D], v[K * D], y[K * D];
  g_autofree float *work = g_new (float, goban_multihead_work_size (K, 0, H, D));

  loss (self);
  memcpy (q + M * D, self->q, sizeof self->q);
  memcpy (k, self->k_mem, sizeof self->k_mem);
  memcpy (k + M * D, self->k, sizeof self->k);
  memcpy (v, self->v_mem, sizeof self->v_mem);
  memcpy (v + M * D, self->v, sizeof self->v);
  all = (GobanMultihead){ .S = K, .M = 0, .H = H, .D = D, .q = q, .k = k, .v = v };
  goban_multihead_forward (y, &all, work);
  for (int i = 0; i < S * D; i++)
    g_assert_cmpfloat_with_epsilon (y[M * D + i], self->y[i], 1e-6f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/multihead/twin", test_twin);
  g_test_add_func ("/multihead/gradient", test_gradient);
  g_test_add_func ("/multihead/planted", test_planted);
  g_test_add_func ("/multihead/adds-and-skips", test_adds_and_skips);
  g_test_add_func ("/multihead/permuted", test_permuted);
  g_test_add_func ("/multihead/memory", test_memory);
  return g_test_run ();
}
