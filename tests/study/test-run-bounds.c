/* Ratios to the bound that fused plans and others share. */
#include "engine/io/io.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/study/run/run.h"

#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* A plan that fuses nothing has one ratio. */
static void
test_both (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) run = goban_run_new (costs, plan, NULL);

  g_assert_cmpfloat (goban_run_get_unfused_ratio (run), ==, goban_run_get_ratio (run));
}

/* Small ops cost launches, which fusion saves: the plan beats every plan without fusion. */
static void
test_fused (void)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, NULL);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanFuser) fuser = goban_fuser_new (costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) run = NULL;

  goban_fuser_fuse_default (fuser, plan);
  run = goban_run_new (costs, plan, NULL);
  g_assert_cmpfloat (goban_run_get_ratio (run), >=, 1);
  g_assert_cmpfloat (goban_run_get_unfused_ratio (run), <, 1);
}

TEST_PROGRAM (run_bounds)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/run-bounds/both", test_both);
  g_test_add_func ("/run/run-bounds/fused", test_fused);
  return g_test_run ();
}
