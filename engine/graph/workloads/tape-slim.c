#include "engine/graph/workloads/tape-slim.h"

#include "engine/graph/workloads/tape-ops.h"

/* --- broadcasting ops, differentiated as TensorFlow 1.3 did --------------------------------- */

/* A vector of a shape's length, computed from others: on the host, at no cost. */
static Value
emit_index (Tape *tape, const char *op, const char *name, const Value *inputs, guint n_inputs,
            gint64 length)
{
  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .name = name,
                                       .inputs = inputs,
                                       .n_inputs = n_inputs,
                                       TAPE_OUTPUTS (SHAPE (length)),
                                       .dtype = "s32",
                                       .is_free = TRUE });
}

/* The two outputs say over which axes either operand is to be summed. */
static Value
emit_axes (Tape *tape, const TapeCall *call)
{
  Value a = tape_const (tape, "Shape", tape_shape (tape, call->inputs[0]).n_dims);
  Value b = tape_const (tape, "Shape_1", tape_shape (tape, call->inputs[1]).n_dims);

  return tape_emit (tape, &(TapeCall){ .op = "BroadcastGradientArgs",
                                       TAPE_INPUTS (a, b),
                                       TAPE_OUTPUTS (SHAPE (1), SHAPE (1)),
                                       .dtype = "s32",
                                       .is_free = TRUE });
}

/* Sum over no axes hands its input on. */
static void
send_summed (Tape *tape, Value operand, Value dx, Value axes, guint which)
{
  Shape wanted = tape_shape (tape, operand);
  Shape shape = tape_shape (tape, dx);
  gboolean is_same = shape_equal (&wanted, &shape);
  const char *names[][2] = { { "Sum", "Reshape" }, { "Sum_1", "Reshape_1" } };

  dx = tape_emit (tape, &(TapeCall){ .op = "Sum",
                                     .name = names[which][0],
                                     TAPE_INPUTS (dx, axes + which),
                                     TAPE_OUTPUTS (wanted),
                                     .flops = is_same ? 0 : shape_count (&shape),
                                     .is_free = is_same });
  dx = tape_emit (tape, &(TapeCall){ .op = "Reshape",
                                     .name = names[which][1],
                                     TAPE_INPUTS (dx, tape_const (tape, "shape", wanted.n_dims)),
                                     TAPE_OUTPUTS (wanted),
                                     .is_free = TRUE });
  tape_send (tape, operand, dx);
}

static Value
emit_pair (Tape *tape, const char *op, Value a, Value b)
{
  return tape_emit_elementwise (tape, op, (Value[]){ a, b }, 2, 1);
}

static Value
emit_negative (Tape *tape, Value x)
{
  return tape_emit_elementwise (tape, "Neg", &x, 1, 1);
}

static void
add_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value axes = emit_axes (tape, call);

  send_summed (tape, call->inputs[0], dy[0], axes, 0);
  send_summed (tape, call->inputs[1], dy[0], axes, 1);
}

static void
sub_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value axes = emit_axes (tape, call);

  send_summed (tape, call->inputs[0], dy[0], axes, 0);
  send_summed (tape, call->inputs[1], emit_negative (tape, dy[0]), axes, 1);
}

static void
mul_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value axes = emit_axes (tape, call);

  send_summed (tape, call->inputs[0], emit_pair (tape, "Mul", dy[0], call->inputs[1]), axes, 0);
  send_summed (tape, call->inputs[1], emit_pair (tape, "Mul", call->inputs[0], dy[0]), axes, 1);
}

static void
squared_difference_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value axes = emit_axes (tape, call);
  Value two = emit_pair (tape, "Mul", tape_const (tape, "scalar", 1), dy[0]);
  Value da
      = emit_pair (tape, "Mul", two, emit_pair (tape, "Sub", call->inputs[0], call->inputs[1]));

  send_summed (tape, call->inputs[0], da, axes, 0);
  send_summed (tape, call->inputs[1], emit_negative (tape, da), axes, 1);
}

static Value
emit_broadcasting (Tape *tape, const char *op, Value a, Value b, TapeGradient gradient)
{
  Shape shape_a = tape_shape (tape, a);
  Shape shape_b = tape_shape (tape, b);
  Shape shape = shape_a.n_dims >= shape_b.n_dims ? shape_a : shape_b;

  return tape_emit (tape, &(TapeCall){ .op = op,
                                       TAPE_INPUTS (a, b),
                                       TAPE_OUTPUTS (shape),
                                       .flops = shape_count (&shape),
                                       .gradient = gradient });
}

static Value
add (Tape *tape, Value a, Value b)
{
  return emit_broadcasting (tape, "Add", a, b, add_gradient);
}

static Value
sub (Tape *tape, Value a, Value b)
{
  return emit_broadcasting (tape, "Sub", a, b, sub_gradient);
}

static Value
mul (Tape *tape, Value a, Value b)
{
  return emit_broadcasting (tape, "Mul", a, b, mul_gradient);
}

/* --- sums over a map ------------------------------------------------------------------------ */

/* The shape with the summed axes as 1, and how often to tile it: reduced_shape() and
 * _safe_shape_div() of math_grad.py. */
static void
emit_tiling (Tape *tape, gint64 n_dims, Value axes, Value *kept, Value *multiples)
{
  Value shape = tape_const (tape, "Shape", (guint) n_dims);
  Value size = tape_const (tape, "Size", 1);
  Value wrapped = emit_index (
      tape, "FloorMod", "mod",
      (Value[]){ emit_index (tape, "Add", "add", (Value[]){ axes, size }, 2, n_dims - 1), size }, 2,
      n_dims - 1);
  Value all = emit_index (
      tape, "Range", "range",
      (Value[]){ tape_const (tape, "range/start", 1), size, tape_const (tape, "range/delta", 1) },
      3, n_dims);
  Value ones = emit_index (
      tape, "Fill", NULL,
      (Value[]){ tape_const (tape, "Shape_1", 1), tape_const (tape, "Fill/value", 1) }, 2,
      n_dims - 1);
  Value divisor;

  *kept
      = emit_index (tape, "DynamicStitch", NULL, (Value[]){ all, wrapped, shape, ones }, 4, n_dims);
  divisor = emit_index (tape, "Maximum", NULL,
                        (Value[]){ *kept, tape_const (tape, "Maximum/y", 1) }, 2, n_dims);
  *multiples = emit_index (tape, "FloorDiv", "floordiv", (Value[]){ shape, divisor }, 2, n_dims);
}

static void
sum_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);
  Shape kept_shape = shape;
  Value kept;
  Value multiples;
  Value dx;

  for (guint i = 0; i + 1 < shape.n_dims; i++)
    kept_shape.dims[i] = 1;
  emit_tiling (tape, shape.n_dims, call->inputs[1], &kept, &multiples);
  dx = tape_emit (tape, &(TapeCall){ .op = "Reshape",
                                     TAPE_INPUTS (dy[0], kept),
                                     TAPE_OUTPUTS (kept_shape),
                                     .is_free = TRUE });
  dx = tape_emit (tape,
                  &(TapeCall){ .op = "Tile", TAPE_INPUTS (dx, multiples), TAPE_OUTPUTS (shape) });
  tape_send (tape, call->inputs[0], dx);
}

/* Over all but the last dimension. */
static Value
reduce (Tape *tape, const char *op, const char *name, Value x, TapeGradient gradient)
{
  Shape shape = tape_shape (tape, x);
  g_autofree char *axes_name = g_strconcat (name, "/reduction_indices", NULL);
  Value axes = tape_const (tape, axes_name, shape.n_dims - 1);

  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .name = name,
                                       TAPE_INPUTS (x, axes),
                                       TAPE_OUTPUTS (SHAPE (shape.dims[shape.n_dims - 1])),
                                       .flops = shape_count (&shape),
                                       .gradient = gradient });
}

/* --- batch normalisation -------------------------------------------------------------------- */

/* nn.moments: about a shift near the mean, through which no gradient flows. */
static void
make_moments (Tape *tape, Value x, Value *mean, Value *variance)
{
  Value shift;
  Value divisor;
  Value mean_ss;
  Value variance_ss;
  Value shifted_mean;

  tape_push (tape, "moments");
  shift = tape_stop_gradient (tape, reduce (tape, "Mean", "Mean", x, NULL));

  tape_push (tape, "sufficient_statistics");
  divisor = tape_const (tape, "Const", 1);
  mean_ss = reduce (tape, "Sum", "mean_ss", sub (tape, x, shift), sum_gradient);
  variance_ss = reduce (
      tape, "Sum", "var_ss",
      emit_broadcasting (tape, "SquaredDifference", x, shift, squared_difference_gradient),
      sum_gradient);
  tape_pop (tape);

  tape_push (tape, "normalize");
  divisor = tape_emit_elementwise (tape, "Reciprocal", &divisor, 1, 1);
  shifted_mean = mul (tape, mean_ss, divisor);
  *mean = add (tape, shifted_mean, shift);
  *variance = sub (tape, mul (tape, variance_ss, divisor), tape_square (tape, shifted_mean));
  tape_pop (tape);
  tape_pop (tape);
}

/* nn.batch_normalization */
static Value
normalize (Tape *tape, Value x, Value mean, Value variance, Value beta)
{
  Value factor;

  tape_push (tape, "batchnorm");
  factor = tape_rsqrt (tape, add (tape, variance, tape_const (tape, "add/y", 1)));
  beta = sub (tape, beta, mul (tape, mean, factor));
  x = add (tape, mul (tape, x, factor), beta);
  tape_pop (tape);
  return x;
}

static Value
batch_norm (Tape *tape, Value x)
{
  Shape channels = SHAPE (tape_dim (tape, x, 3));
  TapeAverage moving_mean;
  TapeAverage moving_variance;
  Value beta;
  Value mean;
  Value variance;

  tape_push (tape, "batch_norm");
  beta = tape_read (tape, tape_variable (tape, "beta", channels));
  moving_mean = tape_average (tape, "moving_mean", channels);
  moving_variance = tape_average (tape, "moving_variance", channels);
  mean = moving_mean.value;
  variance = moving_variance.value;
  if (tape_is_training (tape))
    {
      make_moments (tape, x, &mean, &variance);
      tape_move_average (tape, "AssignMovingAvg", &moving_mean, mean);
      tape_move_average (tape, "AssignMovingAvg_1", &moving_variance, variance);
    }
  x = normalize (tape, x, mean, variance, beta);
  tape_pop (tape);
  return x;
}

/* --- layers --------------------------------------------------------------------------------- */

Value
slim_weights (SlimNet *net, const char *name, Shape shape)
{
  Tape *tape = net->tape;
  Value weights = tape_read (tape, tape_variable (tape, name, shape));

  if (tape_is_training (tape))
    {
      Value loss;

      tape_push (tape, "%s/Regularizer/l2_regularizer", name);
      loss = mul (tape, tape_const (tape, "scale", 1), tape_l2_loss (tape, weights));
      g_array_append_val (net->losses, loss);
      tape_pop (tape);
    }
  return weights;
}

Value
slim_conv (SlimNet *net, const char *scope, Value x, const SlimConv *conv)
{
  Tape *tape = net->tape;
  Value filter;

  tape_push (tape, "%s", scope);
  filter = slim_weights (net, "weights",
                         SHAPE (conv->height, conv->width, tape_dim (tape, x, 3), conv->n_filters));
  x = tape_conv_2d (tape, x, filter, conv->stride, conv->padding);
  x = tape_relu (tape, batch_norm (tape, x));
  tape_pop (tape);
  return x;
}

Value
slim_dense (SlimNet *net, const char *scope, Value x, gint64 n_out)
{
  Tape *tape = net->tape;
  Value weights;
  Value biases;

  tape_push (tape, "%s", scope);
  weights = slim_weights (net, "weights", SHAPE (tape_dim (tape, x, 1), n_out));
  biases = tape_read (tape, tape_variable (tape, "biases", SHAPE (n_out)));
  x = tape_bias_add (tape, tape_matmul (tape, x, weights), biases);
  tape_pop (tape);
  return x;
}
