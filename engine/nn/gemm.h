/* gemm.h: products of matrices, the same bytes on every processor with fused multiply-add.
 *
 * All matrices are row-major without gaps. Every product adds to c, but for the one that says so. M
 * rows and N columns of c, K the length of the inner products; an empty dimension does nothing.
 *
 * Each number of c is summed alone: 256 inner products at a time, one after the other, each by a
 * fused multiply-add (one rounding), and these sums are added to c in their order. So it depends
 * neither on the shape of the rest nor on the width of a processor's vectors. x86-64 has had the
 * instruction since 2013, ARM64 always; a processor without it rounds twice, and its last bits
 * differ from theirs. Any number of threads may call at once.
 *
 * Decision N2 (engine/NOTES.md).
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

/* --- for tests ----------------------------------------------------------------------------------
 *
 * The kernels are "avx512", "fma" and "plain", and the first that the processor can execute is
 * used, or the one that the environment variable GOBAN_KERNEL names. */

const char *goban_gemm_get_kernel (void);

/* While no other thread multiplies. %FALSE if there is no such kernel, or this processor cannot
 * execute it. */
gboolean goban_gemm_use (const char *name);

G_END_DECLS
