/* tape-fused.h: ops as frameworks of today fuse them, and the collectives among a layer's ranks.
 *
 * Activations are rows: (tokens, width). Gradients of inputs and of weights are nodes of their own,
 * so that a schedule may delay the latter. A tape of them is one that tape_modernise() was told of.
 */
#pragma once

#include "engine/graph/collectives.h"
#include "engine/graph/workloads/tape.h"

/* x w + bias over the rows of x. @shard: what x was gathered from, to be gathered again for the
 * gradient of w rather than kept (Korthikanti et al. 2022), or NO_VALUE.
 * @is_transposed: w is (outputs, inputs), as an embedding's table is. */
typedef struct
{
  Value weight; /* (inputs, outputs), or of experts (experts, inputs, outputs): equal rows each */
  Value bias;   /* or NO_VALUE */
  Value shard;
  guint n_ranks; /* that the shard is gathered from */
  gboolean is_transposed;
} TapeLinear;

Value tape_linear (Tape *tape, Value x, const TapeLinear *linear);
/* Over the last dimension: "LayerNorm", "RMSNorm"; gamma and beta may be NO_VALUE. */
Value tape_norm (Tape *tape, const char *op, Value x, Value gamma, Value beta);
/* Element by element, with a gradient op named @op and "Grad" that reads x again. @n_halves: 2 of
 * a gated one, whose output is half as wide. */
Value tape_activate (Tape *tape, const char *op, Value x, guint n_halves, double flops);
/* x + y + bias (or NO_VALUE); @drops: dropout of what is added to y, with its mask. */
Value tape_residual (Tape *tape, Value x, Value y, Value bias, gboolean drops);
/* (1 + scale) x + shift, of each sequence's own (batch, width). */
Value tape_modulate (Tape *tape, Value x, Value shift, Value scale);
/* gate (x + bias) + y; bias may be NO_VALUE. */
Value tape_gated_residual (Tape *tape, Value x, Value y, Value bias, Value gate);
/* x with one more row for each of the batch's sequences, all the same. */
Value tape_prepend_row (Tape *tape, Value x, Value row, gint64 batch);
/* Some of the rows. */
Value tape_slice_rows (Tape *tape, const char *name, Value x, gint64 n_rows);
/* x and the rows of a table, again for each sequence of the batch. */
Value tape_add_positions (Tape *tape, Value x, Value table, gint64 n_rows);
/* A copy of a weight that may be on another device. */
Value tape_copy_weight (Tape *tape, Value weight);
/* Rows of a table whose gradient is dense. */
Value tape_embed (Tape *tape, Value table, Value ids);
/* logits (rows, classes / ranks): the loss of each row, f32. */
Value tape_token_loss (Tape *tape, Value logits, Value labels);
/* The squared error of each row, f32. */
Value tape_squared_loss (Tape *tape, Value x, Value target);
/* The mean of losses, f32. */
Value tape_mean_of_losses (Tape *tape, Value losses);

/* Parts of rows, consecutive from the one returned; nothing moves until their gradients meet. */
Value tape_split_rows (Tape *tape, Value x, const gint64 *widths, guint n);
/* Rotary positions of queries and keys: two values. */
Value tape_rotate (Tape *tape, Value q, Value k);

typedef struct
{
  gint64 batch;
  gint64 n_heads;
  gint64 n_keys;      /* that each query looks at */
  gboolean is_causal; /* a fused one then skips half of the products */
  gboolean is_fused;  /* FlashAttention: no scores in memory, made again for the gradient */
  gboolean drops;     /* dropout of the probabilities */
  Value cache;        /* that keys and values are read from or written to, or NO_VALUE */
  double read_bytes;  /* of the cache */
  double written_bytes;
} TapeAttention;

/* q (rows, heads x width), k and v (rows, their heads x width) to the shape of q. */
Value tape_attend (Tape *tape, Value q, Value k, Value v, const TapeAttention *attention);

/* logits (rows, experts): the n likeliest of each row, with their weights. */
Value tape_choose_experts (Tape *tape, Value logits, gint64 n);
/* Rows as often as they have experts (rows x chosen, width), by expert. */
Value tape_dispatch (Tape *tape, Value x, Value chosen);
/* And their weighted sum. */
Value tape_combine (Tape *tape, Value x, Value chosen);

/* --- collectives ------------------------------------------------------------------------------ */

/* The ranks of one kind that share a layer's work: of tensor parallelism "tp", of experts "ep". */
typedef struct
{
  const char *name;
  guint n; /* with 1, nothing below adds a node */
} TapeRanks;

Value tape_all_reduce (Tape *tape, const TapeRanks *ranks, Value x);
/* The same value, whose gradient is summed over the ranks. */
Value tape_all_reduce_gradient (Tape *tape, const TapeRanks *ranks, Value x);
/* Rows of all ranks, whose gradient is summed and scattered; and the other way round. */
Value tape_all_gather (Tape *tape, const TapeRanks *ranks, Value x);
Value tape_reduce_scatter (Tape *tape, const TapeRanks *ranks, Value x);
Value tape_all_to_all (Tape *tape, const TapeRanks *ranks, Value x);
/* The same value, whose gradients are summed in the present scope. */
Value tape_branch (Tape *tape, Value x);
