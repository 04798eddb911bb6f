#include "engine/study/run/guest-policy.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* source (10 us) to left and right (100 us) to sink (10 us), on two equal devices. */
static void
test_diamond (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e9");
  g_autoptr (GobanGreedyPlan) greedy = goban_greedy_plan_new (costs, "by test");
  static const GobanDeviceId devices[] = { 0, 0, 1, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;

  for (GobanNodeId v = 0; v < 4; v++)
    {
      double start_us = goban_greedy_plan_get_inputs_us (greedy, v, devices[v]);

      g_assert_true (goban_greedy_plan_fits (greedy, v, devices[v]));
      g_assert_true (goban_greedy_plan_assign (greedy, v, devices[v], &error));
      g_assert_cmpfloat (greedy->free_us[devices[v]], >, start_us);
    }
  g_assert_no_error (error);
  g_assert_cmpuint (greedy->n_placed, ==, 4);

  /* Nothing waits for a link here, so the schedule is that of the simulator. */
  plan = goban_greedy_plan_copy_plan (greedy, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_plan_get_policy (plan), ==, "by test");
  for (GobanNodeId v = 0; v < 4; v++)
    g_assert_cmpuint (goban_plan_get_device (plan, v), ==, devices[v]);
  run = goban_run_new (costs, plan, NULL);
  g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (run), greedy->free_us[0], 1e-9);
}

/* A copy given away stays as it is. */
static void
test_copies (void)
{
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanGreedyPlan) greedy = goban_greedy_plan_new (costs, "by test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) before = goban_greedy_plan_copy_plan (greedy, &error);

  g_assert_no_error (error);
  g_assert_true (goban_greedy_plan_assign (greedy, 0, 1, &error));
  g_assert_cmpuint (goban_plan_get_device (before, 0), ==, 0);
}

/* Of random graphs with groups and ops that not every device runs: groups stay together. */
static void
test_groups (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (60, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  g_autoptr (GobanGreedyPlan) greedy = goban_greedy_plan_new (costs, "by test");
  g_autoptr (GobanPlan) plan = NULL;
  guint n_refused = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    for (GobanDeviceId d = 0; d < 3; d++)
      {
        g_autoptr (GError) error = NULL;

        if (goban_greedy_plan_assign (greedy, v, d, &error))
          break;
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
        g_assert_nonnull (strstr (error->message, " cannot run on "));
        g_assert_false (goban_greedy_plan_fits (greedy, v, d));
        n_refused++;
      }
  g_assert_cmpuint (n_refused, >, 0);
  plan = goban_greedy_plan_copy_plan (greedy, NULL); /* checks groups and devices */
  g_assert_nonnull (plan);
}

TEST_PROGRAM (greedy_plan)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/greedy-plan/diamond", test_diamond);
  g_test_add_func ("/greedy-plan/copies", test_copies);
  g_test_add_func ("/greedy-plan/groups", test_groups);
  return g_test_run ();
}
