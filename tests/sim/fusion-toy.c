#include "tests/sim/fusion-toy.h"

#include "engine/graph/graph-builder.h"

#include <string.h>

static void
add_op (GobanGraphBuilder *builder, GHashTable *ids, const char *word)
{
  g_auto (GStrv) parts = g_strsplit (word, ":", 2);
  g_auto (GStrv) timed = g_strsplit (parts[0], "=", 2);
  guint32 v = goban_graph_builder_add_node (builder, timed[0], parts[1]);
  GobanNode *node = goban_graph_builder_get_node (builder, v);

  g_hash_table_insert (ids, g_strdup (timed[0]), GUINT_TO_POINTER (v));
  goban_graph_builder_add_tensor (builder, v, 100);
  if (timed[1] != NULL)
    {
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, g_ascii_strtod (timed[1], NULL),
                                    GOBAN_SOURCE_GIVEN);
      return;
    }
  node->written_bytes = 100;
  node->flops = strcmp (node->op, "MatMul") == 0 ? 3e8 : 0;
}

/* Tensors are numbered like their nodes. "a~>b" is a control edge. */
static void
add_edge (GobanGraphBuilder *builder, GHashTable *ids, const char *word)
{
  gboolean is_control = strchr (word, '~') != NULL;
  g_auto (GStrv) ends = g_strsplit (word, is_control ? "~>" : ">", 2);
  guint32 tail = GPOINTER_TO_UINT (g_hash_table_lookup (ids, ends[0]));
  guint32 head = GPOINTER_TO_UINT (g_hash_table_lookup (ids, ends[1]));
  GobanNode *node = goban_graph_builder_get_node (builder, head);

  if (is_control)
    {
      goban_graph_builder_add_control_edge (builder, tail, head);
      return;
    }
  goban_graph_builder_add_edge (builder, tail, head);
  if (node->written_bytes > 0)
    node->read_bytes += 100;
}

static GobanCluster *
make_cluster (guint n_devices)
{
  g_autofree char *json = g_strdup_printf (
      "{\"devices\": [{\"name\": \"gpu\", \"count\": %u, \"kind\": \"gpu\", \"tflops\": 1, "
      "\"memory_bandwidth\": 1e6, \"memory\": \"unlimited\", \"launch\": 5}], "
      "\"all_pairs\": {\"bandwidth\": 1e6, \"latency\": 1}}",
      n_devices);
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_json (json, -1, "toy", &error);

  g_assert_no_error (error);
  return cluster;
}

GobanCostModel *
fusion_toy (const char *text, guint n_devices)
{
  g_auto (GStrv) halves = g_strsplit (text, " | ", 2);
  g_auto (GStrv) ops = g_strsplit (halves[0], " ", -1);
  g_auto (GStrv) edges = g_strsplit (halves[1] != NULL ? halves[1] : "", " ", -1);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("toy", "test");
  g_autoptr (GobanCluster) cluster = make_cluster (n_devices);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; ops[i] != NULL; i++)
    add_op (builder, ids, ops[i]);
  for (guint i = 0; edges[i] != NULL; i++)
    add_edge (builder, ids, edges[i]);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

GobanNodeId
fusion_toy_node (const GobanCostModel *costs, const char *name)
{
  GobanNodeId node = goban_graph_find_node (goban_cost_model_get_graph (costs), name);

  g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
  return node;
}

char *
fusion_toy_clusters (const GobanCostModel *costs, const GobanPlan *plan)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GString *text = g_string_new (NULL);

  for (guint v = 0; v < n_nodes; v++)
    {
      gboolean is_lowest = fusions[v] != GOBAN_NO_FUSION;

      for (guint u = 0; u < v && is_lowest; u++)
        is_lowest = fusions[u] != fusions[v];
      if (!is_lowest)
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                              goban_graph_get_node (graph, v)->name);
      for (guint u = v + 1; u < n_nodes; u++)
        if (fusions[u] == fusions[v])
          g_string_append_printf (text, "+%s", goban_graph_get_node (graph, u)->name);
    }
  return g_string_free (text, FALSE);
}
