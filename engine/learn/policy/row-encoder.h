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
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/rows.h"

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

/* 0 if the parts have no such vector. */
guint goban_row_encoder_get_width (const GobanRowEncoder *self, GobanRowVector vector);

/* Tensors of the encoder of rows, and the features of rows that it reads. */

/* Features of a row for the encoder: those of rows.h, and some of its neighbourhood. */
typedef enum
{
  GOBAN_ENCODED_IN_DEGREE = GOBAN_ROW_N_STATIC, /* log of the number of rows that it reads from */
  GOBAN_ENCODED_OUT_DEGREE,                     /* likewise: that read from it */
  GOBAN_ENCODED_READ,   /* log of the bytes that it reads over the mean row's */
  GOBAN_ENCODED_SENT,   /* likewise: that others read from it */
  GOBAN_ENCODED_PARAMS, /* log of its share of the parameters' bytes, times the number of rows */
  GOBAN_ENCODED_SIZE,   /* log of its number of ops over the mean row's */
  GOBAN_ENCODED_N
} GobanEncodedFeature;

/* H: GOBAN_SCORER_HIDDEN, M: GOBAN_DECODER_MEMORY, W: width of the embedding. */
struct _GobanRowEncoder
{
  GobanDecoderParts parts;
  guint vectors[GOBAN_N_ROW_VECTORS]; /* (width,W) each */
  guint attended;                     /* (H,H) with devices */
  guint gates;                        /* (H,2 M) with actions */
  guint gates_bias;                   /* (1,2 M) */
  guint memory;                       /* (M,H) */
  GobanNet net;                       /* the layers; its parameters are the builder network's */
};
