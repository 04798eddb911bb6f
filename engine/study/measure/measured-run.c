#include "engine/study/measure/measured-run.h"

#include "engine/core/csv-text.h"
#include "engine/core/json-text.h"
#include "engine/io/formats.h"
#include "engine/study/measure/timing.h"
#include "engine/study/run/policy-run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- figures --------------------------------------------------------------------------------- */

/* The longest duration up to @span_us that ends by @end_us, rounding included, because successors
 * of the segment begin then. */
static double
shorten_to (double start_us, double span_us, double end_us)
{
  while (span_us > 0 && start_us + span_us > end_us)
    span_us = MIN (nextafter (span_us, 0), end_us - start_us);
  return MAX (span_us, 0);
}

/* Kernels of a segment fill its time, with equal pauses; if they take longer than it, as profiled
 * ones may, they are shortened in proportion. */
static void
lay_out (GobanMeasuredRun *self, const GobanSegments *segments, const GobanTiming *timing,
         guint32 s, double origin_us)
{
  const GobanSegment *segment = &segments->segments[s];
  const GobanSegmentSpan *span = &timing->spans[s];
  double whole_us = span->finish_us - span->start_us, kernels_us = 0, pause_us, scale = 1;
  double at_us = span->start_us - origin_us, end_us = span->finish_us - origin_us;

  for (guint i = 0; i < segment->n; i++)
    {
      const GobanSpread *kernel = &timing->kernels_us[segments->nodes[segment->first + i]];

      kernels_us += isnan (kernel->median) ? 0 : kernel->median;
    }
  pause_us = MAX (whole_us - kernels_us, 0) / segment->n;
  if (kernels_us > whole_us)
    scale = whole_us / kernels_us;
  for (guint i = 0; i < segment->n; i++)
    {
      GobanNodeId v = segments->nodes[segment->first + i];
      const GobanSpread *kernel = &timing->kernels_us[v];

      self->ops[v].start_us = at_us;
      self->ops[v].measured_us = shorten_to (
          at_us, (isnan (kernel->median) ? 0 : kernel->median) * scale + pause_us, end_us);
      at_us += self->ops[v].measured_us;
    }
}

typedef struct
{
  double error;
  double weight;
} Weighted;

static int
compare_errors (const void *a, const void *b)
{
  const Weighted *x = a, *y = b;

  return (x->error > y->error) - (x->error < y->error);
}

static double
find_weighted_median (Weighted *errors, guint n)
{
  double total = 0, sum = 0;

  qsort (errors, n, sizeof *errors, compare_errors);
  for (guint i = 0; i < n; i++)
    total += errors[i].weight;
  for (guint i = 0; i < n; i++)
    {
      sum += errors[i].weight;
      if (sum >= total / 2)
        return errors[i].error;
    }
  return 0;
}

static void
compare_ops (GobanMeasuredRun *self, const GobanCalibration *calibration, const GobanTiming *timing)
{
  guint n_nodes = goban_graph_get_n_nodes (calibration->graph);
  g_autofree Weighted *errors = g_new (Weighted, n_nodes + 1);
  double total_us = 0, inside_us = 0;
  guint n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanMeasuredOp *op = &self->ops[v];

      if (!(op->measured_us > 0) || isnan (timing->kernels_us[v].median))
        continue;
      op->is_outside = !goban_calibration_covers (calibration, v, timing->kernels_us[v].median);
      total_us += op->measured_us;
      if (!op->is_outside)
        inside_us += op->measured_us;
      errors[n++] = (Weighted){ fabs (op->predicted_us - op->measured_us) / op->measured_us,
                                op->measured_us };
    }
  self->median_op_error = find_weighted_median (errors, n);
  self->inside_share = total_us > 0 ? inside_us / total_us : 1;
}

void
goban_measured_run_compute (GobanMeasuredRun *self, const GobanCalibration *calibration,
                            const GobanSegments *segments, const GobanTiming *timing)
{
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (self->predicted));
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (self->predicted));
  double origin_us = INFINITY;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->ops[v].predicted_start_us = spans[v].start_us;
      self->ops[v].predicted_us = spans[v].finish_us - spans[v].start_us;
    }
  for (guint32 s = 0; s < segments->n; s++)
    origin_us = MIN (origin_us, timing->spans[s].start_us);
  for (guint32 s = 0; s < segments->n; s++)
    lay_out (self, segments, timing, s, origin_us);
  compare_ops (self, calibration, timing);
  self->n_runs = timing->n_runs;
  self->n_segments = segments->n;
  self->n_hand_overs = segments->n_hand_overs;
  self->makespan_us = timing->makespan_us;
  self->error = (goban_run_get_makespan_us (self->predicted) - self->makespan_us.median)
                / MAX (self->makespan_us.median, 1e-3);
}

GobanMeasuredRun *
goban_measured_run_new (GobanOrt *ort, GobanModelParts *parts, const GobanCalibration *calibration,
                        GobanRun *predicted, const GobanTimingOptions *options, GError **error)
{
  g_autoptr (GobanSegments) segments = goban_segments_new (predicted, error);
  g_autoptr (GobanTiming) timing = NULL;
  GobanMeasuredRun *self;

  if (segments == NULL)
    return NULL;
  timing = goban_timing_new (ort, parts, segments, options, error);
  if (timing == NULL)
    return NULL;
  self = g_new0 (GobanMeasuredRun, 1);
  self->predicted = goban_run_ref (predicted);
  self->ops = g_new0 (GobanMeasuredOp, goban_graph_get_n_nodes (calibration->graph) + 1);
  goban_measured_run_compute (self, calibration, segments, timing);
  return self;
}

void
goban_measured_run_free (GobanMeasuredRun *self)
{
  goban_run_unref (self->predicted);
  g_free (self->ops);
  g_free (self);
}

static double
get_difference (const GobanMeasuredRun *self, GobanNodeId v)
{
  return fabs (self->ops[v].measured_us - self->ops[v].predicted_us);
}

guint
goban_measured_run_find_outside (const GobanMeasuredRun *self, GobanNodeId *nodes, guint most)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (self->predicted)), n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint at;

      if (!self->ops[v].is_outside)
        continue;
      for (at = MIN (n, most); at > 0; at--)
        {
          if (get_difference (self, nodes[at - 1]) >= get_difference (self, v))
            break;
          if (at < most)
            nodes[at] = nodes[at - 1];
        }
      if (at < most)
        nodes[at] = v;
      n += n < most;
    }
  return n;
}

/* --- the trace ------------------------------------------------------------------------------- */

enum
{
  MEASURED_PROCESS = 1,
  PREDICTED_PROCESS = 2,
};

static void
begin_event (GString *json, const char *phase, guint process, guint thread)
{
  g_string_append (json, json->str[json->len - 1] == '[' ? "\n{" : ",\n{");
  goban_json_add_string (json, "ph", phase);
  goban_json_add_number (json, "pid", process);
  goban_json_add_number (json, "tid", thread);
}

static void
write_lanes (GString *json, const GobanMeasuredRun *self, guint process, const char *name)
{
  const GobanCluster *cluster = goban_run_get_cluster (self->predicted);

  for (guint d = 0; d <= goban_cluster_get_n_devices (cluster); d++)
    {
      begin_event (json, "M", process, d);
      goban_json_add_string (json, "name", d == 0 ? "process_name" : "thread_name");
      g_string_append (json, ", \"args\": {");
      goban_json_add_string (
          json, "name",
          d == 0 ? name : goban_cluster_get_device (cluster, (GobanDeviceId) (d - 1))->name);
      g_string_append (json, "}}");
    }
}

static void
write_op (GString *json, const GobanMeasuredRun *self, GobanNodeId v, gboolean is_predicted)
{
  const GobanMeasuredOp *op = &self->ops[v];
  const GobanNode *node = goban_graph_get_node (goban_run_get_graph (self->predicted), v);
  guint thread = goban_plan_get_device (goban_run_get_plan (self->predicted), v) + 1u;

  begin_event (json, "X", is_predicted ? PREDICTED_PROCESS : MEASURED_PROCESS, thread);
  goban_json_add_number (json, "ts", is_predicted ? op->predicted_start_us : op->start_us);
  goban_json_add_number (json, "dur", is_predicted ? op->predicted_us : op->measured_us);
  goban_json_add_string (json, "name", node->name);
  goban_json_add_string (json, "cat", is_predicted ? "predicted" : "measured");
  g_string_append (json, ", \"args\": {");
  goban_json_add_string (json, "op", node->op);
  goban_json_add_number (json, "node", v);
  goban_json_add_number (json, "predicted_us", op->predicted_us);
  goban_json_add_number (json, "measured_us", op->measured_us);
  g_string_append (json, "}}");
}

/* From the middle of the producer to the middle of the consumer, so that the ends are inside. */
static void
write_hand_over (GString *json, const GobanMeasuredRun *self, GobanEdgeId e)
{
  const GobanGraph *graph = goban_run_get_graph (self->predicted);
  const GobanPlan *plan = goban_run_get_plan (self->predicted);
  const GobanEdge *edge = goban_graph_get_edge (graph, e);
  GobanNodeId ends[2] = { edge->tail, edge->head };

  if (goban_plan_get_device (plan, edge->tail) == goban_plan_get_device (plan, edge->head))
    return;
  for (guint i = 0; i < 2; i++)
    {
      const GobanMeasuredOp *op = &self->ops[ends[i]];

      begin_event (json, i == 0 ? "s" : "f", MEASURED_PROCESS,
                   goban_plan_get_device (plan, ends[i]) + 1u);
      goban_json_add_number (json, "id", e);
      goban_json_add_string (json, "name", "hand-over");
      goban_json_add_string (json, "cat", "hand-over");
      goban_json_add_number (json, "ts", op->start_us + op->measured_us / 2);
      goban_json_add_string (json, "bp", "e");
      g_string_append (json, "}");
    }
}

char *
goban_measured_run_to_trace (const GobanMeasuredRun *self, gboolean has_prediction)
{
  const GobanGraph *graph = goban_run_get_graph (self->predicted);
  GString *json = g_string_new ("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [");

  write_lanes (json, self, MEASURED_PROCESS, "measured");
  if (has_prediction)
    write_lanes (json, self, PREDICTED_PROCESS, "predicted");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      write_op (json, self, v, FALSE);
      if (has_prediction)
        write_op (json, self, v, TRUE);
    }
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    write_hand_over (json, self, e);
  g_string_append (json, "\n]}\n");
  return g_string_free (json, FALSE);
}

GobanRun *
goban_measured_run_new_recorded (const GobanMeasuredRun *self, GError **error)
{
  g_autofree char *json = goban_measured_run_to_trace (self, FALSE);
  g_autofree char *name = g_strdup_printf ("%s, measured", goban_run_get_name (self->predicted));
  GobanReadOptions read = { 0 };
  GobanRunOptions options = { .name = name };
  g_autoptr (GobanGraph) graph
      = goban_format_chrome_trace.read (json, strlen (json), name, &read, error);
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  cluster = graph != NULL ? goban_cluster_new_for_graph (graph, error) : NULL;
  if (cluster == NULL)
    return NULL;
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  return goban_run_new_from_policy (costs, "recorded", &options, error);
}

/* --- the table ------------------------------------------------------------------------------- */

char *
goban_measured_run_to_csv (const GobanMeasuredRun *self)
{
  const GobanRunParts *parts = goban_run_get_parts (self->predicted);
  GString *csv = g_string_new ("node,op,device,predicted_start_us,predicted_us,measured_start_us,"
                               "measured_us,error,inside\n");

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (parts->graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (parts->graph, v);
      const GobanMeasuredOp *op = &self->ops[v];
      const double columns[]
          = { op->predicted_start_us, op->predicted_us, op->start_us, op->measured_us,
              op->measured_us > 0 ? (op->predicted_us - op->measured_us) / op->measured_us : 0 };

      goban_csv_append_text (csv, node->name);
      g_string_append_c (csv, ',');
      goban_csv_append_text (csv, node->op);
      g_string_append_c (csv, ',');
      goban_csv_append_text (
          csv,
          goban_cluster_get_device (parts->cluster, goban_plan_get_device (parts->plan, v))->name);
      goban_csv_append_rounded (csv, columns, G_N_ELEMENTS (columns));
      g_string_append_printf (csv, ",%s\n", op->is_outside ? "no" : "yes");
    }
  return g_string_free (csv, FALSE);
}
