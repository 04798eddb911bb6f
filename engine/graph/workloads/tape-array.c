#include "engine/graph/workloads/tape-ops.h"
#include "engine/graph/workloads/tape-private.h"

/* --- renaming: nothing moves ---------------------------------------------------------------- */

static Value
emit_reshape (Tape *tape, Value x, const Shape *shape, const char *name, TapeGradient gradient)
{
  return tape_emit (tape,
                    &(TapeCall){ .op = "Reshape",
                                 .name = name,
                                 TAPE_INPUTS (x, tape_const (tape, "Reshape/shape", shape->n_dims)),
                                 .outputs = shape,
                                 .n_outputs = 1,
                                 .is_free = TRUE,
                                 .gradient = gradient });
}

/* Gradient of all ops that only rename axes: dy in the shape of the input. */
static void
reshape_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (tape, call->inputs[0], emit_reshape (tape, dy[0], &shape, NULL, NULL));
}

Value
tape_reshape (Tape *tape, Value x, Shape shape)
{
  g_assert (shape_count (&shape) == tape_count (tape, x));
  return emit_reshape (tape, x, &shape, NULL, reshape_gradient);
}

Value
tape_expand_dims (Tape *tape, Value x, guint axis)
{
  Shape shape = tape_shape (tape, x);

  for (guint i = shape.n_dims++; i > axis; i--)
    shape.dims[i] = shape.dims[i - 1];
  shape.dims[axis] = 1;
  return tape_emit (tape, &(TapeCall){ .op = "ExpandDims",
                                       TAPE_INPUTS (x, tape_const (tape, "ExpandDims/dim", 1)),
                                       TAPE_OUTPUTS (shape),
                                       .is_free = TRUE,
                                       .gradient = reshape_gradient });
}

Value
tape_squeeze (Tape *tape, Value x, guint axis)
{
  Shape shape = tape_shape (tape, x);

  g_assert (shape.dims[axis] == 1);
  shape.n_dims--;
  for (guint i = axis; i < shape.n_dims; i++)
    shape.dims[i] = shape.dims[i + 1];
  return tape_emit (tape, &(TapeCall){ .op = "Squeeze",
                                       TAPE_INPUTS (x),
                                       TAPE_OUTPUTS (shape),
                                       .is_free = TRUE,
                                       .gradient = reshape_gradient });
}

/* --- together and apart --------------------------------------------------------------------- */

/* Slices of dy at the offsets that ConcatOffset finds from the parts' shapes. */
static void
concat_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  guint n = call->n_inputs - 1;
  g_autofree Value *inputs = g_new (Value, n + 1);
  g_autofree Shape *offsets = g_new (Shape, n);
  Value first;

  inputs[0]
      = tape_emit (tape, &(TapeCall){ .op = "FloorMod",
                                      .name = "mod",
                                      TAPE_INPUTS (call->inputs[n], tape_const (tape, "Rank", 1)),
                                      TAPE_OUTPUTS (SHAPE_SCALAR),
                                      .dtype = "s32",
                                      .is_free = TRUE });
  for (guint i = 0; i < n; i++)
    {
      offsets[i] = SHAPE (tape_shape (tape, dy[0]).n_dims);
      inputs[i + 1] = tape_const (tape, "Shape", (guint) offsets[i].dims[0]);
    }
  first = tape_emit (tape, &(TapeCall){ .op = "ConcatOffset",
                                        .inputs = inputs,
                                        .n_inputs = n + 1,
                                        .outputs = offsets,
                                        .n_outputs = n,
                                        .dtype = "s32",
                                        .is_free = TRUE });
  for (guint i = 0; i < n; i++)
    if (tape_needs_gradient (tape, call->inputs[i]))
      {
        Shape shape = tape_shape (tape, call->inputs[i]);

        tape_send (tape, call->inputs[i],
                   tape_emit (tape, &(TapeCall){ .op = "Slice",
                                                 TAPE_INPUTS (dy[0], first + i, inputs[i + 1]),
                                                 TAPE_OUTPUTS (shape),
                                                 .read_bytes = 4 * shape_count (&shape) }));
      }
}

static Value
emit_concat (Tape *tape, const Value *parts, guint n, guint axis, TapeGradient gradient)
{
  g_autofree Value *inputs = g_new (Value, n + 1);
  Shape shape = tape_shape (tape, parts[0]);

  shape.dims[axis] = 0;
  for (guint i = 0; i < n; i++)
    {
      inputs[i] = parts[i];
      shape.dims[axis] += tape_dim (tape, parts[i], axis);
    }
  inputs[n] = tape_const (tape, "concat/axis", 1);
  return tape_emit (tape, &(TapeCall){ .op = "ConcatV2",
                                       .name = "concat",
                                       .inputs = inputs,
                                       .n_inputs = n + 1,
                                       TAPE_OUTPUTS (shape),
                                       .gradient = gradient });
}

Value
tape_concat (Tape *tape, const Value *inputs, guint n, guint axis)
{
  return emit_concat (tape, inputs, n, axis, concat_gradient);
}

/* Every part of a call's outputs: unread ones are zeros, made from no more than a shape. */
static void
fill_missing (Tape *tape, const TapeCall *call, const Value *dy, Value *parts)
{
  for (guint i = 0; i < call->n_outputs; i++)
    {
      Shape shape = tape_shape (tape, call->first_output + i);

      parts[i] = dy[i] != NO_VALUE
                     ? dy[i]
                     : tape_emit (tape, &(TapeCall){ .op = "ZerosLike",
                                                     TAPE_INPUTS (call->first_output + i),
                                                     TAPE_OUTPUTS (shape),
                                                     .read_bytes = 1 });
    }
}

static void
split_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  g_autofree Value *parts = g_new (Value, call->n_outputs);

  fill_missing (tape, call, dy, parts);
  tape_send (tape, call->inputs[1],
             emit_concat (tape, parts, call->n_outputs, (guint) call->attrs[0], NULL));
}

static Value
emit_parts (Tape *tape, TapeCall *call, const Shape *shape, guint n)
{
  g_autofree Shape *shapes = g_new (Shape, n);

  for (guint i = 0; i < n; i++)
    shapes[i] = *shape;
  call->outputs = shapes;
  call->n_outputs = n;
  return tape_emit (tape, call);
}

Value
tape_split (Tape *tape, Value x, guint n, guint axis)
{
  Shape shape = tape_shape (tape, x);
  TapeCall call = { .op = "Split",
                    .name = "split",
                    TAPE_INPUTS (tape_const (tape, "split/split_dim", 1), x),
                    .gradient = split_gradient,
                    .attrs = { axis } };

  g_assert (shape.dims[axis] % n == 0);
  shape.dims[axis] /= n;
  return emit_parts (tape, &call, &shape, n);
}

static Value
emit_pack (Tape *tape, const Value *inputs, guint n, TapeGradient gradient)
{
  Shape part = tape_shape (tape, inputs[0]);
  Shape shape = { part.n_dims + 1, { n } };

  for (guint i = 0; i < part.n_dims; i++)
    shape.dims[i + 1] = part.dims[i];
  return tape_emit (tape, &(TapeCall){ .op = "Pack",
                                       .name = "stack",
                                       .inputs = inputs,
                                       .n_inputs = n,
                                       TAPE_OUTPUTS (shape),
                                       .gradient = gradient });
}

static void
unstack_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  g_autofree Value *parts = g_new (Value, call->n_outputs);

  fill_missing (tape, call, dy, parts);
  tape_send (tape, call->inputs[0], emit_pack (tape, parts, call->n_outputs, NULL));
}

static Value
emit_unpack (Tape *tape, Value x, TapeGradient gradient)
{
  Shape shape = tape_shape (tape, x);
  guint n = (guint) shape.dims[0];
  TapeCall call = { .op = "Unpack",
                    .name = "unstack",
                    TAPE_INPUTS (x),
                    .dtype = tape_dtype (tape, x),
                    .gradient = gradient };

  shape.n_dims--;
  for (guint i = 0; i < shape.n_dims; i++)
    shape.dims[i] = shape.dims[i + 1];
  return emit_parts (tape, &call, &shape, n);
}

Value
tape_unstack (Tape *tape, Value x)
{
  return emit_unpack (tape, x, unstack_gradient);
}

static void
stack_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value first = emit_unpack (tape, dy[0], NULL);

  for (guint i = 0; i < call->n_inputs; i++)
    tape_send (tape, call->inputs[i], first + i);
}

Value
tape_stack (Tape *tape, const Value *inputs, guint n)
{
  return emit_pack (tape, inputs, n, stack_gradient);
}

/* --- parts and borders ---------------------------------------------------------------------- */

static Value
emit_pad (Tape *tape, Value x, const Shape *shape, TapeGradient gradient, const gint64 *attrs)
{
  return tape_emit (
      tape, &(TapeCall){ .op = "Pad",
                         TAPE_INPUTS (x, tape_const (tape, "Pad/paddings", 2 * shape->n_dims)),
                         .outputs = shape,
                         .n_outputs = 1,
                         .gradient = gradient,
                         .attrs = { attrs[0], attrs[1] } });
}

static void
slice_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (tape, call->inputs[0],
             tape_emit (tape, &(TapeCall){ .op = "StridedSliceGrad",
                                           TAPE_INPUTS (tape_const (tape, "Shape", shape.n_dims),
                                                        call->inputs[1], call->inputs[2],
                                                        call->inputs[3], dy[0]),
                                           TAPE_OUTPUTS (shape) }));
}

/* shape: what comes out. */
static Value
emit_slice (Tape *tape, Value x, const Shape *shape)
{
  guint n = tape_shape (tape, x).n_dims;

  return tape_emit (tape, &(TapeCall){ .op = "StridedSlice",
                                       .name = "strided_slice",
                                       TAPE_INPUTS (x, tape_const (tape, "strided_slice/stack", n),
                                                    tape_const (tape, "strided_slice/stack_1", n),
                                                    tape_const (tape, "strided_slice/stack_2", n)),
                                       .outputs = shape,
                                       .n_outputs = 1,
                                       .dtype = tape_dtype (tape, x),
                                       .read_bytes = 4 * shape_count (shape),
                                       .gradient = slice_gradient });
}

Value
tape_slice (Tape *tape, Value x, guint axis, gint64 begin, gint64 size)
{
  Shape shape = tape_shape (tape, x);

  g_assert (begin >= 0 && begin + size <= shape.dims[axis]);
  shape.dims[axis] = size;
  return emit_slice (tape, x, &shape);
}

Value
tape_pick (Tape *tape, Value x, gint64 index)
{
  Shape shape = tape_shape (tape, x);

  g_assert (index >= 0 && index < shape.dims[0]);
  shape.n_dims--;
  for (guint i = 0; i < shape.n_dims; i++)
    shape.dims[i] = shape.dims[i + 1];
  return emit_slice (tape, x, &shape);
}

void
tape_send_part (Tape *tape, const TapeCall *call, Value dy, const char *begin)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (tape, call->inputs[0],
             tape_emit (tape, &(TapeCall){ .op = "Slice",
                                           TAPE_INPUTS (dy, tape_const (tape, begin, 4),
                                                        tape_const (tape, "Shape", 4)),
                                           TAPE_OUTPUTS (shape),
                                           .read_bytes = 4 * shape_count (&shape) }));
}

static void
pad_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send_part (tape, call, dy[0], "Slice/begin");
}

Value
tape_pad (Tape *tape, Value x, guint axis, gint64 before, gint64 after)
{
  Shape shape = tape_shape (tape, x);

  shape.dims[axis] += before + after;
  return emit_pad (tape, x, &shape, pad_gradient, (gint64[]){ axis, before });
}

/* --- order ------------------------------------------------------------------------------------ */

static Value
emit_transpose (Tape *tape, Value x, Value perm, const guint *order, TapeGradient gradient)
{
  Shape old = tape_shape (tape, x);
  TapeCall call
      = { .op = "Transpose", .name = "transpose", TAPE_INPUTS (x, perm), .gradient = gradient };
  Shape shape = old;

  for (guint i = 0; i < old.n_dims; i++)
    {
      shape.dims[i] = old.dims[order[i]];
      call.attrs[i] = order[i];
    }
  call.outputs = &shape;
  call.n_outputs = 1;
  return tape_emit (tape, &call);
}

static void
transpose_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);
  guint inverse[SHAPE_MAX_DIMS];
  Value perm = tape_emit (tape, &(TapeCall){ .op = "InvertPermutation",
                                             TAPE_INPUTS (call->inputs[1]),
                                             TAPE_OUTPUTS (SHAPE (shape.n_dims)),
                                             .dtype = "s32",
                                             .is_free = TRUE });

  for (guint i = 0; i < shape.n_dims; i++)
    inverse[call->attrs[i]] = i;
  tape_send (tape, call->inputs[0], emit_transpose (tape, dy[0], perm, inverse, NULL));
}

Value
tape_transpose (Tape *tape, Value x, const guint *order)
{
  Value perm = tape_const (tape, "transpose/perm", tape_shape (tape, x).n_dims);

  return emit_transpose (tape, x, perm, order, transpose_gradient);
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The shape after a reduction, the axes kept as 1. */
static Shape
reduce (Shape shape, guint axes)
{
  for (guint i = 0; i < shape.n_dims; i++)
    if ((axes >> i & 1) != 0)
      shape.dims[i] = 1;
  return shape;
}

/* dy spread over the input again. Returns what is to be sent, or divided first. */
static Value
spread (Tape *tape, const TapeCall *call, Value dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);
  Shape kept = reduce (shape, (guint) call->attrs[0]);

  dy = emit_reshape (tape, dy, &kept, NULL, NULL);
  return tape_emit (
      tape, &(TapeCall){ .op = "Tile",
                         TAPE_INPUTS (dy, tape_const (tape, "Tile/multiples", shape.n_dims)),
                         TAPE_OUTPUTS (shape) });
}

static void
sum_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], spread (tape, call, dy[0]));
}

static void
mean_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value spread_dy = spread (tape, call, dy[0]);
  Value operands[] = { spread_dy, tape_const (tape, "Const", 1) };

  tape_send (tape, call->inputs[0], tape_emit_elementwise (tape, "RealDiv", operands, 2, 1));
}

static Value
emit_reduction (Tape *tape, Value x, guint axes, gboolean keep, TapeCall call)
{
  Shape old = tape_shape (tape, x);
  Shape shape = reduce (old, axes);
  Value inputs[] = { x, tape_const (tape, "reduction_indices", 1) };

  if (!keep)
    {
      shape.n_dims = 0;
      for (guint i = 0; i < old.n_dims; i++)
        if ((axes >> i & 1) == 0)
          shape.dims[shape.n_dims++] = old.dims[i];
    }
  call.inputs = inputs;
  call.n_inputs = 2;
  call.outputs = &shape;
  call.n_outputs = 1;
  call.flops = shape_count (&old);
  call.attrs[0] = axes;
  return tape_emit (tape, &call);
}

Value
tape_sum (Tape *tape, Value x, guint axes, gboolean keep)
{
  return emit_reduction (tape, x, axes, keep, (TapeCall){ .op = "Sum", .gradient = sum_gradient });
}

Value
tape_mean (Tape *tape, Value x, guint axes, gboolean keep)
{
  return emit_reduction (tape, x, axes, keep,
                         (TapeCall){ .op = "Mean", .gradient = mean_gradient });
}
