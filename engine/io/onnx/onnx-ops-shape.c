/* Giving elements another shape, asking for shapes, and making tensors from them. */
#include <math.h>

#include "engine/io/onnx/onnx-fold.h"
#include "engine/io/onnx/onnx-ops.h"

#define INT64 ONNX__TENSOR_PROTO__DATA_TYPE__INT64

/* --- Reshape ------------------------------------------------------------- */

/* Extents of a target shape with 0 (copy) resolved, -1 for those to find out. */
static guint
resolve_target (const GobanOnnxOp *op, const GobanOnnxList *target, gint64 *dims)
{
  gboolean allow_zero = goban_onnx_attr_int (op, "allowzero", 0) != 0;
  guint n_open = 0;

  for (guint i = 0; i < target->n; i++)
    {
      if (isnan (target->values[i]))
        dims[i] = -1;
      else if (target->values[i] == 0 && !allow_zero)
        dims[i] = goban_onnx_dim (goban_onnx_in (op, 0), i);
      else
        dims[i] = goban_onnx_extent (target->values[i]);
      n_open += dims[i] < 0;
    }
  return n_open;
}

/* The extent of the one open axis so that @elements fit; -1 if they do not. */
static gint64
find_open (const gint64 *dims, guint n, double elements)
{
  double product = 1;

  for (guint i = 0; i < n; i++)
    if (dims[i] >= 0)
      product *= (double) dims[i];
  if (product == 0)
    return elements == 0 ? 0 : -1;
  return fmod (elements, product) == 0 ? goban_onnx_extent (elements / product) : -1;
}

static double
get_product (const gint64 *dims, guint n)
{
  double product = 1;

  for (guint i = 0; i < n; i++)
    product *= (double) dims[i];
  return product;
}

/* A file made for one batch may say so in the targets of its reshapes. Where another batch
 * was asked for, a first extent of the old batch becomes the new one if the elements fit
 * then: always for data without an open axis, and with one where the input follows the
 * batch, as weights do not. */
static gboolean
adapt_batch (GobanOnnxOp *op, gint64 *dims, guint n, guint n_open, double elements)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);

  if (op->old_batch == 0 || n == 0 || dims[0] != op->old_batch || !x->varies || n_open > 1)
    return FALSE;
  if (n_open == 0 && get_product (dims, n) == elements)
    return FALSE;
  dims[0] = op->new_batch;
  if (n_open == 0 ? get_product (dims, n) == elements : find_open (dims, n, elements) >= 0)
    return TRUE;
  dims[0] = op->old_batch;
  return FALSE;
}

/* The target as far as known, NAN for open extents; FALSE if not even its length is. */
static gboolean
get_target (const GobanOnnxOp *op, GobanOnnxList *target)
{
  const GobanOnnxValue *input = goban_onnx_in (op, 1);
  gint64 length = goban_onnx_dim (input, 0);

  if (op->opset < 5 || input == NULL)
    {
      *target = goban_onnx_list (op, "shape", G_MAXUINT);
      return target->is_known;
    }
  if (input->data != NULL)
    length = input->n_data;
  if (length < 0 || length > GOBAN_ONNX_MAX_DIMS || (input->has_rank && input->n_dims > 1))
    return FALSE;

  target->n = (guint) length;
  for (guint i = 0; i < target->n; i++)
    target->values[i] = input->data != NULL ? input->data[i] : (double) NAN;
  return TRUE;
}

static void
shape_reshape (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in (op, 0);
  double elements = x != NULL ? goban_onnx_value_elements (x) : (double) NAN;
  GobanOnnxList target = { 0 };
  gint64 dims[2 * GOBAN_ONNX_MAX_DIMS];
  guint n_open;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || !get_target (op, &target))
    return;

  n_open = resolve_target (op, &target, dims);
  if (!isnan (elements))
    {
      op->adapted = adapt_batch (op, dims, target.n, n_open, elements);
      for (guint i = 0; n_open == 1 && i < target.n; i++)
        if (dims[i] < 0)
          {
            dims[i] = find_open (dims, target.n, elements);
            break;
          }
      /* A shape with another number of elements is invalid. */
      if (n_open == 0 && get_product (dims, target.n) != elements)
        return;
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, target.n);
}

static void
shape_flatten (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gint64 axis = goban_onnx_attr_int (op, "axis", 1);
  double sides[2] = { 1, 1 };
  gint64 dims[2];

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || axis > x->n_dims || axis < -(gint64) x->n_dims)
    return;
  if (axis < 0)
    axis += x->n_dims;
  for (guint i = 0; i < x->n_dims; i++)
    sides[i >= axis] *= x->dims[i] >= 0 ? (double) x->dims[i] : (double) NAN;
  for (guint i = 0; i < 2; i++)
    dims[i] = goban_onnx_extent (sides[i]);
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, 2);
}

/* Without axes, every extent of 1 goes. */
static void
shape_squeeze (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList list = goban_onnx_list (op, "axes", 1);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint32 axes = 0;
  guint n = 0;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || (list.is_present && !goban_onnx_axes (&list, x->n_dims, &axes)))
    return;
  for (guint i = 0; i < x->n_dims; i++)
    {
      if (!list.is_present && x->dims[i] < 0)
        return;
      if (list.is_present ? (axes & (1u << i)) == 0 : x->dims[i] != 1)
        dims[n++] = x->dims[i];
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, n);
}

static void
shape_unsqueeze (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList list = goban_onnx_list (op, "axes", 1);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint32 axes;
  guint rank, at = 0;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || x->n_dims + list.n > GOBAN_ONNX_MAX_DIMS)
    return;
  rank = x->n_dims + list.n;
  if (!goban_onnx_axes (&list, rank, &axes))
    return;
  for (guint i = 0; i < rank; i++)
    {
      gboolean is_new = (axes & (1u << i)) != 0;

      if (!is_new && at == x->n_dims)
        return; /* an axis was named twice */
      dims[i] = is_new ? 1 : x->dims[at++];
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, rank);
}

/* The input and the target broadcast together, both ways. */
static void
shape_expand (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  GobanOnnxList target = { 0 };
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  guint rank;

  goban_onnx_set_dtype (op, 0, goban_onnx_in_dtype (op, 0));
  if (x == NULL || goban_onnx_in (op, 1) == NULL || !get_target (op, &target)
      || target.n > GOBAN_ONNX_MAX_DIMS)
    return;
  rank = MAX (x->n_dims, target.n);
  for (guint i = 0; i < rank; i++)
    {
      guint behind = rank - i;
      gint64 a = behind <= x->n_dims ? x->dims[x->n_dims - behind] : 1;
      double b = behind <= target.n ? target.values[target.n - behind] : 1;

      dims[i] = goban_onnx_broadcast_extent (a, goban_onnx_extent (b));
    }
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), dims, rank);
}

/* --- asking and making --------------------------------------------------- */

static void
shape_shape (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gint64 begin = goban_onnx_attr_int (op, "start", 0);
  gint64 end = goban_onnx_attr_int (op, "end", G_MAXINT64);
  gint64 length = -1;

  if (x != NULL)
    {
      gint64 rank = x->n_dims;

      begin = CLAMP (begin < 0 ? begin + rank : begin, 0, rank);
      end = CLAMP (end < 0 ? end + rank : end, 0, rank);
      length = MAX (end - begin, 0);
    }
  goban_onnx_set (op, 0, INT64, &length, 1);
}

static void
shape_size (GobanOnnxOp *op)
{
  goban_onnx_set (op, 0, INT64, NULL, 0);
}

static void
shape_constant (GobanOnnxOp *op)
{
  static const struct
  {
    const char *name;
    int dtype;
    gboolean is_list;
  } forms[] = {
    { "value_int", INT64, FALSE },
    { "value_ints", INT64, TRUE },
    { "value_float", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, FALSE },
    { "value_floats", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, TRUE },
    { "value_string", ONNX__TENSOR_PROTO__DATA_TYPE__STRING, FALSE },
    { "value_strings", ONNX__TENSOR_PROTO__DATA_TYPE__STRING, TRUE },
  };
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, "value");
  GobanOnnxValue value = { 0 };

  if (attr == NULL)
    attr = goban_onnx_attr (op, "sparse_value");
  if (attr != NULL && attr->t != NULL)
    {
      if (goban_onnx_value_from_tensor (&value, attr->t, "", NULL)) /* the reader has checked it */
        goban_onnx_set_like (op, 0, value.dtype, &value);
      goban_onnx_value_clear (&value);
      return;
    }
  if (attr != NULL && attr->sparse_tensor != NULL && attr->sparse_tensor->values != NULL
      && attr->sparse_tensor->n_dims <= GOBAN_ONNX_MAX_DIMS)
    goban_onnx_set (op, 0, attr->sparse_tensor->values->data_type, attr->sparse_tensor->dims,
                    (guint) attr->sparse_tensor->n_dims);

  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      attr = goban_onnx_attr (op, forms[i].name);
      if (attr != NULL)
        {
          gint64 length = (gint64) (attr->n_ints + attr->n_floats + attr->n_strings);

          goban_onnx_set (op, 0, forms[i].dtype, &length, forms[i].is_list ? 1 : 0);
        }
    }
}

static void
shape_constant_of_shape (GobanOnnxOp *op)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, "value");
  int dtype
      = attr != NULL && attr->t != NULL ? attr->t->data_type : ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
  const GobanOnnxValue *shape = goban_onnx_in (op, 0);
  gint64 dims[GOBAN_ONNX_MAX_DIMS];
  gint64 n
      = shape != NULL && shape->data != NULL ? (gint64) shape->n_data : goban_onnx_dim (shape, 0);

  goban_onnx_set_dtype (op, 0, dtype);
  if (n < 0 || n > GOBAN_ONNX_MAX_DIMS)
    return;
  for (gint64 i = 0; i < n; i++)
    dims[i] = shape->data != NULL ? goban_onnx_extent (shape->data[i]) : -1;
  goban_onnx_set (op, 0, dtype, dims, (guint) n);
}

/* (start, limit, delta) */
static void
shape_range (GobanOnnxOp *op)
{
  double v[3];
  gint64 length;

  for (guint i = 0; i < 3; i++)
    {
      const GobanOnnxValue *in = goban_onnx_in (op, i);

      v[i] = in != NULL && in->n_data == 1 ? in->data[0] : (double) NAN;
    }
  length = v[2] == 0 ? -1 : goban_onnx_extent (fmax (ceil ((v[1] - v[0]) / v[2]), 0));
  if (isnan (v[0] + v[1] + v[2]))
    length = -1;
  goban_onnx_set (op, 0, goban_onnx_in_dtype (op, 0), &length, 1);
}

static void
shape_random (GobanOnnxOp *op)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, "shape");
  int dtype = (int) goban_onnx_attr_int (op, "dtype", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT);

  goban_onnx_set_dtype (op, 0, dtype);
  if (attr != NULL && attr->n_ints <= GOBAN_ONNX_MAX_DIMS)
    goban_onnx_set (op, 0, dtype, attr->ints, (guint) attr->n_ints);
}

static void
shape_eye_like (GobanOnnxOp *op)
{
  int dtype = (int) goban_onnx_attr_int (op, "dtype", goban_onnx_in_dtype (op, 0));

  goban_onnx_set_like (op, 0, dtype, goban_onnx_in (op, 0));
}

/* A row per axis, a column per element that is not zero: known if the data are. */
static void
shape_non_zero (GobanOnnxOp *op)
{
  const GobanOnnxValue *x = goban_onnx_in_ranked (op, 0);
  gint64 dims[2] = { -1, -1 };

  if (x != NULL)
    dims[0] = x->n_dims;
  if (x != NULL && x->data != NULL)
    {
      dims[1] = 0;
      for (guint i = 0; i < x->n_data && dims[1] >= 0; i++)
        dims[1] = isnan (x->data[i]) ? -1 : dims[1] + (x->data[i] != 0);
    }
  goban_onnx_set (op, 0, INT64, dims, 2);
}

#define NONE GOBAN_ONNX_TOUCH_NONE
#define OUTPUT GOBAN_ONNX_TOUCH_OUTPUT

static const GobanOnnxRule rules[] = {
  { "Constant", shape_constant, .touch = NONE, .fold = goban_onnx_fold_constant },
  { "ConstantOfShape", shape_constant_of_shape, .fold = goban_onnx_fold_constant_of_shape },
  { "Expand", shape_expand, .touch = OUTPUT, .fold = goban_onnx_fold_expand },
  { "EyeLike", shape_eye_like, .steps = 0 },
  { "Flatten", shape_flatten, .touch = NONE, .fold = goban_onnx_fold_copy },
  { "NonZero", shape_non_zero, .steps = 1 },
  { "RandomNormal", shape_random, .steps = 1 },
  { "RandomUniform", shape_random, .steps = 1 },
  { "Range", shape_range, .steps = 1, .fold = goban_onnx_fold_range },
  { "Reshape", shape_reshape, .touch = NONE, .fold = goban_onnx_fold_copy },
  { "Shape", shape_shape, .touch = NONE, .fold = goban_onnx_fold_shape },
  { "Size", shape_size, .touch = NONE, .fold = goban_onnx_fold_size },
  { "Squeeze", shape_squeeze, .touch = NONE, .fold = goban_onnx_fold_copy },
  { "Unsqueeze", shape_unsqueeze, .touch = NONE, .fold = goban_onnx_fold_copy },
};

const GobanOnnxRules goban_onnx_rules_shape = { rules, G_N_ELEMENTS (rules) };
