/* mixtral.c: decoders as LLaMA's, whose feed-forward parts are experts that each token has some of.
 *
 * Jiang et al. (2024), "Mixtral of experts"; parameters are those of the published checkpoints.
 * Experts are sharded over ranks (Lepikhin et al. 2020, "GShard"), which exchange their tokens.
 */
#include "engine/graph/workloads/coarse.h"
#include "engine/graph/workloads/transformer.h"

static const char *const sizes[] = { "mixtral-8x7b", "mixtral-8x22b", NULL };

/* layers, width, heads, kv-heads, ffn, experts, top-k, vocabulary, tied, sequence */
static const gint64 of_sizes[][10] = {
  { 32, 4096, 32, 8, 14336, 8, 2, 32000, 0, 4096 },
  { 56, 6144, 48, 8, 16384, 8, 2, 32000, 0, 4096 },
};

static const GobanKnob knobs[] = {
  KNOB_SIZE,
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
              TRANSFORMER_TABLES },
  .estimate_nodes = transformer_estimate_nodes,
  .build = transformer_build,
  .optimizer = &optimizer_fused_adam,
  .check = transformer_check,
  .coarsen = workload_coarsen_layers,
};

G_STATIC_ASSERT (G_N_ELEMENTS (of_sizes) == G_N_ELEMENTS (sizes) - 1);
