#include "engine/learn/nn/linear.h"

#include "engine/learn/nn/activate.h"
#include "engine/learn/nn/vector.h"

#include <cblas.h>
#include <string.h>

#undef I /* of <complex.h>, by <cblas.h>; here inputs are counted */

/* Our own threads multiply side by side, and OpenBLAS's would wait for each other. */
static __attribute__ ((constructor)) void
use_one_thread (void)
{
  openblas_set_num_threads (1);
}

static void
multiply (float *c, const float *a, CBLAS_TRANSPOSE turns_a, const float *b,
          CBLAS_TRANSPOSE turns_b, int M, int N, int K, float beta)
{
  /* OpenBLAS asks for leading dimensions of at least 1, even of empty matrices. */
  int a_down = MAX (turns_a == CblasTrans ? M : K, 1);
  int b_down = MAX (turns_b == CblasTrans ? K : N, 1);

  if (M > 0 && N > 0)
    cblas_sgemm (CblasRowMajor, turns_a, turns_b, M, N, K, 1, a, a_down, b, b_down, beta, c, N);
}

void
goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasNoTrans, b, CblasNoTrans, M, N, K, 1);
}

void
goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasNoTrans, b, CblasNoTrans, M, N, K, 0);
}

void
goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasNoTrans, b, CblasTrans, M, N, K, 1);
}

void
goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasTrans, b, CblasNoTrans, M, N, K, 1);
}

/* Columns whose sums are held in double at once. */
#define BLOCK 64

/* What products are added to: b in every row, or 0. */
GOBAN_VECTOR static void
begin_rows (float *restrict y, const float *restrict b, int N, int O)
{
  if (b == NULL)
    {
      memset (y, 0, (gsize) N * O * sizeof *y);
      return;
    }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      y[(gsize) n * O + o] = b[o];
}

void
goban_linear_forward (float *y, const float *x, const float *w, const float *b, int N, int I, int O)
{
  begin_rows (y, b, N, O);
  goban_gemm_nt (y, x, w, N, O, I);
}

GOBAN_VECTOR void
goban_linear_turn (float *restrict w_t, const float *restrict w, int I, int O)
{
  for (int i = 0; i < I; i++)
    for (int o = 0; o < O; o++)
      w_t[(gsize) i * O + o] = w[(gsize) o * I + i];
}

void
goban_linear_turned_forward (float *y, const float *x, const float *w_t, const float *b, int N,
                             int I, int O)
{
  if (b == NULL)
    {
      goban_gemm_nn_over (y, x, w_t, N, O, I);
      return;
    }
  begin_rows (y, b, N, O);
  goban_gemm_nn (y, x, w_t, N, O, I);
}

void
goban_linear_backward (float *dx, float *dw, float *db, const float *dy, const float *x,
                       const float *w, int N, int I, int O)
{
  /* forward was y = x W^T + b, so: dx = dy W, dw = dy^T x, db = the sum of the rows of dy */
  if (dx != NULL)
    goban_gemm_nn (dx, dy, w, N, I, O);
  if (dw != NULL)
    goban_gemm_tn (dw, dy, x, O, I, N);
  if (db != NULL)
    {
      /* db += the sum of the rows of dy */
      for (int first = 0; first < O; first += BLOCK)
        {
          int n_columns = MIN (BLOCK, O - first);
          double sums[BLOCK] = { 0 };

          for (int n = 0; n < N; n++)
            for (int o = 0; o < n_columns; o++)
              sums[o] += (double) dy[(gsize) n * O + first + o];
          for (int o = 0; o < n_columns; o++)
            db[first + o] += (float) sums[o];
        }
    }
}

void
goban_embedding_forward (float *y, const float *table, const guint32 *ids, int N, int D)
{
  for (int n = 0; n < N; n++)
    memcpy (y + (gsize) n * D, table + (gsize) ids[n] * D, D * sizeof *y);
}

void
goban_embedding_backward (float *dtable, const float *dy, const guint32 *ids, int N, int D)
{
  /* forward was y[n] = table[ids[n]], so each row of the table collects where it was used */
  for (int n = 0; n < N; n++)
    for (int d = 0; d < D; d++)
      dtable[(gsize) ids[n] * D + d] += dy[(gsize) n * D + d];
}

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
