/* row-encoding.h: embeddings of all rows of a graph by one network, there and back.
 *
 * Made once for all plans that are built with the same parameters. Decisions add to the gradients
 * by row; one backward pass then takes their sums back to the parameters.
 */
#pragma once

#include "engine/learn/policy/builder-net.h"
#include "engine/learn/policy/rows.h"

G_BEGIN_DECLS

typedef struct _GobanRowEncoding GobanRowEncoding;

/* Computes the embeddings. The rows and the network must outlive it. (transfer full) (nullable):
 * %NULL if the network has no encoder */
GobanRowEncoding *goban_row_encoding_new (const GobanBuilderNet *net,
                                          const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_row_encoding_free (GobanRowEncoding *self);

/* What the scorer's hidden layer begins with in a row, b1 + y We, and the sum of its gradients: (R,
 * GOBAN_SCORER_HIDDEN), borrowed. */
const float *goban_row_encoding_get_hidden (const GobanRowEncoding *self);
float *goban_row_encoding_get_gradients (GobanRowEncoding *self);

/* Adds the gradients of b1, We and all of the encoder to those of the network, which must not have
 * changed since, and zeroes the sums by row. */
void goban_row_encoding_backward (GobanRowEncoding *self, GobanBuilderNet *net);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRowEncoding, goban_row_encoding_free)

G_END_DECLS
