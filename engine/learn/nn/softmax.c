#include "engine/learn/nn/softmax.h"

#include "engine/learn/nn/vector.h"

#include <math.h>
#include <string.h>

/* As many partial sums side by side as a vector of doubles is wide, put together in a fixed
 * order. */
#define LANES 8
/* Lanes of maxima, whose order does not matter: two vectors of floats, so that none waits for the
 * one before. */
#define WIDE 32
/* Rows that go through the steps of softmax together: what one row's step waits for, another's
 * fills. */
#define ROWS 4

static inline float
find_maximum (const float *z, int A)
{
  float lanes[WIDE];
  float maximum = z[0];
  int a = 0;

  if (A >= WIDE)
    {
      memcpy (lanes, z, sizeof lanes);
      for (a = WIDE; a + WIDE <= A; a += WIDE)
        for (int lane = 0; lane < WIDE; lane++)
          lanes[lane] = z[a + lane] > lanes[lane] ? z[a + lane] : lanes[lane];
      for (int n = WIDE / 2; n > 0; n /= 2)
        for (int lane = 0; lane < n; lane++)
          lanes[lane] = lanes[lane + n] > lanes[lane] ? lanes[lane + n] : lanes[lane];
      maximum = lanes[0];
    }
  for (; a < A; a++)
    maximum = z[a] > maximum ? z[a] : maximum;
  return maximum;
}

static inline double
sum (const float *values, int n)
{
  double lanes[LANES] = { 0 };
  double total = 0;
  int i = 0;

  for (; i + LANES <= n; i += LANES)
    for (int lane = 0; lane < LANES; lane++)
      lanes[lane] += (double) values[i + lane];
  for (; i < n; i++)
    total += (double) values[i];
  for (int lane = 0; lane < LANES; lane++)
    total += lanes[lane];
  return total;
}

static double
dot (const float *a, const float *b, int n)
{
  double total = 0;

  for (int i = 0; i < n; i++)
    total += (double) a[i] * (double) b[i];
  return total;
}

/* to = e^(from - maximum); to may be from. Compilers are told that elements do not meet otherwise,
 * or they would take one at a time if both are the same. */
static inline void
exp_row (float *to, const float *from, float maximum, int A)
{
#pragma GCC ivdep
  for (int a = 0; a < A; a++)
    to[a] = goban_exp_below (from[a] - maximum);
}

static inline void
scale_row (float *p, float scale, int A)
{
  for (int a = 0; a < A; a++)
    p[a] *= scale;
}

void
goban_mask_logits (float *z, const guint8 *allowed, int N, int A)
{
  for (gsize i = 0; i < (gsize) N * A; i++)
    if (!allowed[i])
      z[i] = -INFINITY;
}

GOBAN_VECTOR void
goban_softmax_forward (float *p, const float *z, int N, int A)
{
  for (int first = 0; first < N; first += ROWS)
    {
      int n_rows = MIN (ROWS, N - first);
      const float *from = z + (gsize) first * A;
      float *to = p + (gsize) first * A;
      float maxima[ROWS], scales[ROWS];

      for (int n = 0; n < n_rows; n++)
        maxima[n] = find_maximum (from + (gsize) n * A, A);
      for (int n = 0; n < n_rows; n++)
        exp_row (to + (gsize) n * A, from + (gsize) n * A, maxima[n], A);
      for (int n = 0; n < n_rows; n++)
        scales[n] = (float) (1 / sum (to + (gsize) n * A, A));
      for (int n = 0; n < n_rows; n++)
        scale_row (to + (gsize) n * A, scales[n], A);
    }
}

GOBAN_VECTOR void
goban_softmax_backward (float *dz, const float *dp, const float *p, int N, int A)
{
  /* forward was p = softmax (z), so dz_i = p_i (dp_i - sum_j p_j dp_j) */
  for (int n = 0; n < N; n++)
    {
      gsize row = (gsize) n * A;
      float mean = (float) dot (p + row, dp + row, A);

      for (int a = 0; a < A; a++)
        dz[row + a] += p[row + a] * (dp[row + a] - mean);
    }
}

GOBAN_VECTOR void
goban_log_softmax_forward (float *l, const float *z, int N, int A)
{
  for (int n = 0; n < N; n++)
    {
      const float *from = z + (gsize) n * A;
      float *to = l + (gsize) n * A;
      float maximum = find_maximum (from, A);
      double total = 0;
      float shift;

      for (int a = 0; a < A; a++)
        total += (double) goban_exp (from[a] - maximum);
      shift = maximum + (float) log (total);
      for (int a = 0; a < A; a++)
        to[a] = from[a] - shift;
    }
}

int
goban_categorical_sample (const float *p, int A, GobanRng *rng)
{
  double left = goban_rng_uniform (rng) * sum (p, A);
  int last = 0;

  for (int a = 0; a < A; a++)
    {
      if (p[a] <= 0)
        continue;
      left -= (double) p[a];
      if (left < 0)
        return a;
      /* What rounding leaves over goes to the last that is possible. */
      last = a;
    }
  return last;
}

int
goban_categorical_best (const float *p, int A)
{
  int best = 0;

  for (int a = 1; a < A; a++)
    if (p[a] > p[best])
      best = a;
  return best;
}

void
goban_entropy_forward (float *h, const float *p, int N, int A)
{
  for (int n = 0; n < N; n++)
    {
      double total = 0;

      for (int a = 0; a < A; a++)
        {
          double value = (double) p[(gsize) n * A + a];

          total -= value > 0 ? value * log (value) : 0;
        }
      h[n] = (float) total;
    }
}

void
goban_entropy_backward (float *dz, const float *dh, const float *p, int N, int A)
{
  /* forward was h = - sum_i p_i log p_i with p = softmax (z), so dz_i = -p_i (log p_i + h) */
  for (int n = 0; n < N; n++)
    {
      gsize row = (gsize) n * A;
      float h;

      goban_entropy_forward (&h, p + row, 1, A);
      for (int a = 0; a < A; a++)
        if (p[row + a] > 0)
          dz[row + a] -= dh[n] * p[row + a] * (logf (p[row + a]) + h);
    }
}

GOBAN_VECTOR void
goban_log_prob_backward (float *dz, const float *weights, const guint32 *actions, const float *p,
                         int N, int A)
{
  /* log p_a = z_a - log sum_j e^z_j, so dz_i = [i = a] - p_i */
  for (int n = 0; n < N; n++)
    {
      gsize row = (gsize) n * A;

      for (int a = 0; a < A; a++)
        dz[row + a] -= goban_flush (weights[n] * p[row + a]);
      dz[row + actions[n]] += weights[n];
    }
}

float
goban_normal_sample (GobanRng *rng)
{
  /* Box and Muller, 1958; 1 - uniform is never 0 */
  double radius = sqrt (-2 * log (1 - goban_rng_uniform (rng)));

  return (float) (radius * cos (2 * G_PI * goban_rng_uniform (rng)));
}
