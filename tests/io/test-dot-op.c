#include "engine/io/dot/dot-op.h"
#include "tests/support/test-program.h"

#include <string.h>

/* As programs write them; in C, \\n is the two characters of DOT's line end. */
static void
test_labels (void)
{
  static const struct
  {
    const char *id;
    const char *label;
    gboolean is_markup;
    const char *op;
  } cases[] = {
    /* torchviz: addresses */
    { "139912345601", "AddmmBackward0", FALSE, "AddmmBackward0" },
    { "139912345602", "AccumulateGrad", FALSE, "AccumulateGrad" },
    { "139912345603", "fc.bias\n (10)", FALSE, "bias" },
    { "139912345600", "\n (1, 10)", FALSE, "tensor" },
    { "139912345604", "ConvolutionBackward0\n----------\nbias: None", FALSE,
      "ConvolutionBackward0" },
    { "139912345600", "\n ()", FALSE, "tensor" },
    /* Keras: a colon, a record, a table */
    { "140512345", "conv2d_3: Conv2D", FALSE, "Conv2D" },
    { "140512346", "{dense_1: Dense\\n|{input:|output:}|{{[(None, 784)]}|{[(None, 64)]}}}", FALSE,
      "Dense" },
    { "140512347", "{input:|output:}|{{[(None, 784)]}|{[(None, 64)]}}|dense_1", FALSE, "dense" },
    { "140512348", "<table><tr><td colspan=\"2\"><b>dense_1</b> (Dense)</td></tr></table>", TRUE,
      "Dense" },
    { "140512349", "<table><tr><td>dense_1 (Dense)</td></tr><tr><td>(None, 64)</td></tr></table>",
      TRUE, "Dense" },
    { "140421238192256", "{dense_1|Dense}|{input:|output:}|{{(None, 28)}|{(None, 128)}}", FALSE,
      "Dense" },
    { "140421238192784", "{in|InputLayer}|{input:|output:}|{{[(None, 28)]}|{[(None, 28)]}}", FALSE,
      "InputLayer" },
    { "140512350", "<table><tr><td>a &amp; b&#40;1&#41;</td></tr></table>", TRUE, "a & b(1)" },
    /* MXNet */
    { "resnetv10_conv0_fwd", "Convolution\\n7x7/2x2, 64", FALSE, "Convolution" },
    { "data", "data", FALSE, "data" },
    /* TVM */
    { "17", "nn.conv2d\\nstrides: [1, 1]", FALSE, "conv2d" },
    { "18", "%3 = nn.relu(%2)", FALSE, "relu" },
    /* Caffe */
    { "conv1_Convolution", "conv1\\n(Convolution)\\nkernel size: 3", FALSE, "Convolution" },
    { "conv1_Convolution", "conv1 (Convolution)\\nkernel size: 3", FALSE, "Convolution" },
    /* torch.fx */
    { "x_1", "{name=%x_1|op_code=placeholder\\n|target=x\\n|num_users=1\\n}", FALSE,
      "placeholder" },
    { "c", "{name=%c|op_code=call_module\\n\\ntorch.nn.modules.conv.Conv2d\\n|kernel: 3\\n}", FALSE,
      "Conv2d" },
    { "y", "{name=%y|op_code=call_function\\n|target=torch.relu\\n|args=(%c,)\\n}", FALSE, "relu" },
    /* Glow and MLIR: fields with ports are inputs and outputs */
    { "v1",
      "{ {<Input>Input|<Filter>Filter} | {Convolution | Conv_0__2 |  Kernels : [5, 5]} | "
      "{<Result>Result} }",
      FALSE, "Convolution" },
    { "v5", "{{<arg_x> %x}|tosa.add\\l|{<res_0> %0 tensor\\<2xf32\\>}}", FALSE, "add" },
    /* Gorgonia */
    { "Node_0xc00047a0e0", "{{im2col&lt;(3,3)&gt;(%1e)|0x1f}|{Op|im2col&lt;(3,3)&gt;}|{Shape|(2)}}",
      FALSE, "im2col" },
    { "Node_0xc0000ce000", "{{A \xc3\x97 B(%21)|0x22}|{Op|A \xc3\x97 B}|{Shape|(3721, 20)}}", FALSE,
      "A \xc3\x97 B" },
    { "Node_0xc00035c0e0", "{{weights|0x1}|{Op|%!s(&lt;nil&gt;)}|{Shape|(32, 3)}}", FALSE,
      "weights" },
    /* micrograd */
    { "4906305568*", "*", FALSE, "*" },
    { "4906306720tanh", "tanh", FALSE, "tanh" },
    { "4906305568", "{data -6.0000 | grad 0.5000}", FALSE, "data" },
    /* XLA */
    { "94001", "<b>Parameter 0</b><br/>Arg_0.1<br/>f32[2,3]{1,0}", TRUE, "Parameter" },
    /* onnx */
    { "block/Conv (op#3)\\n input0 x\\n output0 y", NULL, FALSE, "Conv" },
    { "Relu (op#4)", "\\N", FALSE, "Relu" },
    /* other numbers and addresses */
    { "Node0x55d0c8", "{<f0> MatMul|<f1> 3 ms}", FALSE, "MatMul" },
    { "node12", "Conv2d(3, 64, kernel_size=(3, 3))", FALSE, "Conv2d" },
    { "n7", "Matrix multiply\\r\nof two", FALSE, "Matrix multiply" },
    { "op_4", "gpu kernel\\lrow\\l", FALSE, "gpu kernel" },
    { "v3", "\xc3\x84hnlich", FALSE, "\xc3\x84hnlich" },
    /* ids that say more than their labels */
    { "MatMul_7", "some words", FALSE, "MatMul" },
    { "MatMul_7", "MatMul_7\\n3 ms", FALSE, "MatMul" },
    { "layer1/Relu3", "a\\nb c", FALSE, "a" },
    { "Relu3", "12.5 ms", FALSE, "Relu" },
    { "conv", "\\N", FALSE, "conv" },
    { "conv", NULL, FALSE, "conv" },
    { "12", NULL, FALSE, "node" },
    { "12", "", FALSE, "node" },
    { "12", "----", FALSE, "node" },
    { "12", "\\", FALSE, "node" },
    { "12", "<", TRUE, "node" },
    { "12", "&", TRUE, "node" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *op = goban_dot_dup_op (cases[i].id, cases[i].label, cases[i].is_markup);

      g_test_message ("%s: %s", cases[i].id, cases[i].label);
      g_assert_cmpstr (op, ==, cases[i].op);
    }
}

/* Of a long label the first line counts, and an op stays short and valid. */
static void
test_long (void)
{
  g_autoptr (GString) label = g_string_new (NULL);
  g_autofree char *op = NULL;

  for (guint i = 0; i < 1000000; i++)
    g_string_append (label, "\xc3\xa4");
  op = goban_dot_dup_op ("12", label->str, FALSE);
  g_assert_true (g_utf8_validate (op, -1, NULL));
  g_assert_cmpuint (strlen (op), >, 20);
  g_assert_cmpuint (strlen (op), <=, 60);
}

TEST_PROGRAM (dot_op)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/dot-op/labels", test_labels);
  g_test_add_func ("/io/dot-op/long", test_long);
  return g_test_run ();
}
