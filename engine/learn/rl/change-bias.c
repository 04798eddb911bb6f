#include "engine/learn/rl/change-bias.h"

#include <math.h>

#define N_HALVINGS 50
/* Margin beyond the log-odds of all rows, where either all rows change or none. */
#define MARGIN 40.0

/* log sum exp (l / tau) over the actions that a row does not have: its log-odds of changing at
 * offset 0; -INFINITY if it cannot change. */
static double
get_log_odds (const float *logits, guint32 current, int A)
{
  double most = -INFINITY, sum = 0;

  for (int a = 0; a < A; a++)
    if ((guint32) a != current && isfinite (logits[a]))
      most = MAX (most, (double) (logits[a] / GOBAN_CHANGE_BIAS_TEMPERATURE));
  if (!isfinite (most))
    return -INFINITY;
  for (int a = 0; a < A; a++)
    if ((guint32) a != current && isfinite (logits[a]))
      sum += exp ((double) (logits[a] / GOBAN_CHANGE_BIAS_TEMPERATURE) - most);
  return most + log (sum);
}

static double
count_changes (const double *log_odds, guint n_rows, double offset)
{
  double total = 0;

  for (guint i = 0; i < n_rows; i++)
    total += 1 / (1 + exp (offset - log_odds[i]));
  return total;
}

float
goban_change_bias_find_offset (const float *logits, const guint32 *current, int N, int A,
                               double n_wanted)
{
  g_autofree double *log_odds = g_new (double, N);
  double least = INFINITY, most = -INFINITY;
  guint n_rows = 0; /* that can change */

  for (int n = 0; n < N; n++)
    {
      double odds = get_log_odds (logits + (gsize) n * A, current[n], A);

      if (!isfinite (odds))
        continue;
      log_odds[n_rows++] = odds;
      least = MIN (least, odds);
      most = MAX (most, odds);
    }
  if (n_rows == 0)
    return 0;
  n_wanted = MIN (n_wanted, 0.5 * n_rows);
  least -= MARGIN;
  most += MARGIN;
  for (int i = 0; i < N_HALVINGS; i++)
    {
      double middle = 0.5 * (least + most);

      if (count_changes (log_odds, n_rows, middle) > n_wanted)
        least = middle;
      else
        most = middle;
    }
  return (float) (0.5 * (least + most));
}

void
goban_change_bias_forward (float *z, const float *logits, const guint32 *current, float offset,
                           int N, int A)
{
  for (int n = 0; n < N; n++)
    for (int a = 0; a < A; a++)
      {
        gsize i = (gsize) n * A + a;

        z[i]
            = (guint32) a == current[n] ? 0.0f : logits[i] / GOBAN_CHANGE_BIAS_TEMPERATURE - offset;
      }
}

/* log sum_a exp (z_a) of a row: minus the log-probability that it keeps what it has, whose z is
 * 0. */
static double
get_log_sum (const float *z, int A)
{
  double most = 0, sum = 0;

  for (int a = 0; a < A; a++)
    most = MAX (most, (double) z[a]);
  for (int a = 0; a < A; a++)
    sum += exp ((double) z[a] - most);
  return most + log (sum);
}

void
goban_change_bias_backward (float *dlogits, const float *dz, const float *z, const guint32 *current,
                            int N, int A)
{
  g_autofree double *log_sums = g_new (double, N);
  double slope = 0, total = 0, of_offset;

  for (int n = 0; n < N; n++)
    {
      double kept;

      log_sums[n] = get_log_sum (z + (gsize) n * A, A);
      kept = exp (-log_sums[n]);
      slope += kept * (1 - kept);
      for (int a = 0; a < A; a++)
        if ((guint32) a != current[n])
          total += (double) dz[(gsize) n * A + a];
    }
  of_offset = slope > 0 ? total / slope : 0;
  for (int n = 0; n < N; n++)
    for (int a = 0; a < A; a++)
      {
        gsize i = (gsize) n * A + a;
        double chosen = exp ((double) z[i] - log_sums[n]);

        if ((guint32) a != current[n])
          dlogits[i] += (float) (((double) dz[i] - of_offset * chosen * exp (-log_sums[n]))
                                 / (double) GOBAN_CHANGE_BIAS_TEMPERATURE);
      }
}
