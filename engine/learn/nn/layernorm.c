#include "engine/learn/nn/layernorm.h"

#include "engine/learn/nn/vector.h"

#include <math.h>

#define EPSILON 1e-5

/* As many sums side by side as a vector is wide; they are added in a fixed order. */
#define LANES 8

/* Rows that go through the steps together: what one row's step waits for, another's fills. */
#define ROWS 8

static inline double
add_lanes (const double *lanes)
{
  double total = 0;

  for (int lane = 0; lane < LANES; lane++)
    total += lanes[lane];
  return total;
}

/* The sum of (x - middle)^power, power being 1 or 2. */
static inline double
sum_powers (const float *x, double middle, int power, int D)
{
  double lanes[LANES] = { 0 };
  int d = 0;

  for (; d + LANES <= D; d += LANES)
    for (int lane = 0; lane < LANES; lane++)
      {
        double deviation = (double) x[d + lane] - middle;

        lanes[lane] += power == 2 ? deviation * deviation : deviation;
      }
  for (; d < D; d++)
    {
      double deviation = (double) x[d] - middle;

      lanes[0] += power == 2 ? deviation * deviation : deviation;
    }
  return add_lanes (lanes);
}

static inline void
scale_row (float *restrict to, const float *restrict from, float m, float scale,
           const float *restrict gamma, const float *restrict beta, int D)
{
  for (int d = 0; d < D; d++)
    to[d] = (from[d] - m) * scale * gamma[d] + beta[d];
}

GOBAN_VECTOR void
goban_layernorm_forward (float *y, float *mean, float *inverse, const float *x, const float *gamma,
                         const float *beta, int N, int D)
{
  for (int first = 0; first < N; first += ROWS)
    {
      int n_rows = MIN (ROWS, N - first);
      const float *from = x + (gsize) first * D;
      double middles[ROWS], squares[ROWS];

      for (int n = 0; n < n_rows; n++)
        middles[n] = sum_powers (from + (gsize) n * D, 0, 1, D) / D;
      for (int n = 0; n < n_rows; n++)
        squares[n] = sum_powers (from + (gsize) n * D, middles[n], 2, D);
      for (int n = 0; n < n_rows; n++)
        {
          mean[first + n] = (float) middles[n];
          inverse[first + n] = (float) (1 / sqrt (squares[n] / D + EPSILON));
        }
      for (int n = 0; n < n_rows; n++)
        scale_row (y + (gsize) (first + n) * D, from + (gsize) n * D, mean[first + n],
                   inverse[first + n], gamma, beta, D);
    }
}

typedef struct
{
  const float *dy, *x, *gamma;
  float mean, inverse;
} Row;

/* u, and its gradient */
static inline float
get_u (const Row *row, int d)
{
  return (row->x[d] - row->mean) * row->inverse;
}

static inline float
get_du (const Row *row, int d)
{
  return row->dy[d] * row->gamma[d];
}

/* The mean of du, or of u du. */
static inline float
average (const Row *row, gboolean is_by_u, int D)
{
  double lanes[LANES] = { 0 };
  int d = 0;

  for (; d + LANES <= D; d += LANES)
    for (int lane = 0; lane < LANES; lane++)
      lanes[lane] += (double) (get_du (row, d + lane) * (is_by_u ? get_u (row, d + lane) : 1.0f));
  for (; d < D; d++)
    lanes[0] += (double) (get_du (row, d) * (is_by_u ? get_u (row, d) : 1.0f));
  return (float) (add_lanes (lanes) / D);
}

GOBAN_VECTOR void
goban_layernorm_backward (float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                          const float *mean, const float *inverse, const float *gamma, int N, int D)
{
  /* forward was y = u gamma + beta with u = (x - mean) inverse. With du = dy gamma:
   * dx = inverse (du - mean of du - u times the mean of u du) */
  for (int n = 0; n < N; n++)
    {
      gsize first = (gsize) n * D;
      Row row = { dy + first, x + first, gamma, mean[n], inverse[n] };
      float *restrict to = dx != NULL ? dx + first : NULL;
      float mean_du, mean_udu;

      if (dgamma != NULL)
        for (int d = 0; d < D; d++)
          dgamma[d] += row.dy[d] * get_u (&row, d);
      if (dbeta != NULL)
        for (int d = 0; d < D; d++)
          dbeta[d] += row.dy[d];

      if (to == NULL)
        continue;
      mean_du = average (&row, FALSE, D);
      mean_udu = average (&row, TRUE, D);
      for (int d = 0; d < D; d++)
        to[d] += row.inverse * (get_du (&row, d) - mean_du - get_u (&row, d) * mean_udu);
    }
}

#define LEAST_VARIANCE 1e-6

/* Columns whose sums are held in double at once. */
#define BLOCK 32

static inline double
get_weight (const float *w, int n, int N)
{
  return w != NULL ? (double) w[n] : 1.0 / N;
}

/* Mean and squared deviation of n_columns columns from first on. */
GOBAN_VECTOR static void
measure (double *mean, double *squares, const float *x, const float *w, int N, int A, int n_columns)
{
  for (int a = 0; a < n_columns; a++)
    mean[a] = squares[a] = 0;
  for (int n = 0; n < N; n++)
    {
      double weight = get_weight (w, n, N);

      for (int a = 0; a < n_columns; a++)
        mean[a] += weight * (double) x[(gsize) n * A + a];
    }
  for (int n = 0; n < N; n++)
    {
      double weight = get_weight (w, n, N);

      for (int a = 0; a < n_columns; a++)
        {
          double deviation = (double) x[(gsize) n * A + a] - mean[a];

          squares[a] += weight * deviation * deviation;
        }
    }
}

void
goban_standardize_forward (float *y, float *inverse, const float *x, const float *w, int N, int A)
{
  for (int first = 0; first < A; first += BLOCK)
    {
      int n_columns = MIN (BLOCK, A - first);
      double mean[BLOCK], squares[BLOCK];

      measure (mean, squares, x + first, w, N, A, n_columns);
      for (int a = 0; a < n_columns; a++)
        inverse[first + a] = (float) (1 / sqrt (squares[a] + LEAST_VARIANCE));
      for (int n = 0; n < N; n++)
        for (int a = 0; a < n_columns; a++)
          {
            gsize i = (gsize) n * A + first + a;

            y[i] = (float) ((double) x[i] - mean[a]) * inverse[first + a];
          }
    }
}

/* Sums of dy and of dy y over the rows. */
GOBAN_VECTOR static void
measure_backward (double *sum_dy, double *sum_ydy, const float *dy, const float *y, int N, int A,
                  int n_columns)
{
  for (int a = 0; a < n_columns; a++)
    sum_dy[a] = sum_ydy[a] = 0;
  for (int n = 0; n < N; n++)
    for (int a = 0; a < n_columns; a++)
      {
        gsize i = (gsize) n * A + a;

        sum_dy[a] += (double) dy[i];
        sum_ydy[a] += (double) y[i] * (double) dy[i];
      }
}

void
goban_standardize_backward (float *dx, const float *dy, const float *y, const float *inverse,
                            const float *w, int N, int A)
{
  /* forward was y = (x - sum w x) inverse with inverse^-2 = sum w (x - mean)^2 + epsilon. A row
   * moves the mean by w, and the inverse by -inverse^2 w y, so
   * dx = inverse (dy - w (sum dy + y sum y dy)) */
  for (int first = 0; first < A; first += BLOCK)
    {
      int n_columns = MIN (BLOCK, A - first);
      double sum_dy[BLOCK], sum_ydy[BLOCK];

      measure_backward (sum_dy, sum_ydy, dy + first, y + first, N, A, n_columns);
      for (int n = 0; n < N; n++)
        {
          double weight = get_weight (w, n, N);

          for (int a = 0; a < n_columns; a++)
            {
              gsize i = (gsize) n * A + first + a;
              double shared = weight * (sum_dy[a] + (double) y[i] * sum_ydy[a]);

              dx[i] += inverse[first + a] * (float) ((double) dy[i] - shared);
            }
        }
    }
}
