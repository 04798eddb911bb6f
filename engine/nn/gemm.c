#include "engine/nn/gemm.h"

#include <cblas.h>

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
          CBLAS_TRANSPOSE transpose_b, int stride_b, int M, int N, int K)
{
  if (M == 0 || N == 0 || K == 0)
    return;
  use_one_thread ();
  cblas_sgemm (CblasRowMajor, transpose_a, transpose_b, M, N, K, 1.0f, a, stride_a, b, stride_b,
               1.0f, c, N);
}

void
goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasNoTrans, K, b, CblasNoTrans, N, M, N, K);
}

void
goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasNoTrans, K, b, CblasTrans, K, M, N, K);
}

void
goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K)
{
  multiply (c, a, CblasTrans, M, b, CblasNoTrans, N, M, N, K);
}
