/* Many elements to one or to a few: reductions, extremes, selections. */
#include "engine/io/onnx/onnx-fold.h"
#include "engine/io/onnx/onnx-ops.h"

#define INT64 ONNX__TENSOR_PROTO__DATA_TYPE__INT64

/* Axes as attribute, in newer opsets as input 1; none means all, or none if so marked. */
static void
shape_reduce (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gboolean keeps = goban_onnx_attr_int (op, "keepdims", 1) != 0;
  GobanOnnxList list = goban_onnx_list (op, "axes", 1);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint32 axes = 0;
  guint n = 0;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || (list.is_present && !goban_onnx_axes (&list, x->n_dims, &axes)))
    return;
  if (list.n == 0 && goban_onnx_attr_int (op, "noop_with_empty_axes", 0) == 0)
    axes = G_MAXUINT32;
  for (guint i = 0; i < x->n_dims; i++)
    if ((axes & (1u << i)) == 0)
      dims[n++] = x->dims[i];
    else if (keeps)
      dims[n++] = 1;
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, n);
}

static void
shape_arg (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 0), x->n_dims) : -1;
  gboolean keeps = goban_onnx_attr_int (op, "keepdims", 1) != 0;
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint n = 0;

  goban_onnx_set_dtype (op, 0, INT64);
  if (axis < 0)
    return;
  for (guint i = 0; i < x->n_dims; i++)
    if (i != (guint) axis)
      dims[n++] = x->dims[i];
    else if (keeps)
      dims[n++] = 1;
  goban_onnx_set (op, 0, INT64, dims, n);
}

/* Values and indices; how many is an attribute in old opsets and input 1 later. */
static void
shape_top_k (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", -1), x->n_dims) : -1;
  GobanOnnxList k = goban_onnx_list (op, "k", 1);

  for (guint i = 0; i < 2 && i < op->n_out; i++)
    {
      int dtype = i == 0 ? goban_onnx_in_dtype (op, 0) : INT64;

      goban_onnx_set_dtype (op, i, dtype);
      if (axis < 0)
        continue;
      goban_onnx_set_like (op, i, dtype, x);
      op->out[i].dims[axis] = k.is_known && k.n == 1 ? goban_onnx_extent (k.values[0]) : -1;
    }
}

static void
shape_multinomial (GobanOnnxOp *op)
{
  gint64 dims[2]
      = { goban_onnx_dim (goban_onnx_in (op, 0), 0), goban_onnx_attr_int (op, "sample_size", 1) };
  int dtype = (int) goban_onnx_attr_int (op, "dtype", ONNX__TENSOR_PROTO__DATA_TYPE__INT32);

  goban_onnx_set (op, 0, dtype, dims, 2);
}

/* How many boxes stay depends on the data. */
static void
shape_suppression (GobanOnnxOp *op)
{
  const gint64 dims[2] = { -1, 3 };

  goban_onnx_set (op, 0, INT64, dims, 2);
}

static void
shape_unique (GobanOnnxOp *op)
{
  const gint64 unknown = -1;
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 0), x->n_dims) : -1;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (goban_onnx_attr (op, "axis") == NULL)
    goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), &unknown, 1);
  else if (axis >= 0)
    {
      goban_onnx_set_like (op, 0, goban_onnx_in_dtype (op, 0), x);
      op->out[0].dims[axis] = -1;
    }
  for (guint i = 1; i < op->n_out; i++)
    goban_onnx_set (op, i, INT64, &unknown, 1);
}

/* A loss of each example, or one of all. SoftmaxCrossEntropyLoss has the logarithms, too. */
static void
shape_loss (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint n = 0;

  for (guint i = 0; i < 2 && i < op->n_out; i++)
    goban_onnx_set_dtype (op, i, goban_onnx_in_dtype (op, 0));
  if (x == NULL)
    return;
  if (goban_onnx_attr_is (op, "reduction", "none"))
    for (guint i = 0; i < x->n_dims; i++)
      if (i != 1)
        dims[n++] = x->dims[i];
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, n);
  if (op->n_out > 1)
    goban_onnx_set_like (op, 1, goban_onnx_in_dtype (op, 0), x);
}

#define REDUCE(name, n)                                                                            \
  {                                                                                                \
    name, shape_reduce, .cost = goban_onnx_cost_input, .steps = n, .fold = goban_onnx_fold_reduce  \
  }

static const GobanOnnxRule rules[] = {
  { "ArgMax", shape_arg, .cost = goban_onnx_cost_input, .steps = 1 },
  { "ArgMin", shape_arg, .cost = goban_onnx_cost_input, .steps = 1 },
  { "CumSum", goban_onnx_shape_same, .steps = 1 },
  { "Multinomial", shape_multinomial, .cost = goban_onnx_cost_input, .steps = 1 },
  { "NegativeLogLikelihoodLoss", shape_loss, .cost = goban_onnx_cost_input, .steps = 1 },
  { "NonMaxSuppression", shape_suppression, .cost = goban_onnx_cost_input, .steps = 1 },
  REDUCE ("ReduceL1", 2),
  REDUCE ("ReduceL2", 2),
  REDUCE ("ReduceLogSum", 1),
  REDUCE ("ReduceLogSumExp", 2),
  REDUCE ("ReduceMax", 1),
  REDUCE ("ReduceMean", 1),
  REDUCE ("ReduceMin", 1),
  REDUCE ("ReduceProd", 1),
  REDUCE ("ReduceSum", 1),
  REDUCE ("ReduceSumSquare", 2),
  { "SoftmaxCrossEntropyLoss", shape_loss, .cost = goban_onnx_cost_input, .steps = 5 },
  { "TopK", shape_top_k, .cost = goban_onnx_cost_input,
    .steps = 1 }, /* at least one comparison an element */
  { "Unique", shape_unique, .cost = goban_onnx_cost_input, .steps = 1 },
};

const GobanOnnxRules goban_onnx_rules_reduce = { rules, G_N_ELEMENTS (rules) };
