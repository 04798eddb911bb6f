/* bench-nn.c: throughput of the kernels, one line each: "name value unit".
 *
 * Products of the shapes that graphs of a thousand to eighty thousand nodes ask for, rows first;
 * the steps of an LSTM as HDP makes them, and attention of segments. "-alone" is one thread; "-all"
 * as many as there are processors, by the clock on the wall.
 */
#include "engine/core/parallel.h"
#include "engine/learn/nn/attention.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/lstm.h"
#include "tests/bench/bench-clock.h"
#include "tests/support/grad-check.h"

#include <stdio.h>

#define N_RUNS 7

typedef void (*Work) (gpointer user_data);

/* The least CPU time of several runs. */
static double
measure_ms (Work work, gpointer user_data)
{
  double least_ms = 0;

  for (int i = 0; i < N_RUNS; i++)
    {
      double start_ms = cpu_ms (), run_ms;

      work (user_data);
      run_ms = cpu_ms () - start_ms;
      least_ms = i == 0 ? run_ms : MIN (least_ms, run_ms);
    }
  return least_ms;
}

/* The least time on the wall, which is what several threads save. */
static double
measure_wall_ms (Work work, gpointer user_data)
{
  double least_ms = 0;

  for (int i = 0; i < N_RUNS; i++)
    {
      gint64 start_us = g_get_monotonic_time ();
      double run_ms;

      work (user_data);
      run_ms = (double) (g_get_monotonic_time () - start_us) / 1e3;
      least_ms = i == 0 ? run_ms : MIN (least_ms, run_ms);
    }
  return least_ms;
}

/* @name's amount by the millisecond on one thread and on all. */
static void
bench_threads (const char *name, double amount, const char *unit, Work work, gpointer user_data)
{
  goban_parallel_set_max_threads (1);
  printf ("%s-alone %.2f %s\n", name, amount / measure_wall_ms (work, user_data), unit);
  goban_parallel_set_max_threads (0);
  printf ("%s-all %.2f %s\n", name, amount / measure_wall_ms (work, user_data), unit);
}

static float *
new_numbers (gsize n, guint64 seed)
{
  float *numbers = g_new (float, n);

  grad_fill (numbers, n, 0.5, seed);
  return numbers;
}

/* --- products ----------------------------------------------------------------------------- */

typedef void (*Multiply) (float *c, const float *a, const float *b, int M, int N, int K);

typedef struct
{
  Multiply multiply;
  int M, N, K, n_times;
  float *a, *b, *c;
} Product;

static void
work_product (gpointer user_data)
{
  Product *self = user_data;

  for (int i = 0; i < self->n_times; i++)
    self->multiply (self->c, self->a, self->b, self->M, self->N, self->K);
}

static void
bench_product (const char *name, Multiply multiply, int M, int N, int K)
{
  Product self = { .multiply = multiply, .M = M, .N = N, .K = K };
  double flops = 2.0 * M * N * K;

  self.n_times = (int) MAX (1, 2e8 / flops);
  self.a = new_numbers ((gsize) self.M * self.K, 1);
  self.b = new_numbers ((gsize) self.N * self.K, 2);
  self.c = new_numbers ((gsize) self.M * self.N, 3);
  printf ("gemm-%s-%dx%dx%d %.1f GF/s\n", name, self.M, self.K, self.N,
          flops * self.n_times / (measure_ms (work_product, &self) * 1e6));
  g_free (self.a);
  g_free (self.b);
  g_free (self.c);
}

static void
bench_products (void)
{
  static const int shapes[][3] = {
    { 1000, 64, 64 },    { 10000, 64, 64 },   { 80000, 64, 64 },  { 1000, 128, 128 },
    { 10000, 128, 128 }, { 1000, 64, 256 },   { 10000, 64, 256 }, { 1000, 256, 64 },
    { 10000, 256, 64 },  { 80000, 128, 128 }, { 256, 256, 32 },   { 512, 512, 512 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    bench_product ("nn", goban_gemm_nn, shapes[i][0], shapes[i][1], shapes[i][2]);
  bench_product ("nt", goban_gemm_nt, 10000, 64, 64);
  bench_product ("tn", goban_gemm_tn, 64, 64, 10000);
  bench_product ("nt", goban_gemm_nt, 1, 1024, 256);
  bench_product ("nt", goban_gemm_nt, 4, 1024, 256);
  bench_product ("nn", goban_gemm_nn, 4, 256, 1024);
  bench_product ("nt", goban_gemm_nt, 8, 1024, 256);
}

/* --- an LSTM ------------------------------------------------------------------------------ */

enum
{
  T = 40,
  B = 4,
  H = 256
};

typedef struct
{
  GobanLstm run;
  GobanLstmGrad grad;
} Sequence;

static void
work_forward (gpointer user_data)
{
  Sequence *self = user_data;

  goban_lstm_forward (&self->run);
}

static void
work_backward (gpointer user_data)
{
  Sequence *self = user_data;

  goban_lstm_backward (&self->run, &self->grad);
}

static void
bench_lstm (void)
{
  gsize state = B * H;
  g_autofree float *weights = new_numbers (4 * H * (2 * H + 1), 1);
  g_autofree float *dweights = new_numbers (4 * H * (2 * H + 1), 2);
  g_autofree float *sequence = new_numbers (7 * T * state, 3);
  g_autofree float *gates = new_numbers (2 * 4 * T * state, 4);
  g_autofree float *states = new_numbers (3 * state, 5);
  Sequence self = { .run = { T, B, H, H, FALSE, weights, weights + 4 * H * H, weights + 8 * H * H,
                             sequence, states, states + state, sequence + T * state,
                             sequence + 2 * T * state, gates } };

  self.grad = (GobanLstmGrad){ .dx = sequence + 3 * T * state,
                               .dwx = dweights,
                               .dwh = dweights + 4 * H * H,
                               .db = dweights + 8 * H * H,
                               .dh = sequence + 4 * T * state,
                               .dc = states + 2 * state,
                               .dsums = gates + 4 * T * state };
  printf ("lstm-step-forward-4x256 %.1f us\n", 1e3 / T * measure_ms (work_forward, &self));
  printf ("lstm-step-backward-4x256 %.1f us\n", 1e3 / T * measure_ms (work_backward, &self));
}

/* --- attention of segments ----------------------------------------------------------------- */

#define N_HEADS 4
#define N_SEGMENTS 16

typedef struct
{
  GobanMultihead shape;
  float *y, *dy, *grads; /* of all segments */
  float *work[N_SEGMENTS];
} Segments;

static void
attend_part (guint part, gpointer data)
{
  Segments *self = data;
  gsize n = (gsize) self->shape.S * self->shape.D;

  goban_multihead_forward (self->y + part * n, &self->shape, self->work[part]);
}

static void
attend_backward_part (guint part, gpointer data)
{
  Segments *self = data;
  gsize n = (gsize) self->shape.S * self->shape.D;
  float *grads = self->grads + part * 5 * n;
  GobanMultiheadGrad grad = { grads, grads + n, grads + 2 * n, grads + 3 * n, grads + 4 * n };

  goban_multihead_backward (&grad, self->dy, &self->shape, self->work[part]);
}

static void
work_attend (gpointer user_data)
{
  goban_parallel_for (N_SEGMENTS, attend_part, user_data);
}

static void
work_attend_backward (gpointer user_data)
{
  goban_parallel_for (N_SEGMENTS, attend_backward_part, user_data);
}

/* Segments that remember as many rows, side by side. Rates count products: two forward, five
 * backward, which makes the scores again. */
static void
bench_segment (int S, int D)
{
  gsize n = (gsize) S * D;
  g_autofree float *numbers = new_numbers ((6 + 6 * N_SEGMENTS) * n, 1);
  Segments self = { .shape = { S, S, N_HEADS, D, numbers, numbers + n, numbers + 2 * n,
                               numbers + 3 * n, numbers + 4 * n } };
  g_autofree char *forward = g_strdup_printf ("multihead-%dx%dx%d", S, D, N_HEADS);
  g_autofree char *backward = g_strdup_printf ("multihead-backward-%dx%dx%d", S, D, N_HEADS);
  double product_mflops = 2e-6 * N_SEGMENTS * S * 2 * S * D;

  self.dy = numbers + 5 * n;
  self.y = numbers + 6 * n;
  self.grads = self.y + N_SEGMENTS * n;
  for (int i = 0; i < N_SEGMENTS; i++)
    self.work[i] = g_new (float, goban_multihead_work_size (S, S, N_HEADS, D));
  bench_product ("nt", goban_gemm_nt, S, 2 * S, D / N_HEADS);
  bench_product ("nn", goban_gemm_nn, S, D / N_HEADS, 2 * S);
  bench_product ("tn", goban_gemm_tn, 2 * S, D / N_HEADS, S);
  bench_threads (forward, 2 * product_mflops, "GF/s", work_attend, &self);
  bench_threads (backward, 5 * product_mflops, "GF/s", work_attend_backward, &self);
  for (int i = 0; i < N_SEGMENTS; i++)
    g_free (self.work[i]);
}

int
main (void)
{
  for (int S = 64; S <= 256; S *= 2)
    bench_segment (S, 64);
  bench_segment (256, 128);
  bench_products ();
  bench_lstm ();
  return 0;
}
