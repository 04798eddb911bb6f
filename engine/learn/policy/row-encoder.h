/* row-encoder.h: parameters of the encoder that gives the plan builder an embedding of every row.
 *
 *   x0 = GraphSAGE (features)                        both directions, residual and layer norm
 *   y  = layers of segment-level recurrent attention over rows in the order of decisions
 *   y  = c * y, c = 2 sigmoid (W x0 + b)             modulation; of each layer's input, too
 *
 * The layers are those of GO's network (engine/learn/policy/network.h), narrower, since a graph has
 * a few hundred rows here. Kinds add one part after another, so that each part's worth can be
 * measured.
 *
 * The embedding y is part of the scorer's context: its hidden layer begins with b1 + y We instead
 * of b1. We is 0 at first, and so a new network decides as one without an encoder.
 *
 * Decision G16 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/nn/params.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_ENCODER_NONE,
  GOBAN_ENCODER_SAGE,
  GOBAN_ENCODER_ATTENTION, /* and GraphSAGE */
  GOBAN_ENCODER_FULL,      /* and modulation */
  GOBAN_N_ENCODERS
} GobanEncoder;

/* "none", "sage", "attention", "full", NULL. */
extern const char *const goban_encoder_names[];

/* Numbers of the tensors. */
typedef struct _GobanRowEncoder GobanRowEncoder;

/* Adds the tensors to the table before it is finished. @encoder: not NONE. For g_free(). */
GobanRowEncoder *goban_row_encoder_new (GobanEncoder encoder,
                                        GobanParams *params) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
