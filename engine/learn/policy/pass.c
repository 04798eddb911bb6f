/* A pass: the arrays of its tasks, and the order of its steps there and back.
 *
 *   embed    x0, c, tables; the attention layers of iteration 0, and the logits of its first task,
 *            which depend on no decision
 *   decide   the other tasks of iteration 0, then all later iterations
 *
 * Backward goes the same way back. decide_backward stops where embed ended: it adds the gradients
 * of the first logits and of iteration 0's top to those of all other decides of this embed.
 */
#include "engine/learn/policy/pass-private.h"

#include "engine/learn/nn/layernorm.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/policy/pass-steps.h"
#include "engine/learn/policy/pass-trunk.h"
#include "engine/learn/policy/pass.h"

#include <string.h>

/* --- arrays --------------------------------------------------------------------------------- */

static void
reserve_task (GobanPass *self, int t, GobanTask task)
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

GobanPass *
goban_pass_new (const GobanNetConfig *config, const GobanBoard *board)
{
  GobanPass *self = g_new0 (GobanPass, 1);
  g_autoptr (GobanParams) params = goban_params_new ("go");
  GobanPassInput input = { .N = (int) board->n_rows,
                           .n_features = goban_net_config_get_n_features (config),
                           .stride = GOBAN_BOARD_N_FEATURES,
                           .x = board->x,
                           .inputs = board->inputs,
                           .outputs = board->outputs,
                           .both = board->both };

  g_assert (goban_net_config_check (config, NULL));
  self->board = board;
  while (!goban_net_config_has_task (config, self->first_task))
    self->first_task++;
  goban_net_add_tensors (config, params, &self->tensors);
  goban_pass_begin (self, config, &input, params);

  /* Weights of rows: half by work, half by number, so that neither many small nor a few large
   * rows dominate. */
  self->weights = goban_pass_reserve (self, (gsize) self->N);
  for (int n = 0; n < self->N; n++)
    self->weights[n] = 0.5f * (self->board->weights[n] + 1.0f / (float) self->N);

  goban_pass_tables_reserve (self);
  for (int t = 0; t < config->n_iterations; t++)
    {
      if (t > 0)
        {
          self->inputs[t] = goban_pass_reserve (self, (gsize) self->N * (gsize) self->W);
          goban_pass_reserve_layers (self, t);
        }
      for (int task = 0; task < GOBAN_N_TASKS; task++)
        if (self->tables[task].A > 0)
          reserve_task (self, t, (GobanTask) task);
    }

  gsize N = (gsize) self->N, NW = N * (gsize) self->W;
  int widest = 1;

  for (int task = 0; task < GOBAN_N_TASKS; task++)
    widest = MAX (widest, self->tables[task].R);
  self->dtop = goban_pass_reserve (self, NW);
  self->dlogits = goban_pass_reserve (self, N * (gsize) self->tables[self->first_task].A);
  self->carry = goban_pass_reserve (self, NW);
  self->head_room = goban_pass_reserve (self, 2 * N * (gsize) widest);

  return self;
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

static void
run_task (GobanPass *self, const GobanNet *net, int t, GobanTask task)
{
  GobanTaskState *state = &self->tasks[t][task];
  Norm step = { .net = net, .state = state };

  goban_pass_for_lanes (self, norm, &step);
  goban_pass_layer_forward (self, net, self->config.n_attention, &state->layer);
  goban_pass_head_forward (self, task, state);
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

  first->before = goban_pass_trunk_forward (self, net);
  goban_pass_tables_forward (self, net);
  run_task (self, net, 0, self->first_task);

  clear (self->dtop, NW);
  clear (self->dlogits, (gsize) self->N * (gsize) self->tables[self->first_task].A);
}

static GobanHeard
get_heard (GobanPass *self, const GobanChoices *choices, int t, GobanTask task)
{
  return (GobanHeard){ .task = task,
                       .state = &self->tasks[t][task],
                       .chosen = self->config.is_sampled ? choices->chosen[t][task] : NULL };
}

/* Input of an iteration: x0 and the decisions of the previous one. */
static void
begin_iteration (GobanPass *self, const GobanNet *net, const GobanChoices *choices, int t)
{
  const float *from = self->inputs[0];

  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      GobanHeard heard = get_heard (self, choices, t - 1, (GobanTask) task);

      if (self->tables[task].A == 0)
        continue;
      heard.is_again = TRUE;
      goban_pass_hear_forward (self, &heard, self->inputs[t], from);
      from = self->inputs[t];
    }
  goban_pass_run_layers (self, net, t);
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
      for (int task = (int) self->first_task; task < GOBAN_N_TASKS; task++)
        {
          GobanTaskState *state = &self->tasks[t][task];
          int A = self->tables[task].A;

          if (A == 0)
            continue;
          if (previous == NULL)
            state->before = goban_pass_get_top (self, t);
          else
            {
              goban_pass_hear_forward (self, &heard, state->before_own, previous->before);
              state->before = state->before_own;
            }
          if (t > 0 || previous != NULL)
            run_task (self, net, t, (GobanTask) task);
          if (self->config.is_sampled && rng != NULL)
            {
              /* Draws the choices, row by row. */
              guint32 *chosen = choices->chosen[t][task];
              float *p = goban_pass_get_room (self, &self->lanes[0], 6);

              for (int n = 0; n < self->N; n++)
                {
                  goban_softmax_forward (p, state->logits + (gsize) n * A, 1, A);
                  chosen[n] = (guint32) goban_categorical_sample (p, A, rng);
                }
            }
          clear (state->dlogits, (gsize) self->N * (gsize) A);
          heard = get_heard (self, choices, t, (GobanTask) task);
          previous = state;
        }
    }
}

/* --- backward ------------------------------------------------------------------------------- */

/* dbefore += ..., by way of flow. */
static void
run_task_backward (GobanPass *self, const GobanNet *net, int t, GobanTask task,
                   const float *dlogits, float *dbefore)
{
  GobanTaskState *state = &self->tasks[t][task];
  Norm step = { net, state, dbefore, self->flow };

  goban_pass_head_backward (self, task, state, self->flow, dlogits);
  goban_pass_layer_backward (self, net, self->config.n_attention, &state->layer, self->flow,
                             self->flow);
  goban_pass_for_lanes (self, norm_backward, &step);
}

static void
add (float *to, const float *from, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] += from[i];
}

void
goban_pass_decide_backward (GobanPass *self, GobanNet *net, const GobanChoices *choices)
{
  gsize NW = (gsize) self->N * (gsize) self->W;

  g_assert (choices != NULL || !self->config.is_sampled);
  for (int t = self->config.n_iterations; t-- > 0;)
    {
      /* The tasks of an iteration from the last to the first; carry becomes the gradient of its
       * top. */
      gsize N = (gsize) self->N;
      gboolean is_last = TRUE;

      clear (self->carry, N * (gsize) self->W);
      for (int task = GOBAN_N_TASKS - 1; task >= (int) self->first_task; task--)
        {
          GobanTaskState *state = &self->tasks[t][task];
          GobanHeard heard = get_heard (self, choices, t, (GobanTask) task);

          if (self->tables[task].A == 0)
            continue;
          /* forward was before of the next task = before + embedding of this one's decision */
          if (!is_last)
            goban_pass_hear_backward (self, &heard, self->carry);
          is_last = FALSE;
          if (t == 0 && task == (int) self->first_task)
            add (self->dlogits, state->dlogits, N * (gsize) self->tables[task].A);
          else
            run_task_backward (self, net, t, (GobanTask) task, state->dlogits, self->carry);
        }

      if (t == 0)
        {
          add (self->dtop, self->carry, NW);
          break;
        }
      memcpy (self->flow, self->carry, NW * sizeof (float));
      goban_pass_run_layers_backward (self, net, t);
      add (self->dx0, self->flow, NW);
      for (int task = GOBAN_N_TASKS; task-- > 0;)
        {
          GobanHeard heard = get_heard (self, choices, t - 1, (GobanTask) task);

          heard.is_again = TRUE;
          if (self->tables[task].A > 0)
            goban_pass_hear_backward (self, &heard, self->flow);
        }
    }
  goban_pass_sum_gradients (self, net);
}

void
goban_pass_embed_backward (GobanPass *self, GobanNet *net)
{
  gsize NW = (gsize) self->N * (gsize) self->W;

  run_task_backward (self, net, 0, self->first_task, self->dlogits, self->dtop);
  goban_pass_trunk_backward (self, net, self->dtop);
  goban_pass_tables_backward (self, net);
  goban_pass_sum_gradients (self, net);

  clear (self->dtop, NW);
  clear (self->dlogits, (gsize) self->N * (gsize) self->tables[self->first_task].A);
}

/* --- accessors ------------------------------------------------------------------------------ */

int
goban_pass_get_n_actions (const GobanPass *self, GobanTask task)
{
  return (int) goban_board_get_n_actions (self->board, task);
}

const float *
goban_pass_get_logits (const GobanPass *self, int iteration, GobanTask task)
{
  return self->tasks[iteration][task].logits;
}

float *
goban_pass_get_logits_grad (GobanPass *self, int iteration, GobanTask task)
{
  return self->tasks[iteration][task].dlogits;
}

gboolean
goban_pass_find_attended (const GobanPass *self, int iteration, GobanTask task, guint32 *rows,
                          float *shares)
{
  return goban_pass_layer_find_attended (self, self->config.n_attention,
                                         &self->tasks[iteration][task].layer, rows, shares);
}
