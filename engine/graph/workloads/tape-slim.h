/* tape-slim.h: layers of TF-Slim as TensorFlow 1.3 wrote them down, op by op.
 *
 * Batch normalisation is not fused, its moments are taken about a shift, and each gradient of a
 * broadcasting op is summed and reshaped whether it was broadcast or not: this is where most of
 * the ops of an Inception graph of that time come from. There is no scale (gamma), as slim's
 * arg_scope of Inception has it.
 */
#pragma once

#include "engine/graph/workloads/tape-conv.h"

G_BEGIN_DECLS

/* A network under construction; losses (Value) gathers the regularisers of all weights. */
typedef struct
{
  Tape *tape;
  GArray *losses;
} SlimNet;

typedef struct
{
  gint64 n_filters;
  gint64 height;
  gint64 width;
  gint64 stride;
  TapePadding padding;
} SlimConv;

/* Weights with their L2 loss; in training only does the loss exist. */
Value slim_weights (SlimNet *net, const char *name, Shape shape);
/* Convolution, batch normalisation, ReLU, in a scope. */
Value slim_conv (SlimNet *net, const char *scope, Value x, const SlimConv *conv);
/* x (n, in): weights with their loss, and biases. */
Value slim_dense (SlimNet *net, const char *scope, Value x, gint64 n_out);

G_END_DECLS
