/* A pass: its arrays, and the order of its steps there and back.
 *
 *   embed    x0, c, tables; the attention layers of iteration 0, and the logits of its first task,
 *            which depend on no decision
 *   decide   the other tasks of iteration 0, then all later iterations
 *
 * Backward goes the same way back. decide_backward stops where embed ended: it adds the gradients
 * of the first logits and of iteration 0's top to those of all other decides of this embed.
 */
#include "engine/policy/pass-private.h"

#include "engine/base/parallel.h"
#include "engine/nn/layernorm.h"
#include "engine/nn/linear.h"
#include "engine/nn/multihead.h"
#include "engine/nn/softmax.h"
#include "engine/policy/pass-steps.h"
#include "engine/policy/pass.h"

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
  self->size_bytes += n_floats * sizeof *array;
  return array;
}

static int
get_widest_action (const GobanPass *self)
{
  return MAX ((int) self->board->n_devices, GOBAN_N_LEVELS);
}

/* Of rooms 6 and 7. */
static int
get_widest (const GobanPass *self)
{
  int widest = MAX (self->config.ffn, goban_net_config_get_n_features (&self->config));

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
  self->n_lanes = (guint) MIN (self->n_segments, MAX_LANES);
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

/* Computes the offset of each tensor's gradient in a lane. */
static void
lay_out_gradients (GobanPass *self)
{
  g_autoptr (GobanParams) params = goban_params_new ("go");
  guint n_tensors;

  goban_net_add_tensors (&self->config, params, &self->tensors);
  n_tensors = goban_params_get_n_tensors (params);
  self->offsets = g_new0 (gsize, n_tensors + 1);
  for (guint t = 0; t < n_tensors; t++)
    self->offsets[t + 1] = self->offsets[t] + goban_params_get_size (params, t);
  self->n_params = self->offsets[n_tensors];
  self->turned = g_new0 (float *, n_tensors);
  for (guint t = 0; t < n_tensors; t++)
    if (goban_params_get_rows (params, t) > 1)
      self->turned[t] = goban_pass_reserve (self, goban_params_get_size (params, t));
}

/* Weights of rows: half by work, half by number, so that neither many small nor a few large rows
 * dominate. */
static void
set_weights (GobanPass *self)
{
  self->weights = goban_pass_reserve (self, (gsize) self->N);
  for (int n = 0; n < self->N; n++)
    self->weights[n] = 0.5f * (self->board->weights[n] + 1.0f / (float) self->N);
}

static void
reserve_task (GobanPass *self, int t, GobanDecision task)
{
  GobanTaskState *state = &self->tasks[t][task];
  const GobanTaskTables *tables = &self->tables[task];
  gsize N = (gsize) self->N, NW = N * (gsize) self->W, A = (gsize) tables->A;

  if (task != self->first_task)
    state->before_own = goban_pass_reserve (self, NW);
  state->u = goban_pass_reserve (self, NW);
  state->mean = goban_pass_reserve (self, N);
  state->inverse = goban_pass_reserve (self, N);
  state->layer.x = state->u;
  goban_pass_layer_reserve (self, &state->layer);
  state->raw = goban_pass_reserve (self, N * (gsize) tables->R);
  state->raw_inverse = goban_pass_reserve (self, (gsize) tables->R);
  state->logits = goban_pass_reserve (self, N * A);
  state->dlogits = goban_pass_reserve (self, N * A);
}

static void
reserve_iteration (GobanPass *self, int t)
{
  self->inputs[t] = t == 0 ? self->h[self->config.n_sage]
                           : goban_pass_reserve (self, (gsize) self->N * (gsize) self->W);
  for (int l = 0; l < self->config.n_attention; l++)
    {
      self->layers[t][l].x = l == 0 ? self->inputs[t] : self->layers[t][l - 1].y;
      goban_pass_layer_reserve (self, &self->layers[t][l]);
    }
  for (int task = 0; task < GOBAN_N_DECISIONS; task++)
    if (self->tables[task].A > 0)
      reserve_task (self, t, (GobanDecision) task);
}

static void
reserve_gradients (GobanPass *self)
{
  gsize N = (gsize) self->N, NW = N * (gsize) self->W;
  int widest = 1;

  for (int task = 0; task < GOBAN_N_DECISIONS; task++)
    widest = MAX (widest, self->tables[task].R);
  self->dtop = goban_pass_reserve (self, NW);
  self->dlogits = goban_pass_reserve (self, N * (gsize) self->tables[self->first_task].A);
  self->carry = goban_pass_reserve (self, NW);
  self->flow = goban_pass_reserve (self, NW);
  for (int i = 0; i < GOBAN_PASS_N_ROOMS; i++)
    self->rooms[i] = goban_pass_reserve (self, NW);
  self->head_room = goban_pass_reserve (self, 2 * N * (gsize) widest);
}

GobanPass *
goban_pass_new (const GobanNetConfig *config, const GobanBoard *board)
{
  GobanPass *self = g_new0 (GobanPass, 1);

  g_assert (goban_net_config_check (config, NULL) && board->n_rows > 0);
  self->config = *config;
  self->board = board;
  self->N = (int) board->n_rows;
  self->W = config->width;
  self->arrays = g_ptr_array_new_with_free_func (g_aligned_free);
  while (!goban_net_config_has_task (config, self->first_task))
    self->first_task++;
  lay_out_gradients (self);
  add_lanes (self);
  set_weights (self);
  goban_pass_sage_reserve (self);
  goban_pass_tables_reserve (self);
  for (int t = 0; t < config->n_iterations; t++)
    reserve_iteration (self, t);
  reserve_gradients (self);
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

gsize
goban_pass_get_size_bytes (const GobanPass *self)
{
  return self->size_bytes;
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

static void
sum_gradients (GobanPass *self, GobanNet *net)
{
  Sum sum = { self, net };

  goban_parallel_for ((guint) ((self->n_params + SUM_CHUNK - 1) / SUM_CHUNK), sum_chunk, &sum);
}

/* --- the tasks' norm ------------------------------------------------------------------------ */

typedef struct
{
  const GobanNet *net;
  GobanTaskState *state;
  float *dbefore;
  const float *du;
} Norm;

static void
norm (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Norm *step = user_data;
  const GobanTaskState *state = step->state;
  gsize at = (gsize) lane->first * self->W;

  goban_layernorm_forward (state->u + at, state->mean + lane->first, state->inverse + lane->first,
                           state->before + at, goban_pass_value (step->net, self->tensors.gamma),
                           goban_pass_value (step->net, self->tensors.beta), lane->n, self->W);
}

static void
norm_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Norm *step = user_data;
  const GobanTaskState *state = step->state;
  gsize at = (gsize) lane->first * self->W;

  goban_layernorm_backward (step->dbefore + at, goban_pass_grad (self, lane, self->tensors.gamma),
                            goban_pass_grad (self, lane, self->tensors.beta), step->du + at,
                            state->before + at, state->mean + lane->first,
                            state->inverse + lane->first,
                            goban_pass_value (step->net, self->tensors.gamma), lane->n, self->W);
}

/* --- forward -------------------------------------------------------------------------------- */

/* Input of iteration t's first task. */
static const float *
get_top (const GobanPass *self, int t)
{
  int L = self->config.n_attention;

  return L > 0 ? self->layers[t][L - 1].y : self->inputs[t];
}

static void
run_layers (GobanPass *self, const GobanNet *net, int t)
{
  for (int l = 0; l < self->config.n_attention; l++)
    goban_pass_layer_forward (self, net, l, &self->layers[t][l]);
}

static void
run_task (GobanPass *self, const GobanNet *net, int t, GobanDecision task)
{
  GobanTaskState *state = &self->tasks[t][task];
  Norm step = { .net = net, .state = state };

  goban_pass_for_lanes (self, norm, &step);
  goban_pass_layer_forward (self, net, self->config.n_attention, &state->layer);
  goban_pass_head_forward (self, task, state);
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

void
goban_pass_embed (GobanPass *self, const GobanNet *net)
{
  gsize NW = (gsize) self->N * (gsize) self->W;
  GobanTaskState *first = &self->tasks[0][self->first_task];

  goban_pass_turn_weights (self, net);
  goban_pass_sage_forward (self, net);
  goban_pass_modulation_forward (self, net);
  goban_pass_tables_forward (self, net);
  run_layers (self, net, 0);
  first->before = get_top (self, 0);
  run_task (self, net, 0, self->first_task);

  clear (self->dx0, NW);
  clear (self->dc, NW);
  clear (self->dtop, NW);
  clear (self->dlogits, (gsize) self->N * (gsize) self->tables[self->first_task].A);
}

static GobanHeard
get_heard (GobanPass *self, const GobanChoices *choices, int t, GobanDecision task)
{
  return (GobanHeard){ .task = task,
                       .state = &self->tasks[t][task],
                       .chosen = self->config.is_sampled ? choices->chosen[t][task] : NULL };
}

/* Draws the choices, row by row. */
static void
draw (GobanPass *self, guint32 *chosen, const GobanTaskState *state, int A, GobanRng *rng)
{
  float *p = goban_pass_get_room (self, &self->lanes[0], 6);

  for (int n = 0; n < self->N; n++)
    {
      goban_softmax_forward (p, state->logits + (gsize) n * A, 1, A);
      chosen[n] = (guint32) goban_categorical_sample (p, A, rng);
    }
}

/* Input of an iteration: x0 and the decisions of the previous one. */
static void
begin_iteration (GobanPass *self, const GobanNet *net, const GobanChoices *choices, int t)
{
  const float *from = self->inputs[0];

  for (int task = 0; task < GOBAN_N_DECISIONS; task++)
    {
      GobanHeard heard = get_heard (self, choices, t - 1, (GobanDecision) task);

      if (self->tables[task].A == 0)
        continue;
      heard.is_again = TRUE;
      goban_pass_hear_forward (self, &heard, self->inputs[t], from);
      from = self->inputs[t];
    }
  run_layers (self, net, t);
}

void
goban_pass_decide (GobanPass *self, const GobanNet *net, GobanChoices *choices, GobanRng *rng)
{
  g_assert (choices != NULL || !self->config.is_sampled);
  for (int t = 0; t < self->config.n_iterations; t++)
    {
      const GobanTaskState *previous = NULL;
      GobanHeard heard = { 0 };

      if (t > 0)
        begin_iteration (self, net, choices, t);
      for (int task = (int) self->first_task; task < GOBAN_N_DECISIONS; task++)
        {
          GobanTaskState *state = &self->tasks[t][task];
          int A = self->tables[task].A;

          if (A == 0)
            continue;
          if (previous == NULL)
            state->before = get_top (self, t);
          else
            {
              goban_pass_hear_forward (self, &heard, state->before_own, previous->before);
              state->before = state->before_own;
            }
          if (t > 0 || previous != NULL)
            run_task (self, net, t, (GobanDecision) task);
          if (self->config.is_sampled && rng != NULL)
            draw (self, choices->chosen[t][task], state, A, rng);
          clear (state->dlogits, (gsize) self->N * (gsize) A);
          heard = get_heard (self, choices, t, (GobanDecision) task);
          previous = state;
        }
    }
}

/* --- backward ------------------------------------------------------------------------------- */

/* dbefore += ..., by way of flow. */
static void
run_task_backward (GobanPass *self, const GobanNet *net, int t, GobanDecision task,
                   const float *dlogits, float *dbefore)
{
  GobanTaskState *state = &self->tasks[t][task];
  Norm step = { net, state, dbefore, self->flow };

  goban_pass_head_backward (self, task, state, self->flow, dlogits);
  goban_pass_layer_backward (self, net, self->config.n_attention, &state->layer, self->flow,
                             self->flow);
  goban_pass_for_lanes (self, norm_backward, &step);
}

/* Turns flow from the gradient of the tasks' input into that of the layers' input. */
static void
run_layers_backward (GobanPass *self, const GobanNet *net, int t)
{
  for (int l = self->config.n_attention; l-- > 0;)
    goban_pass_layer_backward (self, net, l, &self->layers[t][l], self->flow, self->flow);
}

static void
add (float *to, const float *from, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] += from[i];
}

/* The tasks of an iteration from the last to the first; carry becomes the gradient of its top. */
static void
run_tasks_backward (GobanPass *self, const GobanNet *net, const GobanChoices *choices, int t)
{
  gsize N = (gsize) self->N;
  gboolean is_last = TRUE;

  clear (self->carry, N * (gsize) self->W);
  for (int task = GOBAN_N_DECISIONS - 1; task >= (int) self->first_task; task--)
    {
      GobanTaskState *state = &self->tasks[t][task];
      GobanHeard heard = get_heard (self, choices, t, (GobanDecision) task);

      if (self->tables[task].A == 0)
        continue;
      /* forward was before of the next task = before + embedding of this one's decision */
      if (!is_last)
        goban_pass_hear_backward (self, &heard, self->carry);
      is_last = FALSE;
      if (t == 0 && task == (int) self->first_task)
        add (self->dlogits, state->dlogits, N * (gsize) self->tables[task].A);
      else
        run_task_backward (self, net, t, (GobanDecision) task, state->dlogits, self->carry);
    }
}

void
goban_pass_decide_backward (GobanPass *self, GobanNet *net, const GobanChoices *choices)
{
  gsize NW = (gsize) self->N * (gsize) self->W;

  g_assert (choices != NULL || !self->config.is_sampled);
  for (int t = self->config.n_iterations; t-- > 0;)
    {
      run_tasks_backward (self, net, choices, t);
      if (t == 0)
        {
          add (self->dtop, self->carry, NW);
          break;
        }
      memcpy (self->flow, self->carry, NW * sizeof (float));
      run_layers_backward (self, net, t);
      add (self->dx0, self->flow, NW);
      for (int task = GOBAN_N_DECISIONS; task-- > 0;)
        {
          GobanHeard heard = get_heard (self, choices, t - 1, (GobanDecision) task);

          heard.is_again = TRUE;
          if (self->tables[task].A > 0)
            goban_pass_hear_backward (self, &heard, self->flow);
        }
    }
  sum_gradients (self, net);
}

void
goban_pass_embed_backward (GobanPass *self, GobanNet *net)
{
  gsize NW = (gsize) self->N * (gsize) self->W;

  run_task_backward (self, net, 0, self->first_task, self->dlogits, self->dtop);
  memcpy (self->flow, self->dtop, NW * sizeof (float));
  run_layers_backward (self, net, 0);
  add (self->dx0, self->flow, NW);
  goban_pass_modulation_backward (self, net);
  goban_pass_sage_backward (self, net);
  goban_pass_tables_backward (self, net);
  sum_gradients (self, net);

  clear (self->dx0, NW);
  clear (self->dc, NW);
  clear (self->dtop, NW);
  clear (self->dlogits, (gsize) self->N * (gsize) self->tables[self->first_task].A);
}

/* --- accessors ------------------------------------------------------------------------------ */

int
goban_pass_get_n_actions (const GobanPass *self, GobanDecision task)
{
  return (int) goban_board_get_n_actions (self->board, task);
}

const float *
goban_pass_get_logits (const GobanPass *self, int iteration, GobanDecision task)
{
  return self->tasks[iteration][task].logits;
}

float *
goban_pass_get_logits_grad (GobanPass *self, int iteration, GobanDecision task)
{
  return self->tasks[iteration][task].dlogits;
}
