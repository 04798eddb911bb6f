/* Inception-v3, as TF-Slim trains it: Szegedy et al., Rethinking the Inception Architecture for
 * Computer Vision, 2016; nets/inception_v3.py and train_image_classifier.py.
 *
 * The auxiliary head exists in training alone. Everything is as the script's defaults have it: L2
 * losses, RMSProp, no moving averages of the weights. The ops are those of TensorFlow 1.3
 * (tape-slim.h), on which HDP counted 24,713 for its Inception-v3; here there are 3 % fewer, since
 * nothing of initialising, reading images and writing summaries is part of a step.
 */
#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-ops.h"
#include "engine/graph/workloads/tape-slim.h"

#include <stdio.h>
#include <string.h>

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
