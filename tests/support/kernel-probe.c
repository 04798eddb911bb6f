/* kernel-probe.c: prints those kernels of products that this processor can execute, one a line. */
#include "engine/nn/gemm.h"

#include <stdlib.h>

int
main (void)
{
  static const char *const names[] = { "avx512", "fma", "plain" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (goban_gemm_use (names[i]))
      g_print ("%s\n", names[i]);
  return EXIT_SUCCESS;
}
