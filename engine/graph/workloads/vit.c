/* vit.c: vision transformers: patches of an image as tokens, and one more that is classified.
 *
 * Dosovitskiy et al. (2021), "An image is worth 16x16 words"; parameters are those of torchvision's
 * checkpoints. The products before and after the layers are every rank's own.
 */
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/transformer.h"

static const char *const sizes[]
    = { "vit-b-16", "vit-b-32", "vit-l-16", "vit-l-32", "vit-h-14", NULL };

/* layers, width, heads, ffn, patch */
static const gint64 of_sizes[][5] = {
  { 12, 768, 12, 3072, 16 },  { 12, 768, 12, 3072, 32 },  { 24, 1024, 16, 4096, 16 },
  { 24, 1024, 16, 4096, 32 }, { 32, 1280, 16, 5120, 14 },
};

static const GobanKnob knobs[] = {
  KNOB_SIZE,
  KNOB_LAYERS (12),
  KNOB_WIDTH (768),
  KNOB_HEADS (12),
  KNOB_FFN (3072),
  { "patch", N_ ("side of a patch, in pixels"), NULL, 16, 1, 1024 },
  { "image", N_ ("side of an image, in pixels"), NULL, 224, 1, 16384 },
  { "classes", N_ ("classes of images"), NULL, 1000, 1, 1000000 },
  { "batch", N_ ("images of one micro-batch"), NULL, 32, 1, 65536 },
  KNOBS_OF_ALL,
};

static Value
build (Tape *tape, const Spec *spec)
{
  gint64 patch = spec_get (spec, "patch");
  gint64 n_patches = spec_get (spec, "image") / patch;
  Transformer self;
  Value x;

  transformer_init (&self, tape, spec);
  n_patches *= n_patches;
  self.sequence = n_patches + 1;
  tape_push (tape, "embedding");
  x = tape_input (tape, "patches", SHAPE (self.batch * n_patches, 3 * patch * patch), NULL);
  x = transformer_linear (tape, "patch", x, self.width);
  x = tape_prepend_row (tape, x, tape_weight (tape, "class", SHAPE (1, self.width)), self.batch);
  x = tape_add_positions (
      tape, x, tape_weight (tape, "positions", SHAPE (self.sequence, self.width)), self.sequence);
  tape_pop (tape);
  for (guint i = 0; i < self.n_layers; i++)
    x = transformer_layer (&self, tape, i, x, NO_VALUE);
  tape_push (tape, "head");
  x = tape_slice_rows (tape, "class", transformer_norm (&self, tape, x), self.batch);
  x = transformer_linear (tape, "classes", x, spec_get (spec, "classes"));
  x = tape_token_loss (tape, x, tape_input (tape, "labels", SHAPE (self.batch), "s32"));
  x = tape_mean_of_losses (tape, x);
  tape_pop (tape);
  return x;
}

const Workload workload_vit = {
  .family = { .name = "vit",
              .blurb = N_ ("images: a transformer that classifies their patches"),
              .source = "Dosovitskiy et al. 2021",
              TRANSFORMER_TABLES },
  .estimate_nodes = transformer_estimate_nodes,
  .build = build,
  .optimizer = &optimizer_fused_adam,
  .check = transformer_check,
  .coarsen = workload_coarsen_layers,
};

G_STATIC_ASSERT (G_N_ELEMENTS (of_sizes) == G_N_ELEMENTS (sizes) - 1);
