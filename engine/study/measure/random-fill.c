#include "engine/study/measure/random-fill.h"

#include "engine/core/rng.h"
#include "engine/io/onnx/onnx-tensor.h"

#include <math.h>
#include <string.h>

#define SMALL_INTEGERS 4

static float
next_in (GobanRng *rng, GobanRandomRange range)
{
  return range.low + (range.high - range.low) * ((float) (goban_rng_next (rng) >> 40) * 0x1p-24f);
}

/* IEEE half precision; the numbers filled here are normal and in range, or become zero. */
static guint16
to_half (float number)
{
  guint32 bits;
  int exponent;

  memcpy (&bits, &number, sizeof bits);
  exponent = (int) (bits >> 23 & 0xff) - 127 + 15;
  if (exponent <= 0)
    return (guint16) (bits >> 16 & 0x8000);
  return (guint16) ((bits >> 16 & 0x8000) | (guint32) MIN (exponent, 30) << 10
                    | (bits >> 13 & 0x3ff));
}

static void
fill_floats (GobanRng *rng, void *data, gsize n_bytes, int dtype, GobanRandomRange range)
{
  if (dtype == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT)
    for (gsize i = 0; i < n_bytes / sizeof (float); i++)
      ((float *) data)[i] = next_in (rng, range);
  else if (dtype == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE)
    for (gsize i = 0; i < n_bytes / sizeof (double); i++)
      ((double *) data)[i] = (double) next_in (rng, range);
  else if (dtype == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16)
    for (gsize i = 0; i < n_bytes / sizeof (guint16); i++)
      ((guint16 *) data)[i] = to_half (next_in (rng, range));
  else if (dtype == ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16)
    for (gsize i = 0; i < n_bytes / sizeof (guint16); i++)
      {
        float number = next_in (rng, range);
        guint32 bits;

        memcpy (&bits, &number, sizeof bits);
        ((guint16 *) data)[i] = (guint16) (bits >> 16);
      }
  else
    memset (data, 0, n_bytes);
}

void
goban_random_fill (void *data, gsize n_bytes, int dtype, GobanRandomRange range, guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  if (goban_onnx_dtype_is_float (dtype))
    fill_floats (&rng, data, n_bytes, dtype, range);
  else if (dtype == ONNX__TENSOR_PROTO__DATA_TYPE__INT8
           || dtype == ONNX__TENSOR_PROTO__DATA_TYPE__UINT8)
    for (gsize i = 0; i < n_bytes; i++)
      ((guint8 *) data)[i] = (guint8) (goban_rng_below (&rng, SMALL_INTEGERS));
  else
    memset (data, 0, n_bytes);
}

GobanRandomRange
goban_random_weight_range (const gint64 *dims, guint n_dims)
{
  double n_inputs = 1;
  float bound;

  if (n_dims < 2)
    return (GobanRandomRange){ 0.5f, 1.5f };
  /* A matrix product sums over the rows of its weights, a convolution over all axes but the first.
   * */
  if (n_dims == 2)
    n_inputs = (double) MAX (dims[0], 1);
  else
    for (guint i = 1; i < n_dims; i++)
      n_inputs *= (double) MAX (dims[i], 1);
  bound = (float) sqrt (6 / n_inputs);
  return (GobanRandomRange){ -bound, bound };
}
