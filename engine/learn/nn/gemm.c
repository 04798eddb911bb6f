#include "engine/learn/nn/gemm.h"

#include <cblas.h>

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
