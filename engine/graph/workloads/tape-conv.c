#include "engine/graph/workloads/tape-conv.h"

#include "engine/graph/workloads/tape-private.h"

/* FLOPs per element of normalising a map, and of going back. */
#define NORM_FLOPS 7.0
#define NORM_GRAD_FLOPS 11.0

/* The output size of a window over @size. */
static gint64
tape_window_size (gint64 size, gint64 window, gint64 stride, TapePadding padding)
{
  return padding == TAPE_SAME ? (size + stride - 1) / stride : (size - window) / stride + 1;
}

static Value
emit_shape_of (Tape *tape, const char *name, Value x)
{
  return tape_const (tape, name, tape_shape (tape, x).n_dims);
}

/* --- convolution ------------------------------------------------------------------------------ */

static void
conv_2d_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];
  Value filter = call->inputs[1];
  Shape x_shape = tape_shape (tape, x);
  Shape filter_shape = tape_shape (tape, filter);

  if (tape_needs_gradient (tape, x))
    tape_send (
        tape, x,
        tape_emit (tape, &(TapeCall){ .op = "Conv2DBackpropInput",
                                      TAPE_INPUTS (emit_shape_of (tape, "Shape", x), filter, dy[0]),
                                      TAPE_OUTPUTS (x_shape),
                                      .flops = call->flops,
                                      .macs = call->macs }));
  if (tape_needs_gradient (tape, filter))
    tape_send (tape, filter,
               tape_emit (tape, &(TapeCall){
                                    .op = "Conv2DBackpropFilter",
                                    TAPE_INPUTS (x, emit_shape_of (tape, "Shape_1", filter), dy[0]),
                                    TAPE_OUTPUTS (filter_shape),
                                    .flops = call->flops,
                                    .macs = call->macs }));
}

Value
tape_conv_2d (Tape *tape, Value x, Value filter, gint64 stride, TapePadding padding)
{
  Shape in = tape_shape (tape, x);
  Shape window = tape_shape (tape, filter);
  Shape out
      = SHAPE (in.dims[0], tape_window_size (in.dims[1], window.dims[0], stride, padding),
               tape_window_size (in.dims[2], window.dims[1], stride, padding), window.dims[3]);
  double macs = shape_count (&out) * (double) (window.dims[0] * window.dims[1] * window.dims[2]);

  return tape_emit (tape, &(TapeCall){ .op = "Conv2D",
                                       TAPE_INPUTS (x, filter),
                                       TAPE_OUTPUTS (out),
                                       .flops = 2 * macs,
                                       .macs = macs,
                                       .gradient = conv_2d_gradient });
}

/* --- pooling -------------------------------------------------------------------------------- */

static void
max_pool_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (tape, call->inputs[0],
             tape_emit (tape, &(TapeCall){ .op = "MaxPoolGrad",
                                           TAPE_INPUTS (call->inputs[0], call->first_output, dy[0]),
                                           TAPE_OUTPUTS (shape),
                                           .flops = call->flops }));
}

static void
avg_pool_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (
      tape, call->inputs[0],
      tape_emit (tape,
                 &(TapeCall){ .op = "AvgPoolGrad",
                              TAPE_INPUTS (emit_shape_of (tape, "Shape", call->inputs[0]), dy[0]),
                              TAPE_OUTPUTS (shape),
                              .flops = call->flops }));
}

typedef struct
{
  const char *op;
  gint64 window;
  gint64 stride;
  TapePadding padding;
  TapeGradient gradient;
} Pooling;

static Value
pool (Tape *tape, Value x, const Pooling *pooling)
{
  Shape shape = tape_shape (tape, x);

  for (guint i = 1; i <= 2; i++)
    shape.dims[i]
        = tape_window_size (shape.dims[i], pooling->window, pooling->stride, pooling->padding);
  return tape_emit (tape, &(TapeCall){ .op = pooling->op,
                                       TAPE_INPUTS (x),
                                       TAPE_OUTPUTS (shape),
                                       .flops = shape_count (&shape)
                                                * (double) (pooling->window * pooling->window),
                                       .gradient = pooling->gradient });
}

Value
tape_max_pool (Tape *tape, Value x, gint64 window, gint64 stride, TapePadding padding)
{
  return pool (tape, x, &(Pooling){ "MaxPool", window, stride, padding, max_pool_gradient });
}

Value
tape_avg_pool (Tape *tape, Value x, gint64 window, gint64 stride, TapePadding padding)
{
  return pool (tape, x, &(Pooling){ "AvgPool", window, stride, padding, avg_pool_gradient });
}

/* --- moving maps about ---------------------------------------------------------------------- */

static void
pad_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send_part (tape, call, dy[0], "begin");
}

Value
tape_pad_corner (Tape *tape, Value x)
{
  Shape shape = tape_shape (tape, x);

  shape.dims[1]++;
  shape.dims[2]++;
  return tape_emit (tape, &(TapeCall){ .op = "Pad",
                                       TAPE_INPUTS (x, tape_const (tape, "Pad/paddings", 8)),
                                       TAPE_OUTPUTS (shape),
                                       .gradient = pad_gradient });
}

static void
cut_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (
      tape, call->inputs[0],
      tape_emit (
          tape, &(TapeCall){ .op = "StridedSliceGrad",
                             TAPE_INPUTS (emit_shape_of (tape, "Shape", call->inputs[0]),
                                          call->inputs[1], call->inputs[2], call->inputs[3], dy[0]),
                             TAPE_OUTPUTS (shape) }));
}

Value
tape_cut_corner (Tape *tape, Value x)
{
  Shape shape = tape_shape (tape, x);
  Value begin = tape_const (tape, "strided_slice/stack", 4);
  Value end = tape_const (tape, "strided_slice/stack_1", 4);
  Value strides = tape_const (tape, "strided_slice/stack_2", 4);

  shape.dims[1]--;
  shape.dims[2]--;
  return tape_emit (tape, &(TapeCall){ .op = "StridedSlice",
                                       .name = "strided_slice",
                                       TAPE_INPUTS (x, begin, end, strides),
                                       TAPE_OUTPUTS (shape),
                                       .read_bytes = 4 * shape_count (&shape),
                                       .gradient = cut_gradient });
}

/* The op that undoes the other: same block, same crops. */
static void
send_rearranged (Tape *tape, const TapeCall *call, const char *op, Value dy)
{
  Shape shape = tape_shape (tape, call->inputs[0]);

  tape_send (tape, call->inputs[0],
             tape_emit (tape, &(TapeCall){ .op = op,
                                           TAPE_INPUTS (dy, call->inputs[1], call->inputs[2]),
                                           TAPE_OUTPUTS (shape) }));
}

static void
space_to_batch_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  send_rearranged (tape, call, "BatchToSpaceND", dy[0]);
}

static void
batch_to_space_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  send_rearranged (tape, call, "SpaceToBatchND", dy[0]);
}

Value
tape_space_to_batch (Tape *tape, Value x, gint64 block, gint64 before)
{
  Shape shape = tape_shape (tape, x);
  Value size = tape_const (tape, "SpaceToBatchND/block_shape", 1);
  Value paddings = tape_const (tape, "SpaceToBatchND/paddings", 2);

  shape.dims[0] *= block;
  shape.dims[2] = (shape.dims[2] + before + block - 1) / block;
  return tape_emit (tape, &(TapeCall){ .op = "SpaceToBatchND",
                                       TAPE_INPUTS (x, size, paddings),
                                       TAPE_OUTPUTS (shape),
                                       .gradient = space_to_batch_gradient });
}

Value
tape_batch_to_space (Tape *tape, Value x, gint64 block, gint64 size)
{
  Shape shape = tape_shape (tape, x);
  Value blocks = tape_const (tape, "BatchToSpaceND/block_shape", 1);
  Value crops = tape_const (tape, "BatchToSpaceND/crops", 2);

  shape.dims[0] /= block;
  shape.dims[2] = size;
  return tape_emit (tape, &(TapeCall){ .op = "BatchToSpaceND",
                                       TAPE_INPUTS (x, blocks, crops),
                                       TAPE_OUTPUTS (shape),
                                       .gradient = batch_to_space_gradient });
}

/* --- regularisation and averages ------------------------------------------------------------ */

static void
l2_loss_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  tape_send (tape, call->inputs[0],
             tape_emit_elementwise (tape, "Mul", (Value[]){ call->inputs[0], dy[0] }, 2, 1));
}

Value
tape_l2_loss (Tape *tape, Value x)
{
  return tape_emit (tape, &(TapeCall){ .op = "L2Loss",
                                       TAPE_INPUTS (x),
                                       TAPE_OUTPUTS (SHAPE_SCALAR),
                                       .flops = 2 * tape_count (tape, x),
                                       .gradient = l2_loss_gradient });
}

TapeAverage
tape_average (Tape *tape, const char *name, Shape shape)
{
  TapeAverage average;
  GobanNode *node;

  average.handle = tape_emit (tape, &(TapeCall){ .op = "VarHandleOp",
                                                 .name = name,
                                                 TAPE_OUTPUTS (SHAPE_SCALAR),
                                                 .dtype = "resource",
                                                 .is_free = TRUE });
  average.node = tape_last_node (tape);
  node = goban_graph_builder_get_node (tape->builder, average.node);
  node->param_bytes = 4 * shape_count (&shape);
  goban_graph_builder_set_group (tape->builder, average.node, average.node);

  tape_push (tape, "%s", name);
  average.value = tape_emit (tape, &(TapeCall){ .op = "ReadVariableOp",
                                                .name = "Read",
                                                TAPE_INPUTS (average.handle),
                                                TAPE_OUTPUTS (shape),
                                                .is_free = TRUE });
  goban_graph_builder_set_group (tape->builder, tape_last_node (tape), average.node);
  tape_pop (tape);
  return average;
}

/* average -= (average - value) * (1 - decay) */
void
tape_move_average (Tape *tape, const char *scope, const TapeAverage *average, Value value)
{
  GobanPhase phase = tape->phase;
  double count = tape_count (tape, average->value);
  Value decay;
  Value delta;

  tape_push (tape, "%s", scope);
  tape->phase = GOBAN_PHASE_UPDATE;
  decay = tape_const (tape, "decay", 1);
  delta = tape_emit_elementwise (tape, "Sub", (Value[]){ average->value, value }, 2, 1);
  delta = tape_emit_elementwise (tape, "Mul", (Value[]){ delta, decay }, 2, 1);
  tape_emit (tape, &(TapeCall){ .op = "AssignSubVariableOp",
                                TAPE_INPUTS (average->handle, delta),
                                .flops = count,
                                .read_bytes = 8 * count,
                                .written_bytes = 4 * count });
  goban_graph_builder_set_group (tape->builder, tape_last_node (tape), average->node);
  tape->phase = phase;
  tape_pop (tape);
}

/* --- batch normalisation -------------------------------------------------------------------- */

/* The statistics are gathered before anything is normalised: the map is read twice, back and
 * forth. */
static void
fused_batch_norm_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Value x = call->inputs[0];
  Value gamma = call->inputs[1];
  Shape shape = tape_shape (tape, x);
  Shape channels = tape_shape (tape, gamma);
  Value dx = tape_emit (tape, &(TapeCall){ .op = "FusedBatchNormGradV3",
                                           TAPE_INPUTS (dy[0], x, gamma, call->first_output + 3,
                                                        call->first_output + 4),
                                           TAPE_OUTPUTS (shape, channels, channels),
                                           .flops = NORM_GRAD_FLOPS * shape_count (&shape),
                                           .read_bytes = 4 * tape_bytes (tape, x) });

  tape_send (tape, x, dx);
  tape_send (tape, gamma, dx + 1);
  tape_send (tape, call->inputs[2], dx + 2);
}

Value
tape_fused_batch_norm (Tape *tape, const char *scope, Value x)
{
  Shape shape = tape_shape (tape, x);
  Shape channels = SHAPE (shape.dims[shape.n_dims - 1]);
  gboolean is_training = tape_is_training (tape);
  TapeAverage mean;
  TapeAverage variance;
  Value inputs[5];
  Value y;

  tape_push (tape, "%s", scope);
  inputs[0] = x;
  inputs[1] = tape_read (tape, tape_variable (tape, "gamma", channels));
  inputs[2] = tape_read (tape, tape_variable (tape, "beta", channels));
  mean = tape_average (tape, "moving_mean", channels);
  variance = tape_average (tape, "moving_variance", channels);
  inputs[3] = is_training ? tape_const (tape, "Const", 0) : mean.value;
  inputs[4] = is_training ? tape_const (tape, "Const_1", 0) : variance.value;
  y = tape_emit (tape, &(TapeCall){ .op = "FusedBatchNormV3",
                                    .inputs = inputs,
                                    .n_inputs = G_N_ELEMENTS (inputs),
                                    TAPE_OUTPUTS (shape, channels, channels, channels, channels),
                                    .flops = NORM_FLOPS * shape_count (&shape),
                                    .read_bytes = (is_training ? 2 : 1) * tape_bytes (tape, x),
                                    .gradient = fused_batch_norm_gradient });
  if (is_training)
    {
      tape_move_average (tape, "AssignMovingAvg", &mean, y + 1);
      tape_move_average (tape, "AssignMovingAvg_1", &variance, y + 2);
    }
  tape_pop (tape);
  return y;
}
