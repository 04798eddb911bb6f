/* Layers of a pass below its tasks, with the arrays and lanes of all passes. */
#include "engine/core/parallel.h"
#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/attention.h"
#include "engine/learn/nn/layernorm.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/pass-private.h"

#include <string.h>

/* --- GraphSAGE and the modulation ------------------------------------------------------------- */

/* GraphSAGE, trained end to end with the layers after it, and the modulation.
 *
 *   hN = max over neighbours of sigmoid (W h + b)            h' = relu (f (concat (h, hN)))
 *
 * f of a concatenation is a sum of products, which is how it is stored. Where the configuration is
 * directed, inputs and outputs are two neighbourhoods, and h' = layernorm (h + relu (...)): the
 * residual keeps rows distinguishable from their neighbours after any number of layers. (Both
 * belong together; the paper has neither.)
 *
 * Backward finds the source of each maximum again. Gradients are gathered by the receiving row,
 * because scattering them would make two lanes write to the same row.
 */
typedef struct
{
  const GobanNet *net;
  int l;
  float *dh; /* (N,W) gradient of h[l + 1], replaced by that of h[l] */
} SageStep;

static gboolean
is_normed (const GobanPass *self)
{
  return self->config.is_directed;
}

/* Neighbours of rows in this direction, and the reverse lists. */
static const GobanSegments *
get_neighbours (const GobanPass *self, int direction, gboolean reverse)
{
  const GobanPassInput *input = &self->input;

  if (!self->config.is_directed)
    return &input->both;
  return (direction == 0) != reverse ? &input->inputs : &input->outputs;
}

/* h[..] and pooled; backward reads dx0, which it leaves spoilt. */
static void
sage_reserve (GobanPass *self)
{
  gsize N = (gsize) self->N, NW = N * (gsize) self->W;

  self->h[0] = goban_pass_reserve (self, NW);
  for (int l = 0; l < self->config.n_sage; l++)
    {
      for (int i = 0; i < goban_net_config_get_n_directions (&self->config); i++)
        self->pooled[l][i] = goban_pass_reserve (self, NW);
      self->h[l + 1] = goban_pass_reserve (self, NW);
      self->dense[l] = self->h[l + 1];
      if (!is_normed (self))
        continue;
      self->dense[l] = goban_pass_reserve (self, NW);
      self->sage_mean[l] = goban_pass_reserve (self, N);
      self->sage_inverse[l] = goban_pass_reserve (self, N);
    }
  self->dx0 = goban_pass_reserve (self, NW);
  if (self->config.modulation)
    {
      self->c = goban_pass_reserve (self, NW);
      self->dc = goban_pass_reserve (self, NW);
    }
}

/* The features of some rows; copied to @room if not all columns are used. */
static const float *
get_features (const GobanPass *self, int first, int n, float *room)
{
  int I = self->input.n_features, stride = self->input.stride;
  const float *x = self->input.x + (gsize) first * stride;

  if (I == stride)
    return x;
  for (int i = 0; i < n; i++)
    memcpy (room + (gsize) i * I, x + (gsize) i * stride, I * sizeof *x);
  return room;
}

static void
embed_features (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const GobanNet *net = user_data;
  float *room = goban_pass_get_room (self, lane, 6);
  int I = self->input.n_features;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    goban_linear_turned_forward (self->h[0] + (gsize) first * self->W,
                                 get_features (self, first, n, room),
                                 goban_pass_turned (self, self->tensors.x_w),
                                 goban_pass_value (net, self->tensors.x_b), n, I, self->W);
}

/* pooled = sigmoid (W h + b) */
static void
prepare_pools (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const SageStep *step = user_data;
  const GobanSageTensors *tensors = &self->tensors.sage[step->l];
  int W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    for (int i = 0; i < goban_net_config_get_n_directions (&self->config); i++)
      {
        float *y = self->pooled[step->l][i] + (gsize) first * W;

        goban_linear_turned_forward (y, self->h[step->l] + (gsize) first * W,
                                     goban_pass_turned (self, tensors->pool_w[i]),
                                     goban_pass_value (step->net, tensors->pool_b[i]), n, W, W);
        goban_sigmoid_forward (y, y, (gsize) n * W);
      }
}

/* hN (n,W) and its sources, if they are asked for, of rows from @first on */
static void
pool (const GobanPass *self, int l, int direction, int first, int n, float *heard, guint32 *sources)
{
  const GobanSegments *all = get_neighbours (self, direction, FALSE);
  GobanSegments some = { all->offsets + first, all->ids, n };

  goban_segment_max_forward (heard, sources, self->pooled[l][direction], &some, self->W);
}

static void
combine (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const SageStep *step = user_data;
  const GobanSageTensors *tensors = &self->tensors.sage[step->l];
  float *heard = goban_pass_get_room (self, lane, 0);
  float *sum = goban_pass_get_room (self, lane, 1);
  int l = step->l, W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W, size = (gsize) n * W;
      float *y = self->dense[l] + at;

      goban_linear_turned_forward (y, self->h[l] + at, goban_pass_turned (self, tensors->self_w),
                                   goban_pass_value (step->net, tensors->b), n, W, W);
      for (int i = 0; i < goban_net_config_get_n_directions (&self->config); i++)
        {
          pool (self, l, i, first, n, heard, NULL);
          goban_gemm_nn (y, heard, goban_pass_turned (self, tensors->heard_w[i]), n, W, W);
        }
      goban_relu_forward (y, y, size);
      if (!is_normed (self))
        continue;
      for (gsize j = 0; j < size; j++)
        sum[j] = self->h[l][at + j] + y[j];
      goban_layernorm_forward (self->h[l + 1] + at, self->sage_mean[l] + first,
                               self->sage_inverse[l] + first, sum,
                               goban_pass_value (step->net, tensors->gamma),
                               goban_pass_value (step->net, tensors->beta), n, W);
    }
}

static void
sage_forward (GobanPass *self, const GobanNet *net)
{
  goban_pass_for_lanes (self, embed_features, (gpointer) net);
  for (int l = 0; l < self->config.n_sage; l++)
    {
      SageStep step = { net, l, NULL };

      if (self->config.graph_embedding)
        goban_pass_for_lanes (self, prepare_pools, &step);
      goban_pass_for_lanes (self, combine, &step);
    }
}

static guint32 *
get_sources (const GobanPass *self, int direction)
{
  return (guint32 *) (gpointer) self->rooms[2 + direction];
}

/* Replaces dh by the gradient of h + relu (...). */
static void
norm_backward (GobanPass *self, GobanLane *lane, const SageStep *step, int first, int n)
{
  const GobanSageTensors *tensors = &self->tensors.sage[step->l];
  float *sum = goban_pass_get_room (self, lane, 0);
  float *dsum = goban_pass_get_room (self, lane, 1);
  int l = step->l, W = self->W;
  gsize at = (gsize) first * W, size = (gsize) n * W;

  for (gsize j = 0; j < size; j++)
    sum[j] = self->h[l][at + j] + self->dense[l][at + j];
  memset (dsum, 0, size * sizeof *dsum);
  goban_layernorm_backward (dsum, goban_pass_grad (self, lane, tensors->gamma),
                            goban_pass_grad (self, lane, tensors->beta), step->dh + at, sum,
                            self->sage_mean[l] + first, self->sage_inverse[l] + first,
                            goban_pass_value (step->net, tensors->gamma), n, W);
  memcpy (step->dh + at, dsum, size * sizeof *dsum);
}

static void
combine_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const SageStep *step = user_data;
  const GobanSageTensors *tensors = &self->tensors.sage[step->l];
  float *heard = goban_pass_get_room (self, lane, 0);
  float *dy = goban_pass_get_room (self, lane, 1);
  int l = step->l, W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W, size = (gsize) n * W;

      if (is_normed (self))
        norm_backward (self, lane, step, first, n);
      memset (dy, 0, size * sizeof *dy);
      goban_relu_backward (dy, step->dh + at, self->dense[l] + at, size);
      for (int i = 0; i < goban_net_config_get_n_directions (&self->config); i++)
        {
          /* forward was y += hN W^T */
          pool (self, l, i, first, n, heard, get_sources (self, i) + at);
          memset (self->rooms[i] + at, 0, size * sizeof *dy);
          goban_linear_backward (self->rooms[i] + at,
                                 goban_pass_grad (self, lane, tensors->heard_w[i]), NULL, dy, heard,
                                 goban_pass_value (step->net, tensors->heard_w[i]), n, W, W);
        }
      /* The residual keeps dh; the paper has no residual. */
      if (!is_normed (self))
        memset (step->dh + at, 0, size * sizeof *dy);
      goban_linear_backward (step->dh + at, goban_pass_grad (self, lane, tensors->self_w),
                             goban_pass_grad (self, lane, tensors->b), dy, self->h[l] + at,
                             goban_pass_value (step->net, tensors->self_w), n, W, W);
    }
}

/* to += from, for maxima that came from this row. */
GOBAN_VECTOR static void
take_own (float *restrict to, const float *restrict from, const guint32 *restrict sources,
          guint32 row, int D)
{
  for (int d = 0; d < D; d++)
    to[d] += sources[d] == row ? from[d] : 0.0f;
}

/* dpooled (n,W) of rows from @first on: forward was hN[v,d] = pooled[sources[v,d],d] */
static void
gather_maxima (const GobanPass *self, int direction, int first, int n, float *dpooled)
{
  const GobanSegments *listeners = get_neighbours (self, direction, TRUE);
  int W = self->W;

  memset (dpooled, 0, (gsize) n * W * sizeof *dpooled);
  for (int u = first; u < first + n; u++)
    for (guint32 j = listeners->offsets[u]; j < listeners->offsets[u + 1]; j++)
      {
        gsize at = (gsize) listeners->ids[j] * W;

        take_own (dpooled + (gsize) (u - first) * W, self->rooms[direction] + at,
                  get_sources (self, direction) + at, (guint32) u, W);
      }
}

static void
prepare_pools_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const SageStep *step = user_data;
  const GobanSageTensors *tensors = &self->tensors.sage[step->l];
  float *dpooled = goban_pass_get_room (self, lane, 0);
  float *dsum = goban_pass_get_room (self, lane, 1);
  int l = step->l, W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    for (int i = 0; i < goban_net_config_get_n_directions (&self->config); i++)
      {
        gsize at = (gsize) first * W, size = (gsize) n * W;

        gather_maxima (self, i, first, n, dpooled);
        memset (dsum, 0, size * sizeof *dsum);
        goban_sigmoid_backward (dsum, dpooled, self->pooled[l][i] + at, size);
        goban_linear_backward (step->dh + at, goban_pass_grad (self, lane, tensors->pool_w[i]),
                               goban_pass_grad (self, lane, tensors->pool_b[i]), dsum,
                               self->h[l] + at, goban_pass_value (step->net, tensors->pool_w[i]), n,
                               W, W);
      }
}

static void
embed_features_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const SageStep *step = user_data;
  float *room = goban_pass_get_room (self, lane, 6);
  int I = self->input.n_features;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    goban_linear_backward (NULL, goban_pass_grad (self, lane, self->tensors.x_w),
                           goban_pass_grad (self, lane, self->tensors.x_b),
                           step->dh + (gsize) first * self->W, get_features (self, first, n, room),
                           NULL, n, I, self->W);
}

static void
sage_backward (GobanPass *self, const GobanNet *net)
{
  SageStep step = { net, 0, self->dx0 };

  for (int l = self->config.n_sage; l-- > 0;)
    {
      step.l = l;
      goban_pass_for_lanes (self, combine_backward, &step);
      if (self->config.graph_embedding)
        goban_pass_for_lanes (self, prepare_pools_backward, &step);
    }
  goban_pass_for_lanes (self, embed_features_backward, &step);
}

/* --- modulation ----------------------------------------------------------------------------- */

static void
modulate_block (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const GobanNet *net = user_data;
  int W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      float *c = self->c + (gsize) first * W;

      goban_linear_turned_forward (c, self->inputs[0] + (gsize) first * W,
                                   goban_pass_turned (self, self->tensors.c_w),
                                   goban_pass_value (net, self->tensors.c_b), n, W, W);
      goban_sigmoid_forward (c, c, (gsize) n * W);
      for (gsize j = 0; j < (gsize) n * W; j++)
        c[j] *= 2.0f;
    }
}

static void
modulate_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const GobanNet *net = user_data;
  float *dsum = goban_pass_get_room (self, lane, 0);
  int W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W;

      /* forward was c = 2 s, s = sigmoid (sum), so dsum = dc 2 s (1 - s) = dc c (1 - c / 2) */
      for (gsize j = 0; j < (gsize) n * W; j++)
        dsum[j] = self->dc[at + j] * self->c[at + j] * (1.0f - 0.5f * self->c[at + j]);
      goban_linear_backward (self->dx0 + at, goban_pass_grad (self, lane, self->tensors.c_w),
                             goban_pass_grad (self, lane, self->tensors.c_b), dsum,
                             self->inputs[0] + at, goban_pass_value (net, self->tensors.c_w), n, W,
                             W);
    }
}

/* c = 2 sigmoid (W x0 + b); backward: dx0 += ... of dc */
static void
modulation_forward (GobanPass *self, const GobanNet *net)
{
  if (self->config.modulation)
    goban_pass_for_lanes (self, modulate_block, (gpointer) net);
}

static void
modulation_backward (GobanPass *self, const GobanNet *net)
{
  if (self->config.modulation)
    goban_pass_for_lanes (self, modulate_backward, (gpointer) net);
}

/* --- a layer of attention --------------------------------------------------------------------- */

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

/* Enough for the processors of present machines, few enough for each lane to have its own
 * gradients. */
#define MAX_LANES 16
/* Size of a cache line and of the widest vector; unaligned vectors would read two lines. */
#define LINE_BYTES 64
/* Parameters that are added up at a time. */
#define SUM_CHUNK 16384

/* --- arrays --------------------------------------------------------------------------------- */

float *
goban_pass_reserve (GobanPass *self, gsize n_floats)
{
  float *array = g_aligned_alloc0 (MAX (n_floats, 1), sizeof *array, LINE_BYTES);

  g_ptr_array_add (self->arrays, array);
  return array;
}

static int
get_widest_action (const GobanPass *self)
{
  return self->board != NULL ? MAX ((int) self->board->n_devices, GOBAN_N_LEVELS) : 0;
}

/* Width of rooms 6 and 7. */
static int
get_widest (const GobanPass *self)
{
  int widest = MAX (self->config.ffn, self->input.n_features);

  return MAX (widest, get_widest_action (self));
}

float *
goban_pass_get_room (const GobanPass *self, const GobanLane *lane, int number)
{
  gsize narrow = (gsize) GOBAN_PASS_BLOCK * self->W;
  gsize wide = (gsize) GOBAN_PASS_BLOCK * get_widest (self);

  return lane->room + (number < 6 ? number * narrow : 6 * narrow + (number - 6) * wide);
}

static void
add_lanes (GobanPass *self)
{
  const GobanNetConfig *config = &self->config;
  int S = MIN (config->segment, self->N), W = self->W;
  gsize room = (gsize) GOBAN_PASS_BLOCK * (6 * W + 2 * get_widest (self));
  gsize table = (gsize) (get_widest_action (self) + 1) * W;
  gsize work = config->n_attention > 0 ? goban_multihead_work_size (S, S, config->n_heads, W) : 0;

  self->n_segments = (self->N + config->segment - 1) / config->segment;
  self->n_lanes = (guint) MIN (self->n_segments, self->board != NULL ? MAX_LANES : 1);
  self->lanes = g_new0 (GobanLane, self->n_lanes);
  for (guint i = 0; i < self->n_lanes; i++)
    {
      GobanLane *lane = &self->lanes[i];
      guint n = (guint) self->n_segments;
      int last = (int) ((i + 1) * n / self->n_lanes);

      lane->first_segment = (int) (i * n / self->n_lanes);
      lane->n_segments = last - lane->first_segment;
      lane->first = lane->first_segment * config->segment;
      lane->n = MIN (last * config->segment, self->N) - lane->first;
      lane->grads = goban_pass_reserve (self, self->n_params);
      lane->table = goban_pass_reserve (self, table);
      lane->room = goban_pass_reserve (self, room);
      lane->work = goban_pass_reserve (self, work);
    }
}

void
goban_pass_reserve_layers (GobanPass *self, int t)
{
  for (int l = 0; l < self->config.n_attention; l++)
    {
      self->layers[t][l].x = l == 0 ? self->inputs[t] : self->layers[t][l - 1].y;
      goban_pass_layer_reserve (self, &self->layers[t][l]);
    }
}

void
goban_pass_begin (GobanPass *self, const GobanNetConfig *config, const GobanPassInput *input,
                  const GobanParams *params)
{
  gsize NW = (gsize) input->N * (gsize) config->width;

  g_assert (input->N > 0);
  self->config = *config;
  self->input = *input;
  self->N = input->N;
  self->W = config->width;
  self->arrays = g_ptr_array_new_with_free_func (g_aligned_free);

  /* Computes the offset of each tensor's gradient in a lane. */
  guint n_tensors = params->tensors->len;

  self->offsets = g_new0 (gsize, n_tensors + 1);
  for (guint t = 0; t < n_tensors; t++)
    self->offsets[t + 1] = self->offsets[t] + goban_params_get_size (params, t);
  self->n_params = self->offsets[n_tensors];
  self->turned = g_new0 (float *, n_tensors);
  for (guint t = 0; t < n_tensors; t++)
    if (goban_params_get_tensor (params, t)->rows > 1)
      self->turned[t] = goban_pass_reserve (self, goban_params_get_size (params, t));

  add_lanes (self);
  sage_reserve (self);
  self->inputs[0] = self->h[config->n_sage];
  goban_pass_reserve_layers (self, 0);
  self->flow = goban_pass_reserve (self, NW);
  for (int i = 0; i < GOBAN_PASS_N_ROOMS; i++)
    self->rooms[i] = goban_pass_reserve (self, NW);
}

GobanPass *
goban_pass_new_trunk (const GobanNet *net, const GobanPassInput *input)
{
  GobanPass *self = g_new0 (GobanPass, 1);

  self->tensors = net->tensors;
  goban_pass_begin (self, &net->config, input, net->params);
  return self;
}

void
goban_pass_free (GobanPass *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self->lanes);
  g_free (self->labels);
  g_free (self->offsets);
  g_free (self->turned);
  g_free (self);
}

/* --- lanes ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanPass *pass;
  GobanLaneFunc func;
  gpointer user_data;
} LaneCall;

static void
run_lane (guint part, gpointer user_data)
{
  LaneCall *call = user_data;

  call->func (call->pass, &call->pass->lanes[part], call->user_data);
}

void
goban_pass_for_lanes (GobanPass *self, GobanLaneFunc func, gpointer user_data)
{
  LaneCall call = { self, func, user_data };

  goban_parallel_for (self->n_lanes, run_lane, &call);
}

void
goban_pass_sum_tables (GobanPass *self, float *sum, gsize n_floats)
{
  for (guint i = 0; i < self->n_lanes; i++)
    for (gsize j = 0; j < n_floats; j++)
      sum[j] += self->lanes[i].table[j];
}

typedef struct
{
  GobanPass *pass;
  GobanNet *net;
} Sum;

/* Moves one chunk of the lanes' gradients into the network's. */
static void
sum_chunk (guint part, gpointer user_data)
{
  Sum *sum = user_data;
  GobanPass *self = sum->pass;
  gsize begin = (gsize) part * SUM_CHUNK, end = MIN (begin + SUM_CHUNK, self->n_params);

  for (guint t = 0; self->offsets[t] < end; t++)
    {
      gsize first = MAX (begin, self->offsets[t]), last = MIN (end, self->offsets[t + 1]);
      float *to = goban_params_grad (sum->net->params, t) - self->offsets[t];

      for (guint i = 0; i < self->n_lanes && first < last; i++)
        {
          float *from = self->lanes[i].grads;

          for (gsize j = first; j < last; j++)
            to[j] += from[j];
          memset (from + first, 0, (last - first) * sizeof *from);
        }
    }
}

void
goban_pass_sum_gradients (GobanPass *self, GobanNet *net)
{
  Sum sum = { self, net };

  goban_parallel_for ((guint) ((self->n_params + SUM_CHUNK - 1) / SUM_CHUNK), sum_chunk, &sum);
}

/* --- there and back -------------------------------------------------------------------------- */

const float *
goban_pass_get_top (const GobanPass *self, int t)
{
  int L = self->config.n_attention;

  return L > 0 ? self->layers[t][L - 1].y : self->inputs[t];
}

void
goban_pass_run_layers (GobanPass *self, const GobanNet *net, int t)
{
  for (int l = 0; l < self->config.n_attention; l++)
    goban_pass_layer_forward (self, net, l, &self->layers[t][l]);
}

void
goban_pass_run_layers_backward (GobanPass *self, const GobanNet *net, int t)
{
  for (int l = self->config.n_attention; l-- > 0;)
    goban_pass_layer_backward (self, net, l, &self->layers[t][l], self->flow, self->flow);
}

void
goban_pass_turn_weights (GobanPass *self, const GobanNet *net)
{
  for (guint t = 0; t < net->params->tensors->len; t++)
    if (self->turned[t] != NULL)
      goban_linear_turn (self->turned[t], goban_pass_value (net, t),
                         (int) goban_params_get_tensor (net->params, t)->cols,
                         (int) goban_params_get_tensor (net->params, t)->rows);
}

static void
clear (float *values, gsize n)
{
  if (values != NULL)
    memset (values, 0, n * sizeof *values);
}

const float *
goban_pass_trunk_forward (GobanPass *self, const GobanNet *net)
{
  gsize NW = (gsize) self->N * (gsize) self->W;

  goban_pass_turn_weights (self, net);
  sage_forward (self, net);
  modulation_forward (self, net);
  goban_pass_run_layers (self, net, 0);
  clear (self->dx0, NW);
  clear (self->dc, NW);
  return goban_pass_get_top (self, 0);
}

void
goban_pass_trunk_backward (GobanPass *self, const GobanNet *net, const float *dtop)
{
  gsize NW = (gsize) self->N * (gsize) self->W;

  memcpy (self->flow, dtop, NW * sizeof *dtop);
  goban_pass_run_layers_backward (self, net, 0);
  for (gsize i = 0; i < NW; i++)
    self->dx0[i] += self->flow[i];
  modulation_backward (self, net);
  sage_backward (self, net);
  clear (self->dx0, NW);
  clear (self->dc, NW);
}
