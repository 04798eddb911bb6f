#include "engine/machine/cluster/symmetry.h"

#define UNSET G_MAXUINT32

struct _GobanSymmetry
{
  const GobanCluster *cluster;
  guint n_devices;
  gboolean has_contention;
  guint32 *n_uses; /* (n_links) routes that lead over each link */
  GobanDeviceId *firsts;

  /* State of the renaming that is being checked: */
  guint32 *link_to;   /* (n_links), or UNSET */
  guint32 *link_from; /* its inverse */
  guint32 *n_seen;    /* (n_links) routes looked at so far that lead over each link */
  GArray *touched;    /* of guint32: links with an entry in one of them */
};

/* --- devices and routes ---------------------------------------------------------------------- */

static gboolean
are_devices_alike (const GobanSymmetry *self, guint a, guint b)
{
  return goban_cluster_get_class (self->cluster, (GobanDeviceId) a)
             == goban_cluster_get_class (self->cluster, (GobanDeviceId) b)
         && goban_cluster_get_device (self->cluster, (GobanDeviceId) a)->memory_bytes
                == goban_cluster_get_device (self->cluster, (GobanDeviceId) b)->memory_bytes;
}

static const GobanRoute *
route_of (const GobanSymmetry *self, guint from, guint to)
{
  return goban_cluster_get_route (self->cluster, (GobanDeviceId) from, (GobanDeviceId) to);
}

static gboolean
are_routes_alike (const GobanSymmetry *self, const GobanRoute *a, const GobanRoute *b)
{
  return a->latency_us == b->latency_us && a->bytes_per_us == b->bytes_per_us
         && (!self->has_contention || a->n_links == b->n_links);
}

gboolean
goban_symmetry_are_alike (const GobanSymmetry *self, GobanDeviceId a, GobanDeviceId b,
                          GobanDeviceId c, GobanDeviceId d)
{
  return are_devices_alike (self, a, c) && are_devices_alike (self, b, d) && (a == b) == (c == d)
         && (a == b
             || (are_routes_alike (self, route_of (self, a, b), route_of (self, c, d))
                 && are_routes_alike (self, route_of (self, b, a), route_of (self, d, c))));
}

/* --- links ------------------------------------------------------------------------------------ */

static void
touch (GobanSymmetry *self, guint32 link)
{
  if (self->link_to[link] == UNSET && self->link_from[link] == UNSET && self->n_seen[link] == 0)
    g_array_append_val (self->touched, link);
}

static gboolean
rename_link (GobanSymmetry *self, guint32 link, guint32 other)
{
  const GobanLink *a = goban_cluster_get_link (self->cluster, link);
  const GobanLink *b = goban_cluster_get_link (self->cluster, other);

  touch (self, link);
  touch (self, other);
  self->n_seen[link]++;
  if (self->link_to[link] == UNSET && self->link_from[other] == UNSET)
    {
      self->link_to[link] = other;
      self->link_from[other] = link;
    }
  return self->link_to[link] == other && self->link_from[other] == link
         && a->latency_us == b->latency_us && a->bytes_per_us == b->bytes_per_us;
}

static gboolean
rename_route (GobanSymmetry *self, const GobanRoute *route, const GobanRoute *other)
{
  if (!are_routes_alike (self, route, other))
    return FALSE;
  for (guint i = 0; self->has_contention && i < route->n_links; i++)
    if (!rename_link (self, route->links[i], other->links[i]))
      return FALSE;
  return TRUE;
}

/* Routes between devices that keep their names are not looked at: they keep their links, so a link
 * that is renamed must be in none of them. */
static gboolean
are_others_kept (const GobanSymmetry *self)
{
  for (guint i = 0; i < self->touched->len; i++)
    {
      guint32 link = g_array_index (self->touched, guint32, i);

      if (self->link_to[link] != link && self->n_seen[link] != self->n_uses[link])
        return FALSE;
    }
  return TRUE;
}

/* --- renamings -------------------------------------------------------------------------------- */

static gboolean
rename_around (GobanSymmetry *self, const GobanDeviceId *to, guint d)
{
  if (!are_devices_alike (self, d, to[d]))
    return FALSE;
  for (guint other = 0; other < self->n_devices; other++)
    {
      /* Pairs of renamed devices are seen from the lower one. */
      if (other == d || (to[other] != other && other < d))
        continue;
      if (!rename_route (self, route_of (self, d, other), route_of (self, to[d], to[other]))
          || !rename_route (self, route_of (self, other, d), route_of (self, to[other], to[d])))
        return FALSE;
    }
  return TRUE;
}

gboolean
goban_symmetry_check (GobanSymmetry *self, const GobanDeviceId *to)
{
  gboolean is_one = TRUE;

  for (guint d = 0; d < self->n_devices && is_one; d++)
    is_one = to[d] == d || rename_around (self, to, d);
  is_one = is_one && are_others_kept (self);
  for (guint i = 0; i < self->touched->len; i++)
    {
      guint32 link = g_array_index (self->touched, guint32, i);

      self->link_to[link] = self->link_from[link] = UNSET;
      self->n_seen[link] = 0;
    }
  g_array_set_size (self->touched, 0);

  return is_one;
}

const GobanDeviceId *
goban_symmetry_get_firsts (const GobanSymmetry *self)
{
  return self->firsts;
}

/* --- construction and disposal ---------------------------------------------------------------- */

/* Being exchangeable is transitive: (a c) = (a b)(b c)(a b). So the first of each set will do. */
static void
find_firsts (GobanSymmetry *self)
{
  g_autofree GobanDeviceId *to = g_new (GobanDeviceId, (gsize) self->n_devices + 1);

  for (guint d = 0; d < self->n_devices; d++)
    to[d] = (GobanDeviceId) d;
  for (guint d = 0; d < self->n_devices; d++)
    {
      self->firsts[d] = (GobanDeviceId) d;
      for (guint other = 0; other < d && self->firsts[d] == d; other++)
        {
          if (self->firsts[other] != other)
            continue;
          to[d] = (GobanDeviceId) other;
          to[other] = (GobanDeviceId) d;
          if (goban_symmetry_check (self, to))
            self->firsts[d] = (GobanDeviceId) other;
          to[d] = (GobanDeviceId) d;
          to[other] = (GobanDeviceId) other;
        }
    }
}

GobanSymmetry *
goban_symmetry_new (const GobanCostModel *costs)
{
  GobanSymmetry *self = g_new0 (GobanSymmetry, 1);
  guint n_links;

  self->cluster = goban_cost_model_get_cluster (costs);
  self->n_devices = goban_cluster_get_n_devices (self->cluster);
  self->has_contention = !goban_cost_model_is_contention_free (costs);
  n_links = goban_cluster_get_n_links (self->cluster);
  self->n_uses = g_new0 (guint32, (gsize) n_links + 1);
  self->n_seen = g_new0 (guint32, (gsize) n_links + 1);
  self->link_to = g_new (guint32, (gsize) n_links + 1);
  self->link_from = g_new (guint32, (gsize) n_links + 1);
  for (guint i = 0; i < n_links; i++)
    self->link_to[i] = self->link_from[i] = UNSET;
  self->touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->firsts = g_new (GobanDeviceId, (gsize) self->n_devices + 1);
  if (self->has_contention)
    {
      for (guint a = 0; a < self->n_devices; a++)
        for (guint b = 0; b < self->n_devices; b++)
          for (guint i = 0; a != b && i < route_of (self, a, b)->n_links; i++)
            self->n_uses[route_of (self, a, b)->links[i]]++;
    }
  find_firsts (self);
  return self;
}

void
goban_symmetry_free (GobanSymmetry *self)
{
  g_free (self->n_uses);
  g_free (self->n_seen);
  g_free (self->link_to);
  g_free (self->link_from);
  g_array_unref (self->touched);
  g_free (self->firsts);
  g_free (self);
}
