#include "engine/study/analysis/node-field.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/graph/levels.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/slack.h"

#include <math.h>

static const GobanNode *
node_of (const GobanNodeContext *context, GobanNodeId node)
{
  return goban_graph_get_node (goban_cost_model_get_graph (context->costs), node);
}

static GobanCluster *
cluster_of (const GobanNodeContext *context)
{
  GobanCostModel *costs
      = context->run != NULL ? goban_run_get_costs (context->run) : context->costs;

  return goban_cost_model_get_cluster (costs);
}

/* --- text -------------------------------------------------------------------------------- */

static const char *
get_name (const GobanNodeContext *context, GobanNodeId node)
{
  return node_of (context, node)->name;
}

static const char *
get_op (const GobanNodeContext *context, GobanNodeId node)
{
  return node_of (context, node)->op;
}

static const char *
get_phase (const GobanNodeContext *context, GobanNodeId node)
{
  static const char *const names[] = { "forward", "backward", "update" };

  return names[node_of (context, node)->phase];
}

static const char *
get_source (const GobanNodeContext *context, GobanNodeId node)
{
  static const char *const names[] = { "measured", "given", "estimated" };

  return names[goban_cost_model_get_node_source (context->costs, node)];
}

/* A plan for more devices than its cluster has makes a run, though one that cannot start. */
static gboolean
find_device (const GobanNodeContext *context, GobanNodeId node, GobanDeviceId *device)
{
  if (context->run == NULL)
    return FALSE;

  *device = goban_plan_get_device (goban_run_get_plan (context->run), node);
  return *device < goban_cluster_get_n_devices (cluster_of (context));
}

static const char *
get_device (const GobanNodeContext *context, GobanNodeId node)
{
  GobanDeviceId device;

  return find_device (context, node, &device)
             ? goban_cluster_get_device (cluster_of (context), device)->name
             : NULL;
}

/* --- sizes and counts ------------------------------------------------------------------------ */

static double
get_bytes (const GobanNodeContext *context, GobanNodeId node)
{
  return goban_graph_get_output_bytes (goban_cost_model_get_graph (context->costs), node);
}

static double
get_param_bytes (const GobanNodeContext *context, GobanNodeId node)
{
  return node_of (context, node)->param_bytes;
}

static double
get_mem (const GobanNodeContext *context, GobanNodeId node)
{
  return get_bytes (context, node) + get_param_bytes (context, node);
}

static double
get_params (const GobanNodeContext *context, GobanNodeId node)
{
  return node_of (context, node)->param_count;
}

static double
get_flops (const GobanNodeContext *context, GobanNodeId node)
{
  return node_of (context, node)->flops;
}

static double
get_macs (const GobanNodeContext *context, GobanNodeId node)
{
  return node_of (context, node)->macs;
}

static double
get_group (const GobanNodeContext *context, GobanNodeId node)
{
  guint32 group = node_of (context, node)->group;

  return group == GOBAN_NO_GROUP ? (double) NAN : group;
}

static double
get_micro_batch (const GobanNodeContext *context, GobanNodeId node)
{
  guint32 batch = node_of (context, node)->micro_batch;

  return batch == GOBAN_NO_BATCH ? (double) NAN : batch;
}

static double
get_cluster (const GobanNodeContext *context, GobanNodeId node)
{
  gint32 fusion = context->run != NULL
                      ? goban_plan_get_fusions (goban_run_get_plan (context->run))[node]
                      : GOBAN_NO_FUSION;

  return fusion == GOBAN_NO_FUSION ? (double) NAN : fusion;
}

static double
get_fan_in (const GobanNodeContext *context, GobanNodeId node)
{
  return goban_graph_get_in_edges (goban_cost_model_get_graph (context->costs), node).n;
}

static double
get_fan_out (const GobanNodeContext *context, GobanNodeId node)
{
  return goban_graph_get_out_edges (goban_cost_model_get_graph (context->costs), node).n;
}

static double
get_index (const GobanNodeContext *context, GobanNodeId node)
{
  return node;
}

static double
get_priority (const GobanNodeContext *context, GobanNodeId node)
{
  if (context->run == NULL)
    return NAN;

  return goban_plan_get_priority (goban_run_get_plan (context->run), node);
}

static double
get_entropy (const GobanNodeContext *context, GobanNodeId node)
{
  const float *entropies = context->run != NULL ? goban_run_get_entropies (context->run) : NULL;

  return entropies != NULL ? (double) entropies[node] : (double) NAN;
}

/* --- times ---------------------------------------------------------------------------------- */

static double
get_cost (const GobanNodeContext *context, GobanNodeId node)
{
  const double *times_us;
  double least_us = INFINITY;
  GobanDeviceId device;
  guint n_classes;

  if (context->run != NULL)
    return find_device (context, node, &device)
               ? goban_cost_model_time_us (goban_run_get_costs (context->run), node, device)
               : (double) NAN;

  times_us = goban_cost_model_times_us (context->costs, node);
  n_classes = goban_cluster_get_n_classes (goban_cost_model_get_cluster (context->costs));
  for (guint i = 0; i < n_classes; i++)
    least_us = MIN (least_us, times_us[i]);

  return least_us;
}

/* All of it is NAN without a run that took place. */
static const GobanOpSpan *
get_span (const GobanNodeContext *context, GobanNodeId node)
{
  static const GobanOpSpan unknown = { (double) NAN, (double) NAN, (double) NAN };
  const GobanOpSpan *spans
      = context->run != NULL ? goban_trace_get_ops (goban_run_get_trace (context->run)) : NULL;

  return spans != NULL ? &spans[node] : &unknown;
}

static double
get_ready (const GobanNodeContext *context, GobanNodeId node)
{
  return get_span (context, node)->ready_us;
}

static double
get_start (const GobanNodeContext *context, GobanNodeId node)
{
  return get_span (context, node)->start_us;
}

static double
get_finish (const GobanNodeContext *context, GobanNodeId node)
{
  return get_span (context, node)->finish_us;
}

static double
get_wait (const GobanNodeContext *context, GobanNodeId node)
{
  const GobanOpSpan *span = get_span (context, node);

  return span->start_us - span->ready_us;
}

static double
get_slack (const GobanNodeContext *context, GobanNodeId node)
{
  const double *slack_us = context->run != NULL ? goban_run_get_slacks (context->run) : NULL;

  return slack_us != NULL ? slack_us[node] : (double) NAN;
}

static double
get_deviation (const GobanNodeContext *context, GobanNodeId node)
{
  const GobanOpSpan *span = get_span (context, node);

  if (context->run == NULL || !goban_run_is_recorded (context->run))
    return (double) NAN;
  return span->finish_us - span->start_us - get_cost (context, node);
}

/* --- the table -------------------------------------------------------------------------------- */

#define TEXT(name, title, needs_run, blurb, get)                                                   \
  {                                                                                                \
    name, title, GOBAN_FIELD_TEXT, needs_run, FALSE, blurb, get, NULL                              \
  }
#define NUMBER(name, title, kind, needs_run, blurb, get)                                           \
  {                                                                                                \
    name, title, GOBAN_FIELD_##kind, needs_run, FALSE, blurb, NULL, get                            \
  }
#define RANK(name, title, needs_run, blurb, get)                                                   \
  {                                                                                                \
    name, title, GOBAN_FIELD_COUNT, needs_run, TRUE, blurb, NULL, get                              \
  }

static const GobanNodeField fields[] = {
  TEXT ("name", N_ ("Name"), FALSE, N_ ("the node's name, scopes separated by '/'"), get_name),
  TEXT ("op", N_ ("Operation"), FALSE, N_ ("the kind of operation: Conv, MatMul"), get_op),
  TEXT ("device", N_ ("Device"), TRUE, N_ ("where the run has it"), get_device),
  TEXT ("phase", N_ ("Phase"), FALSE, N_ ("forward, backward or update"), get_phase),
  TEXT ("source", N_ ("Source of time"), FALSE,
        N_ ("where its time comes from: measured, given or estimated"), get_source),
  NUMBER ("cost", N_ ("Cost"), TIME, FALSE,
          N_ ("time on its device; without a run, the least of all devices"), get_cost),
  NUMBER ("bytes", N_ ("Bytes out"), BYTES, FALSE, N_ ("its outputs"), get_bytes),
  NUMBER ("param_bytes", N_ ("Bytes of parameters"), BYTES, FALSE, N_ ("its parameters"),
          get_param_bytes),
  NUMBER ("memory", N_ ("Memory"), BYTES, FALSE, N_ ("its parameters and outputs"), get_mem),
  NUMBER ("params", N_ ("Parameters"), COUNT, FALSE, N_ ("how many parameters it has"), get_params),
  NUMBER ("flops", N_ ("FLOPs"), COUNT, FALSE, N_ ("floating-point operations of one run"),
          get_flops),
  NUMBER ("macs", N_ ("Multiply-adds"), COUNT, FALSE, N_ ("multiply-accumulates of one run"),
          get_macs),
  NUMBER ("fan_in", N_ ("Inputs"), COUNT, FALSE, N_ ("how many edges come in"), get_fan_in),
  NUMBER ("fan_out", N_ ("Outputs"), COUNT, FALSE, N_ ("how many edges go out"), get_fan_out),
  NUMBER ("group", N_ ("Group"), COUNT, FALSE, N_ ("its colocation group"), get_group),
  NUMBER ("micro_batch", N_ ("Micro-batch"), COUNT, FALSE,
          N_ ("the micro-batch that it computes, in the graph of a pipeline"), get_micro_batch),
  NUMBER ("index", N_ ("Index"), COUNT, FALSE, N_ ("its place in topological order, from 0"),
          get_index),
  RANK ("prio", N_ ("Priority"), TRUE, N_ ("its priority: the highest runs first"), get_priority),
  RANK ("priority", N_ ("Priority"), TRUE, N_ ("the same as prio"), get_priority),
  NUMBER ("entropy", N_ ("Entropy"), COUNT, TRUE,
          N_ ("how uncertain the network was when it last chose its device, in nats"), get_entropy),
  NUMBER ("cluster", N_ ("Fused ops"), COUNT, TRUE,
          N_ ("the number of the ops that it is fused with"), get_cluster),
  NUMBER ("ready", N_ ("Ready"), TIME, TRUE, N_ ("when its inputs were there"), get_ready),
  NUMBER ("start", N_ ("Start"), TIME, TRUE, N_ ("when it started"), get_start),
  NUMBER ("finish", N_ ("Finish"), TIME, TRUE, N_ ("when it finished"), get_finish),
  NUMBER ("wait", N_ ("Wait"), TIME, TRUE, N_ ("how long it was ready before it started"),
          get_wait),
  NUMBER ("slack", N_ ("Slack"), TIME, TRUE,
          N_ ("how much later it could finish at no cost to the whole"), get_slack),
  NUMBER ("deviation", N_ ("Measured over predicted time"), TIME, TRUE,
          N_ ("how much longer it took than its cost, in a run that was measured"), get_deviation),
};

const GobanNodeField *
goban_node_field_table (gsize *n)
{
  *n = G_N_ELEMENTS (fields);
  return fields;
}

const GobanNodeField *
goban_node_field_find (const char *name, GError **error)
{
  const char *names[G_N_ELEMENTS (fields) + 1] = { NULL };
  g_autofree char *known = NULL;
  g_autofree char *meant = NULL;
  int nearest;

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      if (g_str_equal (fields[i].name, name))
        return &fields[i];
      names[i] = fields[i].name;
    }

  known = g_strjoinv (", ", (char **) names);
  nearest = goban_find_nearest_word (names, G_N_ELEMENTS (fields), name);
  if (nearest >= 0)
    meant = g_strdup_printf (_ ("; did you mean %s?"), names[nearest]);
  goban_set_error (error, GOBAN_ERROR_INVALID, "a node has no field “%s”; it has: %s%s", name,
                   known, meant != NULL ? meant : "");
  return NULL;
}

static gboolean
has_value (const GobanNodeField *self, const GobanNodeContext *context)
{
  for (guint v = 0; v < goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs)); v++)
    if (!isnan (self->number (context, v)))
      return TRUE;
  return FALSE;
}

gboolean
goban_node_field_is_known (const GobanNodeField *self, const GobanNodeContext *context)
{
  if (self->needs_run && context->run == NULL)
    return FALSE;
  if (self->number == get_entropy)
    return goban_run_get_entropies (context->run) != NULL;
  if (self->number == get_deviation)
    return goban_run_is_recorded (context->run);
  if (self->number == get_cluster || self->number == get_group || self->number == get_micro_batch)
    return has_value (self, context);
  if (self->kind == GOBAN_FIELD_TIME && self->needs_run)
    return goban_trace_get_ops (goban_run_get_trace (context->run)) != NULL;
  return TRUE;
}

/* --- the longest path ----------------------------------------------------------------------- */

GobanNodeId *
goban_longest_path_nodes (GobanCostModel *costs, guint *n)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *w = g_new (double, n_nodes + 1);
  g_autofree double *bottom_us = g_new (double, n_nodes + 1);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanNodeId node = GOBAN_NO_NODE;

  goban_cost_model_min_times (costs, w);
  goban_graph_bottom_levels (graph, bottom_us, w, NULL);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (node == GOBAN_NO_NODE || bottom_us[v] > bottom_us[node])
      node = v;

  while (node != GOBAN_NO_NODE)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
      GobanNodeId next = GOBAN_NO_NODE;

      g_array_append_val (path, node);
      for (guint i = 0; i < out.n; i++)
        {
          GobanNodeId head = goban_graph_get_edge (graph, out.ids[i])->head;

          if (next == GOBAN_NO_NODE || bottom_us[head] > bottom_us[next])
            next = head;
        }
      node = next;
    }

  *n = path->len;
  return (GobanNodeId *) (void *) g_array_free (g_steal_pointer (&path), FALSE);
}
