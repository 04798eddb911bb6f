/* test-placeto.c: Placeto finds what pays, one group after another, and never loses its start. */
#include "engine/graph/graph-builder.h"
#include "engine/learn/rl/baselines/group-graph.h"
#include "engine/learn/rl/policies.h"
#include "engine/learn/roster.h"
#include "engine/sim/simulator.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

#define CHAIN 6

static double
makespan_of (GobanCostModel *costs, guint64 seed, guint64 n_evaluations)
{
  GobanPlacerOptions options = { .seed = seed, .max_evaluations = n_evaluations };
  g_autoptr (GError) error = NULL;
  guint64 evaluations = 0;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (&goban_placer_placeto, costs, &options, &evaluations, &error);
  g_autoptr (GobanTrace) trace = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (evaluations, ==, n_evaluations);
  trace = goban_simulate (costs, plan);
  return goban_trace_get_makespan (trace);
}

static void
test_finds_the_two_chains (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=200MB/s");

  for (guint64 seed = 1; seed <= test_rounds (3); seed++)
    g_assert_cmpfloat (makespan_of (costs, seed, 3000), ==, 10 * CHAIN);
}

#define N_COMPARED 400

/* The best plans in the order in which they were found. */
static GArray *
list_improvements (GobanCostModel *costs, guint64 n_evaluations, const char *settings)
{
  GArray *improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  GobanPlacerOptions options = {
    .max_evaluations = n_evaluations, .settings = settings, .improvements = improvements, .seed = 1
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (&goban_placer_placeto, costs, &options, NULL, &error);

  g_assert_no_error (error);
  return improvements;
}

/* The rates of learning depend on the share of the budget that is spent, and so do the plans that
 * are found; those of the untrained control do not. */
static void
test_untrained_control (void)
{
  guint n_different[2] = { 0 };

  for (guint chain = 4; chain < 12; chain++)
    for (guint pass = 0; pass < 2; pass++)
      {
        g_autoptr (GobanGraph) graph = toy_two_chains (chain);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=200MB/s");
        const char *settings = pass == 0 ? "learn=0" : NULL;
        g_autoptr (GArray) few = list_improvements (costs, N_COMPARED, settings);
        g_autoptr (GArray) many = list_improvements (costs, 2 * N_COMPARED, settings);

        g_assert_cmpuint (few->len, >, 1);
        for (guint i = 0; i < few->len; i++)
          n_different[pass] += i >= many->len
                               || g_array_index (few, GobanImprovement, i).evaluation
                                      != g_array_index (many, GobanImprovement, i).evaluation;
      }
  g_assert_cmpuint (n_different[0], ==, 0);
  g_assert_cmpuint (n_different[1], >, 0);
}

/* With one evaluation there is only the plan it starts from: everything on one device. */
static void
test_starts_on_one_device (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=200MB/s");

  g_assert_cmpfloat (makespan_of (costs, 1, 1), ==, 2 * 10 * CHAIN);
}

/* a -> b -> d, a -> c -> d, e: one group each. */
static void
test_kin (void)
{
  static const guint8 expected[5][5] = {
    { 4, 2, 2, 2, 0 }, { 1, 4, 0, 2, 0 }, { 1, 0, 4, 2, 0 }, { 1, 1, 1, 4, 0 }, { 0, 0, 0, 0, 4 },
  };
  static const guint edges[][2] = { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("kin", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanUnits) units = NULL;
  g_autoptr (GobanGroups) groups = NULL;

  for (guint v = 0; v < 5; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, v + 1, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 100);
    }
  for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
    goban_graph_builder_add_edge (builder, edges[e][0], edges[e][1]);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "equal:2");
  units = goban_units_new (costs, &error);
  g_assert_no_error (error);
  groups = goban_groups_new (units, 64);
  g_assert_cmpuint (groups->n_groups, ==, 5);
  for (guint v = 0; v < 5; v++)
    {
      g_assert_cmpfloat (groups->time_us[v], ==, v + 1);
      g_assert_cmpfloat (groups->output_bytes[v], ==, v < 3 ? 100 : 0);
      for (guint u = 0; u < 5; u++)
        g_assert_cmpuint (groups->kin[v * 5 + u], ==, expected[v][u]);
    }
}

TEST_PROGRAM (placeto)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/placeto/kin", test_kin);
  g_test_add_func ("/rl/placeto/starts-on-one-device", test_starts_on_one_device);
  g_test_add_func ("/rl/placeto/finds-two-chains", test_finds_the_two_chains);
  g_test_add_func ("/rl/placeto/untrained-control", test_untrained_control);
  return g_test_run ();
}
