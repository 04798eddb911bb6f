/* row-encoder-private.h: tensors of the encoder of rows, and the features of rows that it reads. */
#pragma once

#include "engine/learn/policy/net-private.h"
#include "engine/learn/policy/row-encoder.h"
#include "engine/learn/policy/rows.h"

G_BEGIN_DECLS

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

G_END_DECLS
