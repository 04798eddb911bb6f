#include "engine/learn/nn/standardize.h"

#include "engine/learn/nn/vector.h"

#include <math.h>

#define EPSILON 1e-6

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
        inverse[first + a] = (float) (1 / sqrt (squares[a] + EPSILON));
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
