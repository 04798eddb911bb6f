#include "engine/graph/workloads/tape-ops.h"

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
