/* Lines and refusals of orders; their runs are tested with the sessions that open them. */
#include "engine/study/run/parallel-order.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

static GobanParallelOrder *
new_order (GobanParallelKind kind)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", NULL); /* it is */
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  return goban_parallel_order_new (kind, costs, cluster);
}

static void
assert_code (const GobanParallelOrder *order, const char *expected)
{
  g_autofree char *code = goban_parallel_order_dup_code (order);

  g_assert_cmpstr (code, ==, expected);
}

static void
test_lines (void)
{
  g_autoptr (GobanParallelOrder) pipeline = new_order (GOBAN_PARALLEL_PIPELINE);
  g_autoptr (GobanParallelOrder) copies = new_order (GOBAN_PARALLEL_COPIES);
  g_autoptr (GobanParallelOrder) collective = new_order (GOBAN_PARALLEL_COLLECTIVE);

  assert_code (pipeline, "g:pipeline{ }");
  pipeline->schedule = g_strdup ("a \"b\".csv");
  pipeline->chooses_stages = TRUE;
  assert_code (pipeline, "g:pipeline{ schedule = \"a \\\"b\\\".csv\", choose_stages = true }");
  g_assert_cmpuint (goban_parallel_order_count_nodes (pipeline), ==, 4);
  pipeline->n_batches = 3;
  g_assert_cmpuint (goban_parallel_order_count_nodes (pipeline), ==, 12);

  copies->algorithm = g_strdup ("tree");
  copies->slowdown = 1; /* none */
  copies->is_split = TRUE;
  assert_code (copies, "g:replicas{ algorithm = \"tree\", split = true }");
  g_assert_cmpuint (goban_parallel_order_count_nodes (copies), ==, 16);

  collective->collective = g_strdup ("all-reduce");
  collective->bytes = 1e6;
  assert_code (collective, "graph.collective(\"all-reduce\", 1000000)");
  collective->n = 2;
  assert_code (collective, "graph.collective(\"all-reduce\", 1000000, { ranks = 2 })");
}

static void
test_refuses_an_unknown_algorithm (void)
{
  g_autoptr (GobanParallelOrder) copies = new_order (GOBAN_PARALLEL_COPIES);
  g_autoptr (GError) error = NULL;

  copies->algorithm = g_strdup ("star");
  g_assert_null (goban_parallel_order_run (NULL, copies, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "star"));
}

TEST_PROGRAM (parallel_order)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel-order/lines", test_lines);
  g_test_add_func ("/parallel-order/refuses-an-unknown-algorithm",
                   test_refuses_an_unknown_algorithm);
  return g_test_run ();
}
