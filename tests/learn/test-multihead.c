/* test-multihead.c: attention with several heads against its formulas, and its gradients. */
#include "engine/learn/nn/attention.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

/* Arrays of a layer and their gradients, in the order of grad[]. */
enum
{
  Q,
  K,
  V,
  K_MEM,
  V_MEM,
  N_ARRAYS
};

typedef struct
{
  GobanMultihead shape;
  float *x[N_ARRAYS], *dx[N_ARRAYS];
  float *y, *weights; /* (S,D) */
  float *work;
} Layer;

static gsize
get_size (const Layer *self, int array)
{
  return (gsize) (array < K_MEM ? self->shape.S : self->shape.M) * self->shape.D;
}

static Layer *
layer_new (int S, int M, int H, int D)
{
  static const double ranges[N_ARRAYS] = { 2, 2, 1, 2, 1 };
  Layer *self = g_new0 (Layer, 1);

  self->shape = (GobanMultihead){ .S = S, .M = M, .H = H, .D = D };
  for (int i = 0; i < N_ARRAYS; i++)
    {
      self->x[i] = g_new (float, get_size (self, i));
      self->dx[i] = g_new0 (float, get_size (self, i));
      grad_fill (self->x[i], get_size (self, i), ranges[i], i + 1);
    }
  self->shape.q = self->x[Q];
  self->shape.k = self->x[K];
  self->shape.v = self->x[V];
  self->shape.k_mem = self->x[K_MEM];
  self->shape.v_mem = self->x[V_MEM];
  self->y = g_new (float, S *D);
  self->weights = g_new (float, S *D);
  grad_fill (self->weights, S * D, 1, 6);
  self->work = g_new (float, goban_multihead_work_size (S, M, H, D));
  return self;
}

static void
layer_free (Layer *self)
{
  for (int i = 0; i < N_ARRAYS; i++)
    {
      g_free (self->x[i]);
      g_free (self->dx[i]);
    }
  g_free (self->y);
  g_free (self->weights);
  g_free (self->work);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Layer, layer_free)

static double
loss (gpointer data)
{
  Layer *self = data;

  goban_multihead_forward (self->y, &self->shape, self->work);
  return grad_dot (self->y, self->weights, get_size (self, Q));
}

static void
backward (Layer *self)
{
  GobanMultiheadGrad grad
      = { self->dx[Q], self->dx[K], self->dx[V], self->dx[K_MEM], self->dx[V_MEM] };

  goban_multihead_backward (&grad, self->weights, &self->shape, self->work);
}

static void
assert_near (const float *a, const float *b, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (a[i], b[i], 2e-6f);
}

/* --- the formulas -------------------------------------------------------------------------- */

/* Key or value t of all, remembered ones first. */
static double
get_of (const float *own, const float *remembered, const GobanMultihead *shape, int t, int column)
{
  return t < shape->M ? (double) remembered[t * shape->D + column]
                      : (double) own[(t - shape->M) * shape->D + column];
}

/* Row s of head h, into its columns of y. */
static void
plain_row (double *y, const GobanMultihead *self, int s, int h)
{
  int d = self->D / self->H, n_keys = self->M + self->S;
  g_autofree double *p = g_new0 (double, n_keys);
  double total = 0;

  for (int t = 0; t < n_keys; t++)
    {
      double z = 0;

      for (int i = h * d; i < (h + 1) * d; i++)
        z += (double) self->q[s * self->D + i] * get_of (self->k, self->k_mem, self, t, i);
      p[t] = exp (z / sqrt (d));
      total += p[t];
    }
  for (int i = h * d; i < (h + 1) * d; i++)
    {
      y[i] = 0;
      for (int t = 0; t < n_keys; t++)
        y[i] += p[t] / total * get_of (self->v, self->v_mem, self, t, i);
    }
}

/* Segments of several tiles of queries, and a last one that is not full, among them. */
static void
test_twin (void)
{
  static const struct
  {
    int S, M, H, D;
  } shapes[] = { { 5, 0, 1, 6 }, { 5, 3, 1, 6 },   { 5, 0, 3, 6 },   { 5, 3, 2, 6 },
                 { 1, 1, 6, 6 }, { 64, 0, 2, 10 }, { 150, 7, 2, 6 }, { 65, 130, 4, 8 } };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (Layer) self = layer_new (shapes[i].S, shapes[i].M, shapes[i].H, shapes[i].D);
      double y[16];

      loss (self);
      for (int s = 0; s < shapes[i].S; s++)
        {
          for (int h = 0; h < shapes[i].H; h++)
            plain_row (y, &self->shape, s, h);
          for (int column = 0; column < shapes[i].D; column++)
            g_assert_cmpfloat_with_epsilon ((double) self->y[s * shapes[i].D + column], y[column],
                                            1e-6);
        }
    }
}

/* With values that stand for their keys, what is heard is what each key got of the attention. */
static void
test_probabilities (void)
{
  static const int shapes[][3] = { { 5, 1, 1 }, { 5, 3, 2 }, { 40, 24, 3 } };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      int S = shapes[i][0], M = shapes[i][1], H = shapes[i][2], d = 4, T = M + S;
      g_autoptr (Layer) self = layer_new (S, M, H, H * d);
      g_autofree float *p = g_new (float, S *T);

      goban_multihead_probabilities (p, &self->shape, self->work);
      for (int t = 0; t < T; t++)
        {
          float *value = t < M ? self->x[V_MEM] + t * H * d : self->x[V] + (gsize) (t - M) * H * d;

          memset (self->x[V], 0, get_size (self, V) * sizeof (float));
          memset (self->x[V_MEM], 0, get_size (self, V_MEM) * sizeof (float));
          for (int column = 0; column < H * d; column++)
            value[column] = 1;
          loss (self);
          for (int s = 0; s < S; s++)
            {
              double mean = 0;

              for (int h = 0; h < H; h++)
                mean += (double) self->y[(s * H + h) * d] / H;
              g_assert_cmpfloat_with_epsilon ((double) p[s * T + t], mean, 1e-6);
            }
        }
    }
}

/* --- gradients ----------------------------------------------------------------------------- */

static void
check_gradient (int S, int M, int H, int D)
{
  static const char *const names[] = { "q", "k", "v", "k_mem", "v_mem" };
  g_autoptr (Layer) self = layer_new (S, M, H, D);
  GradArray arrays[N_ARRAYS];

  for (int i = 0; i < N_ARRAYS; i++)
    arrays[i] = (GradArray){ names[i], self->x[i], self->dx[i], get_size (self, i) };
  backward (self);
  grad_check_assert (loss, self, arrays, M > 0 ? N_ARRAYS : K_MEM, 0.03, 5e-3);
}

static void
test_gradient (void)
{
  check_gradient (5, 0, 1, 6);
  check_gradient (5, 3, 1, 6);
  check_gradient (5, 0, 3, 6);
  check_gradient (5, 3, 2, 6);
}

/* Every tile of queries adds to the keys' and values' gradients. The numbers are many and small,
 * so steps are wider. */
static void
test_tiles_gradient (void)
{
  g_autoptr (Layer) self = layer_new (70, 3, 1, 2);
  GradArray arrays[] = { { "q", self->x[Q], self->dx[Q], get_size (self, Q) },
                         { "k", self->x[K], self->dx[K], get_size (self, K) },
                         { "v_mem", self->x[V_MEM], self->dx[V_MEM], get_size (self, V_MEM) } };

  backward (self);
  grad_check_assert (loss, self, arrays, G_N_ELEMENTS (arrays), 0.1, 5e-3);
}

/* Wrong in the sign of one number, and where heads are taken for one another: both must be
 * found. */
static void
test_planted (void)
{
  g_autoptr (Layer) self = layer_new (5, 3, 2, 6);
  g_autoptr (Layer) other = layer_new (5, 3, 1, 6);
  GradArray array = { "k_mem", self->x[K_MEM], self->dx[K_MEM], get_size (self, K_MEM) };
  GradReport report;

  backward (self);
  self->dx[K_MEM][7] = -self->dx[K_MEM][7];
  report = grad_check (loss, self, &array, 1, 0.03, 5e-3);
  g_assert_cmpuint (report.n_wrong_signs, ==, 1);
  g_assert_cmpuint (report.worst_index, ==, 7);

  backward (other);
  array.dx = other->dx[K_MEM];
  report = grad_check (loss, self, &array, 1, 0.03, 5e-3);
  g_assert_cmpuint (report.n_wrong, >, get_size (self, K_MEM) / 2);
}

static void
test_adds_and_skips (void)
{
  g_autoptr (Layer) once = layer_new (5, 3, 2, 6);
  g_autoptr (Layer) twice = layer_new (5, 3, 2, 6);
  g_autoptr (Layer) some = layer_new (5, 3, 2, 6);
  GobanMultiheadGrad grad = { .dk = some->dx[K] };
  gsize size = get_size (once, K) * sizeof (float);

  backward (once);
  backward (twice);
  backward (twice);
  for (int i = 0; i < N_ARRAYS; i++)
    for (gsize j = 0; j < get_size (once, i); j++)
      g_assert_cmpfloat_with_epsilon (twice->dx[i][j], 2 * once->dx[i][j], 1e-5f);

  /* As where gradients stop at what is remembered. */
  goban_multihead_backward (&grad, some->weights, &some->shape, some->work);
  g_assert_cmpmem (some->dx[K], size, once->dx[K], size);
}

/* --- relations ----------------------------------------------------------------------------- */

/* Row s of to is row 37 s + 11 of from, of 70. */
static void
permute (float *to, const float *from, int D)
{
  for (int s = 0; s < 70; s++)
    memcpy (to + s * D, from + (37 * s + 11) % 70 * D, D * sizeof *to);
}

/* No row knows its place: queries in another order are answered in that order, whatever the order
 * of keys, and so are gradients, whichever tile a query falls in. */
static void
test_permuted (void)
{
  g_autoptr (Layer) self = layer_new (70, 3, 2, 6);
  g_autoptr (Layer) other = layer_new (70, 3, 2, 6);
  float expected[70 * 6];

  for (int i = Q; i <= V; i++)
    permute (other->x[i], self->x[i], 6);
  permute (other->weights, self->weights, 6);
  loss (self);
  loss (other);
  permute (expected, self->y, 6);
  assert_near (other->y, expected, G_N_ELEMENTS (expected));

  backward (self);
  backward (other);
  for (int i = Q; i <= V; i++)
    {
      permute (expected, self->dx[i], 6);
      assert_near (other->dx[i], expected, G_N_ELEMENTS (expected));
    }
  assert_near (other->dx[K_MEM], self->dx[K_MEM], get_size (self, K_MEM));
  assert_near (other->dx[V_MEM], self->dx[V_MEM], get_size (self, V_MEM));
}

/* What is remembered counts like own rows do. */
static void
test_memory (void)
{
  enum
  {
    S = 5,
    M = 3,
    D = 6
  };
  g_autoptr (Layer) self = layer_new (S, M, 2, D);
  g_autoptr (Layer) all = layer_new (M + S, 0, 2, D);

  memcpy (all->x[Q] + M * D, self->x[Q], S * D * sizeof (float));
  for (int i = K; i <= V; i++)
    {
      memcpy (all->x[i], self->x[i - K + K_MEM], M * D * sizeof (float));
      memcpy (all->x[i] + M * D, self->x[i], S * D * sizeof (float));
    }
  loss (self);
  loss (all);
  assert_near (all->y + M * D, self->y, S * D);
}

TEST_PROGRAM (multihead)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/multihead/twin", test_twin);
  g_test_add_func ("/multihead/probabilities", test_probabilities);
  g_test_add_func ("/multihead/gradient", test_gradient);
  g_test_add_func ("/multihead/tiles-gradient", test_tiles_gradient);
  g_test_add_func ("/multihead/planted", test_planted);
  g_test_add_func ("/multihead/adds-and-skips", test_adds_and_skips);
  g_test_add_func ("/multihead/permuted", test_permuted);
  g_test_add_func ("/multihead/memory", test_memory);
  return g_test_run ();
}
