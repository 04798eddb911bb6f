/* dit.c: diffusion transformers: patches of a noisy latent image, modulated by time and class.
 *
 * Peebles and Xie (2023), "Scalable diffusion models with transformers": adaLN-Zero; parameters are
 * those of their code, the fixed table of positions among them. What is outside the layers, and
 * their modulation, is every rank's own.
 */
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/transformer.h"

#define CHANNELS 4
#define SILU_FLOPS 5.0 /* per element */
#define N_FREQUENCIES 256

static const char *const sizes[] = { "dit-xl-2", "dit-l-2", "dit-b-2", "dit-s-2", NULL };

/* layers, width, heads, ffn */
static const gint64 of_sizes[][4] = {
  { 28, 1152, 16, 4608 }, { 24, 1024, 16, 4096 }, { 12, 768, 12, 3072 }, { 12, 384, 6, 1536 }
};

static const GobanKnob knobs[] = {
  KNOB_SIZE,
  KNOB_LAYERS (28),
  KNOB_WIDTH (1152),
  KNOB_HEADS (16),
  KNOB_FFN (4608),
  { "patch", N_ ("side of a patch, in numbers of the latent image"), NULL, 2, 1, 1024 },
  { "image", N_ ("side of the latent image: an eighth of the pixels"), NULL, 32, 1, 16384 },
  { "classes", N_ ("classes of images"), NULL, 1000, 1, 1000000 },
  { "batch", N_ ("images of one micro-batch"), NULL, 32, 1, 65536 },
  KNOBS_OF_ALL,
};

static double
estimate_nodes (const Spec *spec)
{
  return transformer_estimate_nodes (spec) + 8.0 * (double) spec_get (spec, "layers") + 25;
}

/* The time, as frequencies, and the class, or none, of each image. */
static Value
embed_condition (const Transformer *self, Tape *tape, gint64 n_classes)
{
  Value time = tape_input (tape, "frequencies", SHAPE (self->batch, N_FREQUENCIES), NULL);
  Value label = tape_input (tape, "labels", SHAPE (self->batch), "s32");
  Value table;

  tape_push (tape, "time");
  time = transformer_linear (tape, "first", time, self->width);
  time = tape_activate (tape, "Silu", time, 1, SILU_FLOPS);
  time = transformer_linear (tape, "second", time, self->width);
  tape_pop (tape);
  tape_push (tape, "label");
  table = tape_weight (tape, "table", SHAPE (n_classes + 1, self->width));
  label = tape_embed (tape, table, label);
  tape_pop (tape);
  return tape_residual (tape, time, label, NO_VALUE, FALSE);
}

/* n vectors of each image, made of its condition: shifts, scales and gates. */
static Value
modulate (const Transformer *self, Tape *tape, Value condition, guint n)
{
  const gint64 w = self->width, widths[] = { w, w, w, w, w, w };
  Value x = tape_activate (tape, "Silu", condition, 1, SILU_FLOPS);

  x = transformer_linear (tape, "modulation", x, n * w);
  return tape_split_rows (tape, x, widths, n);
}

static Value
build_layer (const Transformer *self, Tape *tape, guint index, Value x, Value condition)
{
  Value modulation;

  tape_push (tape, "layer_%u", index);
  modulation = modulate (self, tape, condition, 6);
  tape_pop (tape);
  return transformer_layer (self, tape, index, x, modulation);
}

static Value
build (Tape *tape, const Spec *spec)
{
  gint64 patch = spec_get (spec, "patch");
  gint64 n_numbers = CHANNELS * patch * patch;
  gint64 side = spec_get (spec, "image") / patch;
  Transformer self;
  Value condition;
  Value positions;
  Value x;

  transformer_init (&self, tape, spec);
  self.sequence = side * side;
  self.is_modulated = TRUE;
  tape_push (tape, "embedding");
  x = tape_input (tape, "patches", SHAPE (self.batch * self.sequence, n_numbers), NULL);
  x = transformer_linear (tape, "patch", x, self.width);
  positions = tape_weight (tape, "positions", SHAPE (self.sequence, self.width));
  tape_freeze (tape, positions);
  x = tape_add_positions (tape, x, positions, self.sequence);
  condition = embed_condition (&self, tape, spec_get (spec, "classes"));
  tape_pop (tape);
  for (guint i = 0; i < self.n_layers; i++)
    x = build_layer (&self, tape, i, x, condition);

  tape_push (tape, "head");
  condition = modulate (&self, tape, condition, 2);
  x = tape_modulate (tape, transformer_norm (&self, tape, x), condition, condition + 1);
  x = transformer_linear (tape, "noise", x, 2 * n_numbers); /* its mean and its variance */
  x = tape_squared_loss (tape, x,
                         tape_input (tape, "target", tape_shape (tape, x), tape_dtype (tape, x)));
  x = tape_mean_of_losses (tape, x);
  tape_pop (tape);
  return x;
}

const Workload workload_dit = {
  .family = { .name = "dit",
              .blurb = N_ ("images: a diffusion transformer"),
              .source = "Peebles and Xie 2023",
              TRANSFORMER_TABLES },
  .estimate_nodes = estimate_nodes,
  .build = build,
  .optimizer = &optimizer_fused_adam,
  .check = transformer_check,
  .coarsen = workload_coarsen_layers,
};

G_STATIC_ASSERT (G_N_ELEMENTS (of_sizes) == G_N_ELEMENTS (sizes) - 1);
