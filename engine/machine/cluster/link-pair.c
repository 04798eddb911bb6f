#include "engine/machine/cluster/link-pair.h"

#include <math.h>

/* Adds the direct link, or those of the route if there is none; returns how many. */
static guint
add_links (guint32 *links, const GobanCluster *cluster, GobanDeviceId from, GobanDeviceId to)
{
  const GobanRoute *route = goban_cluster_get_route (cluster, from, to);

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    {
      const GobanLink *link = goban_cluster_get_link (cluster, i);

      if (link->from == from && link->to == to)
        {
          links[0] = i;
          return 1;
        }
    }

  for (guint i = 0; i < route->n_links; i++)
    links[i] = route->links[i];
  return route->n_links;
}

GobanLinkPair *
goban_link_pair_new (const GobanCluster *cluster, GobanDeviceId from, GobanDeviceId to)
{
  gsize n_most = 2 * (gsize) goban_cluster_get_n_links (cluster) + 2;
  GobanLinkPair *self = g_malloc (sizeof *self + n_most * sizeof *self->links);

  self->from = from;
  self->to = to;
  self->n_forward = add_links (self->links, cluster, from, to);
  self->n = self->n_forward + add_links (self->links + self->n_forward, cluster, to, from);
  return self;
}

double
goban_link_pair_get_latency_us (const GobanLinkPair *self, const GobanCluster *cluster)
{
  double latency_us = 0;

  for (guint i = 0; i < self->n_forward; i++)
    latency_us += goban_cluster_get_link (cluster, self->links[i])->latency_us;
  return latency_us;
}

double
goban_link_pair_get_bytes_per_us (const GobanLinkPair *self, const GobanCluster *cluster)
{
  double bytes_per_us = INFINITY;

  for (guint i = 0; i < self->n_forward; i++)
    bytes_per_us
        = MIN (bytes_per_us, goban_cluster_get_link (cluster, self->links[i])->bytes_per_us);
  return bytes_per_us;
}

GobanCluster *
goban_link_pair_set (const GobanLinkPair *self, GobanCluster *cluster, const char *field,
                     double value, GError **error)
{
  GobanCluster *changed = goban_cluster_ref (cluster);

  if (g_str_equal (field, "latency_us"))
    value /= self->n_forward;
  for (guint i = 0; changed != NULL && i < self->n; i++)
    {
      g_autoptr (GobanCluster) before = changed;

      changed = goban_cluster_with_link (before, self->links[i], field, value, error);
    }
  return changed;
}
