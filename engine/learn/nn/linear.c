#include "engine/learn/nn/linear.h"

#include "engine/learn/nn/gemm.h"
#include "engine/learn/nn/vector.h"

#include <string.h>

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
