/* row-encoding.h: embeddings of all rows of a graph by one network, there and back.
 *
 * Made once for all plans that are built with the same parameters. Decisions add to the gradients
 * by row; one backward pass then takes their sums back to the parameters.
 */
#pragma once

#include "engine/learn/policy/builder-net.h"
#include "engine/learn/policy/decoder.h"
#include "engine/learn/policy/rows.h"

typedef struct _GobanRowEncoding GobanRowEncoding;

/* Computes the embeddings. The rows and the network must outlive it. (transfer full) (nullable):
 * %NULL if the network has no encoder */
GobanRowEncoding *goban_row_encoding_new (const GobanBuilderNet *net,
                                          const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_row_encoding_free (GobanRowEncoding *self);
/* Computes them again by a network of the same parts, which takes the place of the first. */
void goban_row_encoding_embed (GobanRowEncoding *self, const GobanBuilderNet *net);

/* The vectors of all rows, (R,width), and the sums of their gradients, borrowed: %NULL if the
 * network has no such vector. GOBAN_ROW_HIDDEN includes the scorer's b1. */
const float *goban_row_encoding_get_vectors (const GobanRowEncoding *self, GobanRowVector vector);
float *goban_row_encoding_get_gradients (GobanRowEncoding *self, GobanRowVector vector);
/* (R) of each row in the ideal load of a device. */
const float *goban_row_encoding_get_shares (const GobanRowEncoding *self);
GobanDecoderRow goban_row_encoding_get_row (const GobanRowEncoding *self, guint row);

/* The other rows that get most of a row's attention, the most first, at most @n; writes their
 * numbers and shares. Returns how many: 0 without attention. */
guint goban_row_encoding_find_attended (GobanRowEncoding *self, guint row, guint n, guint32 *rows,
                                        float *shares);

/* Adds the gradients of b1 and of all of the encoder to those of the network, which must not have
 * changed since, and zeroes the sums by row. */
void goban_row_encoding_backward (GobanRowEncoding *self, GobanBuilderNet *net);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRowEncoding, goban_row_encoding_free)
