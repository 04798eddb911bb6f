/* Plans as JSON, a line a node in the order of the graph, so that plans diff as text:
 *
 *   { "goban_plan": 1,
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
 * cluster. What was proven holds for one graph on one cluster, and is forgotten elsewhere.
 */
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-reader.h"
#include "engine/core/json-text.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/machine/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
