#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/op-kinds.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Each is found as what it is listed for, so each is spelt as words are looked up, and none is
 * listed twice. */
static void
test_words_are_known (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_listed = 0;

  for (guint k = 0; k < GOBAN_OP_OTHER; k++)
    {
      const char *listed = goban_op_kind_get_words (k);
      g_auto (GStrv) words = g_strsplit (listed != NULL ? listed : "", " ", -1);

      n_listed += listed != NULL;
      for (guint i = 0; words[i] != NULL; i++)
        {
          g_autofree char *upper = g_ascii_strup (words[i], -1);

          g_assert_cmpuint (goban_op_kind_from_word (words[i]), ==, k);
          g_assert_cmpuint (goban_op_kind_from_word (upper), ==, k);
          g_assert_true (g_hash_table_add (seen, g_strdup (words[i])));
        }
    }
  g_assert_cmpuint (n_listed, ==, GOBAN_OP_OTHER - 3); /* all but three gradients */
  g_assert_cmpuint (GOBAN_N_OP_KINDS, ==, 64);
}

static void
test_formats (void)
{
  static const struct
  {
    const char *word;
    GobanOpKind kind;
  } cases[] = {
    { "MatMul", GOBAN_OP_MATMUL },
    { "BatchMatMulV2", GOBAN_OP_MATMUL },
    { "Gemm", GOBAN_OP_MATMUL },
    { "dot", GOBAN_OP_MATMUL },
    { "Linear", GOBAN_OP_MATMUL },
    { "Conv2D", GOBAN_OP_CONV },
    { "convolution", GOBAN_OP_CONV },
    { "ConvGrad", GOBAN_OP_CONV_GRAD_INPUT },
    { "Conv2DBackpropInput", GOBAN_OP_CONV_GRAD_INPUT },
    { "Conv2DBackpropFilterV2", GOBAN_OP_CONV_GRAD_FILTER },
    { "DepthwiseConv2dNative", GOBAN_OP_CONV_DEPTHWISE },
    { "AddV2", GOBAN_OP_ADD },
    { "FusedBatchNormGradV3", GOBAN_OP_BATCH_NORM_GRAD },
    { "batch-norm-training", GOBAN_OP_BATCH_NORM },
    { "batch-norm-grad", GOBAN_OP_BATCH_NORM_GRAD },
    { "BatchNorm2d", GOBAN_OP_BATCH_NORM },
    { "LayerNormalizationGrad_0_104_grad", GOBAN_OP_LAYER_NORM_GRAD },
    { "LayerNormalization12_saved_mean", GOBAN_OP_LAYER_NORM },
    { "TanhGradient", GOBAN_OP_ACTIVATION_GRAD },
    { "MaxPoolGrad", GOBAN_OP_POOL_GRAD },
    { "TrainableDropout12", GOBAN_OP_DROPOUT },
    { "AdamOptimizer_100_transposed", GOBAN_OP_OPTIMIZER },
    { "ResourceSparseApplyAdagradV2", GOBAN_OP_OPTIMIZER },
    { "AccumulateGrad_5_grad", GOBAN_OP_ADD_N },
    { "100_transposed", GOBAN_OP_TRANSPOSE },
    { "Masked_LM_Loss", GOBAN_OP_LOSS },
    { "get-tuple-element", GOBAN_OP_IDENTITY },
    { "__getitem__", GOBAN_OP_SLICE },
    { "Input0", GOBAN_OP_INPUT },
    { "_Recv", GOBAN_OP_TRANSFER },
    { "all-reduce-start", GOBAN_OP_TRANSFER },
    { "EmbeddingGrad", GOBAN_OP_SCATTER },
    { "LSTM", GOBAN_OP_RECURRENT },
    { "LSTMBlockCellGrad", GOBAN_OP_RECURRENT_GRAD },
    { "NoOp", GOBAN_OP_CONTROL },
    { "Frobnicate", GOBAN_OP_OTHER },
    { "task", GOBAN_OP_OTHER },
    { "node12grad", GOBAN_OP_OTHER },
    { "Grad", GOBAN_OP_OTHER },
    { "42", GOBAN_OP_OTHER },
    { "v2", GOBAN_OP_OTHER },
    { "___", GOBAN_OP_OTHER },
    { "", GOBAN_OP_OTHER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].word);
      g_assert_cmpuint (goban_op_kind_from_word (cases[i].word), ==, cases[i].kind);
    }
}

static void
test_long_words (void)
{
  g_autofree char *longest = g_strnfill (5000, 'a');
  g_autofree char *tail = g_strconcat ("MatMul_", longest, NULL);

  g_assert_cmpuint (goban_op_kind_from_word (longest), ==, GOBAN_OP_OTHER);
  g_assert_cmpuint (goban_op_kind_from_word (tail), ==, GOBAN_OP_MATMUL);
}

static void
test_families (void)
{
  static const char *const specs[] = { "rnnlm:steps=3",
                                       "gnmt:layers=2,steps=3",
                                       "transformer-xl:layers=2",
                                       "inception-v3",
                                       "amoebanet",
                                       "wavenet",
                                       "gpt:dropout=1,flash=0",
                                       "llama:layers=2,tp=2,sp=1",
                                       "llama:layers=2,tp=2,mode=prefill",
                                       "llama:layers=2,mode=decode",
                                       "mixtral:layers=2,ep=2,tp=2",
                                       "vit:layers=2",
                                       "dit:layers=2",
                                       "rnnlm:steps=3,granularity=coarse",
                                       "inception-v3:mode=inference,granularity=coarse" };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i], &error);

      g_assert_no_error (error);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        {
          const GobanNode *node = goban_graph_get_node (graph, v);

          if (goban_op_kind_from_word (node->op) == GOBAN_OP_OTHER)
            g_error ("%s: nobody knows “%s”", specs[i], node->op);
        }
    }
}

TEST_PROGRAM (op_kinds)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/op-kinds/words-are-known", test_words_are_known);
  g_test_add_func ("/op-kinds/formats", test_formats);
  g_test_add_func ("/op-kinds/long-words", test_long_words);
  g_test_add_func ("/op-kinds/families", test_families);
  return g_test_run ();
}
