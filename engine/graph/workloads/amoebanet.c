/* AmoebaNet-D: Real et al., Regularized Evolution for Image Classifier Architecture Search, 2019.
 *
 * Layers are as in the authors' program (models/official/amoeba_net of the TPU repository); widths
 * and the image's size are those of GPipe (Huang et al., 2019), whose table gives the parameters of
 * (layers, filters): the stem has a quarter of the filters, and every reduction doubles them. As in
 * the program, and unlike the paper's figure, a normal cell's output is made of its states 0, 3, 4,
 * 6.
 */
#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-conv.h"
#include "engine/graph/workloads/tape-ops.h"

#include <string.h>

#define N_REDUCTIONS 2

#define NODES_PER_CELL 1000.0
#define CELLS_BESIDE_NORMAL 5.0

/* One half of a combination: an operation and the earlier state that it applies to. */
typedef struct
{
  guint state; /* 0: the cell before this one, 1: the one before that, 2...: combinations */
  const char *op;
} Choice;

typedef struct
{
  Choice choices[10]; /* pairs, added up */
  guint outputs[4];   /* states */
  guint n_outputs;
} Cell;

static const Cell normal_cell = {
  .choices = { { 1, "1x1" },
               { 1, "max_3x3" },
               { 1, "none" },
               { 0, "1x7_7x1" },
               { 0, "1x1" },
               { 0, "1x7_7x1" },
               { 2, "max_3x3" },
               { 2, "none" },
               { 1, "avg_3x3" },
               { 5, "1x1" } },
  .outputs = { 0, 3, 4, 6 },
  .n_outputs = 4,
};

static const Cell reduction_cell = {
  .choices = { { 0, "max_2x2" },
               { 0, "max_3x3" },
               { 2, "none" },
               { 1, "3x3" },
               { 2, "1x7_7x1" },
               { 2, "max_3x3" },
               { 3, "none" },
               { 1, "max_2x2" },
               { 2, "avg_3x3" },
               { 3, "1x1" } },
  .outputs = { 4, 5, 6 },
  .n_outputs = 3,
};

/* A network under construction; losses (Value) gathers the regularisers of all weights. */
typedef struct
{
  Tape *tape;
  GArray *losses;
} Net;

/* --- layers ----------------------------------------------------------------------------------- */

/* The value of trained weights, with a shadow that follows them. */
static Value
make_weights (Net *net, Shape shape)
{
  Tape *tape = net->tape;
  Value weights = tape_read (tape, tape_variable (tape, "weights", shape));

  if (tape_is_training (tape))
    {
      TapeAverage shadow = tape_average (tape, "weights/ExponentialMovingAverage", shape);
      Value loss;

      tape_move_average (tape, "weights/moving_average/AssignMovingAvg", &shadow, weights);
      tape_push (tape, "weights/Regularizer");
      loss = tape_scale (tape, tape_l2_loss (tape, weights));
      g_array_append_val (net->losses, loss);
      tape_pop (tape);
    }
  return weights;
}

typedef struct
{
  gint64 height;
  gint64 width;
  gint64 stride;
} Window;

static Value
convolve (Net *net, const char *scope, Value x, gint64 n_filters, Window window)
{
  Tape *tape = net->tape;

  tape_push (tape, "%s", scope);
  x = tape_conv_2d (
      tape, x,
      make_weights (net, SHAPE (window.height, window.width, tape_dim (tape, x, 3), n_filters)),
      window.stride, TAPE_SAME);
  tape_pop (tape);
  return x;
}

static Value
relu_conv_norm (Net *net, const char *scope, Value x, gint64 n_filters, Window window)
{
  Tape *tape = net->tape;

  tape_push (tape, "%s", scope);
  x = convolve (net, "conv", tape_relu (tape, x), n_filters, window);
  x = tape_fused_batch_norm (tape, "batch_norm", x);
  tape_pop (tape);
  return x;
}

/* Half the resolution without losing half of the pixels: the other half comes from a map that is
 * shifted by one. */
static Value
factorized_reduction (Net *net, const char *scope, Value x, gint64 n_filters)
{
  Tape *tape = net->tape;
  Window window = { 1, 1, 1 };
  Value paths[2];

  tape_push (tape, "%s", scope);
  x = tape_relu (tape, x);
  tape_push (tape, "path_1");
  paths[0]
      = convolve (net, "conv", tape_avg_pool (tape, x, 1, 2, TAPE_VALID), n_filters / 2, window);
  tape_pop (tape);
  tape_push (tape, "path_2");
  paths[1] = tape_cut_corner (tape, tape_pad_corner (tape, x));
  paths[1] = convolve (net, "conv", tape_avg_pool (tape, paths[1], 1, 2, TAPE_VALID),
                       n_filters - n_filters / 2, window);
  tape_pop (tape);
  x = tape_concat (tape, paths, 2, 3);
  x = tape_fused_batch_norm (tape, "batch_norm", x);
  tape_pop (tape);
  return x;
}

/* Whole images at a time are dropped; nothing in inference. */
static Value
drop_path (Net *net, Value x)
{
  Tape *tape = net->tape;
  Shape mask_shape = SHAPE (tape_dim (tape, x, 0), 1, 1, 1);
  Value mask;

  if (!tape_is_training (tape))
    return x;

  tape_push (tape, "drop_path");
  mask = tape_emit (tape, &(TapeCall){ .op = "RandomUniform",
                                       TAPE_INPUTS (tape_const (tape, "shape", 4)),
                                       TAPE_OUTPUTS (mask_shape),
                                       .flops = shape_count (&mask_shape) });
  mask = tape_offset (tape, mask);
  mask = tape_emit_elementwise (tape, "Floor", &mask, 1, 1);
  x = tape_mul (tape, tape_scale (tape, x), mask);
  tape_pop (tape);
  return x;
}

/* --- cells ---------------------------------------------------------------------------------- */

/* A narrow convolution between two 1x1; no cell asks the split one to stride. */
static Value
bottleneck (Net *net, Value x, gint64 n_filters, gint64 stride, gboolean is_split)
{
  gint64 n_narrow = MAX (n_filters / 4, 1);

  x = relu_conv_norm (net, "pre", x, n_narrow, (Window){ 1, 1, 1 });
  if (is_split)
    {
      x = relu_conv_norm (net, "1x7", x, n_narrow, (Window){ 1, 7, 1 });
      x = relu_conv_norm (net, "7x1", x, n_narrow, (Window){ 7, 1, 1 });
    }
  else
    x = relu_conv_norm (net, "3x3", x, n_narrow, (Window){ 3, 3, stride });
  return relu_conv_norm (net, "post", x, n_filters, (Window){ 1, 1, 1 });
}

static Value
apply (Net *net, const char *op, Value x, gint64 n_filters, gint64 stride)
{
  if (strcmp (op, "1x1") == 0)
    x = relu_conv_norm (net, "1x1", x, n_filters, (Window){ 1, 1, stride });
  else if (strcmp (op, "3x3") == 0 || strcmp (op, "1x7_7x1") == 0)
    x = bottleneck (net, x, n_filters, stride, strcmp (op, "3x3") != 0);
  else if (strcmp (op, "avg_3x3") == 0)
    x = tape_avg_pool (net->tape, x, 3, stride, TAPE_SAME);
  else if (g_str_has_prefix (op, "max_"))
    x = tape_max_pool (net->tape, x, op[4] - '0', stride, TAPE_SAME);
  else
    return x;
  return drop_path (net, x);
}

/* The two states a cell begins with, brought to its width and resolution. */
static void
prepare (Net *net, Value x, Value before, gint64 n_filters, Value *states)
{
  Tape *tape = net->tape;

  states[0] = relu_conv_norm (net, "begin", x, n_filters, (Window){ 1, 1, 1 });
  if (tape_dim (tape, before, 1) != tape_dim (tape, x, 1))
    states[1] = factorized_reduction (net, "before", before, n_filters);
  else if (tape_dim (tape, before, 3) != n_filters)
    states[1] = relu_conv_norm (net, "before", before, n_filters, (Window){ 1, 1, 1 });
  else
    states[1] = before;
}

static Value
build_cell (Net *net, const Cell *cell, Value x, Value before, gint64 n_filters)
{
  Tape *tape = net->tape;
  gint64 stride = cell == &reduction_cell ? 2 : 1;
  Value states[7];
  Value outputs[4];

  prepare (net, x, before, n_filters, states);
  for (guint i = 0; i < G_N_ELEMENTS (cell->choices); i += 2)
    {
      Value halves[2];

      for (guint side = 0; side < 2; side++)
        {
          const Choice *choice = &cell->choices[i + side];

          tape_push (tape, "comb_iter_%u/%s", i / 2 + 1, side == 0 ? "left" : "right");
          halves[side] = apply (net, choice->op, states[choice->state], n_filters,
                                choice->state < 2 ? stride : 1);
          tape_pop (tape);
        }
      tape_push (tape, "comb_iter_%u", i / 2 + 1);
      states[2 + i / 2] = tape_add (tape, halves[0], halves[1]);
      tape_pop (tape);
    }
  for (guint i = 0; i < cell->n_outputs; i++)
    outputs[i] = states[cell->outputs[i]];
  return tape_concat (tape, outputs, cell->n_outputs, 3);
}

/* --- the network ---------------------------------------------------------------------------- */

static Value
dense (Net *net, const char *scope, Value x, gint64 n_out)
{
  Tape *tape = net->tape;
  Value weights;
  Value bias;

  tape_push (tape, "%s", scope);
  weights = make_weights (net, SHAPE (tape_dim (tape, x, 1), n_out));
  bias = tape_read (tape, tape_variable (tape, "biases", SHAPE (n_out)));
  x = tape_bias_add (tape, tape_matmul (tape, x, weights), bias);
  tape_pop (tape);
  return x;
}

static void
add_loss (Net *net, Value logits, Value labels, gboolean is_weighted)
{
  Tape *tape = net->tape;
  Value loss;

  tape_push (tape, "loss");
  loss = tape_mean (tape, tape_cross_entropy (tape, logits, labels), 1, FALSE);
  if (is_weighted)
    loss = tape_scale (tape, loss);
  tape_pop (tape);
  g_array_append_val (net->losses, loss);
}

/* As in the program, of 0.4 of the published width. */
static void
build_aux_head (Net *net, Value x, Value labels, gint64 n_classes)
{
  Tape *tape = net->tape;
  gint64 window = MIN (tape_dim (tape, x, 1), 5);

  tape_push (tape, "aux_logits");
  x = tape_avg_pool (tape, tape_relu (tape, x), window, 3, TAPE_VALID);
  x = convolve (net, "proj", x, 51, (Window){ 1, 1, 1 });
  x = tape_relu (tape, tape_fused_batch_norm (tape, "batch_norm_1", x));
  tape_push (tape, "conv");
  x = tape_conv_2d (
      tape, x, make_weights (net, SHAPE (tape_dim (tape, x, 1), tape_dim (tape, x, 2), 51, 307)), 1,
      TAPE_VALID);
  tape_pop (tape);
  x = tape_relu (tape, tape_fused_batch_norm (tape, "batch_norm_2", x));
  x = tape_reshape (tape, x, SHAPE (tape_dim (tape, x, 0), 307));
  x = dense (net, "logits", x, n_classes);
  add_loss (net, x, labels, TRUE);
  tape_pop (tape);
}

/* Present position in the row of cells. */
typedef struct
{
  Value x;
  Value before;
  gint64 n_filters;
} Row;

static void
add_cell (Net *net, Row *row, const Cell *cell)
{
  Value x;

  if (cell == &reduction_cell)
    row->n_filters *= 2;
  x = build_cell (net, cell, row->x, row->before, row->n_filters);
  row->before = row->x;
  row->x = x;
}

static void
build_stem (Net *net, Row *row)
{
  Tape *tape = net->tape;

  tape_push (tape, "stem");
  row->x = convolve (net, "conv", row->x, row->n_filters, (Window){ 3, 3, 2 });
  row->x = tape_fused_batch_norm (tape, "batch_norm", row->x);
  row->before = row->x;
  tape_pop (tape);
  for (guint i = 0; i < 2; i++)
    {
      tape_push (tape, "stem_cell_%u", i + 1);
      add_cell (net, row, &reduction_cell);
      tape_pop (tape);
    }
}

static void
build_cells (Net *net, Row *row, gint64 n_layers, Value labels, gint64 n_classes)
{
  Tape *tape = net->tape;
  guint n_reduced = 0;

  for (gint64 i = 0; i < n_layers; i++)
    {
      if (n_reduced < N_REDUCTIONS && i == (n_reduced + 1) * n_layers / (N_REDUCTIONS + 1))
        {
          /* The auxiliary head looks at the last cell before the last reduction. */
          if (n_reduced + 1 == N_REDUCTIONS && tape_is_training (tape))
            build_aux_head (net, row->x, labels, n_classes);
          tape_push (tape, "reduction_cell_%u", ++n_reduced);
          add_cell (net, row, &reduction_cell);
          tape_pop (tape);
        }
      tape_push (tape, "cell_%u", (guint) i + 1);
      add_cell (net, row, &normal_cell);
      tape_pop (tape);
    }
}

static Value
build_network (Net *net, const Spec *spec)
{
  Tape *tape = net->tape;
  gint64 batch = spec_get (spec, "batch");
  gint64 size = spec_get (spec, "image");
  gint64 n_classes = spec_get (spec, "classes");
  Row row = { .n_filters = MAX (spec_get (spec, "width") / 4, 1) };
  Value labels = NO_VALUE;
  Value x;

  tape_push (tape, "input");
  row.x = tape_input (tape, "images", SHAPE (batch, size, size, 3), "f32");
  if (tape_is_training (tape))
    labels = tape_input (tape, "labels", SHAPE (batch), "s32");
  tape_pop (tape);
  build_stem (net, &row);
  build_cells (net, &row, spec_get (spec, "layers"), labels, n_classes);

  tape_push (tape, "logits");
  x = tape_mean (tape, tape_relu (tape, row.x), 1u << 1 | 1u << 2, FALSE);
  x = dense (net, "logits", tape_dropout (tape, x), n_classes);
  if (tape_is_training (tape))
    add_loss (net, x, labels, FALSE);
  tape_pop (tape);
  if (!tape_is_training (tape))
    return x;

  return tape_total_loss (tape, net->losses);
}

static Value
build (Tape *tape, const Spec *spec)
{
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (Value));
  Net net = { tape, losses };

  return build_network (&net, spec);
}

static double
estimate_nodes (const Spec *spec)
{
  return NODES_PER_CELL * ((double) spec_get (spec, "layers") + CELLS_BESIDE_NORMAL);
}

static const GobanKnob knobs[] = {
  { "layers", N_ ("normal cells; four reductions come on top"), NULL, 18, 3, 300 },
  { "batch", N_ ("images of a step"), NULL, 32, 1, 4096 },
  { "width", N_ ("filters of the first normal cells"), NULL, 208, 16, 4096 },
  { "image", N_ ("height and width of an image"), NULL, 224, 32, 1024 },
  { "classes", N_ ("classes to tell apart"), NULL, 1000, 2, 100000 },
};

/* The program clips; other versions of RMSProp do not. */
static const Optimizer clipped_rmsprop = {
  .dense_op = "ResourceApplyRMSProp",
  .sparse_op = "ResourceSparseApplyRMSProp",
  .n_slots = 2,
  .n_scalars = 4,
  .flops = 10,
  .clips_norm = TRUE,
};

const Workload workload_amoebanet = {
  .family = { .name = "amoebanet",
              .blurb = N_ ("image classification by cells that evolution found: AmoebaNet-D"),
              .source = "Real et al., Regularized Evolution for Image Classifier Architecture "
                        "Search, AAAI 2019; widths of Huang et al., GPipe, NeurIPS 2019",
              .knobs = knobs,
              .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &clipped_rmsprop,
  .coarsen = workload_coarsen,
};
