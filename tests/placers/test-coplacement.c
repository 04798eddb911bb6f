#include "engine/placers/coplacement.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

static GobanUnits *
new_coplaced (const GobanCostModel *costs)
{
  g_autoptr (GError) error = NULL;
  GobanUnits *units = goban_units_new_coplaced (costs, GOBAN_COPLACE_CONSUMERS, &error);

  g_assert_no_error (error);
  return units;
}

static void
add (GobanGraphBuilder *builder, const char *name, GobanPhase phase, double param_bytes)
{
  guint32 node = goban_graph_builder_add_node (builder, name, "Task");

  goban_graph_builder_get_node (builder, node)->phase = phase;
  goban_graph_builder_get_node (builder, node)->param_bytes = param_bytes;
  goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, 1, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_add_tensor (builder, node, 1);
}

/* "0 0 1": the units of all nodes in order. */
static void
assert_units (const GobanUnits *units, const char *expected)
{
  g_autoptr (GString) actual = g_string_new (NULL);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (units->graph); v++)
    g_string_append_printf (actual, v > 0 ? " %u" : "%u", units->unit_of[v]);
  g_assert_cmpstr (actual->str, ==, expected);
}

/* 0 -> 1 -> 3, 2 -> 3, 3 -> 4 and 5, 4 -> 6, 5 -> 6: what leads into 3 joins it, and 4, 5 join
 * 6. */
static GobanGraph *
new_hourglass (double param_bytes)
{
  static const guint32 edges[][2]
      = { { 0, 1 }, { 1, 3 }, { 2, 3 }, { 3, 4 }, { 3, 5 }, { 4, 6 }, { 5, 6 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("hourglass", "test");

  for (guint v = 0; v < 7; v++)
    add (builder, "", GOBAN_PHASE_FORWARD, param_bytes);
  for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
    goban_graph_builder_add_edge (builder, edges[e][0], edges[e][1]);
  return toy_finish (builder);
}

static void
test_single_consumer (void)
{
  g_autoptr (GobanGraph) graph = new_hourglass (0);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanUnits) units = new_coplaced (costs);
  g_auto (GobanTrees) trees = { 0 };

  assert_units (units, "0 0 0 0 1 1 1");
  goban_trees_init (&trees, units);
  g_assert_cmpuint (trees.n_trees, ==, 2);
  g_assert_cmpuint (trees.nodes[trees.offsets[1] - 1], ==, 3);
  g_assert_cmpuint (trees.nodes[trees.offsets[2] - 1], ==, 6);
}

/* 40 bytes a node, 100 bytes a device: no more than two go together. */
static void
test_parameters_must_fit (void)
{
  static const char cluster[] = "{ \"devices\": [" TOY_DEVICE ("a", "gpu", "100") "," TOY_DEVICE (
      "b", "gpu", "100") "], \"all_pairs\": { \"bandwidth\": 1e9 } }";
  g_autoptr (GobanGraph) graph = new_hourglass (40);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GobanUnits) units = new_coplaced (costs);

  assert_units (units, "0 0 1 1 2 3 2");
}

/* Two forward steps with a gradient each, which a sum adds up for the optimiser: the gradients go
 * with their steps, the sum with the update, and the steps stay apart. */
static void
test_gradients_follow (void)
{
  static const guint32 edges[][2] = { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 1, 4 }, { 2, 5 },
                                      { 3, 4 }, { 3, 5 }, { 4, 6 }, { 5, 6 }, { 6, 7 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("steps", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanUnits) units = NULL;

  add (builder, "x", GOBAN_PHASE_FORWARD, 0);
  add (builder, "step_1", GOBAN_PHASE_FORWARD, 0);
  add (builder, "step_2", GOBAN_PHASE_FORWARD, 0);
  add (builder, "gradients/loss", GOBAN_PHASE_BACKWARD, 0);
  add (builder, "gradients/step_1_grad/MatMul", GOBAN_PHASE_BACKWARD, 0);
  add (builder, "grad/step_2", GOBAN_PHASE_BACKWARD, 0);
  add (builder, "gradients/AddN", GOBAN_PHASE_BACKWARD, 0);
  add (builder, "update", GOBAN_PHASE_UPDATE, 0);
  for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
    goban_graph_builder_add_edge (builder, edges[e][0], edges[e][1]);
  graph = toy_finish (builder);
  costs = toy_costs (graph, "equal:2");
  units = new_coplaced (costs);

  g_assert_cmpuint (units->unit_of[4], ==, units->unit_of[1]);
  g_assert_cmpuint (units->unit_of[5], ==, units->unit_of[2]);
  g_assert_cmpuint (units->unit_of[6], ==, units->unit_of[7]);
  g_assert_cmpuint (units->unit_of[1], !=, units->unit_of[2]);
}

/* Whatever the graph: groups stay whole, and what leaves a tree leaves it from its root. */
static void
test_random (void)
{
  for (guint i = 0; i < 200; i++)
    {
      GraphGen gen = graph_gen_small (40);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
      g_autoptr (GobanUnits) units = new_coplaced (costs);
      g_auto (GobanTrees) trees = { 0 };

      goban_trees_init (&trees, units);
      for (GobanNodeId v = 0; v < 40; v++)
        for (GobanNodeId w = 0; w < v; w++)
          if (goban_graph_get_node (graph, v)->group != GOBAN_NO_GROUP
              && goban_graph_get_node (graph, v)->group == goban_graph_get_node (graph, w)->group)
            g_assert_cmpuint (units->unit_of[v], ==, units->unit_of[w]);
      for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, e);
          guint32 tree = trees.tree_of[edge->tail];

          g_assert_cmpuint (tree, <=, trees.tree_of[edge->head]);
          if (tree != trees.tree_of[edge->head])
            g_assert_cmpuint (edge->tail, ==, trees.nodes[trees.offsets[tree + 1] - 1]);
          else
            g_assert_cmpuint (units->unit_of[edge->tail], ==, units->unit_of[edge->head]);
        }
    }
}

TEST_PROGRAM (coplacement)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/coplacement/single-consumer", test_single_consumer);
  g_test_add_func ("/coplacement/parameters-must-fit", test_parameters_must_fit);
  g_test_add_func ("/coplacement/gradients-follow", test_gradients_follow);
  g_test_add_func ("/coplacement/random", test_random);
  return g_test_run ();
}
