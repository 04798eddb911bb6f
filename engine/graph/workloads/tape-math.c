#include "engine/graph/workloads/tape-ops.h"

/* FLOPs per element: one for what is one operation, a handful for the rest. */
#define SIGMOID_FLOPS 4.0
#define TANH_FLOPS 4.0

/* The shape of a op b. */
static Shape
broadcast (const Shape *a, const Shape *b)
{
  const Shape *longer = a->n_dims >= b->n_dims ? a : b;
  const Shape *shorter = a->n_dims >= b->n_dims ? b : a;
  guint skipped = longer->n_dims - shorter->n_dims;
  Shape shape = *longer;

  for (guint i = 0; i < shorter->n_dims; i++)
    if (shape.dims[skipped + i] == 1)
      shape.dims[skipped + i] = shorter->dims[i];
  return shape;
}

Value
tape_emit_elementwise (Tape *tape, const char *op, const Value *inputs, guint n_inputs,
                       double flops_per_element)
{
  Shape shape = tape_shape (tape, inputs[0]);

  for (guint i = 1; i < n_inputs; i++)
    {
      Shape other = tape_shape (tape, inputs[i]);

      shape = broadcast (&shape, &other);
    }
  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .inputs = inputs,
                                       .n_inputs = n_inputs,
                                       TAPE_OUTPUTS (shape),
                                       .flops = flops_per_element * shape_count (&shape) });
}

static Value
emit_2 (Tape *tape, const char *op, Value a, Value b, double flops)
{
  return tape_emit_elementwise (tape, op, (Value[]){ a, b }, 2, flops);
}

static Value
emit_binary (Tape *tape, const char *op, Value a, Value b, TapeGradient gradient)
{
  Shape shape_a = tape_shape (tape, a);
  Shape shape_b = tape_shape (tape, b);
  Shape shape = broadcast (&shape_a, &shape_b);

  return tape_emit (tape, &(TapeCall){ .op = op,
                                       TAPE_INPUTS (a, b),
                                       TAPE_OUTPUTS (shape),
                                       .flops = shape_count (&shape),
                                       .gradient = gradient });
}

static Value
emit_unary (Tape *tape, const char *op, Value x, double flops, TapeGradient gradient)
{
  Shape shape = tape_shape (tape, x);

  return tape_emit (tape, &(TapeCall){ .op = op,
                                       TAPE_INPUTS (x),
                                       TAPE_OUTPUTS (shape),
                                       .flops = flops * shape_count (&shape),
                                       .gradient = gradient });
}

/* --- broadcast gradients -------------------------------------------------------------------- */

/* Axes over which an operand is summed: computed once per op, and only if one is. */
static Value
emit_reduction_axes (Tape *tape)
{
  return tape_emit (tape, &(TapeCall){ .op = "BroadcastGradientArgs",
                                       TAPE_INPUTS (tape_const (tape, "Shape", 1),
                                                    tape_const (tape, "Shape_1", 1)),
                                       TAPE_OUTPUTS (SHAPE (1), SHAPE (1)),
                                       .dtype = "s32",
                                       .is_free = TRUE });
}

/* Sends dx, summed to the operand's shape; axes may be NO_VALUE and is then made. */
static void
send_reduced (Tape *tape, Value operand, Value dx, Value *axes, guint which)
{
  Shape wanted = tape_shape (tape, operand);
  Shape shape = tape_shape (tape, dx);
  Shape summed = shape;
  guint skipped = shape.n_dims - wanted.n_dims;

  if (shape_equal (&wanted, &shape))
    {
      tape_send (tape, operand, dx);
      return;
    }

  if (*axes == NO_VALUE)
    *axes = emit_reduction_axes (tape);
  summed.n_dims = 0;
  for (guint i = skipped; i < shape.n_dims; i++)
    if (wanted.dims[i - skipped] == shape.dims[i])
      summed.dims[summed.n_dims++] = shape.dims[i];
  dx = tape_emit (tape, &(TapeCall){ .op = "Sum",
                                     TAPE_INPUTS (dx, *axes + which),
                                     TAPE_OUTPUTS (summed),
                                     .flops = shape_count (&shape) });
  dx = tape_emit (tape, &(TapeCall){ .op = "Reshape",
                                     TAPE_INPUTS (dx, tape_const (tape, "Shape_2", 1)),
                                     TAPE_OUTPUTS (wanted),
                                     .is_free = TRUE });
  tape_send (tape, operand, dx);
}

static void
send_both (Tape *tape, const TapeCall *call, Value da, Value db)
{
  Value axes = NO_VALUE;

  if (da != NO_VALUE)
    send_reduced (tape, call->inputs[0], da, &axes, 0);
  if (db != NO_VALUE)
    send_reduced (tape, call->inputs[1], db, &axes, 1);
}

/* dx if it is needed, else NO_VALUE: nothing need be made. */
static gboolean
wants (Tape *tape, const TapeCall *call, guint input)
{
  return tape_needs_gradient (tape, call->inputs[input]);
}

static void
add_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  send_both (tape, call, wants (tape, call, 0) ? dy[0] : NO_VALUE,
             wants (tape, call, 1) ? dy[0] : NO_VALUE);
}

static void
sub_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  send_both (tape, call, wants (tape, call, 0) ? dy[0] : NO_VALUE,
             wants (tape, call, 1) ? emit_unary (tape, "Neg", dy[0], 1, NULL) : NO_VALUE);
}

static void
mul_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  send_both (tape, call,
             wants (tape, call, 0) ? emit_2 (tape, "Mul", dy[0], call->inputs[1], 1) : NO_VALUE,
             wants (tape, call, 1) ? emit_2 (tape, "Mul", call->inputs[0], dy[0], 1) : NO_VALUE);
}

static void
squared_difference_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value two = tape_emit_elementwise (tape, "Mul",
                                     (Value[]){ dy[0], tape_const (tape, "scalar", 1) }, 2, 1);
  Value difference = emit_2 (tape, "Sub", call->inputs[0], call->inputs[1], 1);
  Value da = emit_2 (tape, "Mul", two, difference, 1);

  send_both (tape, call, wants (tape, call, 0) ? da : NO_VALUE,
             wants (tape, call, 1) ? emit_unary (tape, "Neg", da, 1, NULL) : NO_VALUE);
}

Value
tape_add (Tape *tape, Value a, Value b)
{
  return emit_binary (tape, "AddV2", a, b, add_gradient);
}

Value
tape_sub (Tape *tape, Value a, Value b)
{
  return emit_binary (tape, "Sub", a, b, sub_gradient);
}

Value
tape_mul (Tape *tape, Value a, Value b)
{
  return emit_binary (tape, "Mul", a, b, mul_gradient);
}

Value
tape_squared_difference (Tape *tape, Value a, Value b)
{
  Value y = emit_binary (tape, "SquaredDifference", a, b, squared_difference_gradient);

  return y;
}

Value
tape_scale (Tape *tape, Value x)
{
  return tape_mul (tape, x, tape_const (tape, "Const", 1));
}

Value
tape_offset (Tape *tape, Value x)
{
  return tape_add (tape, x, tape_const (tape, "Const", 1));
}

/* --- one operand ---------------------------------------------------------------------------- */

static void
sigmoid_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], emit_2 (tape, "SigmoidGrad", call->first_output, dy[0], 3));
}

static void
tanh_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], emit_2 (tape, "TanhGrad", call->first_output, dy[0], 3));
}

static void
relu_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], emit_2 (tape, "ReluGrad", dy[0], call->first_output, 1));
}

static void
square_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value two = emit_2 (tape, "Mul", call->inputs[0], tape_const (tape, "Const", 1), 1);

  tape_send (tape, call->inputs[0], emit_2 (tape, "Mul", dy[0], two, 1));
}

static void
rsqrt_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], emit_2 (tape, "RsqrtGrad", call->first_output, dy[0], 4));
}

Value
tape_sigmoid (Tape *tape, Value x)
{
  return emit_unary (tape, "Sigmoid", x, SIGMOID_FLOPS, sigmoid_gradient);
}

Value
tape_tanh (Tape *tape, Value x)
{
  return emit_unary (tape, "Tanh", x, TANH_FLOPS, tanh_gradient);
}

Value
tape_relu (Tape *tape, Value x)
{
  return emit_unary (tape, "Relu", x, 1, relu_gradient);
}

Value
tape_square (Tape *tape, Value x)
{
  return emit_unary (tape, "Square", x, 1, square_gradient);
}

Value
tape_rsqrt (Tape *tape, Value x)
{
  return emit_unary (tape, "Rsqrt", x, 2, rsqrt_gradient);
}

Value
tape_stop_gradient (Tape *tape, Value x)
{
  Shape shape = tape_shape (tape, x);

  return tape_emit (
      tape,
      &(TapeCall){ .op = "StopGradient", TAPE_INPUTS (x), TAPE_OUTPUTS (shape), .is_free = TRUE });
}

/* dy if the bound did not limit x, zero if it did. */
static void
bound_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  gboolean is_minimum = call->op[1] == 'i';
  Shape shape = tape_shape (tape, dy[0]);
  Value zeros = tape_emit (tape, &(TapeCall){ .op = "Fill",
                                              .name = "zeros",
                                              TAPE_INPUTS (tape_const (tape, "Shape", shape.n_dims),
                                                           tape_const (tape, "zeros/Const", 1)),
                                              TAPE_OUTPUTS (shape) });
  Value mask = tape_emit (tape, &(TapeCall){ .op = is_minimum ? "LessEqual" : "GreaterEqual",
                                             TAPE_INPUTS (call->inputs[0], call->inputs[1]),
                                             TAPE_OUTPUTS (shape),
                                             .dtype = "bool",
                                             .flops = shape_count (&shape) });

  tape_send (tape, call->inputs[0],
             tape_emit (tape, &(TapeCall){ .op = "Select",
                                           TAPE_INPUTS (mask, dy[0], zeros),
                                           TAPE_OUTPUTS (shape) }));
}

Value
tape_clip (Tape *tape, Value x)
{
  tape_push (tape, "clip_by_value");
  x = emit_binary (tape, "Minimum", x, tape_const (tape, "Minimum/y", 1), bound_gradient);
  x = emit_binary (tape, "Maximum", x, tape_const (tape, "y", 1), bound_gradient);
  tape_pop (tape);
  return x;
}

/* --- sums of many, and biases --------------------------------------------------------------- */

static void
add_n_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  for (guint i = 0; i < call->n_inputs; i++)
    tape_send (tape, call->inputs[i], dy[0]);
}

Value
tape_add_n (Tape *tape, const Value *inputs, guint n)
{
  Shape shape = tape_shape (tape, inputs[0]);

  return tape_emit (tape, &(TapeCall){ .op = "AddN",
                                       .inputs = inputs,
                                       .n_inputs = n,
                                       TAPE_OUTPUTS (shape),
                                       .flops = (n - 1) * shape_count (&shape),
                                       .gradient = add_n_gradient });
}

static void
bias_add_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[1]);

  tape_send (tape, call->inputs[0], dy[0]);
  tape_send (tape, call->inputs[1],
             tape_emit (tape, &(TapeCall){ .op = "BiasAddGrad",
                                           TAPE_INPUTS (dy[0]),
                                           TAPE_OUTPUTS (shape),
                                           .flops = tape_count (tape, dy[0]) }));
}

Value
tape_bias_add (Tape *tape, Value x, Value bias)
{
  Shape shape = tape_shape (tape, x);

  return tape_emit (tape, &(TapeCall){ .op = "BiasAdd",
                                       TAPE_INPUTS (x, bias),
                                       TAPE_OUTPUTS (shape),
                                       .flops = shape_count (&shape),
                                       .gradient = bias_add_gradient });
}
