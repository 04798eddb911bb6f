/* linear.h: the affine layer.   N rows, I inputs, O outputs.
 *
 * Here and in every kernel: forward functions write their outputs, backward functions ADD to
 * theirs, so the caller zeroes gradients; a NULL gradient is not computed. Arrays do not overlap.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* y = x W^T + b.   y (N,O)  x (N,I)  w (O,I)  b (O) (nullable) */
void goban_linear_forward (float *y, const float *x, const float *w, const float *b, int N, int I,
                           int O);

/* The same with w turned over: w_t (I,O) = w^T. A block of w_t's columns lies as the product reads
 * it, so turn once what serves many rows. */
void goban_linear_turn (float *w_t, const float *w, int I, int O);
void goban_linear_turned_forward (float *y, const float *x, const float *w_t, const float *b, int N,
                                  int I, int O);

/* dx (N,I)  dw (O,I)  db (O)  dy (N,O) */
void goban_linear_backward (float *dx, float *dw, float *db, const float *dy, const float *x,
                            const float *w, int N, int I, int O);

/* Embedding lookup: rows of a table by index. N lookups, D width. */

/* y[n] = table[ids[n]].   y (N,D)  table (rows,D)  ids (N) */
void goban_embedding_forward (float *y, const float *table, const guint32 *ids, int N, int D);
/* dtable (rows,D) */
void goban_embedding_backward (float *dtable, const float *dy, const guint32 *ids, int N, int D);

G_END_DECLS
