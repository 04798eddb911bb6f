#include "engine/learn/nn/lstm.h"

#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/vector.h"

#include <string.h>

#define FORGET_BIAS 1.0f

GOBAN_VECTOR void
goban_lstm_cell_forward (float *restrict h, float *restrict c, float *restrict gates,
                         const float *restrict c_before, int B, int H)
{
  for (int n = 0; n < B; n++)
    {
      float *i = gates + (gsize) n * 4 * H, *f = i + H, *g = f + H, *o = g + H;
      gsize row = (gsize) n * H;

      for (int j = 0; j < H; j++)
        {
          float in = goban_sigmoid (i[j]), keep = goban_sigmoid (f[j] + FORGET_BIAS);
          float fresh = goban_tanh (g[j]), out = goban_sigmoid (o[j]);
          float cell = keep * c_before[row + j] + in * fresh;

          i[j] = in;
          f[j] = keep;
          g[j] = fresh;
          o[j] = out;
          c[row + j] = cell;
          h[row + j] = out * goban_tanh (cell);
        }
    }
}

/* dsums (B,4H) is WRITTEN: the gradient of the sums. dc (B,H) holds that of c by its later readers
 * on entry, and that of c_before on return.   dh (B,H) */
GOBAN_VECTOR static void
cell_backward (float *restrict dsums, float *restrict dc, const float *restrict dh,
               const float *restrict gates, const float *restrict c, const float *restrict c_before,
               int B, int H)
{
  /* forward was c = f c' + i g and h = o tanh (c), so the whole gradient of c is
   * dc + dh o (1 - tanh (c)^2), and each gate's goes through its own slope */
  for (int n = 0; n < B; n++)
    {
      const float *i = gates + (gsize) n * 4 * H, *f = i + H, *g = f + H, *o = g + H;
      float *di = dsums + (gsize) n * 4 * H, *df = di + H, *dg = df + H, *d_o = dg + H;
      gsize row = (gsize) n * H;

      for (int j = 0; j < H; j++)
        {
          float t = goban_tanh (c[row + j]);
          float whole = dc[row + j] + dh[row + j] * o[j] * (1.0f - t * t);

          di[j] = whole * g[j] * i[j] * (1.0f - i[j]);
          df[j] = whole * c_before[row + j] * f[j] * (1.0f - f[j]);
          dg[j] = whole * i[j] * (1.0f - g[j] * g[j]);
          d_o[j] = dh[row + j] * t * o[j] * (1.0f - o[j]);
          dc[row + j] = whole * f[j];
        }
    }
}

/* Step number s in the order of the walk. */
static gsize
step_at (const GobanLstm *self, int s)
{
  return (gsize) (self->is_backwards ? self->T - 1 - s : s);
}

void
goban_lstm_forward (const GobanLstm *self)
{
  int B = self->B, H = self->H;
  gsize state = (gsize) B * H;
  const float *h_before = self->h0, *c_before = self->c0;

  goban_linear_forward (self->gates, self->x, self->wx, self->b, self->T * B, self->I, 4 * H);
  for (int s = 0; s < self->T; s++)
    {
      gsize t = step_at (self, s);
      float *gates = self->gates + t * 4 * state;

      goban_gemm_nt (gates, h_before, self->wh, B, 4 * H, H);
      goban_lstm_cell_forward (self->h + t * state, self->c + t * state, gates, c_before, B, H);
      h_before = self->h + t * state;
      c_before = self->c + t * state;
    }
}

/* dwh += the sum over steps of dsums^T h', in one product: all but the first step of the walk find
 * their h' beside them. */
static void
add_recurrent_gradient (const GobanLstm *self, const GobanLstmGrad *grad)
{
  int B = self->B, H = self->H;
  gsize state = (gsize) B * H;
  gsize later = self->is_backwards ? 0 : 1;

  goban_gemm_tn (grad->dwh, grad->dsums + step_at (self, 0) * 4 * state, self->h0, 4 * H, H, B);
  goban_gemm_tn (grad->dwh, grad->dsums + later * 4 * state, self->h + (1 - later) * state, 4 * H,
                 H, (self->T - 1) * B);
}

void
goban_lstm_backward (const GobanLstm *self, const GobanLstmGrad *grad)
{
  int B = self->B, H = self->H;
  gsize state = (gsize) B * H;

  for (int s = self->T - 1; s >= 0; s--)
    {
      gsize t = step_at (self, s);
      gsize before = s > 0 ? step_at (self, s - 1) : 0;
      const float *c_before = s > 0 ? self->c + before * state : self->c0;
      float *dh_before = s > 0 ? grad->dh + before * state : grad->dh0;
      float *dsums = grad->dsums + t * 4 * state;

      cell_backward (dsums, grad->dc, grad->dh + t * state, self->gates + t * 4 * state,
                     self->c + t * state, c_before, B, H);
      if (dh_before != NULL)
        goban_gemm_nn (dh_before, dsums, self->wh, B, H, 4 * H);
    }
  for (gsize i = 0; i < state && grad->dc0 != NULL; i++)
    grad->dc0[i] += grad->dc[i];

  add_recurrent_gradient (self, grad);
  if (grad->dwx != NULL)
    goban_linear_backward (grad->dx, grad->dwx, grad->db, grad->dsums, self->x, self->wx,
                           self->T * B, self->I, 4 * H);
}
