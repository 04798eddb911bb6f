/* Lines and refusals of orders; their runs are tested with the sessions that open them. */
#include "engine/study/run/parallel-order.h"

#include "engine/core/error.h"
#include "engine/graph/workloads/workload.h"
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

/* --- trainings ------------------------------------------------------------------------------ */

/* The model is generated and has 4 layers. */
static GobanParallelOrder *
new_training (const char *cluster_spec, GobanTrainingShape shape)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate (
      "gpt:layers=4,width=256,heads=8,vocabulary=1024,sequence=128,batch=1", NULL);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (cluster_spec, NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  GobanParallelOrder *order = goban_parallel_order_new (GOBAN_PARALLEL_TRAINING, costs, cluster);

  order->shape = shape;
  return order;
}

static void
test_training_line (void)
{
  g_autoptr (GobanParallelOrder) order = new_training (
      "p100x8", (GobanTrainingShape){
                    .tp = 2, .pp = 2, .dp = 2, .splits_sequence = TRUE, .batch = 16, .zero = 1 });
  guint64 n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (order->costs));

  order->recompute = g_strdup ("full");
  order->schedule = g_strdup ("gpipe");
  assert_code (order, "g:parallel{ tp = 2, pp = 2, dp = 2, sp = true, batch = 16, zero = 1, "
                      "recompute = \"full\", schedule = \"gpipe\" }");
  /* 8 micro-batches of 2 stages. */
  g_assert_cmpuint (goban_parallel_order_count_nodes (order), ==, 3 * n_nodes + 6 * 2 * 8);
}

static void
test_training_in_words (void)
{
  g_autoptr (GobanParallelOrder) order
      = new_training ("p100x8", (GobanTrainingShape){ .tp = 2, .pp = 3, .recompute = NULL });
  g_autoptr (GobanParallelResult) result = NULL;
  g_autoptr (GError) error = NULL;

  order->recompute = g_strdup ("full");
  result = goban_parallel_order_try (order, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (result->is_feasible);
  g_assert_true (g_str_has_prefix (result->text, "6 of 8 devices train on 12 samples in "));
  g_assert_nonnull (strstr (result->text, "Recomputation: "));
  g_assert_cmpuint (result->n_memory, ==, 3);
  g_assert_cmpfloat (result->memory[2].weight_bytes, >, 0);
  g_assert_nonnull (strstr (result->text, " of 17.18 GB."));
}

/* Its memory is known, but it is no run that can be made. */
static void
test_training_without_memory (void)
{
  g_autoptr (GobanParallelOrder) order
      = new_training ("msr:4,memory=20MB", (GobanTrainingShape){ .dp = 4 });
  g_autoptr (GobanParallelResult) result = NULL;
  g_autoptr (GError) error = NULL;

  result = goban_parallel_order_try (order, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (result->is_feasible);
  g_assert_nonnull (strstr (result->text, "of memory and has 20 MB. Tensor and pipeline"));
  g_assert_null (strstr (result->text, "samples"));
  g_assert_cmpfloat (result->memory[0].weight_bytes + result->memory[0].optimizer_bytes, >, 20e6);
  g_assert_null (goban_parallel_order_run (NULL, order, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE);
  g_assert_cmpstr (error->message, ==, result->text);
}

/* The toy was not generated. */
static void
test_training_refuses_ranks (void)
{
  g_autoptr (GobanParallelOrder) order = new_order (GOBAN_PARALLEL_TRAINING);
  g_autoptr (GError) error = NULL;

  order->shape.tp = 2;
  g_assert_null (goban_parallel_order_run (NULL, order, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "does not say how its ops can be split by tp=2"));
}

TEST_PROGRAM (parallel_order)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel-order/lines", test_lines);
  g_test_add_func ("/parallel-order/refuses-an-unknown-algorithm",
                   test_refuses_an_unknown_algorithm);
  g_test_add_func ("/parallel-order/training/line", test_training_line);
  g_test_add_func ("/parallel-order/training/in-words", test_training_in_words);
  g_test_add_func ("/parallel-order/training/without-memory", test_training_without_memory);
  g_test_add_func ("/parallel-order/training/refuses-ranks", test_training_refuses_ranks);
  return g_test_run ();
}
