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
#include "engine/base/error.h"
#include "engine/base/file-read.h"
#include "engine/base/file.h"
#include "engine/base/json-guard.h"
#include "engine/base/json-text.h"
#include "engine/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FORMAT_VERSION 1

char *
goban_plan_make_fingerprint (const GobanCostModel *costs)
{
  g_autofree char *cluster = goban_cluster_to_json (goban_cost_model_get_cluster (costs));
  g_autofree char *all = g_strdup_printf ("%" G_GINT64_MODIFIER "x %d %s",
                                          goban_graph_get_hash (goban_cost_model_get_graph (costs)),
                                          goban_cost_model_get_execution (costs), cluster);
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, all, -1);

  return g_strndup (checksum, 16);
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
  if (goban_plan_get_proven_bound_us (self) > 0 && isfinite (goban_plan_get_proven_bound_us (self)))
    {
      g_autofree char *fingerprint = goban_plan_make_fingerprint (costs);

      g_string_append (out, "  \"proven_bound_us\": ");
      goban_json_append_number (out, goban_plan_get_proven_bound_us (self));
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

static void
append_node (GString *out, const GobanPlan *self, const GobanCostModel *costs, GobanNodeId node)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  GobanDeviceId device = goban_plan_get_device (self, node);
  gint32 fusion = goban_plan_get_fusions (self)[node];

  g_string_append (out, "    { \"node\": ");
  goban_json_append_string (out, goban_graph_get_node (graph, node)->name);
  g_string_append (out, ", \"device\": ");
  goban_json_append_string (out, goban_cluster_get_device (cluster, device)->name);
  g_string_append_printf (out, ", \"priority\": %d", goban_plan_get_priority (self, node));
  if (fusion != GOBAN_NO_FUSION)
    g_string_append_printf (out, ", \"fusion\": %d", fusion);
  append_transfers (out, self, graph, node);
  g_string_append (out, " }");
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
      append_node (out, self, costs, v);
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

static gboolean
is_text (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

/* *text is left alone if the key is absent. */
static gboolean
read_text (JsonObject *object, const char *where, const char *key, const char **text,
           GError **error)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL)
    return TRUE;
  if (!is_text (node))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s: a text is expected", where, key);
  *text = json_node_get_string (node);
  return TRUE;
}

static gboolean
read_int (JsonObject *object, const char *where, const char *key, gint32 min, gint32 *value,
          GError **error)
{
  JsonNode *node = json_object_get_member (object, key);
  gint64 number;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s: a whole number is expected", where,
                         key);
  number = json_node_get_int (node);
  if (number < min || number > G_MAXINT32)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s: %" PRId64 " is out of range", where,
                         key, number);
  *value = (gint32) number;
  return TRUE;
}

/* Finite and not negative. */
static gboolean
read_positive (JsonObject *object, const char *where, const char *key, double *value,
               GError **error)
{
  JsonNode *node = json_object_get_member (object, key);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                            : G_TYPE_INVALID;

  if (node == NULL)
    return TRUE;
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s: a number is expected", where, key);
  if (!(json_node_get_double (node) >= 0) || !isfinite (json_node_get_double (node)))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s: it must be finite and not negative",
                         where, key);
  *value = json_node_get_double (node);
  return TRUE;
}

/* The priorities of the node's tensors. Of an unknown node nothing is kept. */
static gboolean
read_transfers (Reader *self, JsonObject *object, const char *where, GobanNodeId node,
                GError **error)
{
  JsonNode *list = json_object_get_member (object, "transfers");
  JsonArray *array;
  GobanTensorId first;
  guint n_tensors;

  if (list == NULL || node == GOBAN_NO_NODE)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (list))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: transfers: an array is expected", where);
  array = json_node_get_array (list);
  first = goban_graph_get_node_tensors (self->graph, node, &n_tensors);
  if (json_array_get_length (array) != n_tensors)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: transfers: %u priorities are given, but node “%s” has %u output%s",
                         where, json_array_get_length (array),
                         goban_graph_get_node (self->graph, node)->name, n_tensors,
                         n_tensors == 1 ? "" : "s");
  for (guint i = 0; i < n_tensors; i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      gint64 number;

      if (!JSON_NODE_HOLDS_VALUE (item) || json_node_get_value_type (item) != G_TYPE_INT64)
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "%s: transfers[%u]: a whole number is expected", where, i);
      number = json_node_get_int (item);
      if (number < G_MININT32 || number > G_MAXINT32)
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "%s: transfers[%u]: %" PRId64 " is out of range", where, i, number);
      self->transfers[first + i] = (gint32) number;
    }
  self->has_listed[node] = TRUE;
  self->n_listed++;
  return TRUE;
}

/* Finds the nodes of one line; unknown ones are only counted, to be told all at once. */
static gboolean
find_line_node (Reader *self, JsonObject *object, const char *where, GobanNodeId *node,
                GError **error)
{
  const char *name = NULL;

  if (!read_text (object, where, "node", &name, error))
    return FALSE;
  if (name == NULL)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node is missing", where);

  *node = goban_graph_find_node (self->graph, name);
  if (*node == GOBAN_NO_NODE)
    {
      if (self->n_unknown++ == 0)
        self->first_unknown = g_strdup (name);
      return TRUE;
    }
  if (self->is_seen[*node])
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node “%s” is listed twice", where, name);
  self->is_seen[*node] = TRUE;
  return TRUE;
}

static gboolean
read_line (Reader *self, JsonNode *line, const char *where, GError **error)
{
  static const char *const keys[] = { "node", "device", "priority", "fusion", "transfers", NULL };
  gint32 priority = 0;
  gint32 fusion = GOBAN_NO_FUSION;
  const char *device_name = NULL;
  GobanDeviceId device = 0;
  GobanNodeId node = GOBAN_NO_NODE;
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (line))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: an object is expected", where);
  object = json_node_get_object (line);
  if (!goban_json_check_keys (object, where, keys, error)
      || !find_line_node (self, object, where, &node, error)
      || !read_text (object, where, "device", &device_name, error)
      || !read_int (object, where, "priority", G_MININT32, &priority, error)
      || !read_int (object, where, "fusion", GOBAN_NO_FUSION, &fusion, error)
      || !read_transfers (self, object, where, node, error))
    return FALSE;

  if (device_name != NULL)
    device = goban_cluster_find_device (self->cluster, device_name);
  if (device == GOBAN_NO_DEVICE)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: cluster “%s” has no device “%s”", where,
                         goban_cluster_get_name (self->cluster), device_name);
  if (node != GOBAN_NO_NODE)
    {
      goban_plan_set_device (self->plan, node, device);
      goban_plan_set_priority (self->plan, node, priority);
      goban_plan_set_fusion (self->plan, node, fusion);
    }
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
    goban_plan_set_proven_bound_us (self->plan, bound_us);
}

static gboolean
read_head (Reader *self, JsonObject *root, GError **error)
{
  static const char *const keys[]
      = { "goban_plan", "graph", "graph_hash",      "n_nodes",    "cluster", "devices",
          "policy",     "order", "proven_bound_us", "proven_for", "nodes",   NULL };
  const char *policy = "";
  const char *proven_for = "";
  double bound_us = 0;
  const char *order = "fifo";
  gint32 version = 0;

  if (!read_int (root, self->path, "goban_plan", G_MININT32, &version, error))
    return FALSE;
  if (version == 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: this is no plan: it has no \"goban_plan\": %d", self->path,
                         FORMAT_VERSION);
  if (version != FORMAT_VERSION)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: this plan is of version %d; only version %d is known", self->path,
                         version, FORMAT_VERSION);
  if (!goban_json_check_keys (root, self->path, keys, error)
      || !read_text (root, self->path, "policy", &policy, error)
      || !read_text (root, self->path, "order", &order, error)
      || !read_text (root, self->path, "proven_for", &proven_for, error)
      || !read_positive (root, self->path, "proven_bound_us", &bound_us, error))
    return FALSE;

  if (strcmp (order, "fifo") != 0 && strcmp (order, "priority") != 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: order: “%s” is neither fifo nor priority",
                         self->path, order);
  goban_plan_set_policy (self->plan, policy);
  keep_proof (self, bound_us, proven_for);
  goban_plan_set_order (self->plan, *order == 'p' ? GOBAN_ORDER_PRIORITY : GOBAN_ORDER_FIFO);
  return TRUE;
}

static gboolean
read_plan (Reader *self, JsonNode *node, GError **error)
{
  JsonNode *nodes;
  JsonArray *lines;
  JsonObject *root;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: an object is expected", self->path);
  root = json_node_get_object (node);
  if (!read_head (self, root, error))
    return FALSE;

  nodes = json_object_get_member (root, "nodes");
  if (nodes == NULL || !JSON_NODE_HOLDS_ARRAY (nodes))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: nodes: an array is expected", self->path);
  lines = json_node_get_array (nodes);
  for (guint i = 0; i < json_array_get_length (lines); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s: nodes[%u]", self->path, i);

      if (!read_line (self, json_array_get_element (lines, i), where, error))
        return FALSE;
    }
  return check_complete (self, error) && keep_transfers (self, error);
}

GobanPlan *
goban_plan_load (const char *path, const GobanCostModel *costs, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_PLAN, error);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree guint8 *is_seen = NULL;
  g_autofree guint8 *has_listed = NULL;
  g_autofree gint32 *transfers = NULL;
  const char *name = strcmp (path, "-") == 0 ? "standard input" : path;
  Reader reader;
  const char *data;
  gboolean good;
  gsize size;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &size);
  root = goban_json_parse (data != NULL ? data : "", (gssize) size, name, error);
  if (root == NULL)
    return NULL;

  plan = goban_plan_new (graph, goban_cluster_get_n_devices (cluster));
  is_seen = g_new0 (guint8, goban_graph_get_n_nodes (graph));
  has_listed = g_new0 (guint8, goban_graph_get_n_nodes (graph));
  transfers = g_new0 (gint32, goban_graph_get_n_tensors (graph));
  reader = (Reader){
    .path = name,
    .graph = graph,
    .cluster = cluster,
    .costs = costs,
    .plan = plan,
    .is_seen = is_seen,
    .has_listed = has_listed,
    .transfers = transfers,
  };
  good = read_plan (&reader, root, error);
  g_free (reader.first_unknown);
  return good ? g_steal_pointer (&plan) : NULL;
}
