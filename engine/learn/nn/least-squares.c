#include "engine/learn/nn/least-squares.h"

#include <math.h>

struct _GobanLeastSquares
{
  guint n;         /* features and the constant */
  double *weights; /* (n) */
  double *inverse; /* P (n,n) */
  double *factor;  /* (n,n) lower triangle: P = factor factor^T */
  double *row;     /* (n) P [x, 1] of the example that is added */
};

GobanLeastSquares *
goban_least_squares_new (guint n_features, double variance)
{
  GobanLeastSquares *self = g_new0 (GobanLeastSquares, 1);

  self->n = n_features + 1;
  self->weights = g_new0 (double, self->n);
  self->row = g_new0 (double, self->n);
  self->factor = g_new0 (double, (gsize) self->n * self->n);
  self->inverse = g_new0 (double, (gsize) self->n * self->n);
  for (guint i = 0; i < self->n; i++)
    self->inverse[(gsize) i * self->n + i] = variance;
  return self;
}

void
goban_least_squares_free (GobanLeastSquares *self)
{
  g_free (self->weights);
  g_free (self->inverse);
  g_free (self->factor);
  g_free (self->row);
  g_free (self);
}

/* a (n) times [x, 1] */
static double
multiply (const double *a, const float *x, guint n)
{
  double sum = a[n - 1];

  for (guint i = 0; i + 1 < n; i++)
    sum += a[i] * (double) x[i];
  return sum;
}

double
goban_least_squares_predict (const GobanLeastSquares *self, const float *x)
{
  return multiply (self->weights, x, self->n);
}

void
goban_least_squares_add (GobanLeastSquares *self, const float *x, double y)
{
  guint n = self->n;
  double error = y - goban_least_squares_predict (self, x);
  double scale;

  for (guint i = 0; i < n; i++)
    self->row[i] = multiply (self->inverse + (gsize) i * n, x, n);
  scale = 1 / (1 + multiply (self->row, x, n));
  for (guint i = 0; i < n; i++)
    self->weights[i] += self->row[i] * scale * error;
  /* Symmetric to the bit: the factors of row i are those of column i. */
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      self->inverse[(gsize) i * n + j] -= self->row[i] * self->row[j] * scale;
}

double
goban_least_squares_apply (const double *weights, const float *x, guint n_features)
{
  return multiply (weights, x, n_features + 1);
}

/* Cholesky. Rounding can make a pivot 0 or less: nothing is uncertain there. */
static void
factorize (GobanLeastSquares *self)
{
  gsize n = self->n;

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++)
      {
        double *factor = self->factor + i * n + j;
        double sum = self->inverse[i * n + j];

        for (gsize k = 0; k < j; k++)
          sum -= self->factor[i * n + k] * self->factor[j * n + k];
        if (i == j)
          *factor = sqrt (MAX (sum, 0));
        else
          *factor = self->factor[j * n + j] > 0 ? sum / self->factor[j * n + j] : 0;
      }
}

/* Near enough to normal, and without functions whose last bits depend on the library. */
static double
draw_normal (GobanRng *rng)
{
  double sum = -6;

  for (guint i = 0; i < 12; i++)
    sum += goban_rng_uniform (rng);
  return sum;
}

void
goban_least_squares_draw (GobanLeastSquares *self, double noise, GobanRng *rng, double *weights)
{
  gsize n = self->n;

  factorize (self);
  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      self->row[i] = draw_normal (rng);
      for (gsize k = 0; k <= i; k++)
        sum += self->factor[i * n + k] * self->row[k];
      weights[i] = self->weights[i] + noise * sum;
    }
}

const double *
goban_least_squares_get_weights (const GobanLeastSquares *self)
{
  return self->weights;
}
