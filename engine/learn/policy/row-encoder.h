/* row-encoder.h: parameters of the parts that the decoder of plans has beside its scorer.
 *
 *   x0 = GraphSAGE (features)                        both directions, residual and layer norm
 *   y  = layers of segment-level recurrent attention over rows in the order of decisions
 *   y  = c * y, c = 2 sigmoid (W x0 + b)             modulation; of each layer's input, too
 *
 * The layers are those of GO's network (engine/learn/policy/network.h), narrower, since a graph has
 * a few hundred rows here. Segments are short, so that even a small graph has several and each
 * remembers the one before. From the embedding y of a row follow by products what
 * engine/learn/policy/decoder.h needs of it.
 *
 * Parts can be left out one by one, so that each one's worth can be measured.
 *
 * Decision G10 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/nn/params.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_PART_EMBEDDING = 1 << 0,  /* neighbours: GraphSAGE; else the features of a row alone */
  GOBAN_PART_ATTENTION = 1 << 1,  /* over the rows of a segment and of the one before */
  GOBAN_PART_MODULATION = 1 << 2, /* by the graph embedding */
  GOBAN_PART_DEVICES = 1 << 3, /* devices know the rows placed on them; a row attends to devices */
  GOBAN_PART_ACTIONS = 1 << 4, /* a recurrent state of the actions taken */
  GOBAN_ALL_PARTS = (1 << 5) - 1
} GobanDecoderParts;

/* "embedding", "attention", "modulation", "devices", "actions", NULL: by the bits. */
extern const char *const goban_decoder_part_names[];

/* Vectors that a row's embedding is projected to. */
typedef enum
{
  GOBAN_ROW_HIDDEN, /* begins the scorer's hidden layer */
  GOBAN_ROW_PLACED, /* is added to the token of the device that the row is placed on */
  GOBAN_ROW_QUERY,  /* for the attention to devices */
  GOBAN_ROW_ACTION, /* enters the gates of the recurrent state */
  GOBAN_N_ROW_VECTORS
} GobanRowVector;

/* Their widths; the gates are those of GOBAN_DECODER_MEMORY units. */
#define GOBAN_DECODER_MEMORY 32
#define GOBAN_ROW_VECTOR_MOST (2 * GOBAN_DECODER_MEMORY)

/* Numbers of the tensors. */
typedef struct _GobanRowEncoder GobanRowEncoder;

/* Adds the tensors to the table before it is finished. @parts: not 0. For g_free(). */
GobanRowEncoder *goban_row_encoder_new (GobanDecoderParts parts,
                                        GobanParams *params) G_GNUC_WARN_UNUSED_RESULT;

GobanDecoderParts goban_row_encoder_get_parts (const GobanRowEncoder *self);
/* 0 if the parts have no such vector. */
guint goban_row_encoder_get_width (const GobanRowEncoder *self, GobanRowVector vector);

G_END_DECLS
