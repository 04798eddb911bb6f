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

/* --- products of matrices ------------------------------------------------- */

/* One product of the last two dimensions; transposes are the call's first attribute. */
static Value
emit_product (Tape *tape, const char *op, const Value operands[2], TapeTranspose transpose,
              TapeGradient gradient)
{
  Shape a = tape_shape (tape, operands[0]);
  Shape b = tape_shape (tape, operands[1]);
  gboolean is_a = (transpose & TAPE_TRANSPOSE_A) != 0;
  gboolean is_b = (transpose & TAPE_TRANSPOSE_B) != 0;
  gint64 n_inner = a.dims[a.n_dims - (is_a ? 2 : 1)];
  Shape shape = a;
  double macs;

  g_assert (n_inner == b.dims[b.n_dims - (is_b ? 1 : 2)]);
  shape.dims[a.n_dims - 2] = a.dims[a.n_dims - (is_a ? 1 : 2)];
  shape.dims[a.n_dims - 1] = b.dims[b.n_dims - (is_b ? 2 : 1)];
  macs = shape_count (&shape) * (double) n_inner;
  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .inputs = operands,
                                       .n_inputs = 2,
                                       TAPE_OUTPUTS (shape),
                                       .flops = 2 * macs,
                                       .macs = macs,
                                       .gradient = gradient,
                                       .attrs = { transpose } });
}

/* y = op(a) op(b): the gradient of a stored transposed is that of its transpose, transposed. */
static void
product_gradient (Tape *tape, const TapeCall *call, const Value *dy, const char *op)
{
  Value a = call->inputs[0];
  Value b = call->inputs[1];
  gboolean is_a = (call->attrs[0] & TAPE_TRANSPOSE_A) != 0;
  gboolean is_b = (call->attrs[0] & TAPE_TRANSPOSE_B) != 0;
  TapeTranspose both = TAPE_TRANSPOSE_A | TAPE_TRANSPOSE_B;

  if (tape_needs_gradient (tape, a))
    tape_send (
        tape, a,
        is_a ? emit_product (tape, op, (Value[]){ b, dy[0] }, is_b ? both : TAPE_TRANSPOSE_B, NULL)
             : emit_product (tape, op, (Value[]){ dy[0], b }, is_b ? TAPE_PLAIN : TAPE_TRANSPOSE_B,
                             NULL));
  if (tape_needs_gradient (tape, b))
    tape_send (
        tape, b,
        is_b ? emit_product (tape, op, (Value[]){ dy[0], a }, is_a ? both : TAPE_TRANSPOSE_A, NULL)
             : emit_product (tape, op, (Value[]){ a, dy[0] }, is_a ? TAPE_PLAIN : TAPE_TRANSPOSE_A,
                             NULL));
}

static void
matmul_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  product_gradient (tape, call, dy, "MatMul");
}

static void
batch_matmul_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  product_gradient (tape, call, dy, "BatchMatMulV2");
}

Value
tape_matmul_with (Tape *tape, Value a, Value b, TapeTranspose transpose)
{
  return emit_product (tape, "MatMul", (Value[]){ a, b }, transpose, matmul_gradient);
}

Value
tape_matmul (Tape *tape, Value a, Value b)
{
  return tape_matmul_with (tape, a, b, TAPE_PLAIN);
}

Value
tape_batch_matmul (Tape *tape, Value a, Value b, TapeTranspose transpose)
{
  return emit_product (tape, "BatchMatMulV2", (Value[]){ a, b }, transpose, batch_matmul_gradient);
}

/* --- layers without weights, and losses ---------------------------------- */

#define SOFTMAX_FLOPS 5.0       /* per logit, as TensorFlow's profiler counts */
#define CROSS_ENTROPY_FLOPS 6.0 /* the loss and its derivative at once */

/* (dy - sum (dy y)) y */
static void
softmax_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value y = call->first_output;
  Value product = tape_emit_elementwise (tape, "Mul", (Value[]){ dy[0], y }, 2, 1);
  guint last = tape_shape (tape, y).n_dims - 1;
  Value sum = tape_sum (tape, product, 1u << last, TRUE);
  Value difference = tape_emit_elementwise (tape, "Sub", (Value[]){ dy[0], sum }, 2, 1);

  tape_send (tape, call->inputs[0],
             tape_emit_elementwise (tape, "Mul", (Value[]){ difference, y }, 2, 1));
}

Value
tape_softmax (Tape *tape, Value logits)
{
  Shape shape = tape_shape (tape, logits);

  return tape_emit (tape, &(TapeCall){ .op = "Softmax",
                                       TAPE_INPUTS (logits),
                                       TAPE_OUTPUTS (shape),
                                       .flops = SOFTMAX_FLOPS * shape_count (&shape),
                                       .gradient = softmax_gradient });
}

/* The derivative came out of the op itself: it is scaled by that of each loss. */
static void
cross_entropy_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value scale = tape_expand_dims (tape, dy[0], 1);
  Value backprop = call->first_output + 1;

  tape_send (tape, call->inputs[0],
             tape_emit_elementwise (tape, "Mul", (Value[]){ scale, backprop }, 2, 1));
}

Value
tape_cross_entropy (Tape *tape, Value logits, Value labels)
{
  Shape shape = tape_shape (tape, logits);

  return tape_emit (tape, &(TapeCall){ .op = "SparseSoftmaxCrossEntropyWithLogits",
                                       TAPE_INPUTS (logits, labels),
                                       TAPE_OUTPUTS (SHAPE (shape.dims[0]), shape),
                                       .flops = CROSS_ENTROPY_FLOPS * shape_count (&shape),
                                       .gradient = cross_entropy_gradient });
}

Value
tape_mean_loss (Tape *tape, const Value *losses, guint n)
{
  Value loss;

  tape_push (tape, "loss");
  loss = tape_scale (tape, tape_add_n (tape, losses, n));
  tape_pop (tape);
  return loss;
}

Value
tape_total_loss (Tape *tape, const GArray *losses)
{
  Value loss;

  tape_push (tape, "total_loss");
  loss = tape_add_n (tape, (const Value *) (gpointer) losses->data, losses->len);
  tape_pop (tape);
  return loss;
}

Value
tape_dropout (Tape *tape, Value x)
{
  Shape shape = tape_shape (tape, x);
  Value scaled;
  Value mask;

  if (!tape_is_training (tape))
    return x;

  tape_push (tape, "dropout");
  scaled = tape_scale (tape, x);
  mask = tape_emit (tape, &(TapeCall){ .op = "RandomUniform",
                                       TAPE_INPUTS (tape_const (tape, "Shape", shape.n_dims)),
                                       TAPE_OUTPUTS (shape),
                                       .flops = shape_count (&shape) });
  mask = tape_emit (tape, &(TapeCall){ .op = "GreaterEqual",
                                       TAPE_INPUTS (mask, tape_const (tape, "GreaterEqual/y", 1)),
                                       TAPE_OUTPUTS (shape),
                                       .dtype = "bool",
                                       .flops = shape_count (&shape) });
  mask = tape_emit (tape, &(TapeCall){ .op = "Cast",
                                       TAPE_INPUTS (mask),
                                       TAPE_OUTPUTS (shape),
                                       .flops = shape_count (&shape) });
  x = tape_mul (tape, scaled, mask);
  tape_pop (tape);
  return x;
}

/* As tf.nn.moments and tf.nn.batch_normalization spell it. */
Value
tape_layer_norm (Tape *tape, const char *scope, Value x, Value gamma, Value beta)
{
  guint last = tape_shape (tape, x).n_dims - 1;
  Value mean;
  Value variance;
  Value factor;

  tape_push (tape, "%s", scope);
  mean = tape_mean (tape, x, 1u << last, TRUE);
  variance = tape_squared_difference (tape, x, tape_stop_gradient (tape, mean));
  variance = tape_mean (tape, variance, 1u << last, TRUE);
  factor = tape_mul (tape, tape_rsqrt (tape, tape_offset (tape, variance)), gamma);
  mean = tape_sub (tape, beta, tape_mul (tape, mean, factor));
  x = tape_add (tape, tape_mul (tape, x, factor), mean);
  tape_pop (tape);
  return x;
}

/* --- LSTM ----------------------------------------------------------------- */

LstmWeights
tape_lstm_weights (Tape *tape, gint64 n_in, gint64 n_hidden)
{
  Variable kernel = tape_variable (tape, "kernel", SHAPE (n_in + n_hidden, 4 * n_hidden));
  Variable bias = tape_variable (tape, "bias", SHAPE (4 * n_hidden));

  return (LstmWeights){ .kernel = tape_read (tape, kernel),
                        .bias = tape_read (tape, bias),
                        .n_hidden = n_hidden };
}

static Value
emit_zeros (Tape *tape, gint64 batch, gint64 n_hidden)
{
  return tape_emit (tape, &(TapeCall){ .op = "Fill",
                                       .name = "zeros",
                                       TAPE_INPUTS (tape_const (tape, "zeros/shape", 2),
                                                    tape_const (tape, "zeros/Const", 1)),
                                       TAPE_OUTPUTS (SHAPE (batch, n_hidden)) });
}

LstmState
tape_lstm_zero_state (Tape *tape, gint64 batch, gint64 n_hidden)
{
  LstmState state;

  tape_push (tape, "zero_state");
  state.h = emit_zeros (tape, batch, n_hidden);
  state.c = emit_zeros (tape, batch, n_hidden);
  tape_pop (tape);
  return state;
}

LstmState
tape_lstm_step (Tape *tape, const LstmWeights *weights, const Value *inputs, guint n_inputs,
                LstmState state)
{
  g_autofree Value *parts = g_new (Value, n_inputs + 1);
  Value gates;
  Value kept;
  Value added;

  for (guint i = 0; i < n_inputs; i++)
    parts[i] = inputs[i];
  parts[n_inputs] = state.h;

  tape_push (tape, "lstm");
  gates = tape_concat (tape, parts, n_inputs + 1, 1);
  gates = tape_bias_add (tape, tape_matmul (tape, gates, weights->kernel), weights->bias);
  gates = tape_split (tape, gates, 4, 1); /* input, candidate, forget, output */
  kept = tape_mul (tape, state.c, tape_sigmoid (tape, tape_offset (tape, gates + 2)));
  added = tape_mul (tape, tape_sigmoid (tape, gates), tape_tanh (tape, gates + 1));
  state.c = tape_clip (tape, tape_add (tape, kept, added));
  state.h = tape_mul (tape, tape_tanh (tape, state.c), tape_sigmoid (tape, gates + 3));
  tape_pop (tape);
  return state;
}
