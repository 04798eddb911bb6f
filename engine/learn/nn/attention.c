#include "engine/learn/nn/attention.h"

#include "engine/learn/nn/gemm.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/nn/vector.h"

#include <string.h>

/* As many sums side by side as a vector is wide; they are added in a fixed order. */
#define LANES 8

GOBAN_VECTOR static float
score (const float *restrict k, const float *restrict q, const float *restrict v, int D)
{
  double sums[LANES] = { 0 };
  double total = 0;
  int d = 0;

  for (; d + LANES <= D; d += LANES)
    for (int lane = 0; lane < LANES; lane++)
      sums[lane] += (double) (v[d + lane] * goban_tanh (k[d + lane] + q[d + lane]));
  for (; d < D; d++)
    total += (double) (v[d] * goban_tanh (k[d] + q[d]));
  for (int lane = 0; lane < LANES; lane++)
    total += sums[lane];
  return (float) total;
}

void
goban_attention_forward (float *y, float *a, const float *k, const float *q, const float *v, int B,
                         int S, int D)
{
  for (int b = 0; b < B; b++)
    for (int s = 0; s < S; s++)
      a[(gsize) b * S + s] = score (k + (gsize) s * D, q + (gsize) b * D, v, D);
  goban_softmax_forward (a, a, B, S);
  memset (y, 0, (gsize) B * D * sizeof *y);
  goban_gemm_nn (y, a, k, B, D, S);
}

/* du is the gradient of one score. */
GOBAN_VECTOR static void
score_backward (float *restrict dk, float *restrict dq, float *restrict dv, float du,
                const float *restrict k, const float *restrict q, const float *restrict v, int D)
{
  /* forward was u = v . tanh (k + q) */
  for (int d = 0; d < D; d++)
    {
      float t = goban_tanh (k[d] + q[d]);
      float dsum = du * v[d] * (1.0f - t * t);

      dv[d] += du * t;
      dk[d] += dsum;
      dq[d] += dsum;
    }
}

void
goban_attention_backward (float *dk, float *dq, float *dv, float *da, const float *dy,
                          const float *a, const float *k, const float *q, const float *v, int B,
                          int S, int D)
{
  /* forward was y = a k with a = softmax (u), so da = dy k^T, and dk gets a^T dy besides what comes
   * through the scores */
  memset (da, 0, (gsize) B * S * sizeof *da);
  goban_gemm_nt (da, dy, k, B, S, D);
  goban_gemm_tn (dk, a, dy, S, D, B);

  for (int b = 0; b < B; b++)
    {
      const float *p = a + (gsize) b * S;
      float *dp = da + (gsize) b * S;
      double mean = 0;

      for (int s = 0; s < S; s++)
        mean += (double) p[s] * (double) dp[s];
      for (int s = 0; s < S; s++)
        score_backward (dk + (gsize) s * D, dq + (gsize) b * D, dv, p[s] * (dp[s] - (float) mean),
                        k + (gsize) s * D, q + (gsize) b * D, v, D);
    }
}
