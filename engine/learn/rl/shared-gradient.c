#include "engine/learn/rl/shared-gradient.h"

#include <string.h>

void
goban_shared_gradient_init (GobanSharedGradient *self, GobanRanks *ranks, GobanParams *params,
                            guint n_items)
{
  *self = (GobanSharedGradient){ .ranks = ranks, .params = params, .n_items = n_items };
  goban_ranks_share_own (ranks, n_items, &self->first, &self->end);
  self->items = g_new (float, (self->end - self->first) * goban_params_get_total (params));
  goban_params_zero_grad (params);
}

void
goban_shared_gradient_clear (GobanSharedGradient *self)
{
  g_clear_pointer (&self->items, g_free);
}

void
goban_shared_gradient_keep (GobanSharedGradient *self, guint item)
{
  float *to = self->items + (item - self->first) * goban_params_get_total (self->params);

  g_assert (item >= self->first && item < self->end);
  for (guint t = 0; t < goban_params_get_n_tensors (self->params); t++)
    {
      gsize n = goban_params_get_size (self->params, t);

      memcpy (to, goban_params_grad (self->params, t), n * sizeof *to);
      to += n;
    }
  goban_params_zero_grad (self->params);
}

gboolean
goban_shared_gradient_sum (GobanSharedGradient *self, float factor, GError **error)
{
  gsize total = goban_params_get_total (self->params);
  g_autofree float *sum = g_new (float, total);
  const float *from = sum;

  if (!goban_ranks_sum (self->ranks, self->items, self->n_items, total, sum, error))
    return FALSE;
  for (guint t = 0; t < goban_params_get_n_tensors (self->params); t++)
    {
      gsize n = goban_params_get_size (self->params, t);

      float *grad = goban_params_grad (self->params, t);

      for (gsize i = 0; i < n; i++)
        grad[i] = factor * from[i];
      from += n;
    }
  return TRUE;
}

/* --- measuring -------------------------------------------------------------------------------- */

GobanSharedMoment
goban_shared_moment_now (GobanRanks *ranks)
{
  return (GobanSharedMoment){ g_get_monotonic_time (), goban_ranks_get_traffic (ranks) };
}

void
goban_shared_gradient_measure (const GobanSharedGradient *self, GobanSharedMoment begun,
                               gint64 own_us, guint n_exchanges, guint n_sums,
                               GobanScaling *scaling)
{
  GobanSharedMoment now = goban_shared_moment_now (self->ranks);

  scaling->n_updates++;
  scaling->n_items += self->n_items;
  scaling->n_own_items += self->end - self->first;
  scaling->own_seconds += (double) own_us / G_USEC_PER_SEC;
  scaling->seconds += (double) (now.time_us - begun.time_us) / G_USEC_PER_SEC;
  scaling->exchange_seconds += now.traffic.seconds - begun.traffic.seconds;
  scaling->n_exchanges += n_exchanges;
  scaling->n_sums += n_sums;
  scaling->vector_bytes = goban_params_get_total (self->params) * sizeof (float);
}
