/* Inception-v3, as TF-Slim trains it: Szegedy et al., Rethinking the Inception Architecture for
 * Computer Vision, 2016; nets/inception_v3.py and train_image_classifier.py.
 *
 * The auxiliary head exists in training alone. Everything is as the script's defaults have it: L2
 * losses, RMSProp, no moving averages of the weights. The ops are those of TensorFlow 1.3
 * (tape-slim.h), on which HDP counted 24,713 for its Inception-v3; here there are 3 % fewer, since
 * nothing of initialising, reading images and writing summaries is part of a step.
 */
#include <stdio.h>
#include <string.h>

#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-conv.h"
#include "engine/graph/workloads/tape-ops.h"

/* --- layers of TF-Slim ---------------------------------------------------- */

/* Batch normalisation is not fused, its moments are taken about a shift, and each gradient of a
 * broadcasting op is summed and reshaped whether it was broadcast or not: this is where most of
 * the ops of an Inception graph of that time come from. There is no scale (gamma), as slim's
 * arg_scope of Inception has it. */

/* A network under construction; losses (Value) gathers the regularisers of all weights. */
typedef struct
{
  Tape *tape;
  GArray *losses;
} SlimNet;

typedef struct
{
  gint64 n_filters;
  gint64 height;
  gint64 width;
  gint64 stride;
  TapePadding padding;
} SlimConv;

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

/* Weights with their L2 loss; in training only does the loss exist. */
static Value
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

/* Convolution, batch normalisation, ReLU, in a scope. */
static Value
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

/* x (n, in): weights with their loss, and biases. */
static Value
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

/* --- the network ---------------------------------------------------------- */

/* The network does not depend on the batch. */
#define NODES_PER_GRAPH 24000.0

typedef struct
{
  const char *name;
  /* Branches, separated by '|', of steps, separated by ' ':
   *   64:3x3        a convolution to 64 maps, all around the map
   *   64:3x3/2      the same with a stride, inside the map only
   *   max/2, avg    a pooling by 3x3, padded unless it strides
   *   64:1x3+64:3x1 two convolutions of the same input, side by side
   */
  const char *branches;
} Module;

static const Module modules[] = {
  { "mixed_5b", "64:1x1|48:1x1 64:5x5|64:1x1 96:3x3 96:3x3|avg 32:1x1" },
  { "mixed_5c", "64:1x1|48:1x1 64:5x5|64:1x1 96:3x3 96:3x3|avg 64:1x1" },
  { "mixed_5d", "64:1x1|48:1x1 64:5x5|64:1x1 96:3x3 96:3x3|avg 64:1x1" },
  { "mixed_6a", "384:3x3/2|64:1x1 96:3x3 96:3x3/2|max/2" },
  { "mixed_6b", "192:1x1|128:1x1 128:1x7 192:7x1|128:1x1 128:7x1 128:1x7 128:7x1 192:1x7|"
                "avg 192:1x1" },
  { "mixed_6c", "192:1x1|160:1x1 160:1x7 192:7x1|160:1x1 160:7x1 160:1x7 160:7x1 192:1x7|"
                "avg 192:1x1" },
  { "mixed_6d", "192:1x1|160:1x1 160:1x7 192:7x1|160:1x1 160:7x1 160:1x7 160:7x1 192:1x7|"
                "avg 192:1x1" },
  { "mixed_6e", "192:1x1|192:1x1 192:1x7 192:7x1|192:1x1 192:7x1 192:1x7 192:7x1 192:1x7|"
                "avg 192:1x1" },
  { "mixed_7a", "192:1x1 320:3x3/2|192:1x1 192:1x7 192:7x1 192:3x3/2|max/2" },
  { "mixed_7b", "320:1x1|384:1x1 384:1x3+384:3x1|448:1x1 384:3x3 384:1x3+384:3x1|avg 192:1x1" },
  { "mixed_7c", "320:1x1|384:1x1 384:1x3+384:3x1|448:1x1 384:3x3 384:1x3+384:3x1|avg 192:1x1" },
};

/* The module whose output the auxiliary head looks at. */
#define AUX_MODULE "mixed_6e"

static SlimConv
parse_conv (const char *text)
{
  int n_filters = 0;
  int height = 0;
  int width = 0;
  int stride = 1;
  int n = sscanf (text, "%d:%dx%d/%d", &n_filters, &height, &width, &stride);

  g_assert (n >= 3);
  return (SlimConv){ n_filters, height, width, stride, stride > 1 ? TAPE_VALID : TAPE_SAME };
}

/* One step; n_convs counts the convolutions of the branch. */
static Value
build_step (SlimNet *net, const char *step, Value x, guint *n_convs)
{
  g_auto (GStrv) sides = g_strsplit (step, "+", -1);
  Value values[2];
  guint n = 0;

  if (strcmp (step, "avg") == 0)
    return tape_avg_pool (net->tape, x, 3, 1, TAPE_SAME);
  if (strcmp (step, "max/2") == 0)
    return tape_max_pool (net->tape, x, 3, 2, TAPE_VALID);

  for (; sides[n] != NULL; n++)
    {
      SlimConv conv = parse_conv (sides[n]);
      g_autofree char *scope = g_strdup_printf ("conv_%u", ++*n_convs);

      values[n] = slim_conv (net, scope, x, &conv);
    }
  return n == 1 ? values[0] : tape_concat (net->tape, values, n, 3);
}

static Value
build_module (SlimNet *net, const Module *module, Value x)
{
  g_auto (GStrv) branches = g_strsplit (module->branches, "|", -1);
  Value values[4];
  guint n = 0;

  tape_push (net->tape, "%s", module->name);
  for (; branches[n] != NULL; n++)
    {
      g_auto (GStrv) steps = g_strsplit (branches[n], " ", -1);
      guint n_convs = 0;

      tape_push (net->tape, "branch_%u", n + 1);
      values[n] = x;
      for (guint i = 0; steps[i] != NULL; i++)
        values[n] = build_step (net, steps[i], values[n], &n_convs);
      tape_pop (net->tape);
    }
  x = tape_concat (net->tape, values, n, 3);
  tape_pop (net->tape);
  return x;
}

static Value
build_stem (SlimNet *net, Value x)
{
  static const struct
  {
    const char *scope;
    SlimConv conv;
    gboolean is_pooled;
  } layers[] = {
    { "conv_1a", { 32, 3, 3, 2, TAPE_VALID }, FALSE },
    { "conv_2a", { 32, 3, 3, 1, TAPE_VALID }, FALSE },
    { "conv_2b", { 64, 3, 3, 1, TAPE_SAME }, TRUE },
    { "conv_3b", { 80, 1, 1, 1, TAPE_VALID }, FALSE },
    { "conv_4a", { 192, 3, 3, 1, TAPE_VALID }, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      x = slim_conv (net, layers[i].scope, x, &layers[i].conv);
      if (!layers[i].is_pooled)
        continue;
      tape_push (net->tape, "%s", layers[i].scope);
      x = tape_max_pool (net->tape, x, 3, 2, TAPE_VALID);
      tape_pop (net->tape);
    }
  return x;
}

/* The mean loss of the batch, weighted if not the main one's. */
static void
add_loss (SlimNet *net, const char *scope, Value logits, Value labels, gboolean is_weighted)
{
  Tape *tape = net->tape;
  Value loss;

  tape_push (tape, "%s/loss", scope);
  loss = tape_mean (tape, tape_cross_entropy (tape, logits, labels), 1, FALSE);
  if (is_weighted)
    loss = tape_scale (tape, loss);
  tape_pop (tape);
  g_array_append_val (net->losses, loss);
}

static Value
flatten (Tape *tape, Value x)
{
  Shape shape = tape_shape (tape, x);

  return tape_reshape (tape, x,
                       SHAPE (shape.dims[0], shape.dims[1] * shape.dims[2] * shape.dims[3]));
}

static void
build_aux_head (SlimNet *net, Value x, Value labels, gint64 n_classes)
{
  Tape *tape = net->tape;
  SlimConv narrow = { 128, 1, 1, 1, TAPE_SAME };
  SlimConv whole = { 768, 0, 0, 1, TAPE_VALID };

  tape_push (tape, "aux_logits");
  x = tape_avg_pool (tape, x, 5, 3, TAPE_VALID);
  x = slim_conv (net, "conv_1", x, &narrow);
  whole.height = tape_dim (tape, x, 1);
  whole.width = tape_dim (tape, x, 2);
  x = slim_conv (net, "conv_2", x, &whole);
  x = slim_dense (net, "logits", flatten (tape, x), n_classes);
  tape_pop (tape);
  add_loss (net, "aux_logits", x, labels, TRUE);
}

static Value
build_network (SlimNet *net, const Spec *spec)
{
  Tape *tape = net->tape;
  gint64 batch = spec_get (spec, "batch");
  gint64 size = spec_get (spec, "image");
  gint64 n_classes = spec_get (spec, "classes");
  gboolean is_training = tape_is_training (tape);
  Value x;
  Value labels = NO_VALUE;

  tape_push (tape, "input");
  x = tape_input (tape, "images", SHAPE (batch, size, size, 3), "f32");
  if (is_training)
    labels = tape_input (tape, "labels", SHAPE (batch), "s32");
  tape_pop (tape);

  x = build_stem (net, x);
  for (gsize i = 0; i < G_N_ELEMENTS (modules); i++)
    {
      x = build_module (net, &modules[i], x);
      if (is_training && strcmp (modules[i].name, AUX_MODULE) == 0)
        build_aux_head (net, x, labels, n_classes);
    }

  tape_push (tape, "logits");
  x = tape_avg_pool (tape, x, tape_dim (tape, x, 1), 1, TAPE_VALID);
  x = tape_dropout (tape, x);
  x = slim_dense (net, "logits", flatten (tape, x), n_classes);
  tape_pop (tape);
  if (!is_training)
    return x;

  add_loss (net, "logits", x, labels, FALSE);
  return tape_total_loss (tape, net->losses);
}

static Value
build (Tape *tape, const Spec *spec)
{
  g_autoptr (GArray) losses = g_array_new (FALSE, FALSE, sizeof (Value));
  SlimNet net = { tape, losses };

  return build_network (&net, spec);
}

static double
estimate_nodes (const Spec *spec)
{
  return NODES_PER_GRAPH;
}

static const GobanKnob knobs[] = {
  { "batch", N_ ("images of a step"), NULL, 32, 1, 4096 },
  { "image", N_ ("height and width of an image"), NULL, 299, 139, 1024 },
  { "classes", N_ ("classes to tell apart"), NULL, 1000, 2, 100000 },
};

const Workload workload_inception_v3 = {
  .family
  = { .name = "inception-v3",
      .blurb = N_ ("image classification by modules of four parallel branches"),
      .source = "Szegedy et al., Rethinking the Inception Architecture for Computer Vision, "
                "CVPR 2016, as in TF-Slim",
      .knobs = knobs,
      .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_rmsprop,
  .coarsen = workload_coarsen,
};
