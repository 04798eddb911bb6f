#include "engine/graph/workloads/tape-ops.h"

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
