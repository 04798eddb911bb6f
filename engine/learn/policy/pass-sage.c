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
#include "engine/learn/policy/pass-private.h"

#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/gemm.h"
#include "engine/learn/nn/layernorm.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/pass-steps.h"

#include <string.h>

typedef struct
{
  const GobanNet *net;
  int l;
  float *dh; /* (N,W) gradient of h[l + 1], replaced by that of h[l] */
} Step;

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

void
goban_pass_sage_reserve (GobanPass *self)
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

/* --- forward -------------------------------------------------------------------------------- */

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
  const Step *step = user_data;
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
  const Step *step = user_data;
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

void
goban_pass_sage_forward (GobanPass *self, const GobanNet *net)
{
  goban_pass_for_lanes (self, embed_features, (gpointer) net);
  for (int l = 0; l < self->config.n_sage; l++)
    {
      Step step = { net, l, NULL };

      if (self->config.graph_embedding)
        goban_pass_for_lanes (self, prepare_pools, &step);
      goban_pass_for_lanes (self, combine, &step);
    }
}

/* --- backward ------------------------------------------------------------------------------- */

static guint32 *
get_sources (const GobanPass *self, int direction)
{
  return (guint32 *) (gpointer) self->rooms[2 + direction];
}

/* Replaces dh by the gradient of h + relu (...). */
static void
norm_backward (GobanPass *self, GobanLane *lane, const Step *step, int first, int n)
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
  const Step *step = user_data;
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
  const Step *step = user_data;
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
  const Step *step = user_data;
  float *room = goban_pass_get_room (self, lane, 6);
  int I = self->input.n_features;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    goban_linear_backward (NULL, goban_pass_grad (self, lane, self->tensors.x_w),
                           goban_pass_grad (self, lane, self->tensors.x_b),
                           step->dh + (gsize) first * self->W, get_features (self, first, n, room),
                           NULL, n, I, self->W);
}

void
goban_pass_sage_backward (GobanPass *self, const GobanNet *net)
{
  Step step = { net, 0, self->dx0 };

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
modulate (GobanPass *self, GobanLane *lane, gpointer user_data)
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

void
goban_pass_modulation_forward (GobanPass *self, const GobanNet *net)
{
  if (self->config.modulation)
    goban_pass_for_lanes (self, modulate, (gpointer) net);
}

void
goban_pass_modulation_backward (GobanPass *self, const GobanNet *net)
{
  if (self->config.modulation)
    goban_pass_for_lanes (self, modulate_backward, (gpointer) net);
}
