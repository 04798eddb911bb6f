#include "engine/machine/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/core/json-reader.h"
#include "engine/core/json-text.h"
#include "engine/core/key-sort.h"
#include "engine/machine/cluster/given-times.h"

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

/* --- files ---------------------------------------------------------------- */

/* { "goban_plan": 1,
 *     "graph": "inception", "graph_hash": "0123456789abcdef", "n_nodes": 2,
 *     "cluster": "p100x2", "devices": ["gpu:0", "gpu:1"],
 *     "policy": "heft",
 *     "order": "priority",                                       or "fifo"
 *     "proven_bound_us": 119, "proven_for": "0123456789abcdef",  where something was proven
 *     "nodes": [
 *       { "node": "conv1", "device": "gpu:0", "priority": 1, "transfers": [2] },
 *       { "node": "relu1", "device": "gpu:1", "priority": 0, "fusion": 3, "transfers": [0, 1] }
 *     ] }
 *
 * What a node's line leaves out is as in a new plan. "transfers" are the priorities of the
 * node's tensors, in order; all nodes that have tensors list them, or none does. The graph,
 * cluster and list of devices are for people; a plan loads wherever its node and device names are
 * known and no node is left out, so that it can be tried on another batch size or another
 * cluster. What was proven holds for one graph on one cluster, and is forgotten elsewhere. */

#define FORMAT_VERSION 1

char *
goban_plan_make_fingerprint (const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanGivenTimes *times = goban_cost_model_get_given_times (costs);
  g_autofree char *cluster = goban_cluster_to_json (goban_cost_model_get_cluster (costs));
  g_autofree char *all
      = g_strdup_printf ("%" G_GINT64_MODIFIER "x %d %s", goban_graph_get_hash (graph),
                         goban_cost_model_get_execution (costs), cluster);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) all, -1);
  if (times != NULL)
    {
      /* With the 0 at the end of the kind, which no JSON has. */
      g_checksum_update (checksum, (const guchar *) goban_given_times_get_kind (times),
                         (gssize) strlen (goban_given_times_get_kind (times)) + 1);
      g_checksum_update (checksum, (const guchar *) goban_given_times_get_us (times),
                         (gssize) (goban_graph_get_n_nodes (graph) * sizeof (double)));
    }
  return g_strndup (g_checksum_get_string (checksum), 16);
}

/* --- writing -------------------------------------------------------------- */

static void
append_field (GString *out, const char *key, const char *value)
{
  g_string_append_printf (out, "  \"%s\": ", key);
  goban_json_append_string (out, value);
  g_string_append (out, ",\n");
}

static void
append_head (GString *out, const GobanPlan *self, const GobanCostModel *costs)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  double bound_us = goban_plan_get_proven_bound_us (self, costs);
  g_autofree char *hash
      = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", goban_plan_get_graph_hash (self));
  guint n_devices = goban_cluster_get_n_devices (cluster);

  g_string_append_printf (out, "{\n  \"goban_plan\": %d,\n", FORMAT_VERSION);
  append_field (out, "graph", goban_graph_get_name (goban_cost_model_get_graph (costs)));
  append_field (out, "graph_hash", hash);
  g_string_append_printf (out, "  \"n_nodes\": %u,\n", goban_plan_get_n_nodes (self));
  append_field (out, "cluster", goban_cluster_get_name (cluster));
  g_string_append (out, "  \"devices\": [");
  for (guint d = 0; d < n_devices; d++)
    {
      g_string_append (out, d > 0 ? ", " : "");
      goban_json_append_string (out, goban_cluster_get_device (cluster, (GobanDeviceId) d)->name);
    }
  g_string_append (out, "],\n");
  append_field (out, "policy", goban_plan_get_policy (self));
  append_field (out, "order",
                goban_plan_get_order (self) == GOBAN_ORDER_PRIORITY ? "priority" : "fifo");
  if (bound_us > 0 && isfinite (bound_us))
    {
      g_autofree char *fingerprint = goban_plan_make_fingerprint (costs);

      g_string_append (out, "  \"proven_bound_us\": ");
      goban_json_append_number (out, bound_us);
      g_string_append (out, ",\n");
      append_field (out, "proven_for", fingerprint);
    }
}

static void
append_transfers (GString *out, const GobanPlan *self, const GobanGraph *graph, GobanNodeId node)
{
  const gint32 *priorities = goban_plan_get_transfer_priorities (self);
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  if (priorities == NULL || n_tensors == 0)
    return;
  for (guint i = 0; i < n_tensors; i++)
    g_string_append_printf (out, "%s%d", i > 0 ? ", " : ", \"transfers\": [",
                            priorities[first + i]);
  g_string_append_c (out, ']');
}

/* A file can only be written of names, so every node and device must have one. */
static gboolean
check_names (const GobanPlan *self, const GobanCostModel *costs, const char *path, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  guint n_nodes = goban_graph_get_n_nodes (graph);

  if (goban_plan_get_n_nodes (self) != n_nodes
      || goban_plan_get_graph_hash (self) != goban_graph_get_hash (graph))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: not written: the plan is for another graph", path);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (goban_plan_get_devices (self)[v] >= n_devices)
      return goban_refuse (
          error, GOBAN_ERROR_INVALID,
          "%s: not written: node “%s” is on device %u, but the cluster has only %u", path,
          goban_graph_get_node (graph, v)->name, goban_plan_get_devices (self)[v], n_devices);
  return TRUE;
}

gboolean
goban_plan_save (const GobanPlan *self, const GobanCostModel *costs, const char *path,
                 GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint n_nodes = goban_plan_get_n_nodes (self);

  if (!check_names (self, costs, path, error))
    return FALSE;

  append_head (out, self, costs);
  g_string_append (out, "  \"nodes\": [\n");
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanGraph *graph = goban_cost_model_get_graph (costs);
      const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
      GobanDeviceId device = goban_plan_get_device (self, v);
      gint32 fusion = goban_plan_get_fusions (self)[v];

      g_string_append (out, "    { \"node\": ");
      goban_json_append_string (out, goban_graph_get_node (graph, v)->name);
      g_string_append (out, ", \"device\": ");
      goban_json_append_string (out, goban_cluster_get_device (cluster, device)->name);
      g_string_append_printf (out, ", \"priority\": %d", goban_plan_get_priority (self, v));
      if (fusion != GOBAN_NO_FUSION)
        g_string_append_printf (out, ", \"fusion\": %d", fusion);
      append_transfers (out, self, graph, v);
      g_string_append (out, " }");

      g_string_append (out, v + 1 < n_nodes ? ",\n" : "\n");
    }
  g_string_append (out, "  ]\n}\n");
  return goban_file_write (path, out->str, out->len, error);
}

/* --- reading -------------------------------------------------------------- */

typedef struct
{
  const char *path;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  GobanPlan *plan;
  const GobanCostModel *costs;
  guint8 *is_seen;    /* (n_nodes) */
  guint8 *has_listed; /* (n_nodes) its transfers */
  gint32 *transfers;  /* (n_tensors) their priorities */
  guint n_listed;     /* nodes that list them */
  guint n_unknown;
  char *first_unknown; /* (nullable) */
} Reader;

static const GobanJsonWhole any_int = { G_MININT32, G_MAXINT32 };

/* The priorities of the node's tensors. Of an unknown node nothing is kept. */
static gboolean
read_transfers (Reader *self, GobanJsonValue line, GobanNodeId node, GError **error)
{
  GobanTensorId first;
  guint n_tensors;
  GobanJsonItems items;
  GobanJsonValue item;
  gint64 number;

  if (!goban_json_has (line, "transfers") || node == GOBAN_NO_NODE)
    return TRUE;
  if (!goban_json_get_list (line, "transfers", &items, error))
    return FALSE;
  first = goban_graph_get_node_tensors (self->graph, node, &n_tensors);
  if (items.n != n_tensors)
    {
      g_autofree char *place = goban_json_dup_place (goban_json_find (line, "transfers"));

      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "%s: %u priorities are given, but node “%s” has %u output%s", place,
                           items.n, goban_graph_get_node (self->graph, node)->name, n_tensors,
                           n_tensors == 1 ? "" : "s");
    }
  while (goban_json_items_next (&items, &item))
    {
      if (!goban_json_read_whole (item, any_int, &number, error))
        return FALSE;
      self->transfers[first++] = (gint32) number;
    }
  self->has_listed[node] = TRUE;
  self->n_listed++;
  return TRUE;
}

/* Finds the nodes of one line; unknown ones are only counted, to be reported together. */
static gboolean
find_line_node (Reader *self, GobanJsonValue line, GobanNodeId *node, GError **error)
{
  const char *name = "";

  if (!goban_json_get_text (line, "node", &name, error))
    return FALSE;
  *node = goban_graph_find_node (self->graph, name);
  if (*node == GOBAN_NO_NODE)
    {
      if (self->n_unknown++ == 0)
        self->first_unknown = g_strdup (name);
      return TRUE;
    }
  if (self->is_seen[*node])
    return goban_json_refuse (line, error, "node “%s” is listed twice", name);
  self->is_seen[*node] = TRUE;
  return TRUE;
}

static gboolean
read_device (const Reader *self, GobanJsonValue line, GobanDeviceId *device, GError **error)
{
  GobanJsonValue value = goban_json_find (line, "device");
  g_autofree char *place = NULL;
  const char *name;

  if (goban_json_is_missing (value))
    return TRUE;
  if (!goban_json_read_text (value, &name, error))
    return FALSE;
  *device = goban_cluster_find_device (self->cluster, name);
  if (*device != GOBAN_NO_DEVICE)
    return TRUE;
  place = goban_json_dup_place (value);
  return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: cluster “%s” has no device “%s”", place,
                       goban_cluster_get_name (self->cluster), name);
}

static gboolean
read_line (Reader *self, GobanJsonValue line, GError **error)
{
  static const char *const keys[] = { "!node", "device", "priority", "fusion", "transfers", NULL };
  static const GobanJsonWhole fusions = { GOBAN_NO_FUSION, G_MAXINT32 };
  gint64 priority = 0;
  gint64 fusion = GOBAN_NO_FUSION;
  GobanDeviceId device = 0;
  GobanNodeId node = GOBAN_NO_NODE;

  if (!goban_json_check_object (line, keys, error) || !find_line_node (self, line, &node, error)
      || !goban_json_get_whole (line, "priority", any_int, &priority, error)
      || !goban_json_get_whole (line, "fusion", fusions, &fusion, error)
      || !read_transfers (self, line, node, error) || !read_device (self, line, &device, error))
    return FALSE;
  if (node == GOBAN_NO_NODE)
    return TRUE;
  goban_plan_set_device (self->plan, node, device);
  goban_plan_set_priority (self->plan, node, (gint32) priority);
  goban_plan_set_fusion (self->plan, node, (gint32) fusion);
  return TRUE;
}

static gboolean
check_complete (const Reader *self, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  GobanNodeId first = GOBAN_NO_NODE;
  guint n_missing = 0;

  if (self->n_unknown > 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: graph “%s” lacks %u of the plan's nodes, the first is “%s”",
                         self->path, goban_graph_get_name (self->graph), self->n_unknown,
                         self->first_unknown);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (!self->is_seen[v] && n_missing++ == 0)
      first = v;
  if (n_missing > 0)
    return goban_refuse (
        error, GOBAN_ERROR_INVALID,
        "%s: the plan leaves out %u of the %u nodes of graph “%s”, the first is “%s”", self->path,
        n_missing, n_nodes, goban_graph_get_name (self->graph),
        goban_graph_get_node (self->graph, first)->name);
  return TRUE;
}

/* All or none: a plan has a priority for every tensor or for none. */
static gboolean
keep_transfers (const Reader *self, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  if (self->n_listed == 0)
    return TRUE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint n_tensors;

      goban_graph_get_node_tensors (self->graph, v, &n_tensors);
      if (n_tensors > 0 && !self->has_listed[v])
        return goban_refuse (
            error, GOBAN_ERROR_INVALID,
            "%s: some nodes list priorities of their transfers, but node “%s” does not", self->path,
            goban_graph_get_node (self->graph, v)->name);
    }
  goban_plan_set_transfer_priorities (self->plan, self->transfers);
  return TRUE;
}

static void
keep_proof (const Reader *self, double bound_us, const char *fingerprint)
{
  g_autofree char *own = bound_us > 0 ? goban_plan_make_fingerprint (self->costs) : NULL;

  if (g_strcmp0 (own, fingerprint) == 0 && own != NULL)
    goban_plan_set_proven_bound_us (self->plan, self->costs, bound_us);
}

static gboolean
check_version (GobanJsonValue root, GError **error)
{
  static const GobanJsonWhole all = { G_MININT64, G_MAXINT64 };
  gint64 version = 0;

  if (!goban_json_check_object (root, NULL, error)
      || !goban_json_get_whole (root, "goban_plan", all, &version, error))
    return FALSE;
  if (version == 0)
    return goban_json_refuse (root, error, "this is not a plan: it has no \"goban_plan\": %d",
                              FORMAT_VERSION);
  return version == FORMAT_VERSION
         || goban_json_refuse (root, error,
                               "this plan is of version %" PRId64 "; only version %d is known",
                               version, FORMAT_VERSION);
}

static gboolean
read_head (Reader *self, GobanJsonValue root, GError **error)
{
  static const char *const keys[]
      = { "goban_plan", "graph", "graph_hash",      "n_nodes",    "cluster", "devices",
          "policy",     "order", "proven_bound_us", "proven_for", "!nodes",  NULL };
  static const char *const orders[]
      = { [GOBAN_ORDER_FIFO] = "fifo", [GOBAN_ORDER_PRIORITY] = "priority", NULL };
  const char *policy = "";
  const char *proven_for = "";
  double bound_us = 0;
  guint order = GOBAN_ORDER_FIFO;

  if (!check_version (root, error) || !goban_json_check_object (root, keys, error)
      || !goban_json_get_text (root, "policy", &policy, error)
      || !goban_json_get_word (root, "order", orders, &order, error)
      || !goban_json_get_text (root, "proven_for", &proven_for, error)
      || !goban_json_get_number (root, "proven_bound_us", GOBAN_JSON_AMOUNT, &bound_us, error))
    return FALSE;

  goban_plan_set_policy (self->plan, policy);
  keep_proof (self, bound_us, proven_for);
  goban_plan_set_order (self->plan, (GobanOrder) order);
  return TRUE;
}

static gboolean
read_plan (Reader *self, GobanJsonValue root, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!read_head (self, root, error) || !goban_json_get_list (root, "nodes", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read_line (self, item, error))
      return FALSE;
  return check_complete (self, error) && keep_transfers (self, error);
}

GobanPlan *
goban_plan_load (const char *path, const GobanCostModel *costs, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  const GobanFileReading reading = { .kind = GOBAN_FILE_PLAN };
  g_autoptr (GobanJsonReader) json = goban_json_reader_new_for_file (path, &reading, error);
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree guint8 *is_seen = NULL;
  g_autofree guint8 *has_listed = NULL;
  g_autofree gint32 *transfers = NULL;
  Reader reader;
  gboolean good;

  if (json == NULL)
    return NULL;

  plan = goban_plan_new (graph, goban_cluster_get_n_devices (cluster));
  is_seen = g_new0 (guint8, goban_graph_get_n_nodes (graph));
  has_listed = g_new0 (guint8, goban_graph_get_n_nodes (graph));
  transfers = g_new0 (gint32, goban_graph_get_n_tensors (graph));
  reader = (Reader){
    .path = goban_json_reader_get_path (json),
    .graph = graph,
    .cluster = cluster,
    .costs = costs,
    .plan = plan,
    .is_seen = is_seen,
    .has_listed = has_listed,
    .transfers = transfers,
  };
  good = read_plan (&reader, goban_json_reader_get_root (json), error);
  g_free (reader.first_unknown);
  return good ? g_steal_pointer (&plan) : NULL;
}

gboolean
goban_plan_file_fits (const char *path, const GobanGraph *graph)
{
  const GobanFileReading reading = { .kind = GOBAN_FILE_PLAN };

  g_autoptr (GobanJsonReader) json = goban_json_reader_new_for_file (path, &reading, NULL);
  GobanJsonItems items;
  GobanJsonValue item;

  if (json == NULL
      || !goban_json_get_list (goban_json_reader_get_root (json), "nodes", &items, NULL)
      || items.n != goban_graph_get_n_nodes (graph))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      const char *name = "";

      if (!goban_json_get_text (item, "node", &name, NULL)
          || goban_graph_find_node (graph, name) == GOBAN_NO_NODE)
        return FALSE;
    }
  return TRUE;
}
