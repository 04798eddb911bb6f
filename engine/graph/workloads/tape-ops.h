/* tape-ops.h: TensorFlow's ops, each with the gradient that TensorFlow's gradient function makes.
 *
 * The gradients are those of TensorFlow 2.4 in graph mode, gated (group_deps and Identities if
 * an op has more than one): with static shapes, so that a shape is a Const and a gradient is summed
 * over broadcast dimensions only where there are any.
 */
#pragma once

#include "engine/graph/workloads/tape.h"

/* tape-math.c: element by element; binary ops broadcast as NumPy does. */
Value tape_add (Tape *tape, Value a, Value b);
Value tape_sub (Tape *tape, Value a, Value b);
Value tape_mul (Tape *tape, Value a, Value b);
Value tape_squared_difference (Tape *tape, Value a, Value b);
/* A product with a constant number. */
Value tape_scale (Tape *tape, Value x);
Value tape_offset (Tape *tape, Value x);
Value tape_add_n (Tape *tape, const Value *inputs, guint n);
Value tape_bias_add (Tape *tape, Value x, Value bias);
Value tape_sigmoid (Tape *tape, Value x);
Value tape_tanh (Tape *tape, Value x);
Value tape_relu (Tape *tape, Value x);
Value tape_square (Tape *tape, Value x);
Value tape_rsqrt (Tape *tape, Value x);
/* Held within constant bounds: clip_by_value. */
Value tape_clip (Tape *tape, Value x);
Value tape_stop_gradient (Tape *tape, Value x);

/* tape-math.c: products of matrices, the last two dimensions; "transposed" as stored. */
typedef enum
{
  TAPE_PLAIN = 0,
  TAPE_TRANSPOSE_A = 1,
  TAPE_TRANSPOSE_B = 2,
} TapeTranspose;

Value tape_matmul (Tape *tape, Value a, Value b);
Value tape_matmul_with (Tape *tape, Value a, Value b, TapeTranspose transpose);
/* The dimensions before the last two are equal in a and b. */
Value tape_batch_matmul (Tape *tape, Value a, Value b, TapeTranspose transpose);

/* tape-array.c: moving things about. */
Value tape_concat (Tape *tape, const Value *inputs, guint n, guint axis);
/* @n equal parts, consecutive from the one returned. */
Value tape_split (Tape *tape, Value x, guint n, guint axis);
/* The first dimension taken apart, or put together again. */
Value tape_unstack (Tape *tape, Value x);
Value tape_stack (Tape *tape, const Value *inputs, guint n);
/* Part of one dimension, from @begin, @size long. */
Value tape_slice (Tape *tape, Value x, guint axis, gint64 begin, gint64 size);
/* One of the first dimension, which goes away. */
Value tape_pick (Tape *tape, Value x, gint64 index);
/* Zeros before and after along one dimension. */
Value tape_pad (Tape *tape, Value x, guint axis, gint64 before, gint64 after);
Value tape_reshape (Tape *tape, Value x, Shape shape);
Value tape_expand_dims (Tape *tape, Value x, guint axis);
/* Removes a dimension of 1. */
Value tape_squeeze (Tape *tape, Value x, guint axis);
/* order (n_dims): output dimension i is input dimension order[i]. */
Value tape_transpose (Tape *tape, Value x, const guint *order);
/* Sums, or means, over the dimensions whose bits are set; kept as 1 if asked. */
Value tape_sum (Tape *tape, Value x, guint axes, gboolean keep);
Value tape_mean (Tape *tape, Value x, guint axes, gboolean keep);

/* tape-math.c: layers without weights, made of the ops above, and losses. */
Value tape_softmax (Tape *tape, Value logits);
/* logits (n, classes), labels (n): the loss of each. */
Value tape_cross_entropy (Tape *tape, Value logits, Value labels);
/* A step's or segment's losses each, to one: in a scope "loss". */
Value tape_mean_loss (Tape *tape, const Value *losses, guint n);
/* losses (Value): of the heads of a network, added up in a scope "total_loss". */
Value tape_total_loss (Tape *tape, const GArray *losses);
/* Nothing in inference. Its ops are in a scope "dropout". */
Value tape_dropout (Tape *tape, Value x);
/* Over the last dimension, in its primitive ops; gamma and beta are made before, for layers that
 * are run several times. */
Value tape_layer_norm (Tape *tape, const char *scope, Value x, Value gamma, Value beta);

/* tape-math.c: TensorFlow's LSTMCell, with its forget bias and its clip of the cell (Sak et al.
 * 2014, Wu et al. 2016). A layer's weights: (inputs + hidden, 4 hidden). */
typedef struct
{
  Value kernel;
  Value bias;
  gint64 n_hidden;
} LstmWeights;

typedef struct
{
  Value h;
  Value c;
} LstmState;

/* Weights in the present scope. */
LstmWeights tape_lstm_weights (Tape *tape, gint64 n_in, gint64 n_hidden);
/* Zeros, as a layer begins with. */
LstmState tape_lstm_zero_state (Tape *tape, gint64 batch, gint64 n_hidden);
/* One step, in a scope "lstm"; the inputs are concatenated. */
LstmState tape_lstm_step (Tape *tape, const LstmWeights *weights, const Value *inputs,
                          guint n_inputs, LstmState state);
