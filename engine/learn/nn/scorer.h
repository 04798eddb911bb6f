/* scorer.h: scores of alternatives in a common context: a small network beside a linear rule.
 *
 *   score_n = u x_n + w3 g (b2 + g (b1 + c Wc + x_n Wx) W2),   g (z) = z if z > 0, else z / 10
 *
 * N alternatives, F features of each, C numbers of the context, H and K hidden units. The linear
 * part is what the scores begin with: a known good rule. Sums run in the order of the inputs, so
 * that scores have the same bits on every processor; at these sizes a library for matrices is no
 * faster.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GOBAN_SCORER_HIDDEN 32 /* H */
#define GOBAN_SCORER_SECOND 16 /* K */

/* Weights, or their gradients: borrowed arrays. */
typedef struct
{
  int n_features;     /* F */
  int n_context;      /* C */
  float *features;    /* Wx (F,H) */
  float *context;     /* Wc (C,H) */
  float *hidden;      /* b1 (H) */
  float *second;      /* W2 (H,K) */
  float *second_bias; /* b2 (K) */
  float *out;         /* w3 (K) */
  float *linear;      /* u (F) */
} GobanScorer;

/* scores (N)  x (N,F)  c (C) */
void goban_scorer_forward (const GobanScorer *self, float *scores, const float *x, const float *c,
                           int N);

/* Adds to the gradients of the weights.   dscores (N)  x (N,F)  c (C) */
void goban_scorer_backward (const GobanScorer *self, GobanScorer *gradients, const float *dscores,
                            const float *x, const float *c, int N);

G_END_DECLS
