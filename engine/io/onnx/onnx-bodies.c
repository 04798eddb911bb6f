#include "engine/io/onnx/onnx-bodies.h"

#include <math.h>
#include <string.h>

/* More are a way to say "until the condition is false". */
#define MAX_TIMES 2147483647.0

static GobanOnnxValue
make_scalar (int dtype)
{
  return (GobanOnnxValue){ .dtype = dtype, .has_rank = TRUE };
}

static GobanOnnxValue
copy_shape (const GobanOnnxValue *from)
{
  GobanOnnxValue copy = { 0 };

  if (from == NULL)
    return copy;
  copy = *from;
  copy.data = NULL;
  copy.n_data = 0;
  return copy;
}

/* Without the axis that a Scan walks along. */
static GobanOnnxValue
take_slice (const GobanOnnxValue *from, gint64 axis)
{
  GobanOnnxValue slice = copy_shape (from);
  int at = slice.has_rank ? goban_onnx_axis ((double) axis, slice.n_dims) : -1;

  if (at < 0)
    return (GobanOnnxValue){ .dtype = slice.dtype };
  for (guint i = (guint) at; i + 1 < slice.n_dims; i++)
    slice.dims[i] = slice.dims[i + 1];
  slice.n_dims--;
  return slice;
}

static gboolean
is_true (const GobanOnnxValue *condition)
{
  return condition == NULL || (condition->n_data == 1 && condition->data[0] == 1);
}

/* Inputs: the number of iterations, the condition, then what is carried. */
static void
init_loop (GobanOnnxIteration *self, const GobanOnnxOp *op)
{
  const GobanOnnxValue *times = goban_onnx_in (op, 0);

  self->n_inputs = MAX (op->n_in, 2);
  self->values = g_new0 (GobanOnnxValue, self->n_inputs);
  self->values[0] = make_scalar (ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
  self->values[1] = make_scalar (ONNX__TENSOR_PROTO__DATA_TYPE__BOOL);
  for (guint i = 2; i < op->n_in; i++)
    self->values[i] = copy_shape (goban_onnx_in (op, i));
  self->n_carried = self->n_inputs - 2;
  self->n_skipped = 1;
  if (times != NULL && times->n_data == 1 && times->data[0] <= MAX_TIMES
      && is_true (goban_onnx_in (op, 1)))
    self->n_times = MAX (times->data[0], 0);
}

/* Inputs: states, then what is walked along. */
static void
init_scan (GobanOnnxIteration *self, const GobanOnnxOp *op)
{
  gint64 asked = goban_onnx_attr_int (op, "num_scan_inputs", 1);
  guint n_scans = (guint) CLAMP (asked, 0, (gint64) op->n_in);

  self->n_inputs = op->n_in;
  self->values = g_new0 (GobanOnnxValue, self->n_inputs + 1);
  self->n_carried = op->n_in - n_scans;
  for (guint i = 0; i < op->n_in; i++)
    {
      const GobanOnnxValue *value = goban_onnx_in (op, i);
      guint k = i - self->n_carried;
      gint64 axis = i < self->n_carried ? 0 : goban_onnx_attr_at (op, "scan_input_axes", k, 0);
      gint64 extent;

      if (i < self->n_carried)
        {
          self->values[i] = copy_shape (value);
          continue;
        }
      extent = value != NULL && value->has_rank ? goban_onnx_dim (value, axis) : -1;
      if (extent >= 0)
        self->n_times = (double) extent;
      self->values[i] = take_slice (value, axis);
    }
}

GobanOnnxIteration
goban_onnx_iteration_new (const GobanOnnxOp *op)
{
  GobanOnnxIteration self = { .n_times = NAN };

  if (strcmp (op->node->op_type, "Loop") == 0)
    init_loop (&self, op);
  else if (op->opset >= 9) /* before, it had a batch and lengths */
    init_scan (&self, op);
  self.inputs = g_new0 (const GobanOnnxValue *, self.n_inputs + 1);
  for (guint i = 0; i < self.n_inputs; i++)
    self.inputs[i] = &self.values[i];
  self.n_results = self.n_skipped + op->n_out;
  return self;
}

void
goban_onnx_iteration_clear (GobanOnnxIteration *self)
{
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->inputs, g_free);
}

GobanOnnxValue
goban_onnx_iteration_get_output (const GobanOnnxIteration *self, guint i,
                                 const GobanOnnxValue *results)
{
  GobanOnnxValue out = copy_shape (&results[self->n_skipped + i]);

  if (i < self->n_carried || !out.has_rank)
    return out;
  if (out.n_dims == GOBAN_ONNX_MAX_DIMS)
    return (GobanOnnxValue){ .dtype = out.dtype };
  memmove (out.dims + 1, out.dims, sizeof *out.dims * out.n_dims);
  out.dims[0] = isnan (self->n_times) ? -1 : goban_onnx_extent (self->n_times);
  out.n_dims++;
  return out;
}
