#include "engine/graph/workloads/tape-fused.h"

#include "engine/graph/workloads/tape-private.h"

/* FLOPs per element. */
#define NORM_FLOPS 8.0
#define NORM_GRADIENT_FLOPS 11.0
#define ROTARY_FLOPS 3.0
#define SOFTMAX_FLOPS 5.0
#define CROSS_ENTROPY_FLOPS 6.0

/* --- what gradients have in common ------------------------------------------------------------ */

/* One node with one output as large as @like. */
static Value
emit_like (Tape *tape, const char *op, const Value *inputs, guint n_inputs, Value like,
           double flops_per_element)
{
  Shape shape = tape_shape (tape, like);

  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .inputs = inputs,
                                       .n_inputs = n_inputs,
                                       TAPE_OUTPUTS (shape),
                                       .dtype = tape_dtype (tape, like),
                                       .flops = flops_per_element * shape_count (&shape) });
}

/* Gradient of a value that is added to every row. */
static void
send_row_sum (Tape *tape, Value bias, Value dy)
{
  Shape shape = tape_shape (tape, bias);

  if (!tape_needs_gradient (tape, bias))
    return;
  tape_send (tape, bias,
             tape_emit (tape, &(TapeCall){ .op = "BiasAddGrad",
                                           TAPE_INPUTS (dy),
                                           TAPE_OUTPUTS (shape),
                                           .flops = tape_count (tape, dy) }));
}

/* --- collectives ------------------------------------------------------------------------------ */

/* attrs of a call: its ranks, and the collective that exchanged_gradient() goes through. */
#define COLLECTIVE_ATTRS(ranks, back)                                                              \
  {                                                                                                \
    (ranks)->n, (ranks)->name[0], back                                                             \
  }

static Value
emit_collective (Tape *tape, GobanCollectiveKind kind, const TapeRanks *ranks, Value x,
                 gint64 n_rows, TapeGradient gradient, GobanCollectiveKind back)
{
  static const char *const ops[]
      = { "AllReduce", "ReduceScatter", "AllGather", "AllToAll", "Broadcast", "Send" };
  Shape shape = tape_shape (tape, x);
  GobanNodeCollective collective
      = { .kind = kind, .n_ranks = ranks->n, .rank_step = 1, .group = ranks->name };

  collective.bytes = tape_bytes (tape, x);
  shape.dims[0] = n_rows;
  x = tape_emit (tape, &(TapeCall){ .op = ops[kind],
                                    TAPE_INPUTS (x),
                                    TAPE_OUTPUTS (shape),
                                    .dtype = tape_dtype (tape, x),
                                    .gradient = gradient,
                                    .attrs = COLLECTIVE_ATTRS (ranks, back) });
  collective.node = tape_last_node (tape);
  collective.bytes = MAX (collective.bytes, tape_bytes (tape, x));
  goban_graph_builder_set_collective (tape->builder, collective);
  return x;
}

static void
pass_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], dy[0]);
}

static void
exchanged_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  const TapeRanks ranks
      = { .name = call->attrs[1] == 't' ? "tp" : "ep", .n = (guint) call->attrs[0] };

  tape_send (tape, call->inputs[0],
             emit_collective (tape, (GobanCollectiveKind) call->attrs[2], &ranks, dy[0],
                              tape_dim (tape, call->inputs[0], 0), NULL, 0));
}

/* x, if there is one rank, or what the collective makes of it, with @n_rows, whose gradient goes
 * through the collective @back. */
static Value
exchange (Tape *tape, GobanCollectiveKind kind, const TapeRanks *ranks, Value x, gint64 n_rows,
          GobanCollectiveKind back)
{
  return ranks->n == 1 ? x
                       : emit_collective (tape, kind, ranks, x, n_rows, exchanged_gradient, back);
}

/* A sum over the ranks has the same gradient as each of its parts. */
Value
tape_all_reduce (Tape *tape, const TapeRanks *ranks, Value x)
{
  return ranks->n == 1 ? x
                       : emit_collective (tape, GOBAN_COLLECTIVE_ALL_REDUCE, ranks, x,
                                          tape_dim (tape, x, 0), pass_gradient, 0);
}

Value
tape_all_reduce_gradient (Tape *tape, const TapeRanks *ranks, Value x)
{
  if (ranks->n == 1)
    return x;
  return tape_alias (tape,
                     &(TapeCall){ .name = "input",
                                  TAPE_INPUTS (x),
                                  .gradient = exchanged_gradient,
                                  .attrs = COLLECTIVE_ATTRS (ranks, GOBAN_COLLECTIVE_ALL_REDUCE) });
}

Value
tape_all_gather (Tape *tape, const TapeRanks *ranks, Value x)
{
  return exchange (tape, GOBAN_COLLECTIVE_ALL_GATHER, ranks, x, tape_dim (tape, x, 0) * ranks->n,
                   GOBAN_COLLECTIVE_REDUCE_SCATTER);
}

Value
tape_reduce_scatter (Tape *tape, const TapeRanks *ranks, Value x)
{
  return exchange (tape, GOBAN_COLLECTIVE_REDUCE_SCATTER, ranks, x,
                   tape_dim (tape, x, 0) / ranks->n, GOBAN_COLLECTIVE_ALL_GATHER);
}

Value
tape_all_to_all (Tape *tape, const TapeRanks *ranks, Value x)
{
  return exchange (tape, GOBAN_COLLECTIVE_ALL_TO_ALL, ranks, x, tape_dim (tape, x, 0),
                   GOBAN_COLLECTIVE_ALL_TO_ALL);
}

Value
tape_branch (Tape *tape, Value x)
{
  return tape_alias (tape,
                     &(TapeCall){ .name = "input", TAPE_INPUTS (x), .gradient = pass_gradient });
}

/* --- products --------------------------------------------------------------------------------- */

static Value
emit_product (Tape *tape, const TapeCall *call, Shape shape, double macs)
{
  TapeCall product = *call;

  product.op = call->op != NULL ? call->op : "MatMul";
  product.outputs = &shape;
  product.n_outputs = 1;
  product.macs = macs;
  product.flops += 2 * macs;
  return tape_emit (tape, &product);
}

/* attrs: the shard's value and its ranks, or 0. */
static void
linear_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];
  Value weight = call->inputs[1];

  if (tape_needs_gradient (tape, x))
    tape_send (tape, x,
               emit_product (tape, &(TapeCall){ .op = call->op, TAPE_INPUTS (dy[0], weight) },
                             tape_shape (tape, x), call->macs));
  if (call->attrs[1] > 0)
    {
      TapeRanks ranks = { "tp", (guint) call->attrs[1] };

      x = emit_collective (tape, GOBAN_COLLECTIVE_ALL_GATHER, &ranks, (Value) call->attrs[0],
                           tape_dim (tape, x, 0), NULL, 0);
    }
  if (tape_needs_gradient (tape, weight))
    tape_send (tape, weight,
               emit_product (tape, &(TapeCall){ .op = call->op, TAPE_INPUTS (x, dy[0]) },
                             tape_shape (tape, weight), call->macs));
  if (call->n_inputs > 2)
    send_row_sum (tape, call->inputs[2], dy[0]);
}

Value
tape_linear (Tape *tape, Value x, const TapeLinear *linear)
{
  Shape weight = tape_shape (tape, linear->weight);
  gint64 n_out = weight.dims[weight.n_dims - (linear->is_transposed ? 2 : 1)];
  gint64 n_rows = tape_dim (tape, x, 0);
  gint64 n_experts = weight.n_dims == 3 ? weight.dims[0] : 1;
  double n_read = (double) MIN (n_rows, n_experts) / (double) n_experts; /* some get no row */
  const Value inputs[] = { x, linear->weight, linear->bias };
  gboolean is_again = linear->shard != NO_VALUE && linear->n_ranks > 1;

  return emit_product (
      tape,
      &(TapeCall){ .op = weight.n_dims == 3 ? "GroupedMatMul" : "MatMul",
                   .inputs = inputs,
                   .n_inputs = linear->bias != NO_VALUE ? 3 : 2,
                   .flops = linear->bias != NO_VALUE ? (double) n_rows * (double) n_out : 0,
                   .read_bytes = n_experts > 1 ? tape_bytes (tape, x)
                                                     + n_read * tape_bytes (tape, linear->weight)
                                               : 0,
                   .gradient = linear_gradient,
                   .attrs = { is_again ? linear->shard : 0, is_again ? linear->n_ranks : 0 } },
      SHAPE (n_rows, n_out), tape_count (tape, x) * (double) n_out);
}

Value
tape_copy_weight (Tape *tape, Value weight)
{
  Shape shape = tape_shape (tape, weight);

  return tape_emit (tape, &(TapeCall){ .op = "ReadVariableOp",
                                       .name = "Read",
                                       TAPE_INPUTS (weight),
                                       TAPE_OUTPUTS (shape),
                                       .is_free = TRUE,
                                       .gradient = pass_gradient });
}

static void
embed_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape table = tape_shape (tape, call->inputs[0]);

  tape_send (tape, call->inputs[0],
             tape_emit (tape, &(TapeCall){ .op = "EmbeddingGrad",
                                           TAPE_INPUTS (dy[0], call->inputs[1]),
                                           TAPE_OUTPUTS (table),
                                           .flops = tape_count (tape, dy[0]) }));
}

Value
tape_embed (Tape *tape, Value table, Value ids)
{
  Shape shape = SHAPE (tape_dim (tape, ids, 0), tape_dim (tape, table, 1));
  double row_bytes = tape_bytes (tape, table) / (double) tape_dim (tape, table, 0);

  return tape_emit (
      tape, &(TapeCall){ .op = "Embedding",
                         TAPE_INPUTS (table, ids),
                         TAPE_OUTPUTS (shape),
                         .read_bytes = tape_bytes (tape, ids) + row_bytes * (double) shape.dims[0],
                         .gradient = embed_gradient });
}

/* --- norms, activations, sums ----------------------------------------------------------------- */

/* The gradient of weights is a node of its own: a kernel of its own that reads x again. */
static void
norm_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];
  Value statistics = call->first_output + 1;
  g_autofree char *op = g_strconcat (call->op, "Grad", NULL);
  g_autofree char *weight_op = g_strconcat (call->op, "WeightGrad", NULL);
  const Value inputs[] = { dy[0], x, statistics, call->n_inputs > 1 ? call->inputs[1] : NO_VALUE };
  Value sums;

  tape_send (tape, x,
             emit_like (tape, op, inputs, call->n_inputs > 1 ? 4 : 3, x, NORM_GRADIENT_FLOPS));
  if (call->n_inputs == 1)
    return;

  Shape shape = tape_shape (tape, call->inputs[1]);

  sums = tape_emit (tape, &(TapeCall){ .op = weight_op,
                                       .inputs = inputs,
                                       .n_inputs = 3,
                                       .outputs = (const Shape[]){ shape, shape },
                                       .n_outputs = call->n_inputs - 1,
                                       .flops = 4 * tape_count (tape, x) });
  for (guint i = 1; i < call->n_inputs; i++)
    tape_send (tape, call->inputs[i], sums + i - 1);
}

Value
tape_norm (Tape *tape, const char *op, Value x, Value gamma, Value beta)
{
  const Value inputs[] = { x, gamma, beta };
  Shape shape = tape_shape (tape, x);

  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .inputs = inputs,
                                       .n_inputs = gamma == NO_VALUE  ? 1
                                                   : beta == NO_VALUE ? 2
                                                                      : 3,
                                       TAPE_OUTPUTS (shape, SHAPE (shape.dims[0])),
                                       .later_dtype = "f32",
                                       .flops = NORM_FLOPS * shape_count (&shape),
                                       .gradient = norm_gradient });
}

static void
activate_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  g_autofree char *op = g_strconcat (call->op, "Grad", NULL);
  Value x = call->inputs[0];

  tape_send (tape, x,
             emit_like (tape, op, (const Value[]){ dy[0], x }, 2, x,
                        1.5 * call->flops / tape_count (tape, x)));
}

Value
tape_activate (Tape *tape, const char *op, Value x, guint n_halves, double flops)
{
  Shape shape = tape_shape (tape, x);

  shape.dims[1] /= n_halves;
  return tape_emit (tape, &(TapeCall){ .op = op,
                                       TAPE_INPUTS (x),
                                       TAPE_OUTPUTS (shape),
                                       .flops = flops * shape_count (&shape),
                                       .gradient = activate_gradient });
}

/* The second output, where there is one, is what dropout left. */
static Value
emit_undropped (Tape *tape, const TapeCall *call, Value dy)
{
  if (call->n_outputs == 1)
    return dy;
  return emit_like (tape, "DropoutGrad", (const Value[]){ dy, call->first_output + 1 }, 2, dy, 1);
}

static void
residual_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value dx = emit_undropped (tape, call, dy[0]);

  tape_send (tape, call->inputs[0], dx);
  tape_send (tape, call->inputs[1], dy[0]);
  if (call->n_inputs > 2)
    send_row_sum (tape, call->inputs[2], dx);
}

Value
tape_residual (Tape *tape, Value x, Value y, Value bias, gboolean drops)
{
  const Value inputs[] = { x, y, bias };
  Shape shape = tape_shape (tape, x);
  guint n = bias == NO_VALUE ? 2 : 3;

  return tape_emit (tape, &(TapeCall){ .op = "Add",
                                       .inputs = inputs,
                                       .n_inputs = n,
                                       .outputs = (const Shape[]){ shape, shape },
                                       .n_outputs = drops ? 2 : 1,
                                       .later_dtype = "bool",
                                       .flops = (n - 1 + drops) * shape_count (&shape),
                                       .gradient = residual_gradient });
}

static void
modulate_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]), own = tape_shape (tape, call->inputs[1]);
  Value dx = tape_emit (tape, &(TapeCall){ .op = "ModulateGrad",
                                           TAPE_INPUTS (dy[0], call->inputs[0], call->inputs[2]),
                                           TAPE_OUTPUTS (shape, own, own),
                                           .flops = 4 * shape_count (&shape) });

  for (guint i = 0; i < 3; i++)
    tape_send (tape, call->inputs[i], dx + i);
}

Value
tape_modulate (Tape *tape, Value x, Value shift, Value scale)
{
  Shape shape = tape_shape (tape, x);

  return tape_emit (tape, &(TapeCall){ .op = "Modulate",
                                       TAPE_INPUTS (x, shift, scale),
                                       TAPE_OUTPUTS (shape),
                                       .flops = 2 * shape_count (&shape),
                                       .gradient = modulate_gradient });
}

static void
gated_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, dy[0]), own = tape_shape (tape, call->inputs[2]);
  Value dx = tape_emit (tape, &(TapeCall){ .op = "GatedAddGrad",
                                           TAPE_INPUTS (dy[0], call->inputs[0], call->inputs[2]),
                                           TAPE_OUTPUTS (shape, own),
                                           .flops = 3 * shape_count (&shape) });

  tape_send (tape, call->inputs[0], dx);
  tape_send (tape, call->inputs[1], dy[0]);
  tape_send (tape, call->inputs[2], dx + 1);
  if (call->n_inputs > 3)
    send_row_sum (tape, call->inputs[3], dx);
}

Value
tape_gated_residual (Tape *tape, Value x, Value y, Value bias, Value gate)
{
  const Value inputs[] = { x, y, gate, bias };
  Shape shape = tape_shape (tape, x);

  return tape_emit (tape, &(TapeCall){ .op = "GatedAdd",
                                       .inputs = inputs,
                                       .n_inputs = bias == NO_VALUE ? 3 : 4,
                                       TAPE_OUTPUTS (shape),
                                       .flops = 3 * shape_count (&shape),
                                       .gradient = gated_gradient });
}

static Value
emit_rows (Tape *tape, const char *name, Value x, gint64 n_rows, TapeGradient gradient)
{
  double row_bytes = tape_bytes (tape, x) / (double) tape_dim (tape, x, 0);

  return tape_emit (tape, &(TapeCall){ .op = "Slice",
                                       .name = name,
                                       TAPE_INPUTS (x),
                                       TAPE_OUTPUTS (SHAPE (n_rows, tape_dim (tape, x, 1))),
                                       .read_bytes = row_bytes * (double) n_rows,
                                       .gradient = gradient });
}

static void
take_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], emit_like (tape, "SliceGrad", dy, 1, call->inputs[0], 0));
}

Value
tape_slice_rows (Tape *tape, const char *name, Value x, gint64 n_rows)
{
  return emit_rows (tape, name, x, n_rows, take_gradient);
}

static void
prepend_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  gint64 n_rows = tape_dim (tape, call->inputs[0], 0);
  gint64 n_new = tape_dim (tape, dy[0], 0) - n_rows;

  tape_send (tape, call->inputs[0], emit_rows (tape, NULL, dy[0], n_rows, NULL));
  send_row_sum (tape, call->inputs[1], emit_rows (tape, NULL, dy[0], n_new, NULL));
}

Value
tape_prepend_row (Tape *tape, Value x, Value row, gint64 batch)
{
  return tape_emit (tape, &(TapeCall){ .op = "Concat",
                                       TAPE_INPUTS (x, row),
                                       TAPE_OUTPUTS (SHAPE (tape_dim (tape, x, 0) + batch,
                                                            tape_dim (tape, x, 1))),
                                       .gradient = prepend_gradient });
}

static void
positions_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], dy[0]);
  send_row_sum (tape, call->inputs[1], dy[0]);
}

Value
tape_add_positions (Tape *tape, Value x, Value table, gint64 n_rows)
{
  Shape shape = tape_shape (tape, x);
  double row_bytes = tape_bytes (tape, x) / (double) shape.dims[0];

  return tape_emit (tape,
                    &(TapeCall){ .op = "Add",
                                 TAPE_INPUTS (x, table),
                                 TAPE_OUTPUTS (shape),
                                 .read_bytes = tape_bytes (tape, x) + row_bytes * (double) n_rows,
                                 .flops = shape_count (&shape),
                                 .gradient = positions_gradient });
}

/* --- losses ----------------------------------------------------------------------------------- */

static void
token_loss_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value logits = call->inputs[0];

  tape_send (tape, logits,
             emit_like (tape, "CrossEntropyGrad",
                        (const Value[]){ dy[0], logits, call->inputs[1], call->first_output }, 4,
                        logits, CROSS_ENTROPY_FLOPS / 2));
}

Value
tape_token_loss (Tape *tape, Value logits, Value labels)
{
  return tape_emit (tape, &(TapeCall){ .op = "CrossEntropy",
                                       TAPE_INPUTS (logits, labels),
                                       TAPE_OUTPUTS (SHAPE (tape_dim (tape, logits, 0))),
                                       .dtype = "f32",
                                       .flops = CROSS_ENTROPY_FLOPS * tape_count (tape, logits),
                                       .gradient = token_loss_gradient });
}

static void
squared_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];

  tape_send (
      tape, x,
      emit_like (tape, "MseLossGrad", (const Value[]){ dy[0], x, call->inputs[1] }, 3, x, 2));
}

Value
tape_squared_loss (Tape *tape, Value x, Value target)
{
  return tape_emit (tape, &(TapeCall){ .op = "MseLoss",
                                       TAPE_INPUTS (x, target),
                                       TAPE_OUTPUTS (SHAPE (tape_dim (tape, x, 0))),
                                       .dtype = "f32",
                                       .flops = 3 * tape_count (tape, x),
                                       .gradient = squared_gradient });
}

static void
mean_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];

  tape_send (tape, x, emit_like (tape, "MeanGrad", dy, 1, x, 1));
}

Value
tape_mean_of_losses (Tape *tape, Value losses)
{
  return tape_emit (tape, &(TapeCall){ .op = "Mean",
                                       TAPE_INPUTS (losses),
                                       TAPE_OUTPUTS (SHAPE_SCALAR),
                                       .dtype = "f32",
                                       .flops = tape_count (tape, losses),
                                       .gradient = mean_gradient });
}

/* --- experts ---------------------------------------------------------------------------------- */

static void
choose_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value logits = call->inputs[0];

  tape_send (tape, logits,
             emit_like (tape, "TopKGrad", (const Value[]){ dy[0], logits }, 2, logits, 4));
}

Value
tape_choose_experts (Tape *tape, Value logits, gint64 n)
{
  return tape_emit (tape, &(TapeCall){ .op = "TopK",
                                       TAPE_INPUTS (logits),
                                       TAPE_OUTPUTS (SHAPE (tape_dim (tape, logits, 0), n)),
                                       .flops = SOFTMAX_FLOPS * tape_count (tape, logits),
                                       .gradient = choose_gradient });
}

static void
dispatch_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];

  tape_send (tape, x,
             emit_like (tape, "DispatchGrad", (const Value[]){ dy[0], call->inputs[1] }, 2, x,
                        (double) tape_dim (tape, call->inputs[1], 1)));
}

Value
tape_dispatch (Tape *tape, Value x, Value chosen)
{
  return tape_emit (tape, &(TapeCall){ .op = "Dispatch",
                                       TAPE_INPUTS (x, chosen),
                                       TAPE_OUTPUTS (SHAPE ((gint64) tape_count (tape, chosen),
                                                            tape_dim (tape, x, 1))),
                                       .gradient = dispatch_gradient });
}

static void
combine_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape rows = tape_shape (tape, call->inputs[0]), chosen = tape_shape (tape, call->inputs[1]);
  Value dx = tape_emit (tape, &(TapeCall){ .op = "CombineGrad",
                                           TAPE_INPUTS (dy[0], call->inputs[0], call->inputs[1]),
                                           TAPE_OUTPUTS (rows, chosen),
                                           .flops = 3 * shape_count (&rows) });

  tape_send (tape, call->inputs[0], dx);
  tape_send (tape, call->inputs[1], dx + 1);
}

Value
tape_combine (Tape *tape, Value x, Value chosen)
{
  return tape_emit (
      tape, &(TapeCall){ .op = "Combine",
                         TAPE_INPUTS (x, chosen),
                         TAPE_OUTPUTS (SHAPE (tape_dim (tape, chosen, 0), tape_dim (tape, x, 1))),
                         .flops = 2 * tape_count (tape, x),
                         .gradient = combine_gradient });
}

/* --- attention -------------------------------------------------------------------------------- */

static void
split_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];

  tape_send (tape, x, emit_like (tape, "Concat", dy, call->n_outputs, x, 0));
}

Value
tape_split_rows (Tape *tape, Value x, const gint64 *widths, guint n)
{
  Shape shapes[SHAPE_MAX_DIMS];

  for (guint i = 0; i < n; i++)
    shapes[i] = SHAPE (tape_dim (tape, x, 0), widths[i]);
  return tape_emit (tape, &(TapeCall){ .op = "Split",
                                       TAPE_INPUTS (x),
                                       .outputs = shapes,
                                       .n_outputs = n,
                                       .is_free = TRUE,
                                       .gradient = split_gradient });
}

static Value
emit_rotation (Tape *tape, const char *op, const Value pair[2], TapeGradient gradient)
{
  Shape q = tape_shape (tape, pair[0]);
  Shape k = tape_shape (tape, pair[1]);

  return tape_emit (tape,
                    &(TapeCall){ .op = op,
                                 .inputs = pair,
                                 .n_inputs = 2,
                                 TAPE_OUTPUTS (q, k),
                                 .flops = ROTARY_FLOPS * (shape_count (&q) + shape_count (&k)),
                                 .gradient = gradient });
}

/* Turned back. */
static void
rotate_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value dx = emit_rotation (tape, "RotaryGrad", dy, NULL);

  tape_send (tape, call->inputs[0], dx);
  tape_send (tape, call->inputs[1], dx + 1);
}

Value
tape_rotate (Tape *tape, Value q, Value k)
{
  return emit_rotation (tape, "Rotary", (const Value[]){ q, k }, rotate_gradient);
}

/* Scores are made again: 5 products where the forward pass has 2 (Dao et al. 2022). */
static void
flash_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value output = call->first_output;
  const Value inputs[]
      = { dy[0], call->inputs[0], call->inputs[1], call->inputs[2], output, output + 1 };
  Shape q = tape_shape (tape, inputs[1]), k = tape_shape (tape, inputs[2]);
  Value dx = tape_emit (tape, &(TapeCall){ .op = "FlashAttentionGrad",
                                           .inputs = inputs,
                                           .n_inputs = G_N_ELEMENTS (inputs),
                                           TAPE_OUTPUTS (q, k, k),
                                           .macs = 2.5 * call->macs,
                                           .flops = 2.5 * call->flops });

  for (guint i = 0; i < 3; i++)
    tape_send (tape, call->inputs[i], dx + i);
}

/* A product of two operands that both have gradients of its own size. */
static void
both_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  for (guint i = 0; i < 2; i++)
    tape_send (
        tape, call->inputs[i],
        emit_product (tape, &(TapeCall){ .op = call->op, TAPE_INPUTS (dy[0], call->inputs[1 - i]) },
                      tape_shape (tape, call->inputs[i]), call->macs));
}

static void
probabilities_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value y = call->first_output;

  tape_send (tape, call->inputs[0],
             emit_like (tape, "SoftmaxGrad", (const Value[]){ dy[0], y }, 2, y, 4));
}

static void
drop_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0], emit_undropped (tape, call, dy[0]));
}

/* Softmax of the scores, scaled and masked on the way. */
static Value
emit_probabilities (Tape *tape, Value scores, gboolean drops)
{
  Shape shape = tape_shape (tape, scores);

  scores = tape_emit (tape, &(TapeCall){ .op = "Softmax",
                                         TAPE_INPUTS (scores),
                                         TAPE_OUTPUTS (shape),
                                         .flops = SOFTMAX_FLOPS * shape_count (&shape),
                                         .gradient = probabilities_gradient });
  if (!drops)
    return scores;
  return tape_emit (tape, &(TapeCall){ .op = "Dropout",
                                       TAPE_INPUTS (scores),
                                       TAPE_OUTPUTS (shape, shape),
                                       .later_dtype = "bool",
                                       .flops = shape_count (&shape),
                                       .gradient = drop_gradient });
}

Value
tape_attend (Tape *tape, Value q, Value k, Value v, const TapeAttention *self)
{
  Shape shape = tape_shape (tape, q);
  double macs = shape_count (&shape) * (double) self->n_keys;
  Shape square = SHAPE (self->batch, self->n_heads, shape.dims[0] / self->batch, self->n_keys);
  Value y;

  if (self->is_fused)
    {
      double products = self->is_causal ? macs : 2 * macs;

      y = tape_emit (tape, &(TapeCall){ .op = "FlashAttention",
                                        TAPE_INPUTS (q, k, v),
                                        TAPE_OUTPUTS (shape, SHAPE (shape.dims[0], self->n_heads)),
                                        .later_dtype = "f32",
                                        .macs = products,
                                        .flops = 2 * products,
                                        .gradient = flash_gradient });
      tape_touch (tape, self->cache, self->read_bytes, self->written_bytes);
      return y;
    }
  y = emit_product (
      tape,
      &(TapeCall){
          .op = "BatchMatMulV2", .name = "scores", TAPE_INPUTS (q, k), .gradient = both_gradient },
      square, macs);
  tape_touch (tape, self->cache, self->read_bytes / 2, self->written_bytes / 2);
  y = emit_probabilities (tape, y, self->drops);
  y = emit_product (
      tape,
      &(TapeCall){
          .op = "BatchMatMulV2", .name = "context", TAPE_INPUTS (y, v), .gradient = both_gradient },
      shape, macs);
  tape_touch (tape, self->cache, self->read_bytes / 2, self->written_bytes / 2);
  return y;
}
