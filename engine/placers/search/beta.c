#include "engine/placers/search/beta.h"

#include <math.h>

#define LAST_BELOW_ONE (1 - 0x1p-53)

/* --- one by one ---------------------------------------------------------------------- */

/* Marsaglia's polar method. */
static double
draw_normal (GobanRng *rng)
{
  double u;
  double s;

  do
    {
      double v = 2 * goban_rng_uniform (rng) - 1;

      u = 2 * goban_rng_uniform (rng) - 1;
      s = u * u + v * v;
    }
  while (s >= 1 || s == 0);
  return u * sqrt (-2 * log (s) / s);
}

/* Marsaglia and Tsang, A Simple Method for Generating Gamma Variables, 2000. Of a shape below 1 the
 * logarithm, since the number itself may underflow to 0. */
static double
draw_log_gamma (GobanRng *rng, double shape)
{
  double boost = 0;
  double d;
  double c;

  if (shape < 1)
    {
      boost = log (1 - goban_rng_uniform (rng)) / shape;
      shape += 1;
    }
  d = shape - 1.0 / 3;
  c = 1 / sqrt (9 * d);
  for (;;)
    {
      double x = draw_normal (rng);
      double t = 1 + c * x;
      double v = t * t * t;
      double u;

      if (t <= 0)
        continue;
      u = 1 - goban_rng_uniform (rng);
      /* Their squeeze spares most of the logarithms. */
      if (u < 1 - 0.0331 * x * x * x * x || log (u) < 0.5 * x * x + d - d * v + d * log (v))
        return log (d * v) + boost;
    }
}

double
goban_beta_draw (GobanRng *rng, GobanBeta beta)
{
  double x;
  double y;

  if (beta.alpha == 1 && beta.beta == 1)
    return goban_rng_uniform (rng);
  x = draw_log_gamma (rng, (double) beta.alpha);
  y = draw_log_gamma (rng, (double) beta.beta);
  return MIN (1 / (1 + exp (y - x)), LAST_BELOW_ONE);
}

/* --- a table --------------------------------------------------------------------------- */

#define CELL (1.0 / GOBAN_BETA_CELLS)
/* So many cells at each end go by a series: there the density may be steep beyond measure. */
#define N_END_CELLS 64
#define LEAST_SHAPE (1.0 / 128)
#define LARGEST_SHAPE 512.0
#define SCALE 0x1p48

/* Density times a constant: 1 at the mean. */
typedef struct
{
  double alpha;
  double beta;
  double log_at_mean;
} Density;

static double
density_at (const Density *self, double x)
{
  return exp ((self->alpha - 1) * log (x) + (self->beta - 1) * log1p (-x) - self->log_at_mean);
}

/* The integral from 0 to x, for small x: x^a sum_k (1 - b)_k x^k / (k! (a + k)). */
static double
integral_to (const Density *self, double x)
{
  double sum = 0;
  double term = 1;

  if (x == 0)
    return 0;
  for (guint k = 0; fabs (term) > 1e-18 && k < 200; k++)
    {
      sum += term / (self->alpha + k);
      term *= (k + 1 - self->beta) * x / (k + 1);
    }
  return exp (self->alpha * log (x) - self->log_at_mean) * sum;
}

/* chances (GOBAN_BETA_CELLS) of the cells in their order, or from the last to the first. */
static void
fill_end (const Density *self, double *chances, gboolean is_mirrored)
{
  double before = 0;

  for (guint i = 0; i < N_END_CELLS; i++)
    {
      double up_to = integral_to (self, (i + 1) * CELL);

      chances[is_mirrored ? GOBAN_BETA_CELLS - 1 - i : i] = MAX (up_to - before, 0);
      before = up_to;
    }
}

/* chances (GOBAN_BETA_CELLS): mean 1. */
static void
fill_chances (GobanBeta beta, double *chances)
{
  double a = (double) beta.alpha;
  double b = (double) beta.beta;
  double log_at_mean = (a - 1) * log (a / (a + b)) + (b - 1) * log (b / (a + b));
  Density density = { a, b, log_at_mean };
  Density mirrored = { b, a, log_at_mean };
  double sum = 0;
  double left;

  fill_end (&density, chances, FALSE);
  fill_end (&mirrored, chances, TRUE);
  left = density_at (&density, N_END_CELLS * CELL);
  for (guint i = N_END_CELLS; i < GOBAN_BETA_CELLS - N_END_CELLS; i++)
    {
      double right = density_at (&density, (i + 1) * CELL);

      /* Simpson's rule. */
      chances[i] = CELL / 6 * (left + 4 * density_at (&density, (i + 0.5) * CELL) + right);
      left = right;
    }
  for (guint i = 0; i < GOBAN_BETA_CELLS; i++)
    sum += chances[i];
  for (guint i = 0; i < GOBAN_BETA_CELLS; i++)
    chances[i] *= GOBAN_BETA_CELLS / sum;
}

gboolean
goban_beta_can_tabulate (GobanBeta beta)
{
  double least = (double) MIN (beta.alpha, beta.beta);
  double largest = (double) MAX (beta.alpha, beta.beta);

  return least >= LEAST_SHAPE && largest <= LARGEST_SHAPE;
}

/* Vose, A Linear Algorithm for Generating Random Numbers with a Given Distribution, 1991: a cell
 * with less than its share is filled up by one with more. */
GobanBetaTable *
goban_beta_table_new (GobanBeta beta)
{
  GobanBetaTable *self = g_new (GobanBetaTable, 1);
  g_autofree double *chances = g_new (double, GOBAN_BETA_CELLS);
  g_autofree guint32 *cells = g_new (guint32, GOBAN_BETA_CELLS);
  guint n_small = 0;
  guint first_large = GOBAN_BETA_CELLS; /* the small below n_small, the large from here on */

  fill_chances (beta, chances);
  for (guint32 i = 0; i < GOBAN_BETA_CELLS; i++)
    cells[chances[i] < 1 ? n_small++ : --first_large] = i;
  while (n_small > 0 && first_large < GOBAN_BETA_CELLS)
    {
      guint32 small = cells[--n_small];
      guint32 large = cells[first_large];

      self->cells[small] = (guint64) (chances[small] * SCALE) << 16 | large;
      chances[large] -= 1 - chances[small];
      if (chances[large] < 1)
        {
          first_large++;
          cells[n_small++] = large;
        }
    }
  /* Cells left over by rounding are full. */
  while (n_small > 0)
    {
      n_small--;
      self->cells[cells[n_small]] = cells[n_small];
    }
  for (; first_large < GOBAN_BETA_CELLS; first_large++)
    self->cells[cells[first_large]] = cells[first_large];
  return self;
}
