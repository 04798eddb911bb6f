/* test-pass-attention.c: a layer of recurrent attention against a plain twin in double.
 *
 * The twin can hold what is remembered constant. That is what stopped gradients are the gradients
 * of: Wk and Wv still turn remembered rows into keys and values, but the rows are not the layer
 * below any more.
 */
#include "engine/learn/policy/pass-private.h"
#include "tests/learn/tiny-board.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  N = 10,
  W = 6,
  H = 2,
  F = 7,
  S = 4,
  MAX_TENSOR = W * F
};

typedef struct
{
  gboolean stops;
  gboolean alternates;
  int layer;
} Shape;

typedef struct
{
  double q[W * W], k[W * W], v[W * W], o[W * W], o_b[W];
  double gamma[2][W], beta[2][W];
  double in_w[F * W], in_b[F], out_w[W * F], out_b[W];
  double x[N * W], c[N * W];
  double memory[N * W]; /* x' as it was at first */
} Twin;

/* --- the twin ------------------------------------------------------------------------------- */

/* y (O) = w x + b */
static void
multiply (double *y, const double *w, const double *b, const double *x, int I, int O)
{
  for (int o = 0; o < O; o++)
    {
      y[o] = b != NULL ? b[o] : 0;
      for (int i = 0; i < I; i++)
        y[o] += w[o * I + i] * x[i];
    }
}

static void
norm (double *y, const double *x, const double *gamma, const double *beta)
{
  double mean = 0, variance = 0;

  for (int d = 0; d < W; d++)
    mean += x[d] / W;
  for (int d = 0; d < W; d++)
    variance += (x[d] - mean) * (x[d] - mean) / W;
  for (int d = 0; d < W; d++)
    y[d] = (x[d] - mean) / sqrt (variance + 1e-5) * gamma[d] + beta[d];
}

/* a (W) of row n: softmax over the rows of its segment, as they are, and of the remembered one. */
static void
hear (const Twin *self, const Shape *shape, const double *xs, int n, double *a)
{
  int own = n / S, other = shape->alternates && shape->layer % 2 == 1 ? own + 1 : own - 1;
  double q[W], k[N][W], v[N][W];

  multiply (q, self->q, NULL, xs + n * W, W, W);
  for (int m = 0; m < N; m++)
    {
      const double *row = m / S == other && shape->stops ? self->memory + m * W : xs + m * W;

      multiply (k[m], self->k, NULL, row, W, W);
      multiply (v[m], self->v, NULL, row, W, W);
    }
  for (int h = 0; h < H; h++)
    {
      int first = h * W / H, last = (h + 1) * W / H;
      double weights[N] = { 0 }, total = 0;

      for (int m = 0; m < N; m++)
        {
          double dot = 0;

          if (m / S != own && m / S != other)
            continue;
          for (int d = first; d < last; d++)
            dot += q[d] * k[m][d];
          weights[m] = exp (dot / sqrt ((double) W / H));
          total += weights[m];
        }
      for (int d = first; d < last; d++)
        {
          a[d] = 0;
          for (int m = 0; m < N; m++)
            a[d] += weights[m] / total * v[m][d];
        }
    }
}

static void
run_twin (const Twin *self, const Shape *shape, double *y)
{
  double xs[N * W];

  for (int i = 0; i < N * W; i++)
    xs[i] = self->c[i] * self->x[i];
  for (int n = 0; n < N; n++)
    {
      double a[W], sum[W], z[W], hidden[F], fed[W];

      hear (self, shape, xs, n, a);
      multiply (sum, self->o, self->o_b, a, W, W);
      for (int d = 0; d < W; d++)
        sum[d] += xs[n * W + d];
      norm (z, sum, self->gamma[0], self->beta[0]);
      multiply (hidden, self->in_w, self->in_b, z, W, F);
      for (int f = 0; f < F; f++)
        hidden[f] = MAX (hidden[f], 0);
      multiply (fed, self->out_w, self->out_b, hidden, F, W);
      for (int d = 0; d < W; d++)
        fed[d] += z[d];
      norm (y + n * W, fed, self->gamma[1], self->beta[1]);
    }
}

/* --- the layer ------------------------------------------------------------------------------ */

typedef struct
{
  Shape shape;
  GobanBoard *board;
  GobanNet *net;
  GobanPass *pass;
  float x[N * W], weights[N * W], dx[N * W];
  GobanLayerState state;
  Twin twin;
} Case;

typedef struct
{
  guint tensor;
  double *values; /* the twin's */
  int n;
} Pair;

#define N_PAIRS 13

static void
list_pairs (Case *self, Pair *pairs)
{
  const GobanLayerTensors *tensors = &self->net->tensors.layers[self->shape.layer];
  Twin *twin = &self->twin;
  const Pair list[N_PAIRS]
      = { { tensors->q, twin->q, W * W },         { tensors->k, twin->k, W * W },
          { tensors->v, twin->v, W * W },         { tensors->o, twin->o, W * W },
          { tensors->o_b, twin->o_b, W },         { tensors->gamma[0], twin->gamma[0], W },
          { tensors->beta[0], twin->beta[0], W }, { tensors->gamma[1], twin->gamma[1], W },
          { tensors->beta[1], twin->beta[1], W }, { tensors->in_w, twin->in_w, F * W },
          { tensors->in_b, twin->in_b, F },       { tensors->out_w, twin->out_w, W * F },
          { tensors->out_b, twin->out_b, W } };

  memcpy (pairs, list, sizeof list);
}

static void
copy (double *to, const float *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = (double) from[i];
}

static void
begin (Case *self, const Shape *shape)
{
  static const TinyBoard board = { N, 2, FALSE, 1 };
  GobanNetConfig config = goban_net_config_goban ();
  Pair pairs[N_PAIRS];
  GobanRng rng;

  config.width = W;
  config.n_heads = H;
  config.ffn = F;
  config.segment = S;
  config.n_attention = 2;
  config.stops_gradient = shape->stops;
  config.alternates = shape->alternates;
  goban_rng_init (&rng, 7);
  self->shape = *shape;
  self->board = tiny_board_new (&board);
  self->net = goban_net_new (&config, &rng);
  self->pass = goban_pass_new (&config, self->board);
  self->state = self->pass->layers[0][0];
  self->state.x = self->x;
  grad_fill (self->x, N * W, 1, 1);
  grad_fill (self->pass->c, N * W, 1.5, 2);
  grad_fill (self->weights, N * W, 1, 3);
  list_pairs (self, pairs);
  for (int i = 0; i < N_PAIRS; i++)
    {
      float *values = goban_params_value (self->net->params, pairs[i].tensor);

      grad_fill (values, (gsize) pairs[i].n, 0.8, (guint64) (10 + i));
      copy (pairs[i].values, values, pairs[i].n);
    }
  copy (self->twin.x, self->x, N * W);
  copy (self->twin.c, self->pass->c, N * W);
  for (int i = 0; i < N * W; i++)
    self->twin.memory[i] = self->twin.c[i] * self->twin.x[i];
  goban_pass_turn_weights (self->pass, self->net);
  goban_pass_layer_forward (self->pass, self->net, shape->layer, &self->state);
}

static void
end (Case *self)
{
  goban_pass_free (self->pass);
  goban_net_free (self->net);
  tiny_board_free (self->board);
}

static double
loss (const Case *self)
{
  double y[N * W], total = 0;

  run_twin (&self->twin, &self->shape, y);
  for (int i = 0; i < N * W; i++)
    total += y[i] * (double) self->weights[i];
  return total;
}

static void
check (Case *self, double *values, const float *gradient, int n)
{
  const double step = 1e-4;

  for (int i = 0; i < n; i++)
    {
      double before = values[i], numeric;

      values[i] = before + step;
      numeric = loss (self);
      values[i] = before - step;
      numeric = (numeric - loss (self)) / (2 * step);
      values[i] = before;
      g_assert_cmpfloat_with_epsilon (numeric, (double) gradient[i], 2e-3 + 1e-3 * fabs (numeric));
    }
}

static const Shape shapes[] = {
  { FALSE, FALSE, 0 }, { TRUE, FALSE, 0 }, { FALSE, TRUE, 1 }, { TRUE, TRUE, 1 }, { TRUE, TRUE, 0 },
};

static void
test_twin (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      Case self;
      double y[N * W];

      begin (&self, &shapes[i]);
      run_twin (&self.twin, &shapes[i], y);
      for (int j = 0; j < N * W; j++)
        g_assert_cmpfloat_with_epsilon (y[j], (double) self.state.y[j], 1e-4);
      end (&self);
    }
}

static void
test_gradient (gconstpointer data)
{
  Case self;
  Pair pairs[N_PAIRS];

  begin (&self, data);
  goban_pass_layer_backward (self.pass, self.net, self.shape.layer, &self.state, self.dx,
                             self.weights);
  list_pairs (&self, pairs);
  for (int i = 0; i < N_PAIRS; i++)
    {
      float sum[MAX_TENSOR] = { 0 };

      for (guint l = 0; l < self.pass->n_lanes; l++)
        for (int j = 0; j < pairs[i].n; j++)
          sum[j] += goban_pass_grad (self.pass, &self.pass->lanes[l], pairs[i].tensor)[j];
      check (&self, pairs[i].values, sum, pairs[i].n);
    }
  check (&self, self.twin.x, self.dx, N * W);
  check (&self, self.twin.c, self.pass->dc, N * W);
  end (&self);
}

/* A row depends on its own segment and one next to it only. */
static void
test_reach (void)
{
  static const struct
  {
    Shape shape;
    gboolean hears[3]; /* whether segment 1 depends on segments 0, 1, 2 */
  } rows[] = { { { FALSE, TRUE, 0 }, { TRUE, TRUE, FALSE } },
               { { FALSE, TRUE, 1 }, { FALSE, TRUE, TRUE } },
               { { FALSE, FALSE, 1 }, { TRUE, TRUE, FALSE } } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (int s = 0; s < 3; s++)
      {
        Case self;
        float before[W];
        gboolean is_same;

        begin (&self, &rows[i].shape);
        memcpy (before, self.state.y + (S + 1) * W, sizeof before);
        self.x[s * S * W] += 1;
        goban_pass_layer_forward (self.pass, self.net, rows[i].shape.layer, &self.state);
        is_same = memcmp (before, self.state.y + (S + 1) * W, sizeof before) == 0;
        g_assert_cmpint (is_same, ==, !rows[i].hears[s]);
        end (&self);
      }
}

TEST_PROGRAM (pass_attention)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pass-attention/twin", test_twin);
  g_test_add_func ("/pass-attention/reach", test_reach);
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *name = g_strdup_printf ("/pass-attention/gradient/%s-layer-%d%s",
                                               shapes[i].stops ? "stops" : "full", shapes[i].layer,
                                               shapes[i].alternates ? "-alternates" : "");

      g_test_add_data_func (name, &shapes[i], test_gradient);
    }
  return g_test_run ();
}
