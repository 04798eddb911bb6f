#include "tests/ui/small-run.h"

#include "engine/graph/graph-builder.h"

static GobanGraph *
new_graph (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("small", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;
  guint32 nodes[4], tensor;

  for (guint i = 0; i < 4; i++)
    {
      const char name[] = { (char) ('a' + (int) i), '\0' };

      nodes[i] = goban_graph_builder_add_node (builder, name, "Add");
      goban_graph_builder_set_time (builder, nodes[i], GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
    }
  for (guint i = 0; i < 2; i++)
    {
      tensor = goban_graph_builder_add_tensor (builder, nodes[i], 1000);
      goban_graph_builder_add_edge (builder, tensor, nodes[i + 1]);
    }

  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

GobanRun *
small_run_new (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = new_graph ();
  g_autoptr (GobanCluster) cluster
      = goban_cluster_new_from_spec ("equal:2,bandwidth=1e9,latency=1e-6", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, 2);
  goban_plan_set_policy (plan, "by hand");
  goban_plan_set_device (plan, goban_graph_find_node (graph, "b"), 1);
  return goban_run_new (costs, plan, NULL);
}
