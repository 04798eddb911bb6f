#include "engine/learn/nn/mlp.h"

#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/linear.h"

#include <string.h>

static gboolean
has_relu (const GobanMlp *self, int layer)
{
  return layer + 1 < self->n_layers || self->relu_last;
}

/* Offset of a layer's outputs in the work array. */
static gsize
offset_of (const GobanMlp *self, int layer, int N)
{
  gsize width = 0;

  for (int l = 0; l < layer; l++)
    width += (gsize) self->sizes[l + 1];
  return width * (gsize) N;
}

void
goban_mlp_init (GobanMlp *self, GobanParams *params, const char *name, const int *sizes,
                int n_layers, gboolean relu_last)
{
  g_return_if_fail (n_layers >= 1 && n_layers <= GOBAN_MLP_MAX_LAYERS);

  *self = (GobanMlp){ .n_layers = n_layers, .relu_last = relu_last };
  memcpy (self->sizes, sizes, ((gsize) n_layers + 1) * sizeof *sizes);
  for (int l = 0; l < n_layers; l++)
    {
      g_autofree char *weight = g_strdup_printf ("%s.%d.w", name, l);
      g_autofree char *bias = g_strdup_printf ("%s.%d.b", name, l);
      GobanInit init = has_relu (self, l) ? GOBAN_INIT_HE : GOBAN_INIT_GLOROT;

      self->weights[l]
          = goban_params_add (params, weight, (guint) sizes[l + 1], (guint) sizes[l], init);
      self->biases[l] = goban_params_add (params, bias, 1, (guint) sizes[l + 1], GOBAN_INIT_ZEROS);
    }
}

gsize
goban_mlp_work_size (const GobanMlp *self, int N)
{
  return offset_of (self, self->n_layers, N);
}

float *
goban_mlp_output (const GobanMlp *self, float *work, int N)
{
  return work + offset_of (self, self->n_layers - 1, N);
}

void
goban_mlp_forward (const GobanMlp *self, const GobanParams *params, float *work, const float *x,
                   int N)
{
  for (int l = 0; l < self->n_layers; l++)
    {
      int I = self->sizes[l];
      int O = self->sizes[l + 1];
      float *y = work + offset_of (self, l, N);

      goban_linear_forward (y, x, goban_params_value (params, self->weights[l]),
                            goban_params_value (params, self->biases[l]), N, I, O);
      if (has_relu (self, l))
        goban_relu_forward (y, y, (gsize) N * (gsize) O);
      x = y;
    }
}

void
goban_mlp_backward (const GobanMlp *self, GobanParams *params, float *dx, float *dwork,
                    const float *dy, const float *x, const float *work, int N)
{
  /* dwork holds, layer by layer, the gradient of what stands before the relu. */
  memset (dwork, 0, goban_mlp_work_size (self, N) * sizeof *dwork);
  for (int l = self->n_layers - 1; l >= 0; l--)
    {
      gsize n = (gsize) N * (gsize) self->sizes[l + 1];
      const float *y = work + offset_of (self, l, N);
      const float *input = l > 0 ? work + offset_of (self, l - 1, N) : x;
      float *dinput = l > 0 ? dwork + offset_of (self, l - 1, N) : dx;
      float *dlinear = dwork + offset_of (self, l, N);

      /* The layer above has left the gradient of y in dlinear; for the last it is dy. */
      if (l == self->n_layers - 1)
        memcpy (dlinear, dy, n * sizeof *dy);
      if (has_relu (self, l))
        for (gsize i = 0; i < n; i++)
          dlinear[i] = y[i] > 0 ? dlinear[i] : 0;
      goban_linear_backward (dinput, goban_params_grad (params, self->weights[l]),
                             goban_params_grad (params, self->biases[l]), dlinear, input,
                             goban_params_value (params, self->weights[l]), N, self->sizes[l],
                             self->sizes[l + 1]);
    }
}
