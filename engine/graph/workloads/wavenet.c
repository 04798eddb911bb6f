/* WaveNet: van den Oord et al., WaveNet: A Generative Model for Raw Audio, 2016.
 *
 * Gated convolutions of two taps along time, dilated 1, 2, 4, ... within each stack, each as
 * TensorFlow makes a dilation: SpaceToBatchND, Conv2D, BatchToSpaceND. A 1x1 convolution leads back
 * to the residual stream, another to the sum of skips, which is carried along from layer to layer.
 * The paper gives no widths; 512 and 256 are those of its authors' later public models (Engel et
 * al., Neural Audio Synthesis of Musical Notes, 2017).
 *
 * "2-stack 18-layer" and "4-stack 36-layer" count the layers of all stacks together, nine to a
 * stack: with 18 in one, a dilation would be of 131,072 samples.
 */
#include "engine/core/i18n.h"
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-conv.h"
#include "engine/graph/workloads/tape-ops.h"

/* Amplitudes after mu-law companding, and taps of a filter. */
#define N_LEVELS 256
#define N_TAPS 2

#define NODES_PER_LAYER 160.0
#define NODES_BESIDE_LAYERS 100.0

/* The dilation of the eighteenth layer of a stack; deeper stacks begin again. */
#define MAX_DILATION_BITS 18

typedef struct
{
  Tape *tape;
  gint64 width;
  gint64 n_skip;
} Net;

/* Filter and bias of a 1x1 or dilated convolution over maps (n, 1, t, c). */
static Value
convolve (const Net *net, const char *scope, Value x, gint64 n_out, gint64 n_taps, gint64 dilation)
{
  Tape *tape = net->tape;
  gint64 n_in = tape_dim (tape, x, 3);
  gint64 n_steps = tape_dim (tape, x, 2);
  Value filter;
  Value bias;

  tape_push (tape, "%s", scope);
  filter = tape_read (tape, tape_variable (tape, "filter", SHAPE (1, n_taps, n_in, n_out)));
  bias = tape_read (tape, tape_variable (tape, "bias", SHAPE (n_out)));
  if (n_taps > 1 && dilation > 1)
    x = tape_space_to_batch (tape, x, dilation, dilation * (n_taps - 1));
  else if (n_taps > 1)
    x = tape_pad (tape, x, 2, n_taps - 1, 0);
  x = tape_conv_2d (tape, x, filter, 1, TAPE_VALID);
  if (n_taps > 1 && dilation > 1)
    x = tape_batch_to_space (tape, x, dilation, n_steps);
  x = tape_bias_add (tape, x, bias);
  tape_pop (tape);
  return x;
}

/* Adds to the sum of skips, and to the residual stream unless it is the last block. */
static void
build_layer (const Net *net, gint64 dilation, gboolean is_last, Value *residual, Value *skips)
{
  Tape *tape = net->tape;
  Value filter = convolve (net, "filter", *residual, net->width, N_TAPS, dilation);
  Value gate = convolve (net, "gate", *residual, net->width, N_TAPS, dilation);
  Value gated = tape_mul (tape, tape_tanh (tape, filter), tape_sigmoid (tape, gate));
  Value skip = convolve (net, "skip", gated, net->n_skip, 1, 1);

  *skips = *skips == NO_VALUE ? skip : tape_add (tape, *skips, skip);
  if (!is_last)
    *residual = tape_add (tape, *residual, convolve (net, "dense", gated, net->width, 1, 1));
}

static Value
build_stacks (const Net *net, const Spec *spec, Value residual)
{
  gint64 n_stacks = spec_get (spec, "stacks");
  gint64 n_layers = MAX (spec_get (spec, "layers"), n_stacks);
  Value skips = NO_VALUE;

  for (gint64 s = 0; s < n_stacks; s++)
    {
      gint64 first = s * n_layers / n_stacks;
      gint64 end = (s + 1) * n_layers / n_stacks;

      for (gint64 i = first; i < end; i++)
        {
          tape_push (net->tape, "stack_%u/layer_%u", (guint) s + 1, (guint) (i - first) + 1);
          build_layer (net, (gint64) 1 << ((i - first) % MAX_DILATION_BITS), i + 1 == n_layers,
                       &residual, &skips);
          tape_pop (net->tape);
        }
    }
  return skips;
}

/* (n, t) amplitudes as (n, 1, t, levels). */
static Value
encode (Tape *tape, Value ids)
{
  Shape shape = tape_shape (tape, ids);
  Value depth = tape_const (tape, "one_hot/depth", 1);
  Value on = tape_const (tape, "one_hot/on_value", 1);
  Value off = tape_const (tape, "one_hot/off_value", 1);
  Value x = tape_emit (
      tape, &(TapeCall){ .op = "OneHot",
                         .name = "one_hot",
                         TAPE_INPUTS (ids, depth, on, off),
                         TAPE_OUTPUTS (SHAPE (shape.dims[0], shape.dims[1], N_LEVELS)) });

  return tape_expand_dims (tape, x, 1);
}

static Value
build (Tape *tape, const Spec *spec)
{
  Net net = { tape, spec_get (spec, "width"), spec_get (spec, "skip") };
  gint64 batch = spec_get (spec, "batch");
  gint64 n_steps = spec_get (spec, "steps");
  Value labels = NO_VALUE;
  Value x;

  tape_push (tape, "input");
  x = tape_input (tape, "samples", SHAPE (batch, n_steps), "s32");
  if (tape_is_training (tape))
    labels = tape_input (tape, "targets", SHAPE (batch * n_steps), "s32");
  x = encode (tape, x);
  tape_pop (tape);

  x = build_stacks (&net, spec, convolve (&net, "causal", x, net.width, N_TAPS, 1));

  tape_push (tape, "postprocess");
  x = convolve (&net, "conv_1", tape_relu (tape, x), net.n_skip, 1, 1);
  x = convolve (&net, "conv_2", tape_relu (tape, x), N_LEVELS, 1, 1);
  tape_pop (tape);
  tape_push (tape, "softmax");
  x = tape_reshape (tape, x, SHAPE (batch * n_steps, N_LEVELS));
  x = tape_is_training (tape) ? tape_mean (tape, tape_cross_entropy (tape, x, labels), 1, FALSE)
                              : tape_softmax (tape, x);
  tape_pop (tape);
  return x;
}

static double
estimate_nodes (const Spec *spec)
{
  gint64 n_layers = MAX (spec_get (spec, "layers"), spec_get (spec, "stacks"));

  return NODES_BESIDE_LAYERS + NODES_PER_LAYER * (double) n_layers;
}

static const GobanKnob knobs[] = {
  { "stacks", N_ ("stacks, in each of which dilations begin again at 1"), NULL, 2, 1, 64 },
  { "layers", N_ ("layers of all stacks together"), NULL, 18, 1, 1024 },
  { "steps", N_ ("samples of a sequence"), NULL, 8192, 1, 1 << 20 },
  { "batch", N_ ("sequences of a step"), NULL, 4, 1, 4096 },
  { "width", N_ ("channels of the residual stream and the gates"), NULL, 512, 1, 8192 },
  { "skip", N_ ("channels of the skip connections"), NULL, 256, 1, 8192 },
};

const Workload workload_wavenet = {
  .family = { .name = "wavenet",
              .blurb = N_ ("raw audio by stacks of dilated causal convolutions"),
              .source = "van den Oord et al., WaveNet: A Generative Model for Raw Audio, 2016",
              .knobs = knobs,
              .n_knobs = G_N_ELEMENTS (knobs) },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_adam,
  .coarsen = workload_coarsen,
};
