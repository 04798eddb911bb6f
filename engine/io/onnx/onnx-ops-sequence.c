/* Lists of tensors. The value of a list has one extent more than its tensors, in front: how many
 * they are. Extents in which tensors of a list differ are unknown. */
#include <math.h>
#include <string.h>

#include "engine/io/onnx/onnx-ops.h"

/* @n tensors of @dims (@n_dims) as output 0. */
static void
set_list (GobanOnnxOp *op, double n, const gint64 *dims, guint n_dims)
{
  gint64 all[GOBAN_ONNX_MAX_DIMS + 1] = { goban_onnx_extent (n) };

  memcpy (all + 1, dims, n_dims * sizeof *dims);
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), all, n_dims + 1);
}

/* How many there are in a list; NAN if it is unknown. */
static double
count_list (const GobanOnnxValue *list)
{
  return list != NULL && list->n_dims > 0 && list->dims[0] >= 0 ? (double) list->dims[0]
                                                                : (double) NAN;
}

/* Leaves extents unknown in which a further tensor differs. FALSE if its rank does. */
static gboolean
agree (gint64 *dims, guint n_dims, const GobanOnnxValue *with)
{
  if (with == NULL || with->n_dims != n_dims)
    return FALSE;
  for (guint d = 0; d < n_dims; d++)
    if (dims[d] != with->dims[d])
      dims[d] = -1;
  return TRUE;
}

static void
shape_construct (GobanOnnxOp *op)
{
  const GobanOnnxValue *first = goban_onnx_in_ranked (op, 0);
  GobanOnnxValue tensor;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (first == NULL)
    return;
  tensor = *first;
  for (guint i = 1; i < op->n_in; i++)
    if (!agree (tensor.dims, tensor.n_dims, goban_onnx_in_ranked (op, i)))
      return;
  set_list (op, op->n_in, tensor.dims, tensor.n_dims);
}

static void
shape_empty (GobanOnnxOp *op)
{
  gint64 none = 0;

  goban_onnx_set (op, 0,
                  (int) goban_onnx_attr_int (op, "dtype", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT),
                  &none, 1);
}

static void
shape_at (GobanOnnxOp *op)
{
  const GobanOnnxValue *list = goban_onnx_in_ranked (op, 0);

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (list != NULL && list->n_dims > 0)
    goban_onnx_set (op, 0, list->dtype, list->dims + 1, list->n_dims - 1);
}

/* An empty list, or one of which nothing is known, becomes one of tensors as this. */
static void
shape_insert (GobanOnnxOp *op)
{
  const GobanOnnxValue *list = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *tensor = goban_onnx_in_ranked (op, 1);
  double n = count_list (list);
  GobanOnnxValue other;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (tensor == NULL)
    return;
  other = *tensor;
  if (list != NULL && n != 0)
    {
      GobanOnnxValue of_list = *list;

      of_list.n_dims = list->n_dims - (list->n_dims > 0);
      memmove (of_list.dims, of_list.dims + 1, of_list.n_dims * sizeof *of_list.dims);
      if (!agree (other.dims, other.n_dims, &of_list))
        return;
    }
  set_list (op, n + 1, other.dims, other.n_dims);
}

static void
shape_erase (GobanOnnxOp *op)
{
  const GobanOnnxValue *list = goban_onnx_in_ranked (op, 0);

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (list != NULL && list->n_dims > 0)
    set_list (op, count_list (list) - 1, list->dims + 1, list->n_dims - 1);
}

static void
shape_length (GobanOnnxOp *op)
{
  goban_onnx_set (op, 0, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, NULL, 0);
}

static void
shape_join (GobanOnnxOp *op)
{
  const GobanOnnxValue *list = goban_onnx_in_ranked (op, 0);
  gboolean is_new = goban_onnx_attr_int (op, "new_axis", 0) != 0;
  guint n_dims = list != NULL && list->n_dims > 0 ? list->n_dims - 1 + is_new : 0;
  int axis = goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 0), n_dims);
  gint64 dims[GOBAN_ONNX_MAX_DIMS + 1];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (axis < 0)
    return;
  for (guint d = 0, k = 1; d < n_dims; d++)
    dims[d] = is_new && d == (guint) axis ? 1 : list->dims[k++];
  dims[axis] = dims[axis] < 0 ? -1 : goban_onnx_extent (count_list (list) * (double) dims[axis]);
  goban_onnx_set (op, 0, list->dtype, dims, n_dims);
}

/* Into pieces of one length, whose last may be shorter, of a list of lengths, or of one each. */
static void
shape_split_up (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  const GobanOnnxValue *split = goban_onnx_in (op, 1);
  GobanOnnxList lengths = goban_onnx_list (op, "split", 1);
  int axis
      = x != NULL ? goban_onnx_axis ((double) goban_onnx_attr_int (op, "axis", 0), x->n_dims) : -1;
  gboolean drops = split == NULL && goban_onnx_attr_int (op, "keepdims", 1) == 0;
  double extent, piece = 1, n;
  GobanOnnxValue part;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (axis < 0)
    return;
  extent = n = x->dims[axis] >= 0 ? (double) x->dims[axis] : (double) NAN;
  if (split != NULL)
    piece = lengths.is_known && lengths.n > 0 && lengths.values[0] > 0 ? lengths.values[0]
                                                                       : (double) NAN;
  if (split != NULL && split->has_rank && split->n_dims == 1)
    {
      n = count_list (split);
      for (guint i = 1; i < lengths.n; i++)
        if (lengths.values[i] != piece)
          piece = NAN;
    }
  else if (split != NULL)
    {
      n = ceil (extent / piece);
      if (n * piece != extent)
        piece = n == 1 ? extent : (double) NAN;
    }
  part = *x;
  part.dims[axis] = goban_onnx_extent (piece);
  if (drops)
    {
      part.n_dims--;
      memmove (part.dims + axis, part.dims + axis + 1,
               (part.n_dims - (guint) axis) * sizeof *part.dims);
    }
  set_list (op, n, part.dims, part.n_dims);
}

#define OUTPUT GOBAN_ONNX_TOUCH_OUTPUT
#define NONE GOBAN_ONNX_TOUCH_NONE

static const GobanOnnxRule rules[] = {
  { "ConcatFromSequence", shape_join, .steps = 0 },
  { "SequenceAt", shape_at, .touch = OUTPUT },
  { "SequenceConstruct", shape_construct, .steps = 0 },
  { "SequenceEmpty", shape_empty, .touch = NONE },
  { "SequenceErase", shape_erase, .touch = OUTPUT },
  { "SequenceInsert", shape_insert, .steps = 0 },
  { "SequenceLength", shape_length, .touch = NONE },
  { "SplitToSequence", shape_split_up, .touch = OUTPUT },
};

const GobanOnnxRules goban_onnx_rules_sequence = { rules, G_N_ELEMENTS (rules) };
