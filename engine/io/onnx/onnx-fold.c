#include "engine/io/onnx/onnx-fold.h"

#include <math.h>
#include <string.h>

static double *
start (GobanOnnxOp *op, guint output)
{
  GobanOnnxValue *out = &op->out[output];

  g_assert (out->data == NULL);
  out->n_data = (guint) goban_onnx_value_elements (out);
  out->data = g_new (double, out->n_data + 1);
  return out->data;
}

static gboolean
is_integer (int dtype)
{
  return !goban_onnx_dtype_is_float (dtype);
}

/* --- arithmetic ---------------------------------------------------------- */

typedef struct
{
  const char *op;
  double (*apply) (double a, double b);
} Arithmetic;

static double
add (double a, double b)
{
  return a + b;
}

static double
subtract (double a, double b)
{
  return a - b;
}

static double
multiply (double a, double b)
{
  return a * b;
}

static double
divide (double a, double b)
{
  return b != 0 ? a / b : (double) NAN;
}

static double
modulo (double a, double b)
{
  return b != 0 ? a - floor (a / b) * b : (double) NAN;
}

static double
smaller (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : MIN (a, b);
}

static double
larger (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : MAX (a, b);
}

static double
is_equal (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : a == b;
}

static double
is_less (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : a < b;
}

static double
is_less_or_equal (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : a <= b;
}

static double
is_greater (double a, double b)
{
  return is_less (b, a);
}

static double
is_greater_or_equal (double a, double b)
{
  return is_less_or_equal (b, a);
}

static double
both (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : a != 0 && b != 0;
}

static double
either (double a, double b)
{
  return isnan (a) || isnan (b) ? (double) NAN : a != 0 || b != 0;
}

static const Arithmetic binaries[] = {
  { "Add", add },
  { "And", both },
  { "Div", divide },
  { "Equal", is_equal },
  { "Greater", is_greater },
  { "GreaterOrEqual", is_greater_or_equal },
  { "Less", is_less },
  { "LessOrEqual", is_less_or_equal },
  { "Max", larger },
  { "Min", smaller },
  { "Mod", modulo },
  { "Mul", multiply },
  { "Or", either },
  { "Pow", pow },
  { "Sub", subtract },
  { "Sum", add },
};

/* The element of @in under element @i of @out, which broadcasts it. */
static double
element_under (const GobanOnnxValue *in, const GobanOnnxValue *out, guint i)
{
  guint at = 0, stride = 1;

  for (guint d = 0; d < in->n_dims; d++)
    {
      guint in_axis = in->n_dims - 1 - d;
      guint extent = (guint) out->dims[out->n_dims - 1 - d];

      if (in->dims[in_axis] > 1)
        at += stride * (i % extent);
      stride *= (guint) in->dims[in_axis];
      i /= extent;
    }
  return at < in->n_data ? in->data[at] : (double) NAN;
}

/* Values are followed and the shapes fit under the output's. */
static gboolean
lies_under (const GobanOnnxValue *in, const GobanOnnxValue *out)
{
  if (in == NULL || in->data == NULL || in->n_dims > out->n_dims)
    return FALSE;
  for (guint d = 0; d < in->n_dims; d++)
    {
      gint64 extent = in->dims[in->n_dims - 1 - d];

      if (extent != 1 && extent != out->dims[out->n_dims - 1 - d])
        return FALSE;
    }
  return TRUE;
}

void
goban_onnx_fold_binary (GobanOnnxOp *op)
{
  GobanOnnxValue *out = &op->out[0];
  const Arithmetic *row = NULL;
  double *data;

  for (gsize i = 0; i < G_N_ELEMENTS (binaries); i++)
    if (strcmp (binaries[i].op, op->node->op_type) == 0)
      row = &binaries[i];
  for (guint i = 0; i < op->n_in; i++)
    if (!lies_under (op->in[i], out))
      return;
  if (row == NULL || op->n_in == 0)
    return;

  data = start (op, 0);
  for (guint i = 0; i < out->n_data; i++)
    {
      data[i] = element_under (op->in[0], out, i);
      for (guint j = 1; j < op->n_in; j++)
        data[i] = row->apply (data[i], element_under (op->in[j], out, i));
      if (row->apply == divide && is_integer (out->dtype))
        data[i] = trunc (data[i]);
    }
}

static double
apply_unary (const char *name, double a)
{
  if (strcmp (name, "Neg") == 0)
    return -a;
  if (strcmp (name, "Abs") == 0)
    return fabs (a);
  if (strcmp (name, "Floor") == 0)
    return floor (a);
  if (strcmp (name, "Ceil") == 0)
    return ceil (a);
  if (strcmp (name, "Round") == 0)
    return rint (a);
  if (strcmp (name, "Sqrt") == 0)
    return sqrt (a);
  if (strcmp (name, "Reciprocal") == 0)
    return divide (1, a);
  if (strcmp (name, "Relu") == 0)
    return larger (a, 0);
  if (strcmp (name, "Not") == 0)
    return isnan (a) ? a : a == 0;
  return NAN;
}

void
goban_onnx_fold_unary (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  double *data;

  if (in == NULL || !lies_under (in, &op->out[0]))
    return;
  data = start (op, 0);
  for (guint i = 0; i < op->out[0].n_data; i++)
    data[i] = apply_unary (op->node->op_type, element_under (in, &op->out[0], i));
}

void
goban_onnx_fold_where (GobanOnnxOp *op)
{
  GobanOnnxValue *out = &op->out[0];
  double *data;

  for (guint i = 0; i < 3; i++)
    if (!lies_under (goban_onnx_in (op, i), out))
      return;
  data = start (op, 0);
  for (guint i = 0; i < out->n_data; i++)
    {
      double chosen = element_under (op->in[0], out, i);

      data[i] = isnan (chosen) ? chosen : element_under (op->in[chosen != 0 ? 1 : 2], out, i);
    }
}

/* --- the same elements, moved -------------------------------------------- */

void
goban_onnx_fold_copy (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  gboolean truncates;
  double *data;

  if (in == NULL || in->data == NULL || in->n_data != goban_onnx_value_elements (&op->out[0]))
    return;
  truncates = is_integer (op->out[0].dtype) && !is_integer (in->dtype);
  data = start (op, 0);
  for (guint i = 0; i < in->n_data; i++)
    data[i] = truncates ? trunc (in->data[i]) : in->data[i];
}

void
goban_onnx_fold_expand (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  double *data;

  if (!lies_under (in, &op->out[0]))
    return;
  data = start (op, 0);
  for (guint i = 0; i < op->out[0].n_data; i++)
    data[i] = element_under (in, &op->out[0], i);
}

/* Folds vectors only, which shapes are. */
void
goban_onnx_fold_concat (GobanOnnxOp *op)
{
  double *data;
  guint at = 0, n = 0;

  if (op->out[0].n_dims != 1)
    return;
  for (guint i = 0; i < op->n_in; i++)
    {
      if (op->in[i] == NULL || op->in[i]->data == NULL)
        return;
      n += op->in[i]->n_data;
    }
  if (n != goban_onnx_value_elements (&op->out[0]))
    return;

  data = start (op, 0);
  for (guint i = 0; i < op->n_in; i++)
    for (guint j = 0; j < op->in[i]->n_data; j++)
      data[at++] = op->in[i]->data[j];
}

/* From a vector; the indices have the output's shape then. */
void
goban_onnx_fold_gather (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  const GobanOnnxValue *indices = goban_onnx_in (op, 1);
  double *data;

  if (in == NULL || in->data == NULL || in->n_dims != 1 || indices == NULL || indices->data == NULL
      || indices->n_data != goban_onnx_value_elements (&op->out[0]))
    return;
  data = start (op, 0);
  for (guint i = 0; i < indices->n_data; i++)
    {
      double at = indices->data[i] < 0 ? indices->data[i] + in->n_data : indices->data[i];

      data[i] = at >= 0 && at < in->n_data ? in->data[(guint) at] : (double) NAN;
    }
}

/* Folds vectors only; the shape rule has counted the elements. */
void
goban_onnx_fold_slice (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  GobanOnnxList starts = goban_onnx_list (op, "starts", 1);
  GobanOnnxList steps = goban_onnx_list (op, "steps", 4);
  double step = steps.is_known && steps.n == 1 ? steps.values[0] : 1;
  double begin;
  double *data;

  if (in == NULL || in->data == NULL || in->n_dims != 1 || starts.n != 1 || !starts.is_known)
    return;
  begin = starts.values[0] < 0 ? starts.values[0] + in->n_data : starts.values[0];
  begin = CLAMP (begin, 0, step > 0 ? in->n_data : in->n_data - 1.0);

  data = start (op, 0);
  for (guint i = 0; i < op->out[0].n_data; i++)
    {
      double at = begin + i * step;

      data[i] = at >= 0 && at < in->n_data ? in->data[(guint) at] : (double) NAN;
    }
}

/* Splits a vector into all outputs. */
void
goban_onnx_fold_split (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  double total = 0;
  guint at = 0;

  if (in == NULL || in->data == NULL || in->n_dims != 1)
    return;
  for (guint i = 0; i < op->n_out; i++)
    total += goban_onnx_value_elements (&op->out[i]);
  if (total != in->n_data)
    return;
  for (guint i = 0; i < op->n_out; i++)
    {
      double *data = start (op, i);

      for (guint j = 0; j < op->out[i].n_data; j++)
        data[j] = in->data[at++];
    }
}

/* --- made from shapes and constants -------------------------------------- */

void
goban_onnx_fold_shape (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in_ranked (op, 0);
  gint64 begin;
  double *data;

  if (in == NULL)
    return;
  begin = goban_onnx_attr_int (op, "start", 0);
  begin = CLAMP (begin < 0 ? begin + in->n_dims : begin, 0, (gint64) in->n_dims);
  data = start (op, 0);
  for (guint i = 0; i < op->out[0].n_data; i++)
    {
      gint64 extent = begin + i < in->n_dims ? in->dims[begin + i] : -1;

      data[i] = extent >= 0 ? (double) extent : (double) NAN;
    }
}

void
goban_onnx_fold_size (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in_ranked (op, 0);

  if (in != NULL)
    *start (op, 0) = goban_onnx_value_elements (in);
}

void
goban_onnx_fold_constant (GobanOnnxOp *op)
{
  static const char *const names[] = { "value_int", "value_ints", "value_float", "value_floats" };
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, "value");

  if (attr != NULL && attr->t != NULL)
    {
      GobanOnnxValue value = { 0 };

      if (goban_onnx_value_from_tensor (&value, attr->t, "", NULL)) /* the reader has checked it */
        {
          op->out[0].data = g_steal_pointer (&value.data);
          op->out[0].n_data = value.n_data;
        }
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GobanOnnxList list = goban_onnx_list (op, names[i], G_MAXUINT);
      double *data;

      attr = goban_onnx_attr (op, names[i]);
      if (attr == NULL)
        continue;
      data = start (op, 0);
      if (attr->has_f)
        data[0] = (double) attr->f;
      else
        for (guint j = 0; j < op->out[0].n_data; j++)
          data[j] = list.is_known && j < list.n ? list.values[j] : (double) NAN;
      return;
    }
}

void
goban_onnx_fold_constant_of_shape (GobanOnnxOp *op)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, "value");
  GobanOnnxValue value = { 0 };
  double element = 0;
  double *data;

  if (attr != NULL && attr->t != NULL
      && goban_onnx_value_from_tensor (&value, attr->t, "", NULL)) /* the reader has checked it */
    element = value.data != NULL && value.n_data > 0 ? value.data[0] : (double) NAN;
  goban_onnx_value_clear (&value);

  data = start (op, 0);
  for (guint i = 0; i < op->out[0].n_data; i++)
    data[i] = element;
}

void
goban_onnx_fold_range (GobanOnnxOp *op)
{
  const GobanOnnxValue *first = goban_onnx_in (op, 0);
  const GobanOnnxValue *step = goban_onnx_in (op, 2);
  double *data;

  if (first == NULL || first->n_data != 1 || step == NULL || step->n_data != 1)
    return;
  data = start (op, 0);
  for (guint i = 0; i < op->out[0].n_data; i++)
    data[i] = first->data[0] + i * step->data[0];
}

/* All elements to one: the number of elements of a shape, its largest extent. */
void
goban_onnx_fold_reduce (GobanOnnxOp *op)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);
  const char *name = op->node->op_type;
  double result;

  if (in == NULL || in->data == NULL || in->n_data == 0
      || goban_onnx_value_elements (&op->out[0]) != 1)
    return;
  result = in->data[0];
  for (guint i = 1; i < in->n_data; i++)
    if (strcmp (name, "ReduceProd") == 0)
      result *= in->data[i];
    else if (strcmp (name, "ReduceSum") == 0)
      result += in->data[i];
    else if (strcmp (name, "ReduceMax") == 0)
      result = larger (result, in->data[i]);
    else if (strcmp (name, "ReduceMin") == 0)
      result = smaller (result, in->data[i]);
    else
      result = NAN;
  *start (op, 0) = result;
}
