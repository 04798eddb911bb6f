#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* The example of the paper: figure 2 and tables 1 and 2, tasks from 0 here. */
typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanUnits *units;
  double priorities[10];
} Paper;

static void
set_up (Paper *paper, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  paper->graph = toy_topcuoglu ();
  paper->costs = toy_costs (paper->graph, TOY_TOPCUOGLU_CLUSTER);
  paper->units = goban_units_new (paper->costs, &error);
  g_assert_no_error (error);
  goban_cpop_priorities (paper->units, paper->priorities);
}

static void
tear_down (Paper *paper, gconstpointer data)
{
  goban_units_free (paper->units);
  goban_cost_model_unref (paper->costs);
  goban_graph_unref (paper->graph);
}

static void
test_priorities (Paper *paper, gconstpointer data)
{
  static const double downward[] = { 0, 31, 25, 22, 24, 27, 62.333, 66.667, 63.667, 93.333 };
  static const double expected[] = { 108, 108, 105, 102, 93, 90.333, 105, 102.333, 108, 108 };
  double ranks[10];

  goban_units_downward_ranks (paper->units, ranks);
  for (guint v = 0; v < 10; v++)
    {
      g_assert_cmpfloat_with_epsilon (ranks[v], downward[v], 0.0005);
      g_assert_cmpfloat_with_epsilon (paper->priorities[v], expected[v], 0.001);
    }
}

/* T1, T2, T9, T10 take 66, 54 and 63 on the three processors. */
static void
test_critical_path (Paper *paper, gconstpointer data)
{
  static const GobanNodeId expected[] = { 0, 1, 8, 9 };
  g_autoptr (GArray) path = goban_cpop_find_path (paper->units, paper->priorities);

  g_assert_cmpmem (path->data, path->len * sizeof (GobanNodeId), expected, sizeof expected);
  g_assert_cmpuint (goban_cpop_find_device (paper->units, path), ==, 1);
}

static void
test_makespan (Paper *paper, gconstpointer data)
{
  GobanPlacerOptions options = { .seed = 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanListSchedule) schedule = goban_cpop_schedule (paper->units, &options, &error);
  g_autoptr (GobanPlan) plan = toy_place (paper->costs, "cpop", 0);
  g_autoptr (GobanTrace) trace = goban_simulate (paper->costs, plan);

  g_assert_no_error (error);
  g_assert_cmpfloat (goban_list_schedule_get_finishes (schedule)[9], ==, 86);
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 86);
  for (guint v = 0; v < 10; v++)
    if (v == 0 || v == 1 || v == 8 || v == 9)
      g_assert_cmpuint (goban_plan_get_device (plan, v), ==, 1);
}

/* On any graph, without groups: one device computes the critical path. */
static void
test_path_stays_together (void)
{
  for (guint i = 0; i < 100; i++)
    {
      GraphGen gen = graph_gen_small (40);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanUnits) units = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GArray) path = NULL;
      double priorities[40];

      gen.group_share = 0;
      graph = graph_gen_new (&gen, i);
      costs = toy_costs (graph, "equal:3,bandwidth=4e6");
      plan = toy_place (costs, "cpop", 0);
      units = goban_units_new (costs, &error);
      g_assert_no_error (error);
      goban_cpop_priorities (units, priorities);
      path = goban_cpop_find_path (units, priorities);
      for (guint k = 0; k < path->len; k++)
        g_assert_cmpuint (goban_plan_get_device (plan, g_array_index (path, GobanNodeId, k)), ==,
                          goban_cpop_find_device (units, path));
    }
}

TEST_PROGRAM (cpop)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cpop/paper/priorities", Paper, NULL, set_up, test_priorities, tear_down);
  g_test_add ("/cpop/paper/critical-path", Paper, NULL, set_up, test_critical_path, tear_down);
  g_test_add ("/cpop/paper/makespan", Paper, NULL, set_up, test_makespan, tear_down);
  g_test_add_func ("/cpop/path-stays-together", test_path_stays_together);
  return g_test_run ();
}
