/* decoder.h: one decision of a plan that is built row by row: scores of the devices for a row.
 *
 * From the embedding of row r come its vectors h_r, p_r, q_r and a_r. Of a device d the features
 * x_d of the partial schedule are given, of the decision those of c; s_r is the row's share of a
 * device's ideal load. g (z) = z if z > 0, else z / 10.
 *
 *   t_d = x_d Wx + sum of s_q p_q over the rows q on d       token of the device
 *   o   = heads of softmax_d (q_r g (t_d) / sqrt (k)) g (t_d)   attention of the row to the devices
 *   m   = m + z (n - m),  z = sigmoid (u - 2),  n = tanh (u'),  (u, u') = a_q + g (t_e) Wg + bg
 *         after each action, row q on device e: a recurrent state, whose gates see the action alone
 *   score_d = v x_d + w3 g (b2 + g (h_r + c Wc + o Wo + m Wm + t_d) W2)
 *
 * A network without some parts (GobanDecoderParts) lacks the terms; without any of them this is the
 * scorer of engine/learn/nn/scorer.h. The linear part is what the scores begin with: a known good
 * rule.
 *
 * Nothing depends on a device's number, and sums over devices are taken in the order of their
 * attention: exchanging two equal devices exchanges their scores to the bit.
 *
 * The state of gates that see only their input: Feng et al., Were RNNs all we needed?, 2024.
 */
#pragma once

#include "engine/learn/nn/scorer.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/rows.h"

/* The embeddings of rows, and the parts that the decoder has beside its scorer.
 *
 *   x0 = GraphSAGE (features)                        both directions, residual and layer norm
 *   y  = layers of segment-level recurrent attention over rows in the order of decisions
 *   y  = c * y, c = 2 sigmoid (W x0 + b)             modulation; of each layer's input, too
 *
 * The layers are those of GO's network (engine/learn/policy/network.h), narrower, since a graph has
 * a few hundred rows here. Segments are short, so that even a small graph has several and each
 * remembers the one before. From the embedding y of a row follow by products what
 * the decoder needs of it.
 *
 * Parts can be left out one by one, so that each one's worth can be measured.
 *
 * Decision G10 (engine/NOTES.md).
 */

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

/* Numbers of the encoder's tensors. H: GOBAN_SCORER_HIDDEN, M: GOBAN_DECODER_MEMORY, W: width of
 * the embedding. */
typedef struct
{
  GobanDecoderParts parts;
  guint vectors[GOBAN_N_ROW_VECTORS]; /* (width,W) each */
  guint attended;                     /* (H,H) with devices */
  guint gates;                        /* (H,2 M) with actions */
  guint gates_bias;                   /* (1,2 M) */
  guint memory;                       /* (M,H) */
  GobanNet net;                       /* the layers; its parameters are the builder network's */
} GobanRowEncoder;

/* 0 if the parts have no such vector. */
guint goban_row_encoder_get_width (const GobanRowEncoder *self, GobanRowVector vector);

#define GOBAN_DECODER_HEADS 2

/* Weights, or their gradients: borrowed arrays, %NULL for parts that are left out. */
typedef struct
{
  GobanScorer scorer;
  float *attended;   /* Wo (H,H) */
  float *gates;      /* Wg (H,2 M) */
  float *gates_bias; /* bg (2 M) */
  float *memory;     /* Wm (M,H) */
} GobanDecoder;

/* The vectors of a row, borrowed; of a network without parts only the scorer's own b1. */
typedef struct
{
  const float *vectors[GOBAN_N_ROW_VECTORS];
  float share; /* s_r */
} GobanDecoderRow;

/* What the decisions so far have left, and the last one's attention. One thread at a time. */
typedef struct
{
  guint n_devices;
  GPtrArray *arrays; /* all below */
  float *placed;     /* (D,H) sums of s_q p_q */
  float *tokens;     /* (D,H) t_d of the last decision */
  float *active;     /* (D,H) g (t_d) */
  float *attention;  /* (GOBAN_DECODER_HEADS,D) likewise */
  guint *ascending;  /* (D) */
  float memory[GOBAN_DECODER_MEMORY];
} GobanDecoderState;

void goban_decoder_state_init (GobanDecoderState *self, guint n_devices);
void goban_decoder_state_clear (GobanDecoderState *self);
/* No row is placed. */
void goban_decoder_state_reset (GobanDecoderState *self);

/* scores (D)  x (D,F)  c (C) */
void goban_decoder_score (const GobanDecoder *self, GobanDecoderState *state,
                          const GobanDecoderRow *row, const float *x, const float *c,
                          float *scores);
/* Puts the row that was scored last on a device. */
void goban_decoder_take (const GobanDecoder *self, GobanDecoderState *state,
                         const GobanDecoderRow *row, guint32 device);

/* Decisions of several plans of the same rows, n in all. */
typedef struct
{
  guint n_plans;
  const guint *ends; /* (n_plans) number of decisions up to the end of each plan */
  int n_devices;
  const float *x;         /* (n,D,F) */
  const float *c;         /* (n,C) */
  const guint32 *rows;    /* (n) */
  const guint32 *actions; /* (n) */
  const float *dscores;   /* (n,D) for backward */

  /* (R,width), %NULL for what the network lacks; without parts, hidden is that of all rows: (H). */
  const float *vectors[GOBAN_N_ROW_VECTORS];
  float *dvectors[GOBAN_N_ROW_VECTORS]; /* for backward, to add to */
  const float *shares;                  /* (R); %NULL without parts */
} GobanDecoderBatch;

/* scores (n,D), all decisions in one product for each matrix: goban_decoder_score() but for
 * rounding. */
void goban_decoder_score_all (const GobanDecoder *self, const GobanDecoderBatch *batch,
                              float *scores);
/* Adds to the gradients. */
void goban_decoder_backward (const GobanDecoder *self, GobanDecoder *gradients,
                             const GobanDecoderBatch *batch);
