#include "engine/nn/least-squares.h"

struct _GobanLeastSquares
{
  guint n;         /* features and the constant */
  double *weights; /* (n) */
  double *inverse; /* P (n,n) */
  double *row;     /* (n) P [x, 1] of the example that is added */
};

GobanLeastSquares *
goban_least_squares_new (guint n_features, double variance)
{
  GobanLeastSquares *self = g_new0 (GobanLeastSquares, 1);

  self->n = n_features + 1;
  self->weights = g_new0 (double, self->n);
  self->row = g_new0 (double, self->n);
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

const double *
goban_least_squares_get_weights (const GobanLeastSquares *self)
{
  return self->weights;
}
