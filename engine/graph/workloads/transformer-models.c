/* transformer-models.c: today's transformers, made of the layers of transformer.h. */
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/transformer.h"

/* Members of the family that has the tables MODEL_knobs and MODEL_numbers. */
#define TRANSFORMER_TABLES(model)                                                                  \
  .knobs = model##_knobs, .n_knobs = G_N_ELEMENTS (model##_knobs), .sizes = model##_numbers[0],    \
  .n_sized = G_N_ELEMENTS (model##_numbers[0])
#define TRANSFORMER_WORKLOAD                                                                       \
  .optimizer = &optimizer_fused_adam, .check = transformer_check, .coarsen = workload_coarsen_layers

/* --- gpt ------------------------------------------------------------------ */

/* decoders as GPT-2 has them: LayerNorm first, GeLU, biases, learned positions.
 *
 * Radford et al. (2019), whose checkpoints have 124,439,808 to 1,557,611,200 parameters; Brown et
 * al. (2020), table 2.1; and the models of Narayanan et al. (2021), "Efficient large-scale language
 * model training on GPU clusters using Megatron-LM", table 1, with a vocabulary of 51,200.
 */
static const char *const gpt_sizes[] = { "gpt2",
                                         "gpt2-medium",
                                         "gpt2-large",
                                         "gpt2-xl",
                                         "gpt3-6.7b",
                                         "gpt3-175b",
                                         "megatron-1.7b",
                                         "megatron-3.6b",
                                         "megatron-7.5b",
                                         "megatron-18.4b",
                                         "megatron-39.1b",
                                         "megatron-76.1b",
                                         "megatron-145.6b",
                                         "megatron-530b",
                                         "megatron-1t",
                                         NULL };

/* layers, width, heads, ffn, vocabulary, positions, sequence */
static const gint64 gpt_numbers[][7] = {
  { 12, 768, 12, 3072, 50257, 1024, 1024 },       { 24, 1024, 16, 4096, 50257, 1024, 1024 },
  { 36, 1280, 20, 5120, 50257, 1024, 1024 },      { 48, 1600, 25, 6400, 50257, 1024, 1024 },
  { 32, 4096, 32, 16384, 50257, 2048, 2048 },     { 96, 12288, 96, 49152, 50257, 2048, 2048 },
  { 24, 2304, 24, 9216, 51200, 2048, 2048 },      { 30, 3072, 32, 12288, 51200, 2048, 2048 },
  { 36, 4096, 32, 16384, 51200, 2048, 2048 },     { 40, 6144, 48, 24576, 51200, 2048, 2048 },
  { 48, 8192, 64, 32768, 51200, 2048, 2048 },     { 60, 10240, 80, 40960, 51200, 2048, 2048 },
  { 80, 12288, 96, 49152, 51200, 2048, 2048 },    { 105, 20480, 128, 81920, 51200, 2048, 2048 },
  { 128, 25600, 160, 102400, 51200, 2048, 2048 },
};

static const GobanKnob gpt_knobs[] = {
  KNOB_SIZE (gpt_sizes),
  KNOB_LAYERS (12),
  KNOB_WIDTH (768),
  KNOB_HEADS (12),
  KNOB_FFN (3072),
  KNOB_VOCABULARY (50257),
  { "positions", N_ ("rows of the table of positions"), NULL, 1024, 1, 1048576 },
  KNOB_SEQUENCE (1024),
  KNOB_BATCH (8),
  KNOB_TIED (1),
  KNOB_FLAG ("dropout", N_ ("with dropout, as it was trained"), 0),
  KNOBS_OF_LANGUAGE_MODELS,
};

const Workload workload_gpt = {
  .family = { .name = "gpt",
              .blurb = N_ ("language model: a decoder as GPT-2 and GPT-3"),
              .source = "Radford et al. 2019; Brown et al. 2020; Narayanan et al. 2021",
              TRANSFORMER_TABLES (gpt) },
  .estimate_nodes = transformer_estimate_nodes,
  .build = transformer_build,
  TRANSFORMER_WORKLOAD,
};
G_STATIC_ASSERT (G_N_ELEMENTS (gpt_numbers) == G_N_ELEMENTS (gpt_sizes) - 1);

/* --- llama ---------------------------------------------------------------- */

/* decoders as LLaMA has them: RMSNorm, rotary positions, grouped queries, SwiGLU.
 *
 * Touvron et al. (2023), "Llama 2"; Grattafiori et al. (2024), "The Llama 3 herd of models"; Jiang
 * et al. (2023), "Mistral 7B"; Zhang et al. (2024), "TinyLlama". Parameters are those of the
 * published checkpoints.
 */
static const char *const llama_sizes[]
    = { "llama-3-8b",  "llama-3-70b", "llama-3-405b", "llama-3-1b",     "llama-3-3b", "llama-2-7b",
        "llama-2-13b", "llama-2-70b", "mistral-7b",   "tinyllama-1.1b", NULL };

/* layers, width, heads, kv-heads, ffn, vocabulary, tied, sequence */
static const gint64 llama_numbers[][8] = {
  { 32, 4096, 32, 8, 14336, 128256, 0, 8192 },    { 80, 8192, 64, 8, 28672, 128256, 0, 8192 },
  { 126, 16384, 128, 8, 53248, 128256, 0, 8192 }, { 16, 2048, 32, 8, 8192, 128256, 1, 8192 },
  { 28, 3072, 24, 8, 8192, 128256, 1, 8192 },     { 32, 4096, 32, 32, 11008, 32000, 0, 4096 },
  { 40, 5120, 40, 40, 13824, 32000, 0, 4096 },    { 80, 8192, 64, 8, 28672, 32000, 0, 4096 },
  { 32, 4096, 32, 8, 14336, 32000, 0, 8192 },     { 22, 2048, 32, 4, 5632, 32000, 0, 2048 },
};

static const GobanKnob llama_knobs[] = {
  KNOB_SIZE (llama_sizes), KNOB_LAYERS (32), KNOB_WIDTH (4096),        KNOB_HEADS (32),
  KNOB_KV_HEADS (8),       KNOB_FFN (14336), KNOB_VOCABULARY (128256), KNOB_TIED (0),
  KNOB_SEQUENCE (8192),    KNOB_BATCH (1),   KNOBS_OF_LANGUAGE_MODELS,
};

const Workload workload_llama = {
  .family = { .name = "llama",
              .blurb = N_ ("language model: a decoder as LLaMA, with grouped queries"),
              .source = "Touvron et al. 2023; Grattafiori et al. 2024",
              TRANSFORMER_TABLES (llama) },
  .estimate_nodes = transformer_estimate_nodes,
  .build = transformer_build,
  TRANSFORMER_WORKLOAD,
};
G_STATIC_ASSERT (G_N_ELEMENTS (llama_numbers) == G_N_ELEMENTS (llama_sizes) - 1);

/* --- mixtral -------------------------------------------------------------- */

/* decoders as LLaMA's, whose feed-forward parts are experts that each token has some of.
 *
 * Jiang et al. (2024), "Mixtral of experts"; parameters are those of the published checkpoints.
 * Experts are sharded over ranks (Lepikhin et al. 2020, "GShard"), which exchange their tokens.
 */
static const char *const mixtral_sizes[] = { "mixtral-8x7b", "mixtral-8x22b", NULL };

/* layers, width, heads, kv-heads, ffn, experts, top-k, vocabulary, tied, sequence */
static const gint64 mixtral_numbers[][10] = {
  { 32, 4096, 32, 8, 14336, 8, 2, 32000, 0, 4096 },
  { 56, 6144, 48, 8, 16384, 8, 2, 32000, 0, 4096 },
};

static const GobanKnob mixtral_knobs[] = {
  KNOB_SIZE (mixtral_sizes),
  KNOB_LAYERS (32),
  KNOB_WIDTH (4096),
  KNOB_HEADS (32),
  KNOB_KV_HEADS (8),
  KNOB_FFN (14336),
  { "experts", N_ ("experts of a layer"), NULL, 8, 1, 1024 },
  { "top-k", N_ ("experts that a token has"), NULL, 2, 1, 64 },
  KNOB_VOCABULARY (32000),
  KNOB_TIED (0),
  KNOB_SEQUENCE (4096),
  KNOB_BATCH (1),
  { "ep", N_ ("ranks that share the experts"), NULL, 1, 1, 1024 },
  KNOBS_OF_LANGUAGE_MODELS,
};

const Workload workload_mixtral = {
  .family = { .name = "mixtral",
              .blurb = N_ ("language model: a decoder with experts"),
              .source = "Jiang et al. 2024",
              TRANSFORMER_TABLES (mixtral) },
  .estimate_nodes = transformer_estimate_nodes,
  .build = transformer_build,
  TRANSFORMER_WORKLOAD,
};
G_STATIC_ASSERT (G_N_ELEMENTS (mixtral_numbers) == G_N_ELEMENTS (mixtral_sizes) - 1);

/* --- vit ------------------------------------------------------------------ */

/* vision transformers: patches of an image as tokens, and one more that is classified.
 *
 * Dosovitskiy et al. (2021), "An image is worth 16x16 words"; parameters are those of torchvision's
 * checkpoints. The products before and after the layers are every rank's own.
 */
static const char *const vit_sizes[]
    = { "vit-b-16", "vit-b-32", "vit-l-16", "vit-l-32", "vit-h-14", NULL };

/* layers, width, heads, ffn, patch */
static const gint64 vit_numbers[][5] = {
  { 12, 768, 12, 3072, 16 },  { 12, 768, 12, 3072, 32 },  { 24, 1024, 16, 4096, 16 },
  { 24, 1024, 16, 4096, 32 }, { 32, 1280, 16, 5120, 14 },
};

static const GobanKnob vit_knobs[] = {
  KNOB_SIZE (vit_sizes),
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
build_vit (Tape *tape, const Spec *spec)
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
              TRANSFORMER_TABLES (vit) },
  .estimate_nodes = transformer_estimate_nodes,
  .build = build_vit,
  TRANSFORMER_WORKLOAD,
};
G_STATIC_ASSERT (G_N_ELEMENTS (vit_numbers) == G_N_ELEMENTS (vit_sizes) - 1);

/* --- dit ------------------------------------------------------------------ */

/* diffusion transformers: patches of a noisy latent image, modulated by time and class.
 *
 * Peebles and Xie (2023), "Scalable diffusion models with transformers": adaLN-Zero; parameters are
 * those of their code, the fixed table of positions among them. What is outside the layers, and
 * their modulation, is every rank's own.
 */
#define CHANNELS 4
#define SILU_FLOPS 5.0 /* per element */
#define N_FREQUENCIES 256

static const char *const dit_sizes[] = { "dit-xl-2", "dit-l-2", "dit-b-2", "dit-s-2", NULL };

/* layers, width, heads, ffn */
static const gint64 dit_numbers[][4] = {
  { 28, 1152, 16, 4608 }, { 24, 1024, 16, 4096 }, { 12, 768, 12, 3072 }, { 12, 384, 6, 1536 }
};

static const GobanKnob dit_knobs[] = {
  KNOB_SIZE (dit_sizes),
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
estimate_dit_nodes (const Spec *spec)
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
build_dit (Tape *tape, const Spec *spec)
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
              TRANSFORMER_TABLES (dit) },
  .estimate_nodes = estimate_dit_nodes,
  .build = build_dit,
  TRANSFORMER_WORKLOAD,
};
G_STATIC_ASSERT (G_N_ELEMENTS (dit_numbers) == G_N_ELEMENTS (dit_sizes) - 1);
