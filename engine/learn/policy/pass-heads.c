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
#include "engine/learn/policy/pass-private.h"

#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/embedding.h"
#include "engine/learn/nn/gemm.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/nn/standardize.h"
#include "engine/learn/policy/pass-steps.h"

#include <math.h>
#include <string.h>

/* --- tables --------------------------------------------------------------------------------- */

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

void
goban_pass_tables_reserve (GobanPass *self)
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

      if (!goban_net_config_has_task (&self->config, (GobanTask) task))
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

void
goban_pass_tables_forward (GobanPass *self, const GobanNet *net)
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

void
goban_pass_tables_backward (GobanPass *self, GobanNet *net)
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

/* --- heads ---------------------------------------------------------------------------------- */

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

void
goban_pass_head_forward (GobanPass *self, GobanTask task, GobanTaskState *state)
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

void
goban_pass_head_backward (GobanPass *self, GobanTask task, const GobanTaskState *state, float *dy,
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
hear (GobanPass *self, GobanLane *lane, gpointer user_data)
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

void
goban_pass_hear_forward (GobanPass *self, const GobanHeard *heard, float *to, const float *from)
{
  Hearing step = { heard, &self->tables[heard->task], get_table (self, heard), to, from };

  goban_pass_for_lanes (self, hear, &step);
}

static void
hear_backward (GobanPass *self, GobanLane *lane, gpointer user_data)
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

void
goban_pass_hear_backward (GobanPass *self, const GobanHeard *heard, const float *dto)
{
  GobanTaskTables *tables = &self->tables[heard->task];
  Hearing step = { heard, tables, get_table (self, heard), NULL, dto };

  goban_pass_for_lanes (self, hear_backward, &step);
  goban_pass_sum_tables (self, heard->is_again ? tables->dagain : tables->daction,
                         (gsize) tables->A * self->W);
}
