#include "engine/graph/workloads/transformer.h"

#include "engine/core/error.h"

#include <inttypes.h>

#define GELU_FLOPS 8.0
#define SWIGLU_FLOPS 6.0

const char *const transformer_dtypes[] = { "bf16", "f16", "f32", NULL };
const char *const transformer_modes[] = { "training", "inference", "prefill", "decode", NULL };

/* --- knobs ------------------------------------------------------------------------------------ */

void
transformer_init (Transformer *self, Tape *tape, const Spec *spec)
{
  gint64 kv_heads = spec_get_or (spec, "kv-heads", 0);

  *self = (Transformer){
    .n_layers = spec_get (spec, "layers"),
    .width = spec_get (spec, "width"),
    .n_heads = spec_get (spec, "heads"),
    .n_kv_heads = kv_heads > 0 ? kv_heads : spec_get (spec, "heads"),
    .ffn = spec_get (spec, "ffn"),
    .sequence = spec_get_or (spec, "sequence", 0),
    .batch = spec_get (spec, "batch"),
    .context = spec_get_or (spec, "context", 0),
    .n_experts = spec_get_or (spec, "experts", 0),
    .top_k = spec_get_or (spec, "top-k", 0),
    .is_llama = kv_heads > 0,
    .is_causal = spec_get_or (spec, "vocabulary", 0) > 0,
    .is_fused = spec_get (spec, "flash") == 1,
    .is_training = spec_is (spec, "mode", "training"),
    .is_prefill = spec_is (spec, "mode", "prefill"),
    .is_decode = spec_is (spec, "mode", "decode"),
    .is_sequence_parallel = spec_get_or (spec, "sp", 0) == 1 && spec_get (spec, "tp") > 1,
    .tp = { "tp", (guint) spec_get (spec, "tp") },
    .ep = { "ep", (guint) spec_get_or (spec, "ep", 1) },
  };
  self->drops = self->is_training && spec_get_or (spec, "dropout", 0) == 1;
  if (self->is_decode)
    self->sequence = 1;
  tape_modernise (tape, transformer_dtypes[spec_get (spec, "dtype")]);
}

/* Whether so many ranks share the layers: equal shards of all, or keys and values replicated. */
static gboolean
can_share (const Spec *spec, const char *knob, gint64 n)
{
  gint64 n_kv = spec_get_or (spec, "kv-heads", n);

  if (g_str_equal (knob, "ep"))
    return spec_get (spec, "experts") % n == 0;
  return spec_get (spec, "heads") % n == 0 && spec_get (spec, "ffn") % n == 0
         && (n_kv % n == 0 || n % n_kv == 0);
}

/* Names what @knob does not divide, and what it may be. */
static gboolean
refuse_ranks (const Spec *spec, const char *knob, gint64 n, const char *what, GError **error)
{
  g_autoptr (GString) fits = g_string_new (NULL);
  gint64 last = 1;

  for (gint64 i = 2; i <= spec_get (spec, g_str_equal (knob, "ep") ? "experts" : "heads"); i++)
    if (can_share (spec, knob, i))
      {
        g_string_append_printf (fits, "%s%" PRId64, fits->len > 0 ? ", " : "", last);
        last = i;
      }
  g_string_append_printf (fits, "%s%" PRId64, fits->len > 0 ? " or " : "", last);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s=%" PRId64 " does not divide the %" PRId64 " %s; say %s", knob,
                       spec_get (spec, knob), n, _ (what), fits->str);
}

static gboolean
check_heads (const Spec *spec, GError **error)
{
  gint64 width = spec_get (spec, "width"), n_heads = spec_get (spec, "heads");
  gint64 n_kv = spec_get_or (spec, "kv-heads", n_heads);

  if (width % n_heads == 0 && n_heads % n_kv == 0)
    return TRUE;
  if (width % n_heads != 0)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "heads=%" PRId64 " does not divide the width of %" PRId64
                     "; say a width of %" PRId64 " or %" PRId64,
                     n_heads, width, MAX (width / n_heads, 1) * n_heads,
                     (width / n_heads + 1) * n_heads);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "kv-heads=%" PRId64 " does not divide the %" PRId64 " heads; say kv-heads=1",
                     n_kv, n_heads);
  return FALSE;
}

static gboolean
check_ranks (const Spec *spec, GError **error)
{
  gint64 tp = spec_get (spec, "tp"), ep = spec_get_or (spec, "ep", 1);
  gint64 n_heads = spec_get (spec, "heads"), ffn = spec_get (spec, "ffn");

  if (n_heads % tp != 0)
    return refuse_ranks (spec, "tp", n_heads, N_ ("heads"), error);
  if (ffn % tp != 0)
    return refuse_ranks (spec, "tp", ffn, N_ ("numbers of the feed-forward part"), error);
  if (!can_share (spec, "tp", tp))
    return refuse_ranks (spec, "tp", spec_get (spec, "kv-heads"), N_ ("kv-heads, nor they it"),
                         error);
  if (ep > 1 && !can_share (spec, "ep", ep))
    return refuse_ranks (spec, "ep", spec_get (spec, "experts"), N_ ("experts"), error);
  return TRUE;
}

gboolean
transformer_check (const Spec *spec, GError **error)
{
  gint64 sequence = spec_get_or (spec, "sequence", 1), tp = spec_get (spec, "tp");
  gint64 positions = spec_get_or (spec, "positions", sequence);

  gint64 image = spec_get_or (spec, "image", 0), patch = spec_get_or (spec, "patch", 1);

  if (!check_heads (spec, error) || !check_ranks (spec, error))
    return FALSE;
  if (image % patch != 0)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "patch=%" PRId64 " does not divide the image of %" PRId64
                     "; say an image of %" PRId64,
                     patch, image, (image / patch + 1) * patch);
  else if (positions < sequence)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "positions=%" PRId64 " are fewer than the %" PRId64
                     " tokens of a sequence; say positions=%" PRId64,
                     positions, sequence, sequence);
  else if (spec_get_or (spec, "top-k", 0) > spec_get_or (spec, "experts", 0))
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "top-k=%" PRId64 " is more than the %" PRId64 " experts",
                     spec_get (spec, "top-k"), spec_get (spec, "experts"));
  else if (spec_get_or (spec, "sp", 0) == 1 && spec_is (spec, "mode", "decode"))
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "sp=1 shards sequences, and mode=decode has one token of each; say sp=0");
  else if (spec_get_or (spec, "sp", 0) == 1 && sequence % tp != 0)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "tp=%" PRId64 " does not divide the sequence of %" PRId64
                     " tokens, as sp=1 needs it; say sequence=%" PRId64,
                     tp, sequence, (sequence / tp + 1) * tp);
  else
    return TRUE;
  return FALSE;
}

double
transformer_estimate_nodes (const Spec *spec)
{
  gboolean is_llama = spec_get_or (spec, "kv-heads", 0) > 0;
  gint64 n_others = is_llama ? 24 : spec_get_or (spec, "vocabulary", 0) > 0 ? 30 : 43;
  gint64 per_layer = spec_get_or (spec, "experts", 0) > 0 ? 54 : is_llama ? 42 : 56;

  per_layer += 6 * (1 - spec_get (spec, "flash")) + 2 * spec_get_or (spec, "dropout", 0);
  if (spec_get (spec, "tp") > 1)
    per_layer += 4 + 6 * spec_get_or (spec, "sp", 0);
  if (spec_get_or (spec, "ep", 1) > 1)
    per_layer += 4;
  return (double) (per_layer * spec_get (spec, "layers") + n_others);
}

/* --- a layer ---------------------------------------------------------------------------------- */

/* Rows that all ranks multiply with their columns: whole, and with a gradient of all of them. */
static Value
enter (const Transformer *self, Tape *tape, Value x)
{
  return self->is_sequence_parallel ? tape_all_gather (tape, &self->tp, x)
                                    : tape_all_reduce_gradient (tape, &self->tp, x);
}

/* Sums that all ranks have a part of. */
static Value
leave (const Transformer *self, Tape *tape, Value x)
{
  return self->is_sequence_parallel ? tape_reduce_scatter (tape, &self->tp, x)
                                    : tape_all_reduce (tape, &self->tp, x);
}

Value
transformer_linear (Tape *tape, const char *scope, Value x, gint64 n_out)
{
  tape_push (tape, "%s", scope);
  Value weight = tape_weight (tape, "kernel", SHAPE (tape_dim (tape, x, 1), n_out));
  Value bias = tape_weight (tape, "bias", SHAPE (n_out));

  x = tape_linear (tape, x, &(TapeLinear){ .weight = weight, .bias = bias, .shard = NO_VALUE });
  tape_pop (tape);
  return x;
}

static Value
columns (const Transformer *self, Tape *tape, const char *scope, Value x, gint64 n_out)
{
  Value bias = NO_VALUE;

  tape_push (tape, "%s", scope);
  Value weight = tape_weight (tape, "kernel", SHAPE (self->width, n_out));

  if (!self->is_llama)
    bias = tape_weight (tape, "bias", SHAPE (n_out));
  x = tape_linear (tape, enter (self, tape, x),
                   &(TapeLinear){ .weight = weight,
                                  .bias = bias,
                                  .shard = self->is_sequence_parallel ? x : NO_VALUE,
                                  .n_ranks = self->tp.n });
  tape_pop (tape);
  return x;
}

/* @bias: (out): to be added once, to the sum over the ranks */
static Value
rows (const Transformer *self, Tape *tape, const char *scope, Value x, Value *bias)
{
  Shape shape = SHAPE (tape_dim (tape, x, 1), self->width);

  tape_push (tape, "%s", scope);
  Value weight = tape_weight (tape, "kernel", shape);

  *bias = self->is_llama ? NO_VALUE : tape_weight (tape, "bias", SHAPE (self->width));
  x = tape_linear (tape, x, &(TapeLinear){ .weight = weight, .bias = NO_VALUE, .shard = NO_VALUE });
  x = leave (self, tape, x);
  tape_pop (tape);
  return x;
}

Value
transformer_norm (const Transformer *self, Tape *tape, Value x)
{
  Shape shape = SHAPE (self->width);

  tape_push (tape, "norm");
  Value gamma = self->is_modulated ? NO_VALUE : tape_weight (tape, "gamma", shape);
  Value beta = self->is_modulated || self->is_llama ? NO_VALUE : tape_weight (tape, "beta", shape);

  x = tape_norm (tape, self->is_llama ? "RMSNorm" : "LayerNorm", x, gamma, beta);
  tape_pop (tape);
  return x;
}

/* Keys and values of all tokens so far, when there is a next one: resident. */
static void
add_cache (const Transformer *self, Tape *tape, TapeAttention *attention, Value kv)
{
  double new_bytes = 2 * tape_bytes (tape, kv);

  attention->cache = NO_VALUE;
  if (self->is_prefill || self->is_decode)
    attention->cache = tape_resident (
        tape, "kv_cache", self->is_decode ? new_bytes * (double) self->context : new_bytes);
  attention->written_bytes = new_bytes;
  attention->read_bytes = self->is_decode ? new_bytes * (double) self->context : 0;
}

static Value
attend (const Transformer *self, Tape *tape, Value x)
{
  gint64 head = self->width / self->n_heads;
  gint64 q_width = self->n_heads / self->tp.n * head;
  gint64 kv_width = MAX (self->n_kv_heads / self->tp.n, 1) * head;
  Value qkv = columns (self, tape, "qkv", x, q_width + 2 * kv_width);
  Value q = tape_split_rows (tape, qkv, (const gint64[]){ q_width, kv_width, kv_width }, 3);
  Value k = q + 1, v = q + 2;
  TapeAttention attention = {
    .batch = self->batch,
    .n_heads = self->n_heads / self->tp.n,
    .n_keys = self->is_decode ? self->context : self->sequence,
    .is_causal = self->is_causal && !self->is_decode,
    .is_fused = self->is_fused,
    .drops = self->drops,
  };

  add_cache (self, tape, &attention, k);
  if (self->is_llama)
    {
      q = tape_rotate (tape, q, k);
      k = q + 1;
    }
  return tape_attend (tape, q, k, v, &attention);
}

/* What goes into a part of a layer, and what comes out of it is added to. @modulation: the first of
 * its shift, scale and gate, or NO_VALUE. */
static Value
normalise (const Transformer *self, Tape *tape, Value x, Value modulation)
{
  x = transformer_norm (self, tape, x);
  return modulation == NO_VALUE ? x : tape_modulate (tape, x, modulation, modulation + 1);
}

static Value
add_part (const Transformer *self, Tape *tape, Value y, Value x, Value bias, Value modulation)
{
  return modulation == NO_VALUE ? tape_residual (tape, y, x, bias, self->drops)
                                : tape_gated_residual (tape, y, x, bias, modulation + 2);
}

static Value
attention_part (const Transformer *self, Tape *tape, Value x, Value modulation)
{
  Value bias;
  Value y;

  tape_push (tape, "attention");
  x = tape_branch (tape, x);
  y = attend (self, tape, normalise (self, tape, x, modulation));
  y = rows (self, tape, "output", y, &bias);
  x = add_part (self, tape, y, x, bias, modulation);
  tape_pop (tape);
  return x;
}

static Value
activate (const Transformer *self, Tape *tape, Value x)
{
  return self->is_llama ? tape_activate (tape, "SwiGLU", x, 2, SWIGLU_FLOPS)
                        : tape_activate (tape, "Gelu", x, 1, GELU_FLOPS);
}

static Value
mlp_part (const Transformer *self, Tape *tape, Value x, Value modulation)
{
  gint64 n_inner = (self->is_llama ? 2 : 1) * self->ffn / self->tp.n;
  Value bias;
  Value y;

  tape_push (tape, "mlp");
  x = tape_branch (tape, x);
  y = columns (self, tape, "up", normalise (self, tape, x, modulation), n_inner);
  y = rows (self, tape, "down", activate (self, tape, y), &bias);
  x = add_part (self, tape, y, x, bias, modulation);
  tape_pop (tape);
  return x;
}

/* One of the products of each expert, of the rows it was given. */
static Value
multiply_by_experts (const Transformer *self, Tape *tape, const char *scope, Value x, gint64 n_out)
{
  Value weight;

  tape_push (tape, "%s", scope);
  weight = tape_weight (tape, "kernel",
                        SHAPE (self->n_experts / self->ep.n, tape_dim (tape, x, 1), n_out));
  x = tape_linear (tape, x, &(TapeLinear){ .weight = weight, .bias = NO_VALUE, .shard = NO_VALUE });
  tape_pop (tape);
  return x;
}

static Value
choose_experts (const Transformer *self, Tape *tape, Value x)
{
  Value weight;

  tape_push (tape, "router");
  weight = tape_weight (tape, "kernel", SHAPE (self->width, self->n_experts));
  x = tape_linear (tape, x, &(TapeLinear){ .weight = weight, .bias = NO_VALUE, .shard = NO_VALUE });
  x = enter (self, tape, tape_choose_experts (tape, x, self->top_k));
  tape_pop (tape);
  return x;
}

static Value
experts_part (const Transformer *self, Tape *tape, Value x)
{
  gint64 n_inner = self->ffn / self->tp.n;
  Value chosen;
  Value y;

  tape_push (tape, "experts");
  x = tape_branch (tape, x);
  y = tape_branch (tape, transformer_norm (self, tape, x));
  chosen = choose_experts (self, tape, y);
  y = tape_dispatch (tape, enter (self, tape, y), chosen);
  y = tape_all_to_all (tape, &self->ep, y);
  y = multiply_by_experts (self, tape, "up", y, 2 * n_inner);
  y = multiply_by_experts (self, tape, "down", activate (self, tape, y), self->width);
  y = tape_combine (tape, tape_all_to_all (tape, &self->ep, y), chosen);
  x = tape_residual (tape, leave (self, tape, y), x, NO_VALUE, FALSE);
  tape_pop (tape);
  return x;
}

Value
transformer_layer (const Transformer *self, Tape *tape, guint index, Value x, Value modulation)
{
  tape_push (tape, "layer_%u", index);
  x = attention_part (self, tape, x, modulation);
  x = self->n_experts > 0
          ? experts_part (self, tape, x)
          : mlp_part (self, tape, x, modulation == NO_VALUE ? NO_VALUE : modulation + 3);
  tape_pop (tape);
  return x;
}

/* --- a language model ------------------------------------------------------------------------- */

/* Rows of a rank's shard of the table: the vocabulary is rounded up. */
static gint64
count_words (const Transformer *self, const Spec *spec)
{
  return (spec_get (spec, "vocabulary") + self->tp.n - 1) / self->tp.n;
}

/* @tied: (out): the table, for the head, or NO_VALUE */
static Value
embed (const Transformer *self, Tape *tape, const Spec *spec, Value *tied)
{
  gint64 n_positions = spec_get_or (spec, "positions", 0);
  Value table;
  Value x;

  tape_push (tape, "embedding");
  table = tape_weight (tape, "table", SHAPE (count_words (self, spec), self->width));
  *tied = spec_get (spec, "tied") == 1 ? tape_copy_weight (tape, table) : NO_VALUE;
  x = tape_input (tape, "ids", SHAPE (self->batch * self->sequence), "s32");
  x = leave (self, tape, tape_embed (tape, table, x));
  if (n_positions > 0)
    x = tape_add_positions (
        tape, x, tape_weight (tape, "positions", SHAPE (n_positions, self->width)), self->sequence);
  tape_pop (tape);
  return x;
}

/* The likeliest token behind each sequence. */
static Value
choose_token (const Transformer *self, Tape *tape, Value logits)
{
  return tape_emit (tape, &(TapeCall){ .op = "ArgMax",
                                       TAPE_INPUTS (tape_all_gather (tape, &self->tp, logits)),
                                       TAPE_OUTPUTS (SHAPE (self->batch)),
                                       .dtype = "s32" });
}

/* Each rank has some of the classes: their largest logit, sum and wanted logit are exchanged. */
static Value
lose (const Transformer *self, Tape *tape, Value logits)
{
  Value labels = tape_input (tape, "labels", SHAPE (tape_dim (tape, logits, 0)), "s32");
  Value losses;

  tape_push (tape, "loss");
  losses = tape_token_loss (tape, logits, labels);
  for (guint i = 0; i < 3; i++)
    losses = tape_all_reduce (tape, &self->tp, losses);
  losses = tape_mean_of_losses (tape, losses);
  tape_pop (tape);
  return losses;
}

Value
transformer_build (Tape *tape, const Spec *spec)
{
  Transformer self;
  Value tied;
  Value x;

  transformer_init (&self, tape, spec);
  x = embed (&self, tape, spec, &tied);
  for (guint i = 0; i < self.n_layers; i++)
    x = transformer_layer (&self, tape, i, x, NO_VALUE);

  tape_push (tape, "head");
  x = transformer_norm (&self, tape, x);
  TapeLinear linear = { .weight = tied,
                        .bias = NO_VALUE,
                        .shard = self.is_sequence_parallel ? x : NO_VALUE,
                        .n_ranks = self.tp.n,
                        .is_transposed = tied != NO_VALUE };

  if (tied == NO_VALUE)
    linear.weight = tape_weight (tape, "kernel", SHAPE (self.width, count_words (&self, spec)));
  x = enter (&self, tape, x);
  if (self.is_prefill)
    x = tape_slice_rows (tape, "last_token", x, self.batch);
  x = tape_linear (tape, x, &linear);
  x = self.is_prefill || self.is_decode ? choose_token (&self, tape, x) : lose (&self, tape, x);
  tape_pop (tape);
  return x;
}
