#include "engine/study/programs/program-problem.h"

#include "engine/core/json-text.h"

#include <math.h>

/* --- arrays ----------------------------------------------------------------------------------- */

static void
append_whole (GString *line, gint64 number)
{
  char digits[24];

  g_string_append_len (line, digits,
                       g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, number));
}

static void
append_row (GString *line, const double *numbers, guint n)
{
  g_string_append_c (line, '[');
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (line, ',');
      goban_json_append_number (line, numbers[i]);
    }
  g_string_append_c (line, ']');
}

void
goban_program_write_numbers (GString *line, const char *key, const double *numbers, guint n)
{
  goban_json_append_key (line, key);
  append_row (line, numbers, n);
}

/* The element of an array, from what it is about. */
typedef void (*AppendFunc) (GString *line, const GobanCostModel *costs, guint i);

static void
write_array (GString *line, const char *key, const GobanCostModel *costs, guint n,
             AppendFunc append)
{
  goban_json_append_key (line, key);
  g_string_append_c (line, '[');
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (line, ',');
      append (line, costs, i);
    }
  g_string_append_c (line, ']');
}

/* --- nodes and edges -------------------------------------------------------------------------- */

static const GobanNode *
get_node (const GobanCostModel *costs, guint i)
{
  return goban_graph_get_node (goban_cost_model_get_graph (costs), i);
}

static void
append_name (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_string (line, get_node (costs, i)->name);
}

static void
append_op (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_string (line, get_node (costs, i)->op);
}

static void
append_group (GString *line, const GobanCostModel *costs, guint i)
{
  guint32 group = get_node (costs, i)->group;

  append_whole (line, group == GOBAN_NO_GROUP ? -1 : (gint64) group);
}

static void
append_param_bytes (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_number (line, goban_cost_model_param_bytes (costs, i));
}

static void
append_output_bytes (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_number (line,
                            goban_graph_get_output_bytes (goban_cost_model_get_graph (costs), i));
}

static void
append_times (GString *line, const GobanCostModel *costs, guint i)
{
  append_row (line, goban_cost_model_times_us (costs, i),
              goban_cluster_get_n_classes (goban_cost_model_get_cluster (costs)));
}

static void
write_nodes (GString *line, const GobanCostModel *costs)
{
  guint n = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));

  goban_json_append_key (line, "nodes");
  g_string_append_c (line, '{');
  write_array (line, "name", costs, n, append_name);
  write_array (line, "op", costs, n, append_op);
  write_array (line, "group", costs, n, append_group);
  write_array (line, "param_bytes", costs, n, append_param_bytes);
  write_array (line, "output_bytes", costs, n, append_output_bytes);
  write_array (line, "time_us", costs, n, append_times);
  g_string_append_c (line, '}');
}

static const GobanEdge *
get_edge (const GobanCostModel *costs, guint i)
{
  return goban_graph_get_edge (goban_cost_model_get_graph (costs), i);
}

static void
append_tail (GString *line, const GobanCostModel *costs, guint i)
{
  append_whole (line, get_edge (costs, i)->tail);
}

static void
append_head (GString *line, const GobanCostModel *costs, guint i)
{
  append_whole (line, get_edge (costs, i)->head);
}

static void
append_tensor (GString *line, const GobanCostModel *costs, guint i)
{
  append_whole (line, get_edge (costs, i)->tensor);
}

static void
write_edges (GString *line, const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n = goban_graph_get_n_edges (graph);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree double *bytes = g_new (double, n_tensors + 1);
  g_autofree double *mean_us = g_new (double, n_tensors + 1);

  for (GobanTensorId t = 0; t < n_tensors; t++)
    bytes[t] = goban_graph_get_tensor (graph, t)->size_bytes;
  goban_cost_model_mean_transfers (costs, mean_us);
  goban_json_append_key (line, "edges");
  g_string_append_c (line, '{');
  write_array (line, "from", costs, n, append_tail);
  write_array (line, "to", costs, n, append_head);
  write_array (line, "tensor", costs, n, append_tensor);
  g_string_append_c (line, '}');
  goban_json_append_key (line, "tensors");
  g_string_append_c (line, '{');
  goban_program_write_numbers (line, "bytes", bytes, n_tensors);
  goban_program_write_numbers (line, "mean_transfer_us", mean_us, n_tensors);
  g_string_append_c (line, '}');
}

/* --- devices ---------------------------------------------------------------------------------- */

static const GobanDevice *
get_device (const GobanCostModel *costs, guint i)
{
  return goban_cluster_get_device (goban_cost_model_get_cluster (costs), (GobanDeviceId) i);
}

static void
append_device_name (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_string (line, get_device (costs, i)->name);
}

static void
append_device_kind (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_string (line, get_device (costs, i)->kind);
}

static void
append_device_class (GString *line, const GobanCostModel *costs, guint i)
{
  append_whole (line, goban_cluster_get_class (goban_cost_model_get_cluster (costs), i));
}

static void
append_device_memory (GString *line, const GobanCostModel *costs, guint i)
{
  goban_json_append_number (line, get_device (costs, i)->memory_bytes);
}

/* Rows of what a route has from each device to each other. */
static void
append_latencies (GString *line, const GobanCostModel *costs, guint from)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n = goban_cluster_get_n_devices (cluster);
  g_autofree double *row = g_new0 (double, n);

  for (guint to = 0; to < n; to++)
    if (to != from)
      row[to] = goban_cluster_get_route (cluster, from, to)->latency_us;
  append_row (line, row, n);
}

static void
append_rates (GString *line, const GobanCostModel *costs, guint from)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n = goban_cluster_get_n_devices (cluster);
  g_autofree double *row = g_new (double, n);

  for (guint to = 0; to < n; to++)
    row[to] = to != from ? goban_cluster_get_route (cluster, from, to)->bytes_per_us
                         : (double) INFINITY;
  append_row (line, row, n);
}

static void
write_devices (GString *line, const GobanCostModel *costs)
{
  guint n = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));

  goban_json_append_key (line, "devices");
  g_string_append_c (line, '{');
  write_array (line, "name", costs, n, append_device_name);
  write_array (line, "kind", costs, n, append_device_kind);
  write_array (line, "class", costs, n, append_device_class);
  write_array (line, "memory_bytes", costs, n, append_device_memory);
  g_string_append_c (line, '}');
  goban_json_append_key (line, "links");
  g_string_append_c (line, '{');
  write_array (line, "latency_us", costs, n, append_latencies);
  write_array (line, "bytes_per_us", costs, n, append_rates);
  goban_json_add_boolean (line, "contention_free", goban_cost_model_is_contention_free (costs));
  g_string_append_c (line, '}');
}

/* --- messages --------------------------------------------------------------------------------- */

void
goban_program_write_graph (GString *line, const GobanCostModel *costs)
{
  goban_json_add_string (line, "name", goban_graph_get_name (goban_cost_model_get_graph (costs)));
  write_nodes (line, costs);
  write_edges (line, costs);
  write_devices (line, costs);
}

void
goban_program_write_plan (GString *line, const GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  const gint32 *priorities = goban_plan_get_priorities (plan);

  goban_json_append_key (line, "devices");
  g_string_append_c (line, '[');
  for (guint v = 0; v < n; v++)
    {
      if (v > 0)
        g_string_append_c (line, ',');
      append_whole (line, devices[v]);
    }
  g_string_append_c (line, ']');
  if (goban_plan_get_order (plan) != GOBAN_ORDER_PRIORITY)
    return;
  goban_json_append_key (line, "priorities");
  g_string_append_c (line, '[');
  for (guint v = 0; v < n; v++)
    {
      if (v > 0)
        g_string_append_c (line, ',');
      append_whole (line, priorities[v]);
    }
  g_string_append_c (line, ']');
}

void
goban_program_write_outcome (GString *line, GobanOutcome outcome)
{
  goban_json_add_number (line, "makespan_us", outcome.makespan_us);
  goban_json_add_number (line, "overflow_bytes", outcome.overflow_bytes);
  goban_json_add_boolean (line, "valid",
                          outcome.overflow_bytes == 0 && isfinite (outcome.makespan_us));
}

void
goban_program_write_problem (GString *line, const GobanProgramProblem *problem)
{
  g_string_assign (line, "{\"type\": \"problem\"");
  goban_json_append_key (line, "protocol");
  append_whole (line, GOBAN_PROTOCOL_VERSION);
  goban_json_append_key (line, "seed");
  g_string_append_printf (line, "%" G_GUINT64_FORMAT, problem->seed);
  goban_json_append_key (line, "plans");
  if (problem->n_plans == G_MAXUINT64)
    g_string_append (line, "null");
  else
    append_whole (line, (gint64) problem->n_plans);
  goban_json_add_number (line, "seconds", problem->seconds > 0 ? problem->seconds : (double) NAN);
  goban_json_append_key (line, "rollouts");
  append_whole (line, problem->n_rollouts);
  goban_json_append_key (line, "tasks");
  g_string_append (line, goban_tasks_have (problem->tasks, GOBAN_TASK_SCHEDULING)
                             ? "[\"placement\", \"scheduling\"]"
                             : "[\"placement\"]");
  goban_program_write_graph (line, problem->costs);
  if (problem->start != NULL)
    {
      goban_json_append_key (line, "start");
      g_string_append_c (line, '{');
      goban_program_write_plan (line, problem->start);
      goban_program_write_outcome (line, problem->outcome);
      g_string_append_c (line, '}');
    }
  g_string_append (line, "}\n");
}

/* --- steps ------------------------------------------------------------------------------------ */

/* 1: the node may go there. Where memory suffices nowhere, memory does not count. */
static void
append_mask (GString *line, const GobanGreedyPlan *greedy, GobanNodeId node)
{
  GobanCostModel *costs = goban_greedy_plan_get_costs (greedy);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  gboolean fits = FALSE;

  for (guint d = 0; d < n_devices; d++)
    fits = fits || goban_greedy_plan_fits (greedy, node, (GobanDeviceId) d);
  for (guint d = 0; d < n_devices; d++)
    {
      gboolean is_open = fits ? goban_greedy_plan_fits (greedy, node, (GobanDeviceId) d)
                              : goban_cost_model_can_run (costs, node, (GobanDeviceId) d);

      g_string_append (line, d == 0 ? "[" : ",");
      g_string_append_c (line, is_open ? '1' : '0');
    }
  g_string_append_c (line, ']');
}

typedef double (*Feature) (const GobanGreedyPlan *greedy, GobanNodeId node, GobanDeviceId device);

static double
get_free_us (const GobanGreedyPlan *greedy, GobanNodeId node, GobanDeviceId device)
{
  return goban_greedy_plan_get_free_us (greedy, device);
}

/* A list of devices for each rollout. */
static void
write_feature (GString *line, const char *key, const GPtrArray *rollouts, GobanNodeId node,
               Feature feature)
{
  goban_json_append_key (line, key);
  g_string_append_c (line, '[');
  for (guint k = 0; k < rollouts->len; k++)
    {
      const GobanGreedyPlan *greedy = g_ptr_array_index (rollouts, k);
      GobanCostModel *costs = goban_greedy_plan_get_costs (greedy);
      guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));

      g_string_append (line, k > 0 ? ",[" : "[");
      for (guint d = 0; d < n_devices; d++)
        {
          if (d > 0)
            g_string_append_c (line, ',');
          goban_json_append_number (line, feature (greedy, node, (GobanDeviceId) d));
        }
      g_string_append_c (line, ']');
    }
  g_string_append_c (line, ']');
}

void
goban_program_write_step (GString *line, const GPtrArray *rollouts, GobanNodeId node)
{
  goban_json_append_key (line, "node");
  g_string_append_printf (line, "%u", node);
  write_feature (line, "free_us", rollouts, node, get_free_us);
  write_feature (line, "inputs_us", rollouts, node, goban_greedy_plan_get_inputs_us);
  goban_json_append_key (line, "mask");
  g_string_append_c (line, '[');
  for (guint k = 0; k < rollouts->len; k++)
    {
      if (k > 0)
        g_string_append_c (line, ',');
      append_mask (line, g_ptr_array_index (rollouts, k), node);
    }
  g_string_append_c (line, ']');
}
