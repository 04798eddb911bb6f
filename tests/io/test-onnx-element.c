/* Arithmetic element by element, normalisations, reductions. */
#include "tests/io/onnx-cases.h"
#include "tests/support/test-program.h"

static const OnnxCase cases[] = {
  { "same", "Add", "2x3 2x3", "", "f32 2x3", .flops = 6 },
  { "broadcasts", "Add", "2x1x4 3x1", "", "f32 2x3x4", .flops = 24 },
  { "scalar", "Mul", "2x3 #scalar", "", "f32 2x3", .flops = 6 },
  { "longer-second", "Sub", "4 2x3x4", "", "f32 2x3x4", .flops = 24 },
  { "mismatch-is-unknown", "Div", "2x3 2x4", "", "f32 2x?", .macs = 0 },
  { "old-broadcast", "Add", "2x3x4x5 #3", "broadcast=1 axis=1", "f32 2x3x4x5", .flops = 120,
    .opset = 6 },
  { "to-bool", "Equal", "s64:2x1 s64:3", "", "bool 2x3", .flops = 6 },
  { "to-bool", "Less", "2x3 2x3", "", "bool 2x3", .flops = 6 },
  { "to-bool", "Not", "bool:5", "", "bool 5", .flops = 5 },
  { "three", "Sum", "2x3 2x3 3", "", "f32 2x3", .flops = 12 },
  { "one", "Max", "2x3", "", "f32 2x3", .macs = 0 },
  { "chosen", "Where", "bool:2x1 s64:3 s64:1", "", "s64 2x3", .flops = 6 },
  { "power", "Pow", "2x3 #scalar", "", "f32 2x3", .flops = 6 },

  { "relu", "Relu", "1x8x4x4", "", "f32 1x8x4x4", .flops = 128 },
  { "leaky", "LeakyRelu", "8", "alpha=0.1", "f32 8", .flops = 16 },
  { "slopes", "PRelu", "1x8x4 #8x1", "", "f32 1x8x4", .flops = 64 },
  { "attributes", "Clip", "8", "min=0.0 max=6.0", "f32 8", .flops = 16, .opset = 6 },
  { "inputs", "Clip", "8 #scalar #scalar", "", "f32 8", .flops = 16 },
  { "four-steps", "Sigmoid", "8", "", "f32 8", .flops = 32 },
  { "five-steps", "Softmax", "2x10", "axis=1", "f32 2x10", .flops = 100 },
  { "five-steps", "Gelu", "8", "", "f32 8", .flops = 40, .opset = 20 },
  { "to-half", "Cast", "8", "to=10", "f16 8", .flops = 8 },
  { "like", "CastLike", "2x3 s64:1", "", "s64 2x3", .flops = 6 },
  { "view", "Identity", "2x3", "", "f32 2x3", .macs = 0 },
  { "mask", "Dropout", "2x3", "", "f32 2x3,bool 2x3", .macs = 0 },
  { "old-mask", "Dropout", "2x3", "", "f32 2x3,f32 2x3", .opset = 9 },
  { "nan", "IsNaN", "2x3", "", "bool 2x3", .flops = 6 },

  { "inference", "BatchNormalization", "1x8x4x4 #8 #8 #8 #8", "", "f32 1x8x4x4", .flops = 256 },
  { "statistics", "LayerNormalization", "2x5x16 #16 #16", "", "f32 2x5x16,f32 2x5x1,f32 2x5x1",
    .flops = 1120 },
  { "instance", "InstanceNormalization", "1x8x4x4 #8 #8", "", "f32 1x8x4x4", .flops = 896 },
  { "group", "GroupNormalization", "1x8x4x4 #8 #8", "num_groups=2", "f32 1x8x4x4", .flops = 896,
    .opset = 18 },
  { "neighbours", "LRN", "1x8x4x4", "size=5", "f32 1x8x4x4", .flops = 1792 },

  { "type-of-zero", "QuantizeLinear", "2x3 #scalar #s8:scalar", "", "s8 2x3", .flops = 18 },
  { "no-zero", "QuantizeLinear", "2x3 #scalar", "", "u8 2x3", .flops = 18 },
  { "type-of-scale", "DequantizeLinear", "s8:2x3 #scalar", "", "f32 2x3", .flops = 12 },
  { "dynamic", "DynamicQuantizeLinear", "2x3", "", "u8 2x3,f32 scalar,u8 scalar", .flops = 30 },

  { "attribute", "ReduceMean", "2x3x4", "axes=[1] keepdims=0", "f32 2x4", .flops = 24 },
  { "input", "ReduceSum", "2x3x4 {-1}", "", "f32 2x3x1", .flops = 24 },
  { "all", "ReduceMax", "2x3x4", "keepdims=0", "f32 scalar", .flops = 24 },
  { "noop", "ReduceSum", "2x3x4 {}", "noop_with_empty_axes=1", "f32 2x3x4", .flops = 24 },
  { "bad-axis", "ReduceMean", "2x3", "axes=[7]", "? unknown", .flops = 6 },
  { "axis", "ArgMax", "2x3x4", "axis=-1", "s64 2x3x1", .flops = 24 },
  { "drops", "ArgMin", "2x3x4", "axis=1 keepdims=0", "s64 2x4", .flops = 24 },
  { "input", "TopK", "2x10 {3}", "", "f32 2x3,s64 2x3", .flops = 20 },
  { "attribute", "TopK", "2x10", "k=4 axis=0", "f32 4x10,s64 4x10", .flops = 20, .opset = 9 },
  { "along", "CumSum", "2x3 =1", "", "f32 2x3", .flops = 6 },
  { "flat", "Unique", "2x3", "", "f32 ?", .flops = 6 },
  { "axis", "Unique", "2x3x4", "axis=1", "f32 2x?x4", .flops = 24 },
  { "bad-axis", "Unique", "2x3", "axis=5", "? unknown", .flops = 6 },
  { "mean", "NegativeLogLikelihoodLoss", "3x5x6 s64:3x6", "", "f32 scalar", .flops = 90 },
  { "each", "NegativeLogLikelihoodLoss", "3x5x6 s64:3x6", "reduction=none", "f32 3x6",
    .flops = 90 },
  { "logits", "SoftmaxCrossEntropyLoss", "3x5 s64:3", "reduction=sum", "f32 scalar,f32 3x5",
    .flops = 75 },
  { "boxes", "NonMaxSuppression", "1x10x4 1x2x10", "", "s64 ?x3", .flops = 40 },
};

TEST_PROGRAM (onnx_element)
{
  g_test_init (&argc, &argv, NULL);
  onnx_cases_add ("onnx-element", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
