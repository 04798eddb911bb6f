/* fuzz-main.c: a libFuzzer program for the target that the build names. */
#include "tests/fuzz/targets.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  fuzz_feed (fuzz_find_target (FUZZ_TARGET), (const char *) data, size);
  return 0;
}
