#include "engine/machine/plan/plan.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <math.h>

/* conv1 -> relu1 -> conv2; the convolutions share a device, relu1 runs on GPUs only. */
static GobanGraph *
make_graph (const char *name)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  goban_graph_builder_add_node (builder, "conv1", "Conv");
  goban_graph_builder_add_node (builder, "relu1", "Relu");
  goban_graph_builder_add_node (builder, "conv2", "Conv");
  for (guint v = 0; v + 1 < 3; v++)
    goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, v, 4), v + 1);
  goban_graph_builder_set_group (builder, 0, 77);
  goban_graph_builder_set_group (builder, 2, 77);
  goban_graph_builder_set_time (builder, 1, "gpu", 1, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 1, "cpu", INFINITY, GOBAN_SOURCE_GIVEN);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static GobanCostModel *
make_costs (GobanGraph *graph, const char *spec)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, NULL);

  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static void
assert_refused (const GobanPlan *plan, const GobanCostModel *costs, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_plan_check (plan, costs, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_starts_plain (void)
{
  g_autoptr (GobanGraph) graph = make_graph ("small");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanCostModel) costs = make_costs (graph, "cpu+gpu");
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (goban_plan_get_n_nodes (plan), ==, 3);
  g_assert_cmpuint (goban_plan_get_n_devices (plan), ==, 2);
  g_assert_cmpuint (goban_plan_get_graph_hash (plan), ==, goban_graph_get_hash (graph));
  g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_FIFO);
  g_assert_cmpstr (goban_plan_get_policy (plan), ==, "");
  for (GobanNodeId v = 0; v < 3; v++)
    {
      g_assert_cmpuint (goban_plan_get_device (plan, v), ==, 0);
      g_assert_cmpint (goban_plan_get_priority (plan, v), ==, 0);
      g_assert_cmpint (goban_plan_get_fusions (plan)[v], ==, GOBAN_NO_FUSION);
    }
  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
}

static void
test_names_the_fault (void)
{
  g_autoptr (GobanGraph) graph = make_graph ("small");
  g_autoptr (GobanGraph) other = graph_gen_new (&(GraphGen){ .n_nodes = 3 }, 1);
  g_autoptr (GobanGraph) longer = graph_gen_new (&(GraphGen){ .n_nodes = 4 }, 1);
  g_autoptr (GobanCostModel) costs = make_costs (graph, "cpu+gpu");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);
  g_autoptr (GobanPlan) fitting = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) strange = goban_plan_new (other, 2);
  g_autoptr (GobanPlan) strange_longer = goban_plan_new (longer, 2);

  assert_refused (plan, costs, "the plan is for 4 devices, but cluster “cpu+gpu” has 2");
  goban_plan_set_device (plan, 0, 3);
  assert_refused (plan, costs, "node “conv1” is on device 3, but the cluster has only 2 devices");

  goban_plan_set_device (fitting, 1, 1);
  assert_refused (fitting, costs, "node “relu1” cannot run on cpu:0");
  goban_plan_set_device (fitting, 1, 0);
  goban_plan_set_device (fitting, 2, 1);
  assert_refused (fitting, costs, "nodes “conv1” and “conv2” are colocated but on gpu:0 and cpu:0");
  goban_plan_set_device (fitting, 0, 1);
  g_assert_true (goban_plan_check (fitting, costs, NULL)); /* a good plan has no error to give */

  assert_refused (strange, costs, "the plan is for another graph than “small”");
  assert_refused (strange_longer, costs,
                  "the plan is for a graph of 4 nodes, but graph “small” has 3");
}

/* A node that runs nowhere here does not stop the cost model; the check names it. */
static void
test_nowhere_to_run (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  goban_graph_builder_add_node (builder, "stuck", "Op");
  goban_graph_builder_set_time (builder, 0, "gpu", INFINITY, GOBAN_SOURCE_GIVEN);
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = make_costs (graph, "p100x2");
  plan = goban_plan_new (graph, 2);
  assert_refused (plan, costs, "node “stuck” cannot run on gpu:0");
}

static void
test_copies_are_independent (void)
{
  g_autoptr (GobanGraph) graph = make_graph ("small");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) copy = NULL;
  GobanPlan *same;

  goban_plan_set_device (plan, 1, 1);
  goban_plan_set_priority (plan, 2, -5);
  goban_plan_set_fusion (plan, 0, 9);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_plan_set_policy (plan, "heft");
  goban_plan_set_policy (plan, goban_plan_get_policy (plan));
  copy = goban_plan_copy (plan);

  goban_plan_set_device (plan, 1, 0);
  goban_plan_set_priority (plan, 2, 6);
  goban_plan_set_fusion (plan, 0, GOBAN_NO_FUSION);
  goban_plan_set_order (plan, GOBAN_ORDER_FIFO);
  goban_plan_set_policy (plan, "by hand");

  g_assert_cmpuint (goban_plan_get_device (copy, 1), ==, 1);
  g_assert_cmpint (goban_plan_get_priority (copy, 2), ==, -5);
  g_assert_cmpint (goban_plan_get_fusions (copy)[0], ==, 9);
  g_assert_cmpint (goban_plan_get_order (copy), ==, GOBAN_ORDER_PRIORITY);
  g_assert_cmpstr (goban_plan_get_policy (copy), ==, "heft");
  g_assert_cmpstr (goban_plan_get_policy (plan), ==, "by hand");
  g_assert_cmpuint (goban_plan_get_graph_hash (copy), ==, goban_plan_get_graph_hash (plan));

  same = goban_plan_ref (plan);
  g_assert_true (same == plan);
  goban_plan_unref (same);
}

static void
test_ranks_keys (void)
{
  GraphGen gen = { .n_nodes = 6 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 1);
  const double keys[] = { 2, (double) INFINITY, -1, 2, (double) -INFINITY, 0.5 };
  const gint32 wanted[] = { 4, 5, 1, 3, 0, 2 };

  goban_plan_set_priorities_by_key (plan, keys);
  for (guint v = 0; v < 6; v++)
    g_assert_cmpint (goban_plan_get_priority (plan, v), ==, wanted[v]);
}

/* Against counting, node by node, how many others rank below. */
static void
test_ranks_random_keys (void)
{
  GobanRng rng;

  goban_rng_init (&rng, 9);
  for (guint round = 0; round < 50; round++)
    {
      GraphGen gen = { .n_nodes = goban_rng_below (&rng, 60) };
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, round);
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, 1);
      double keys[60];

      for (guint v = 0; v < gen.n_nodes; v++)
        keys[v] = goban_rng_below (&rng, 20);
      goban_plan_set_priorities_by_key (plan, keys);
      for (guint v = 0; v < gen.n_nodes; v++)
        {
          gint32 n_below = 0;

          for (guint u = 0; u < gen.n_nodes; u++)
            n_below += keys[u] < keys[v] || (keys[u] == keys[v] && u > v);
          g_assert_cmpint (goban_plan_get_priorities (plan)[v], ==, n_below);
        }
    }
}

static void
test_ranks_no_nan (void)
{
  if (g_test_subprocess ())
    {
      GraphGen gen = { .n_nodes = 2 };
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, 1);
      const double keys[] = { 0, (double) NAN };

      goban_plan_set_priorities_by_key (plan, keys);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*isnan*");
}

TEST_PROGRAM (plan)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/new/starts-plain", test_starts_plain);
  g_test_add_func ("/plan/check/names-the-fault", test_names_the_fault);
  g_test_add_func ("/plan/check/nowhere-to-run", test_nowhere_to_run);
  g_test_add_func ("/plan/copy/is-independent", test_copies_are_independent);
  g_test_add_func ("/plan/priorities/rank-of-keys", test_ranks_keys);
  g_test_add_func ("/plan/priorities/rank-of-random-keys", test_ranks_random_keys);
  g_test_add_func ("/plan/priorities/no-nan", test_ranks_no_nan);
  return g_test_run ();
}
