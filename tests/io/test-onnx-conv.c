/* Windows: every expected shape is worked out by hand from ONNX's formulas. */
#include "tests/io/onnx-cases.h"
#include "tests/support/test-program.h"

static const OnnxCase cases[] = {
  /* (224 + 6 - 7)/2 + 1 = 112; 64*112*112 outputs of 3*7*7 */
  { "resnet-stem", "Conv", "1x3x224x224 #64x3x7x7", "strides=[2,2] pads=[3,3,3,3]",
    "f32 1x64x112x112", .macs = 118013952, .flops = 236027904 },
  { "bias-adds-outputs", "Conv", "1x3x8x8 #4x3x1x1 #4", "", "f32 1x4x8x8", .macs = 768,
    .flops = 1792 },
  { "groups", "Conv", "1x8x6x6 #8x1x3x3", "group=8 pads=[1,1,1,1]", "f32 1x8x6x6", .macs = 2592,
    .flops = 5184 },
  { "dilations", "Conv", "1x1x10x10 #1x1x3x3", "dilations=[2,2]", "f32 1x1x6x6", .macs = 324,
    .flops = 648 },
  { "same-upper", "Conv", "1x1x7x5 #1x1x3x3", "auto_pad=SAME_UPPER strides=[2,2]", "f32 1x1x4x3",
    .macs = 108, .flops = 216 },
  { "valid", "Conv", "1x1x7x5 #1x1x3x3", "auto_pad=VALID strides=[2,2] pads=[9,9,9,9]",
    "f32 1x1x3x2", .macs = 54, .flops = 108 },
  { "one-axis", "Conv", "2x4x16 #6x4x3", "pads=[1,1] strides=[2]", "f32 2x6x8", .macs = 1152,
    .flops = 2304 },
  { "three-axes", "Conv", "1x2x4x5x6 #3x2x2x2x2", "", "f32 1x3x3x4x5", .macs = 2880,
    .flops = 5760 },
  { "window-larger-than-image", "Conv", "1x1x2x2 #1x1x5x5", "", "f32 1x1x0x0", .macs = 0 },
  { "stride-of-zero", "Conv", "1x1x8x8 #1x1x3x3", "strides=[0,0]", "f32 1x1x?x?", .macs = 0 },
  { "huge-pads", "Conv", "1x1x8x8 #1x1x3x3",
    "pads=[9223372036854775807,9223372036854775807,9223372036854775807,0]", "f32 1x1x?x?",
    .macs = 0 },
  { "image-without-axes", "Conv", "3 #1x1x3x3", "", "? unknown", .macs = 0 },
  { "integers", "ConvInteger", "u8:1x3x8x8 #u8:4x3x1x1", "", "s32 1x4x8x8", .macs = 768,
    .flops = 1536 },
  { "quantised", "QLinearConv",
    "u8:1x3x8x8 #scalar #u8:scalar #s8:4x3x1x1 #scalar #s8:scalar #scalar #u8:scalar #s32:4", "",
    "u8 1x4x8x8", .macs = 768, .flops = 1792 },

  /* 2*(4-1) + 2 = 8; every input element meets 2*2*2 weights */
  { "doubles", "ConvTranspose", "1x3x4x4 #3x2x2x2", "strides=[2,2]", "f32 1x2x8x8", .macs = 384,
    .flops = 768 },
  { "output-padding", "ConvTranspose", "1x1x3x3 #1x1x3x3",
    "strides=[2,2] pads=[1,1,1,1] output_padding=[1,1]", "f32 1x1x6x6", .macs = 81, .flops = 162 },
  { "groups", "ConvTranspose", "1x4x3x3 #4x2x1x1", "group=2", "f32 1x4x3x3", .macs = 72,
    .flops = 144 },
  { "output-shape", "ConvTranspose", "1x1x3x3 #1x1x3x3", "strides=[2,2] output_shape=[10,8]",
    "f32 1x1x10x8", .macs = 81, .flops = 162 },
  { "same", "ConvTranspose", "1x1x3x3 #1x1x3x3", "strides=[3,3] auto_pad=SAME_UPPER", "f32 1x1x9x9",
    .macs = 81, .flops = 162 },

  { "floor", "MaxPool", "1x64x112x112", "kernel_shape=[3,3] strides=[2,2]", "f32 1x64x55x55",
    .flops = 1742400 },
  { "ceil", "MaxPool", "1x1x6x6", "kernel_shape=[3,3] strides=[2,2] ceil_mode=1", "f32 1x1x3x3",
    .flops = 81 },
  /* The third window would start in the padding. */
  { "ceil-ignores-padding", "MaxPool", "1x1x3x3",
    "kernel_shape=[2,2] strides=[2,2] pads=[1,1,1,1] ceil_mode=1", "f32 1x1x2x2", .flops = 16 },
  { "indices", "MaxPool", "1x1x4x4", "kernel_shape=[2,2] strides=[2,2]", "f32 1x1x2x2,s64 1x1x2x2",
    .flops = 16 },
  { "pads", "AveragePool", "1x1x4x4", "kernel_shape=[3,3] pads=[1,1,1,1]", "f32 1x1x4x4",
    .flops = 144 },
  { "one-axis", "AveragePool", "1x2x9", "kernel_shape=[3] strides=[3]", "f32 1x2x3", .flops = 18 },
  { "squares", "LpPool", "1x1x4x4", "kernel_shape=[2,2] strides=[2,2]", "f32 1x1x2x2",
    .flops = 32 },
  { "to-one", "GlobalAveragePool", "2x8x7x7", "", "f32 2x8x1x1", .flops = 784 },
  { "to-one", "GlobalMaxPool", "2x8x7", "", "f32 2x8x1", .flops = 112 },

  { "to-space", "DepthToSpace", "1x12x2x3", "blocksize=2", "f32 1x3x4x6", .macs = 0 },
  { "to-depth", "SpaceToDepth", "1x3x4x6", "blocksize=2", "f32 1x12x2x3", .macs = 0 },
  { "attribute-scales", "Upsample", "1x3x4x4 [1,1,2,2]", "mode=nearest", "f32 1x3x8x8",
    .opset = 9 },
  { "scales", "Resize", "1x3x4x5 - [1,1,2,1.5]", "mode=nearest", "f32 1x3x8x7", .macs = 0 },
  { "old-scales", "Resize", "1x3x4x4 [1,1,2,2]", "mode=nearest", "f32 1x3x8x8", .opset = 10 },
  { "sizes", "Resize", "1x3x4x4 - - {1,3,9,10}", "mode=linear", "f32 1x3x9x10", .flops = 2160 },
  { "sizes-of-axes", "Resize", "1x3x4x4 - - {9,10}", "axes=[2,3]", "f32 1x3x9x10", .opset = 18 },
  { "regions", "RoiAlign", "1x8x32x32 5x4 s64:5", "output_height=7 output_width=6", "f32 5x8x7x6",
    .flops = 13440 },
  { "regions", "MaxRoiPool", "1x8x32x32 5x5", "pooled_shape=[2,2]", "f32 5x8x2x2", .flops = 160 },
  { "samples", "GridSample", "1x8x32x32 1x4x5x2", "", "f32 1x8x4x5", .flops = 1280 },
};

TEST_PROGRAM (onnx_conv)
{
  g_test_init (&argc, &argv, NULL);
  onnx_cases_add ("onnx-conv", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
