/* tape-conv.h: convolutions, poolings and batch normalisation on a tape; maps are (n, h, w, c).
 *
 * Each op comes with TensorFlow's gradient, as in tape-ops.h.
 */
#pragma once

#include "engine/graph/workloads/tape.h"

typedef enum
{
  TAPE_SAME,  /* zeros around: as many outputs as strides fit into the input, rounded up */
  TAPE_VALID, /* only where the whole window lies inside */
} TapePadding;

/* filter (h, w, in, out) */
Value tape_conv_2d (Tape *tape, Value x, Value filter, gint64 stride, TapePadding padding);
Value tape_max_pool (Tape *tape, Value x, gint64 window, gint64 stride, TapePadding padding);
Value tape_avg_pool (Tape *tape, Value x, gint64 window, gint64 stride, TapePadding padding);

/* Zeros below and to the right, one row and column each; or the first ones cut off. */
Value tape_pad_corner (Tape *tape, Value x);
Value tape_cut_corner (Tape *tape, Value x);

/* What a dilated convolution along w is made of: (n, h, w, c) with @before zeros in front and as
 * many behind as it takes, every @block-th column a map of its own; and back, @size columns of
 * it. */
Value tape_space_to_batch (Tape *tape, Value x, gint64 block, gint64 before);
Value tape_batch_to_space (Tape *tape, Value x, gint64 block, gint64 size);

/* Half the sum of squares. */
Value tape_l2_loss (Tape *tape, Value x);

/* A moving average: resident and untrained; nothing waits for its update. */
typedef struct
{
  Value handle;
  Value value; /* read before the update */
  guint32 node;
} TapeAverage;

TapeAverage tape_average (Tape *tape, const char *name, Shape shape);
/* Moves it towards the value: AssignMovingAvg. */
void tape_move_average (Tape *tape, const char *scope, const TapeAverage *average, Value value);

/* Over all but the last dimension, fused; makes gamma, beta and, of mean and variance, averages. */
Value tape_fused_batch_norm (Tape *tape, const char *scope, Value x);
