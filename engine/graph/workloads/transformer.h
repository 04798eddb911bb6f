/* transformer.h: layers that today's transformers share, and language models made of them.
 *
 * The graph of a family is that of one rank of tensor and expert parallelism, for one micro-batch:
 * its shards of weights and products, with collectives as nodes. Shards as in Megatron-LM (Shoeybi
 * et al. 2019): the products for queries, keys, values and the first one of the feed-forward part
 * by columns, the ones after them by rows; attention by heads (those of keys and values are
 * replicated where there are more ranks), embedding and head by the vocabulary, rounded up. With
 * sequence parallelism (Korthikanti et al. 2022) norms and sums are sharded by tokens. Experts'
 * weights are sharded by experts too; their tokens are taken as evenly spread.
 *
 * Scopes are embedding, layer_N/attention, layer_N/mlp or layer_N/experts, and head; names are the
 * same for any shards, but for the collectives. Left out: the sums of norms' gradients over the
 * ranks, once a step, and losses that balance experts.
 */
#pragma once

#include "engine/core/i18n.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/tape-fused.h"

typedef struct
{
  gint64 n_layers;
  gint64 width;
  gint64 n_heads;
  gint64 n_kv_heads;
  gint64 ffn;
  gint64 sequence; /* tokens of a sequence that are read at once: 1 when decoding */
  gint64 batch;
  gint64 context;   /* tokens that a decoded one looks back at */
  gint64 n_experts; /* 0: a plain feed-forward part */
  gint64 top_k;
  gboolean is_llama; /* RMSNorm, rotary positions, SwiGLU, no biases; or LayerNorm, GeLU, biases */
  gboolean is_modulated; /* so that norms have no weights */
  gboolean is_causal;
  gboolean is_fused; /* attention */
  gboolean drops;
  gboolean is_training;
  gboolean is_prefill;
  gboolean is_decode;
  gboolean is_sequence_parallel;
  TapeRanks tp;
  TapeRanks ep;
} Transformer;

extern const char *const transformer_dtypes[];
extern const char *const transformer_modes[]; /* of language models */

#define KNOB_SIZE(sizes)                                                                           \
  {                                                                                                \
    .name = "size", .meaning = N_ ("model whose numbers are the defaults"), .words = sizes         \
  }
#define KNOB_LAYERS(n)                                                                             \
  {                                                                                                \
    "layers", N_ ("layers"), NULL, n, 1, 1024                                                      \
  }
#define KNOB_WIDTH(n)                                                                              \
  {                                                                                                \
    "width", N_ ("numbers a token has"), NULL, n, 1, 65536                                         \
  }
#define KNOB_HEADS(n)                                                                              \
  {                                                                                                \
    "heads", N_ ("heads of attention"), NULL, n, 1, 1024                                           \
  }
#define KNOB_KV_HEADS(n)                                                                           \
  {                                                                                                \
    "kv-heads", N_ ("heads of keys and values"), NULL, n, 1, 1024                                  \
  }
#define KNOB_FFN(n)                                                                                \
  {                                                                                                \
    "ffn", N_ ("width of the feed-forward part"), NULL, n, 1, 262144                               \
  }
#define KNOB_VOCABULARY(n)                                                                         \
  {                                                                                                \
    "vocabulary", N_ ("tokens there are"), NULL, n, 2, 10000000                                    \
  }
#define KNOB_SEQUENCE(n)                                                                           \
  {                                                                                                \
    "sequence", N_ ("tokens of a sequence"), NULL, n, 1, 1048576                                   \
  }
#define KNOB_FLAG(name, meaning, n)                                                                \
  {                                                                                                \
    name, meaning, NULL, n, 0, 1                                                                   \
  }
#define KNOB_TIED(n) KNOB_FLAG ("tied", N_ ("the head's weights are the embedding's"), n)
#define KNOB_BATCH(n)                                                                              \
  {                                                                                                \
    "batch", N_ ("sequences of one micro-batch"), NULL, n, 1, 65536                                \
  }
#define KNOBS_OF_ALL                                                                               \
  { .name = "dtype",                                                                               \
    .meaning = N_ ("of weights and activations; the optimiser's are f32"),                         \
    .words = transformer_dtypes },                                                                 \
      KNOB_FLAG ("flash", N_ ("attention as one op, without scores in memory"), 1),                \
  {                                                                                                \
    "tp", N_ ("ranks of tensor parallelism"), NULL, 1, 1, 1024                                     \
  }
#define KNOBS_OF_LANGUAGE_MODELS                                                                   \
  KNOBS_OF_ALL, KNOB_FLAG ("sp", N_ ("sequence parallelism, by tokens"), 0),                       \
      { "context", N_ ("tokens in the KV cache when decoding"), NULL, 4096, 1, 1048576 },          \
  {                                                                                                \
    .name = "mode",                                                                                \
    .meaning = N_ ("a step of training, a loss, a prompt read, or one more token"),                \
    .words = transformer_modes                                                                     \
  }

/* From the knobs that the family has; the tape's ops are modern ones from there on. */
void transformer_init (Transformer *self, Tape *tape, const Spec *spec);
/* %FALSE with @error set for knobs that do not divide each other, saying which would. */
gboolean transformer_check (const Spec *spec, GError **error);
double transformer_estimate_nodes (const Spec *spec);
/* A product with columns of a weight in a scope, and a bias of the columns. */
Value transformer_linear (Tape *tape, const char *scope, Value x, gint64 n_out);
/* x (rows of a rank, width), in a scope "layer_@index". @modulation: the first of six, shift, scale
 * and gate of either part, or NO_VALUE */
Value transformer_layer (const Transformer *self, Tape *tape, guint index, Value x,
                         Value modulation);
/* The norm in a scope "norm". */
Value transformer_norm (const Transformer *self, Tape *tape, Value x);
/* A whole language model. */
Value transformer_build (Tape *tape, const Spec *spec);
