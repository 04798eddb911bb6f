#include "engine/rl/stay.h"

#include <math.h>

#define N_HALVINGS 40
#define WIDEST 40.0

static double
count_changes (const float *logits, const guint32 *current, double offset, int N, int A)
{
  double total = 0;

  for (int n = 0; n < N; n++)
    {
      double sum = 0;

      for (int a = 0; a < A; a++)
        if ((guint32) a != current[n])
          sum += exp ((double) (logits[(gsize) n * A + a] / GOBAN_STAY_TEMPERATURE) - offset);
      total += isfinite (sum) ? sum / (1 + sum) : 1;
    }
  return total;
}

/* Rows that have a choice beside what they have. */
static guint
count_rows_that_can (const float *logits, const guint32 *current, int N, int A)
{
  guint n_rows = 0;

  for (int n = 0; n < N; n++)
    {
      gboolean can = FALSE;

      for (int a = 0; a < A; a++)
        can |= (guint32) a != current[n] && isfinite (logits[(gsize) n * A + a]);
      n_rows += can;
    }
  return n_rows;
}

float
goban_stay_find_offset (const float *logits, const guint32 *current, int N, int A, double n_wanted)
{
  guint n_rows = count_rows_that_can (logits, current, N, A);
  double middle = 0, width = WIDEST;

  if (n_rows == 0)
    return 0;
  n_wanted = MIN (n_wanted, 0.5 * n_rows);
  for (int n = 0; n < N; n++)
    for (int a = 0; a < A; a++)
      if (isfinite (logits[(gsize) n * A + a]))
        middle += (double) (logits[(gsize) n * A + a] / GOBAN_STAY_TEMPERATURE) / ((double) N * A);
  for (gsize i = 0; i < (gsize) N * A; i++)
    if (isfinite (logits[i]))
      width = MAX (width, fabs ((double) (logits[i] / GOBAN_STAY_TEMPERATURE) - middle));
  for (int i = 0; i < N_HALVINGS; i++)
    {
      middle += count_changes (logits, current, middle, N, A) > n_wanted ? width : -width;
      width /= 2;
    }
  return (float) middle;
}

void
goban_stay_forward (float *z, const float *logits, const guint32 *current, float offset, int N,
                    int A)
{
  for (int n = 0; n < N; n++)
    for (int a = 0; a < A; a++)
      {
        gsize i = (gsize) n * A + a;

        z[i] = (guint32) a == current[n] ? 0.0f : logits[i] / GOBAN_STAY_TEMPERATURE - offset;
      }
}

void
goban_stay_backward (float *dlogits, const float *dz, const guint32 *current, int N, int A)
{
  for (int n = 0; n < N; n++)
    for (int a = 0; a < A; a++)
      {
        gsize i = (gsize) n * A + a;

        if ((guint32) a != current[n])
          dlogits[i] += dz[i] / GOBAN_STAY_TEMPERATURE;
      }
}
