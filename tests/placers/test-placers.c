#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/learn/roster.h"
#include "engine/placers/units.h"
#include "engine/sim/simulator.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "tests/support/trace-check.h"

#include <math.h>
#include <string.h>

/* What a search may spend on one of the many small graphs. */
#define FEW_EVALUATIONS 20
#define SOME_EVALUATIONS 300 /* until the first move is better than the start */
/* Learning takes a hundred times as long as searching: every so many graphs are enough. */
#define LEARNED_EVERY 10

/* Nodes take time on GPU and CPU; a few cannot run on one of them, a few share a device. */
static GobanGraph *
new_random_graph (GobanRng *rng, guint n_nodes)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("random", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < n_nodes; v++)
    {
      guint never = goban_rng_below (rng, 12); /* 0: on GPUs, 1: on CPUs */
      static const char *const ops[] = { "MatMul", "Add", "Shape", "Const" };

      goban_graph_builder_add_node (builder, "", ops[goban_rng_below (rng, 4)]);
      goban_graph_builder_get_node (builder, v)->param_bytes = goban_rng_below (rng, 9);
      goban_graph_builder_set_time (builder, v, "gpu",
                                    never == 0 ? (double) INFINITY : goban_rng_below (rng, 9),
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu",
                                    never == 1 ? (double) INFINITY : goban_rng_below (rng, 40),
                                    GOBAN_SOURCE_GIVEN);
      if (goban_rng_below (rng, 5) == 0)
        goban_graph_builder_set_group (builder, v, goban_rng_below (rng, n_nodes));
    }

  for (guint v = 0; v + 1 < n_nodes; v++)
    {
      guint32 tensor = goban_graph_builder_add_tensor (builder, v, goban_rng_below (rng, 20));

      for (guint i = 0; i < 2; i++)
        goban_graph_builder_add_edge (builder, tensor,
                                      v + 1 + goban_rng_below (rng, MIN (n_nodes - v - 1, 6)));
      if (goban_rng_below (rng, 6) == 0)
        goban_graph_builder_add_control_edge (builder, v, v + 1);
    }

  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* 1 to 8 devices, some of them CPUs, some short of memory. */
static GobanCluster *
new_random_cluster (GobanRng *rng)
{
  g_autoptr (GString) json = g_string_new ("{ \"devices\": [");
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;
  guint n_devices = 1 + goban_rng_below (rng, 8);

  for (guint d = 0; d < n_devices; d++)
    {
      const char *kind = goban_rng_below (rng, 3) == 0 ? "cpu" : "gpu";

      g_string_append_printf (json,
                              "%s{ \"name\": \"d%u\", \"kind\": \"%s\", \"tflops\": 1,"
                              " \"memory_bandwidth\": \"1 GB/s\", \"memory\": %s }",
                              d > 0 ? ", " : "", d, kind,
                              goban_rng_below (rng, 2) == 0 ? "60" : "\"unlimited\"");
    }
  g_string_append_printf (json,
                          "], \"contention_free\": %s, \"all_pairs\": { \"bandwidth\": 2e6 } }",
                          goban_rng_below (rng, 2) == 0 ? "true" : "false");

  cluster = goban_cluster_new_from_json (json->str, -1, "test", &error);
  g_assert_no_error (error);
  return cluster;
}

static gboolean
group_can_run (const GobanCostModel *costs, guint32 group, GobanDeviceId device)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->group == group
        && !goban_cost_model_can_run (costs, v, device))
      return FALSE;
  return TRUE;
}

/* By looking at everything: is there a device for every node and every group? */
static gboolean
is_feasible (const GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;
      gboolean found = FALSE;

      for (guint d = 0; d < n_devices && !found; d++)
        found = group == GOBAN_NO_GROUP ? goban_cost_model_can_run (costs, v, (GobanDeviceId) d)
                                        : group_can_run (costs, group, (GobanDeviceId) d);
      if (!found)
        return FALSE;
    }
  return TRUE;
}

static void
check_plan (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanTrace) trace = NULL;

  goban_plan_check (plan, costs, &error);
  g_assert_no_error (error);
  trace = goban_simulate (costs, plan);
  goban_trace_check (trace, &error);
  g_assert_no_error (error);
}

static void
check_priorities (const GobanPlan *plan)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autofree gboolean *seen = g_new0 (gboolean, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      gint32 priority = goban_plan_get_priority (plan, v);

      g_assert_cmpint (priority, >=, 0);
      g_assert_cmpint (priority, <, (gint32) n_nodes);
      g_assert_false (seen[priority]);
      seen[priority] = TRUE;
    }
}

static void
check_policy (const GobanPlacer *placer, GobanCostModel *costs)
{
  GobanPlacerOptions options = { .seed = 7, .max_evaluations = FEW_EVALUATIONS };
  g_autoptr (GError) error = NULL;
  guint64 evaluations = 0;
  g_autoptr (GobanPlan) plan = goban_placer_place (placer, costs, &options, &evaluations, &error);
  g_autoptr (GobanPlan) again = NULL;

  if (!is_feasible (costs))
    {
      g_assert_null (plan);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE);
      g_assert_nonnull (strstr (error->message, "node"));
      return;
    }

  g_assert_no_error (error);
  g_assert_cmpstr (goban_plan_get_policy (plan), ==, placer->name);
  check_plan (costs, plan);
  if (placer->effort == GOBAN_EFFORT_QUICK)
    check_priorities (plan);
  else
    g_assert_cmpuint (evaluations, <=, FEW_EVALUATIONS);
  options.seed += !placer->is_random;
  again = goban_placer_place (placer, costs, &options, &evaluations, &error);
  g_assert_no_error (error);
  g_assert_true (toy_plans_are_same (plan, again));
}

static void
test_every_plan_checks (void)
{
  guint n_cases = test_rounds (250);
  guint n_feasible = 0;
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  for (guint i = 0; i < n_cases; i++)
    {
      GobanRng rng;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCluster) cluster = NULL;
      g_autoptr (GobanCostModel) costs = NULL;

      goban_rng_init (&rng, (guint64) g_test_rand_int ());
      graph = new_random_graph (&rng, 1 + goban_rng_below (&rng, 40));
      cluster = new_random_cluster (&rng);
      costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
      n_feasible += is_feasible (costs);
      for (gsize p = 0; p < n_placers; p++)
        if (placers[p]->effort != GOBAN_EFFORT_LEARNED || i % LEARNED_EVERY == 0)
          check_policy (placers[p], costs);
    }
  g_assert_cmpuint (n_feasible, >, n_cases / 5);
  g_assert_cmpuint (n_feasible, <, n_cases);
}

/* Another seed gives another plan with the policies that say so; check_policy() has the others. */
static void
test_random_ones_draw (void)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (80, 1, "p100x4");
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  for (gsize p = 0; p < n_placers; p++)
    {
      g_autoptr (GobanPlan) first = NULL;
      gboolean is_same = TRUE;
      guint n_evaluations
          = placers[p]->effort == GOBAN_EFFORT_LEARNED ? FEW_EVALUATIONS : SOME_EVALUATIONS;

      for (guint64 seed = 1; placers[p]->is_random && is_same; seed++)
        {
          GobanPlacerOptions options = { .seed = seed, .max_evaluations = n_evaluations };
          g_autoptr (GError) error = NULL;
          g_autoptr (GobanPlan) plan
              = goban_placer_place (placers[p], costs, &options, NULL, &error);

          g_assert_no_error (error);
          is_same = first == NULL || toy_plans_are_same (first, plan);
          if (first == NULL)
            first = g_steal_pointer (&plan);
          if (seed > 20)
            g_error ("%s makes the same plan with all seeds", placers[p]->name);
        }
    }
}

static gboolean
stop_at_second (gpointer user_data)
{
  guint *n_asked = user_data;

  return ++*n_asked >= 2;
}

static void
test_every_policy_stops (void)
{
  g_autoptr (GError) spec_error = NULL;
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", &spec_error);
  g_autoptr (GobanCostModel) costs = NULL;
  GobanRng rng;

  g_assert_no_error (spec_error);
  do
    {
      g_clear_pointer (&costs, goban_cost_model_unref);
      g_clear_pointer (&graph, goban_graph_unref);
      goban_rng_init (&rng, (guint64) g_test_rand_int ());
      graph = new_random_graph (&rng, 30);
      costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
    }
  while (!is_feasible (costs));

  for (gsize p = 0; p < n_placers; p++)
    {
      g_autoptr (GError) error = NULL;
      guint n_asked = 0;
      GobanProgress progress = { .should_stop = stop_at_second, .user_data = &n_asked };
      GobanPlacerOptions options = { .progress = &progress };

      g_assert_null (goban_placer_place (placers[p], costs, &options, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
    }
}

static void
test_table (void)
{
  g_autoptr (GError) error = NULL;
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  g_assert_cmpuint (n_placers, >=, 8);
  for (guint i = 0; i < n_placers; i++)
    {
      g_assert_cmpuint (strlen (placers[i]->blurb), <, 80);
      g_assert_cmpuint (strlen (placers[i]->source), >, 0);
      g_assert_nonnull (placers[i]->about);
      g_assert_true (goban_roster_find (placers[i]->name, NULL) == placers[i]);
      g_assert_true ((placers[i]->effort == GOBAN_EFFORT_QUICK)
                     == (placers[i]->default_evaluations == 0));
    }

  g_assert_null (goban_roster_find ("hefty", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "single, "));
  g_assert_nonnull (strstr (error->message, "heft"));
}

/* Two nodes that run on different kinds only, in one group. */
static void
test_infeasible_group_is_named (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("impossible", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("cpu+gpu", &error);
  g_autoptr (GobanCostModel) costs = NULL;

  g_assert_no_error (error);
  for (guint v = 0; v < 2; v++)
    {
      goban_graph_builder_add_node (builder, v == 0 ? "first" : "second", "Task");
      goban_graph_builder_set_time (builder, v, v == 0 ? "gpu" : "cpu", 1, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, v == 0 ? "cpu" : "gpu", (double) INFINITY,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_group (builder, v, 1);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  g_assert_null (goban_units_new (costs, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE);
  g_assert_nonnull (strstr (error->message, "group of node “first”"));
}

TEST_PROGRAM (placers)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placers/table", test_table);
  g_test_add_func ("/placers/every-plan-checks", test_every_plan_checks);
  g_test_add_func ("/placers/random-ones-draw", test_random_ones_draw);
  g_test_add_func ("/placers/every-policy-stops", test_every_policy_stops);
  g_test_add_func ("/placers/infeasible-group-is-named", test_infeasible_group_is_named);
  return g_test_run ();
}
