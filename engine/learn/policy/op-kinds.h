/* op-kinds.h: kinds of op, common to all formats, as the policies distinguish them.
 *
 * TensorFlow's "BatchMatMulV2", ONNX's "Gemm", XLA's "dot" and PyTorch's "Linear" are all matrix
 * products. Kinds are columns of trained networks, so their order must not change; words may be
 * added to any kind.
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_OP_MATMUL,
  GOBAN_OP_ATTENTION,
  GOBAN_OP_CONV,
  GOBAN_OP_CONV_DEPTHWISE,
  GOBAN_OP_CONV_GRAD_INPUT,
  GOBAN_OP_CONV_GRAD_FILTER,
  GOBAN_OP_RECURRENT,
  GOBAN_OP_RECURRENT_GRAD,
  GOBAN_OP_ADD,
  GOBAN_OP_ADD_N,
  GOBAN_OP_SUB,
  GOBAN_OP_MUL,
  GOBAN_OP_DIV,
  GOBAN_OP_NEGATE,
  GOBAN_OP_POWER,
  GOBAN_OP_ROOT,
  GOBAN_OP_TRANSCENDENTAL,
  GOBAN_OP_ROUND,
  GOBAN_OP_MIN_MAX,
  GOBAN_OP_COMPARE,
  GOBAN_OP_LOGIC,
  GOBAN_OP_SELECT,
  GOBAN_OP_BIAS,
  GOBAN_OP_BIAS_GRAD,
  GOBAN_OP_RELU,
  GOBAN_OP_ACTIVATION,
  GOBAN_OP_TANH,
  GOBAN_OP_SIGMOID,
  GOBAN_OP_ACTIVATION_GRAD,
  GOBAN_OP_SOFTMAX,
  GOBAN_OP_SOFTMAX_GRAD,
  GOBAN_OP_BATCH_NORM,
  GOBAN_OP_BATCH_NORM_GRAD,
  GOBAN_OP_LAYER_NORM,
  GOBAN_OP_LAYER_NORM_GRAD,
  GOBAN_OP_MAX_POOL,
  GOBAN_OP_AVERAGE_POOL,
  GOBAN_OP_POOL_GRAD,
  GOBAN_OP_DROPOUT,
  GOBAN_OP_RANDOM,
  GOBAN_OP_REDUCE,
  GOBAN_OP_SORT,
  GOBAN_OP_RESHAPE,
  GOBAN_OP_TRANSPOSE,
  GOBAN_OP_SLICE,
  GOBAN_OP_CONCAT,
  GOBAN_OP_SPLIT,
  GOBAN_OP_PAD,
  GOBAN_OP_BROADCAST,
  GOBAN_OP_GATHER,
  GOBAN_OP_SCATTER,
  GOBAN_OP_SHAPE,
  GOBAN_OP_LOSS,
  GOBAN_OP_OPTIMIZER,
  GOBAN_OP_ASSIGN,
  GOBAN_OP_VARIABLE,
  GOBAN_OP_READ,
  GOBAN_OP_CONSTANT,
  GOBAN_OP_INPUT,
  GOBAN_OP_CAST,
  GOBAN_OP_IDENTITY,
  GOBAN_OP_CONTROL,
  GOBAN_OP_TRANSFER,
  GOBAN_OP_OTHER, /* an unknown word */
  GOBAN_N_OP_KINDS
} GobanOpKind;

/* Returns the kind of an op by its name in any format. Ignores case, versions ("V2"), trailing
 * numbers, and characters other than letters and digits. The kind of a gradient follows from its
 * op. */
GobanOpKind goban_op_kind_from_word (const char *op);

/* The known words of a kind, with blanks between them; %NULL without any. */
const char *goban_op_kind_get_words (GobanOpKind kind);
