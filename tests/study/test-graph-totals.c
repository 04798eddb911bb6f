#include "engine/study/analysis/graph-totals.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* Ops of 10, 100, 100 and 10 us; one has 1000 parameters. */
static void
test_diamond (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  GobanGraphTotals sums = goban_graph_totals_sum (costs);
  double output_bytes = 0;

  for (GobanNodeId v = 0; v < 4; v++)
    output_bytes += goban_graph_get_output_bytes (graph, v);
  g_assert_cmpfloat (sums.work_us, ==, 220);
  g_assert_cmpfloat (sums.output_bytes, ==, output_bytes);
  g_assert_cmpfloat (sums.output_bytes, >=, 3000);
  g_assert_cmpfloat (sums.params, ==, 1000);
  g_assert_cmpfloat (sums.param_bytes, ==, 4000);
  g_assert_cmpfloat (sums.macs, ==, 5e6);
}

TEST_PROGRAM (graph_totals)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph-totals/diamond", test_diamond);
  return g_test_run ();
}
