#include "engine/study/measure/measured-run.h"

#include "engine/core/csv-text.h"
#include "engine/core/json-text.h"
#include "engine/graph/graph-times.h"
#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-model.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/study/measure/machine.h"
#include "engine/study/measure/ort.h"
#include "engine/study/measure/timing.h"
#include "engine/study/run/policy-run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND "cpu"
/* Kernels are timed in whole microseconds. */
#define CLOCK_US 1.0

#define CHAIN 24
#define N_PROBE_RUNS 30
#define MOST_US 1e6
#define NAME_LENGTH 16
#define IR_VERSION 8
#define OPSET 13

/* Elements of four bytes: sizes from within a cache line to beyond a core's cache. */
static const gint64 n_elements[GOBAN_N_HAND_OVER_PROBES] = { 16, 16384, 131072, 786432 };

/* --- hand-overs: models of probes ------------------------------------------------------------ */

/* A chain x0 -> Relu -> x1 -> Relu -> x2 ... of vectors. */
static GBytes *
make_model (gint64 n)
{
  char names[CHAIN + 1][NAME_LENGTH], *name_of[CHAIN + 1];
  Onnx__NodeProto nodes[CHAIN], *node_list[CHAIN];
  Onnx__TensorShapeProto__Dimension dim = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT;
  Onnx__TensorShapeProto__Dimension *dims[] = { &dim };
  Onnx__TensorShapeProto shape = ONNX__TENSOR_SHAPE_PROTO__INIT;
  Onnx__TypeProto__Tensor tensor = ONNX__TYPE_PROTO__TENSOR__INIT;
  Onnx__TypeProto type = ONNX__TYPE_PROTO__INIT;
  Onnx__ValueInfoProto input = ONNX__VALUE_INFO_PROTO__INIT, *inputs[] = { &input };
  Onnx__ValueInfoProto output = ONNX__VALUE_INFO_PROTO__INIT, *outputs[] = { &output };
  Onnx__OperatorSetIdProto opset = ONNX__OPERATOR_SET_ID_PROTO__INIT, *opsets[] = { &opset };
  Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
  Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;

  for (guint i = 0; i <= CHAIN; i++)
    {
      g_snprintf (names[i], NAME_LENGTH, "x%u", i);
      name_of[i] = names[i];
    }
  for (guint i = 0; i < CHAIN; i++)
    {
      nodes[i] = (Onnx__NodeProto) ONNX__NODE_PROTO__INIT;
      nodes[i].name = name_of[i + 1];
      nodes[i].op_type = (char *) "Relu";
      nodes[i].n_input = nodes[i].n_output = 1;
      nodes[i].input = &name_of[i];
      nodes[i].output = &name_of[i + 1];
      node_list[i] = &nodes[i];
    }
  dim.value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
  dim.dim_value = n;
  shape.n_dim = 1;
  shape.dim = dims;
  tensor.has_elem_type = TRUE;
  tensor.elem_type = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
  tensor.shape = &shape;
  type.value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  type.tensor_type = &tensor;
  input.name = name_of[0];
  output.name = name_of[CHAIN];
  input.type = output.type = &type;
  graph.name = (char *) "probe";
  graph.n_node = CHAIN;
  graph.node = node_list;
  graph.n_input = graph.n_output = 1;
  graph.input = inputs;
  graph.output = outputs;
  opset.has_version = model.has_ir_version = TRUE;
  opset.version = OPSET;
  model.ir_version = IR_VERSION;
  model.n_opset_import = 1;
  model.opset_import = opsets;
  model.graph = &graph;
  return goban_onnx_pack (&model);
}

/* From core to core. (transfer full) */
static GobanSegments *
alternate (GobanGraph *graph, GError **error)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;

  if (cluster == NULL)
    return NULL;
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, 2);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) (v % 2));
  run = goban_run_new (costs, plan, "probe");
  return goban_segments_new (run, error);
}

static GobanTiming *
time_chain (GobanOrt *ort, GobanModelParts *parts, const GobanSegments *segments,
            const GobanTimingOptions *like, GError **error)
{
  GobanTimingOptions options = *like;

  options.n_runs = N_PROBE_RUNS;
  options.most_us = MOST_US;
  options.has_kernels = FALSE;
  return goban_timing_new (ort, parts, segments, &options, error);
}

static gboolean
probe (GobanHandOverProbe *self, GobanOrt *ort, gint64 n, const GobanTimingOptions *options,
       GError **error)
{
  g_autoptr (GBytes) model = make_model (n);
  GobanReadOptions read = { .progress = options->progress };
  gsize size;
  const char *data = g_bytes_get_data (model, &size);
  g_autoptr (GobanGraph) graph = goban_format_onnx.read (data, size, "probe", &read, error);
  g_autoptr (GobanModelParts) parts = NULL;
  g_autoptr (GobanSegments) alone = NULL;
  g_autoptr (GobanSegments) apart = NULL;
  g_autoptr (GobanTiming) base = NULL;
  g_autoptr (GobanTiming) timing = NULL;

  parts = graph != NULL ? goban_model_parts_new_from_bytes (model, "probe", graph, 0, error) : NULL;
  if (parts == NULL)
    return FALSE;
  alone = goban_segments_new_single (graph);
  apart = alternate (graph, error);
  base = apart != NULL ? time_chain (ort, parts, alone, options, error) : NULL;
  timing = base != NULL ? time_chain (ort, parts, apart, options, error) : NULL;
  if (timing == NULL)
    return FALSE;
  for (guint i = 0; i < timing->n_runs; i++)
    timing->makespans_us[i]
        = (timing->makespans_us[i] - base->makespan_us.median) / apart->n_hand_overs;
  self->bytes = (double) n * (double) sizeof (float);
  self->us = goban_spread_new (timing->makespans_us, timing->n_runs);
  return TRUE;
}

/* Latency and bandwidth from the probes. */
static void
fit (GobanHandOver *self)
{
  double x[GOBAN_N_HAND_OVER_PROBES], y[GOBAN_N_HAND_OVER_PROBES], slope, intercept;

  for (guint i = 0; i < GOBAN_N_HAND_OVER_PROBES; i++)
    {
      x[i] = self->probes[i].bytes;
      y[i] = self->probes[i].us.median;
    }
  goban_fit_line (x, y, GOBAN_N_HAND_OVER_PROBES, &slope, &intercept);
  /* The smallest probe is pure latency, for which the fitted line is less exact. */
  self->latency_us = MAX (y[0], 0);
  self->bytes_per_us = slope > 0 ? 1 / slope : (double) INFINITY;
}

static gboolean
measure_hand_overs (GobanHandOver *self, GobanOrt *ort, const GobanTimingOptions *options,
                    GError **error)
{
  for (guint i = 0; i < GOBAN_N_HAND_OVER_PROBES; i++)
    if (!probe (&self->probes[i], ort, n_elements[i], options, error))
      return FALSE;
  fit (self);
  return TRUE;
}

/* --- ops ------------------------------------------------------------------------------------- */

static void
take_times (GobanCalibration *self, const GobanTiming *timing, guint n_nodes)
{
  guint n_kernels = 0;

  self->n_runs = timing->n_runs;
  self->single_us = timing->makespan_us;
  self->kernel_us = g_memdup2 (timing->kernels_us, n_nodes * sizeof *timing->kernels_us);
  for (guint v = 0; v < n_nodes; v++)
    if (!isnan (self->kernel_us[v].median))
      {
        self->kernels_us += self->kernel_us[v].median;
        n_kernels++;
      }
  self->dispatch_us
      = n_kernels > 0 ? MAX (self->single_us.median - self->kernels_us, 0) / n_kernels : 0;
}

/* The costs of all ops add up to the time of the whole model. */
static double
get_cost (const GobanCalibration *self, GobanNodeId v)
{
  double scale
      = self->kernels_us > self->single_us.median ? self->single_us.median / self->kernels_us : 1;

  if (isnan (self->kernel_us[v].median))
    return 0;
  return self->kernel_us[v].median * scale + self->dispatch_us;
}

static gboolean
make_graph (GobanCalibration *self, const GobanGraph *graph, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree GobanNodeTime *times = g_new (GobanNodeTime, n_nodes + 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    times[v] = (GobanNodeTime){ v, KIND, get_cost (self, v) };
  self->graph = goban_graph_new_with_times (graph, times, n_nodes, NULL, error);
  return self->graph != NULL;
}

/* Costs of the model's own graph with the same times, so that its plans suit every reader of the
 * file. */
static GobanCostModel *
make_costs (const GobanCalibration *self, GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *times_us = g_new (double, n_nodes + 1);
  g_autoptr (GobanGivenTimes) times = NULL;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    times_us[v] = get_cost (self, v);
  times = goban_given_times_new (KIND, times_us, n_nodes);
  return goban_cost_model_new_given (graph, self->cluster, GOBAN_EXECUTION_EVENTS, times);
}

/* --- the cluster ----------------------------------------------------------------------------- */

/* Speeds that the model has reached here: they are used for ops without times alone. */
static void
find_speeds (const GobanCalibration *self, double *flops_per_us, double *bytes_per_us)
{
  double flops = 0, bytes = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (self->graph, v);

      flops += node->flops;
      bytes += node->read_bytes + node->written_bytes;
    }
  *flops_per_us = flops > 0 && self->kernels_us > 0 ? flops / self->kernels_us : 1;
  *bytes_per_us = bytes > 0 && self->kernels_us > 0 ? bytes / self->kernels_us : 1;
}

static void
add_devices (GString *json, const GobanCalibration *self)
{
  double flops_per_us, bytes_per_us;

  find_speeds (self, &flops_per_us, &bytes_per_us);
  goban_json_append_key (json, "devices");
  for (guint i = 0; i < self->n_cores; i++)
    {
      g_autofree char *name = g_strdup_printf (KIND ":%u", i);

      g_string_append (json, i > 0 ? ",\n  {" : "[\n  {");
      goban_json_add_string (json, "name", name);
      goban_json_add_string (json, "kind", KIND);
      goban_json_add_number (json, "flops_per_us", flops_per_us);
      goban_json_add_number (json, "memory_bytes_per_us", bytes_per_us);
      goban_json_add_string (json, "memory", "unlimited");
      goban_json_add_number (json, "launch", self->dispatch_us);
      g_string_append (json, "}");
    }
  g_string_append (json, "]");
}

static void
add_links (GString *json, const GobanCalibration *self)
{
  goban_json_begin (json, "all_pairs", '{');
  goban_json_add_number (json, "latency", self->hand_over.latency_us);
  if (isfinite (self->hand_over.bytes_per_us))
    goban_json_add_number (json, "bytes_per_us", self->hand_over.bytes_per_us);
  else
    goban_json_add_string (json, "bandwidth", "unlimited");
  g_string_append (json, "}");
}

static gboolean
make_cluster (GobanCalibration *self, GError **error)
{
  g_autofree char *processor = goban_machine_dup_name ();
  g_autofree char *name = g_strdup_printf ("%u cores of %s", self->n_cores, processor);
  g_autoptr (GString) json = g_string_new ("{");

  goban_json_add_string (json, "name", name);
  goban_json_add_boolean (json, "contention_free", TRUE);
  add_devices (json, self);
  if (self->n_cores > 1)
    add_links (json, self);
  g_string_append (json, "}\n");
  self->cluster
      = goban_cluster_new_from_json (json->str, (gssize) json->len, "measured cluster", error);
  return self->cluster != NULL;
}

/* --- both ------------------------------------------------------------------------------------ */

GobanCalibration *
goban_calibration_new (GobanOrt *ort, GobanModelParts *parts, guint n_cores,
                       const GobanTimingOptions *options, GError **error)
{
  g_autoptr (GobanCalibration) self = g_new0 (GobanCalibration, 1);
  GobanGraph *graph = goban_model_parts_get_graph (parts);
  g_autoptr (GobanSegments) single = goban_segments_new_single (graph);
  g_autoptr (GobanTiming) timing = goban_timing_new (ort, parts, single, options, error);

  if (timing == NULL)
    return NULL;
  self->n_cores = n_cores;
  self->hand_over.bytes_per_us = INFINITY;
  take_times (self, timing, goban_graph_get_n_nodes (graph));
  if (n_cores > 1 && !measure_hand_overs (&self->hand_over, ort, options, error))
    return NULL;
  if (!make_graph (self, graph, error) || !make_cluster (self, error))
    return NULL;
  self->costs = make_costs (self, graph);
  return g_steal_pointer (&self);
}

void
goban_calibration_free (GobanCalibration *self)
{
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_free (self->kernel_us);
  g_free (self);
}

gboolean
goban_calibration_covers (const GobanCalibration *self, GobanNodeId node, double kernel_us)
{
  const GobanSpread *spread = &self->kernel_us[node];

  return kernel_us >= spread->low - CLOCK_US && kernel_us <= spread->high + CLOCK_US;
}

char *
goban_calibration_to_costs (const GobanCalibration *self)
{
  GString *json = g_string_new ("[");

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (self->graph, v);
      g_autofree char *name = g_strconcat (node->name, "_kernel_time", NULL);

      g_string_append (json, v > 0 ? ",\n{" : "\n{");
      goban_json_add_string (json, "cat", "Node");
      goban_json_add_string (json, "name", name);
      goban_json_add_string (json, "ph", "X");
      /* The same in all files, so that only times differ between two of them. */
      goban_json_add_number (json, "ts", 0);
      goban_json_add_number (json, "dur", round (get_cost (self, v) * 1e3) / 1e3);
      g_string_append (json, ", \"args\": {");
      goban_json_add_string (json, "op_name", node->op);
      goban_json_add_string (json, "provider", "CPUExecutionProvider");
      if (!isnan (self->kernel_us[v].median))
        {
          goban_json_add_number (json, "low_us", self->kernel_us[v].low);
          goban_json_add_number (json, "high_us", self->kernel_us[v].high);
        }
      g_string_append (json, "}}");
    }
  g_string_append (json, "\n]\n");
  return g_string_free (json, FALSE);
}

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
