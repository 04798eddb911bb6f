/* random-fill.h: random contents of tensors that a model has no data for. */
#pragma once

#include <glib.h>

typedef struct
{
  float low;
  float high;
} GobanRandomRange;

/* Fills floating types (Onnx__TensorProto__DataType) with uniform numbers of @range, small integer
 * types with 0..3, and all others with zeros. The same seed gives the same bytes. */
void goban_random_fill (void *data, gsize n_bytes, int dtype, GobanRandomRange range, guint64 seed);

/**
 * goban_random_weight_range:
 * @dims: (array length=n_dims)
 *
 * A range for weights of that shape, such that the sums of products keep the variance of their
 * inputs (He et al., 2015), and numbers neither grow nor vanish over the layers. Vectors are
 * scales, biases, means and variances: positive and about one.
 */
GobanRandomRange goban_random_weight_range (const gint64 *dims, guint n_dims);
