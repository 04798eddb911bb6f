/* llama.c: decoders as LLaMA has them: RMSNorm, rotary positions, grouped queries, SwiGLU.
 *
 * Touvron et al. (2023), "Llama 2"; Grattafiori et al. (2024), "The Llama 3 herd of models"; Jiang
 * et al. (2023), "Mistral 7B"; Zhang et al. (2024), "TinyLlama". Parameters are those of the
 * published checkpoints.
 */
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/transformer.h"

static const char *const sizes[]
    = { "llama-3-8b",  "llama-3-70b", "llama-3-405b", "llama-3-1b",     "llama-3-3b", "llama-2-7b",
        "llama-2-13b", "llama-2-70b", "mistral-7b",   "tinyllama-1.1b", NULL };

/* layers, width, heads, kv-heads, ffn, vocabulary, tied, sequence */
static const gint64 of_sizes[][8] = {
  { 32, 4096, 32, 8, 14336, 128256, 0, 8192 },    { 80, 8192, 64, 8, 28672, 128256, 0, 8192 },
  { 126, 16384, 128, 8, 53248, 128256, 0, 8192 }, { 16, 2048, 32, 8, 8192, 128256, 1, 8192 },
  { 28, 3072, 24, 8, 8192, 128256, 1, 8192 },     { 32, 4096, 32, 32, 11008, 32000, 0, 4096 },
  { 40, 5120, 40, 40, 13824, 32000, 0, 4096 },    { 80, 8192, 64, 8, 28672, 32000, 0, 4096 },
  { 32, 4096, 32, 8, 14336, 32000, 0, 8192 },     { 22, 2048, 32, 4, 5632, 32000, 0, 2048 },
};

static const GobanKnob knobs[] = {
  KNOB_SIZE,
  KNOB_LAYERS (32),
  KNOB_WIDTH (4096),
  KNOB_HEADS (32),
  KNOB_KV_HEADS (8),
  KNOB_FFN (14336),
  KNOB_VOCABULARY (128256),
  KNOB_TIED (0),
  KNOB_SEQUENCE (8192),
  KNOB_BATCH (1),
  KNOBS_OF_LANGUAGE_MODELS,
};

const Workload workload_llama = {
  .family = { .name = "llama",
              .blurb = N_ ("language model: a decoder as LLaMA, with grouped queries"),
              .source = "Touvron et al. 2023; Grattafiori et al. 2024",
              TRANSFORMER_TABLES },
  .estimate_nodes = transformer_estimate_nodes,
  .build = transformer_build,
  .optimizer = &optimizer_fused_adam,
  .check = transformer_check,
  .coarsen = workload_coarsen_layers,
};

G_STATIC_ASSERT (G_N_ELEMENTS (of_sizes) == G_N_ELEMENTS (sizes) - 1);
