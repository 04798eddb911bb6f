/* Moving elements and giving them other shapes. */
#include "tests/io/onnx-cases.h"
#include "tests/support/test-program.h"

static const OnnxCase cases[] = {
  { "channels", "Concat", "1x64x8x8 1x32x8x8 1x3x8x8", "axis=1", "f32 1x99x8x8", .macs = 0 },
  { "from-the-end", "Concat", "2x3 2x5", "axis=-1", "f32 2x8", .macs = 0 },
  { "bad-axis", "Concat", "2x3 2x5", "axis=2", "? unknown", .macs = 0 },
  { "equal", "Split", "6x4", "axis=0", "f32 2x4,f32 2x4,f32 2x4", .opset = 11 },
  { "attribute", "Split", "6x4", "axis=0 split=[1,5]", "f32 1x4,f32 5x4", .opset = 11 },
  { "input", "Split", "6x4 {4,2}", "axis=0", "f32 4x4,f32 2x4", .macs = 0 },
  { "uneven", "Split", "7x4", "num_outputs=3", "f32 3x4,f32 3x4,f32 1x4", .opset = 18 },

  { "attributes", "Slice", "10x20", "starts=[0,2] ends=[5,20] axes=[0,1]", "f32 5x18", .opset = 9 },
  { "inputs", "Slice", "10x20 {2} {9223372036854775807} {1} {3}", "", "f32 10x6", .macs = 0 },
  { "negative", "Slice", "10x20 {-3} {-1} {0}", "", "f32 2x20", .macs = 0 },
  { "backwards", "Slice", "10 {-1} {-9223372036854775808} {0} {-1}", "", "f32 10", .macs = 0 },
  { "beyond", "Slice", "10 {20} {30} {0}", "", "f32 0", .macs = 0 },
  { "step-of-zero", "Slice", "10 {0} {5} {0} {0}", "", "f32 ?", .macs = 0 },
  { "unknown-end", "Slice", "10x4 {0} s64:1 {0}", "", "f32 ?x4", .macs = 0 },

  { "embedding", "Gather", "#30000x768 s64:2x128", "", "f32 2x128x768", .macs = 0 },
  { "scalar-drops-axis", "Gather", "2x3x4 =0", "axis=1", "f32 2x4", .macs = 0 },
  { "elements", "GatherElements", "2x3 s64:2x1", "axis=1", "f32 2x1", .macs = 0 },
  { "rows", "GatherND", "2x3x4 s64:5x1", "", "f32 5x3x4", .macs = 0 },
  { "single", "GatherND", "2x3x4 s64:5x3", "", "f32 5", .macs = 0 },
  { "batched", "GatherND", "2x3x4 s64:2x1", "batch_dims=1", "f32 2x4", .macs = 0 },
  { "too-deep", "GatherND", "2x3x4 s64:2x9", "", "? unknown", .macs = 0 },
  { "same", "ScatterND", "8x4 s64:2x1 2x4", "", "f32 8x4", .macs = 0 },
  { "same", "ScatterElements", "8x4 s64:2x4 2x4", "", "f32 8x4", .macs = 0 },
  { "reverse", "Transpose", "2x3x4", "", "f32 4x3x2", .macs = 0 },
  { "heads", "Transpose", "1x128x12x64", "perm=[0,2,1,3]", "f32 1x12x128x64", .macs = 0 },
  { "bad-permutation", "Transpose", "2x3", "perm=[0,9]", "f32 2x?", .macs = 0 },
  { "repeats", "Tile", "2x3 {2,4}", "", "f32 4x12", .macs = 0 },
  { "attribute", "Pad", "1x3x8x8", "pads=[0,0,1,2,0,0,3,4]", "f32 1x3x12x14", .opset = 2 },
  { "input", "Pad", "1x3x8x8 {0,0,1,1,0,0,1,1}", "", "f32 1x3x10x10", .macs = 0 },
  { "axes", "Pad", "1x3x8x8 {1,2} - {3}", "", "f32 1x3x8x11", .opset = 18 },
  { "crops", "Pad", "8 {-2,-1}", "", "f32 5", .macs = 0 },
  { "new-axis", "OneHot", "s64:2x3 =10 2", "", "f32 2x3x10", .macs = 0 },
  { "front", "OneHot", "s64:2x3 {10} 2", "axis=0", "f32 10x2x3", .macs = 0 },
  { "unknown-number", "Compress", "4x5 bool:4", "axis=0", "f32 ?x5", .macs = 0 },
  { "triangle", "Trilu", "4x4", "", "f32 4x4", .macs = 0 },

  { "open-axis", "Reshape", "2x3x4 {2,-1}", "", "f32 2x12", .macs = 0 },
  { "copies", "Reshape", "2x3x4 {0,-1}", "", "f32 2x12", .macs = 0 },
  { "attribute", "Reshape", "2x3x4", "shape=[6,4]", "f32 6x4", .opset = 1 },
  { "to-scalar", "Reshape", "1 {}", "", "f32 scalar", .macs = 0 },
  { "does-not-fit", "Reshape", "2x3x4 {5,5}", "", "? unknown", .macs = 0 },
  { "open-does-not-fit", "Reshape", "2x3x4 {5,-1}", "", "f32 5x?", .macs = 0 },
  { "unknown-target", "Reshape", "2x3x4 s64:3", "", "f32 ?x?x?", .macs = 0 },
  { "default", "Flatten", "2x3x4x5", "", "f32 2x60", .macs = 0 },
  { "axis-zero", "Flatten", "2x3x4", "axis=0", "f32 1x24", .macs = 0 },
  { "from-the-end", "Flatten", "2x3x4", "axis=-1", "f32 6x4", .macs = 0 },
  { "attribute", "Squeeze", "1x3x1x5", "axes=[0,2]", "f32 3x5", .opset = 11 },
  { "input", "Squeeze", "1x3x1x5 {-2}", "", "f32 1x3x5", .macs = 0 },
  { "all-ones", "Squeeze", "1x3x1x5", "", "f32 3x5", .macs = 0 },
  { "attribute", "Unsqueeze", "3x5", "axes=[0,3]", "f32 1x3x5x1", .opset = 11 },
  { "input", "Unsqueeze", "3x5 {-1}", "", "f32 3x5x1", .macs = 0 },
  { "twice", "Unsqueeze", "3x5 {0,0}", "", "? unknown", .macs = 0 },
  { "both-ways", "Expand", "3x1 {2,1,6}", "", "f32 2x3x6", .macs = 0 },
  { "shape", "Shape", "2x3x4", "", "s64 3", .macs = 0 },
  { "part-of-shape", "Shape", "2x3x4", "start=-2", "s64 2", .macs = 0 },
  { "size", "Size", "2x3x4", "", "s64 scalar", .macs = 0 },
  { "open-shape", "ConstantOfShape", "s64:3", "", "f32 ?x?x?", .macs = 0 },
  { "counts", "Range", "=0 =10 =3", "", "s64 4", .flops = 4 },
  { "backwards", "Range", "=10 =0 =-5", "", "s64 2", .flops = 2 },
  { "step-of-zero", "Range", "=0 =10 =0", "", "s64 ?", .macs = 0 },
  { "like", "EyeLike", "4x4", "dtype=7", "s64 4x4", .macs = 0 },
  { "of-the-data", "NonZero", "2x3", "", "s64 2x?", .macs = 0 },
  { "known-data", "NonZero", "{0,5,0,7}", "", "s64 1x2", .flops = 2 },
  { "random", "RandomNormal", "", "shape=[2,3]", "f32 2x3", .flops = 6 },
};

TEST_PROGRAM (onnx_index)
{
  g_test_init (&argc, &argv, NULL);
  onnx_cases_add ("onnx-index", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
