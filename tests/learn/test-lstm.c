/* test-lstm.c: the sequence against the formulas one number at a time, and its gradients through
 * time in both directions. */
#include "engine/learn/nn/lstm.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

enum
{
  T = 4,
  B = 2,
  I = 3,
  H = 5,
  STATE = B * H
};

typedef struct
{
  float wx[4 * H * I], wh[4 * H * H], b[4 * H], x[T * B * I], h0[STATE], c0[STATE];
  float h[T * STATE], c[T * STATE], gates[T * 4 * STATE];
  float h_weights[T * STATE], c_weights[STATE]; /* of every h and of the last c in the loss */
  gboolean is_backwards;
} Sequence;

static GobanLstm
describe (Sequence *self)
{
  return (GobanLstm){ T,        B,        I,       H,          self->is_backwards,
                      self->wx, self->wh, self->b, self->x,    self->h0,
                      self->c0, self->h,  self->c, self->gates };
}

static void
fill (Sequence *self, gboolean is_backwards)
{
  memset (self, 0, sizeof *self);
  self->is_backwards = is_backwards;
  grad_fill (self->wx, 4 * H * I, 0.8, 1);
  grad_fill (self->wh, 4 * H * H, 0.8, 2);
  grad_fill (self->b, 4 * H, 0.5, 3);
  grad_fill (self->x, T * B * I, 1, 4);
  grad_fill (self->h0, STATE, 1, 5);
  grad_fill (self->c0, STATE, 1, 6);
  grad_fill (self->h_weights, T * STATE, 1, 7);
  grad_fill (self->c_weights, STATE, 1, 8);
}

static double
sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}

/* The formulas of lstm.h for one sequence of the batch, in double. */
static void
run_slowly (const Sequence *self, int n, double h[T][H], double c[T][H])
{
  double h_before[H], c_before[H];

  for (int j = 0; j < H; j++)
    {
      h_before[j] = (double) self->h0[n * H + j];
      c_before[j] = (double) self->c0[n * H + j];
    }
  for (int s = 0; s < T; s++)
    {
      int t = self->is_backwards ? T - 1 - s : s;
      double sums[4 * H];

      for (int k = 0; k < 4 * H; k++)
        {
          sums[k] = (double) self->b[k];
          for (int i = 0; i < I; i++)
            sums[k] += (double) self->wx[k * I + i] * (double) self->x[(t * B + n) * I + i];
          for (int j = 0; j < H; j++)
            sums[k] += (double) self->wh[k * H + j] * h_before[j];
        }
      for (int j = 0; j < H; j++)
        {
          c[t][j] = sigmoid (sums[H + j] + 1) * c_before[j]
                    + sigmoid (sums[j]) * tanh (sums[2 * H + j]);
          h[t][j] = sigmoid (sums[3 * H + j]) * tanh (c[t][j]);
        }
      memcpy (h_before, h[t], sizeof h_before);
      memcpy (c_before, c[t], sizeof c_before);
    }
}

static void
check_twin (gboolean is_backwards)
{
  Sequence self;
  GobanLstm lstm;

  fill (&self, is_backwards);
  lstm = describe (&self);
  goban_lstm_forward (&lstm);
  for (int n = 0; n < B; n++)
    {
      double h[T][H], c[T][H];

      run_slowly (&self, n, h, c);
      for (int t = 0; t < T; t++)
        for (int j = 0; j < H; j++)
          {
            g_assert_cmpfloat_with_epsilon ((double) self.h[(t * B + n) * H + j], h[t][j], 1e-6);
            g_assert_cmpfloat_with_epsilon ((double) self.c[(t * B + n) * H + j], c[t][j], 1e-6);
          }
    }
}

static void
test_twin (void)
{
  check_twin (FALSE);
  check_twin (TRUE);
}

static int
last_step (const Sequence *self)
{
  return self->is_backwards ? 0 : T - 1;
}

static double
loss (gpointer data)
{
  Sequence *self = data;
  GobanLstm lstm = describe (self);

  goban_lstm_forward (&lstm);
  return grad_dot (self->h, self->h_weights, T * STATE)
         + grad_dot (self->c + last_step (self) * STATE, self->c_weights, STATE);
}

static void
check_gradient (gboolean is_backwards)
{
  Sequence self;
  float dwx[4 * H * I] = { 0 }, dwh[4 * H * H] = { 0 }, db[4 * H] = { 0 }, dx[T * B * I] = { 0 };
  float dh0[STATE] = { 0 }, dc0[STATE] = { 0 }, dh[T * STATE], dc[STATE], dsums[T * 4 * STATE];
  GobanLstmGrad grad = { dx, dwx, dwh, db, dh0, dc0, dh, dc, dsums };
  GradArray arrays[] = { { "wx", self.wx, dwx, 4 * H * I }, { "wh", self.wh, dwh, 4 * H * H },
                         { "b", self.b, db, 4 * H },        { "x", self.x, dx, T * B * I },
                         { "h0", self.h0, dh0, STATE },     { "c0", self.c0, dc0, STATE } };
  GobanLstm lstm;

  fill (&self, is_backwards);
  loss (&self);
  memcpy (dh, self.h_weights, sizeof dh);
  memcpy (dc, self.c_weights, sizeof dc);
  lstm = describe (&self);
  goban_lstm_backward (&lstm, &grad);
  grad_check_assert (loss, &self, arrays, G_N_ELEMENTS (arrays), 0.03, 5e-3);
}

static void
test_gradient (void)
{
  check_gradient (FALSE);
  check_gradient (TRUE);
}

/* A sequence told backwards by a backwards LSTM is the forward one. */
static void
test_directions_mirror (void)
{
  static Sequence forward, backward;
  GobanLstm lstm;

  fill (&forward, FALSE);
  fill (&backward, TRUE);
  for (int t = 0; t < T; t++)
    memcpy (backward.x + (T - 1 - t) * B * I, forward.x + t * B * I, B * I * sizeof (float));
  lstm = describe (&forward);
  goban_lstm_forward (&lstm);
  lstm = describe (&backward);
  goban_lstm_forward (&lstm);
  for (int t = 0; t < T; t++)
    for (int i = 0; i < STATE; i++)
      g_assert_cmpfloat_with_epsilon (backward.h[(T - 1 - t) * STATE + i], forward.h[t * STATE + i],
                                      1e-6f);
}

TEST_PROGRAM (lstm)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lstm/twin", test_twin);
  g_test_add_func ("/lstm/gradient", test_gradient);
  g_test_add_func ("/lstm/directions-mirror", test_directions_mirror);
  return g_test_run ();
}
