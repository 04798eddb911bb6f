#include "engine/machine/cluster/fold.h"

#include "engine/core/error.h"
#include "engine/machine/cluster/cluster-draft.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const GobanCluster *whole;
  GobanFoldShape shape;
  GobanDeviceId *ranks; /* those that work, in their order */
  guint *n_flows;       /* (n_links) of the step that is looked at */
  GArray *flows;        /* of Flow: of that step */
} Fold;

typedef struct
{
  GobanDeviceId from;
  GobanDeviceId to;
} Flow;

static void
fold_clear (Fold *self)
{
  g_free (self->ranks);
  g_free (self->n_flows);
  g_clear_pointer (&self->flows, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fold, fold_clear)

static GobanDeviceId
get_rank (const Fold *self, guint p, guint d, guint t)
{
  return self->ranks[(p * self->shape.dp + d) * self->shape.tp + t];
}

/* --- flows ------------------------------------------------------------------------------------ */

static void
add_flow (Fold *self, GobanDeviceId from, GobanDeviceId to)
{
  const Flow flow = { from, to };
  const GobanRoute *route = goban_cluster_get_route (self->whole, from, to);

  g_array_append_val (self->flows, flow);
  for (guint i = 0; i < route->n_links; i++)
    self->n_flows[route->links[i]]++;
}

/* What the slowest flow has of the links of its route. */
static double
get_share (const Fold *self, const Flow *flow)
{
  const GobanRoute *route = goban_cluster_get_route (self->whole, flow->from, flow->to);
  gboolean is_shared = !goban_cluster_is_contention_free (self->whole);
  double bytes_per_us = INFINITY;

  for (guint i = 0; i < route->n_links; i++)
    {
      const GobanLink *link = goban_cluster_get_link (self->whole, route->links[i]);
      guint n = is_shared ? self->n_flows[route->links[i]] : 1;

      bytes_per_us = MIN (bytes_per_us, link->bytes_per_us / n);
    }
  return bytes_per_us * goban_cluster_get_device (self->whole, flow->from)->bus_efficiency;
}

/* The figures of a step of the flows that were added, which are removed. */
static GobanLink
take_step (Fold *self)
{
  GobanLink step = { .bytes_per_us = INFINITY };

  for (guint i = 0; i < self->flows->len; i++)
    {
      const Flow *flow = &g_array_index (self->flows, Flow, i);

      step.bytes_per_us = MIN (step.bytes_per_us, get_share (self, flow));
      step.latency_us = MAX (
          step.latency_us, goban_cluster_get_route (self->whole, flow->from, flow->to)->latency_us);
    }
  memset (self->n_flows, 0, goban_cluster_get_n_links (self->whole) * sizeof *self->n_flows);
  g_array_set_size (self->flows, 0);
  return step;
}

/* The rings that a group of ranks can send along at once: one link between every two of them makes
 * n - 1, no two of which share a link in one direction (Tillson, A Hamiltonian decomposition of
 * K*2m, 1980; of 4 or 6 ranks it is a bound). @stride: from a rank to the next of the group. */
static guint
count_rings (const Fold *self, guint first, guint stride, guint n)
{
  if (goban_cluster_is_contention_free (self->whole))
    return 1;
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (a != b
          && goban_cluster_get_route (self->whole, self->ranks[first + a * stride],
                                      self->ranks[first + b * stride])
                     ->n_links
                 != 1)
        return 1;
  return n - 1;
}

/* The step of rings among the dp ranks of a stage: in blocks of @n_block, each of the rings has
 * every @stride-th rank of a block. */
static GobanLink
find_data_step (Fold *self, guint p, guint n_block, guint stride)
{
  guint tp = self->shape.tp, n_rings = G_MAXUINT;
  GobanLink step;

  for (guint d = 0; d < self->shape.dp; d++)
    {
      guint block = d / n_block * n_block;
      guint next = block + (d - block + stride) % n_block;

      for (guint t = 0; t < tp; t++)
        {
          add_flow (self, get_rank (self, p, d, t), get_rank (self, p, next, t));
          if (d - block < stride)
            n_rings = MIN (n_rings, count_rings (self, (p * self->shape.dp + d) * tp + t,
                                                 stride * tp, n_block / stride));
        }
    }
  step = take_step (self);
  step.bytes_per_us *= n_rings;
  return step;
}

static GobanLink
find_tensor_step (Fold *self, guint p)
{
  guint tp = self->shape.tp, n_rings = G_MAXUINT;
  GobanLink step;

  for (guint d = 0; d < self->shape.dp; d++)
    {
      for (guint t = 0; t < tp; t++)
        add_flow (self, get_rank (self, p, d, t), get_rank (self, p, d, (t + 1) % tp));
      n_rings = MIN (n_rings, count_rings (self, (p * self->shape.dp + d) * tp, 1, tp));
    }
  step = take_step (self);
  step.bytes_per_us *= n_rings;
  return step;
}

/* A whole tensor from one stage to another: each of the tp ranks sends its part. */
static GobanLink
find_send (Fold *self, guint from, guint to)
{
  GobanLink step;

  for (guint d = 0; d < self->shape.dp; d++)
    for (guint t = 0; t < self->shape.tp; t++)
      add_flow (self, get_rank (self, from, d, t), get_rank (self, to, d, t));
  step = take_step (self);
  step.bytes_per_us *= self->shape.tp;
  return step;
}

/* The slower of what a stage sends to its neighbours: activations forward, gradients back. */
static GobanLink
find_neighbour_send (Fold *self, guint p)
{
  GobanLink slowest = { .bytes_per_us = INFINITY };

  for (guint other = p > 0 ? p - 1 : 1; other < self->shape.pp && other <= p + 1; other += 2)
    {
      GobanLink send = find_send (self, p, other);

      slowest.bytes_per_us = MIN (slowest.bytes_per_us, send.bytes_per_us);
      slowest.latency_us = MAX (slowest.latency_us, send.latency_us);
    }
  return slowest;
}

/* --- the folded cluster ----------------------------------------------------------------------- */

static void
add_group (Fold *self, GobanClusterDraft *draft, guint group, GobanLink (*find) (Fold *, guint))
{
  for (guint p = 0; p < self->shape.pp; p++)
    {
      GobanLink link = find (self, p);

      link.from = p;
      link.to = self->shape.pp + group;
      goban_cluster_draft_add_link (draft, &link);
    }
}

static GobanLink
find_all_data_step (Fold *self, guint p)
{
  return find_data_step (self, p, self->shape.dp, 1);
}

static GobanLink
find_expert_step (Fold *self, guint p)
{
  return find_data_step (self, p, self->shape.ep, 1);
}

static GobanLink
find_expert_data_step (Fold *self, guint p)
{
  return find_data_step (self, p, self->shape.dp, self->shape.ep);
}

static void
add_links (Fold *self, GobanClusterDraft *draft)
{
  const GobanFoldShape *shape = &self->shape;
  const struct
  {
    const char *name;
    guint n_ranks;
    GobanLink (*find) (Fold *, guint);
  } groups[] = {
    { "tp", shape->tp, find_tensor_step },
    { "dp", shape->dp, find_all_data_step },
    { "ep", shape->ep, find_expert_step },
    { "edp", shape->dp / shape->ep, find_expert_data_step },
    { "pp", shape->sends_block ? shape->pp : 1, find_neighbour_send },
  };
  guint n_groups = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i].n_ranks > 1)
      goban_cluster_draft_add_switch (draft, groups[i].name);
  for (guint a = 0; a < shape->pp; a++)
    for (guint b = 0; b < shape->pp; b++)
      if (a != b)
        {
          GobanLink link = shape->sends_block ? (GobanLink){ .bytes_per_us = INFINITY }
                                              : find_send (self, a, b);

          link.from = a;
          link.to = b;
          goban_cluster_draft_add_link (draft, &link);
        }
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i].n_ranks > 1)
      add_group (self, draft, n_groups++, groups[i].find);
}

static gboolean
check_shape (const GobanFoldShape *shape, const GobanCluster *whole, guint n_ranks, GError **error)
{
  guint64 most = GOBAN_MAX_DEVICES + 1; /* the product of three such is no larger than a number */

  if (MIN (shape->tp, most) * MIN (shape->dp, most) * MIN (shape->pp, most) > n_ranks)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "tp %u × dp %u × pp %u are more ranks than the %u devices of %s that are "
                         "not CPUs",
                         shape->tp, shape->dp, shape->pp, n_ranks, goban_cluster_get_name (whole));
  if (shape->dp % shape->ep != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "ep %u does not divide dp %u: experts are spread over data-parallel ranks",
                         shape->ep, shape->dp);
  return TRUE;
}

GobanCluster *
goban_cluster_fold (const GobanCluster *whole, const GobanFoldShape *shape, GError **error)
{
  g_auto (Fold) self = { .whole = whole, .shape = *shape };
  g_autofree char *name = g_strdup_printf (
      "%s, tp %u, dp %u, pp %u", goban_cluster_get_name (whole), shape->tp, shape->dp, shape->pp);
  GobanClusterDraft *draft;
  guint n_ranks;

  g_return_val_if_fail (shape->tp > 0 && shape->dp > 0 && shape->pp > 0 && shape->ep > 0, NULL);

  self.ranks = goban_cluster_get_ranks (whole, &n_ranks);
  self.n_flows = g_new0 (guint, goban_cluster_get_n_links (whole) + 1);
  self.flows = g_array_new (FALSE, FALSE, sizeof (Flow));
  if (!check_shape (shape, whole, n_ranks, error))
    return NULL;

  draft = goban_cluster_draft_new (name);
  draft->contention_free = goban_cluster_is_contention_free (whole);
  for (guint p = 0; p < shape->pp; p++)
    {
      GobanDevice figures = *goban_cluster_get_device (whole, get_rank (&self, p, 0, 0));

      figures.bus_efficiency = 1; /* the links' figures have it */
      goban_cluster_draft_add_device (draft, figures.name, &figures);
    }
  add_links (&self, draft);
  return goban_cluster_draft_finish (draft, error);
}
