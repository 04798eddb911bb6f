#include "engine/study/measure/iteration-fit.h"

#include "engine/core/error.h"
#include "engine/core/pattern-search.h"
#include "engine/core/rng.h"
#include "engine/study/run/graph-source.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Ops of all sizes and types, with the times of such a device as those of a100x2. @noise: the
 * most that a time is off, as a factor. */
static GobanCostModel *
make_costs (guint n, double compute, double memory, double launch_us, double noise)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("a100x2", NULL);
  const GobanDevice *device = goban_cluster_get_device (cluster, 0);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GobanGraph) graph = NULL;
  GobanRng rng;

  goban_rng_init (&rng, 7);
  for (guint i = 0; i < n; i++)
    {
      guint32 id = goban_graph_builder_add_node (builder, "", "Op");
      guint32 tensor = goban_graph_builder_add_tensor (builder, id, 8);
      GobanNode *node = goban_graph_builder_get_node (builder, id);
      gboolean is_half = i % 2 == 0;
      double peak = is_half ? 312e6 : 19.5e6;
      double time_us;

      goban_graph_builder_set_tensor_shape (builder, tensor, is_half ? "bf16" : "f32",
                                            (gint64[]){ 4 }, 1);
      node->read_bytes = exp (7 + 12 * goban_rng_uniform (&rng));
      node->written_bytes = exp (7 + 12 * goban_rng_uniform (&rng));
      node->flops = (node->read_bytes + node->written_bytes) * exp (9 * goban_rng_uniform (&rng));
      time_us = MAX (node->flops / (compute * peak), (node->read_bytes + node->written_bytes)
                                                         / (memory * device->memory_bytes_per_us))
                + launch_us;
      goban_graph_builder_set_time (builder, id, "gpu",
                                    time_us * pow (noise, 2 * goban_rng_uniform (&rng) - 1),
                                    GOBAN_SOURCE_MEASURED);
    }
  graph = toy_finish (builder);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static void
test_constants_come_back (void)
{
  static const double cases[][3] = {
    { 0.83, 0.59, 0 }, { 0.83, 0.59, 4 }, { 0.4, 0.9, 1 }, { 0.95, 0.1, 10 }, { 0.05, 0.7, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double *wanted = cases[i];
      g_autoptr (GobanCostModel) exact = make_costs (300, wanted[0], wanted[1], wanted[2], 1);
      g_autoptr (GobanCostModel) noisy = make_costs (2000, wanted[0], wanted[1], wanted[2], 1.2);
      g_autoptr (GobanCluster) fitted = NULL;
      g_autoptr (GError) error = NULL;
      GobanDeviceFit fit;

      g_assert_true (goban_device_fit (exact, NULL, &fit, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (fit.n_nodes, ==, 300);
      g_assert_cmpuint (fit.n_compute, >, 20);
      g_assert_cmpfloat_with_epsilon (fit.compute_efficiency / wanted[0], 1, 2e-3);
      g_assert_cmpfloat_with_epsilon (fit.memory_efficiency / wanted[1], 1, 2e-3);
      g_assert_cmpfloat_with_epsilon (fit.launch_us, wanted[2], 0.01);
      g_assert_cmpfloat (fit.fitted.mean, <, 2e-3);
      g_assert_cmpfloat (fit.sheet.mean, >, 0.1);

      g_assert_true (goban_device_fit (noisy, "gpu", &fit, &error));
      g_assert_cmpfloat_with_epsilon (fit.compute_efficiency / wanted[0], 1, 0.03);
      g_assert_cmpfloat_with_epsilon (fit.memory_efficiency / wanted[1], 1, 0.03);
      g_assert_cmpfloat (fit.fitted.mean, <, 0.1);
      g_assert_cmpfloat (fit.fitted.median, <=, fit.fitted.high);

      fitted = goban_device_fit_apply (&fit, goban_cost_model_get_cluster (noisy), &error);
      g_assert_no_error (error);
      for (GobanDeviceId d = 0; d < 2; d++)
        {
          const GobanDevice *device = goban_cluster_get_device (fitted, d);

          g_assert_cmpfloat (device->compute_efficiency, ==, fit.compute_efficiency);
          g_assert_cmpfloat (device->memory_efficiency, ==, fit.memory_efficiency);
          g_assert_cmpfloat (device->launch_us, ==, fit.launch_us);
          g_assert_cmpfloat (device->bus_efficiency, ==, 0.77);
        }
    }
}

static void
test_refuses_what_has_no_times (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) timed = toy_costs (graph, "p100x2");
  g_autoptr (GobanGraph) plain = toy_generate ("rnnlm");
  g_autoptr (GobanCostModel) untimed = toy_costs (plain, "p100x2");
  g_autoptr (GError) few = NULL;
  g_autoptr (GError) none = NULL;
  g_autoptr (GError) kind = NULL;
  GobanDeviceFit fit;

  g_assert_false (goban_device_fit (timed, NULL, &fit, &few));
  g_assert_nonnull (strstr (few->message, "0 nodes have FLOPs or bytes and a measured time on the "
                                          "kind gpu; at least 3 are needed"));
  g_assert_false (goban_device_fit (untimed, NULL, &fit, &none));
  g_assert_cmpstr (none->message, ==,
                   "no op has a measured time on a device of p100x2: choose another cluster, or "
                   "take times from a profile");
  g_assert_false (goban_device_fit (untimed, "tpu", &fit, &kind));
  g_assert_cmpstr (kind->message, ==, "p100x2 has no device of the kind “tpu”");
}

/* A profile of a real run, on a processor whose data sheet is not that of the cluster's: constants
 * make up for that. */
static void
test_real_profile (void)
{
  g_autofree char *model = shared_data_path ("profile/towers.onnx");
  g_autofree char *profile = shared_data_path ("profile/towers.ort-profile.json.gz");
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("cpu+gpu", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanGraph) measured = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  GobanLoadOptions options = { 0 };
  GobanDeviceFit fit;

  if (model == NULL || profile == NULL)
    return;
  graph = goban_graph_source_load (model, &options, &error);
  g_assert_no_error (error);
  measured = goban_graph_source_measure (graph, profile, cluster, NULL, &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (measured, cluster, GOBAN_EXECUTION_EVENTS);
  g_assert_true (goban_device_fit (costs, NULL, &fit, &error));
  g_assert_cmpstr (fit.kind, ==, "cpu");
  g_assert_cmpuint (fit.n_nodes, >, 40);
  g_test_message (
      "%u ops: compute %.3f memory %.3f launch %.3f us, error %.1f %% (data sheet %.1f)",
      fit.n_nodes, fit.compute_efficiency, fit.memory_efficiency, fit.launch_us,
      100 * fit.fitted.mean, 100 * fit.sheet.mean);
  g_assert_cmpfloat (fit.fitted.mean, <, fit.sheet.mean);
  g_assert_cmpfloat (fit.fitted.median, <, 0.25);
}

/* |log (a / 3)| + |log (b a / 2)| + ...: minima along ridges, which no single value leads down. */
static double
ridge (const double *values, gpointer data)
{
  guint n = GPOINTER_TO_UINT (data);
  double sum = fabs (log (values[0] / 3));

  for (guint i = 1; i < n; i++)
    sum += 10 * fabs (log (values[i] * values[i - 1] / 2));
  return sum;
}

static void
test_search_follows_ridges (void)
{
  for (guint n = 1; n <= GOBAN_PATTERN_MOST; n++)
    {
      const double start[GOBAN_PATTERN_MOST] = { 1, 0.01, 500, 1 };
      double best[GOBAN_PATTERN_MOST];
      double error = goban_pattern_search (start, n, ridge, GUINT_TO_POINTER (n), best);

      g_assert_cmpfloat (error, <, 0.02);
      g_assert_cmpfloat_with_epsilon (best[0], 3, 0.02);
      for (guint i = 1; i < n; i++)
        g_assert_cmpfloat_with_epsilon (best[i] * best[i - 1], 2, 0.02);
    }
}

TEST_PROGRAM (device_fit)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-fit/constants/come-back", test_constants_come_back);
  g_test_add_func ("/device-fit/refuses/no-times", test_refuses_what_has_no_times);
  g_test_add_func ("/device-fit/profile/real", test_real_profile);
  g_test_add_func ("/device-fit/search/follows-ridges", test_search_follows_ridges);
  return g_test_run ();
}
