#include "engine/nn/gemm.h"

#include <cblas.h>
#include <string.h>

/* Up to so many multiplications OpenBLAS takes row-major matrices as they are, in its kernels for small ones;
 * beyond, it copies both into panels first, which narrow ones do not repay: 104 GF/s for (256,64) by
 * (64,64), and 134 in two pieces. Its rows go by fours. */
#define N_UNPACKED 1000000
#define N_TOGETHER 4

/* The library reads OPENBLAS_NUM_THREADS when it is loaded; this overrules it. */
static void
use_one_thread (void)
{
  static gsize is_done = 0;

  if (g_once_init_enter (&is_done))
    {
      openblas_set_num_threads (1);
      g_once_init_leave (&is_done, 1);
    }
}

static void
multiply (float *c, const float *a, CBLAS_TRANSPOSE transpose_a, int stride_a, const float *b,
          CBLAS_TRANSPOSE transpose_b, int stride_b, int M, int N, int K, float beta)
{
  if (M == 0 || N == 0 || K == 0)
    return;
  use_one_thread ();
  cblas_sgemm (CblasRowMajor, transpose_a, transpose_b, M, N, K, 1.0f, a, stride_a, b, stride_b,
               beta, c, N);
}

/* Rows of a that are multiplied at a time. */
static int
count_rows (int M, int N, int K)
{
  gint64 n_rows = N > 0 && K > 0 ? N_UNPACKED / ((gint64) N * K) : M;

  n_rows -= n_rows % N_TOGETHER;
  return n_rows > 0 && n_rows < M ? (int) n_rows : M;
}

void
goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K)
{
  int n_rows = count_rows (M, N, K);

  for (int m = 0; m < M; m += n_rows)
    multiply (c + (gsize) m * N, a + (gsize) m * K, CblasNoTrans, K, b, CblasNoTrans, N,
              MIN (n_rows, M - m), N, K, 1.0f);
}

void
goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K)
{
  int n_rows = count_rows (M, N, K);

  if (K == 0)
    memset (c, 0, (gsize) M * N * sizeof *c);
  for (int m = 0; m < M; m += n_rows)
    multiply (c + (gsize) m * N, a + (gsize) m * K, CblasNoTrans, K, b, CblasNoTrans, N,
              MIN (n_rows, M - m), N, K, 0.0f);
}

void
goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasNoTrans, K, b, CblasTrans, K, M, N, K, 1.0f);
}

void
goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasTrans, M, b, CblasNoTrans, N, M, N, K, 1.0f);
}
