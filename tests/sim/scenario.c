#include "tests/sim/scenario.h"

#include "engine/core/file.h"
#include "engine/core/quantity.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/shared-data.h"
#include "tests/support/trace-check.h"

#include <string.h>

static guint32
find_node (const Scenario *scenario, const char *name)
{
  guint32 v = 0;

  while (strcmp (scenario->nodes[v].name, name) != 0)
    v++;
  return v;
}

static GobanGraph *
build_graph (const Scenario *scenario)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("scenario", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  guint32 tensor = 0;

  for (guint v = 0; scenario->nodes[v].name != NULL; v++)
    {
      const char *op = scenario->nodes[v].op != NULL ? scenario->nodes[v].op : "Op";

      goban_graph_builder_add_node (builder, scenario->nodes[v].name, op);
      goban_graph_builder_get_node (builder, v)->param_bytes = scenario->nodes[v].param_bytes;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, scenario->nodes[v].time_us,
                                    GOBAN_SOURCE_GIVEN);
    }
  for (guint i = 0; scenario->edges[i].tail != NULL; i++)
    {
      const ScenarioEdge *edge = &scenario->edges[i];
      guint32 tail = find_node (scenario, edge->tail);
      gboolean continues = i > 0 && strcmp (edge[-1].tail, edge->tail) == 0
                           && edge[-1].size_bytes == edge->size_bytes;

      if (edge->size_bytes < 0)
        {
          goban_graph_builder_add_control_edge (builder, tail, find_node (scenario, edge->head));
          continue;
        }
      if (!continues)
        tensor = goban_graph_builder_add_tensor (builder, tail, edge->size_bytes);
      if (edge->head != NULL)
        goban_graph_builder_add_edge (builder, tensor, find_node (scenario, edge->head));
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

GobanTrace *
scenario_run (const Scenario *scenario)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = build_graph (scenario);
  g_autoptr (GobanCluster) cluster
      = scenario->cluster[0] == '{'
            ? goban_cluster_new_from_json (scenario->cluster, -1, "scenario", &error)
            : goban_cluster_new_from_spec (scenario->cluster, &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  GobanTrace *trace;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, goban_cluster_get_n_devices (cluster));
  goban_plan_set_order (plan, scenario->order);
  goban_plan_set_policy (plan, "by hand");
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;
      const ScenarioNode *node = &scenario->nodes[find_node (scenario, name)];

      goban_plan_set_device (plan, v, node->device);
      goban_plan_set_priority (plan, v, node->priority);
      if (node->fusion > 0)
        goban_plan_set_fusion (plan, v, node->fusion);
    }
  trace = goban_simulate (costs, plan);
  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  return trace;
}

static void
append_number (GString *text, const char *before, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "%s%s", before, goban_format_double (buffer, value));
}

static void
dump_device (GString *text, const GobanTrace *trace, GobanDeviceId d)
{
  const GobanDeviceUse *use = &goban_trace_get_uses (trace)[d];
  const GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  guint n;
  g_autofree GobanMemoryPoint *points = goban_trace_get_memory (trace, d, &n);

  g_string_append_printf (text, "\n%s: %u ops", goban_cluster_get_device (cluster, d)->name,
                          use->n_ops);
  append_number (text, ", busy ", use->busy_us);
  append_number (text, ", sending ", use->sending_us);
  append_number (text, ", receiving ", use->receiving_us);
  append_number (text, ", peak ", use->peak_bytes);
  append_number (text, " at ", use->peak_time_us);
  g_string_append (text, "\n  memory");
  for (guint i = 0; i < n; i++)
    {
      append_number (text, " ", points[i].time_us);
      append_number (text, ":", points[i].bytes);
    }
  g_string_append_c (text, '\n');
}

static void
dump_spans (GString *text, const GobanTrace *trace)
{
  const GobanCostModel *costs = goban_trace_get_costs (trace);
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  const GobanPlan *plan = goban_trace_get_plan (trace);
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  g_string_append (text, "\nop: device, ready, start, finish\n");
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanDeviceId d = goban_plan_get_device (plan, v);

      g_string_append_printf (text, "  %s: %s", goban_graph_get_node (graph, v)->name,
                              goban_cluster_get_device (cluster, d)->name);
      append_number (text, ", ", ops[v].ready_us);
      append_number (text, ", ", ops[v].start_us);
      append_number (text, ", ", ops[v].finish_us);
      g_string_append_c (text, '\n');
    }
  g_string_append (text, "transfer: way, ready, start, finish\n");
  for (guint i = 0; i < n; i++)
    {
      GobanNodeId producer = goban_graph_get_tensor (graph, transfers[i].tensor)->producer;

      g_string_append_printf (text, "  %s: %s > %s", goban_graph_get_node (graph, producer)->name,
                              goban_cluster_get_device (cluster, transfers[i].from)->name,
                              goban_cluster_get_device (cluster, transfers[i].to)->name);
      append_number (text, ", ", transfers[i].ready_us);
      append_number (text, ", ", transfers[i].start_us);
      append_number (text, ", ", transfers[i].finish_us);
      g_string_append_c (text, '\n');
    }
}

char *
scenario_dump (const GobanTrace *trace)
{
  const GobanCostModel *costs = goban_trace_get_costs (trace);
  const GobanBounds *bounds = goban_trace_get_bounds (trace);
  GString *text = g_string_new (NULL);
  guint n;
  const GobanStep *path = goban_trace_get_critical_path (trace, &n);

  append_number (text, "makespan ", goban_trace_get_makespan (trace));
  append_number (text, ", bounds: critical path ", bounds->critical_path_us);
  append_number (text, ", work ", bounds->work_us);
  append_number (text, ", memory ", bounds->memory_us);
  append_number (text, "\ntransferred ", goban_trace_get_transferred_bytes (trace));
  g_string_append_printf (text, "\n%s\n",
                          goban_trace_is_valid (trace) ? "valid" : goban_trace_get_why (trace));
  dump_spans (text, trace);
  for (guint d = 0; d < goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)); d++)
    dump_device (text, trace, d);
  g_string_append (text, "\ncritical path\n");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = goban_trace_describe_step (trace, &path[i]);

      g_string_append_printf (text, "  %s\n", words);
    }
  return g_string_free (text, FALSE);
}

void
golden_assert (const char *name, const char *text)
{
  g_autofree char *in_project = g_build_filename ("tests", "golden", name, NULL);
  g_autofree char *path = project_path (in_project);
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  if (g_getenv ("GOBAN_GOLDEN_UPDATE") != NULL)
    {
      goban_file_write (path, text, strlen (text), &error);
      g_assert_no_error (error);
      return;
    }
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}
