#include "engine/study/measure/calibration.h"

#include "engine/core/json-text.h"
#include "engine/graph/graph-times.h"
#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-model.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/study/measure/machine.h"
#include "engine/study/measure/ort.h"
#include "engine/study/measure/timing.h"

#include <math.h>
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

/* A chain x0 -> Relu -> x1 -> Relu -> x2 ... of vectors, and all memory of its message. */
typedef struct
{
  char names[CHAIN + 1][NAME_LENGTH];
  char *name_of[CHAIN + 1];
  Onnx__NodeProto nodes[CHAIN];
  Onnx__NodeProto *node_list[CHAIN];
  Onnx__TensorShapeProto__Dimension dim;
  Onnx__TensorShapeProto__Dimension *dim_list[1];
  Onnx__TensorShapeProto shape;
  Onnx__TypeProto__Tensor tensor;
  Onnx__TypeProto type;
  Onnx__ValueInfoProto input, output;
  Onnx__ValueInfoProto *input_list[1], *output_list[1];
  Onnx__OperatorSetIdProto opset;
  Onnx__OperatorSetIdProto *opset_list[1];
  Onnx__GraphProto graph;
  Onnx__ModelProto model;
} Chain;

static void
make_nodes (Chain *self)
{
  for (guint i = 0; i <= CHAIN; i++)
    {
      g_snprintf (self->names[i], NAME_LENGTH, "x%u", i);
      self->name_of[i] = self->names[i];
    }
  for (guint i = 0; i < CHAIN; i++)
    {
      Onnx__NodeProto *node = &self->nodes[i];

      onnx__node_proto__init (node);
      node->name = self->name_of[i + 1];
      node->op_type = (char *) "Relu";
      node->n_input = node->n_output = 1;
      node->input = &self->name_of[i];
      node->output = &self->name_of[i + 1];
      self->node_list[i] = node;
    }
}

static void
make_type (Chain *self, gint64 n)
{
  onnx__tensor_shape_proto__dimension__init (&self->dim);
  self->dim.value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
  self->dim.dim_value = n;
  self->dim_list[0] = &self->dim;
  onnx__tensor_shape_proto__init (&self->shape);
  self->shape.n_dim = 1;
  self->shape.dim = self->dim_list;
  onnx__type_proto__tensor__init (&self->tensor);
  self->tensor.has_elem_type = TRUE;
  self->tensor.elem_type = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
  self->tensor.shape = &self->shape;
  onnx__type_proto__init (&self->type);
  self->type.value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  self->type.tensor_type = &self->tensor;
}

static void
make_ends (Chain *self)
{
  onnx__value_info_proto__init (&self->input);
  onnx__value_info_proto__init (&self->output);
  self->input.name = self->name_of[0];
  self->output.name = self->name_of[CHAIN];
  self->input.type = self->output.type = &self->type;
  self->input_list[0] = &self->input;
  self->output_list[0] = &self->output;
}

static GBytes *
make_model (gint64 n)
{
  g_autofree Chain *self = g_new0 (Chain, 1);

  make_nodes (self);
  make_type (self, n);
  make_ends (self);
  onnx__graph_proto__init (&self->graph);
  self->graph.name = (char *) "probe";
  self->graph.n_node = CHAIN;
  self->graph.node = self->node_list;
  self->graph.n_input = self->graph.n_output = 1;
  self->graph.input = self->input_list;
  self->graph.output = self->output_list;
  onnx__operator_set_id_proto__init (&self->opset);
  self->opset.has_version = TRUE;
  self->opset.version = OPSET;
  self->opset_list[0] = &self->opset;
  onnx__model_proto__init (&self->model);
  self->model.has_ir_version = TRUE;
  self->model.ir_version = IR_VERSION;
  self->model.n_opset_import = 1;
  self->model.opset_import = self->opset_list;
  self->model.graph = &self->graph;
  return goban_onnx_pack (&self->model);
}

/* --- hand-overs: probes ---------------------------------------------------------------------- */

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
  goban_json_append_key (json, "all_pairs");
  g_string_append (json, "{");
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
