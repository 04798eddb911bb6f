#include "engine/study/run/replicas-run.h"

#include "engine/core/error.h"
#include "engine/graph/training.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/pipeline.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "tests/support/trace-check.h"

#include <math.h>
#include <string.h>

#define PARAM_BYTES 6e4

/* Devices that add up and update in no time, 1 kB/us from each to each. */
#define DEVICE(name)                                                                               \
  "{ \"name\": \"" name "\", \"kind\": \"gpu\", \"tflops\": 1e18,"                                 \
  " \"memory_bandwidth\": \"unlimited\", \"memory\": \"unlimited\" }"
#define CLUSTER                                                                                    \
  "{ \"devices\": [" DEVICE ("a") "," DEVICE ("b") "," DEVICE ("c") "," DEVICE (                   \
      "d") "],"                                                                                    \
           " \"all_pairs\": { \"bandwidth\": 1e9 } }"

/* Layers of 10 us forward and 20 us backward in a row. */
static GobanGraph *
new_row (guint n_layers)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  GobanTrainingCosts ratios = { .with_params = 2, .without_params = 1, .state_bytes_ratio = 0 };
  g_autoptr (GobanGraph) graph = NULL;
  GobanGraph *trained;

  for (guint32 v = 0; v < n_layers; v++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u", v);

      goban_graph_builder_add_node (builder, name, "Layer");
      goban_graph_builder_get_node (builder, v)->param_bytes = PARAM_BYTES;
      goban_graph_builder_set_time (builder, v, "*", 10, GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
      goban_graph_builder_add_tensor (builder, v, 0);
    }
  graph = toy_finish (builder);
  trained = goban_graph_new_training (graph, &ratios, NULL);
  g_assert_nonnull (trained);
  return trained;
}

static GobanRun *
make (GobanGraph *graph, GobanReplicasRunOptions options, GobanReplicasFigures *figures)
{
  g_autoptr (GobanCostModel) costs = toy_costs (graph, CLUSTER);
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_replicas_run_new (costs, &options, figures, &error);

  g_assert_no_error (error);
  g_assert_true (goban_trace_is_valid (goban_run_get_trace (run)));
  goban_trace_check (goban_run_get_trace (run), &error);
  g_assert_no_error (error);
  return run;
}

/* Gradients of 60 us of a ring of 2: all but the last are sent while the backward pass goes on; in
 * one bucket they wait for its end. */
static void
test_overlap (void)
{
  g_autoptr (GobanGraph) graph = new_row (3);
  GobanReplicasFigures alone, together;
  g_autoptr (GobanRun) a = make (graph, (GobanReplicasRunOptions){ .n_replicas = 2 }, &alone);
  g_autoptr (GobanRun) b
      = make (graph, (GobanReplicasRunOptions){ .n_replicas = 2, .bucket_bytes = 1e9 }, &together);
  double ring_us = 2.0 / 2 * PARAM_BYTES / 1000;

  g_assert_cmpuint (alone.n_buckets, ==, 3);
  g_assert_cmpuint (together.n_buckets, ==, 1);
  g_assert_cmpfloat (alone.gradient_bytes, ==, 3 * PARAM_BYTES);
  /* The first gradient is there after 30 + 20 us, and the links are busy from then on. */
  g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (a), 50 + 3 * ring_us, 1e-6);
  g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (b), 90 + 3 * ring_us, 1e-6);
}

/* Every update depends on the gradients of every replica. */
static void
test_dependences (void)
{
  g_autoptr (GobanGraph) graph = new_row (2);

  for (guint tree = 0; tree < 2; tree++)
    {
      g_autoptr (GobanRun) run
          = make (graph, (GobanReplicasRunOptions){ .is_tree = tree != 0, .splits = TRUE }, NULL);
      GobanGraph *all = goban_run_get_graph (run);
      guint n = goban_graph_get_n_nodes (all);
      g_autofree guint *seen = g_new0 (guint, n);
      guint n_updates = 0;

      for (GobanNodeId v = 0; v < n; v++)
        {
          GobanEdgeSpan in = goban_graph_get_in_edges (all, v);
          const char *name = goban_graph_get_node (all, v)->name;

          for (guint i = 0; i < in.n; i++)
            seen[v] |= seen[goban_graph_get_edge (all, in.ids[i])->tail];
          if (strstr (name, "/grad/") != NULL)
            seen[v] |= 1u << (name[strlen ("replica")] - '0');
          if (strstr (name, "/update/") != NULL)
            {
              g_assert_cmpuint (seen[v], ==, 15);
              n_updates++;
            }
        }
      g_assert_cmpuint (n_updates, ==, 8);
      g_assert_cmpfloat (
          goban_graph_get_time_us (all, goban_graph_find_node (all, "replica3/layer1"), 0), ==,
          2.5);
    }
}

/* Two pipelines of two stages: gradients travel between equal stages alone. */
static void
test_pipelines (void)
{
  g_autoptr (GobanGraph) graph = new_row (4);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, CLUSTER);
  GobanPipelineOptions options = { .schedule = "1f1b", .n_ranks = 2, .n_batches = 4 };
  g_autoptr (GobanPipeline) pipeline = goban_pipeline_new (costs, &options, NULL);
  GobanRun *one = pipeline->run;
  GobanReplicasFigures figures;
  g_autoptr (GobanRun) run = make (
      goban_run_get_graph (one),
      (GobanReplicasRunOptions){ .bucket_bytes = 1e9, .plan = goban_run_get_plan (one) }, &figures);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  g_assert_cmpuint (figures.n_replicas, ==, 2);
  g_assert_cmpuint (figures.n_buckets, ==, 2);
  for (guint i = 0; i < n; i++)
    if (transfers[i].from / 2 != transfers[i].to / 2)
      g_assert_cmpuint (transfers[i].from % 2, ==, transfers[i].to % 2);
  g_assert_cmpfloat (goban_run_get_makespan_us (run), >, goban_run_get_makespan_us (one));
}

static void
test_refused (void)
{
  g_autoptr (GobanGraph) row = new_row (2);
  g_autoptr (GobanGraph) chain = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (row, CLUSTER);
  g_autoptr (GobanCostModel) inference = toy_costs (chain, CLUSTER);
  GobanReplicasRunOptions options = { .n_replicas = 5 };
  g_autoptr (GError) many = NULL;
  g_autoptr (GError) none = NULL;

  g_assert_null (goban_replicas_run_new (costs, &options, NULL, &many));
  g_assert_nonnull (strstr (many->message, "5 replicas on 1 devices each do not fit on the 4"));
  options.n_replicas = 2;
  g_assert_null (goban_replicas_run_new (inference, &options, NULL, &none));
  g_assert_nonnull (strstr (none->message, "replicas exchange gradients, and no update"));
}

/* All wait for the sums: the devices of the last replica alone are slower, by that factor. */
static void
test_straggler (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph
      = goban_graph_source_load ("gnmt:layers=1,granularity=coarse", NULL, &error);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  GobanReplicasRunOptions options = { .n_replicas = 2, .slowdown = 1 };
  g_autoptr (GobanRun) even = goban_replicas_run_new (costs, &options, NULL, &error);
  g_autoptr (GobanRun) slow = NULL;
  const GobanDeviceUse *uses[2];

  options.slowdown = 4;
  slow = goban_replicas_run_new (costs, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (goban_run_get_cluster (even) == goban_cost_model_get_cluster (costs));
  for (GobanDeviceId d = 0; d < 4; d++)
    {
      const GobanDevice *before = goban_cluster_get_device (goban_run_get_cluster (even), d);
      const GobanDevice *after = goban_cluster_get_device (goban_run_get_cluster (slow), d);
      double factor = d == 1 ? 4 : 1;

      g_assert_cmpfloat_with_epsilon (before->flops_per_us / after->flops_per_us, factor, 1e-9);
      g_assert_cmpfloat_with_epsilon (before->memory_bytes_per_us / after->memory_bytes_per_us,
                                      factor, 1e-9);
    }
  uses[0] = goban_trace_get_uses (goban_run_get_trace (even));
  uses[1] = goban_trace_get_uses (goban_run_get_trace (slow));
  g_assert_cmpfloat_with_epsilon (uses[0][0].busy_us, uses[1][0].busy_us, 1e-6);
  g_assert_cmpfloat (uses[1][1].busy_us, >, 3.5 * uses[0][1].busy_us);
  g_assert_cmpfloat (goban_run_get_makespan_us (slow), >, 3 * goban_run_get_makespan_us (even));
}

static void
test_straggler_refused (void)
{
  static const double factors[] = { 0.5, -1, 101, (double) NAN };
  g_autoptr (GobanGraph) row = new_row (2);
  g_autoptr (GobanCostModel) costs = toy_costs (row, CLUSTER);
  GobanReplicasRunOptions options = { .n_replicas = 2, .slowdown = 2 };
  g_autoptr (GError) given = NULL;

  g_assert_null (goban_replicas_run_new (costs, &options, NULL, &given));
  g_assert_nonnull (strstr (given->message, "are given, and no device's speed changes them"));
  for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      g_autoptr (GError) error = NULL;

      options.slowdown = factors[i];
      g_assert_null (goban_replicas_run_new (costs, &options, NULL, &error));
      g_assert_nonnull (strstr (error->message, "a straggler takes 1 to 100 times as long"));
    }
}

static void
test_algorithms (void)
{
  GobanReplicasRunOptions options = { .n_replicas = 2 };

  g_assert_true (goban_replicas_run_set_algorithm (&options, "tree"));
  g_assert_false (goban_replicas_run_set_algorithm (&options, "direct"));
  g_assert_true (options.is_tree);
  g_assert_true (goban_replicas_run_set_algorithm (&options, "ring"));
  g_assert_false (options.is_tree);
  g_assert_true (goban_replicas_run_set_algorithm (&options, NULL));
}

TEST_PROGRAM (replicas_run)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/replicas/overlap", test_overlap);
  g_test_add_func ("/replicas/dependences", test_dependences);
  g_test_add_func ("/replicas/pipelines", test_pipelines);
  g_test_add_func ("/replicas/refused", test_refused);
  g_test_add_func ("/replicas/straggler", test_straggler);
  g_test_add_func ("/replicas/straggler-refused", test_straggler_refused);
  g_test_add_func ("/replicas/algorithms", test_algorithms);
  return g_test_run ();
}
