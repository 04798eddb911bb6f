/* Transformers' fused operators: ONNX Runtime's own (domain com.microsoft) and the
 * Attention that ONNX has since opset 23. */
#include <math.h>
#include <string.h>

#include "engine/io/onnx/onnx-ops.h"

static gboolean
is_contrib (const GobanOnnxOp *op)
{
  return strcmp (goban_onnx_str (op->node->domain), "com.microsoft") == 0;
}

static double
get_extent (const GobanOnnxValue *value, gint64 axis)
{
  gint64 extent = goban_onnx_dim (value, axis);

  return extent >= 0 ? (double) extent : (double) NAN;
}

/* --- Attention ----------------------------------------------------------- */

/* com.microsoft: x: batch, steps, width; weights of query, key and value side by side. */
static void
shape_packed_attention (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  gint64 columns = goban_onnx_dim (goban_onnx_in (op, 1), 1);
  gint64 width = goban_onnx_attr_at (op, "qkv_hidden_sizes", 2, columns >= 0 ? columns / 3 : -1);
  const gint64 dims[3] = { goban_onnx_dim (x, 0), goban_onnx_dim (x, 1), width };

  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, 3);
  /* The past with the present behind it: keys and values by head. */
  if (op->n_out > 1)
    {
      gint64 n_heads = goban_onnx_attr_int (op, "num_heads", -1);
      double past = goban_onnx_in (op, 4) != NULL ? get_extent (goban_onnx_in (op, 4), 3) : 0;
      const gint64 kept[5] = { 2, dims[0], n_heads, goban_onnx_extent ((double) dims[1] + past),
                               n_heads > 0 && width >= 0 ? width / n_heads : -1 };

      goban_onnx_set (op, 1, goban_onnx_in_dtype (op, 0), kept, 5);
    }
}

static void
cost_packed_attention (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  double rows = get_extent (x, 0) * get_extent (x, 1);
  double past = goban_onnx_in (op, 4) != NULL ? get_extent (goban_onnx_in (op, 4), 3) : 0;
  double steps = get_extent (x, 1) + past;

  op->macs = rows * get_extent (x, 2) * get_extent (goban_onnx_in (op, 1), 1)
             + 2 * rows * steps * get_extent (&op->out[0], 2);
}

/* query, key, value: batch, steps, width; or batch, heads, steps, width of a head. */
static void
shape_split_attention (GobanOnnxOp *op)
{
  const GobanOnnxValue *query = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *value = goban_onnx_in (op, 2);
  double width = get_extent (value, -1);

  goban_onnx_shape_same (op);
  if (query == NULL || op->n_out == 0 || query->n_dims < 3)
    return;
  if (query->n_dims == 3 && value != NULL)
    {
      double q_heads = (double) goban_onnx_attr_int (op, "q_num_heads", 1);
      double kv_heads = (double) goban_onnx_attr_int (op, "kv_num_heads", 1);

      width = kv_heads > 0 ? width / kv_heads * q_heads : (double) NAN;
    }
  if (value != NULL)
    op->out[0].dims[query->n_dims - 1] = goban_onnx_extent (width);
}

static void
cost_split_attention (GobanOnnxOp *op)
{
  const GobanOnnxValue *query = goban_onnx_in (op, 0);
  const GobanOnnxValue *key = goban_onnx_in (op, 1);
  double steps = get_extent (key != NULL ? key : query, -2);

  /* Scores cost a product over the query's elements, mixing one over the output's. */
  op->macs = steps
             * ((query != NULL ? goban_onnx_value_elements (query) : (double) NAN)
                + goban_onnx_value_elements (&op->out[0]));
}

static void
shape_attention (GobanOnnxOp *op)
{
  if (is_contrib (op))
    shape_packed_attention (op);
  else
    shape_split_attention (op);
}

static void
cost_attention (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  if (is_contrib (op) && g_str_equal (rule->op, "Attention"))
    cost_packed_attention (op);
  else
    cost_split_attention (op);
  op->flops = 2 * op->macs;
}

/* --- embeddings and products --------------------------------------------- */

/* ids, segments, table of words, ...; outputs: embeddings, where masks end */
static void
shape_embed (GobanOnnxOp *op)
{
  const GobanOnnxValue *ids = goban_onnx_in (op, 0);
  const GobanOnnxValue *words = goban_onnx_in (op, 2);
  const gint64 dims[3]
      = { goban_onnx_dim (ids, 0), goban_onnx_dim (ids, 1), goban_onnx_dim (words, 1) };

  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 2), dims, 3);
  goban_onnx_set (op, 1, ONNX__TENSOR_PROTO__DATA_TYPE__INT32, dims, 1);
  goban_onnx_set (op, 2, goban_onnx_in_dtype (op, 2), dims, 3);
}

/* Output 3 is the sum before the normalisation; 1 and 2 are only for training. */
static void
shape_skip_norm (GobanOnnxOp *op)
{
  goban_onnx_shape_same (op);
  goban_onnx_set_like (op, 3, goban_onnx_in_dtype (op, 0), goban_onnx_in (op, 0));
}

static void
shape_matmul_nbits (GobanOnnxOp *op)
{
  const GobanOnnxValue *a = goban_onnx_in_ranked (op, 0);

  goban_onnx_shape_same (op);
  if (a != NULL && a->n_dims > 0 && op->n_out > 0)
    op->out[0].dims[a->n_dims - 1] = goban_onnx_extent ((double) goban_onnx_attr_int (op, "N", -1));
}

static void
cost_matmul_nbits (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  op->macs = goban_onnx_value_elements (&op->out[0]) * get_extent (goban_onnx_in (op, 0), -1);
  op->flops = 2 * op->macs;
}

/* a, its scale and zero point, b, ... */
static void
shape_qlinear_binary (GobanOnnxOp *op)
{
  const GobanOnnxValue *operands[2] = { goban_onnx_in (op, 0), goban_onnx_in (op, 3) };
  GobanOnnxOp both = { .n_in = 2, .in = operands };
  GobanOnnxValue shape;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (goban_onnx_broadcast (&both, 0, &shape))
    goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), shape.dims, shape.n_dims);
}

static const GobanOnnxRule rules[] = {
  { "Attention", shape_attention, .cost = cost_attention },
  { "BiasGelu", goban_onnx_shape_same, .steps = 6 },
  { "EmbedLayerNormalization", shape_embed, .steps = 9, .touch = GOBAN_ONNX_TOUCH_OUTPUT },
  { "FastGelu", goban_onnx_shape_same, .steps = 8 }, /* x/2 (1 + tanh (a (x + b x^3))) */
  { "GroupQueryAttention", goban_onnx_shape_same, .cost = cost_attention },
  { "MatMulNBits", shape_matmul_nbits, .cost = cost_matmul_nbits },
  { "MultiHeadAttention", shape_split_attention, .cost = cost_attention },
  { "QLinearAdd", shape_qlinear_binary, .steps = 1 },
  { "QLinearLeakyRelu", goban_onnx_shape_same, .steps = 2 },
  { "QLinearMul", shape_qlinear_binary, .steps = 1 },
  { "QLinearSigmoid", goban_onnx_shape_same, .steps = 4 },
  { "QuickGelu", goban_onnx_shape_same, .steps = 5 },
  { "RotaryEmbedding", goban_onnx_shape_same, .steps = 3 },
  { "SimplifiedLayerNormalization", goban_onnx_shape_same, .steps = 4 },
  { "SkipLayerNormalization", shape_skip_norm, .steps = 8 },
  { "SkipSimplifiedLayerNormalization", shape_skip_norm, .steps = 5 },
};

const GobanOnnxRules goban_onnx_rules_contrib = { rules, G_N_ELEMENTS (rules) };
