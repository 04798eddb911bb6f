/* synthetic-blocks.h: building blocks of random networks, for synthetic.c alone.
 *
 * The content of a block follows from the seed and the block's scope: the same layer has the same
 * structure and the same weights at every step, and another layer others. All draws are of whole
 * numbers, so a network does not depend on the machine's floating point.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/graph/workloads/tape.h"

G_BEGIN_DECLS

typedef enum
{
  SYNTHETIC_CHAIN,    /* products and elementwise ops in a row */
  SYNTHETIC_BRANCHES, /* several chains beside each other, summed */
  SYNTHETIC_SKIP,     /* a gated unit with a residual and a skip connection */
  /* self-attention and a feed-forward part, each with a residual; not of maps */
  SYNTHETIC_ATTENTION,
  SYNTHETIC_N_BLOCKS
} SyntheticBlock;

typedef struct
{
  Tape *tape;
  guint64 seed;
  guint n_wanted;    /* forward nodes, about */
  gboolean has_maps; /* activations are (n, h, w, width), else (rows, width) */
  gint64 rows;       /* of an activation, or maps */
  gint64 side;       /* h and w of maps */
  gint64 width;
  gint64 vocabulary; /* rows of embeddings, and classes */
  SyntheticBlock kinds[2];
  guint step;             /* 0: outside of steps */
  GHashTable *weights;    /* scope to Value: kernels that have been read */
  gboolean gathers_skips; /* to the end; else a skip is one more residual */
  GArray *skips;          /* Value */
  GArray *losses;         /* Value */
} Synthetic;

/* Chance of the seed and a scope. */
GobanRng synthetic_rng (const Synthetic *self, const char *scope);
/* In least .. most. */
guint synthetic_draw (GobanRng *rng, guint least, guint most);

/* Weights are in SCOPE, the ops of a step in SCOPE/step_N. */
void synthetic_push (const Synthetic *self, const char *scope);
void synthetic_pop (const Synthetic *self);

/* x times a kernel of the scope: a product of matrices, or a convolution. */
Value synthetic_project (Synthetic *self, const char *scope, Value x, gint64 n_out);
/* An elementwise function that the scope draws. */
Value synthetic_activate (Synthetic *self, const char *scope, Value x);
/* Input of the network. */
Value synthetic_embed (Synthetic *self, const char *scope);
/* A block of the kind that the scope draws; its output is of the network's width. */
Value synthetic_block (Synthetic *self, const char *scope, Value x);
/* A softmax's loss. */
void synthetic_lose (Synthetic *self, const char *scope, Value x);

G_END_DECLS
