/* Element by element: arithmetic with broadcasting, activations, comparisons, casts,
 * and the normalisations, whose outputs have their inputs' shapes. */

#include "engine/io/onnx/onnx-fold.h"
#include "engine/io/onnx/onnx-ops.h"

#define BOOL ONNX__TENSOR_PROTO__DATA_TYPE__BOOL
#define FLOAT ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT
#define UINT8 ONNX__TENSOR_PROTO__DATA_TYPE__UINT8

static void
set_broadcast (GobanOnnxOp *op, guint first, int dtype)
{
  GobanOnnxValue shape;

  goban_onnx_set_dtype (op, 0, dtype);
  if (goban_onnx_broadcast (op, first, &shape))
    goban_onnx_set (op, 0, dtype, shape.dims, shape.n_dims);
}

/* Before opset 7 the second operand is stretched to the first, along an axis of its choice. */
static void
shape_binary (GobanOnnxOp *op)
{
  if (op->opset < 7)
    goban_onnx_shape_same (op);
  else
    set_broadcast (op, 0, goban_onnx_in_dtype (op, 0));
}

static void
shape_compare (GobanOnnxOp *op)
{
  if (op->opset < 7)
    goban_onnx_set_like (op, 0, BOOL, goban_onnx_in (op, 0));
  else
    set_broadcast (op, 0, BOOL);
}

static void
shape_variadic (GobanOnnxOp *op)
{
  set_broadcast (op, 0, goban_onnx_in_dtype (op, 0));
}

static void
cost_variadic (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  op->flops
      = rule->steps * (op->n_in > 1 ? op->n_in - 1 : 0) * goban_onnx_value_elements (&op->out[0]);
}

static void
shape_where (GobanOnnxOp *op)
{
  set_broadcast (op, 0, goban_onnx_in_dtype (op, 1));
}

static void
shape_cast (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, (int) goban_onnx_attr_int (op, "to", 0), goban_onnx_in (op, 0));
}

static void
shape_cast_like (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, goban_onnx_in_dtype (op, 1), goban_onnx_in (op, 0));
}

static void
shape_is (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, BOOL, goban_onnx_in (op, 0));
}

static void
shape_dropout (GobanOnnxOp *op)
{
  /* The mask was of the data's type once. */
  int mask = op->opset < 10 ? goban_onnx_in_dtype (op, 0) : BOOL;

  goban_onnx_shape_same (op);
  goban_onnx_set_like (op, 1, mask, goban_onnx_in (op, 0));
}

static void
shape_random_like (GobanOnnxOp *op)
{
  int dtype = (int) goban_onnx_attr_int (op, "dtype", goban_onnx_in_dtype (op, 0));

  goban_onnx_set_like (op, 0, dtype, goban_onnx_in (op, 0));
}

/* (x, scale, zero point) */
static void
shape_quantize (GobanOnnxOp *op)
{
  int dtype = goban_onnx_in_dtype (op, 2);

  goban_onnx_set_like (op, 0, dtype != 0 ? dtype : UINT8, goban_onnx_in (op, 0));
}

static void
shape_dequantize (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, goban_onnx_in_dtype (op, 1), goban_onnx_in (op, 0));
}

static void
shape_dynamic_quantize (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, UINT8, goban_onnx_in (op, 0));
  goban_onnx_set (op, 1, FLOAT, NULL, 0);
  goban_onnx_set (op, 2, UINT8, NULL, 0);
}

/* The further outputs are statistics per channel. */
static void
shape_batch_norm (GobanOnnxOp *op)
{
  goban_onnx_shape_same (op);
  for (guint i = 1; i < op->n_out; i++)
    goban_onnx_set_like (op, i, goban_onnx_in_dtype (op, 1), goban_onnx_in (op, 1));
}

/* The further outputs are a mean and an inverse deviation per normalised slice. */
static void
shape_layer_norm (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", -1), x->n_dims) : -1;

  goban_onnx_shape_same (op);
  for (guint i = 1; axis >= 0 && i < op->n_out; i++)
    {
      goban_onnx_set_like (op, i, FLOAT, x);
      for (guint d = (guint) axis; d < x->n_dims; d++)
        op->out[i].dims[d] = 1;
    }
}

/* A square and a sum per neighbour; then scale, add, power, divide. */
static void
cost_lrn (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  op->flops = (2 * (double) MAX (goban_onnx_attr_int (op, "size", 1), 1) + 4)
              * goban_onnx_value_elements (&op->out[0]);
}

#define UNARY(name, n)                                                                             \
  {                                                                                                \
    name, goban_onnx_shape_same, .steps = n, .fold = goban_onnx_fold_unary                         \
  }
#define BINARY(name, n)                                                                            \
  {                                                                                                \
    name, shape_binary, .steps = n, .fold = goban_onnx_fold_binary                                 \
  }
#define COMPARE(name, n)                                                                           \
  {                                                                                                \
    name, shape_compare, .steps = n, .fold = goban_onnx_fold_binary                                \
  }
#define VIEW GOBAN_ONNX_TOUCH_NONE

static const GobanOnnxRule rules[] = {
  UNARY ("Abs", 1),
  UNARY ("Acos", 1),
  UNARY ("Acosh", 1),
  BINARY ("Add", 1),
  COMPARE ("And", 1),
  UNARY ("Asin", 1),
  UNARY ("Asinh", 1),
  UNARY ("Atan", 1),
  UNARY ("Atanh", 1),
  { "BatchNormalization", shape_batch_norm, .steps = 2 }, /* at inference: one scale, one shift */
  { "Bernoulli", shape_random_like, .steps = 1 },
  BINARY ("BitShift", 1),
  BINARY ("BitwiseAnd", 1),
  UNARY ("BitwiseNot", 1),
  BINARY ("BitwiseOr", 1),
  BINARY ("BitwiseXor", 1),
  { "Cast", shape_cast, .steps = 1, .fold = goban_onnx_fold_copy },
  { "CastLike", shape_cast_like, .steps = 1, .fold = goban_onnx_fold_copy },
  UNARY ("Ceil", 1),
  { "Celu", goban_onnx_shape_same, .steps = 5 },
  { "Clip", goban_onnx_shape_same, .steps = 2 }, /* min, max */
  UNARY ("Cos", 1),
  UNARY ("Cosh", 1),
  { "DequantizeLinear", shape_dequantize, .steps = 2 }, /* subtract, multiply */
  BINARY ("Div", 1),
  { "Dropout", shape_dropout, .touch = VIEW,
    .fold = goban_onnx_fold_copy }, /* nothing at inference */
  { "DynamicQuantizeLinear", shape_dynamic_quantize,
    .steps = 5 },                               /* min, max, divide, round, add */
  { "Elu", goban_onnx_shape_same, .steps = 4 }, /* compare, exp, subtract, multiply */
  COMPARE ("Equal", 1),
  UNARY ("Erf", 1),
  UNARY ("Exp", 1),
  UNARY ("Floor", 1),
  { "Gelu", goban_onnx_shape_same, .steps = 5 }, /* x/2 (1 + erf (x/sqrt 2)) */
  COMPARE ("Greater", 1),
  COMPARE ("GreaterOrEqual", 1),
  { "GroupNormalization", goban_onnx_shape_same, .steps = 7 },
  { "HardSigmoid", goban_onnx_shape_same, .steps = 4 }, /* multiply, add, min, max */
  { "HardSwish", goban_onnx_shape_same, .steps = 5 },
  { "Hardmax", goban_onnx_shape_same, .steps = 2 },
  { "Identity", goban_onnx_shape_same, .touch = VIEW, .fold = goban_onnx_fold_copy },
  { "InstanceNormalization", goban_onnx_shape_same, .steps = 7 },
  { "IsInf", shape_is, .steps = 1 },
  { "IsNaN", shape_is, .steps = 1 },
  { "LRN", goban_onnx_shape_same, .cost = cost_lrn },
  /* sum, subtract, square, sum, multiply, scale, shift */
  { "LayerNormalization", shape_layer_norm, .steps = 7 },
  { "LeakyRelu", goban_onnx_shape_same, .steps = 2 },
  COMPARE ("Less", 1),
  COMPARE ("LessOrEqual", 1),
  UNARY ("Log", 1),
  { "LogSoftmax", goban_onnx_shape_same, .steps = 5 }, /* max, subtract, exp, sum, subtract */
  { "LpNormalization", goban_onnx_shape_same, .steps = 3 },
  { "Max", shape_variadic, .cost = cost_variadic, .steps = 1, .fold = goban_onnx_fold_binary },
  { "Mean", shape_variadic, .cost = cost_variadic, .steps = 1 },
  { "MeanVarianceNormalization", goban_onnx_shape_same, .steps = 5 },
  { "Min", shape_variadic, .cost = cost_variadic, .steps = 1, .fold = goban_onnx_fold_binary },
  { "Mish", goban_onnx_shape_same, .steps = 5 }, /* x tanh (log (1 + exp x)) */
  BINARY ("Mod", 1),
  BINARY ("Mul", 1),
  UNARY ("Neg", 1),
  { "Not", shape_is, .steps = 1, .fold = goban_onnx_fold_unary },
  COMPARE ("Or", 1),
  { "PRelu", goban_onnx_shape_same, .steps = 2 },
  BINARY ("Pow", 1),
  { "QuantizeLinear", shape_quantize, .steps = 3 },     /* divide, round, add */
  { "RMSNormalization", shape_layer_norm, .steps = 4 }, /* square, sum, multiply, scale */
  { "RandomNormalLike", shape_random_like, .steps = 1 },
  { "RandomUniformLike", shape_random_like, .steps = 1 },
  UNARY ("Reciprocal", 1),
  { "Relu", goban_onnx_shape_same, .steps = 1, .fold = goban_onnx_fold_unary },
  UNARY ("Round", 1),
  { "Selu", goban_onnx_shape_same, .steps = 5 },
  { "Shrink", goban_onnx_shape_same, .steps = 2 },
  { "Sigmoid", goban_onnx_shape_same, .steps = 4 }, /* negate, exp, add, divide */
  UNARY ("Sign", 1),
  UNARY ("Sin", 1),
  UNARY ("Sinh", 1),
  { "Softmax", goban_onnx_shape_same, .steps = 5 },  /* max, subtract, exp, sum, divide */
  { "Softplus", goban_onnx_shape_same, .steps = 3 }, /* exp, add, log */
  { "Softsign", goban_onnx_shape_same, .steps = 3 },
  UNARY ("Sqrt", 1),
  BINARY ("Sub", 1),
  { "Sum", shape_variadic, .cost = cost_variadic, .steps = 1, .fold = goban_onnx_fold_binary },
  { "Swish", goban_onnx_shape_same, .steps = 5 },
  UNARY ("Tan", 1),
  UNARY ("Tanh", 1),
  { "ThresholdedRelu", goban_onnx_shape_same, .steps = 1 },
  { "Where", shape_where, .steps = 1, .fold = goban_onnx_fold_where },
  COMPARE ("Xor", 1),
};

const GobanOnnxRules goban_onnx_rules_element = { rules, G_N_ELEMENTS (rules) };
