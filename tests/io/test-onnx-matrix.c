/* Matrix products, recurrent layers, and the fused operators of transformers. */
#include "tests/io/onnx-cases.h"
#include "tests/support/test-program.h"

static const OnnxCase cases[] = {
  { "classifier", "Gemm", "1x2048 #1000x2048 #1000", "transB=1", "f32 1x1000", .macs = 2048000,
    .flops = 4097000 },
  { "transposed", "Gemm", "5x2 #5x7", "transA=1", "f32 2x7", .macs = 70, .flops = 140 },

  { "matrices", "MatMul", "2x3 3x4", "", "f32 2x4", .macs = 24, .flops = 48 },
  { "heads", "MatMul", "1x12x128x64 1x12x64x128", "", "f32 1x12x128x128", .macs = 12582912,
    .flops = 25165824 },
  { "weights-broadcast", "MatMul", "2x128x768 #768x3072", "", "f32 2x128x3072", .macs = 603979776,
    .flops = 1207959552 },
  { "batch-axes-broadcast", "MatMul", "5x1x2x3 4x3x6", "", "f32 5x4x2x6", .macs = 720,
    .flops = 1440 },
  { "vector-left", "MatMul", "3 2x3x4", "", "f32 2x4", .macs = 24, .flops = 48 },
  { "vector-right", "MatMul", "2x5x3 3", "", "f32 2x5", .macs = 30, .flops = 60 },
  { "dot", "MatMul", "3 3", "", "f32 scalar", .macs = 3, .flops = 6 },
  { "scalar-is-wrong", "MatMul", "scalar 3", "", "? unknown", .macs = 0 },
  { "integers", "MatMulInteger", "u8:2x3 #s8:3x4", "", "s32 2x4", .macs = 24, .flops = 48 },
  { "quantised", "QLinearMatMul",
    "u8:2x3 #scalar #u8:scalar #s8:3x4 #scalar #s8:scalar #scalar #s8:scalar", "", "s8 2x4",
    .macs = 24, .flops = 48 },
  { "transposed", "ms.FusedMatMul", "2x3 4x3", "transB=1", "f32 2x4", .macs = 24, .flops = 48 },

  { "product", "Einsum", "2x3 3x4", "equation=ij,jk->ik", "f32 2x4", .macs = 24, .flops = 48 },
  { "implicit", "Einsum", "2x3 3x4", "equation=ij,jk", "f32 2x4", .macs = 24, .flops = 48 },
  { "attention", "Einsum", "2x8x5x16 2x8x7x16", "equation=bhqd,bhkd->bhqk", "f32 2x8x5x7",
    .macs = 8960, .flops = 17920 },
  { "ellipsis", "Einsum", "6x2x3 3x4", "equation=...ij,jk->...ik", "f32 6x2x4", .macs = 144,
    .flops = 288 },
  { "trace", "Einsum", "3x3", "equation=ii->", "f32 scalar", .macs = 0 },
  { "nonsense", "Einsum", "2x3 3x4", "equation=ij,j!k->ik", "? unknown", .macs = 0 },
  { "too-few-terms", "Einsum", "2x3 3x4", "equation=ij->i", "? unknown", .macs = 0 },
  { "unknown-letter", "Einsum", "2x3", "equation=ij->iz", "? unknown", .macs = 0 },

  /* 10*2 rows, 4 gates, 32 wide, each from 16 + 32 */
  { "one-way", "LSTM", "10x2x16 #1x128x16 #1x128x32", "hidden_size=32",
    "f32 10x1x2x32,f32 1x2x32,f32 1x2x32", .macs = 122880, .flops = 266240 },
  { "two-ways", "LSTM", "10x2x16 #2x128x16 #2x128x32", "direction=bidirectional",
    "f32 10x2x2x32,f32 2x2x32,f32 2x2x32", .macs = 245760, .flops = 532480 },
  { "batch-first", "GRU", "2x10x16 #1x96x16 #1x96x32", "hidden_size=32 layout=1",
    "f32 2x10x1x32,f32 2x1x32", .macs = 92160, .flops = 199680 },
  { "plain", "RNN", "10x2x16 #1x32x16 #1x32x32", "hidden_size=32", "f32 10x1x2x32,f32 1x2x32",
    .macs = 30720, .flops = 66560 },

  /* 128 rows of 768 by 2304, and twice 128x128x768 */
  { "packed", "ms.Attention", "1x128x768 #768x2304 #2304", "num_heads=12", "f32 1x128x768",
    .macs = 251658240, .flops = 503316480 },
  { "separate", "ms.MultiHeadAttention", "1x4x8 1x6x8 1x6x16", "num_heads=2", "f32 1x4x16",
    .macs = 576, .flops = 1152 },
  { "onnx", "Attention", "1x2x4x8 1x2x6x8 1x2x6x16", "", "f32 1x2x4x16", .macs = 1152,
    .flops = 2304, .opset = 23 },
  { "ids", "ms.EmbedLayerNormalization", "s32:2x128 s32:2x128 #30522x768 #512x768 #2x768 #768 #768",
    "", "f32 2x128x768,s32 2", .flops = 1769472 },
  { "skip", "ms.SkipLayerNormalization", "2x8x16 2x8x16 #16 #16", "", "f32 2x8x16", .flops = 2048 },
  { "tanh", "ms.FastGelu", "2x8 #8", "", "f32 2x8", .flops = 128 },
  { "bias", "ms.BiasGelu", "2x8 #8", "", "f32 2x8", .flops = 96 },
  { "packed-weights", "ms.MatMulNBits", "1x4x64 #u8:32x2x16 #64", "K=64 N=32 bits=4", "f32 1x4x32",
    .macs = 8192, .flops = 16384 },
  { "other-domain-attention", "Foo", "2x3", "", "? unknown", .macs = 0 },
};

TEST_PROGRAM (onnx_matrix)
{
  g_test_init (&argc, &argv, NULL);
  onnx_cases_add ("onnx-matrix", cases, G_N_ELEMENTS (cases));
  return g_test_run ();
}
