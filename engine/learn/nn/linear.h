/* linear.h: the affine layer.   N rows, I inputs, O outputs.
 *
 * Here and in every kernel: forward functions write their outputs, backward functions ADD to
 * theirs, so the caller zeroes gradients; a NULL gradient is not computed. Arrays do not overlap.
 */
#pragma once

#include "engine/learn/nn/params.h"

#include <glib.h>

/* Products of row-major matrices, by OpenBLAS with one thread a product.
 *
 * Matrices have no gaps. Every product adds to c, but for the one that says so. M rows and N
 * columns of c, K the length of the inner products; an empty dimension does nothing. Any number of
 * threads may call at once.
 *
 * The same call gives the same bytes on one kind of processor. OpenBLAS has kernels for each kind,
 * which sum in different orders, and other ones for small matrices: between kinds, and between a
 * row alone and the same row among others, the last bits may differ. Decision N2 (engine/NOTES.md).
 */

/* c (M,N) += a b.   a (M,K)  b (K,N) */
void goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) = a b, for what would be zeroed first. */
void goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) += a b^T.   a (M,K)  b (N,K) */
void goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) += a^T b.   a (K,M)  b (K,N) */
void goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K);

/* y = x W^T + b.   y (N,O)  x (N,I)  w (O,I)  b (O) (nullable) */
void goban_linear_forward (float *y, const float *x, const float *w, const float *b, int N, int I,
                           int O);

/* The same with w turned over: w_t (I,O) = w^T. A block of w_t's columns lies as the product reads
 * it, so turn once what serves many rows. */
void goban_linear_turn (float *w_t, const float *w, int I, int O);
void goban_linear_turned_forward (float *y, const float *x, const float *w_t, const float *b, int N,
                                  int I, int O);

/* dx (N,I)  dw (O,I)  db (O)  dy (N,O) */
void goban_linear_backward (float *dx, float *dw, float *db, const float *dy, const float *x,
                            const float *w, int N, int I, int O);

/* Embedding lookup: rows of a table by index. N lookups, D width. */

/* y[n] = table[ids[n]].   y (N,D)  table (rows,D)  ids (N) */
void goban_embedding_forward (float *y, const float *table, const guint32 *ids, int N, int D);
/* dtable (rows,D) */
void goban_embedding_backward (float *dtable, const float *dy, const guint32 *ids, int N, int D);

/* Multi-layer perceptron: affine layers with ReLU between them. N rows.
 *
 *   y_0 = x,   y_l+1 = relu (y_l W_l^T + b_l),   the last one without the relu unless asked for
 *
 * The layers' parameters stand in a GobanParams table; activations in an array of the caller's,
 * goban_mlp_work_size() floats that forward fills and backward reads.
 */

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
