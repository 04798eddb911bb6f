/* gemm.h: products of row-major matrices, by OpenBLAS with one thread a product.
 *
 * Matrices have no gaps. Every product adds to c, but for the one that says so. M rows and N
 * columns of c, K the length of the inner products; an empty dimension does nothing. Any number of
 * threads may call at once.
 *
 * The same call gives the same bytes on one kind of processor. OpenBLAS has kernels for each kind,
 * which sum in different orders, and other ones for small matrices: between kinds, and between a
 * row alone and the same row among others, the last bits may differ. Decision N2 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* c (M,N) += a b.   a (M,K)  b (K,N) */
void goban_gemm_nn (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) = a b, for what would be zeroed first. */
void goban_gemm_nn_over (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) += a b^T.   a (M,K)  b (N,K) */
void goban_gemm_nt (float *c, const float *a, const float *b, int M, int N, int K);

/* c (M,N) += a^T b.   a (K,M)  b (K,N) */
void goban_gemm_tn (float *c, const float *a, const float *b, int M, int N, int K);

G_END_DECLS
