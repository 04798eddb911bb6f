#include "engine/nn/layernorm.h"

#include <math.h>

#define EPSILON 1e-5

void
goban_layernorm_forward (float *y, float *mean, float *inverse, const float *x, const float *gamma,
                         const float *beta, int N, int D)
{
  for (int n = 0; n < N; n++)
    {
      const float *from = x + (gsize) n * D;
      float *to = y + (gsize) n * D;
      double total = 0, squares = 0, middle;

      for (int d = 0; d < D; d++)
        total += (double) from[d];
      middle = total / D;
      for (int d = 0; d < D; d++)
        squares += ((double) from[d] - middle) * ((double) from[d] - middle);

      mean[n] = (float) middle;
      inverse[n] = (float) (1 / sqrt (squares / D + EPSILON));
      for (int d = 0; d < D; d++)
        to[d] = (from[d] - mean[n]) * inverse[n] * gamma[d] + beta[d];
    }
}

void
goban_layernorm_backward (float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                          const float *mean, const float *inverse, const float *gamma, int N, int D)
{
  /* forward was y = u gamma + beta with u = (x - mean) inverse. With du = dy gamma:
   * dx = inverse (du - mean of du - u times the mean of u du) */
  for (int n = 0; n < N; n++)
    {
      gsize row = (gsize) n * D;
      double sum_du = 0, sum_udu = 0;

      for (int d = 0; d < D; d++)
        {
          float u = (x[row + d] - mean[n]) * inverse[n];
          float du = dy[row + d] * gamma[d];

          sum_du += (double) du;
          sum_udu += (double) (u * du);
          if (dgamma != NULL)
            dgamma[d] += dy[row + d] * u;
          if (dbeta != NULL)
            dbeta[d] += dy[row + d];
        }

      for (int d = 0; d < D && dx != NULL; d++)
        {
          float u = (x[row + d] - mean[n]) * inverse[n];
          float du = dy[row + d] * gamma[d];

          dx[row + d] += inverse[n] * (du - (float) (sum_du / D) - u * (float) (sum_udu / D));
        }
    }
}
