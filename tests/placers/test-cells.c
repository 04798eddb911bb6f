#include "engine/graph/workloads/workload.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/evaluator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

static GobanCostModel *
new_costs (const char *workload, const char *cluster)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate (workload, &error);

  g_assert_no_error (error);
  return toy_costs (graph, cluster);
}

static GobanPlan *
place (GobanCostModel *costs, guint64 seed, guint64 n_evaluations, guint64 *spent)
{
  GobanPlacerOptions options = { .seed = seed, .max_evaluations = n_evaluations };
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  *spent = 0;
  plan = goban_placer_place (&goban_placer_cells, costs, &options, spent, &error);
  g_assert_no_error (error);
  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
  return plan;
}

/* --- static orders ---------------------------------------------------------------------------- */

/* source to left (1 us, then 5 us more) and right (4 us): by hops left is longer, and by times,
 * too; by index as they stand. */
static void
test_orders (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=4e6");
  g_autoptr (GobanUnits) units = goban_units_new (costs, NULL);
  g_autoptr (GobanStaticOrders) orders = goban_static_orders_new (units);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      gboolean is_fifo = order == GOBAN_STATIC_FIFO;

      goban_static_orders_apply (orders, (GobanStaticOrder) order, plan);
      g_assert_cmpint (goban_plan_get_order (plan), ==,
                       is_fifo ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
      /* All of them put what feeds before what is fed. */
      for (GobanEdgeId e = 0; !is_fifo && e < goban_graph_get_n_edges (graph); e++)
        g_assert_cmpint (goban_plan_get_priority (plan, goban_graph_get_edge (graph, e)->tail), >,
                         goban_plan_get_priority (plan, goban_graph_get_edge (graph, e)->head));
    }
  goban_static_orders_apply (orders, GOBAN_STATIC_INDEX, plan);
  for (guint v = 0; v + 1 < n_nodes; v++)
    g_assert_cmpint (goban_plan_get_priority (plan, v), >, goban_plan_get_priority (plan, v + 1));
}

/* The true times and the transfers of a plan are seen by one order, and by the priorities that
 * first in, first out leaves behind. */
static void
test_only_transfers_see_the_plan (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=4e3");
  g_autoptr (GobanUnits) units = goban_units_new (costs, NULL);
  g_autoptr (GobanStaticOrders) orders = goban_static_orders_new (units);

  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      g_autoptr (GobanPlan) left = goban_plan_new (graph, 2);
      g_autoptr (GobanPlan) right = goban_plan_new (graph, 2);
      gboolean is_same = TRUE;

      goban_plan_set_device (left, 1, 1);
      goban_plan_set_device (right, 2, 1);
      goban_static_orders_apply (orders, (GobanStaticOrder) order, left);
      goban_static_orders_apply (orders, (GobanStaticOrder) order, right);
      for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
        is_same &= goban_plan_get_priority (left, v) == goban_plan_get_priority (right, v);
      g_assert_cmpint (is_same, ==, order != GOBAN_STATIC_TRANSFERS && order != GOBAN_STATIC_FIFO);
    }
}

/* --- splits ----------------------------------------------------------------------------------- */

/* Whole groups, whole slots, and stretches of rows; on all devices, of nearly equal work. */
static void
test_axes (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ("rnnlm:layers=4,steps=16", "p100x2");
  g_autoptr (GobanUnits) units = goban_units_new (costs, NULL);
  g_autoptr (GobanCellSplits) splits = goban_cell_splits_new (units);
  const GobanCellRows *rows = splits->rows;
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, rows->n_rows);

  for (guint axis = 0; axis < GOBAN_N_SPLITS; axis++)
    {
      double loads_us[2] = { 0, 0 };

      goban_cell_splits_cut (splits, (GobanSplit) axis, 2, FALSE, devices);
      for (guint r = 0; r < rows->n_rows; r++)
        {
          loads_us[devices[r]] += splits->work_us[r];
          for (guint s = 0; s < r; s++)
            {
              if (axis == GOBAN_SPLIT_GROUPS && rows->group_of[s] == rows->group_of[r])
                g_assert_cmpuint (devices[s], ==, devices[r]);
              if (axis == GOBAN_SPLIT_SLOTS && rows->slot_of[s] == rows->slot_of[r])
                g_assert_cmpuint (devices[s], ==, devices[r]);
              if (axis == GOBAN_SPLIT_ROWS)
                g_assert_cmpuint (devices[s], <=, devices[r]);
            }
        }
      g_assert_cmpfloat (fabs (loads_us[0] - loads_us[1]), <, 0.5 * (loads_us[0] + loads_us[1]));
    }
}

/* A device of half the speed gets about half the work. */
static void
test_shares_follow_speed (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (
      "wavenet:stacks=1,layers=12",
      "{ \"devices\": ["
      "{ \"name\": \"slow\", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": \"10 GB/s\","
      " \"memory\": \"unlimited\" },"
      "{ \"name\": \"fast\", \"kind\": \"gpu\", \"tflops\": 2, \"memory_bandwidth\": \"20 GB/s\","
      " \"memory\": \"unlimited\" } ], \"all_pairs\": { \"bandwidth\": \"10 GB/s\" } }");
  g_autoptr (GobanUnits) units = goban_units_new (costs, NULL);
  g_autoptr (GobanCellSplits) splits = goban_cell_splits_new (units);
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, splits->rows->n_rows);
  double loads_us[2] = { 0, 0 };

  goban_cell_splits_cut (splits, GOBAN_SPLIT_ROWS, 2, FALSE, devices);
  for (guint r = 0; r < splits->rows->n_rows; r++)
    loads_us[devices[r]] += splits->work_us[r];
  g_assert_cmpuint (splits->fastest[0], ==, 1);
  g_assert_cmpfloat (loads_us[1], >, 1.5 * loads_us[0]);
  g_assert_cmpfloat (loads_us[1], <, 3 * loads_us[0]);
}

static void
test_all_differ (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ("transformer-xl:layers=4", "p100x4");
  g_autoptr (GobanUnits) units = goban_units_new (costs, NULL);
  g_autoptr (GobanCellSplits) splits = goban_cell_splits_new (units);
  g_autoptr (GPtrArray) all = goban_cell_splits_all (splits, G_MAXUINT);
  g_autoptr (GPtrArray) few = goban_cell_splits_all (splits, 4);
  gsize size = splits->rows->n_rows * sizeof (GobanDeviceId);

  g_assert_cmpuint (few->len, ==, 4);
  g_assert_cmpuint (all->len, >, 4);
  g_assert_cmpuint (all->len, <=, 1 + 3 * GOBAN_N_SPLITS);
  for (guint i = 0; i < all->len; i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpint (memcmp (all->pdata[i], all->pdata[k], size), !=, 0);
}

/* --- policy ----------------------------------------------------------------------------------- */

static void
test_budgets_and_seeds (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs ((guint) (1 + seed), seed, "p100x4");
      const guint64 budgets[] = { 1, 5, 17, 80, 300 };

      for (guint i = 0; i < G_N_ELEMENTS (budgets); i++)
        {
          guint64 spent, again;
          g_autoptr (GobanPlan) plan = place (costs, seed, budgets[i], &spent);
          g_autoptr (GobanPlan) same = place (costs, seed, budgets[i], &again);

          g_assert_cmpuint (spent, <=, budgets[i]);
          g_assert_cmpuint (spent, ==, again);
          g_assert_true (toy_plans_are_same (plan, same));
        }
    }
}

/* Where some ops run on some devices only, plans still pass their checks. */
static void
test_mixed_devices (void)
{
  for (guint64 seed = 0; seed < 20; seed++)
    {
      g_autoptr (GobanGraph) graph = toy_mixed (40, seed);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
      guint64 spent;
      g_autoptr (GobanPlan) plan = place (costs, seed, 300, &spent);

      g_assert_cmpuint (spent, <=, 300);
    }
}

/* The segments of Transformer-XL on a device each: three times as fast as the expert's layers. */
static void
test_beats_the_expert (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ("transformer-xl:layers=4", "p100x4");
  g_autoptr (GobanPlan) expert = toy_place (costs, "expert", 0);
  guint64 spent;
  g_autoptr (GobanPlan) plan = place (costs, 0, 0, &spent);

  g_assert_cmpuint (spent, <=, 17);
  g_assert_cmpfloat (toy_makespan_us (costs, plan), <, 0.5 * toy_makespan_us (costs, expert));
}

/* Twenty layers of 10 MB on two devices of 120 MB: by work alone, the heavy ops at the end would
 * leave all weights of the others to one device. */
static void
test_splits_by_memory (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("deep", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanEvaluator) evaluator = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome;
  guint64 spent;

  for (guint i = 0; i < 20; i++)
    {
      guint32 v = goban_graph_builder_add_node (builder, "layer", "Conv");
      GobanNode *node = goban_graph_builder_get_node (builder, v);

      node->flops = i < 16 ? 1e6 : 1e9;
      node->macs = node->flops / 2;
      node->param_bytes = 10e6;
      goban_graph_builder_add_tensor (builder, v, 1000);
      if (i > 0)
        goban_graph_builder_add_edge (builder, i - 1, v);
    }
  graph = toy_finish (builder);
  costs = toy_costs (graph,
                     "{ \"devices\": [" TOY_DEVICE ("a", "gpu", "120e6") "," TOY_DEVICE (
                         "b", "gpu", "120e6") "],"
                                              "\"all_pairs\": { \"bandwidth\": \"10 GB/s\" } }");
  plan = place (costs, 0, 17, &spent);
  evaluator = goban_evaluator_new (costs, 1);
  goban_evaluator_evaluate (evaluator, &plan, 1, &outcome);
  g_assert_cmpfloat (outcome.overflow_bytes, <=, 0);
}

TEST_PROGRAM (cells)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placers/cells/orders", test_orders);
  g_test_add_func ("/placers/cells/only-transfers-see-the-plan", test_only_transfers_see_the_plan);
  g_test_add_func ("/placers/cells/axes", test_axes);
  g_test_add_func ("/placers/cells/shares-follow-speed", test_shares_follow_speed);
  g_test_add_func ("/placers/cells/all-differ", test_all_differ);
  g_test_add_func ("/placers/cells/budgets-and-seeds", test_budgets_and_seeds);
  g_test_add_func ("/placers/cells/mixed-devices", test_mixed_devices);
  g_test_add_func ("/placers/cells/beats-the-expert", test_beats_the_expert);
  g_test_add_func ("/placers/cells/splits-by-memory", test_splits_by_memory);
  return g_test_run ();
}
