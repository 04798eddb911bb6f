#include "engine/learn/rl/baselines/regal-net.h"

#include "engine/core/arrays.h"
#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/linear.h"

#include <string.h>

/* Rows per block of the device head, which bound its memory on large graphs. */
#define BLOCK 4096
/* Initial size of the heads' last weights, as a share of the usual size. */
#define FIRST_HEADS 0.05f

/* --- the network ------------------------------------------------------------------------------ */

void
goban_regal_net_init (GobanRegalNet *self, GobanRegalShape shape, GobanRng *rng)
{
  static const char *const names[] = { "device", "priority", "transfer", "bias" };
  int D = shape.width;
  int F = shape.n_node_features;

  *self = (GobanRegalNet){ .shape = shape, .params = goban_params_new ("regal") };
  goban_mlp_init (&self->embed, self->params, "embed", (int[]){ F, D, D }, 2, FALSE);
  self->step_weight
      = goban_params_add (self->params, "step.w", (guint) D, (guint) (3 * D), GOBAN_INIT_GLOROT);
  self->step_bias = goban_params_add (self->params, "step.b", 1, (guint) D, GOBAN_INIT_ZEROS);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      int I = 2 * D + (head == GOBAN_REGAL_DEVICE ? shape.n_device_features : 0);

      goban_mlp_init (&self->heads[head], self->params, names[head],
                      (int[]){ I, D, shape.n_choices[head] }, 2, FALSE);
    }
  goban_mlp_init (&self->critic, self->params, "critic", (int[]){ D, D, 1 }, 2, FALSE);
  goban_params_finish (self->params, rng);

  /* Makes the initial probabilities nearly even, because a certain softmax explores nothing. */
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      guint tensor = self->heads[head].weights[self->heads[head].n_layers - 1];
      float *w = goban_params_value (self->params, tensor);

      for (gsize i = 0; i < goban_params_get_size (self->params, tensor); i++)
        w[i] *= FIRST_HEADS;
    }
}

void
goban_regal_net_clear (GobanRegalNet *self)
{
  g_clear_pointer (&self->params, goban_params_free);
}

/* --- work ------------------------------------------------------------------------------------- */

static void
add_room_to_learn (GobanRegalWork *self, const GobanRegalNet *net)
{
  gsize N = (gsize) self->N;
  gsize D = (gsize) net->shape.width;
  gsize head = 0;

  for (int i = 0; i < GOBAN_REGAL_N_HEADS; i++)
    head = MAX (head, goban_mlp_work_size (&net->heads[i], BLOCK));
  self->dh = goban_own (self, float, N *D);
  self->dstep = goban_own (self, float, N *D);
  self->dheard = goban_own (self, float, N * 3 * D);
  self->dz = goban_own (self, float, N * 2 * D);
  self->dmean = goban_own (self, float, D);
  self->djoined = goban_own (self, float, BLOCK *(2 * D + (gsize) net->shape.n_device_features));
  self->dwork = goban_own (self, float, MAX (head, goban_mlp_work_size (&net->embed, self->N)));
}

GobanRegalWork *
goban_regal_work_new (const GobanRegalNet *net, int N, int A, gboolean learns)
{
  GobanRegalWork *self = g_new0 (GobanRegalWork, 1);
  gsize ND = (gsize) N * (gsize) net->shape.width;
  gsize D = (gsize) net->shape.width;
  gsize R = learns ? (gsize) net->shape.n_rounds : 0;
  gsize head = 0;

  self->arrays = goban_arrays_new ();
  self->N = N;
  self->A = A;
  self->embed = goban_own (self, float, goban_mlp_work_size (&net->embed, N));
  self->h = goban_own (self, float, (R + 1) * ND);
  self->step = goban_own (self, float, MAX (R, 1) * ND);
  self->heard = goban_own (self, float, 3 * ND);
  self->mean = goban_own (self, float, D);
  self->z = goban_own (self, float, 2 * ND);
  self->joined = goban_own (self, float, BLOCK *(2 * D + (gsize) net->shape.n_device_features));
  self->critic = goban_own (self, float, goban_mlp_work_size (&net->critic, 1));
  for (int i = 0; i < GOBAN_REGAL_N_HEADS; i++)
    {
      head = MAX (head, goban_mlp_work_size (&net->heads[i], BLOCK));
      self->logits[i] = goban_own (self, float,
                                   (gsize) goban_regal_work_get_n_rows (self, i)
                                       * (gsize) net->shape.n_choices[i]);
    }
  self->head = goban_own (self, float, head);
  if (learns)
    add_room_to_learn (self, net);
  return self;
}

void
goban_regal_work_free (GobanRegalWork *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

guint
goban_regal_work_get_n_rows (const GobanRegalWork *self, GobanRegalHead head)
{
  return (guint) (head == GOBAN_REGAL_DEVICE ? self->A * self->N : self->N);
}

/* --- message passing -------------------------------------------------------------------------- */

static const GobanSegments *
neighbours_of (const GobanRegalInput *input, int direction)
{
  return direction == 0 ? &input->predecessors : &input->successors;
}

/* work->heard (N,3D) of h (N,D). The means are gathered in rows of their own at the end of step,
 * which is overwritten after. */
static void
hear (const GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input, const float *h,
      float *scratch)
{
  gsize D = (gsize) net->shape.width;

  for (int part = 0; part < 3; part++)
    {
      const float *from = h;

      if (part > 0)
        {
          goban_segment_mean_forward (scratch, h, neighbours_of (input, part - 1), (int) D);
          from = scratch;
        }
      for (gsize v = 0; v < (gsize) work->N; v++)
        memcpy (work->heard + (3 * v + (gsize) part) * D, from + v * D, D * sizeof *from);
    }
}

/* The h of a round: each round has its own for training, else all share one. */
static float *
h_of (const GobanRegalNet *net, const GobanRegalWork *work, int round)
{
  gsize ND = (gsize) work->N * (gsize) net->shape.width;

  return work->h + (work->dh != NULL ? (gsize) round * ND : 0);
}

static float *
step_of (const GobanRegalNet *net, const GobanRegalWork *work, int round)
{
  gsize ND = (gsize) work->N * (gsize) net->shape.width;

  return work->step + (work->dh != NULL ? (gsize) round * ND : 0);
}

static void
pass_forward (const GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input)
{
  int D = net->shape.width;
  gsize ND = (gsize) work->N * (gsize) D;

  memcpy (h_of (net, work, 0), goban_mlp_output (&net->embed, work->embed, work->N),
          ND * sizeof (float));
  for (int r = 0; r < net->shape.n_rounds; r++)
    {
      const float *h = h_of (net, work, r);
      float *next = h_of (net, work, r + 1);
      float *step = step_of (net, work, r);

      hear (net, work, input, h, step);
      goban_linear_forward (step, work->heard, goban_params_value (net->params, net->step_weight),
                            goban_params_value (net->params, net->step_bias), work->N, 3 * D, D);
      goban_tanh_forward (step, step, ND);
      for (gsize i = 0; i < ND; i++)
        next[i] = h[i] + step[i];
    }
}

/* forward was h_r+1 = h_r + tanh (W heard (h_r)). Hence dh_r is dh_r+1 plus the gradients through
 * the tanh and W of the three parts of heard. Reads dh_R from work->dh and replaces it by dh_0. */
static void
pass_backward (GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input)
{
  gsize D = (gsize) net->shape.width;
  gsize N = (gsize) work->N;

  for (int r = net->shape.n_rounds - 1; r >= 0; r--)
    {
      /* dstep is free until it is zeroed, so it serves as scratch. */
      hear (net, work, input, h_of (net, work, r), work->dstep);
      memset (work->dstep, 0, N * D * sizeof (float));
      goban_tanh_backward (work->dstep, work->dh, step_of (net, work, r), N * D);
      memset (work->dheard, 0, N * 3 * D * sizeof (float));
      goban_linear_backward (work->dheard, goban_params_grad (net->params, net->step_weight),
                             goban_params_grad (net->params, net->step_bias), work->dstep,
                             work->heard, goban_params_value (net->params, net->step_weight),
                             work->N, 3 * (int) D, (int) D);
      for (gsize part = 0; part < 3; part++)
        {
          for (gsize v = 0; v < N; v++)
            memcpy (work->dstep + v * D, work->dheard + (3 * v + part) * D, D * sizeof (float));
          if (part > 0)
            goban_segment_mean_backward (work->dh, work->dstep,
                                         neighbours_of (input, (int) part - 1), (int) D);
          else
            for (gsize i = 0; i < N * D; i++)
              work->dh[i] += work->dstep[i];
        }
    }
}

/* --- heads ------------------------------------------------------------------------------------ */

/* Returns a head's input for rows first .. first + n - 1: z, or z and the features of a device. */
static const float *
get_head_input (const GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input,
                GobanRegalHead head, gsize first, gsize n)
{
  gsize Z = 2 * (gsize) net->shape.width;
  gsize B = (gsize) net->shape.n_device_features;

  if (head != GOBAN_REGAL_DEVICE)
    return work->z + first * Z;
  for (gsize i = 0; i < n; i++)
    {
      gsize v = (first + i) % (gsize) work->N;

      memcpy (work->joined + i * (Z + B), work->z + v * Z, Z * sizeof (float));
      memcpy (work->joined + i * (Z + B) + Z, input->device_features + (first + i) * B,
              B * sizeof (float));
    }
  return work->joined;
}

static void
head_forward (const GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input,
              GobanRegalHead head)
{
  const GobanMlp *mlp = &net->heads[head];
  gsize n_rows = goban_regal_work_get_n_rows (work, head);
  gsize C = (gsize) net->shape.n_choices[head];

  for (gsize first = 0; first < n_rows; first += BLOCK)
    {
      gsize n = MIN (BLOCK, n_rows - first);

      goban_mlp_forward (mlp, net->params, work->head,
                         get_head_input (net, work, input, head, first, n), (int) n);
      memcpy (work->logits[head] + first * C, goban_mlp_output (mlp, work->head, (int) n),
              n * C * sizeof (float));
    }
}

/* Backward of a head. Its hidden layer is computed again, because storing it would take more memory
 * than all else. */
static void
head_backward (GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input,
               GobanRegalHead head, const float *dlogits)
{
  const GobanMlp *mlp = &net->heads[head];
  gsize n_rows = goban_regal_work_get_n_rows (work, head);
  gsize Z = 2 * (gsize) net->shape.width;
  gsize B = (gsize) net->shape.n_device_features;
  gsize C = (gsize) net->shape.n_choices[head];

  for (gsize first = 0; first < n_rows; first += BLOCK)
    {
      gsize n = MIN (BLOCK, n_rows - first);
      const float *x = get_head_input (net, work, input, head, first, n);
      gboolean is_joined = head == GOBAN_REGAL_DEVICE;
      float *dx = is_joined ? work->djoined : work->dz + first * Z;

      if (is_joined)
        memset (dx, 0, n * (Z + B) * sizeof *dx);
      goban_mlp_forward (mlp, net->params, work->head, x, (int) n);
      goban_mlp_backward (mlp, net->params, dx, work->dwork, dlogits + first * C, x, work->head,
                          (int) n);
      for (gsize i = 0; i < n && is_joined; i++)
        for (gsize k = 0; k < Z; k++)
          work->dz[(first + i) % (gsize) work->N * Z + k] += dx[i * (Z + B) + k];
    }
}

/* --- the whole network ---------------------------------------------------------------------- */

void
goban_regal_forward (const GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input)
{
  g_return_if_fail (input->n_nodes == work->N && input->n_devices == work->A);

  goban_mlp_forward (&net->embed, net->params, work->embed, input->node_features, work->N);
  pass_forward (net, work, input);

  const float *h = h_of (net, work, net->shape.n_rounds);
  gsize D = (gsize) net->shape.width;
  gsize N = (gsize) work->N;

  for (gsize d = 0; d < D; d++)
    {
      double sum = 0;

      for (gsize v = 0; v < N; v++)
        sum += (double) h[v * D + d];
      work->mean[d] = (float) (sum / (double) MAX (N, 1));
    }
  for (gsize v = 0; v < N; v++)
    {
      memcpy (work->z + 2 * v * D, h + v * D, D * sizeof *h);
      memcpy (work->z + (2 * v + 1) * D, work->mean, D * sizeof *h);
    }

  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    head_forward (net, work, input, head);
  goban_mlp_forward (&net->critic, net->params, work->critic, work->mean, 1);
  work->value = *goban_mlp_output (&net->critic, work->critic, 1);
}

void
goban_regal_backward (GobanRegalNet *net, GobanRegalWork *work, const GobanRegalInput *input,
                      float *const dlogits[GOBAN_REGAL_N_HEADS], float dvalue)
{
  gsize D = (gsize) net->shape.width;
  gsize N = (gsize) work->N;

  g_return_if_fail (work->dh != NULL);

  memset (work->dz, 0, N * 2 * D * sizeof (float));
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    head_backward (net, work, input, head, dlogits[head]);
  memset (work->dmean, 0, D * sizeof (float));
  goban_mlp_backward (&net->critic, net->params, work->dmean, work->dwork, &dvalue, work->mean,
                      work->critic, 1);

  /* forward was z_v = [h_v, mean of h], so every row of h gets the same share of the mean's
   * gradient */
  for (gsize d = 0; d < D; d++)
    {
      double sum = (double) work->dmean[d];

      for (gsize v = 0; v < N; v++)
        sum += (double) work->dz[(2 * v + 1) * D + d];
      work->dmean[d] = (float) (sum / (double) N);
    }
  for (gsize v = 0; v < N; v++)
    for (gsize d = 0; d < D; d++)
      work->dh[v * D + d] = work->dz[2 * v * D + d] + work->dmean[d];

  pass_backward (net, work, input);
  goban_mlp_backward (&net->embed, net->params, NULL, work->dwork, work->dh, input->node_features,
                      work->embed, work->N);
}
