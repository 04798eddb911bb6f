/* Moving elements: joining, cutting, picking, turning. No arithmetic, only memory. */
#include <math.h>

#include "engine/io/onnx/onnx-fold.h"
#include "engine/io/onnx/onnx-ops.h"

static void
shape_concat (GobanOnnxOp *op)
{
  const GobanOnnxValue *first = goban_onnx_in_ranked (op, 0);
  int axis = first != NULL
                 ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 1), first->n_dims)
                 : -1;
  double total = 0;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (axis < 0 || op->n_out == 0)
    return;
  goban_onnx_shape_same (op);
  for (guint i = 0; i < op->n_in; i++)
    {
      const GobanOnnxValue *in = goban_onnx_in_ranked (op, i);

      if (in == NULL || in->n_dims != first->n_dims)
        {
          total = NAN;
          break;
        }
      total += in->dims[axis] >= 0 ? (double) in->dims[axis] : (double) NAN;
      /* Another input may know an extent that the first does not. */
      for (guint d = 0; d < in->n_dims; d++)
        op->out[0].dims[d] = MAX (op->out[0].dims[d], in->dims[d]);
    }
  op->out[0].dims[axis] = goban_onnx_extent (total);
}

/* Lengths as attribute, from opset 13 as input 1; without them, parts as equal as can be. */
static void
shape_split (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList lengths = goban_onnx_list (op, "split", 1);
  gint64 axis_attr = goban_onnx_attr_int (op, "axis", 0);
  int axis = x != NULL ? goban_onnx_axis ((double) axis_attr, x->n_dims) : -1;
  double extent = axis >= 0 ? (double) x->dims[axis] : -1;
  double part = op->n_out > 0 ? ceil (extent / op->n_out) : 0;

  for (guint i = 0; i < op->n_out; i++)
    {
      goban_onnx_set_dtype (op, i, goban_onnx_in_dtype (op, 0));
      if (axis < 0)
        continue;
      goban_onnx_set_like (op, i, x->dtype, x);
      if (lengths.is_present)
        op->out[i].dims[axis]
            = lengths.is_known && i < lengths.n ? goban_onnx_extent (lengths.values[i]) : -1;
      else
        op->out[i].dims[axis]
            = extent < 0 ? -1 : goban_onnx_extent (CLAMP (extent - i * part, 0, part));
    }
}

/* How many elements begin, begin + step, ... there are before end. */
static gint64
count_slice (double extent, double begin, double end, double step)
{
  if (step == 0)
    return -1;
  if (begin < 0)
    begin += extent;
  if (end < 0)
    end += extent;
  begin = CLAMP (begin, 0, step > 0 ? extent : extent - 1);
  end = CLAMP (end, step > 0 ? 0 : -1, extent);
  return goban_onnx_extent (MAX (ceil ((end - begin) / step), 0));
}

static void
shape_slice (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList starts = goban_onnx_list (op, "starts", 1);
  GobanOnnxList ends = goban_onnx_list (op, "ends", 2);
  GobanOnnxList axes = goban_onnx_list (op, "axes", 3);
  GobanOnnxList steps = goban_onnx_list (op, "steps", 4);
  guint n;

  goban_onnx_shape_same (op);
  if (x == NULL || op->n_out == 0)
    return;

  n = axes.is_known ? axes.n : MAX (starts.n, ends.n);
  if ((axes.is_present && !axes.is_known) || (n == 0 && !(starts.is_known && ends.is_known)))
    {
      for (guint d = 0; d < x->n_dims; d++)
        op->out[0].dims[d] = -1;
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      int axis = goban_onnx_axis (axes.is_known ? axes.values[i] : i, x->n_dims);
      gboolean is_known = starts.is_known && i < starts.n && ends.is_known && i < ends.n
                          && (!steps.is_present || (steps.is_known && i < steps.n));

      if (axis < 0)
        continue;
      op->out[0].dims[axis]
          = is_known && x->dims[axis] >= 0
                ? count_slice ((double) x->dims[axis], starts.values[i], ends.values[i],
                               steps.is_present ? steps.values[i] : 1)
                : -1;
    }
}

/* The axis is replaced by the shape of the indices. */
static void
shape_gather (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *indices = goban_onnx_in_ranked (op, 1);
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 0), x->n_dims) : -1;
  gint64 dims[2 * GOBAN_ONNX_MAX_DIMS];
  guint n = 0;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (axis < 0 || indices == NULL)
    return;
  for (int d = 0; d < axis; d++)
    dims[n++] = x->dims[d];
  for (guint d = 0; d < indices->n_dims; d++)
    dims[n++] = indices->dims[d];
  for (guint d = (guint) axis + 1; d < x->n_dims; d++)
    dims[n++] = x->dims[d];
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, n);
}

static void
shape_gather_elements (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, goban_onnx_in_dtype (op, 0), goban_onnx_in (op, 1));
}

/* indices: ..., k; output: ..., and the axes of x after the batch axes and k more */
static void
shape_gather_nd (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *indices = goban_onnx_in_ranked (op, 1);
  gint64 depth = goban_onnx_dim (indices, -1);
  gint64 batch_dims = goban_onnx_attr_int (op, "batch_dims", 0);
  gint64 dims[2 * GOBAN_ONNX_MAX_DIMS];
  guint n = 0;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || depth < 0 || batch_dims < 0 || batch_dims > x->n_dims
      || depth > (gint64) x->n_dims - batch_dims)
    return;
  for (guint d = 0; d + 1 < indices->n_dims; d++)
    dims[n++] = indices->dims[d];
  for (guint d = (guint) (batch_dims + depth); d < x->n_dims; d++)
    dims[n++] = x->dims[d];
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, n);
}

/* Attribute perm, by default all axes in reverse. */
static void
shape_transpose (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL)
    return;
  for (guint i = 0; i < x->n_dims; i++)
    dims[i] = goban_onnx_dim (x, goban_onnx_attr_at (op, "perm", i, (gint64) x->n_dims - 1 - i));
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, x->n_dims);
}

static void
shape_tile (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *repeats = goban_onnx_in (op, 1);

  goban_onnx_shape_same (op);
  for (guint d = 0; x != NULL && op->n_out > 0 && d < x->n_dims; d++)
    op->out[0].dims[d]
        = repeats != NULL && repeats->data != NULL && d < repeats->n_data && x->dims[d] >= 0
              ? goban_onnx_extent ((double) x->dims[d] * repeats->data[d])
              : -1;
}

/* All beginnings, then all ends, over all axes or (opset 18) those of input 3. */
static void
shape_pad (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList pads = goban_onnx_list (op, op->opset < 2 ? "paddings" : "pads", 1);
  GobanOnnxList axes = goban_onnx_list (op, "", 3);
  guint n;

  goban_onnx_shape_same (op);
  if (x == NULL || op->n_out == 0)
    return;
  n = axes.is_known ? axes.n : x->n_dims;
  for (guint i = 0; i < n; i++)
    {
      int axis = goban_onnx_axis (axes.is_known ? axes.values[i] : i, x->n_dims);

      if (axis < 0)
        continue;
      op->out[0].dims[axis]
          = pads.is_known && n + i < pads.n && x->dims[axis] >= 0
                ? goban_onnx_extent ((double) x->dims[axis] + pads.values[i] + pads.values[n + i])
                : -1;
    }
}

/* A new axis of as many as input 1 says, at the end or at @axis. */
static void
shape_one_hot (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *depth = goban_onnx_in (op, 1);
  int axis = x != NULL
                 ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", -1), x->n_dims + 1)
                 : -1;
  gint64 dims[GOBAN_ONNX_MAX_DIMS + 1];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 2));
  if (axis < 0)
    return;
  for (guint d = 0; d < x->n_dims; d++)
    dims[d < (guint) axis ? d : d + 1] = x->dims[d];
  dims[axis] = depth != NULL && depth->n_data == 1 ? goban_onnx_extent (depth->data[0]) : -1;
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 2), dims, x->n_dims + 1);
}

/* How many are picked depends on the data. */
static void
shape_compress (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gboolean has_axis = goban_onnx_attr (op, "axis") != NULL;
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 0), x->n_dims) : -1;
  gint64 unknown = -1;

  if (!has_axis)
    goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), &unknown, 1);
  else
    {
      goban_onnx_shape_same (op);
      if (axis >= 0 && op->n_out > 0)
        op->out[0].dims[axis] = -1;
    }
}

#define OUTPUT GOBAN_ONNX_TOUCH_OUTPUT

static const GobanOnnxRule rules[] = {
  { "Compress", shape_compress, .touch = OUTPUT },
  { "Concat", shape_concat, .fold = goban_onnx_fold_concat },
  { "Gather", shape_gather, .touch = OUTPUT, .fold = goban_onnx_fold_gather },
  { "GatherElements", shape_gather_elements, .touch = OUTPUT },
  { "GatherND", shape_gather_nd, .touch = OUTPUT },
  { "OneHot", shape_one_hot, .steps = 0 },
  { "Pad", shape_pad, .steps = 0 },
  { "ReverseSequence", goban_onnx_shape_same, .steps = 0 },
  { "Scatter", goban_onnx_shape_same, .steps = 0 },
  { "ScatterElements", goban_onnx_shape_same, .steps = 0 },
  { "ScatterND", goban_onnx_shape_same, .steps = 0 },
  { "Slice", shape_slice, .touch = OUTPUT, .fold = goban_onnx_fold_slice },
  { "Split", shape_split, .touch = OUTPUT, .fold = goban_onnx_fold_split },
  { "Tile", shape_tile, .touch = OUTPUT },
  { "Transpose", shape_transpose, .steps = 0 },
  { "Trilu", goban_onnx_shape_same, .steps = 0 },
};

const GobanOnnxRules goban_onnx_rules_index = { rules, G_N_ELEMENTS (rules) };
