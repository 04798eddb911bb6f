#include "engine/learn/rl/go/ppo.h"

#include "engine/learn/nn/softmax.h"

#include <math.h>

void
goban_ppo_log_probs (float *old, const float *logits, const guint32 *chosen, int N, int A)
{
  g_autofree float *l = g_new (float, A);

  for (int n = 0; n < N; n++)
    {
      goban_log_softmax_forward (l, logits + (gsize) n * A, 1, A);
      old[n] = l[chosen[n]];
    }
}

/* Weight of row n's choice in rollout r in the gradient of its log-probability: ratio A, or 0 if
 * the clipped term is smaller. */
static double
weigh (const GobanPpo *self, double log_prob, gsize rn, GobanPpoStats *stats)
{
  double ratio = exp (log_prob - (double) self->old[rn]);
  double advantage = (double) self->advantages[rn];
  double bounded = CLAMP (ratio, 1 - self->clip, 1 + self->clip);

  stats->surrogate += MIN (ratio * advantage, bounded * advantage);
  if (bounded * advantage < ratio * advantage)
    {
      stats->clipped++;
      return 0;
    }
  return ratio * advantage;
}

void
goban_ppo_backward (float *dlogits, const GobanPpo *self, GobanPpoStats *stats)
{
  const int N = self->N, A = self->A;
  double per_choice = self->scale / ((double) self->R * N);
  float per_row = (float) (-self->scale * self->entropy / N);
  g_autofree float *l = g_new (float, A);
  g_autofree float *p = g_new (float, A);
  g_autofree double *weights = g_new (double, A);

  *stats = (GobanPpoStats){ 0 };
  for (int n = 0; n < N; n++)
    {
      const float *z = self->logits + (gsize) n * A;
      float *dz = dlogits + (gsize) n * A;
      double total = 0;
      float entropy;

      goban_softmax_forward (p, z, 1, A);
      goban_log_softmax_forward (l, z, 1, A);
      for (int a = 0; a < A; a++)
        weights[a] = 0;
      for (int r = 0; r < self->R; r++)
        {
          guint32 chosen = self->chosen[r][n];
          double weight = weigh (self, (double) l[chosen], (gsize) r * N + n, stats);

          weights[chosen] += weight;
          total += weight;
        }
      /* d log p_c / d z_a = [a = c] - p_a, summed over rollouts */
      for (int a = 0; a < A; a++)
        dz[a] -= (float) (per_choice * (weights[a] - total * (double) p[a]));
      goban_entropy_forward (&entropy, p, 1, A);
      goban_entropy_backward (dz, &per_row, p, 1, A);
      stats->entropy += (double) entropy;
    }
  stats->surrogate /= (double) self->R * N;
  stats->clipped /= (double) self->R * N;
  stats->entropy /= N;
}
