/* Layers of a pass below its tasks, with the arrays and lanes of all passes. */
#include "engine/learn/policy/pass-trunk.h"

#include "engine/core/parallel.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/multihead.h"
#include "engine/learn/policy/pass-steps.h"

#include <string.h>

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
  guint n_tensors = goban_params_get_n_tensors (params);

  self->offsets = g_new0 (gsize, n_tensors + 1);
  for (guint t = 0; t < n_tensors; t++)
    self->offsets[t + 1] = self->offsets[t] + goban_params_get_size (params, t);
  self->n_params = self->offsets[n_tensors];
  self->turned = g_new0 (float *, n_tensors);
  for (guint t = 0; t < n_tensors; t++)
    if (goban_params_get_rows (params, t) > 1)
      self->turned[t] = goban_pass_reserve (self, goban_params_get_size (params, t));

  add_lanes (self);
  goban_pass_sage_reserve (self);
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
  for (guint t = 0; t < goban_params_get_n_tensors (net->params); t++)
    if (self->turned[t] != NULL)
      goban_linear_turn (self->turned[t], goban_pass_value (net, t),
                         (int) goban_params_get_cols (net->params, t),
                         (int) goban_params_get_rows (net->params, t));
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
  goban_pass_sage_forward (self, net);
  goban_pass_modulation_forward (self, net);
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
  goban_pass_modulation_backward (self, net);
  goban_pass_sage_backward (self, net);
  clear (self->dx0, NW);
  clear (self->dc, NW);
}
