#include "ui/panels/inspector-rows.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/study/analysis/bottlenecks.h"
#include "engine/study/analysis/moments/moment-card.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Neighbours shown before "and 12 more". */
#define MAX_NEIGHBOURS 8
#define MAX_OPS 6

static void
clear_row (gpointer data)
{
  GobanInspectorRow *row = data;

  g_free (row->key);
  g_free (row->value);
  g_clear_pointer (&row->nodes, goban_selection_unref);
}

static GArray *
new_rows (void)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (GobanInspectorRow));

  g_array_set_clear_func (rows, clear_row);
  return rows;
}

static void
add_heading (GArray *rows, const char *text)
{
  GobanInspectorRow row = { g_strdup (text), NULL, GOBAN_NO_NODE, NULL, (double) NAN, FALSE };

  g_array_append_val (rows, row);
}

static void
add (GArray *rows, const char *key, const char *value)
{
  GobanInspectorRow row
      = { g_strdup (key), g_strdup (value), GOBAN_NO_NODE, NULL, (double) NAN, FALSE };

  g_array_append_val (rows, row);
}

static void
add_link (GArray *rows, const char *key, const char *value, GobanNodeId node)
{
  GobanInspectorRow row = { g_strdup (key), g_strdup (value), node, NULL, (double) NAN, FALSE };

  g_array_append_val (rows, row);
}

static void
add_time (GArray *rows, const char *key, double time_us)
{
  char text[GOBAN_QUANTITY_LEN];

  if (isfinite (time_us))
    add (rows, key, goban_format_time (text, time_us));
}

static void
add_bytes (GArray *rows, const char *key, double size_bytes)
{
  char text[GOBAN_QUANTITY_LEN];

  if (size_bytes > 0)
    add (rows, key, goban_format_bytes (text, size_bytes));
}

static void
add_grouped (GArray *rows, const char *key, guint64 count)
{
  char text[GOBAN_QUANTITY_LEN];

  add (rows, key, goban_format_grouped (text, count));
}

/* Exact while that is short. */
static void
add_count (GArray *rows, const char *key, double count)
{
  char text[GOBAN_QUANTITY_LEN];

  if (count > 0 && count < 1e5 && count == floor (count))
    add_grouped (rows, key, (guint64) count);
  else if (count > 0)
    add (rows, key, goban_format_count (text, count));
}

/* --- the whole graph ---------------------------------------------------------------------- */

static void
add_device_use (GArray *rows, GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (run));
  double makespan_us = goban_run_get_makespan_us (run);

  if (uses == NULL || !isfinite (makespan_us))
    return;

  add_heading (rows, _ ("Devices"));
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, (GobanDeviceId) d);
      char peak[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];
      double busy = makespan_us > 0 ? 100 * uses[d].busy_us / makespan_us : 0;
      g_autofree char *text = NULL;

      goban_format_bytes (peak, uses[d].peak_bytes);
      goban_format_bytes (all, device->memory_bytes);
      text = isfinite (device->memory_bytes)
                 ? g_strdup_printf (_ ("%.0f %% busy\n%s of %s"), busy, peak, all)
                 : g_strdup_printf (_ ("%.0f %% busy\n%s at most"), busy, peak);
      add (rows, device->name, text);
    }
}

/* Shares of the makespan; a click selects the ops. */
static void
add_bottlenecks (GArray *rows, GobanTrace *trace)
{
  g_autoptr (GobanBottlenecks) bottlenecks = goban_bottlenecks_new (trace, GOBAN_BOTTLENECKS_MOST);

  if (bottlenecks->n_causes > 0)
    {
      add_heading (rows, _ ("Where the time goes"));
      g_array_index (rows, GobanInspectorRow, rows->len - 1).has_device_time = TRUE;
    }
  for (guint i = 0; i < bottlenecks->n_causes; i++)
    {
      const GobanBottleneck *cause = &bottlenecks->causes[i];
      GobanInspectorRow row
          = { g_strdup (""), goban_bottleneck_describe (cause), GOBAN_NO_NODE, NULL, (double) NAN,
              FALSE };

      if (cause->n_nodes > 0)
        row.nodes = goban_selection_ref (cause->nodes);
      g_array_append_val (rows, row);
    }
}

/* A lower bound, and how far the makespan is from it. */
static void
add_bound (GArray *rows, const char *name, double bound_us, double ratio)
{
  g_autofree char *text = g_strdup_printf ("%.2f\xc3\x97", ratio);

  add_time (rows, name, bound_us);
  if (isfinite (ratio))
    add (rows, _ ("over bound"), text);
}

/* Both bounds of a plan that fuses: only the one without fusion compares it with plans that do
 * not. */
static void
add_bounds (GArray *rows, GobanRun *run)
{
  GobanTrace *trace = goban_run_get_trace (run);
  const GobanBounds *bounds = goban_trace_get_bounds (trace);
  double unfused = goban_run_get_unfused_ratio (run);

  if (bounds == NULL)
    return;
  add_bound (rows, goban_trace_is_fused (trace) ? _ ("bound with fusion") : _ ("lower bound"),
             bounds->bound_us, goban_run_get_ratio (run));
  if (goban_trace_is_fused (trace) && isfinite (unfused))
    add_bound (rows, _ ("bound without fusion"), goban_run_get_makespan_us (run) / unfused,
               unfused);
}

static void
add_run (GArray *rows, GobanRun *run)
{
  GobanTrace *trace = goban_run_get_trace (run);
  guint n;

  add_heading (rows, _ ("Plan"));
  add (rows, _ ("name"), goban_run_get_name (run));
  if (!goban_trace_is_valid (trace))
    add (rows, _ ("invalid"), goban_trace_get_why (trace));
  add_time (rows, _ ("makespan"), goban_run_get_makespan_us (run));
  add_bounds (rows, run);
  goban_trace_get_transfers (trace, &n);
  add_grouped (rows, _ ("transfers"), n);
  add_bytes (rows, _ ("transferred"), goban_trace_get_transferred_bytes (trace));
  goban_trace_get_critical_path (trace, &n);
  add_grouped (rows, _ ("critical steps"), n);

  add_bottlenecks (rows, trace);
  add_device_use (rows, run);
}

GArray *
goban_inspector_rows_for_graph (GobanCostModel *costs, GobanRun *run)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const char *const *warnings = goban_graph_get_warnings (graph);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint sources[GOBAN_N_SOURCES] = { 0 };
  double params = 0, macs = 0;
  g_autofree char *origin = NULL;
  GArray *rows = new_rows ();

  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      params += node->param_count;
      macs += node->macs;
      sources[goban_cost_model_get_node_source (costs, v)]++;
    }

  add_heading (rows, _ ("Graph"));
  add (rows, _ ("format"), goban_graph_get_format (graph));
  add_grouped (rows, _ ("nodes"), n_nodes);
  add_grouped (rows, _ ("edges"), goban_graph_get_n_edges (graph));
  add_count (rows, _ ("parameters"), params);
  add_count (rows, _ ("MACs"), macs);
  origin = g_strdup (sources[GOBAN_SOURCE_MEASURED] > 0 ? _ ("measured")
                     : sources[GOBAN_SOURCE_GIVEN] > 0  ? _ ("given in the file")
                                                        : _ ("estimated"));
  add (rows, _ ("times"), origin);

  if (run != NULL)
    add_run (rows, run);

  if (warnings[0] != NULL)
    add_heading (rows, _ ("Remarks of the reader"));
  for (guint i = 0; warnings[i] != NULL; i++)
    add (rows, "", warnings[i]);

  return rows;
}

/* --- one node -------------------------------------------------------------------------------- */

static char *
describe_shape (const GobanTensor *tensor)
{
  g_autoptr (GString) text = g_string_new (tensor->dtype);
  char bytes[GOBAN_QUANTITY_LEN];

  if (tensor->is_control)
    return g_strdup ("control");

  if (tensor->has_shape)
    {
      g_string_append (text, text->len > 0 ? " [" : "[");
      for (guint i = 0; i < tensor->n_dims; i++)
        {
          g_string_append (text, i > 0 ? " × " : "");
          if (tensor->dims[i] < 0)
            g_string_append_c (text, '?');
          else
            g_string_append_printf (text, "%" G_GINT64_FORMAT, tensor->dims[i]);
        }
      g_string_append_c (text, ']');
    }
  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                          goban_format_bytes (bytes, tensor->size_bytes));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GobanSelection *
dup_neighbours (GobanGraph *graph, GobanEdgeSpan edges, gboolean tails)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, edges.n);

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      ids[i] = tails ? edge->tail : edge->head;
    }
  return goban_selection_new (ids, edges.n);
}

static void
add_neighbours (GArray *rows, GobanGraph *graph, GobanEdgeSpan edges, gboolean tails)
{
  char n[GOBAN_QUANTITY_LEN];
  g_autofree char *heading = g_strdup_printf ("%s (%s)", tails ? "Inputs" : "Outputs",
                                              goban_format_grouped (n, edges.n));

  if (edges.n == 0)
    return;

  add_heading (rows, heading);
  for (guint i = 0; i < MIN (edges.n, MAX_NEIGHBOURS); i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);
      GobanNodeId other = tails ? edge->tail : edge->head;

      add_link (rows, "", goban_graph_get_node (graph, other)->name, other);
    }
  if (edges.n > MAX_NEIGHBOURS)
    {
      g_autofree char *more
          = g_strdup_printf (_ ("and %s more"), goban_format_grouped (n, edges.n - MAX_NEIGHBOURS));

      add (rows, "", more);
      g_array_index (rows, GobanInspectorRow, rows->len - 1).nodes
          = dup_neighbours (graph, edges, tails);
    }
}

/* The step of the critical path that runs @node, or NULL. */
static const GobanStep *
find_critical_step (GobanTrace *trace, GobanNodeId node)
{
  guint n;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);

  for (guint i = 0; i < n; i++)
    if (!steps[i].is_transfer && steps[i].index == node)
      return &steps[i];

  return NULL;
}

/* --- decisions ---------------------------------------------------------------------------- */

static void
add_share (GArray *rows, const char *key, double share)
{
  GobanInspectorRow row = { g_strdup (key), NULL, GOBAN_NO_NODE, NULL, share, FALSE };
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, share > 0 && share < 0.0005 ? "%.0e" : "%.3f", share);
  row.value = g_strdup (digits);
  g_array_append_val (rows, row);
}

/* Every option that the decision had: a bar of its probability, its score, or why it was not
 * allowed. Options without any chance are left out if there are many. */
static void
add_options (GArray *rows, const GobanMomentCard *card)
{
  for (guint i = 0; i < card->options->len; i++)
    {
      const GobanCardOption *option = &g_array_index (card->options, GobanCardOption, i);

      if (option->why_not != NULL)
        add (rows, option->name, option->why_not);
      else if (!isfinite (option->probability))
        add (rows, option->name, *option->words != '\0' ? option->words : "—");
      else if (option->probability >= 0.0005 || card->options->len <= 8)
        add_share (rows, option->name, option->probability);
    }
}

/* The decisions about the node, one a task. */
static void
add_decisions (GArray *rows, GobanRun *run, GobanNodeId node)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);
  g_autoptr (GArray) moments = NULL;

  if (decisions == NULL)
    return;
  moments = goban_moments_list_of_node (decisions, node, goban_run_get_moment (run));
  if (moments->len > 0)
    add_heading (rows, _ ("Decisions"));
  for (guint i = 0; i < moments->len; i++)
    {
      g_autoptr (GobanMomentCard) card = goban_moment_card_new (
          goban_run_get_costs (run), decisions, g_array_index (moments, GobanMoment, i));
      g_autofree char *text = NULL;
      char digits[G_ASCII_DTOSTR_BUF_SIZE];

      if (card == NULL)
        continue;
      text = g_strdup_printf ("%s\n%s%s%s", card->what, card->path, card->why != NULL ? "\n" : "",
                              card->why != NULL ? card->why : "");
      add (rows, goban_task_get_name (card->task), text);
      if (card->key != NULL)
        add (rows, "", card->key);
      if (isfinite (card->entropy))
        {
          g_autofree char *nats = g_strdup_printf (
              _ ("%s nats"), g_ascii_formatd (digits, sizeof digits, "%.3f", card->entropy));

          add (rows, _ ("entropy"), nats);
        }
      add_options (rows, card);
      if (card->note != NULL)
        add (rows, "", card->note);
    }
}

static void
add_node_in_run (GArray *rows, GobanRun *run, GobanNodeId node)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  GobanDeviceId device = goban_plan_get_device (parts->plan, node);
  gint32 fused_as = goban_plan_get_fusions (parts->plan)[node];
  const GobanOpSpan *spans = goban_trace_get_ops (parts->trace);
  const GobanStep *step = find_critical_step (parts->trace, node);
  g_autofree char *priority = g_strdup_printf ("%d", goban_plan_get_priority (parts->plan, node));

  add_heading (rows, _ ("In this plan"));
  add (rows, _ ("device"), goban_cluster_get_device (parts->cluster, device)->name);
  add (rows, _ ("priority"), priority);
  if (fused_as != GOBAN_NO_FUSION)
    {
      g_autofree char *fusion = g_strdup_printf ("%d", fused_as);

      add (rows, _ ("fusion"), fusion);
    }
  add_time (rows, _ ("takes"), goban_cost_model_time_us (parts->costs, node, device));
  if (spans != NULL)
    {
      add_time (rows, _ ("ready"), spans[node].ready_us);
      add_time (rows, _ ("starts"), spans[node].start_us);
      add_time (rows, _ ("ends"), spans[node].finish_us);
      if (spans[node].start_us > spans[node].ready_us)
        add_time (rows, _ ("waits"), spans[node].start_us - spans[node].ready_us);
    }
  if (step != NULL)
    {
      g_autofree char *why = goban_trace_describe_step (parts->trace, step);

      add (rows, _ ("critical"), why);
    }
}

GArray *
goban_inspector_rows_for_node (GobanCostModel *costs, GobanRun *run, GobanNodeId node)
{
  static const char *const sources[] = { N_ ("measured"), N_ ("given"), N_ ("estimated") };
  static const char *const phases[] = { N_ ("forward"), N_ ("backward"), N_ ("update") };
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanNode *data = goban_graph_get_node (graph, node);
  GArray *rows = new_rows ();
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  add_heading (rows, _ ("Node"));
  add (rows, _ ("op"), *data->op != '\0' ? data->op : "unknown");
  if (data->phase != GOBAN_PHASE_FORWARD)
    add (rows, _ ("phase"), _ (phases[data->phase]));
  add_count (rows, _ ("FLOPs"), data->flops);
  add_count (rows, _ ("parameters"), data->param_count);
  add_bytes (rows, _ ("parameter memory"), data->param_bytes);
  add_bytes (rows, _ ("reads"), data->read_bytes);
  add_bytes (rows, _ ("writes"), data->written_bytes);
  if (data->group != GOBAN_NO_GROUP)
    add_grouped (rows, _ ("colocation group"), data->group);
  add (rows, _ ("times"), _ (sources[goban_cost_model_get_node_source (costs, node)]));
  add (rows, _ ("sizes"), _ (sources[data->size_source]));
  for (guint i = 0; i < MIN (n_tensors, 3); i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);
      g_autofree char *shape = describe_shape (tensor);

      add (rows, i == 0 ? _ ("makes") : "", shape);
    }

  if (run != NULL)
    {
      add_node_in_run (rows, run, node);
      add_decisions (rows, run, node);
    }
  add_neighbours (rows, graph, goban_graph_get_in_edges (graph, node), TRUE);
  add_neighbours (rows, graph, goban_graph_get_out_edges (graph, node), FALSE);

  return rows;
}

/* --- many nodes ------------------------------------------------------------------------------- */

typedef struct
{
  const char *op;
  guint n;
} OpCount;

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const OpCount *x = a;
  const OpCount *y = b;

  if (x->n != y->n)
    return x->n > y->n ? -1 : 1;
  return g_strcmp0 (x->op, y->op);
}

static void
add_ops (GArray *rows, GobanGraph *graph, const GobanNodeId *ids, guint n)
{
  g_autoptr (GHashTable) index = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (OpCount));

  for (guint i = 0; i < n; i++)
    {
      const char *op = goban_graph_get_node (graph, ids[i])->op;
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (index, op));

      if (at == 0)
        {
          OpCount count = { op, 0 };

          g_array_append_val (counts, count);
          at = counts->len;
          g_hash_table_insert (index, (char *) op, GUINT_TO_POINTER (at));
        }
      g_array_index (counts, OpCount, at - 1).n++;
    }
  g_array_sort (counts, compare_counts);

  add_heading (rows, _ ("Ops"));
  for (guint i = 0; i < MIN (counts->len, MAX_OPS); i++)
    {
      const OpCount *count = &g_array_index (counts, OpCount, i);

      add_grouped (rows, *count->op != '\0' ? count->op : "unknown", count->n);
    }
  if (counts->len > MAX_OPS)
    {
      g_autofree char *more = g_strdup_printf (_ ("and %u more kinds"), counts->len - MAX_OPS);

      add (rows, "", more);
    }
}

static void
add_devices_of (GArray *rows, GobanRun *run, const GobanNodeId *ids, guint n)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  guint n_devices = goban_cluster_get_n_devices (cluster);
  g_autofree guint *counts = g_new0 (guint, n_devices);

  for (guint i = 0; i < n; i++)
    counts[goban_plan_get_device (goban_run_get_plan (run), ids[i])]++;

  add_heading (rows, _ ("Devices"));
  for (guint d = 0; d < n_devices; d++)
    if (counts[d] > 0)
      add_grouped (rows, goban_cluster_get_device (cluster, (GobanDeviceId) d)->name, counts[d]);
}

GArray *
goban_inspector_rows_for_many (GobanCostModel *costs, GobanRun *run,
                               const GobanSelection *selection)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanOpSpan *spans = run != NULL ? goban_trace_get_ops (goban_run_get_trace (run)) : NULL;
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (selection, &n);
  double flops = 0, params = 0, output = 0, time_us = 0;
  GArray *rows = new_rows ();

  for (guint i = 0; i < n; i++)
    {
      const GobanNode *node = goban_graph_get_node (graph, ids[i]);

      flops += node->flops;
      params += node->param_bytes;
      output += goban_graph_get_output_bytes (graph, ids[i]);
      if (spans != NULL)
        time_us += spans[ids[i]].finish_us - spans[ids[i]].start_us;
    }

  add_heading (rows, _ ("Together"));
  add_grouped (rows, _ ("nodes"), n);
  if (spans != NULL)
    add_time (rows, _ ("time"), time_us);
  add_count (rows, _ ("FLOPs"), flops);
  add_bytes (rows, _ ("parameter memory"), params);
  add_bytes (rows, _ ("outputs"), output);
  if (run != NULL)
    add_devices_of (rows, run, ids, n);
  add_ops (rows, graph, ids, n);

  return rows;
}
