/* A pass: the arrays of its tasks, and the order of its steps there and back.
 *
 *   embed    x0, c, tables; the attention layers of iteration 0, and the logits of its first task,
 *            which depend on no decision
 *   decide   the other tasks of iteration 0, then all later iterations
 *
 * Backward goes the same way back. decide_backward stops where embed ended: it adds the gradients
 * of the first logits and of iteration 0's top to those of all other decides of this embed.
 */
#include "engine/learn/policy/pass.h"

#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/layernorm.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass-private.h"

#include <math.h>
#include <string.h>

GobanChoices *
goban_choices_new (const GobanNetConfig *config, guint n_rows)
{
  GobanChoices *self = g_new0 (GobanChoices, 1);

  self->n_rows = n_rows;
  self->n_iterations = config->n_iterations;
  self->decisions = config->decisions;
  for (int t = 0; t < config->n_iterations; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      if (goban_tasks_have (config->decisions, (GobanTask) task))
        self->chosen[t][task] = g_new0 (guint32, n_rows);
  return self;
}

void
goban_choices_free (GobanChoices *self)
{
  for (int t = 0; t < GOBAN_NET_MAX_ITERATIONS; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      g_free (self->chosen[t][task]);
  g_free (self);
}

/* --- heads ------------------------------------------------------------------------------------ */

/* Decision heads of a pass: device vectors, logits by row, and the input of decisions to later
 * tasks.
 *
 *   E = W2 relu (W1 device + b1) + b2                                 (D,W)
 *   raw = z H^T,  H (R,W): placement E Wq / sqrt (W); levels the slope (R = 1) or a weight a level
 *   y = (raw - mean over rows) / deviation                            where standardised
 *   logit_na = gamma y_na t_a + bias_a,  t_a = 1, or 2 a / (A - 1) - 1 of ordinal levels
 *   bias_a = b_a - mean_a b,  b_a = u . properties_a, u . E_a (numbered), or free (levels)
 *
 * The mean of all biases makes no difference to any probability; taken out, it cannot grow.
 *
 * z (E Wq)^T is (z Wq^T) E^T with W D multiplications a row instead of W W. The tables of a task
 * (H, bias and the embeddings of its actions) depend on devices alone: they are made once per
 * embed, and their gradients, added up over all decides, go back to the parameters at the end.
 */
static gboolean
is_ordinal (const GobanPass *self, GobanTask task)
{
  return task != GOBAN_TASK_PLACEMENT && self->config.is_ordinal;
}

static gsize
get_n_device_features (const GobanPass *self)
{
  return (gsize) goban_net_config_get_n_device_features (&self->config);
}

void
goban_pass_set_labels (GobanPass *self, const guint32 *labels)
{
  for (guint d = 0; d < self->board->n_devices; d++)
    self->labels[d] = labels != NULL ? labels[d] : d;

  /* The properties are the device's own, the waves those of its label. */
  const GobanBoard *board = self->board;
  gsize F = get_n_device_features (self), n_waves = GOBAN_DEVICE_PLACE - GOBAN_DEVICE_WAVE;

  for (guint d = 0; d < board->n_devices; d++)
    {
      float *device = self->devices + d * F;
      const float *labelled
          = board->devices + (gsize) self->labels[d] * GOBAN_DEVICE_N_FEATURES + GOBAN_DEVICE_WAVE;

      memcpy (device, board->devices + (gsize) d * GOBAN_DEVICE_N_FEATURES, F * sizeof *device);
      if (!self->config.is_numbered)
        memcpy (device + GOBAN_DEVICE_WAVE, labelled, n_waves * sizeof *device);
    }
}

void
goban_pass_draw_labels (GobanPass *self, GobanRng *rng)
{
  guint D = self->board->n_devices;
  g_autofree guint32 *equal = goban_board_dup_equal_devices (self->board);
  g_autofree guint32 *labels = g_new (guint32, D);
  g_autofree guint32 *members = g_new (guint32, D);

  for (guint first = 0; first < D; first++)
    {
      guint n = 0, i = 0;

      for (guint d = first; equal[first] == first && d < D; d++)
        if (equal[d] == first)
          members[n++] = d;
      goban_rng_shuffle (rng, members, n);
      for (guint d = first; i < n; d++)
        if (equal[d] == first)
          labels[d] = members[i++];
    }
  goban_pass_set_labels (self, labels);
}

/* Devices' vectors and all tables; backward adds their gradients to those of the network, and
 * zeroes them. */
static void
tables_reserve (GobanPass *self)
{
  gsize W = (gsize) self->W, DW = self->board->n_devices * W;

  self->devices = goban_pass_reserve (self, self->board->n_devices * get_n_device_features (self));
  self->labels = g_new (guint32, self->board->n_devices);
  goban_pass_set_labels (self, NULL);
  self->device_hidden = goban_pass_reserve (self, DW);
  self->e = goban_pass_reserve (self, DW);
  self->de = goban_pass_reserve (self, DW);
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      GobanTaskTables *tables = &self->tables[task];
      gsize A;

      if (!goban_tasks_have (self->config.decisions, (GobanTask) task))
        continue;
      tables->A = (int) goban_board_get_n_actions (self->board, (GobanTask) task);
      tables->R = is_ordinal (self, (GobanTask) task) ? 1 : tables->A;
      A = (gsize) tables->A;
      tables->head = goban_pass_reserve (self, (gsize) tables->R * W);
      tables->dhead = goban_pass_reserve (self, (gsize) tables->R * W);
      tables->bias = goban_pass_reserve (self, A);
      tables->dbias = goban_pass_reserve (self, A);
      tables->action = goban_pass_reserve (self, A * W);
      tables->daction = goban_pass_reserve (self, A * W);
      if (self->config.n_iterations == 1)
        continue;
      tables->again = goban_pass_reserve (self, A * W);
      tables->dagain = goban_pass_reserve (self, A * W);
    }
}

/* values (A) less their mean: there and, by the same matrix, back. */
static void
center (float *values, int A)
{
  double mean = 0;

  for (int a = 0; a < A; a++)
    mean += (double) values[a] / A;
  for (int a = 0; a < A; a++)
    values[a] -= (float) mean;
}

static void
fill_bias (GobanPass *self, const GobanNet *net, GobanTask task)
{
  GobanTaskTables *tables = &self->tables[task];
  const float *weights = goban_pass_value (net, self->tensors.tasks[task].bias);
  gsize F = get_n_device_features (self);

  if (task != GOBAN_TASK_PLACEMENT)
    memcpy (tables->bias, weights, tables->A * sizeof *weights);
  else if (self->config.is_numbered)
    goban_linear_forward (tables->bias, self->e, weights, NULL, tables->A, self->W, 1);
  else
    for (int d = 0; d < tables->A; d++)
      {
        tables->bias[d] = 0;
        for (int i = 0; i < GOBAN_DEVICE_N_PROPERTIES; i++)
          tables->bias[d] += weights[i] * self->devices[(gsize) d * F + i];
      }
  center (tables->bias, tables->A);
}

static void
return_bias (GobanPass *self, GobanNet *net, GobanTask task)
{
  GobanTaskTables *tables = &self->tables[task];
  guint bias = self->tensors.tasks[task].bias;
  float *dweights = goban_params_grad (net->params, bias);
  gsize F = get_n_device_features (self);

  center (tables->dbias, tables->A);
  if (task == GOBAN_TASK_PLACEMENT && self->config.is_numbered)
    goban_linear_backward (self->de, dweights, NULL, tables->dbias, self->e,
                           goban_pass_value (net, bias), tables->A, self->W, 1);
  else
    for (int a = 0; a < tables->A; a++)
      if (task != GOBAN_TASK_PLACEMENT)
        dweights[a] += tables->dbias[a];
      else
        for (int i = 0; i < GOBAN_DEVICE_N_PROPERTIES; i++)
          dweights[i] += tables->dbias[a] * self->devices[(gsize) a * F + i];
  memset (tables->dbias, 0, tables->A * sizeof *tables->dbias);
}

static void
fill_from_devices (GobanPass *self, const GobanNet *net, const GobanTaskTensors *tensors)
{
  GobanTaskTables *tables = &self->tables[GOBAN_TASK_PLACEMENT];
  int D = (int) self->board->n_devices, W = self->W;
  float scale = 1.0f / sqrtf ((float) W);

  memset (tables->head, 0, (gsize) D * W * sizeof (float));
  goban_gemm_nn (tables->head, self->e, goban_pass_value (net, tensors->head), D, W, W);
  for (gsize j = 0; j < (gsize) D * W; j++)
    tables->head[j] *= scale;
  goban_linear_forward (tables->action, self->e, goban_pass_value (net, tensors->action), NULL, D,
                        W, W);
  if (tables->again != NULL)
    goban_linear_forward (tables->again, self->e, goban_pass_value (net, tensors->again), NULL, D,
                          W, W);
}

static void
fill_from_levels (GobanPass *self, const GobanNet *net, GobanTask task)
{
  const GobanTaskTensors *tensors = &self->tensors.tasks[task];
  GobanTaskTables *tables = &self->tables[task];
  gsize W = (gsize) self->W, AW = (gsize) tables->A * W;

  memcpy (tables->head, goban_pass_value (net, self->tensors.tasks[task].head),
          (gsize) tables->R * W * sizeof (float));
  memcpy (tables->action, goban_pass_value (net, tensors->action), AW * sizeof (float));
  if (tables->again != NULL)
    memcpy (tables->again, goban_pass_value (net, tensors->again), AW * sizeof (float));
}

static void
tables_forward (GobanPass *self, const GobanNet *net)
{
  const GobanNetTensors *tensors = &self->tensors;
  int D = (int) self->board->n_devices, W = self->W;

  goban_linear_forward (
      self->device_hidden, self->devices, goban_pass_value (net, tensors->device_w[0]),
      goban_pass_value (net, tensors->device_b[0]), D, (int) get_n_device_features (self), W);
  goban_relu_forward (self->device_hidden, self->device_hidden, (gsize) D * W);
  goban_linear_forward (self->e, self->device_hidden, goban_pass_value (net, tensors->device_w[1]),
                        goban_pass_value (net, tensors->device_b[1]), D, W, W);
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      GobanTaskTables *tables = &self->tables[task];
      guint gamma = self->tensors.tasks[task].gamma;

      if (tables->A == 0)
        continue;
      tables->gamma = gamma != GOBAN_NET_NO_TENSOR ? *goban_pass_value (net, gamma) : 1.0f;
      if (task == GOBAN_TASK_PLACEMENT)
        fill_from_devices (self, net, &tensors->tasks[task]);
      else
        fill_from_levels (self, net, (GobanTask) task);
      fill_bias (self, net, (GobanTask) task);
    }
}

static void
return_to_devices (GobanPass *self, GobanNet *net, const GobanTaskTensors *tensors)
{
  GobanTaskTables *tables = &self->tables[GOBAN_TASK_PLACEMENT];
  int D = (int) self->board->n_devices, W = self->W;
  float scale = 1.0f / sqrtf ((float) W);
  guint head = tensors->head;

  /* forward was head = scale E Wq */
  for (gsize j = 0; j < (gsize) D * W; j++)
    tables->dhead[j] *= scale;
  goban_gemm_nt (self->de, tables->dhead, goban_pass_value (net, head), D, W, W);
  goban_gemm_tn (goban_params_grad (net->params, head), self->e, tables->dhead, W, W, D);
  goban_linear_backward (self->de, goban_params_grad (net->params, tensors->action), NULL,
                         tables->daction, self->e, goban_pass_value (net, tensors->action), D, W,
                         W);
  if (tables->again != NULL)
    goban_linear_backward (self->de, goban_params_grad (net->params, tensors->again), NULL,
                           tables->dagain, self->e, goban_pass_value (net, tensors->again), D, W,
                           W);
}

/* params' gradient += from, and from = 0 */
static void
move_gradient (GobanNet *net, guint tensor, float *from)
{
  gsize n = goban_params_get_size (net->params, tensor);
  float *to = goban_params_grad (net->params, tensor);

  for (gsize i = 0; i < n; i++)
    to[i] += from[i];
  memset (from, 0, n * sizeof *from);
}

static void
return_to_levels (GobanPass *self, GobanNet *net, GobanTask task)
{
  const GobanTaskTensors *tensors = &self->tensors.tasks[task];
  GobanTaskTables *tables = &self->tables[task];

  move_gradient (net, self->tensors.tasks[task].head, tables->dhead);
  move_gradient (net, tensors->action, tables->daction);
  if (tables->again != NULL)
    move_gradient (net, tensors->again, tables->dagain);
}

static void
devices_backward (GobanPass *self, GobanNet *net)
{
  const GobanNetTensors *tensors = &self->tensors;
  int D = (int) self->board->n_devices, W = self->W;
  g_autofree float *dhidden = g_new0 (float, (gsize) D *W);

  goban_linear_backward (dhidden, goban_params_grad (net->params, tensors->device_w[1]),
                         goban_params_grad (net->params, tensors->device_b[1]), self->de,
                         self->device_hidden, goban_pass_value (net, tensors->device_w[1]), D, W,
                         W);
  for (gsize j = 0; j < (gsize) D * W; j++)
    dhidden[j] = self->device_hidden[j] > 0.0f ? dhidden[j] : 0.0f;
  goban_linear_backward (NULL, goban_params_grad (net->params, tensors->device_w[0]),
                         goban_params_grad (net->params, tensors->device_b[0]), dhidden,
                         self->devices, NULL, D, (int) get_n_device_features (self), W);
  memset (self->de, 0, (gsize) D * W * sizeof (float));
}

static void
tables_backward (GobanPass *self, GobanNet *net)
{
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      GobanTaskTables *tables = &self->tables[task];
      const GobanTaskTensors *tensors = &self->tensors.tasks[task];
      guint gamma = self->tensors.tasks[task].gamma;
      gsize AW = (gsize) tables->A * self->W;

      if (tables->A == 0)
        continue;
      if (gamma != GOBAN_NET_NO_TENSOR)
        *goban_params_grad (net->params, gamma) += tables->dgamma;
      tables->dgamma = 0;
      return_bias (self, net, (GobanTask) task);
      if (task != GOBAN_TASK_PLACEMENT)
        {
          return_to_levels (self, net, (GobanTask) task);
          continue;
        }
      return_to_devices (self, net, tensors);
      memset (tables->dhead, 0, AW * sizeof (float));
      memset (tables->daction, 0, AW * sizeof (float));
      if (tables->again != NULL)
        memset (tables->dagain, 0, AW * sizeof (float));
    }
  devices_backward (self, net);
}

typedef struct
{
  GobanTask task;
  const GobanTaskTables *tables;
  const GobanTaskState *state;
  float *dy;            /* (N,W) */
  const float *dlogits; /* (N,A) */
  float *draw;          /* (N,R) of y, then of raw */
} Step;

/* t_a of the header; the column of raw that action a reads is a, or 0 for ordinal levels. */
static float
get_level (const GobanTaskTables *tables, int a)
{
  return tables->R == tables->A ? 1.0f : 2.0f * (float) a / (float) (tables->A - 1) - 1.0f;
}

static gboolean
is_allowed (const GobanPass *self, GobanTask task, int n, int a)
{
  return task != GOBAN_TASK_PLACEMENT
         || self->board->allowed[(gsize) n * self->board->n_devices + (gsize) a];
}

static void
multiply (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  int R = step->tables->R;

  goban_linear_forward (step->state->raw + (gsize) lane->first * R,
                        step->state->layer.y + (gsize) lane->first * self->W, step->tables->head,
                        NULL, lane->n, self->W, R);
}

static void
scale (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  const GobanTaskTables *tables = step->tables;
  int A = tables->A, R = tables->R;

  for (int n = lane->first; n < lane->first + lane->n; n++)
    for (int a = 0; a < A; a++)
      {
        float y = step->state->raw[(gsize) n * R + (R == A ? a : 0)];

        step->state->logits[(gsize) n * A + a]
            = is_allowed (self, step->task, n, a)
                  ? tables->gamma * y * get_level (tables, a) + tables->bias[a]
                  : -INFINITY;
      }
}

/* logits of state->layer.y; dy (N,W) is overwritten by backward. */
static void
head_forward (GobanPass *self, GobanTask task, GobanTaskState *state)
{
  const GobanTaskTables *tables = &self->tables[task];
  Step step = { .task = task, .tables = tables, .state = state };

  goban_pass_for_lanes (self, multiply, &step);
  if (self->config.standardized)
    goban_standardize_forward (state->raw, state->raw_inverse, state->raw, self->weights, self->N,
                               tables->R);
  goban_pass_for_lanes (self, scale, &step);
}

/* Gradients of y into draw, of bias (A) and gamma (1) into the lane's table. */
static void
scale_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  const GobanTaskTables *tables = step->tables;
  int A = tables->A, R = tables->R;
  double dgamma = 0;

  memset (lane->table, 0, (gsize) (A + 1) * sizeof (float));
  memset (step->draw + (gsize) lane->first * R, 0, (gsize) lane->n * R * sizeof (float));
  for (int n = lane->first; n < lane->first + lane->n; n++)
    for (int a = 0; a < A; a++)
      {
        float dlogit = step->dlogits[(gsize) n * A + a];
        gsize column = (gsize) n * R + (R == A ? a : 0);
        float level = get_level (tables, a);

        if (!is_allowed (self, step->task, n, a))
          continue;
        /* forward was logit = gamma y t + bias */
        lane->table[a] += dlogit;
        dgamma += (double) (dlogit * step->state->raw[column] * level);
        step->draw[column] += dlogit * tables->gamma * level;
      }
  lane->table[A] = (float) dgamma;
}

static void
multiply_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Step *step = user_data;
  int R = step->tables->R, W = self->W;
  gsize at = (gsize) lane->first * W;

  memset (lane->table, 0, (gsize) R * W * sizeof (float));
  memset (step->dy + at, 0, (gsize) lane->n * W * sizeof (float));
  goban_linear_backward (step->dy + at, lane->table, NULL, step->draw + (gsize) lane->first * R,
                         step->state->layer.y + at, step->tables->head, lane->n, W, R);
}

static void
head_backward (GobanPass *self, GobanTask task, const GobanTaskState *state, float *dy,
               const float *dlogits)
{
  GobanTaskTables *tables = &self->tables[task];
  gsize n_raw = (gsize) self->N * tables->R;
  Step step = { task, tables, state, dy, dlogits, self->head_room };
  g_autofree float *sums = g_new0 (float, (gsize) tables->A + 1);

  goban_pass_for_lanes (self, scale_backward, &step);
  goban_pass_sum_tables (self, sums, (gsize) tables->A + 1);
  for (int a = 0; a < tables->A; a++)
    tables->dbias[a] += sums[a];
  tables->dgamma += sums[tables->A];
  if (self->config.standardized)
    {
      step.draw = self->head_room + n_raw;
      memset (step.draw, 0, n_raw * sizeof (float));
      goban_standardize_backward (step.draw, self->head_room, state->raw, state->raw_inverse,
                                  self->weights, self->N, tables->R);
    }
  goban_pass_for_lanes (self, multiply_backward, &step);
  goban_pass_sum_tables (self, tables->dhead, (gsize) tables->R * self->W);
}

/* --- embeddings of decisions ---------------------------------------------------------------- */

typedef struct
{
  const GobanHeard *heard;
  const GobanTaskTables *tables;
  const float *table;
  float *to;
  const float *from;
} Hearing;

static const float *
get_table (const GobanPass *self, const GobanHeard *heard)
{
  const GobanTaskTables *tables = &self->tables[heard->task];

  return heard->is_again ? tables->again : tables->action;
}

static void
hear_lane (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Hearing *step = user_data;
  float *p = goban_pass_get_room (self, lane, 6);
  int A = step->tables->A, W = self->W;

  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      gsize at = (gsize) first * W;

      if (step->to != step->from)
        memcpy (step->to + at, step->from + at, (gsize) n * W * sizeof (float));
      if (step->heard->chosen == NULL)
        {
          goban_softmax_forward (p, step->heard->state->logits + (gsize) first * A, n, A);
          goban_gemm_nn (step->to + at, p, step->table, n, W, A);
          continue;
        }
      for (int i = 0; i < n; i++)
        {
          const float *row = step->table + (gsize) step->heard->chosen[first + i] * W;

          for (int d = 0; d < W; d++)
            step->to[at + (gsize) i * W + d] += row[d];
        }
    }
}

/* to = from + embedding; to may be from */
static void
hear_forward (GobanPass *self, const GobanHeard *heard, float *to, const float *from)
{
  Hearing step = { heard, &self->tables[heard->task], get_table (self, heard), to, from };

  goban_pass_for_lanes (self, hear_lane, &step);
}

static void
hear_lane_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
{
  const Hearing *step = user_data;
  float *p = goban_pass_get_room (self, lane, 6);
  float *dp = goban_pass_get_room (self, lane, 7);
  int A = step->tables->A, W = self->W;

  memset (lane->table, 0, (gsize) A * W * sizeof (float));
  GOBAN_PASS_FOR_EACH_BLOCK (lane, first, n)
    {
      const float *dto = step->from + (gsize) first * W;
      gsize at = (gsize) first * A;

      if (step->heard->chosen != NULL)
        {
          goban_embedding_backward (lane->table, dto, step->heard->chosen + first, n, W);
          continue;
        }
      /* forward was to = from + p T, p = softmax (logits) */
      goban_softmax_forward (p, step->heard->state->logits + at, n, A);
      memset (dp, 0, (gsize) n * A * sizeof *dp);
      goban_gemm_nt (dp, dto, step->table, n, A, W);
      goban_gemm_tn (lane->table, p, dto, A, W, n);
      goban_softmax_backward (step->heard->state->dlogits + at, dp, p, n, A);
    }
}

/* Adds to the task's dlogits and to its tables' gradients. */
static void
hear_backward (GobanPass *self, const GobanHeard *heard, const float *dto)
{
  GobanTaskTables *tables = &self->tables[heard->task];
  Hearing step = { heard, tables, get_table (self, heard), NULL, dto };

  goban_pass_for_lanes (self, hear_lane_backward, &step);
  goban_pass_sum_tables (self, heard->is_again ? tables->dagain : tables->daction,
                         (gsize) tables->A * self->W);
}

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
  while (!goban_tasks_have (config->decisions, self->first_task))
    self->first_task++;
  goban_net_add_tensors (config, params, &self->tensors);
  goban_pass_begin (self, config, &input, params);

  /* Weights of rows: half by work, half by number, so that neither many small nor a few large
   * rows dominate. */
  self->weights = goban_pass_reserve (self, (gsize) self->N);
  for (int n = 0; n < self->N; n++)
    self->weights[n] = 0.5f * (self->board->weights[n] + 1.0f / (float) self->N);

  tables_reserve (self);
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
  head_forward (self, task, state);
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
  tables_forward (self, net);
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
      hear_forward (self, &heard, self->inputs[t], from);
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
              hear_forward (self, &heard, state->before_own, previous->before);
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

  head_backward (self, task, state, self->flow, dlogits);
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
            hear_backward (self, &heard, self->carry);
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
            hear_backward (self, &heard, self->flow);
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
  tables_backward (self, net);
  goban_pass_sum_gradients (self, net);

  clear (self->dtop, NW);
  clear (self->dlogits, (gsize) self->N * (gsize) self->tables[self->first_task].A);
}

/* --- accessors ------------------------------------------------------------------------------ */

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
