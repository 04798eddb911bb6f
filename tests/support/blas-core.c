/* blas-core.c: prints the processor whose kernels OpenBLAS uses, after products that must come out right.
 *
 * OpenBLAS takes OPENBLAS_CORETYPE at its word: kernels for another processor end in an illegal instruction,
 * and a name that it does not have is passed over. So scripts/dev/soak.sh asks this program first. */
#include "engine/nn/gemm.h"

#include <cblas.h>
#include <stdlib.h>

/* From what kernels for small products take to what is packed into panels. */
static const int sizes[] = { 1, 3, 16, 33, 64, 130, 257 };

typedef void (*Product) (float *c, const float *a, const float *b, int M, int N, int K);

/* Every product of whole numbers below 2^24 is exact, in whatever order it is summed. */
static gboolean
is_right (Product product, int n)
{
  gsize size = (gsize) n * (gsize) n;
  g_autofree float *a = g_new (float, size);
  g_autofree float *b = g_new (float, size);
  g_autofree float *c = g_new0 (float, size);
  double total = 0, expected = 0;

  /* a is 1, so that c sums the columns of b, or its rows where b is turned. */
  for (gsize i = 0; i < size; i++)
    {
      a[i] = 1;
      b[i] = (float) (i % 7);
      expected += (double) b[i] * n;
    }
  product (c, a, b, n, n, n);
  for (gsize i = 0; i < size; i++)
    total += (double) c[i];
  return total == expected;
}

int
main (void)
{
  static const Product products[] = { goban_gemm_nn, goban_gemm_nt, goban_gemm_tn };

  for (gsize p = 0; p < G_N_ELEMENTS (products); p++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      if (!is_right (products[p], sizes[i]))
        return EXIT_FAILURE;
  g_print ("%s\n", openblas_get_corename ());
  return EXIT_SUCCESS;
}
