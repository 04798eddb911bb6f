/* test-gemm.c: the three products against three loops, and the affine layer made of them. */
#include "engine/learn/nn/linear.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>

typedef void (*Product) (float *c, const float *a, const float *b, int M, int N, int K);

/* c += op (a) op (b), an element at a time, in double. */
static void
multiply_slowly (float *c, const float *a, const float *b, int M, int N, int K,
                 gboolean a_is_turned, gboolean b_is_turned)
{
  for (int m = 0; m < M; m++)
    for (int n = 0; n < N; n++)
      {
        double total = (double) c[m * N + n];

        for (int k = 0; k < K; k++)
          total += (double) (a_is_turned ? a[k * M + m] : a[m * K + k])
                   * (double) (b_is_turned ? b[n * K + k] : b[k * N + n]);
        c[m * N + n] = (float) total;
      }
}

static void
check_product (Product product, gboolean a_is_turned, gboolean b_is_turned, int M, int N, int K)
{
  g_autofree float *a = g_new0 (float, M *K + 1);
  g_autofree float *b = g_new0 (float, K *N + 1);
  g_autofree float *c = g_new0 (float, M *N + 1);
  g_autofree float *expected = g_new0 (float, M *N + 1);

  grad_fill (a, M * K, 1, 1);
  grad_fill (b, K * N, 1, 2);
  grad_fill (c, M * N, 1, 3);
  grad_fill (expected, M * N, 1, 3);
  product (c, a, b, M, N, K);
  multiply_slowly (expected, a, b, M, N, K, a_is_turned, b_is_turned);
  for (int i = 0; i < M * N; i++)
    g_assert_cmpfloat_with_epsilon (c[i], expected[i], 1e-6f * (float) (1 + K));
}

static void
test_twins (void)
{
  static const int sizes[][3] = { { 1, 1, 1 },  { 3, 5, 7 },    { 64, 64, 20 }, { 1, 33, 9 },
                                  { 17, 1, 4 }, { 100, 37, 1 }, { 5, 5, 0 },    { 0, 4, 3 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      check_product (goban_gemm_nn, FALSE, FALSE, sizes[i][0], sizes[i][1], sizes[i][2]);
      check_product (goban_gemm_nt, FALSE, TRUE, sizes[i][0], sizes[i][1], sizes[i][2]);
      check_product (goban_gemm_tn, TRUE, FALSE, sizes[i][0], sizes[i][1], sizes[i][2]);
    }
}

/* Products larger than a block of any kernel, with odd rests; and those that do not add. */
static void
test_pieces (void)
{
  static const int sizes[][3]
      = { { 300, 64, 64 }, { 245, 64, 64 }, { 19, 512, 128 }, { 9, 600, 500 }, { 3, 700, 700 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      int M = sizes[i][0], N = sizes[i][1], K = sizes[i][2];
      g_autofree float *a = g_new (float, M *K);
      g_autofree float *b = g_new (float, K *N);
      g_autofree float *c = g_new0 (float, M *N);
      g_autofree float *over = g_new (float, M *N);

      check_product (goban_gemm_nn, FALSE, FALSE, M, N, K);
      check_product (goban_gemm_nt, FALSE, TRUE, M, N, K);
      check_product (goban_gemm_tn, TRUE, FALSE, M, N, K);
      grad_fill (a, M * K, 1, 1);
      grad_fill (b, K * N, 1, 2);
      grad_fill (over, M * N, 1, 3);
      goban_gemm_nn (c, a, b, M, N, K);
      goban_gemm_nn_over (over, a, b, M, N, K);
      for (int n = 0; n < M * N; n++)
        g_assert_cmpfloat_with_epsilon (over[n], c[n], 1e-6f * (float) (1 + K));
    }
}

/* What is there before does not matter, not even if it is no number. */
static void
test_over_anything (void)
{
  float a[2] = { 1, 2 }, b[2] = { 3, 4 }, c = NAN;

  goban_gemm_nn_over (&c, a, b, 1, 1, 2);
  g_assert_cmpfloat (c, ==, 11);
}

static void
test_over_nothing (void)
{
  float c[6] = { 1, 2, 3, 4, 5, 6 }, none = 0;

  goban_gemm_nn_over (c, &none, &none, 2, 3, 0);
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (c[i], ==, 0);
}

enum
{
  THREAD_SIZE = 96,
  N_WORKERS = 4
};

static gpointer
multiply_worker (gpointer data)
{
  float *c = data;
  g_autofree float *a = g_new (float, THREAD_SIZE *THREAD_SIZE);

  grad_fill (a, THREAD_SIZE * THREAD_SIZE, 1, 1);
  for (int i = 0; i < 20; i++)
    goban_gemm_nt (c, a, a, THREAD_SIZE, THREAD_SIZE, THREAD_SIZE);
  return NULL;
}

/* Whoever multiplies beside us, the bytes are the same. */
static void
test_same_bytes_from_threads (void)
{
  gsize n = THREAD_SIZE * THREAD_SIZE;
  g_autofree float *alone = g_new0 (float, n);
  g_autofree float *together = g_new0 (float, N_WORKERS *n);
  GThread *threads[N_WORKERS];

  multiply_worker (alone);
  for (gsize i = 0; i < N_WORKERS; i++)
    threads[i] = g_thread_new ("multiply", multiply_worker, together + i * n);
  for (gsize i = 0; i < N_WORKERS; i++)
    {
      g_thread_join (threads[i]);
      g_assert_cmpmem (together + i * n, n * sizeof (float), alone, n * sizeof (float));
    }
}

enum
{
  N = 5,
  I = 4,
  O = 3
};

typedef struct
{
  float x[N * I], w[O * I], b[O], y[N * O], weights[N * O];
} Linear;

static double
linear_loss (gpointer data)
{
  Linear *self = data;

  goban_linear_forward (self->y, self->x, self->w, self->b, N, I, O);
  return grad_dot (self->y, self->weights, N * O);
}

static void
test_linear_gradient (void)
{
  Linear self;
  float dx[N * I] = { 0 }, dw[O * I] = { 0 }, db[O] = { 0 };
  GradArray arrays[]
      = { { "x", self.x, dx, N * I }, { "w", self.w, dw, O * I }, { "b", self.b, db, O } };

  grad_fill (self.x, N * I, 1, 1);
  grad_fill (self.w, O * I, 1, 2);
  grad_fill (self.b, O, 1, 3);
  grad_fill (self.weights, N * O, 1, 4);
  goban_linear_backward (dx, dw, db, self.weights, self.x, self.w, N, I, O);
  grad_check_assert (linear_loss, &self, arrays, G_N_ELEMENTS (arrays), 0.05, 1e-3);
}

/* Gradients add: twice gives the double; what is NULL is left out. */
static void
test_linear_adds (void)
{
  Linear self;
  float once[O * I] = { 0 }, twice[O * I] = { 0 };

  grad_fill (self.x, N * I, 1, 1);
  grad_fill (self.weights, N * O, 1, 4);
  goban_linear_backward (NULL, once, NULL, self.weights, self.x, self.w, N, I, O);
  goban_linear_backward (NULL, twice, NULL, self.weights, self.x, self.w, N, I, O);
  goban_linear_backward (NULL, twice, NULL, self.weights, self.x, self.w, N, I, O);
  for (int i = 0; i < O * I; i++)
    g_assert_cmpfloat_with_epsilon (twice[i], 2 * once[i], 1e-5f);
}

static void
test_linear_turned (void)
{
  Linear self;
  float w_t[I * O], y[N * O];

  grad_fill (self.x, N * I, 1, 1);
  grad_fill (self.w, O * I, 1, 2);
  grad_fill (self.b, O, 1, 3);
  goban_linear_turn (w_t, self.w, I, O);
  for (int i = 0; i < I; i++)
    for (int o = 0; o < O; o++)
      g_assert_cmpfloat (w_t[i * O + o], ==, self.w[o * I + i]);
  for (int with_b = 0; with_b < 2; with_b++)
    {
      goban_linear_forward (self.y, self.x, self.w, with_b ? self.b : NULL, N, I, O);
      goban_linear_turned_forward (y, self.x, w_t, with_b ? self.b : NULL, N, I, O);
      for (int i = 0; i < N * O; i++)
        g_assert_cmpfloat_with_epsilon (y[i], self.y[i], 1e-6f);
    }
}

TEST_PROGRAM (gemm)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gemm/twins", test_twins);
  g_test_add_func ("/gemm/pieces", test_pieces);
  g_test_add_func ("/gemm/over-anything", test_over_anything);
  g_test_add_func ("/gemm/over-nothing", test_over_nothing);
  g_test_add_func ("/gemm/same-bytes-from-threads", test_same_bytes_from_threads);
  g_test_add_func ("/linear/gradient", test_linear_gradient);
  g_test_add_func ("/linear/adds", test_linear_adds);
  g_test_add_func ("/linear/turned", test_linear_turned);
  return g_test_run ();
}
