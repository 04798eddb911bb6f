#include "engine/core/ranks/scaling.h"

#include "engine/core/ranks/ranks.h"

#include <math.h>

#define MOST_RANKS 4096
#define MOST_SHOWN 64
#define LEAST_EFFICIENCY 0.5

GobanNetwork
goban_network_default (void)
{
  return (GobanNetwork){ .latency_s = 20e-6, .bandwidth = 1.25e9 };
}

GobanScaling
goban_scaling_average (const GobanScaling *ranks, guint n)
{
  GobanScaling mean = ranks[0];

  mean.n_own_items = mean.own_seconds = mean.exchange_seconds = mean.seconds = 0;
  for (guint r = 0; r < n; r++)
    {
      mean.n_own_items += ranks[r].n_own_items / n;
      mean.own_seconds += ranks[r].own_seconds / n;
      mean.exchange_seconds += ranks[r].exchange_seconds / n;
      mean.seconds += ranks[r].seconds / n;
    }
  return mean;
}

static double
get_mean (double sum, double n)
{
  return n > 0 ? sum / n : 0;
}

static double
get_alike (const GobanScaling *self)
{
  return get_mean (MAX (self->seconds - self->own_seconds - self->exchange_seconds, 0),
                   self->n_updates);
}

double
goban_scaling_predict (const GobanScaling *self, const GobanNetwork *network, guint n_ranks)
{
  double n_items = get_mean ((double) self->n_items, self->n_updates);
  double item = get_mean (self->own_seconds, self->n_own_items);
  double seconds = get_alike (self) + item * ceil (n_items / n_ranks);
  double n_exchanges = get_mean ((double) self->n_exchanges, self->n_updates);
  double n_sums = get_mean ((double) self->n_sums, self->n_updates);
  gboolean is_long = self->vector_bytes >= GOBAN_RANKS_SLICED_BYTES;
  double n_rounds = 2 * n_exchanges + (is_long ? 2 * n_sums : 0);
  double n_vectors = n_sums * (is_long ? 2 * (n_ranks - 1.0) / n_ranks : n_ranks - 1.0);

  return seconds + n_rounds * network->latency_s * ceil (log2 (n_ranks))
         + n_vectors * (double) self->vector_bytes / network->bandwidth;
}

static double
get_efficiency (const GobanScaling *self, const GobanNetwork *network, guint n_ranks)
{
  return goban_scaling_predict (self, network, 1)
         / (n_ranks * goban_scaling_predict (self, network, n_ranks));
}

guint
goban_scaling_find_most (const GobanScaling *self, const GobanNetwork *network)
{
  guint n = 1;

  while (2 * n <= MOST_RANKS && get_efficiency (self, network, 2 * n) >= LEAST_EFFICIENCY)
    n *= 2;
  return n;
}

char *
goban_scaling_to_text (const GobanScaling *self, const GobanNetwork *network, guint n_ranks)
{
  GString *text = g_string_new (NULL);
  double alone = goban_scaling_predict (self, network, 1);

  if (self->n_items == 0)
    {
      g_string_append (text, "scaling    nothing was shared\n");
      return g_string_free (text, FALSE);
    }
  g_string_append_printf (
      text,
      "scaling    %u updates on %u ranks: %.3f ms each, %.3f of them exchanges\n"
      "           %.0f items of %.3f ms, %.3f ms alike on every rank, %" G_GSIZE_FORMAT
      " bytes a gradient\n"
      "           predicted for messages of %.0f us and %.2f GB/s:\n"
      "           ranks  update [ms]  speed-up  efficiency\n",
      self->n_updates, n_ranks, 1e3 * get_mean (self->seconds, self->n_updates),
      1e3 * get_mean (self->exchange_seconds, self->n_updates),
      get_mean ((double) self->n_items, self->n_updates),
      1e3 * get_mean (self->own_seconds, self->n_own_items), 1e3 * get_alike (self),
      self->vector_bytes, 1e6 * network->latency_s, network->bandwidth / 1e9);
  for (guint n = 1; n <= MOST_SHOWN; n *= 2)
    g_string_append_printf (text, "           %5u  %11.3f  %8.2f  %8.0f %%\n", n,
                            1e3 * goban_scaling_predict (self, network, n),
                            alone / goban_scaling_predict (self, network, n),
                            100 * get_efficiency (self, network, n));
  g_string_append_printf (text, "           up to %u ranks work at least half of their time\n",
                          goban_scaling_find_most (self, network));
  return g_string_free (text, FALSE);
}
