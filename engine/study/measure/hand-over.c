#include "engine/study/measure/hand-over.h"

#include "engine/io/formats.h"
#include "engine/io/onnx/onnx-model.h"
#include "engine/study/measure/ort.h"
#include "engine/study/measure/timing.h"

#include <math.h>
#include <string.h>

#define CHAIN 24
#define N_RUNS 30
#define MOST_US 1e6
#define NAME_LENGTH 16
#define IR_VERSION 8
#define OPSET 13

/* Elements of four bytes: sizes from within a cache line to beyond a core's cache. */
static const gint64 n_elements[GOBAN_N_HAND_OVER_PROBES] = { 16, 16384, 131072, 786432 };

/* --- the model ------------------------------------------------------------------------------- */

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

/* --- probes ---------------------------------------------------------------------------------- */

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

  options.n_runs = N_RUNS;
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

gboolean
goban_hand_over_measure (GobanHandOver *self, GobanOrt *ort, const GobanTimingOptions *options,
                         GError **error)
{
  for (guint i = 0; i < GOBAN_N_HAND_OVER_PROBES; i++)
    if (!probe (&self->probes[i], ort, n_elements[i], options, error))
      return FALSE;
  fit (self);
  return TRUE;
}
