#include "engine/machine/plan/plan.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/key-sort.h"

#include <math.h>
#include <string.h>

struct _GobanPlan
{
  gatomicrefcount ref_count;
  guint n_nodes;
  guint n_tensors;
  guint n_devices;
  guint64 graph_hash;
  GobanOrder order;
  char *policy;
  GobanDeviceId *devices;      /* (n_nodes) */
  gint32 *priorities;          /* (n_nodes) */
  gint32 *fusions;             /* (n_nodes) */
  guint n_fused;               /* that have a fusion number */
  gint32 *transfer_priorities; /* (n_tensors) or NULL */
  double proven_bound_us;      /* 0: none */
  char *proven_for;            /* (nullable): a fingerprint */
};

/* --- construction and disposal -------------------------------------------- */

GobanPlan *
goban_plan_new (const GobanGraph *graph, guint n_devices)
{
  GobanPlan *self;

  g_return_val_if_fail (n_devices >= 1 && n_devices <= GOBAN_MAX_DEVICES, NULL);

  self = g_new0 (GobanPlan, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->n_nodes = goban_graph_get_n_nodes (graph);
  self->n_tensors = goban_graph_get_n_tensors (graph);
  self->n_devices = n_devices;
  self->graph_hash = goban_graph_get_hash (graph);
  self->policy = g_strdup ("");
  self->devices = g_new0 (GobanDeviceId, self->n_nodes);
  self->priorities = g_new0 (gint32, self->n_nodes);
  self->fusions = g_new (gint32, self->n_nodes);
  for (guint v = 0; v < self->n_nodes; v++)
    self->fusions[v] = GOBAN_NO_FUSION;
  return self;
}

GobanPlan *
goban_plan_copy (const GobanPlan *self)
{
  GobanPlan *copy = g_new0 (GobanPlan, 1);

  *copy = *self;
  g_atomic_ref_count_init (&copy->ref_count);
  copy->policy = g_strdup (self->policy);
  copy->proven_for = g_strdup (self->proven_for);
  copy->devices = g_memdup2 (self->devices, self->n_nodes * sizeof *self->devices);
  copy->priorities = g_memdup2 (self->priorities, self->n_nodes * sizeof *self->priorities);
  copy->fusions = g_memdup2 (self->fusions, self->n_nodes * sizeof *self->fusions);
  if (self->transfer_priorities != NULL)
    copy->transfer_priorities
        = g_memdup2 (self->transfer_priorities, self->n_tensors * sizeof (gint32));
  return copy;
}

GobanPlan *
goban_plan_ref (GobanPlan *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_plan_unref (GobanPlan *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->policy);
  g_free (self->proven_for);
  g_free (self->devices);
  g_free (self->priorities);
  g_free (self->fusions);
  g_free (self->transfer_priorities);
  g_free (self);
}

/* --- decisions ------------------------------------------------------------ */

guint
goban_plan_get_n_nodes (const GobanPlan *self)
{
  return self->n_nodes;
}

guint
goban_plan_get_n_tensors (const GobanPlan *self)
{
  return self->n_tensors;
}

guint
goban_plan_get_n_devices (const GobanPlan *self)
{
  return self->n_devices;
}

guint64
goban_plan_get_graph_hash (const GobanPlan *self)
{
  return self->graph_hash;
}

const GobanDeviceId *
goban_plan_get_devices (const GobanPlan *self)
{
  return self->devices;
}

const gint32 *
goban_plan_get_priorities (const GobanPlan *self)
{
  return self->priorities;
}

const gint32 *
goban_plan_get_fusions (const GobanPlan *self)
{
  return self->fusions;
}

GobanDeviceId
goban_plan_get_device (const GobanPlan *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, GOBAN_NO_DEVICE);
  return self->devices[node];
}

gint32
goban_plan_get_priority (const GobanPlan *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, 0);
  return self->priorities[node];
}

void
goban_plan_set_device (GobanPlan *self, GobanNodeId node, GobanDeviceId device)
{
  g_return_if_fail (node < self->n_nodes && device < self->n_devices);
  self->devices[node] = device;
}

void
goban_plan_set_priority (GobanPlan *self, GobanNodeId node, gint32 priority)
{
  g_return_if_fail (node < self->n_nodes);
  self->priorities[node] = priority;
}

void
goban_plan_set_fusion (GobanPlan *self, GobanNodeId node, gint32 fusion)
{
  g_return_if_fail (node < self->n_nodes && fusion >= GOBAN_NO_FUSION);
  self->n_fused += (fusion != GOBAN_NO_FUSION) - (self->fusions[node] != GOBAN_NO_FUSION);
  self->fusions[node] = fusion;
}

gboolean
goban_plan_is_fused (const GobanPlan *self)
{
  return self->n_fused > 0;
}

void
goban_plan_set_priorities_by_key (GobanPlan *self, const double *keys)
{
  g_autofree guint32 *order = g_new (guint32, self->n_nodes);

  /* The lowest priority first: a small key, then a high id. */
  for (guint i = 0; i < self->n_nodes; i++)
    {
      g_return_if_fail (!isnan (keys[i]));
      order[i] = self->n_nodes - 1 - i;
    }
  goban_key_sort (order, keys, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    self->priorities[order[i]] = (gint32) i;
}

const gint32 *
goban_plan_get_transfer_priorities (const GobanPlan *self)
{
  return self->transfer_priorities;
}

void
goban_plan_set_transfer_priorities (GobanPlan *self, const gint32 *priorities)
{
  if (priorities == NULL)
    {
      g_clear_pointer (&self->transfer_priorities, g_free);
      return;
    }

  if (self->transfer_priorities == NULL)
    self->transfer_priorities = g_new (gint32, self->n_tensors);
  if (self->n_tensors > 0)
    memcpy (self->transfer_priorities, priorities, self->n_tensors * sizeof *priorities);
}

double
goban_plan_get_proven_bound_us (const GobanPlan *self, const GobanCostModel *costs)
{
  g_autofree char *own = self->proven_for != NULL ? goban_plan_make_fingerprint (costs) : NULL;

  return own != NULL && g_str_equal (own, self->proven_for) ? self->proven_bound_us : 0;
}

void
goban_plan_set_proven_bound_us (GobanPlan *self, const GobanCostModel *costs, double bound_us)
{
  g_return_if_fail (costs != NULL || bound_us == 0);

  self->proven_bound_us = bound_us;
  g_free (self->proven_for);
  self->proven_for = bound_us > 0 ? goban_plan_make_fingerprint (costs) : NULL;
}

GobanOrder
goban_plan_get_order (const GobanPlan *self)
{
  return self->order;
}

void
goban_plan_set_order (GobanPlan *self, GobanOrder order)
{
  self->order = order;
}

const char *
goban_plan_get_policy (const GobanPlan *self)
{
  return self->policy;
}

void
goban_plan_set_policy (GobanPlan *self, const char *policy)
{
  char *copy = g_strdup (policy);

  g_free (self->policy);
  self->policy = copy;
}

/* --- check ---------------------------------------------------------------- */

static gboolean
check_graph (const GobanPlan *self, const GobanGraph *graph, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  if (self->n_nodes != n_nodes)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plan is for a graph of %u nodes, but graph “%s” has %u",
                         self->n_nodes, goban_graph_get_name (graph), n_nodes);
  if (self->graph_hash != goban_graph_get_hash (graph))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the plan is for another graph than “%s”",
                         goban_graph_get_name (graph));
  return TRUE;
}

static gboolean
check_devices (const GobanPlan *self, const GobanCostModel *costs, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_devices = goban_cluster_get_n_devices (cluster);

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;
      GobanDeviceId device = self->devices[v];

      if (device >= n_devices)
        return goban_refuse (
            error, GOBAN_ERROR_INVALID,
            goban_i18n_get_plural ("node “%s” is on device %u, but the cluster has only %u device",
                                   "node “%s” is on device %u, but the cluster has only %u devices",
                                   n_devices),
            name, device, n_devices);
      if (!goban_cost_model_can_run (costs, v, device))
        return goban_refuse (error, GOBAN_ERROR_INVALID, "node “%s” cannot run on %s", name,
                             goban_cluster_get_device (cluster, device)->name);
    }
  if (self->n_devices != n_devices)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plan is for %u devices, but cluster “%s” has %u", self->n_devices,
                         goban_cluster_get_name (cluster), n_devices);
  return TRUE;
}

static gboolean
check_groups (const GobanPlan *self, const GobanCostModel *costs, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_groups = goban_graph_get_n_groups (graph);
  g_autofree GobanNodeId *firsts = g_new (GobanNodeId, n_groups);

  for (guint i = 0; i < n_groups; i++)
    firsts[i] = GOBAN_NO_NODE;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanNodeId first;

      if (node->group == GOBAN_NO_GROUP)
        continue;
      if (firsts[node->group] == GOBAN_NO_NODE)
        firsts[node->group] = v;
      first = firsts[node->group];
      if (self->devices[first] != self->devices[v])
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "nodes “%s” and “%s” are colocated but on %s and %s",
                             goban_graph_get_node (graph, first)->name, node->name,
                             goban_cluster_get_device (cluster, self->devices[first])->name,
                             goban_cluster_get_device (cluster, self->devices[v])->name);
    }
  return TRUE;
}

gboolean
goban_plan_check (const GobanPlan *self, const GobanCostModel *costs, GError **error)
{
  return check_graph (self, goban_cost_model_get_graph (costs), error)
         && check_devices (self, costs, error) && check_groups (self, costs, error);
}
