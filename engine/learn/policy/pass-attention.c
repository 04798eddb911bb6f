/* A layer of segment-level recurrent attention (Dai et al., Transformer-XL, 2019), post-norm,
 * without positions:
 *
 *   x' = c * x
 *   a  = heads of softmax (Q K^T / sqrt (d)) V
 *        Q = x' Wq of the segment's rows; K = x' Wk, V = x' Wv of these and the remembered ones
 *   z  = layernorm (x' + a Wo)
 *   y  = layernorm (z + relu (z W1) W2)
 *
 * A segment also attends to the rows of the previous segment; in odd layers, if the configuration
 * alternates, to those of the next one. Remembered are inputs of the layer, not its outputs, so all
 * segments are independent. Where gradients are stopped, those of remembered keys and values reach
 * Wk and Wv and go no further. Without attention, z = layernorm (x').
 *
 * Kept for backward are q, k, v, a and what goes into both norms; x', z and relu (...) are made
 * again.
 */
#include "engine/learn/policy/pass-private.h"

#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/layernorm.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/multihead.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/pass-steps.h"

#include <string.h>

typedef struct
{
  const GobanNet *net;
  const GobanLayerTensors *tensors;
  const GobanLayerState *state;
  gboolean looks_ahead;
  float *dx;
  const float *dy;
} Step;

/* Rooms of backward, (N,W) each. */
enum
{
  ROOM_DA,
  ROOM_DSUM, /* gradient of the first norm for the residual */
  ROOM_DQ,
  ROOM_DK,
  ROOM_DV,
  ROOM_DK_MEM,
  ROOM_DV_MEM
};
G_STATIC_ASSERT (ROOM_DV_MEM + 1 == GOBAN_PASS_N_ROOMS);

static gboolean
attends (const GobanPass *self)
{
  return self->config.n_attention > 0;
}

static Step
make_step (const GobanPass *self, const GobanNet *net, int layer, const GobanLayerState *state)
{
  return (Step){ .net = net,
                 .tensors = &self->tensors.layers[layer],
                 .state = state,
                 .looks_ahead = self->config.alternates && layer % 2 == 1 };
}

void
goban_pass_layer_reserve (GobanPass *self, GobanLayerState *state)
{
  gsize N = (gsize) self->N, NW = N * (gsize) self->W;

  if (attends (self))
    {
      state->q = goban_pass_reserve (self, NW);
      state->k = goban_pass_reserve (self, NW);
      state->v = goban_pass_reserve (self, NW);
      state->a = goban_pass_reserve (self, NW);
    }
  for (int i = 0; i < 2; i++)
    {
      state->sum[i] = goban_pass_reserve (self, NW);
      state->mean[i] = goban_pass_reserve (self, N);
      state->inverse[i] = goban_pass_reserve (self, N);
    }
  state->y = goban_pass_reserve (self, NW);
}

/* --- elements ------------------------------------------------------------------------------- */

GOBAN_VECTOR static void
add (float *restrict to, const float *restrict from, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] += from[i];
}

GOBAN_VECTOR static void
scale (float *restrict y, const float *restrict c, const float *restrict x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = c[i] * x[i];
}

/* forward was y = c x; dx, which is dy at first, is replaced */
GOBAN_VECTOR static void
scale_backward (float *restrict dx, float *restrict dc, const float *restrict c,
                const float *restrict x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      dc[i] += dx[i] * x[i];
      dx[i] *= c[i];
    }
}

/* forward was y = relu (x); the gradient is replaced */
GOBAN_VECTOR static void
mask (float *restrict dy, const float *restrict y, gsize n)
{
  for (gsize i = 0; i < n; i++)
    dy[i] = y[i] > 0.0f ? dy[i] : 0.0f;
}

/* x' of n rows. */
static void
modulate (const GobanPass *self, const GobanLayerState *state, int first, int n, float *y)
{
  gsize at = (gsize) first * self->W, size = (gsize) n * self->W;

  if (self->c == NULL)
    memcpy (y, state->x + at, size * sizeof *y);
  else
    scale (y, self->c + at, state->x + at, size);
}

/* --- segments ------------------------------------------------------------------------------- */

typedef struct
{
  int first, n;         /* rows */
  int first_mem, n_mem; /* remembered; 0 of them at an end */
} Segment;

static Segment
get_segment (const GobanPass *self, int s, gboolean looks_ahead)
{
  int S = self->config.segment;
  int remembered = looks_ahead ? s + 1 : s - 1;
  Segment segment = { s * S, MIN (S, self->N - s * S), 0, 0 };

  if (remembered >= 0 && remembered < self->n_segments)
    {
      segment.first_mem = remembered * S;
      segment.n_mem = MIN (S, self->N - segment.first_mem);
    }
  return segment;
}

static GobanMultihead
get_multihead (const GobanPass *self, const GobanLayerState *state, const Segment *segment)
{
  gsize at = (gsize) segment->first * self->W, at_mem = (gsize) segment->first_mem * self->W;

  return (GobanMultihead){ .S = segment->n,
                           .M = segment->n_mem,
                           .H = self->config.n_heads,
                           .D = self->W,
                           .q = state->q + at,
                           .k = state->k + at,
                           .v = state->v + at,
                           .k_mem = state->k + at_mem,
                           .v_mem = state->v + at_mem };
}

/* --- forward -------------------------------------------------------------------------------- */

static void
project (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  float *x = goban_pass_get_room (self, lane, 0);
  int W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W;

      modulate (self, step->state, first, n, x);
      goban_linear_turned_forward (step->state->q + at, x,
                                   goban_pass_turned (self, step->tensors->q), NULL, n, W, W);
      goban_linear_turned_forward (step->state->k + at, x,
                                   goban_pass_turned (self, step->tensors->k), NULL, n, W, W);
      goban_linear_turned_forward (step->state->v + at, x,
                                   goban_pass_turned (self, step->tensors->v), NULL, n, W, W);
    }
}

/* sum[0] = x' + a Wo + bo, or x' */
static void
add_heard (GobanPass *self, GobanLane *lane, const Step *step, int first, int n)
{
  int W = self->W;
  gsize at = (gsize) first * W;
  float *sum = step->state->sum[0] + at;
  float *x = goban_pass_get_room (self, lane, 0);

  if (!attends (self))
    {
      modulate (self, step->state, first, n, sum);
      return;
    }
  modulate (self, step->state, first, n, x);
  goban_linear_turned_forward (sum, step->state->a + at, goban_pass_turned (self, step->tensors->o),
                               goban_pass_value (step->net, step->tensors->o_b), n, W, W);
  add (sum, x, (gsize) n * W);
}

/* z and relu (z W1 + b1) of n rows; the norm's statistics are written as well, the same each
 * time. */
static void
feed (const GobanPass *self, const Step *step, int first, int n, float *z, float *hidden)
{
  const GobanLayerState *state = step->state;
  int W = self->W, F = self->config.ffn;

  goban_layernorm_forward (z, state->mean[0] + first, state->inverse[0] + first,
                           state->sum[0] + (gsize) first * W,
                           goban_pass_value (step->net, step->tensors->gamma[0]),
                           goban_pass_value (step->net, step->tensors->beta[0]), n, W);
  goban_linear_turned_forward (hidden, z, goban_pass_turned (self, step->tensors->in_w),
                               goban_pass_value (step->net, step->tensors->in_b), n, W, F);
  goban_relu_forward (hidden, hidden, (gsize) n * F);
}

static void
attend (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  const GobanLayerState *state = step->state;
  float *z = goban_pass_get_room (self, lane, 1);
  float *hidden = goban_pass_get_room (self, lane, 6);
  int W = self->W, F = self->config.ffn;

  for (int s = lane->first_segment; s < lane->first_segment + lane->n_segments && attends (self);
       s++)
    {
      Segment segment = get_segment (self, s, step->looks_ahead);
      GobanMultihead multihead = get_multihead (self, state, &segment);

      goban_multihead_forward (state->a + (gsize) segment.first * W, &multihead, lane->work);
    }
  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W;

      add_heard (self, lane, step, first, n);
      feed (self, step, first, n, z, hidden);
      goban_linear_turned_forward (state->sum[1] + at, hidden,
                                   goban_pass_turned (self, step->tensors->out_w),
                                   goban_pass_value (step->net, step->tensors->out_b), n, F, W);
      add (state->sum[1] + at, z, (gsize) n * W);
      goban_layernorm_forward (state->y + at, state->mean[1] + first, state->inverse[1] + first,
                               state->sum[1] + at,
                               goban_pass_value (step->net, step->tensors->gamma[1]),
                               goban_pass_value (step->net, step->tensors->beta[1]), n, W);
    }
}

void
goban_pass_layer_forward (GobanPass *self, const GobanNet *net, int layer, GobanLayerState *state)
{
  Step step = make_step (self, net, layer, state);

  if (attends (self))
    goban_pass_for_lanes (self, project, &step);
  goban_pass_for_lanes (self, attend, &step);
}

/* --- display -------------------------------------------------------------------------------- */

/* The keys of a segment are the remembered rows, then its own. */
static guint32
get_key_row (const Segment *segment, int key)
{
  return (guint32) (key < segment->n_mem ? segment->first_mem + key
                                         : segment->first + key - segment->n_mem);
}

/* Puts a row where its share belongs, if that is among the largest; the first of equal ones stays
 * before. */
static void
insert (guint32 *rows, float *shares, guint32 row, float share)
{
  int i = GOBAN_N_ATTENDED;

  for (; i > 0 && share > shares[i - 1]; i--)
    if (i < GOBAN_N_ATTENDED)
      {
        rows[i] = rows[i - 1];
        shares[i] = shares[i - 1];
      }
  if (i < GOBAN_N_ATTENDED)
    {
      rows[i] = row;
      shares[i] = share;
    }
}

static void
find_most (const Segment *segment, const float *p, guint32 *rows, float *shares)
{
  int T = segment->n_mem + segment->n;

  for (int s = 0; s < segment->n; s++)
    {
      gsize at = (gsize) (segment->first + s) * GOBAN_N_ATTENDED;

      for (int i = 0; i < GOBAN_N_ATTENDED; i++)
        {
          rows[at + i] = GOBAN_NO_ROW;
          shares[at + i] = 0;
        }
      for (int t = 0; t < T; t++)
        if (t != segment->n_mem + s)
          insert (rows + at, shares + at, get_key_row (segment, t), p[(gsize) s * T + t]);
    }
}

gboolean
goban_pass_layer_find_attended (const GobanPass *self, int layer, const GobanLayerState *state,
                                guint32 *rows, float *shares)
{
  gboolean looks_ahead = self->config.alternates && layer % 2 == 1;
  int S = self->config.segment;
  g_autofree float *work = NULL, *p = NULL;

  if (!attends (self))
    return FALSE;
  work = g_new (float, goban_multihead_work_size (S, S, self->config.n_heads, self->W));
  p = g_new (float, 2 * (gsize) S * (gsize) S);
  for (int s = 0; s < self->n_segments; s++)
    {
      Segment segment = get_segment (self, s, looks_ahead);
      GobanMultihead multihead = get_multihead (self, state, &segment);

      goban_multihead_probabilities (p, &multihead, work);
      find_most (&segment, p, rows, shares);
    }
  return TRUE;
}

/* --- backward ------------------------------------------------------------------------------- */

/* dz (n,W) of the second norm and the feed-forward part. */
static void
feed_backward (GobanPass *self, GobanLane *lane, const Step *step, int first, int n, float *dz)
{
  const GobanLayerState *state = step->state;
  const GobanLayerTensors *tensors = step->tensors;
  float *z = goban_pass_get_room (self, lane, 1);
  float *dsum = goban_pass_get_room (self, lane, 2);
  float *hidden = goban_pass_get_room (self, lane, 6);
  float *dhidden = goban_pass_get_room (self, lane, 7);
  int W = self->W, F = self->config.ffn;
  gsize at = (gsize) first * W, size = (gsize) n * W;

  feed (self, step, first, n, z, hidden);
  memset (dsum, 0, size * sizeof *dsum);
  goban_layernorm_backward (dsum, goban_pass_grad (self, lane, tensors->gamma[1]),
                            goban_pass_grad (self, lane, tensors->beta[1]), step->dy + at,
                            state->sum[1] + at, state->mean[1] + first, state->inverse[1] + first,
                            goban_pass_value (step->net, tensors->gamma[1]), n, W);
  /* forward was sum = z + relu (z W1 + b1) W2 + b2 */
  memset (dhidden, 0, (gsize) n * F * sizeof *dhidden);
  goban_linear_backward (dhidden, goban_pass_grad (self, lane, tensors->out_w),
                         goban_pass_grad (self, lane, tensors->out_b), dsum, hidden,
                         goban_pass_value (step->net, tensors->out_w), n, F, W);
  mask (dhidden, hidden, (gsize) n * F);
  memcpy (dz, dsum, size * sizeof *dz);
  goban_linear_backward (dz, goban_pass_grad (self, lane, tensors->in_w),
                         goban_pass_grad (self, lane, tensors->in_b), dhidden, z,
                         goban_pass_value (step->net, tensors->in_w), n, W, F);
}

/* From dy to the gradients of x' + a Wo and of a. */
static void
attend_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  const GobanLayerState *state = step->state;
  const GobanLayerTensors *tensors = step->tensors;
  float *dz = goban_pass_get_room (self, lane, 0);
  int W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W, size = (gsize) n * W;
      float *dsum = self->rooms[ROOM_DSUM] + at;

      feed_backward (self, lane, step, first, n, dz);
      memset (dsum, 0, size * sizeof *dsum);
      goban_layernorm_backward (dsum, goban_pass_grad (self, lane, tensors->gamma[0]),
                                goban_pass_grad (self, lane, tensors->beta[0]), dz,
                                state->sum[0] + at, state->mean[0] + first,
                                state->inverse[0] + first,
                                goban_pass_value (step->net, tensors->gamma[0]), n, W);
      if (!attends (self))
        continue;
      for (int room = ROOM_DQ; room <= ROOM_DV_MEM; room++)
        memset (self->rooms[room] + at, 0, size * sizeof *dsum);
      memset (self->rooms[ROOM_DA] + at, 0, size * sizeof *dsum);
      goban_linear_backward (self->rooms[ROOM_DA] + at, goban_pass_grad (self, lane, tensors->o),
                             goban_pass_grad (self, lane, tensors->o_b), dsum, state->a + at,
                             goban_pass_value (step->net, tensors->o), n, W, W);
    }
}

/* Rows are remembered by one segment at most, so each of the four arrays has one writer. */
static void
hear_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;

  for (int s = lane->first_segment; s < lane->first_segment + lane->n_segments; s++)
    {
      Segment segment = get_segment (self, s, step->looks_ahead);
      GobanMultihead multihead = get_multihead (self, step->state, &segment);
      gsize at = (gsize) segment.first * self->W, at_mem = (gsize) segment.first_mem * self->W;
      GobanMultiheadGrad grad = { .dq = self->rooms[ROOM_DQ] + at,
                                  .dk = self->rooms[ROOM_DK] + at,
                                  .dv = self->rooms[ROOM_DV] + at,
                                  .dk_mem = self->rooms[ROOM_DK_MEM] + at_mem,
                                  .dv_mem = self->rooms[ROOM_DV_MEM] + at_mem };

      goban_multihead_backward (&grad, self->rooms[ROOM_DA] + at, &multihead, lane->work);
    }
}

/* dx += dy W and dW += dy^T x; dy has two parts: own and remembered. */
static void
project_backward (GobanPass *self, GobanLane *lane, const Step *step, guint tensor, float *dy,
                  const float *dy_mem, float *dx, const float *x, int n)
{
  const float *w = goban_pass_value (step->net, tensor);
  float *dw = goban_pass_grad (self, lane, tensor);
  int W = self->W;

  if (self->config.stops_gradient)
    goban_linear_backward (dx, NULL, NULL, dy, x, w, n, W, W);
  add (dy, dy_mem, (gsize) n * W);
  goban_linear_backward (self->config.stops_gradient ? NULL : dx, dw, NULL, dy, x, w, n, W, W);
}

static void
input_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  const GobanLayerTensors *tensors = step->tensors;
  float *x = goban_pass_get_room (self, lane, 0);
  int W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W, size = (gsize) n * W;
      float *dx = self->rooms[ROOM_DSUM] + at;

      if (attends (self))
        {
          modulate (self, step->state, first, n, x);
          goban_linear_backward (dx, goban_pass_grad (self, lane, tensors->q), NULL,
                                 self->rooms[ROOM_DQ] + at, x,
                                 goban_pass_value (step->net, tensors->q), n, W, W);
          project_backward (self, lane, step, tensors->k, self->rooms[ROOM_DK] + at,
                            self->rooms[ROOM_DK_MEM] + at, dx, x, n);
          project_backward (self, lane, step, tensors->v, self->rooms[ROOM_DV] + at,
                            self->rooms[ROOM_DV_MEM] + at, dx, x, n);
        }
      /* forward was x' = c x */
      if (self->c != NULL)
        scale_backward (dx, self->dc + at, self->c + at, step->state->x + at, size);
      memcpy (step->dx + at, dx, size * sizeof *dx);
    }
}

void
goban_pass_layer_backward (GobanPass *self, const GobanNet *net, int layer,
                           const GobanLayerState *state, float *dx, const float *dy)
{
  Step step = make_step (self, net, layer, state);

  step.dx = dx;
  step.dy = dy;
  goban_pass_for_lanes (self, attend_backward, &step);
  if (attends (self))
    goban_pass_for_lanes (self, hear_backward, &step);
  goban_pass_for_lanes (self, input_backward, &step);
}
