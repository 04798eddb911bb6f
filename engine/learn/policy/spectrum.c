#include "engine/learn/policy/spectrum.h"

#include "engine/core/parallel.h"
#include "engine/core/rng.h"

#include <math.h>
#include <string.h>

#define K GOBAN_SPECTRUM_SIZE
#define N_PRODUCTS 60
#define MAX_DEGREE 10 /* of a filter */
/* largest ratio of passed to damped parts, within the precision of float */
#define MAX_GROWTH 1e3
#define PART 4096        /* rows */
#define NOISE 0.2        /* beside polynomials of about unit size */
#define INDEPENDENT 1e-9 /* a vector whose square shrinks by more depends on those before it */
#define HIGHEST_CUT 1.8  /* of the eigenvalues, which end at 2: a filter needs room to damp in */
#define DEAD_VALUE 4.0   /* beyond all eigenvalues */

/* Sums that parts of the rows make: products of vectors, the trivial one first. */
typedef double Sums[K + 1][K + 1];

typedef struct
{
  const GobanSegments *graph;
  int N;
  guint n_parts;
  float *scale;   /* (N) D^-1/2, 0 without neighbours */
  float *trivial; /* (N) the eigenvector of 0, unit length */
  float *x;       /* (N,K) the subspace, orthonormal between filters */
  float *y;       /* (N,K) L x, or the last power of a filter */
  float *z;       /* (N,K) the one before it */
  Sums *partial;  /* (n_parts) */
  gboolean is_dead[K];
  double values[K];

  /* Arguments of the parallel parts. */
  const float *from;
  float *to;
  double factor; /* to = factor (L - center) from - minus to */
  double center;
  double minus;
  double matrix[K + 1][K + 1];
} Solver;

static void
part_rows (const Solver *self, guint part, int *begin, int *end)
{
  *begin = (int) part * PART;
  *end = MIN (*begin + PART, self->N);
}

/* --- products ------------------------------------------------------------------------------ */

static void
multiply_part (guint part, gpointer data)
{
  const Solver *self = data;
  const GobanSegments *graph = self->graph;
  float factor = (float) self->factor, minus = (float) self->minus;
  float diagonal = (float) (1 - self->center);
  int begin, end;

  part_rows (self, part, &begin, &end);
  for (int n = begin; n < end; n++)
    {
      const float *own = &self->from[(gsize) n * K];
      float *to = &self->to[(gsize) n * K];
      float sum[K] = { 0 };

      for (guint32 i = graph->offsets[n]; i < graph->offsets[n + 1]; i++)
        {
          const float *other = &self->from[(gsize) graph->ids[i] * K];
          float scale = self->scale[graph->ids[i]];

          for (int k = 0; k < K; k++)
            sum[k] += scale * other[k];
        }
      for (int k = 0; k < K; k++)
        to[k] = factor * (diagonal * own[k] - self->scale[n] * sum[k]) - minus * to[k];
    }
}

/* to = factor (L - center) from - minus to; to is not from. */
static void
multiply (Solver *self, float *to, const float *from, double factor, double center, double minus)
{
  self->to = to;
  self->from = from;
  self->factor = factor;
  self->center = center;
  self->minus = minus;
  goban_parallel_for (self->n_parts, multiply_part, self);
}

/* --- sums of products ---------------------------------------------------------------------- */

/* Products of all pairs of the trivial vector and those of x; the lower half. */
static void
square_part (guint part, gpointer data)
{
  const Solver *self = data;
  double (*sums)[K + 1] = self->partial[part];
  int begin, end;

  memset (sums, 0, sizeof (Sums));
  part_rows (self, part, &begin, &end);
  for (int n = begin; n < end; n++)
    {
      double row[K + 1];

      row[0] = (double) self->trivial[n];
      for (int k = 0; k < K; k++)
        row[k + 1] = (double) self->x[(gsize) n * K + k];
      for (int i = 0; i <= K; i++)
        for (int j = 0; j <= i; j++)
          sums[i][j] += row[i] * row[j];
    }
}

/* x^T y, in rows and columns 1 .. K. */
static void
project_part (guint part, gpointer data)
{
  const Solver *self = data;
  double (*sums)[K + 1] = self->partial[part];
  int begin, end;

  memset (sums, 0, sizeof (Sums));
  part_rows (self, part, &begin, &end);
  for (int n = begin; n < end; n++)
    for (int i = 0; i < K; i++)
      for (int j = 0; j < K; j++)
        sums[i + 1][j + 1]
            += (double) self->x[(gsize) n * K + i] * (double) self->y[(gsize) n * K + j];
}

static void
add_parts (Solver *self, GobanPartFunc func, Sums sums)
{
  goban_parallel_for (self->n_parts, func, self);
  memset (sums, 0, sizeof (Sums));
  for (guint p = 0; p < self->n_parts; p++)
    for (int i = 0; i <= K; i++)
      for (int j = 0; j <= K; j++)
        sums[i][j] += self->partial[p][i][j];
}

/* --- QR ------------------------------------------------------------------------------------ */

/* Row by row x <- the part of x that is orthogonal to all vectors before, by the factor of
 * Cholesky in matrix. */
static void
solve_part (guint part, gpointer data)
{
  const Solver *self = data;
  int begin, end;

  part_rows (self, part, &begin, &end);
  for (int n = begin; n < end; n++)
    {
      float *x = &self->x[(gsize) n * K];
      double row[K + 1];

      row[0] = self->matrix[0][0] > 0 ? (double) self->trivial[n] / self->matrix[0][0] : 0;
      for (int j = 1; j <= K; j++)
        {
          row[j] = (double) x[j - 1];
          for (int i = 0; i < j; i++)
            row[j] -= self->matrix[j][i] * row[i];
          row[j] = self->matrix[j][j] > 0 ? row[j] / self->matrix[j][j] : 0;
          x[j - 1] = (float) row[j];
        }
    }
}

/* The lower factor of a matrix of products; 0 in the rows and columns of vectors that depend on
 * those before. */
static void
factorize (double (*lower)[K + 1], Sums sums)
{
  memset (lower, 0, sizeof (Sums));
  for (int j = 0; j <= K; j++)
    {
      double rest = sums[j][j];

      for (int i = 0; i < j; i++)
        {
          double product = sums[j][i];

          for (int m = 0; m < i; m++)
            product -= lower[j][m] * lower[i][m];
          lower[j][i] = lower[i][i] > 0 ? product / lower[i][i] : 0;
          rest -= lower[j][i] * lower[j][i];
        }
      lower[j][j] = rest > INDEPENDENT * sums[j][j] ? sqrt (rest) : 0;
    }
}

/* A second pass removes the rounding errors of the first. */
static void
orthonormalize (Solver *self, int n_passes)
{
  for (int pass = 0; pass < n_passes; pass++)
    {
      Sums sums;

      add_parts (self, square_part, sums);
      factorize (self->matrix, sums);
      goban_parallel_for (self->n_parts, solve_part, self);
    }
  for (int k = 0; k < K; k++)
    self->is_dead[k] = self->matrix[k + 1][k + 1] == 0;
}

/* --- Rayleigh and Ritz --------------------------------------------------------------------- */

/* Rotates rows and columns p and q of the symmetric a so that a[p][q] is 0; v accumulates the
 * rotations. */
static void
rotate (double a[K][K], double v[K][K], int p, int q)
{
  double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (theta < 0 ? -1 : 1) / (fabs (theta) + sqrt (theta * theta + 1));
  double c = 1 / sqrt (t * t + 1), s = t * c;

  for (int k = 0; k < K; k++)
    {
      double x = a[k][p], y = a[k][q];

      a[k][p] = c * x - s * y;
      a[k][q] = s * x + c * y;
    }
  for (int k = 0; k < K; k++)
    {
      double x = a[p][k], y = a[q][k];

      a[p][k] = c * x - s * y;
      a[q][k] = s * x + c * y;
      x = v[k][p];
      y = v[k][q];
      v[k][p] = c * x - s * y;
      v[k][q] = s * x + c * y;
    }
}

/* Jacobi's method. v: eigenvectors in columns; values: on the diagonal of a. */
static void
diagonalize (double a[K][K], double v[K][K])
{
  for (int i = 0; i < K; i++)
    for (int j = 0; j < K; j++)
      v[i][j] = i == j;
  for (int sweep = 0; sweep < 20; sweep++)
    for (int p = 0; p < K; p++)
      for (int q = p + 1; q < K; q++)
        if (fabs (a[p][q]) > 1e-14)
          rotate (a, v, p, q);
}

/* x <- x matrix, y <- y matrix. */
static void
turn_part (guint part, gpointer data)
{
  const Solver *self = data;
  float *const both[] = { self->x, self->y };
  int begin, end;

  part_rows (self, part, &begin, &end);
  for (int n = begin; n < end; n++)
    for (guint b = 0; b < 2; b++)
      {
        float *row = &both[b][(gsize) n * K];
        double sum[K] = { 0 };

        for (int i = 0; i < K; i++)
          for (int j = 0; j < K; j++)
            sum[j] += (double) row[i] * self->matrix[i][j];
        for (int j = 0; j < K; j++)
          row[j] = (float) sum[j];
      }
}

/* Computes y = L x, and rotates both so that x are the best eigenvectors of their subspace, by
 * ascending value, zero vectors last. */
static void
turn_to_eigenvectors (Solver *self)
{
  Sums sums;
  double a[K][K], v[K][K];
  gboolean was_dead[K];
  gboolean is_taken[K] = { FALSE };

  multiply (self, self->y, self->x, 1, 0, 0);
  add_parts (self, project_part, sums);
  for (int i = 0; i < K; i++)
    for (int j = 0; j < K; j++)
      a[i][j] = (sums[i + 1][j + 1] + sums[j + 1][i + 1]) / 2;
  for (int k = 0; k < K; k++)
    if (self->is_dead[k])
      a[k][k] = DEAD_VALUE;
  memcpy (was_dead, self->is_dead, sizeof was_dead);
  diagonalize (a, v);

  for (int k = 0; k < K; k++)
    {
      int least = -1;

      for (int i = 0; i < K; i++)
        if (!is_taken[i] && (least < 0 || a[i][i] < a[least][least]))
          least = i;
      is_taken[least] = TRUE;
      self->values[k] = a[least][least];
      self->is_dead[k] = was_dead[least];
      for (int i = 0; i < K; i++)
        self->matrix[i][k] = v[i][least];
    }
  goban_parallel_for (self->n_parts, turn_part, self);
}

/* --- iteration ----------------------------------------------------------------------------- */

static double
find_cut (const Solver *self)
{
  double cut = 0;

  for (int k = 0; k < K; k++)
    if (!self->is_dead[k])
      cut = MAX (cut, self->values[k]);
  return CLAMP (cut, 1e-6, HIGHEST_CUT);
}

/* How often a filter of that cut may multiply before it grows too much at 0. */
static int
choose_degree (double center, double half)
{
  double rate = log (center / half + sqrt (center * center / (half * half) - 1));

  return CLAMP ((int) (log (2 * MAX_GROWTH) / rate), 2, MAX_DEGREE);
}

/* x <- T (x), the Chebyshev polynomial of L that is within [-1, 1] between the highest eigenvalue
 * found and 2, and grows below. y is L x. Returns the polynomial's degree. */
static int
filter (Solver *self)
{
  double cut = find_cut (self);
  double center = (2 + cut) / 2, half = (2 - cut) / 2;
  int max_degree = choose_degree (center, half);
  gsize n_values = (gsize) self->N * K;
  float *spare;

  for (gsize i = 0; i < n_values; i++)
    {
      self->z[i] = self->x[i];
      self->y[i] = (float) (((double) self->y[i] - center * (double) self->x[i]) / half);
    }
  for (int degree = 2; degree <= max_degree; degree++)
    {
      multiply (self, self->z, self->y, 2 / half, center, 1);
      spare = self->z;
      self->z = self->y;
      self->y = spare;
    }
  spare = self->x;
  self->x = self->y;
  self->y = spare;
  return max_degree;
}

/* --- result --------------------------------------------------------------------------------- */

/* Returns the sign that makes the vector grow along the order of rows, or else rise at its
 * beginning. */
static double
find_sign (const Solver *self, int k)
{
  double slope = 0, largest = 0;

  for (int n = 0; n < self->N; n++)
    {
      double value = (double) self->x[(gsize) n * K + k];

      slope += value * (2.0 * n / MAX (self->N - 1, 1) - 1);
      largest = MAX (largest, fabs (value));
    }
  if (fabs (slope) > 0.01 * sqrt (self->N))
    return slope < 0 ? -1 : 1;
  for (int n = 0; n < self->N; n++)
    if (fabs ((double) self->x[(gsize) n * K + k]) > largest / 2)
      return self->x[(gsize) n * K + k] < 0 ? -1 : 1;
  return 1;
}

void
goban_spectrum (float *vectors, double *values, const GobanSegments *neighbours)
{
  gsize n_rows = (gsize) neighbours->N;
  Solver self = { .graph = neighbours, .N = neighbours->N };

  self.n_parts = (guint) ((n_rows + PART - 1) / PART);
  self.scale = g_new (float, n_rows);
  self.trivial = g_new (float, n_rows);
  self.x = g_new (float, n_rows *K);
  self.y = g_new0 (float, n_rows *K);
  self.z = g_new (float, n_rows *K);
  self.partial = g_new (Sums, self.n_parts);

  double n_ends = self.graph->offsets[self.N];

  for (int n = 0; n < self.N; n++)
    {
      double degree = self.graph->offsets[n + 1] - self.graph->offsets[n];

      self.scale[n] = degree > 0 ? (float) (1 / sqrt (degree)) : 0;
      self.trivial[n] = degree > 0 ? (float) sqrt (degree / n_ends) : 0;
    }

  /* Start vectors: Chebyshev polynomials of a row's place, which have similar size, and a little
   * noise against symmetry; weighted as the trivial eigenvector. */
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (int n = 0; n < self.N; n++)
    {
      double place = self.N > 1 ? 2.0 * n / (self.N - 1) - 1 : 0;
      double before = 1, now = place;

      for (int k = 0; k < K; k++)
        {
          double noise = NOISE * (2 * goban_rng_uniform (&rng) - 1);
          double next = 2 * place * now - before;

          self.x[(gsize) n * K + k] = (float) ((now + noise) * (double) self.trivial[n]);
          before = now;
          now = next;
        }
    }

  orthonormalize (&self, 2);
  turn_to_eigenvectors (&self);
  for (int n_products = 0; n_products < N_PRODUCTS;)
    {
      n_products += filter (&self);
      orthonormalize (&self, n_products < N_PRODUCTS ? 1 : 2);
      turn_to_eigenvectors (&self);
    }
  for (int k = 0; k < K; k++)
    {
      double factor = self.is_dead[k] ? 0 : find_sign (&self, k) * sqrt (self.N);

      values[k] = self.is_dead[k] ? 0 : self.values[k];
      for (int n = 0; n < self.N; n++)
        vectors[(gsize) n * K + k] = (float) (factor * (double) self.x[(gsize) n * K + k]);
    }

  g_free (self.scale);
  g_free (self.trivial);
  g_free (self.x);
  g_free (self.y);
  g_free (self.z);
  g_free (self.partial);
}
