/* plain-gemm.c: gemm.h in loops, one inner number after the other, instead of the processor's
 * kernels. */
#include "engine/nn/gemm.h"

#include <string.h>

/* Distances between neighbours of a row and of a column. */
typedef struct
{
  const float *x;
  gsize down;
  gsize right;
} Matrix;

static void
multiply (float *c, Matrix a, Matrix b, int M, int N, int K)
{
  for (gsize m = 0; m < (gsize) M; m++)
    for (gsize n = 0; n < (gsize) N; n++)
      for (gsize k = 0; k < (gsize) K; k++)
        c[m * (gsize) N + n] += a.x[m * a.down + k * a.right] * b.x[k * b.down + n * b.right];
}

void
goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, (Matrix){ a, (gsize) K, 1 }, (Matrix){ b, (gsize) N, 1 }, M, N, K);
}

void
goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K)
{
  memset (c, 0, (gsize) M * (gsize) N * sizeof *c);
  goban_gemm_nn (c, a, b, M, N, K);
}

void
goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, (Matrix){ a, (gsize) K, 1 }, (Matrix){ b, 1, (gsize) K }, M, N, K);
}

void
goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, (Matrix){ a, 1, (gsize) M }, (Matrix){ b, (gsize) N, 1 }, M, N, K);
}
