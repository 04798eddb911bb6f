#include "engine/placers/search/brkga.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanPlan *
run (GobanCostModel *costs, const GobanBrkgaConfig *config, guint64 n_evaluations,
     GobanOutcome *outcome)
{
  GobanPlacerOptions options = { .seed = 4, .max_evaluations = n_evaluations };
  g_autoptr (GError) error = NULL;
  guint64 evaluations = 0;
  GobanPlan *plan = goban_brkga_run (costs, config, &options, &evaluations, outcome, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (evaluations, <=, n_evaluations);
  return plan;
}

static GobanCostModel *
new_costs (guint n_nodes)
{
  GraphGen gen = graph_gen_small (n_nodes);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 2);

  return toy_costs (graph, "p100x2");
}

/* Fitness improves over generations, and what is returned is what was simulated. */
static void
test_evolves (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (40);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  GobanBrkgaConfig config = goban_brkga_config_default ();
  GobanOutcome first;
  GobanOutcome last;
  GobanOutcome again;
  g_autoptr (GobanPlan) early = run (costs, &config, 100, &first);
  g_autoptr (GobanPlan) late = run (costs, &config, 3000, &last);

  g_assert_cmpfloat (last.makespan_us, <, first.makespan_us * 0.95);
  again = goban_simulator_evaluate (simulator, late);
  g_assert_cmpfloat (again.makespan_us, ==, last.makespan_us);
  g_assert_cmpint (goban_plan_get_order (late), ==, GOBAN_ORDER_PRIORITY);
  g_assert_nonnull (goban_plan_get_transfer_priorities (late));
}

/* Independent ops, as many as devices: the optimum has one each, and it is found. */
static void
test_finds_known_optimum (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("parallel", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  GobanBrkgaConfig config = goban_brkga_config_default ();
  GobanOutcome outcome;
  g_autoptr (GobanPlan) plan = NULL;

  for (guint v = 0; v < 9; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 1 + v, GOBAN_SOURCE_GIVEN);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "equal:3");
  plan = run (costs, &config, 5000, &outcome);
  g_assert_cmpfloat (outcome.makespan_us, ==, 15);
}

/* --- what REGAL steers ------------------------------------------------------------------ */

/* Distributions that all but name a device: the first population is there already. */
static void
test_mutants_follow_distributions (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (20);
  guint n_tensors = goban_graph_get_n_tensors (goban_cost_model_get_graph (costs));
  GobanBrkgaConfig config = goban_brkga_config_default ();
  g_autofree GobanBeta *devices = g_new (GobanBeta, 40);
  g_autofree GobanBeta *priorities = g_new (GobanBeta, 20);
  g_autofree GobanBeta *transfers = g_new (GobanBeta, n_tensors);
  GobanOutcome outcome;
  g_autoptr (GobanPlan) plan = NULL;

  for (guint i = 0; i < 40; i++)
    devices[i] = i % 2 == 1 ? (GobanBeta){ 200, 1 } : (GobanBeta){ 1, 200 };
  for (guint v = 0; v < 20; v++)
    priorities[v] = v < 10 ? (GobanBeta){ 200, 1 } : (GobanBeta){ 1, 200 };
  for (guint t = 0; t < n_tensors; t++)
    transfers[t] = (GobanBeta){ 1, 1 };
  config.device_betas = devices;
  config.priority_betas = priorities;
  config.transfer_betas = transfers;
  config.biases_first_population = TRUE;
  plan = run (costs, &config, 5, &outcome);
  for (GobanNodeId v = 0; v < 20; v++)
    {
      g_assert_cmpuint (goban_plan_get_device (plan, v), ==, 1);
      g_assert_true ((goban_plan_get_priority (plan, v) > 32768) == (v < 10));
    }
}

/* One bias for all is the same as that bias for each node in distribution, not in bytes; a bias of
 * 1 copies elites, so that only mutants can find anything: it differs. */
static void
test_biases_matter (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (40);
  GobanBrkgaConfig config = goban_brkga_config_default ();
  float biases[40];
  GobanOutcome mixed;
  GobanOutcome copied;
  g_autoptr (GobanPlan) a = NULL;
  g_autoptr (GobanPlan) b = NULL;

  for (guint v = 0; v < 40; v++)
    biases[v] = 1;
  a = run (costs, &config, 2000, &mixed);
  config.elite_biases = biases;
  b = run (costs, &config, 2000, &copied);
  g_assert_cmpfloat (mixed.makespan_us, <, copied.makespan_us);
}

static void
test_evaluator_of_the_caller (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (30);
  g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, 3);
  GobanBrkgaConfig config = goban_brkga_config_default ();
  GobanOutcome own;
  GobanOutcome lent;
  g_autoptr (GobanPlan) a = run (costs, &config, 700, &own);
  g_autoptr (GobanPlan) b = NULL;
  gsize n = 30;

  config.evaluator = evaluator;
  b = run (costs, &config, 700, &lent);
  g_assert_cmpfloat (own.makespan_us, ==, lent.makespan_us);
  g_assert_cmpmem (goban_plan_get_devices (a), n * sizeof (GobanDeviceId),
                   goban_plan_get_devices (b), n * sizeof (GobanDeviceId));
  g_assert_cmpmem (goban_plan_get_priorities (a), n * sizeof (gint32),
                   goban_plan_get_priorities (b), n * sizeof (gint32));
}

static void
test_refuses_config (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (5);
  GobanPlacerOptions options = { .seed = 0 };

  for (guint i = 0; i < 4; i++)
    {
      GobanBrkgaConfig config = goban_brkga_config_default ();
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;

      if (i == 0)
        config.n_population = 1;
      else if (i == 1)
        config.elite_share = 0.9;
      else if (i == 2)
        config.elite_bias = 1.5;
      else
        config.mutant_share = NAN;
      g_assert_null (goban_brkga_run (costs, &config, &options, &evaluations, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
    }
}

TEST_PROGRAM (brkga)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/brkga/evolves", test_evolves);
  g_test_add_func ("/brkga/finds-known-optimum", test_finds_known_optimum);
  g_test_add_func ("/brkga/mutants-follow-distributions", test_mutants_follow_distributions);
  g_test_add_func ("/brkga/biases-matter", test_biases_matter);
  g_test_add_func ("/brkga/evaluator-of-the-caller", test_evaluator_of_the_caller);
  g_test_add_func ("/brkga/refuses-config", test_refuses_config);
  return g_test_run ();
}
