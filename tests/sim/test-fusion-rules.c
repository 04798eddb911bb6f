#include "engine/sim/fusion/fusion-rules.h"
#include "tests/support/test-program.h"

static void
test_words (void)
{
  static const struct
  {
    const char *op;
    GobanFusionClass class;
  } cases[] = {
    /* TensorFlow */
    { "AddV2", GOBAN_FUSION_CHEAP },
    { "BiasAdd", GOBAN_FUSION_CHEAP },
    { "Sigmoid", GOBAN_FUSION_CHEAP },
    { "SigmoidGrad", GOBAN_FUSION_CHEAP },
    { "RsqrtGrad", GOBAN_FUSION_CHEAP },
    { "ConcatV2", GOBAN_FUSION_METADATA },
    { "StridedSlice", GOBAN_FUSION_METADATA },
    { "ExpandDims", GOBAN_FUSION_METADATA },
    { "Tile", GOBAN_FUSION_BROADCAST },
    { "TileGrad", GOBAN_FUSION_REDUCTION },
    { "Sum", GOBAN_FUSION_REDUCTION },
    { "BiasAddGrad", GOBAN_FUSION_REDUCTION },
    { "SparseSoftmaxCrossEntropyWithLogits", GOBAN_FUSION_REDUCTION },
    { "FusedBatchNormGradV3", GOBAN_FUSION_REDUCTION },
    { "BatchMatMulV2", GOBAN_FUSION_HEAVY },
    { "Conv2DBackpropFilter", GOBAN_FUSION_HEAVY },
    { "DepthwiseConv2dNativeBackpropInput", GOBAN_FUSION_HEAVY },
    { "VariableV2", GOBAN_FUSION_OPAQUE },
    { "Placeholder", GOBAN_FUSION_OPAQUE },
    { "RandomUniform", GOBAN_FUSION_OPAQUE },
    { "GatherV2", GOBAN_FUSION_OPAQUE },
    { "Switch", GOBAN_FUSION_OPAQUE },
    { "NoOp", GOBAN_FUSION_OPAQUE },
    { "ApplyAdam", GOBAN_FUSION_OPAQUE },
    { "MaxPoolGrad", GOBAN_FUSION_OPAQUE },
    /* ONNX */
    { "Relu", GOBAN_FUSION_CHEAP },
    { "ReduceMean", GOBAN_FUSION_REDUCTION },
    { "Gemm", GOBAN_FUSION_HEAVY },
    { "ConvGrad", GOBAN_FUSION_HEAVY },
    { "Expand", GOBAN_FUSION_BROADCAST },
    { "Loop", GOBAN_FUSION_OPAQUE },
    /* HLO */
    { "broadcast", GOBAN_FUSION_BROADCAST },
    { "dot-general", GOBAN_FUSION_HEAVY },
    { "reduce-window", GOBAN_FUSION_REDUCTION },
    { "exponential-minus-one", GOBAN_FUSION_CHEAP },
    { "shift-right-arithmetic", GOBAN_FUSION_CHEAP },
    { "while", GOBAN_FUSION_OPAQUE },
    { "scatter", GOBAN_FUSION_OPAQUE },
    { "parameter", GOBAN_FUSION_OPAQUE },
    { "custom-call", GOBAN_FUSION_OPAQUE },
    /* Nobody's */
    { "", GOBAN_FUSION_OPAQUE },
    { "Grad", GOBAN_FUSION_OPAQUE },
    { "v2", GOBAN_FUSION_OPAQUE },
    { "WaveletTransformOfAKindThatNobodyHasEverHeardOfBefore", GOBAN_FUSION_OPAQUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].op);
      g_assert_cmpint (goban_fusion_classify (cases[i].op), ==, cases[i].class);
    }
}

static void
test_names (void)
{
  for (guint class = 0; class < GOBAN_N_FUSION_CLASSES; class ++)
    g_assert_nonnull (goban_fusion_class_name (class));
}

TEST_PROGRAM (fusion_rules)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fusion/rules/words", test_words);
  g_test_add_func ("/fusion/rules/names", test_names);
  return g_test_run ();
}
