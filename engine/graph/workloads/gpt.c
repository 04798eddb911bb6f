/* gpt.c: decoders as GPT-2 has them: LayerNorm first, GeLU, biases, learned positions.
 *
 * Radford et al. (2019), whose checkpoints have 124,439,808 to 1,557,611,200 parameters; Brown et
 * al. (2020), table 2.1; and the models of Narayanan et al. (2021), "Efficient large-scale language
 * model training on GPU clusters using Megatron-LM", table 1, with a vocabulary of 51,200.
 */
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/transformer.h"

static const char *const sizes[] = { "gpt2",
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
static const gint64 of_sizes[][7] = {
  { 12, 768, 12, 3072, 50257, 1024, 1024 },       { 24, 1024, 16, 4096, 50257, 1024, 1024 },
  { 36, 1280, 20, 5120, 50257, 1024, 1024 },      { 48, 1600, 25, 6400, 50257, 1024, 1024 },
  { 32, 4096, 32, 16384, 50257, 2048, 2048 },     { 96, 12288, 96, 49152, 50257, 2048, 2048 },
  { 24, 2304, 24, 9216, 51200, 2048, 2048 },      { 30, 3072, 32, 12288, 51200, 2048, 2048 },
  { 36, 4096, 32, 16384, 51200, 2048, 2048 },     { 40, 6144, 48, 24576, 51200, 2048, 2048 },
  { 48, 8192, 64, 32768, 51200, 2048, 2048 },     { 60, 10240, 80, 40960, 51200, 2048, 2048 },
  { 80, 12288, 96, 49152, 51200, 2048, 2048 },    { 105, 20480, 128, 81920, 51200, 2048, 2048 },
  { 128, 25600, 160, 102400, 51200, 2048, 2048 },
};

static const GobanKnob knobs[] = {
  KNOB_SIZE,
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
              TRANSFORMER_TABLES },
  .estimate_nodes = transformer_estimate_nodes,
  .build = transformer_build,
  .optimizer = &optimizer_fused_adam,
  .check = transformer_check,
  .coarsen = workload_coarsen_layers,
};

G_STATIC_ASSERT (G_N_ELEMENTS (of_sizes) == G_N_ELEMENTS (sizes) - 1);
