#include "engine/study/measure/calibration.h"

#include "engine/core/json-text.h"
#include "engine/graph/graph-times.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/study/measure/machine.h"
#include "engine/study/measure/timing.h"

#include <math.h>

#define KIND "cpu"
/* Kernels are timed in whole microseconds. */
#define CLOCK_US 1.0

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
  if (n_cores > 1 && !goban_hand_over_measure (&self->hand_over, ort, options, error))
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
