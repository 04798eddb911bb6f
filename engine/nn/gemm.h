/* gemm.h: products of matrices, the one place that calls BLAS.
 *
 * All matrices are row-major without gaps. Every product ADDS to c, but for the one that says so. M rows and N columns of c,
 * K the length of the inner products; an empty dimension does nothing. BLAS works in the caller's
 * thread alone, whatever the environment says, so that results do not depend on how many threads
 * there are; any number of threads may call at once.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* c (M,N) += a b.   a (M,K)  b (K,N) */
void goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) = a b, for what would be zeroed first: a fifth of the time of a product with few inner numbers. */
void goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) += a b^T.   a (M,K)  b (N,K) */
void goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) += a^T b.   a (K,M)  b (K,N) */
void goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K);

G_END_DECLS
