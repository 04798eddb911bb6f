/* op-kinds.h: kinds of op, common to all formats, as the policies distinguish them.
 *
 * TensorFlow's "BatchMatMulV2", ONNX's "Gemm", XLA's "dot" and PyTorch's "Linear" are all matrix
 * products. Kinds are columns of trained networks, so their order must not change; words may be
 * added to any kind.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* clang-format off */
#define GOBAN_OP_KINDS(X) \
  X (MATMUL, "MatMul") \
  X (ATTENTION, "Attention") \
  X (CONV, "Conv") \
  X (CONV_DEPTHWISE, "DepthwiseConv") \
  X (CONV_GRAD_INPUT, "ConvGradInput") \
  X (CONV_GRAD_FILTER, "ConvGradFilter") \
  X (RECURRENT, "RecurrentCell") \
  X (RECURRENT_GRAD, "RecurrentCellGrad") \
  X (ADD, "Add") \
  X (ADD_N, "AddN") \
  X (SUB, "Sub") \
  X (MUL, "Mul") \
  X (DIV, "Div") \
  X (NEGATE, "Neg") \
  X (POWER, "Power") \
  X (ROOT, "Root") \
  X (TRANSCENDENTAL, "Transcendental") \
  X (ROUND, "Round") \
  X (MIN_MAX, "MinMax") \
  X (COMPARE, "Compare") \
  X (LOGIC, "Logic") \
  X (SELECT, "Select") \
  X (BIAS, "Bias") \
  X (BIAS_GRAD, "BiasGrad") \
  X (RELU, "Relu") \
  X (ACTIVATION, "Activation") \
  X (TANH, "Tanh") \
  X (SIGMOID, "Sigmoid") \
  X (ACTIVATION_GRAD, "ActivationGrad") \
  X (SOFTMAX, "Softmax") \
  X (SOFTMAX_GRAD, "SoftmaxGrad") \
  X (BATCH_NORM, "BatchNorm") \
  X (BATCH_NORM_GRAD, "BatchNormGrad") \
  X (LAYER_NORM, "LayerNorm") \
  X (LAYER_NORM_GRAD, "LayerNormGrad") \
  X (MAX_POOL, "MaxPool") \
  X (AVERAGE_POOL, "AveragePool") \
  X (POOL_GRAD, "PoolGrad") \
  X (DROPOUT, "Dropout") \
  X (RANDOM, "Random") \
  X (REDUCE, "Reduce") \
  X (SORT, "Sort") \
  X (RESHAPE, "Reshape") \
  X (TRANSPOSE, "Transpose") \
  X (SLICE, "Slice") \
  X (CONCAT, "Concat") \
  X (SPLIT, "Split") \
  X (PAD, "Pad") \
  X (BROADCAST, "Broadcast") \
  X (GATHER, "Gather") \
  X (SCATTER, "Scatter") \
  X (SHAPE, "Shape") \
  X (LOSS, "Loss") \
  X (OPTIMIZER, "Optimizer") \
  X (ASSIGN, "Assign") \
  X (VARIABLE, "Variable") \
  X (READ, "Read") \
  X (CONSTANT, "Constant") \
  X (INPUT, "Input") \
  X (CAST, "Cast") \
  X (IDENTITY, "Identity") \
  X (CONTROL, "Control") \
  X (TRANSFER, "Transfer")

typedef enum
{
#define GOBAN_OP_KIND_ENUM(kind, name) GOBAN_OP_##kind,
  GOBAN_OP_KINDS (GOBAN_OP_KIND_ENUM)
#undef GOBAN_OP_KIND_ENUM
  GOBAN_OP_OTHER, /* an unknown word */
  GOBAN_N_OP_KINDS
} GobanOpKind;
/* clang-format on */

/* Returns the kind of an op by its name in any format. Ignores case, versions ("V2"), trailing
 * numbers, and characters other than letters and digits. The kind of a gradient follows from its
 * op. */
GobanOpKind goban_op_kind_from_word (const char *op);

/* "MatMul". */
const char *goban_op_kind_get_name (GobanOpKind kind);

/* The known words, in order; NULL after the last. */
const char *goban_op_kind_get_word (guint i);

G_END_DECLS
