/* The simulator against schedules that others have proved optimal. A run shorter than an
 * optimum would be a bug in the simulator, whatever made the plan. */
#include "engine/core/rng.h"
#include "engine/graph/levels.h"
#include "engine/io/io.h"
#include "engine/sim/simulator.h"
#include "tests/support/shared-data.h"
#include "tests/support/stg.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <math.h>

static GobanOutcome
evaluate_checked (GobanSimulator *simulator, GobanPlan *plan)
{
  g_autoptr (GobanTrace) trace = goban_simulator_run (simulator, plan);
  g_autoptr (GError) error = NULL;
  GobanOutcome outcome = goban_simulator_evaluate (simulator, plan);

  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (outcome.makespan_us, ==, goban_trace_get_makespan (trace));
  return outcome;
}

/* A list schedule for equal devices without transfers: nodes by falling bottom level, or in order
 * of id, each to the device on which it can start first. */
static void
place_greedily (GobanPlan *plan, const GobanCostModel *costs, const double *level)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_plan_get_n_devices (plan);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *finish_us = g_new0 (double, n_nodes);
  g_autofree double *free_us = g_new0 (double, n_devices);
  g_autofree gboolean *is_placed = g_new0 (gboolean, n_nodes);

  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId best = GOBAN_NO_NODE;
      GobanEdgeSpan inputs;
      double ready_us = 0;
      guint where = 0;

      for (guint v = 0; v < n_nodes; v++)
        if (!is_placed[v] && (best == GOBAN_NO_NODE || level[v] > level[best]))
          best = v;
      is_placed[best] = TRUE;
      inputs = goban_graph_get_in_edges (graph, best);
      for (guint k = 0; k < inputs.n; k++)
        ready_us = MAX (ready_us, finish_us[goban_graph_get_edge (graph, inputs.ids[k])->tail]);
      for (guint d = 1; d < n_devices; d++)
        if (MAX (free_us[d], ready_us) < MAX (free_us[where], ready_us))
          where = d;
      finish_us[best]
          = MAX (free_us[where], ready_us) + goban_cost_model_time_us (costs, best, where);
      free_us[where] = finish_us[best];
      goban_plan_set_device (plan, best, where);
    }
}

/* Plans of several kinds; returns the best makespan and never lets one pass under the optimum. */
static double
try_plans (GobanCostModel *costs, double optimum_us, guint64 seed)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autofree double *w = g_new (double, n_nodes);
  g_autofree double *level = g_new (double, n_nodes);
  double best_us = (double) INFINITY;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  goban_cost_model_min_times (costs, w);
  goban_graph_bottom_levels (graph, level, w, NULL);
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, n_devices);
      GobanOutcome outcome;

      goban_plan_set_order (plan, i % 4 == 3 ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
      goban_plan_set_priorities_by_key (plan, level);
      if (i < 2)
        place_greedily (plan, costs, level);
      else
        for (guint v = 0; v < n_nodes; v++)
          goban_plan_set_device (plan, v,
                                 i < 4 ? v % n_devices : goban_rng_below (&rng, n_devices));
      outcome = evaluate_checked (simulator, plan);
      g_assert_cmpfloat (outcome.makespan_us, >=, optimum_us);
      best_us = MIN (best_us, outcome.makespan_us);
    }
  return best_us;
}

static void
test_stg (void)
{
  g_autoptr (GPtrArray) cases = stg_cases_new (TRUE);
  guint n_close = 0;

  if (cases == NULL)
    return;
  for (guint i = 0; i < cases->len; i++)
    {
      const StgCase *one = cases->pdata[i];
      double best_us = try_plans (one->costs, one->least_us, i + 1);

      g_assert_cmpfloat (goban_bounds (one->costs).bound_us, <=, one->least_us * (1 + 1e-12));
      g_test_message ("%s: optimum %g, found %g", one->name, one->least_us, best_us);
      n_close += best_us <= one->least_us * 1.1;
    }
  g_assert_cmpuint (n_close, >=, 27);
}

/* --- Moirai ------------------------------------------------------------------------------ */

/* The spreadsheet's first row says 14, 14 and 16 for the devices' memory; its times are
 * milliseconds. Optimum 30 without contention within memory; the authors' schedule has 31. */
#define MOIRAI_OPTIMUM_US 30e3

static GobanCostModel *
load_moirai (void)
{
  static const char *const json = "{\"contention_free\": true, \"devices\": ["
                                  "{\"name\": \"p0\", \"kind\": \"p0\", \"tflops\": 1, "
                                  "\"memory_bandwidth\": 1, \"memory\": 14},"
                                  "{\"name\": \"p1\", \"kind\": \"p1\", \"tflops\": 1, "
                                  "\"memory_bandwidth\": 1, \"memory\": 14},"
                                  "{\"name\": \"p2\", \"kind\": \"p2\", \"tflops\": 1, "
                                  "\"memory_bandwidth\": 1, \"memory\": 16}],"
                                  "\"all_pairs\": {\"bandwidth\": 1e12}}";
  g_autofree char *path = shared_data_path ("moirai/example-1.csv");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;

  if (path == NULL)
    return NULL;
  graph = goban_graph_load (path, "moirai", NULL, &error);
  g_assert_no_error (error);
  cluster = goban_cluster_new_from_json (json, -1, "moirai", &error);
  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_CONTENTION_FREE);
}

typedef struct
{
  GobanCostModel *costs;
  GobanSimulator *simulator;
  GobanPlan *plan;
  const GobanGraph *graph;
  guint n_nodes;
  guint n_placements;
  double free_bytes[3];
  double best_us;
  GobanRng rng;
} Search;

static void
try_plan (Search *self)
{
  GobanOutcome outcome = goban_simulator_evaluate (self->simulator, self->plan);

  g_assert_cmpfloat (outcome.overflow_bytes, ==, 0);
  g_assert_cmpfloat (outcome.makespan_us, >=, MOIRAI_OPTIMUM_US);
  self->best_us = MIN (self->best_us, outcome.makespan_us);
}

/* Longest path from each node under this placement, and a few tosses around it. */
static void
try_priorities (Search *self)
{
  g_autofree double *level = g_new0 (double, self->n_nodes);

  for (guint v = self->n_nodes; v-- > 0;)
    {
      GobanEdgeSpan edges = goban_graph_get_out_edges (self->graph, v);
      GobanDeviceId here = goban_plan_get_device (self->plan, v);

      for (guint i = 0; i < edges.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, edges.ids[i]);
          GobanDeviceId there = goban_plan_get_device (self->plan, edge->head);

          level[v] = MAX (level[v], level[edge->head]
                                        + goban_cost_model_transfer_us (self->costs, edge->tensor,
                                                                        here, there));
        }
      level[v] += goban_cost_model_time_us (self->costs, v, here);
    }
  for (guint i = 0; i < 12; i++)
    {
      g_autofree double *key = g_memdup2 (level, self->n_nodes * sizeof *level);

      for (guint v = 0; v < self->n_nodes && i > 0; v++)
        key[v] += 1500.0 * i * goban_rng_uniform (&self->rng);
      goban_plan_set_priorities_by_key (self->plan, key);
      try_plan (self);
    }
}

/* Every placement within memory. All of it is needed, 44 of 44, so there are few. */
static void
place_from (Search *self, GobanNodeId v)
{
  double param_bytes;

  if (v == self->n_nodes)
    {
      self->n_placements++;
      try_priorities (self);
      return;
    }
  param_bytes = goban_cost_model_param_bytes (self->costs, v);
  /* The virtual first and last tasks take nothing anywhere. */
  for (guint d = 0; d < (param_bytes > 0 ? 3 : 1); d++)
    if (param_bytes <= self->free_bytes[d])
      {
        goban_plan_set_device (self->plan, v, d);
        self->free_bytes[d] -= param_bytes;
        place_from (self, v + 1);
        self->free_bytes[d] += param_bytes;
      }
}

static void
test_moirai (void)
{
  g_autoptr (GobanCostModel) costs = load_moirai ();
  g_autoptr (GobanSimulator) simulator = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  Search search = { .costs = costs, .free_bytes = { 14, 14, 16 }, .best_us = 1e9 };

  if (costs == NULL)
    return;
  search.graph = goban_cost_model_get_graph (costs);
  search.n_nodes = goban_graph_get_n_nodes (search.graph);
  search.simulator = simulator = goban_simulator_new (costs);
  search.plan = plan = goban_plan_new (search.graph, 3);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_rng_init (&search.rng, 1);
  place_from (&search, 0);
  g_test_message ("%u placements fit; optimum %g µs, found %g µs", search.n_placements,
                  MOIRAI_OPTIMUM_US, search.best_us);
  g_assert_cmpfloat (search.best_us, <=, 31e3);
  g_assert_cmpfloat (goban_bounds (costs).bound_us, <=, MOIRAI_OPTIMUM_US);
}

TEST_PROGRAM (literature)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/literature/stg", test_stg);
  g_test_add_func ("/sim/literature/moirai", test_moirai);
  return g_test_run ();
}
