/* scorer-private.h: steps of the scorer, which the decoder of plans (engine/learn/policy/decoder.h)
 * makes as well. Inlined, or there would be one copy, for the narrowest vectors. */
#pragma once

#include "engine/learn/nn/scorer.h"

#include <string.h>

G_BEGIN_DECLS

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

G_END_DECLS
