#include "engine/io/tensorflow/tf-rules.h"

#define PLAIN(tf, name)                                                                            \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_PLAIN, .onnx = name                                                 \
  }
#define SAME(tf, in, n)                                                                            \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_SAME, .like = in, .steps = n                                        \
  }
#define INPUT(tf, in, n)                                                                           \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_INPUT, .like = in, .steps = n                                       \
  }
#define AS(tf, what, name)                                                                         \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_##what, .onnx = name                                                \
  }
#define NOTHING(tf)                                                                                \
  {                                                                                                \
    .op = tf, .kind = GOBAN_TF_NOTHING                                                             \
  }

static const GobanTfRule rules[] = {
  PLAIN ("Abs", "Abs"),
  PLAIN ("Add", "Add"),
  PLAIN ("AddV2", "Add"),
  PLAIN ("AddN", "Sum"),
  SAME ("ApplyAdagrad", 0, 6),
  SAME ("ApplyAdam", 0, 12), /* two moments, their correction, a root, a quotient, the step */
  SAME ("ApplyGradientDescent", 0, 2),
  SAME ("ApplyMomentum", 0, 4),
  SAME ("ApplyRMSProp", 0, 9),
  INPUT ("ArgMax", 0, 1),
  INPUT ("ArgMin", 0, 1),
  SAME ("Assign", 1, 0),
  SAME ("AssignAdd", 0, 1),
  INPUT ("AssignAddVariableOp", 1, 1),
  SAME ("AssignSub", 0, 1),
  INPUT ("AssignVariableOp", 1, 0),
  AS ("AvgPool", POOL, "AveragePool"),
  AS ("AvgPool3D", POOL, "AveragePool"),
  AS ("AvgPoolGrad", POOL_GRAD, "AveragePool"),
  AS ("BatchMatMul", MATMUL, "MatMul"),
  AS ("BatchMatMulV2", MATMUL, "MatMul"),
  SAME ("BiasAdd", 0, 1),
  INPUT ("BiasAddGrad", 0, 1),
  INPUT ("BroadcastGradientArgs", 0, 0),
  SAME ("Cast", 0, 1),
  PLAIN ("Ceil", "Ceil"),
  SAME ("CheckNumerics", 0, 1),
  AS ("ConcatV2", CONCAT, "Concat"),
  NOTHING ("Const"),
  NOTHING ("ControlTrigger"),
  AS ("Conv2D", CONV, "Conv"),
  AS ("Conv2DBackpropFilter", GRAD_WEIGHT, "Conv"),
  AS ("Conv2DBackpropInput", GRAD_INPUT, "Conv"),
  AS ("Conv3D", CONV, "Conv"),
  PLAIN ("Cos", "Cos"),
  AS ("DepthwiseConv2dNative", DEPTHWISE, "Conv"),
  PLAIN ("Div", "Div"),
  PLAIN ("DivNoNan", "Div"),
  PLAIN ("Elu", "Elu"),
  SAME ("EluGrad", 0, 3),
  SAME ("Enter", 0, 0),
  PLAIN ("Equal", "Equal"),
  PLAIN ("Erf", "Erf"),
  SAME ("Exit", 0, 0),
  PLAIN ("Exp", "Exp"),
  PLAIN ("ExpandDims", "Unsqueeze"),
  INPUT ("Fill", 1, 0),
  PLAIN ("Floor", "Floor"),
  PLAIN ("FloorDiv", "Div"),
  PLAIN ("FloorMod", "Mod"),
  SAME ("FusedBatchNorm", 0, 2), /* at inference: one scale, one shift */
  SAME ("FusedBatchNormV2", 0, 2),
  SAME ("FusedBatchNormV3", 0, 2),
  SAME ("FusedBatchNormGrad", 0, 8),
  SAME ("FusedBatchNormGradV2", 0, 8),
  SAME ("FusedBatchNormGradV3", 0, 8),
  PLAIN ("Gather", "Gather"),
  INPUT ("GatherV2", 1, 0),
  PLAIN ("Greater", "Greater"),
  PLAIN ("GreaterEqual", "GreaterOrEqual"),
  PLAIN ("Identity", "Identity"),
  NOTHING ("IdentityN"),
  PLAIN ("InvertPermutation", "Identity"),
  INPUT ("L2Loss", 0, 2),
  INPUT ("LRN", 0, 7),
  INPUT ("LRNGrad", 0, 9),
  SAME ("LeakyRelu", 0, 2),
  PLAIN ("Less", "Less"),
  PLAIN ("LessEqual", "LessOrEqual"),
  PLAIN ("Log", "Log"),
  SAME ("Log1p", 0, 2),
  SAME ("LogSoftmax", 0, 5),
  PLAIN ("LogicalAnd", "And"),
  PLAIN ("LogicalNot", "Not"),
  PLAIN ("LogicalOr", "Or"),
  SAME ("LoopCond", 0, 0),
  AS ("MatMul", MATMUL, "MatMul"),
  INPUT ("Max", 0, 1),
  AS ("MaxPool", POOL, "MaxPool"),
  AS ("MaxPoolGrad", POOL_GRAD, "MaxPool"),
  PLAIN ("Maximum", "Max"),
  INPUT ("Mean", 0, 1),
  SAME ("Merge", 0, 0),
  INPUT ("Min", 0, 1),
  PLAIN ("Minimum", "Min"),
  PLAIN ("Mul", "Mul"),
  PLAIN ("Neg", "Neg"),
  SAME ("NextIteration", 0, 0),
  NOTHING ("NoOp"),
  PLAIN ("NotEqual", "Equal"),
  SAME ("OnesLike", 0, 0),
  INPUT ("OneHot", 0, 0),
  INPUT ("Pack", 0, 0),
  INPUT ("Pad", 0, 0),
  INPUT ("PadV2", 0, 0),
  NOTHING ("PartitionedCall"),
  NOTHING ("Placeholder"),
  SAME ("PlaceholderWithDefault", 0, 0),
  PLAIN ("Pow", "Pow"),
  SAME ("PreventGradient", 0, 0),
  INPUT ("Prod", 0, 1),
  INPUT ("RandomStandardNormal", 0, 0),
  INPUT ("RandomUniform", 0, 0),
  INPUT ("Range", 0, 0),
  INPUT ("Rank", 0, 0),
  NOTHING ("ReadVariableOp"),
  PLAIN ("RealDiv", "Div"),
  PLAIN ("Reciprocal", "Reciprocal"),
  PLAIN ("Relu", "Relu"),
  SAME ("Relu6", 0, 2),
  SAME ("Relu6Grad", 0, 2),
  SAME ("ReluGrad", 0, 1),
  PLAIN ("Reshape", "Reshape"),
  INPUT ("ResourceApplyAdam", 6, 12),
  INPUT ("ResourceApplyGradientDescent", 2, 2),
  INPUT ("ResourceApplyKerasMomentum", 3, 4),
  INPUT ("ResourceApplyMomentum", 3, 4),
  SAME ("Rsqrt", 0, 2),
  SAME ("RsqrtGrad", 0, 4),
  PLAIN ("Select", "Where"),
  PLAIN ("SelectV2", "Where"),
  INPUT ("Shape", 0, 0),
  INPUT ("ShapeN", 0, 0),
  PLAIN ("Sigmoid", "Sigmoid"),
  SAME ("SigmoidGrad", 0, 3),
  PLAIN ("Sign", "Sign"),
  PLAIN ("Sin", "Sin"),
  INPUT ("Size", 0, 0),
  INPUT ("ResizeBilinear", 0, 7), /* four neighbours */
  INPUT ("Slice", 0, 0),
  SAME ("Softmax", 0, 5), /* max, subtract, exp, sum, divide */
  INPUT ("SoftmaxCrossEntropyWithLogits", 0, 8),
  PLAIN ("Softplus", "Softplus"),
  SAME ("SoftplusGrad", 0, 3),
  INPUT ("SparseSoftmaxCrossEntropyWithLogits", 0, 8),
  INPUT ("Split", 1, 0),
  INPUT ("SplitV", 0, 0),
  PLAIN ("Sqrt", "Sqrt"),
  SAME ("SqrtGrad", 0, 2),
  SAME ("Square", 0, 1),
  SAME ("SquaredDifference", 0, 2),
  INPUT ("Squeeze", 0, 0),
  NOTHING ("StatefulPartitionedCall"),
  SAME ("StopGradient", 0, 0),
  INPUT ("StridedSlice", 0, 0),
  INPUT ("StridedSliceGrad", 4, 0),
  PLAIN ("Sub", "Sub"),
  INPUT ("Sum", 0, 1),
  SAME ("Switch", 0, 0),
  PLAIN ("Tanh", "Tanh"),
  SAME ("TanhGrad", 0, 3),
  INPUT ("Tile", 0, 0),
  INPUT ("TopKV2", 0, 1),
  INPUT ("Transpose", 0, 0),
  INPUT ("TruncatedNormal", 0, 0),
  INPUT ("Unpack", 0, 0),
  NOTHING ("VarHandleOp"),
  NOTHING ("Variable"),
  NOTHING ("VariableV2"),
  SAME ("ZerosLike", 0, 0),
};

GHashTable *
goban_tf_rules_new (void)
{
  GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    g_hash_table_insert (table, (gpointer) rules[i].op, (gpointer) &rules[i]);
  return table;
}
