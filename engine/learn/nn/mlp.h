/* mlp.h: multi-layer perceptron: affine layers with ReLU between them. N rows.
 *
 *   y_0 = x,   y_l+1 = relu (y_l W_l^T + b_l),   the last one without the relu unless asked for
 *
 * The layers' parameters stand in a GobanParams table; activations in an array of the caller's,
 * goban_mlp_work_size() floats that forward fills and backward reads.
 */
#pragma once

#include "engine/learn/nn/params.h"

G_BEGIN_DECLS

#define GOBAN_MLP_MAX_LAYERS 4

typedef struct
{
  int n_layers;
  int sizes[GOBAN_MLP_MAX_LAYERS + 1]; /* inputs, then the outputs of each layer */
  guint weights[GOBAN_MLP_MAX_LAYERS]; /* numbers in the table */
  guint biases[GOBAN_MLP_MAX_LAYERS];
  gboolean relu_last;
} GobanMlp;

/* Adds "NAME.0.w", "NAME.0.b", ... sizes (n_layers + 1). Before goban_params_finish(). */
void goban_mlp_init (GobanMlp *self, GobanParams *params, const char *name, const int *sizes,
                     int n_layers, gboolean relu_last);

gsize goban_mlp_work_size (const GobanMlp *self, int N);

/* The last layer's output in @work: (N, sizes[n_layers]). */
float *goban_mlp_output (const GobanMlp *self, float *work, int N);

/* x (N, sizes[0]) */
void goban_mlp_forward (const GobanMlp *self, const GobanParams *params, float *work,
                        const float *x, int N);

/* Adds to dx (N, sizes[0]) (nullable) and to the table's gradients. dy (N, sizes[n_layers]);
 * dwork: as many floats as work, overwritten. */
void goban_mlp_backward (const GobanMlp *self, GobanParams *params, float *dx, float *dwork,
                         const float *dy, const float *x, const float *work, int N);

G_END_DECLS
