#include "tests/fuzz/fuzz-reader.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  return fuzz_one_input ("onnx", data, size);
}
