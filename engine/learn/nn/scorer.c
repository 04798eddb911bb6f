#include "engine/learn/nn/scorer.h"

#include "engine/learn/nn/vector.h"

#define H GOBAN_SCORER_HIDDEN
#define K GOBAN_SCORER_SECOND

/* What all alternatives share: b1 + c Wc. */
static inline void
start_hidden (const GobanScorer *self, float *common, const float *c)
{
  memcpy (common, self->hidden, H * sizeof *common);
  goban_scorer_add_product (common, c, self->context, self->n_context, H);
}

/* Sums before g of both layers, and the first one's output. */
static inline void
run_layers (const GobanScorer *self, const float *common, const float *x, float *first,
            float *active, float *second)
{
  memcpy (first, common, H * sizeof *first);
  goban_scorer_add_product (first, x, self->features, self->n_features, H);
  goban_scorer_run_second (self, first, active, second);
}

GOBAN_VECTOR void
goban_scorer_forward (const GobanScorer *self, float *scores, const float *x, const float *c, int N)
{
  float common[H], first[H], active[H], second[K];

  start_hidden (self, common, c);
  for (int n = 0; n < N; n++)
    {
      const float *features = x + (gsize) n * self->n_features;

      run_layers (self, common, features, first, active, second);
      scores[n] = goban_scorer_sum (self, second, features);
    }
}

/* gradients (n,width) += x^T dy */
static inline void
add_outer (float *gradients, const float *x, const float *dy, int n, int width)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < width; j++)
      gradients[(gsize) i * width + j] += x[i] * dy[j];
}

/* One alternative: dfirst (H) is what comes back to the first layer's sums. Inlined, or there would
 * be one copy, for the narrowest vectors. */
G_ALWAYS_INLINE static inline void
go_back (const GobanScorer *self, GobanScorer *gradients, float dscore, const float *x,
         const float *common, float *dfirst)
{
  float first[H], active[H], second[K], dsecond[K];

  run_layers (self, common, x, first, active, second);
  for (int k = 0; k < K; k++)
    {
      gradients->out[k] += dscore * goban_scorer_leaky (second[k]);
      dsecond[k] = dscore * self->out[k] * goban_scorer_slope (second[k]);
      gradients->second_bias[k] += dsecond[k];
    }
  for (int i = 0; i < self->n_features; i++)
    gradients->linear[i] += dscore * x[i];
  add_outer (gradients->second, active, dsecond, H, K);
  for (int j = 0; j < H; j++)
    {
      float sum = 0;

      for (int k = 0; k < K; k++)
        sum += dsecond[k] * self->second[(gsize) j * K + k];
      dfirst[j] = sum * goban_scorer_slope (first[j]);
    }
  add_outer (gradients->features, x, dfirst, self->n_features, H);
}

GOBAN_VECTOR void
goban_scorer_backward (const GobanScorer *self, GobanScorer *gradients, const float *dscores,
                       const float *x, const float *c, int N)
{
  float common[H], dfirst[H], dcommon[H] = { 0 };

  start_hidden (self, common, c);
  for (int n = 0; n < N; n++)
    {
      if (dscores[n] == 0)
        continue;
      go_back (self, gradients, dscores[n], x + (gsize) n * self->n_features, common, dfirst);
      for (int j = 0; j < H; j++)
        dcommon[j] += dfirst[j];
    }
  for (int j = 0; j < H; j++)
    gradients->hidden[j] += dcommon[j];
  add_outer (gradients->context, c, dcommon, self->n_context, H);
}
