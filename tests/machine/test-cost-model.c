#include "engine/machine/cluster/cost-model.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/graph/collectives.h"
#include "engine/machine/cluster/what-if.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

/* Two GPUs, the second of twice the speed, a CPU and a device of nobody's kind. */
static GobanCluster *
make_cluster (void)
{
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_json (
      "{ \"devices\": ["
      "{ \"name\": \"g0\", \"kind\": \"gpu\", \"flops_per_us\": 100, \"memory_bytes_per_us\": 10,"
      "  \"memory\": 1000, \"launch\": 3 },"
      "{ \"name\": \"g1\", \"kind\": \"gpu\", \"flops_per_us\": 200, \"memory_bytes_per_us\": 10,"
      "  \"memory\": 1000, \"launch\": 3 },"
      "{ \"name\": \"c0\", \"kind\": \"cpu\", \"flops_per_us\": 25, \"memory_bytes_per_us\": 5,"
      "  \"memory\": 500, \"launch\": 1 },"
      "{ \"name\": \"t0\", \"kind\": \"tpu\", \"flops_per_us\": 400,"
      "  \"memory_bandwidth\": \"unlimited\", \"memory\": 2 }],"
      "\"links\": [{ \"from\": \"g0\", \"to\": \"g1\", \"bandwidth\": \"unlimited\","
      "  \"latency\": 4 }],"
      "\"all_pairs\": { \"bytes_per_us\": 8, \"latency\": 2 } }",
      -1, "test", &error);

  g_assert_no_error (error);
  return cluster;
}

static void
assert_times (const GobanCostModel *costs, GobanNodeId node, const double wanted[4])
{
  for (guint d = 0; d < 4; d++)
    {
      double time_us = goban_cost_model_time_us (costs, node, (GobanDeviceId) d);
      guint class = goban_cluster_get_class (goban_cost_model_get_cluster (costs),
                                             (GobanDeviceId) d);

      g_assert_cmpfloat (time_us, ==, wanted[d]);
      g_assert_cmpfloat (goban_cost_model_times_us (costs, node)[class], ==, wanted[d]);
      g_assert_cmpint (goban_cost_model_can_run (costs, node, (GobanDeviceId) d), ==,
                       isfinite (wanted[d]));
    }
}

static void
assert_sources (const GobanCostModel *costs, GobanNodeId node, const GobanSource wanted[4])
{
  for (guint d = 0; d < 4; d++)
    g_assert_cmpint (goban_cost_model_get_source (costs, node, (GobanDeviceId) d), ==, wanted[d]);
}

static void
set_work (GobanGraphBuilder *builder, guint32 node, double flops, double read, double written)
{
  GobanNode *n = goban_graph_builder_get_node (builder, node);

  n->flops = flops;
  n->read_bytes = read;
  n->written_bytes = written;
}

static void
test_roofline (void)
{
  static const GobanSource estimated[4] = { GOBAN_SOURCE_ESTIMATED, GOBAN_SOURCE_ESTIMATED,
                                            GOBAN_SOURCE_ESTIMATED, GOBAN_SOURCE_ESTIMATED };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanCluster) cluster = make_cluster ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  for (guint v = 0; v < 4; v++)
    goban_graph_builder_add_node (builder, "", "Op");
  set_work (builder, 0, 1000, 20, 10); /* bound by FLOPs */
  set_work (builder, 1, 100, 30, 70);  /* bound by memory */
  set_work (builder, 2, 0, 0, 5);
  graph = toy_finish (builder);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  assert_times (costs, 0, (double[]){ 10 + 3, 5 + 3, 40 + 1, 2.5 });
  assert_times (costs, 1, (double[]){ 10 + 3, 10 + 3, 20 + 1, 0.25 });
  assert_times (costs, 2, (double[]){ 0.5 + 3, 0.5 + 3, 1 + 1, 0 });
  assert_times (costs, 3, (double[]){ 0, 0, 0, 0 });
  for (GobanNodeId v = 0; v < 4; v++)
    assert_sources (costs, v, estimated);
}

/* Ops of each type of number on a device with peaks for some of them. */
static void
test_peaks_by_type (void)
{
  static const struct
  {
    const char *dtype;
    double flops_us; /* of 1200 FLOPs */
  } cases[] = { { "f32", 120 }, { "f64", 120 },     { "", 120 },  { "tf32", 120 }, { "f16", 30 },
                { "bf16", 30 }, { "f8e4m3fn", 30 }, { "s8", 15 }, { "u8", 15 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_json (
      "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"flops_per_us\": 20,"
      " \"memory_bytes_per_us\": 8, \"memory\": 1, \"launch\": 3,"
      " \"peaks_per_us\": { \"f16\": 80, \"i8\": 160 },"
      " \"compute_efficiency\": 0.5, \"memory_efficiency\": 0.25 }] }",
      -1, "test", NULL);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint32 node = goban_graph_builder_add_node (builder, "", "Op");
      guint32 tensor = goban_graph_builder_add_tensor (builder, node, 8);

      set_work (builder, node, 1200, 20, 10);
      if (*cases[i].dtype != '\0')
        goban_graph_builder_set_tensor_shape (builder, tensor, cases[i].dtype, (gint64[]){ 8 }, 1);
    }
  set_work (builder, goban_graph_builder_add_node (builder, "", "Op"), 10, 30, 70);
  graph = toy_finish (builder);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  for (GobanNodeId v = 0; v < G_N_ELEMENTS (cases); v++)
    {
      g_assert_cmpfloat_with_epsilon (goban_cost_model_time_us (costs, v, 0), cases[v].flops_us + 3,
                                      1e-12);
      g_assert_cmpfloat (goban_cost_model_get_peak_flops (costs, v, 0), ==,
                         1200 / (0.5 * cases[v].flops_us));
    }
  g_assert_cmpfloat_with_epsilon (goban_cost_model_time_us (costs, G_N_ELEMENTS (cases), 0), 50 + 3,
                                  1e-12);
}

#define GROUPED(name, bandwidth)                                                                   \
  "{ \"from\": \"" name "\", \"to\": \"tp\", \"bytes_per_us\": " bandwidth                         \
  ", \"latency\": 3, \"both_ways\": false }"

/* On the link to its group if the device has one; else among devices, as without a group. */
static void
test_collectives_of_groups (void)
{
  static const struct
  {
    GobanCollectiveKind kind;
    guint n_steps; /* of 8 ranks */
    double share;  /* of the bytes in each */
  } kinds[] = {
    { GOBAN_COLLECTIVE_ALL_REDUCE, 14, 0.125 }, { GOBAN_COLLECTIVE_REDUCE_SCATTER, 7, 0.125 },
    { GOBAN_COLLECTIVE_ALL_GATHER, 7, 0.125 },  { GOBAN_COLLECTIVE_ALL_TO_ALL, 7, 0.125 },
    { GOBAN_COLLECTIVE_BROADCAST, 3, 1 },       { GOBAN_COLLECTIVE_SEND, 1, 1 },
  };
  const double bytes = 4000;
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GError) error = NULL;
  /* clang-format off */
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_json (
      "{ \"devices\": [{ \"name\": \"g\", \"count\": 4, \"kind\": \"gpu\", \"tflops\": 1,"
      " \"memory_bandwidth\": 1, \"memory\": 1 }], \"switches\": [\"tp\"], \"links\": ["
      GROUPED ("g:0", "10") "," GROUPED ("g:1", "20") "," GROUPED ("g:3", "10")
      "], \"all_pairs\": { \"bytes_per_us\": 5, \"latency\": 1 } }",
      -1, "test", &error);
  /* clang-format on */
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCluster) faster = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (goban_cluster_get_n_classes (cluster), ==, 3);
  g_assert_cmpuint (goban_cluster_get_class (cluster, 3), ==, 0);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (kinds); i++)
    goban_graph_builder_set_collective (
        builder, (GobanNodeCollective){ goban_graph_builder_add_node (builder, "", "Collective"),
                                        kinds[i / 2].kind, bytes, 8, 1, i % 2 ? "tp" : NULL });
  graph = toy_finish (builder);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint d = 0; d < 4; d++)
      {
        double alone_us = goban_cost_model_time_us (costs, 2 * i, (GobanDeviceId) d);
        double time_us = goban_cost_model_time_us (costs, 2 * i + 1, (GobanDeviceId) d);
        double rate = d == 1 ? 20 : 10;

        g_assert_cmpfloat (alone_us, ==, goban_cost_model_time_us (costs, 2 * i, 0));
        if (d == 2)
          g_assert_cmpfloat (time_us, ==, alone_us);
        else
          g_assert_cmpfloat_with_epsilon (
              time_us, kinds[i].n_steps * (3 + kinds[i].share * bytes / rate), 1e-9);
      }

  faster = goban_what_if_link (cluster, 0, 4, "bandwidth", 40e6, &error);
  g_assert_no_error (error);
  g_clear_pointer (&costs, goban_cost_model_unref);
  costs = goban_cost_model_new (graph, faster, GOBAN_EXECUTION_EVENTS);
  g_assert_cmpfloat_with_epsilon (goban_cost_model_time_us (costs, 1, 0),
                                  14 * (3 + 0.125 * bytes / 40), 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_cost_model_time_us (costs, 1, 3),
                                  14 * (3 + 0.125 * bytes / 10), 1e-9);
}

/* a: on GPUs; b: on any; c: on both kinds, not on CPUs; d: on a kind that is not here;
 * e: on no device of the cluster; f: nowhere, as far as the graph knows */
static GobanGraph *
make_timed_graph (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");

  for (const char *name = "abcdef"; *name != '\0'; name++)
    {
      g_autofree char *text = g_strndup (name, 1);

      set_work (builder, goban_graph_builder_add_node (builder, text, "Op"), 1000, 0, 0);
    }
  goban_graph_builder_set_time (builder, 0, "gpu", 8, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_time (builder, 1, GOBAN_ANY_KIND, 7, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 2, "gpu", 8, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 2, "cpu", INFINITY, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 3, "npu", 6, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 4, "gpu", INFINITY, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 4, "cpu", INFINITY, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 4, "tpu", INFINITY, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 5, "npu", INFINITY, GOBAN_SOURCE_GIVEN);
  return toy_finish (builder);
}

static void
test_given_times (void)
{
  const double never = (double) INFINITY;
  g_autoptr (GobanGraph) graph = make_timed_graph ();
  g_autoptr (GobanCluster) cluster = make_cluster ();
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  /* Scaled by the speed of the first GPU, 100 FLOPs per us, over the device's own. */
  assert_times (costs, 0, (double[]){ 8, 8, 32, 2 });
  assert_sources (costs, 0,
                  (GobanSource[]){ GOBAN_SOURCE_MEASURED, GOBAN_SOURCE_MEASURED,
                                   GOBAN_SOURCE_ESTIMATED, GOBAN_SOURCE_ESTIMATED });
  assert_times (costs, 1, (double[]){ 7, 7, 7, 7 });
  assert_sources (costs, 1,
                  (GobanSource[]){ GOBAN_SOURCE_GIVEN, GOBAN_SOURCE_GIVEN, GOBAN_SOURCE_GIVEN,
                                   GOBAN_SOURCE_GIVEN });
  assert_times (costs, 2, (double[]){ 8, 8, never, 2 });
  /* Nobody knows how fast an npu is: as fast as what is here. */
  assert_times (costs, 3, (double[]){ 6, 6, 6, 6 });
  assert_times (costs, 4, (double[]){ never, never, never, never });
  assert_times (costs, 5, (double[]){ 10 + 3, 5 + 3, 40 + 1, 2.5 });
}

static void
test_least_time_is_scaled (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanCluster) cluster = make_cluster ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  goban_graph_builder_add_node (builder, "a", "Op");
  goban_graph_builder_set_time (builder, 0, "gpu", 80, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 0, "cpu", 32, GOBAN_SOURCE_GIVEN);
  graph = toy_finish (builder);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  assert_times (costs, 0, (double[]){ 80, 80, 32, 2 });
}

/* Times of GPUs on a cluster without any are those of a P100. */
static void
test_scales_from_absent_kinds (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanCluster) both = goban_cluster_new_from_spec ("cpu+gpu", NULL);
  g_autoptr (GobanCluster) gpus = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCostModel) as_cpu = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  goban_graph_builder_add_node (builder, "a", "Op");
  goban_graph_builder_set_time (builder, 0, "cpu", 31, GOBAN_SOURCE_GIVEN);
  graph = toy_finish (builder);
  costs = goban_cost_model_new (graph, both, GOBAN_EXECUTION_EVENTS);
  as_cpu = goban_cost_model_new (graph, gpus, GOBAN_EXECUTION_EVENTS);
  g_assert_cmpfloat_with_epsilon (goban_cost_model_time_us (costs, 0, 0), 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (goban_cost_model_time_us (as_cpu, 0, 1), 2, 1e-12);
}

static void
test_transfers (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanCluster) cluster = make_cluster ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  guint32 given, control;

  goban_graph_builder_add_node (builder, "a", "Op");
  goban_graph_builder_add_node (builder, "b", "Op");
  goban_graph_builder_add_tensor (builder, 0, 40);
  given = goban_graph_builder_add_tensor (builder, 0, 40);
  goban_graph_builder_set_transfer (builder, given, "gpu", "cpu", 11);
  goban_graph_builder_set_transfer (builder, given, GOBAN_ANY_KIND, GOBAN_ANY_KIND, 13);
  goban_graph_builder_set_transfer (builder, given, GOBAN_ANY_KIND, "gpu", 17);
  goban_graph_builder_set_transfer (builder, given, "gpu", GOBAN_ANY_KIND, 19);
  control = goban_graph_builder_add_control_tensor (builder, 0);
  graph = toy_finish (builder);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, 0, 2, 2), ==, 0);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, 0, 0, 1), ==,
                     4); /* as wide as you like */
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, 0, 0, 2), ==, 2 + 5);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, given, 1, 2), ==, 11);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, given, 2, 1), ==, 17);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, given, 0, 1), ==, 19);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, given, 0, 3), ==, 19);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, given, 2, 3), ==, 13);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, given, 1, 1), ==, 0);
  g_assert_cmpfloat (goban_cost_model_transfer_us (costs, control, 3, 2), ==, 2);
}

static void
test_contention (void)
{
  g_autoptr (GobanCluster) links = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autoptr (GobanCluster) free_links = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanGraph) graph = make_timed_graph ();
  g_autoptr (GobanCostModel) a = goban_cost_model_new (graph, links, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanCostModel) b
      = goban_cost_model_new (graph, links, GOBAN_EXECUTION_CONTENTION_FREE);
  g_autoptr (GobanCostModel) c = goban_cost_model_new (graph, free_links, GOBAN_EXECUTION_EVENTS);

  g_assert_false (goban_cost_model_is_contention_free (a));
  g_assert_true (goban_cost_model_is_contention_free (b));
  g_assert_true (goban_cost_model_is_contention_free (c));
  g_assert_cmpfloat (goban_cost_model_total_memory (a), ==, 32 * 1073741824.0);
  g_assert_true (isinf (goban_cost_model_total_memory (c)));
}

static GobanGraph *
make_random_graph (GobanRng *rng)
{
  static const char *const kinds[] = { "gpu", "cpu", "npu", GOBAN_ANY_KIND };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");

  for (guint v = 0; v < 12; v++)
    {
      guint32 tensor;

      goban_graph_builder_add_node (builder, "", "Op");
      set_work (builder, v, goban_rng_below (rng, 500), goban_rng_below (rng, 50), 3);
      goban_graph_builder_get_node (builder, v)->param_bytes = v;
      tensor = goban_graph_builder_add_tensor (builder, v, goban_rng_below (rng, 100));
      for (guint k = 0; k < 4; k++)
        {
          if (goban_rng_below (rng, 4) == 0)
            goban_graph_builder_set_time (builder, v, kinds[k],
                                          goban_rng_below (rng, 3) == 0 ? (double) INFINITY
                                                                        : goban_rng_below (rng, 90),
                                          GOBAN_SOURCE_GIVEN);
          if (goban_rng_below (rng, 8) == 0)
            goban_graph_builder_set_transfer (builder, tensor, kinds[k],
                                              kinds[goban_rng_below (rng, 4)],
                                              goban_rng_below (rng, 90));
        }
    }
  return toy_finish (builder);
}

static void
assert_means (const GobanCostModel *costs, guint n_devices)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  g_autofree double *mean = g_new (double, n_nodes);
  g_autofree double *min = g_new (double, n_nodes);
  g_autofree double *transfer = g_new (double, n_nodes);

  goban_cost_model_mean_times (costs, mean);
  goban_cost_model_min_times (costs, min);
  goban_cost_model_mean_transfers (costs, transfer);
  for (guint v = 0; v < n_nodes; v++)
    {
      double sum_us = 0, least_us = (double) INFINITY, moved_us = 0;
      guint n = 0;

      for (guint a = 0; a < n_devices; a++)
        {
          double time_us = goban_cost_model_time_us (costs, v, (GobanDeviceId) a);

          least_us = MIN (least_us, time_us);
          sum_us += isfinite (time_us) ? time_us : 0;
          n += isfinite (time_us);
          for (guint b = 0; b < n_devices; b++)
            moved_us
                += goban_cost_model_transfer_us (costs, v, (GobanDeviceId) a, (GobanDeviceId) b);
        }
      g_assert_cmpfloat (min[v], ==, least_us);
      if (n == 0)
        g_assert_true (isinf (mean[v]));
      else
        g_assert_cmpfloat_with_epsilon (mean[v], sum_us / n, 1e-9);
      g_assert_cmpfloat_with_epsilon (
          transfer[v], n_devices > 1 ? moved_us / (n_devices * (n_devices - 1)) : 0, 1e-9);
      g_assert_cmpfloat (goban_cost_model_param_bytes (costs, v), ==, v);
    }
}

static void
test_means_against_sums (void)
{
  static const char *const specs[] = { "p100x4", "cpu+gpu", "equal:1", "equal:3,latency=1e-6" };
  g_autoptr (GobanCluster) mixed = make_cluster ();
  GobanRng rng;

  goban_rng_init (&rng, 5);
  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GobanGraph) graph = make_random_graph (&rng);
      g_autoptr (GobanCluster) cluster = round % 5 == 4
                                             ? goban_cluster_ref (mixed)
                                             : goban_cluster_new_from_spec (specs[round % 5], NULL);
      g_autoptr (GobanCostModel) costs
          = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

      assert_means (costs, goban_cluster_get_n_devices (cluster));
    }
}

static void
test_keeps_what_it_binds (void)
{
  g_autoptr (GobanCostModel) costs = NULL;
  GobanCostModel *another;

  {
    g_autoptr (GobanGraph) graph = make_timed_graph ();
    g_autoptr (GobanCluster) cluster = make_cluster ();

    costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  }
  another = goban_cost_model_ref (costs);
  goban_cost_model_unref (another);
  g_assert_cmpuint (goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)), ==, 6);
  g_assert_cmpuint (goban_cluster_get_n_classes (goban_cost_model_get_cluster (costs)), ==, 4);
}

TEST_PROGRAM (cost_model)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost-model/times/roofline", test_roofline);
  g_test_add_func ("/cost-model/times/peaks-by-type", test_peaks_by_type);
  g_test_add_func ("/cost-model/times/collectives-of-groups", test_collectives_of_groups);
  g_test_add_func ("/cost-model/times/given", test_given_times);
  g_test_add_func ("/cost-model/times/least-is-scaled", test_least_time_is_scaled);
  g_test_add_func ("/cost-model/times/scaled-from-absent-kinds", test_scales_from_absent_kinds);
  g_test_add_func ("/cost-model/transfers/given-or-routed", test_transfers);
  g_test_add_func ("/cost-model/contention/either-says-free", test_contention);
  g_test_add_func ("/cost-model/means/against-sums", test_means_against_sums);
  g_test_add_func ("/cost-model/life/keeps-what-it-binds", test_keeps_what_it_binds);
  return g_test_run ();
}
