/* The model msr-latency: by hand, against a twin, and against published figures. */
#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/io/io.h"
#include "engine/learn/roster.h"
#include "engine/placers/units.h"
#include "engine/sim/blocks.h"
#include "engine/sim/simulator.h"
#include "engine/sim/trace-check.h"
#include "tests/sim/random-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define US_PER_MS 1e3

/* --- the twin ---------------------------------------------------------------------------- */

/* When the node's tensors are out, straight from the rules; INFINITY where that depends on
 * itself. */
typedef struct
{
  const GobanCostModel *costs;
  const GobanPlan *plan;
  const GobanGraph *graph;
  guint8 *is_asked; /* (n_nodes) */
} Twin;

static gboolean
is_cpu (const Twin *self, GobanDeviceId d)
{
  return strcmp (goban_cluster_get_device (goban_cost_model_get_cluster (self->costs), d)->kind,
                 "cpu")
         == 0;
}

static GobanDeviceId
find_memory (const Twin *self)
{
  GobanDeviceId d = 0;

  while (!is_cpu (self, d))
    d++;
  return d;
}

static GobanDeviceId
device_of (const Twin *self, GobanNodeId v)
{
  return goban_plan_get_device (self->plan, v);
}

static double out_us (Twin *self, GobanNodeId v);

static double
block_us (Twin *self, GobanDeviceId d)
{
  GobanDeviceId memory = find_memory (self);
  double start_us = 0;
  double sum_us = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (device_of (self, v) == d)
      sum_us += goban_cost_model_time_us (self->costs, v, d);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      GobanNodeId producer = goban_graph_get_tensor (self->graph, t)->producer;
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (self->graph, t);
      gboolean is_read_here = FALSE, is_read_elsewhere = FALSE;

      for (guint i = 0; i < edges.n; i++)
        if (device_of (self, goban_graph_get_edge (self->graph, edges.ids[i])->head) == d)
          is_read_here = TRUE;
        else
          is_read_elsewhere = TRUE;
      if (device_of (self, producer) == d && is_read_elsewhere)
        sum_us += goban_cost_model_transfer_us (self->costs, t, d, memory);
      if (device_of (self, producer) != d && is_read_here)
        {
          sum_us += goban_cost_model_transfer_us (self->costs, t, memory, d);
          start_us = fmax (start_us, out_us (self, producer));
        }
    }
  return start_us + sum_us;
}

static double
out_us (Twin *self, GobanNodeId v)
{
  GobanDeviceId d = device_of (self, v);
  GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);
  double start_us = 0;

  if (self->is_asked[v])
    return (double) INFINITY;
  self->is_asked[v] = TRUE;
  if (!is_cpu (self, d))
    {
      /* All of a block are asked at once. */
      for (GobanNodeId w = 0; w < goban_graph_get_n_nodes (self->graph); w++)
        self->is_asked[w] |= device_of (self, w) == d ? 2 : 0;
      start_us = block_us (self, d);
      for (GobanNodeId w = 0; w < goban_graph_get_n_nodes (self->graph); w++)
        if (device_of (self, w) == d)
          self->is_asked[w] = FALSE;
      return start_us;
    }
  for (guint i = 0; i < inputs.n; i++)
    start_us
        = fmax (start_us, out_us (self, goban_graph_get_edge (self->graph, inputs.ids[i])->tail));
  self->is_asked[v] = FALSE;
  return start_us + goban_cost_model_time_us (self->costs, v, d);
}

static double
twin_makespan_us (const GobanCostModel *costs, const GobanPlan *plan)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autofree guint8 *is_asked = g_new0 (guint8, goban_graph_get_n_nodes (graph) + 1);
  Twin twin = { costs, plan, graph, is_asked };
  double end_us = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    end_us = fmax (end_us, out_us (&twin, v));
  return end_us;
}

/* --- random runs ------------------------------------------------------------------------- */

static gboolean
has_cpu (const GobanCluster *cluster)
{
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    if (strcmp (goban_cluster_get_device (cluster, d)->kind, "cpu") == 0)
      return TRUE;
  return FALSE;
}

static void
use_small_cluster (RandomRun *run, guint seed)
{
  g_autoptr (GError) error = NULL;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  g_clear_pointer (&run->cluster, goban_cluster_unref);
  g_clear_pointer (&run->costs, goban_cost_model_unref);
  g_clear_pointer (&run->plan, goban_plan_unref);
  run->cluster = goban_cluster_new_from_spec ("msr:2,memory=6", &error);
  g_assert_no_error (error);
  run->costs = goban_cost_model_new (run->graph, run->cluster, GOBAN_EXECUTION_EVENTS);
  run->plan = random_plan (run->costs, &rng);
}

static void
test_random_runs (void)
{
  guint n_valid = 0, n_broken = 0, n_full = 0;

  for (guint seed = 0; seed < 600; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GobanSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      GobanOutcome outcome;
      double twin_us;

      random_run_init (&run, 1 + seed % 8, seed);
      if (seed % 3 == 0)
        use_small_cluster (&run, seed);
      costs = goban_cost_model_new (run.graph, run.cluster, GOBAN_EXECUTION_BLOCKS);
      simulator = goban_simulator_new (costs);
      trace = goban_simulator_run (simulator, run.plan);
      outcome = goban_simulator_evaluate (simulator, run.plan);
      goban_trace_check (trace, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (outcome.makespan_us, ==, goban_trace_get_makespan (trace));
      g_assert_cmpfloat (outcome.overflow_bytes, ==, goban_trace_get_overflow_bytes (trace));
      if (!has_cpu (run.cluster))
        {
          g_assert_nonnull (strstr (goban_trace_get_why (trace), "cpu"));
          continue;
        }
      g_assert_true (goban_trace_is_valid (trace) == (outcome.overflow_bytes <= 0));
      twin_us = twin_makespan_us (costs, run.plan);
      g_assert_true (isinf (twin_us) == (outcome.overflow_bytes >= SIM_PIECE_BYTES));
      if (isinf (twin_us))
        n_broken++;
      else
        g_assert_cmpfloat_with_epsilon (twin_us, outcome.makespan_us, 1e-9 * (1 + twin_us));
      n_full += goban_trace_get_out_of_memory (trace) != NULL;
      n_valid += goban_trace_is_valid (trace);
    }
  g_assert_cmpuint (n_valid, >, 60);
  g_assert_cmpuint (n_broken, >, 40);
  g_assert_cmpuint (n_full, >, 10);
}

/* --- by hand ----------------------------------------------------------------------------- */

/* a -> b -> c and a -> c; 10 us each on a CPU and 2 on an accelerator, 1 us to move. */
static GobanCostModel *
new_triangle (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("triangle", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("msr:2,memory=1000", &error);
  static const char *const names[] = { "a", "b", "c" };

  g_assert_no_error (error);
  for (guint v = 0; v < 3; v++)
    {
      goban_graph_builder_add_node (builder, names[v], "Task");
      goban_graph_builder_get_node (builder, v)->param_bytes = 400;
      goban_graph_builder_set_time (builder, v, "cpu", 10, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "gpu", 2, GOBAN_SOURCE_GIVEN);
    }
  for (guint v = 0; v < 3; v++)
    {
      guint32 tensor = goban_graph_builder_add_tensor (builder, v, 8);

      goban_graph_builder_set_transfer (builder, tensor, "cpu", "gpu", 1);
      goban_graph_builder_set_transfer (builder, tensor, "gpu", "cpu", 1);
      for (guint w = v + 1; w < 3; w++)
        goban_graph_builder_add_edge (builder, tensor, w);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_BLOCKS);
}

static GobanTrace *
run_on (GobanCostModel *costs, GobanDeviceId a, GobanDeviceId b, GobanDeviceId c)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 3);

  goban_plan_set_device (plan, 0, a);
  goban_plan_set_device (plan, 1, b);
  goban_plan_set_device (plan, 2, c);
  return goban_simulate (costs, plan);
}

static void
test_by_hand (void)
{
  static const struct
  {
    GobanDeviceId on[3];
    double makespan_us;
  } cases[] = {
    { { 2, 2, 2 }, 30 }, { { 0, 0, 2 }, 16 }, /* 2 + 2, two tensors out, 10 */
    { { 2, 0, 0 }, 15 },                      /* 10, one in though two read it, 2 + 2 */
    { { 0, 0, 1 }, 10 },                      /* 4 + 2 out, 2 in + 2 */
    { { 0, 2, 1 }, 17 },                      /* 2 and out at 3; 13; two in, 2 */
  };
  g_autoptr (GobanCostModel) costs = new_triangle ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanTrace) trace = run_on (costs, cases[i].on[0], cases[i].on[1], cases[i].on[2]);

      g_assert_cmpstr (goban_trace_get_why (trace), ==, "");
      g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, cases[i].makespan_us);
    }
}

static void
test_why (void)
{
  g_autoptr (GobanCostModel) costs = new_triangle ();
  g_autoptr (GobanTrace) broken = run_on (costs, 0, 1, 0);
  g_autoptr (GobanTrace) full = run_on (costs, 0, 0, 0);

  g_assert_cmpstr (
      goban_trace_get_why (broken), ==,
      "the ops of gpu:0 are not a block, since a path leaves it and comes back: “c” on "
      "gpu:0 waits for “b” on gpu:1, “b” on gpu:1 waits for “a” on gpu:0");
  g_assert_nonnull (goban_trace_get_ops (broken));
  g_assert_nonnull (strstr (goban_trace_get_why (full), "gpu:0"));
  g_assert_nonnull (goban_trace_get_out_of_memory (full));
}

/* --- figures ----------------------------------------------------------------------------- */

static GobanCostModel *
load_msr (const char *name, const char *cluster_spec)
{
  g_autofree char *path = shared_data_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;

  if (path == NULL)
    return NULL;
  graph = goban_graph_load (path, "msr", NULL, &error);
  g_assert_no_error (error);
  cluster = goban_cluster_new_from_spec (
      cluster_spec != NULL ? cluster_spec : goban_graph_get_cluster_spec (graph), &error);
  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_BLOCKS);
}

static double
makespan_ms (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
  g_autoptr (GError) error = NULL;

  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_trace_get_why (trace), ==, "");
  return goban_trace_get_makespan (trace) / US_PER_MS;
}

static double
all_on_cpu_ms (GobanCostModel *costs)
{
  guint n = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), n);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, n - 1);
  return makespan_ms (costs, plan);
}

static double
place_ms (GobanCostModel *costs, const char *policy, guint64 max_evaluations, double *bound_ms)
{
  GobanPlacerOptions options = { .seed = 0, .max_evaluations = max_evaluations };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (goban_roster_find (policy, NULL), costs, &options, NULL, &error);

  g_assert_no_error (error);
  if (bound_ms != NULL)
    *bound_ms = goban_plan_get_proven_bound_us (plan, costs) / US_PER_MS;
  return makespan_ms (costs, plan);
}

/* The authors' greedy: accelerators are filled one after the other in topological order, units
 * that no longer fit the last go to the CPUs. */
static double
fill_ms (GobanCostModel *costs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = goban_units_new (costs, &error);
  GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  GobanDeviceId cpu = units->n_devices - 1;
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, units->n_units);
  g_autoptr (GobanPlan) plan = NULL;
  GobanDeviceId d = 0;
  double held_bytes = 0;

  for (guint u = 0; u < units->n_units; u++)
    {
      if (d < cpu
          && held_bytes + units->param_bytes[u]
                 > goban_cluster_get_device (cluster, d)->memory_bytes)
        {
          d++;
          held_bytes = 0;
        }
      held_bytes += units->param_bytes[u];
      devices[u] = d;
    }
  plan = goban_units_new_plan (units, devices);
  return makespan_ms (costs, plan);
}

static void
test_layers (void)
{
  g_autoptr (GobanCostModel) costs = load_msr ("msr/latency-layer-bert24_inference.json", NULL);
  double bound_ms, exact_ms;

  if (costs == NULL)
    return;
  g_assert_cmpuint (goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)), ==, 6);
  g_assert_cmpfloat_with_epsilon (all_on_cpu_ms (costs), 924.1, 0.05);
  g_assert_cmpfloat_with_epsilon (goban_bounds (costs).bound_us / US_PER_MS, 92.41, 0.005);
  g_assert_cmpfloat_with_epsilon (fill_ms (costs), 100.22, 0.005);
  g_assert_cmpfloat (place_ms (costs, "local-search", 0, NULL), <=, 100.22);
  exact_ms = place_ms (costs, "exact", 0, &bound_ms);
  g_assert_cmpfloat_with_epsilon (exact_ms, 100.22, 0.005);
  g_assert_cmpfloat (exact_ms, ==, bound_ms);
}

static void
test_ops (void)
{
  g_autoptr (GobanCostModel) costs = load_msr ("msr/latency-op-bert_l-3_inference.json", NULL);

  if (costs == NULL)
    return;
  g_assert_cmpfloat_with_epsilon (all_on_cpu_ms (costs), 1099.9, 0.05);
  g_assert_cmpfloat_with_epsilon (goban_bounds (costs).bound_us / US_PER_MS, 47.82, 0.005);
  g_assert_cmpfloat (place_ms (costs, "local-search", 40000, NULL), <=, 414.44);
}

/* The authors' split of the same layers; it wants six accelerators. */
static void
test_expert (void)
{
  g_autoptr (GobanCostModel) costs
      = load_msr ("msr/latency-layer-bert24_inference.json", "msr:6,memory=600MiB");
  g_autofree char *path = shared_data_path ("msr/bert24_inference_expert.json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GobanPlan) plan = NULL;
  GobanGraph *graph;
  JsonArray *blocks;

  if (costs == NULL || path == NULL)
    return;
  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  blocks = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                         "fpgas");
  graph = goban_cost_model_get_graph (costs);
  plan = goban_plan_new (graph, 7);
  for (guint d = 0; d < json_array_get_length (blocks); d++)
    {
      JsonArray *nodes
          = json_object_get_array_member (json_array_get_object_element (blocks, d), "nodes");

      for (guint i = 0; i < json_array_get_length (nodes); i++)
        {
          g_autofree char *name
              = g_strdup_printf ("node%" G_GINT64_FORMAT, json_array_get_int_element (nodes, i));

          goban_plan_set_device (plan, goban_graph_find_node (graph, name), d);
        }
    }
  g_assert_cmpfloat_with_epsilon (makespan_ms (costs, plan), 111.94, 0.005);
}

TEST_PROGRAM (blocks)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/blocks/by-hand", test_by_hand);
  g_test_add_func ("/sim/blocks/says-which-path-breaks-a-block", test_why);
  g_test_add_func ("/sim/blocks/random-runs-as-the-rules-say", test_random_runs);
  g_test_add_func ("/sim/blocks/figures-of-bert24-by-layer", test_layers);
  g_test_add_func ("/sim/blocks/figures-of-bert3-by-op", test_ops);
  g_test_add_func ("/sim/blocks/figure-of-the-expert", test_expert);
  return g_test_run ();
}
