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
#include <string.h>

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

/* --- steps, which the decoder of plans (engine/learn/policy/decoder.h) makes as well ----------
 *
 * Inlined, or there would be one copy, for the narrowest vectors. */

#define GOBAN_SCORER_LEAK 0.1f

static inline float
goban_scorer_leaky (float z)
{
  return z > 0 ? z : GOBAN_SCORER_LEAK * z;
}

static inline float
goban_scorer_slope (float z)
{
  return z > 0 ? 1 : GOBAN_SCORER_LEAK;
}

/* sums (width) += x W,   x (n)  W (n,width) */
G_ALWAYS_INLINE static inline void
goban_scorer_add_product (float *sums, const float *x, const float *weights, int n, int width)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++)
      sums[j] += x[i] * weights[(gsize) i * width + j];
}

/* The second layer's sums before g, from those of the first one. active (H): g of these. */
G_ALWAYS_INLINE static inline void
goban_scorer_run_second (const GobanScorer *self, const float *first, float *active, float *second)
{
  for (int j = 0; j < GOBAN_SCORER_HIDDEN; j++)
    active[j] = goban_scorer_leaky (first[j]);
  memcpy (second, self->second_bias, GOBAN_SCORER_SECOND * sizeof *second);
  goban_scorer_add_product (second, active, self->second, GOBAN_SCORER_HIDDEN, GOBAN_SCORER_SECOND);
}

/* The score, from the second layer's sums and the features (F). */
G_ALWAYS_INLINE static inline float
goban_scorer_sum (const GobanScorer *self, const float *second, const float *x)
{
  float sum = 0;

  for (int k = 0; k < GOBAN_SCORER_SECOND; k++)
    sum += goban_scorer_leaky (second[k]) * self->out[k];
  for (int i = 0; i < self->n_features; i++)
    sum += x[i] * self->linear[i];
  return sum;
}
