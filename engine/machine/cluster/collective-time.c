#include "engine/machine/cluster/collective-time.h"

typedef struct
{
  const GobanCluster *cluster;
  const GobanDeviceId *devices; /* (n) */
  guint n;
  double bytes;
  const GobanLink *link; /* (nullable): of every step, instead of the routes between devices */
} Ranks;

static double
get_route_us (const Ranks *self, guint from, guint to, double bytes)
{
  const GobanRoute *route;

  if (self->link != NULL)
    return self->link->latency_us + bytes / self->link->bytes_per_us;
  route = goban_cluster_get_route (self->cluster, self->devices[from], self->devices[to]);
  return route->latency_us + bytes / route->bytes_per_us;
}

/* The slowest of the routes from each rank to the one @distance behind it. */
static double
get_step_us (const Ranks *self, guint distance, gboolean wraps, double bytes)
{
  double slowest_us = 0;

  if (self->link != NULL)
    return get_route_us (self, 0, 0, bytes);
  for (guint r = 0; r < self->n; r++)
    if (wraps || r + distance < self->n)
      slowest_us = MAX (slowest_us, get_route_us (self, r, (r + distance) % self->n, bytes));
  return slowest_us;
}

static double
get_tree_us (const Ranks *self)
{
  double sum_us = 0;

  for (guint d = 1; d < self->n; d *= 2)
    sum_us += get_step_us (self, d, FALSE, self->bytes);
  return sum_us;
}

double
goban_cluster_get_collective_us (const GobanCluster *cluster, const GobanDeviceId *devices,
                                 guint n_ranks, const GobanCollectiveLoad *load)
{
  const Ranks self = { cluster, devices, n_ranks, load->bytes, load->link };
  double ring_us, sum_us = 0;

  if (n_ranks < 2)
    return 0;
  ring_us = (n_ranks - 1) * get_step_us (&self, 1, TRUE, load->bytes / n_ranks);
  switch (load->kind)
    {
    case GOBAN_COLLECTIVE_ALL_REDUCE:
      return 2 * (load->is_tree ? get_tree_us (&self) : ring_us);
    case GOBAN_COLLECTIVE_REDUCE_SCATTER:
    case GOBAN_COLLECTIVE_ALL_GATHER:
      return ring_us;
    case GOBAN_COLLECTIVE_ALL_TO_ALL:
      for (guint d = 1; d < n_ranks; d++)
        sum_us += get_step_us (&self, d, TRUE, load->bytes / n_ranks);
      return sum_us;
    case GOBAN_COLLECTIVE_BROADCAST:
      return get_tree_us (&self);
    default:
      return get_route_us (&self, 0, n_ranks - 1, load->bytes);
    }
}
