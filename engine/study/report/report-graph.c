/* report-graph.c: the reports that look at one graph, its nodes and what two plans make of them. */
#include "engine/study/report/report.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/graph/levels.h"
#include "engine/study/analysis/moments/moment-shown.h"

#include <math.h>
#include <string.h>

/* Maximum length of a list of names in a text. */
#define MAX_NAMES_LISTED 20

typedef char Quantity[GOBAN_QUANTITY_LEN];

typedef struct
{
  const char *op;
  guint count;
} OpCount;

typedef struct
{
  GArray *ops; /* OpCount, the most frequent first, then by name */
  double param_count;
  double param_bytes;
  double macs;
  double work_us;
  double critical_path_us;
  guint sources[GOBAN_N_SOURCES];
} Totals;

static int
compare_op_counts (gconstpointer a, gconstpointer b)
{
  const OpCount *left = a, *right = b;

  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return strcmp (left->op, right->op);
}

static GArray *
count_ops (const GobanGraph *graph)
{
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (OpCount));
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      OpCount fresh = { goban_graph_get_node (graph, v)->op, 0 };
      gpointer found = g_hash_table_lookup (index_of, fresh.op);

      if (found == NULL)
        {
          g_array_append_val (ops, fresh);
          found = GUINT_TO_POINTER (ops->len);
          g_hash_table_insert (index_of, (gpointer) fresh.op, found);
        }
      g_array_index (ops, OpCount, GPOINTER_TO_UINT (found) - 1).count++;
    }
  g_array_sort (ops, compare_op_counts);
  return ops;
}

static Totals
add_up (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *least_us = g_new (double, n_nodes);
  Totals totals = { .ops = count_ops (graph) };

  goban_cost_model_min_times (costs, least_us);
  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      totals.param_count += node->param_count;
      totals.param_bytes += node->param_bytes;
      totals.macs += node->macs;
      totals.work_us += least_us[v];
      totals.sources[node->time_source]++;
    }
  totals.critical_path_us = goban_graph_longest_path (graph, least_us, NULL);
  return totals;
}

static const char *const source_names[GOBAN_N_SOURCES] = { "measured", "given", "estimated" };

/* All that the file itself says of times on a kind of device; how many nodes it says so of. */
static double
sum_of_kind (const GobanGraph *graph, guint kind, guint *n_told)
{
  double sum_us = 0;

  *n_told = 0;
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      double time_us = goban_graph_get_time_us (graph, v, kind);

      if (!isfinite (time_us))
        continue;
      sum_us += time_us;
      (*n_told)++;
    }
  return sum_us;
}

static void
append_kinds_json (GString *json, const GobanGraph *graph)
{
  goban_json_begin (json, "kinds", '{');
  for (guint kind = 0; kind < goban_graph_get_n_kinds (graph); kind++)
    {
      guint n_told;
      double sum_us = sum_of_kind (graph, kind, &n_told);

      goban_json_begin (json, goban_graph_get_kind (graph, kind), '{');
      goban_json_add_number (json, "nodes", n_told);
      goban_json_add_number (json, "sum_us", sum_us);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, '}');
}

static void
append_kinds_text (GString *text, const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (guint kind = 0; kind < goban_graph_get_n_kinds (graph); kind++)
    {
      const char *name = goban_graph_get_kind (graph, kind);
      gboolean any = strcmp (name, GOBAN_ANY_KIND) == 0;
      guint n_told;
      double sum_us = sum_of_kind (graph, kind, &n_told);
      Quantity q;

      if (n_told == 0)
        continue;
      g_string_append_printf (text, "in the file    %s on %s", goban_format_time (q, sum_us),
                              any ? "any device" : name);
      if (n_told < n_nodes)
        g_string_append_printf (text, ", %u of %u nodes", n_told, n_nodes);
      g_string_append_c (text, '\n');
    }
}

static void
append_parameters (GString *text, const Totals *totals)
{
  Quantity count, size;

  goban_format_count (count, totals->param_count);
  goban_format_bytes (size, totals->param_bytes);
  g_string_append (text, "parameters     ");
  if (totals->param_count > 0)
    g_string_append_printf (text, "%s (%s)\n", count, size);
  else
    g_string_append_printf (text, "%s\n", totals->param_bytes > 0 ? size : "none known");
}

char *
goban_report_info_json (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  Totals totals = add_up (costs);
  g_autoptr (GArray) ops = totals.ops;
  g_autoptr (GString) json = g_string_new ("{");

  goban_json_add_string (json, "name", goban_graph_get_name (graph));
  goban_json_add_string (json, "format", goban_graph_get_format (graph));
  goban_json_add_number (json, "nodes", goban_graph_get_n_nodes (graph));
  goban_json_add_number (json, "edges", goban_graph_get_n_edges (graph));
  goban_json_begin (json, "ops", '{');
  for (guint i = 0; i < ops->len; i++)
    goban_json_add_number (json, g_array_index (ops, OpCount, i).op,
                           g_array_index (ops, OpCount, i).count);
  g_string_append_c (json, '}');
  goban_json_add_number (json, "parameters", totals.param_count);
  goban_json_add_number (json, "parameter_bytes", totals.param_bytes);
  goban_json_add_number (json, "macs", totals.macs);
  goban_json_add_string (json, "cluster",
                         goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
  goban_json_add_number (json, "work_us", totals.work_us);
  goban_json_add_number (json, "critical_path_us", totals.critical_path_us);
  goban_json_begin (json, "sources", '{');
  for (guint s = 0; s < GOBAN_N_SOURCES; s++)
    goban_json_add_number (json, source_names[s], totals.sources[s]);
  g_string_append_c (json, '}');
  append_kinds_json (json, graph);
  goban_json_add_strings (json, "warnings", goban_graph_get_warnings (graph));
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

char *
goban_report_info_text (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const char *const *warnings = goban_graph_get_warnings (graph);
  Totals totals = add_up (costs);
  g_autoptr (GArray) ops = totals.ops;
  g_autoptr (GString) text = g_string_new (NULL);
  double parallelism = totals.critical_path_us > 0 ? totals.work_us / totals.critical_path_us : 1;
  Quantity a, b;

  g_string_append_printf (text, "name           %s\n", goban_report_graph_name (graph));
  g_string_append_printf (text, "format         %s\n", goban_graph_get_format (graph));
  g_string_append_printf (text, "nodes          %s\n",
                          goban_format_grouped (a, goban_graph_get_n_nodes (graph)));
  g_string_append_printf (text, "edges          %s\n",
                          goban_format_grouped (a, goban_graph_get_n_edges (graph)));
  append_parameters (text, &totals);
  g_string_append_printf (text, "MACs           %s\n",
                          totals.macs > 0 ? goban_format_count (a, totals.macs) : "none known");
  g_string_append_printf (text, "work           %s on %s\n", goban_format_time (a, totals.work_us),
                          goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
  g_string_append_printf (text, "critical path  %s: at most %s times faster on many devices\n",
                          goban_format_time (a, totals.critical_path_us),
                          g_ascii_formatd (b, sizeof b, "%.2f", parallelism));
  g_string_append_printf (text, "times          %u measured, %u given, %u estimated\n",
                          totals.sources[GOBAN_SOURCE_MEASURED], totals.sources[GOBAN_SOURCE_GIVEN],
                          totals.sources[GOBAN_SOURCE_ESTIMATED]);
  append_kinds_text (text, graph);
  g_string_append (text, "ops            ");
  for (guint i = 0; i < MIN (ops->len, MAX_NAMES_LISTED); i++)
    g_string_append_printf (text, "%s%s %u", i > 0 ? ", " : "", g_array_index (ops, OpCount, i).op,
                            g_array_index (ops, OpCount, i).count);
  if (ops->len > MAX_NAMES_LISTED)
    g_string_append_printf (text, ", … (%u kinds)", ops->len);
  g_string_append_c (text, '\n');
  for (guint i = 0; warnings[i] != NULL; i++)
    g_string_append_printf (text, "warning        %s\n", warnings[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
append_tensors (GString *text, GobanGraph *graph, GobanNodeId node)
{
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n);

  for (GobanTensorId t = first; t < first + n; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      Quantity size;

      if (tensor->is_control)
        continue;
      g_string_append_printf (text, "output    %s", goban_format_bytes (size, tensor->size_bytes));
      if (tensor->has_shape)
        {
          g_string_append_printf (text, ", %s[", tensor->dtype);
          for (guint i = 0; i < tensor->n_dims; i++)
            {
              g_string_append (text, i > 0 ? "," : "");
              if (tensor->dims[i] < 0)
                g_string_append_c (text, '?');
              else
                g_string_append_printf (text, "%" G_GINT64_FORMAT, tensor->dims[i]);
            }
          g_string_append_c (text, ']');
        }
      g_string_append_c (text, '\n');
    }
}

static void
append_placement (GString *text, GobanRun *run, GobanNodeId node)
{
  GobanPlan *plan = goban_run_get_plan (run);
  GobanDeviceId device = goban_plan_get_device (plan, node);
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  double time_us = goban_cost_model_time_us (goban_run_get_costs (run), node, device);
  const float *entropies = goban_run_get_entropies (run);
  Quantity q;

  g_string_append_printf (text, "device    %s\n",
                          goban_cluster_get_device (goban_run_get_cluster (run), device)->name);
  g_string_append_printf (text, "priority  %d\n", goban_plan_get_priority (plan, node));
  if (entropies != NULL && isfinite (entropies[node]))
    g_string_append_printf (text, "entropy   %s nats, of the network's choice of the device\n",
                            g_ascii_formatd (q, sizeof q, "%.3f", (double) entropies[node]));
  g_string_append_printf (
      text, "time      %s, %s\n", goban_format_time (q, time_us),
      source_names[goban_cost_model_get_source (goban_run_get_costs (run), node, device)]);
  if (ops == NULL)
    return;

  g_string_append_printf (text, "ready     %s\n", goban_format_time (q, ops[node].ready_us));
  g_string_append_printf (text, "start     %s\n", goban_format_time (q, ops[node].start_us));
  g_string_append_printf (text, "waited    %s for its device\n",
                          goban_format_time (q, ops[node].start_us - ops[node].ready_us));
  g_string_append_printf (text, "finish    %s\n", goban_format_time (q, ops[node].finish_us));
}

char *
goban_report_node_text (GobanGraph *graph, GobanRun *run, GobanNodeId v)
{
  static const char *const phases[] = { "forward", "backward", "update" };
  const GobanNode *node = goban_graph_get_node (graph, v);
  g_autoptr (GString) text = g_string_new (NULL);
  Quantity a, b;

  g_string_append_printf (text, "name      %s\n", node->name);
  g_string_append_printf (text, "op        %s, %s\n", node->op, phases[node->phase]);
  if (run != NULL)
    append_placement (text, run, v);
  append_tensors (text, graph, v);
  g_string_append_printf (text, "work      %s FLOPs, %s MACs\n",
                          goban_format_count (a, node->flops), goban_format_count (b, node->macs));
  g_string_append_printf (text, "memory    reads %s, writes %s\n",
                          goban_format_bytes (a, node->read_bytes),
                          goban_format_bytes (b, node->written_bytes));
  if (node->param_bytes > 0)
    g_string_append_printf (text, "weights   %s, %s\n", goban_format_count (a, node->param_count),
                            goban_format_bytes (b, node->param_bytes));
  if (node->group != GOBAN_NO_GROUP)
    g_string_append_printf (text, "group     %u shares one device\n", node->group);
  g_string_append_printf (text, "inputs    %u, consumers %u\n",
                          goban_graph_get_in_edges (graph, v).n,
                          goban_graph_get_out_edges (graph, v).n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
