/* row-encoding.h: embeddings of all rows of a graph by one network, there and back.
 *
 * Made once for all plans that are built with the same parameters. Decisions add to the gradients
 * by row; one backward pass then takes their sums back to the parameters.
 */
#pragma once

#include "engine/learn/policy/builder-net.h"
#include "engine/learn/policy/decoder.h"
#include "engine/learn/policy/pass.h"
#include "engine/learn/policy/rows.h"

/* Arrays of the encoder have the rows in the order of decisions, those for decisions by number. */
typedef struct
{
  const GobanRowEncoder *encoder;
  guint R;
  GPtrArray *arrays; /* all but what is made on demand */
  guint32 *row_at;   /* (R) the row at each place in the order */
  guint32 *at;       /* (R) its inverse */
  float *x;          /* (R, GOBAN_ENCODED_N) */
  GobanNeighbours neighbours[2];
  GobanPass *pass;
  const float *top;                     /* (R,W) of the pass */
  float *y;                             /* (R,W) the embeddings: top, or modulated */
  float *ordered;                       /* (R, GOBAN_ROW_VECTOR_MOST) in the order of decisions */
  float *vectors[GOBAN_N_ROW_VECTORS];  /* (R,width) */
  float *dvectors[GOBAN_N_ROW_VECTORS]; /* (R,width) */
  float *shares;                        /* (R) */
  guint32 *attended;                    /* (R, GOBAN_N_ATTENDED), made on demand */
  float *attended_shares;               /* likewise */
} GobanRowEncoding;

/* Computes the embeddings. The rows and the network must outlive it. (transfer full) (nullable):
 * %NULL if the network has no encoder */
GobanRowEncoding *goban_row_encoding_new (const GobanBuilderNet *net,
                                          const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_row_encoding_free (GobanRowEncoding *self);
/* Computes them again by a network of the same parts, which takes the place of the first. */
void goban_row_encoding_embed (GobanRowEncoding *self, const GobanBuilderNet *net);

/* The other rows that get most of a row's attention, the most first, at most @n; writes their
 * numbers and shares. Returns how many: 0 without attention. */
guint goban_row_encoding_find_attended (GobanRowEncoding *self, guint row, guint n, guint32 *rows,
                                        float *shares);

/* Adds the gradients of b1 and of all of the encoder to those of the network, which must not have
 * changed since, and zeroes the sums by row. */
void goban_row_encoding_backward (GobanRowEncoding *self, GobanBuilderNet *net);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRowEncoding, goban_row_encoding_free)
