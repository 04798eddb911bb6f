/* Stages with copies: against all ways to share out devices and blocks, and by hand. */
#include "engine/placers/stages/stage-copies.h"

#include "engine/core/error.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define MAX_LAYERS 7
#define N_DEVICES 4

/* 1 kB/us from each to each. */
#define DEVICE(name, kind, memory)                                                                 \
  "{ \"name\": \"" name "\", \"kind\": \"" kind "\", \"tflops\": 1,"                               \
  " \"memory_bandwidth\": \"1 GB/s\", \"memory\": " memory " }"
#define CLUSTER(memory)                                                                            \
  "{ \"devices\": [" DEVICE ("a", "slow", memory) "," DEVICE ("b", "quick", memory) "," DEVICE (   \
      "c", "quick", memory) "," DEVICE ("d", "slow", memory) "],"                                  \
                                                             " \"all_pairs\": { \"bandwidth\": "   \
                                                             "1e9 } }"

static const GobanDeviceId devices[N_DEVICES] = { 0, 1, 2, 3 };

/* A row of layers, by (layer, kind) times, weights and tensors. */
static GobanGraph *
new_row (guint n_layers, const double *quick_us, const double *slow_us, const double *params,
         const double *tensors)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  guint32 tensor = 0;

  for (guint v = 0; v < n_layers; v++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u", v);

      goban_graph_builder_add_node (builder, name, "Layer");
      goban_graph_builder_get_node (builder, v)->param_bytes = params[v];
      goban_graph_builder_set_time (builder, v, "quick", quick_us[v], GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "slow", slow_us[v], GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor, v);
      tensor = goban_graph_builder_add_tensor (builder, v, tensors[v]);
    }
  return toy_finish (builder);
}

/* --- all ways --------------------------------------------------------------------------------- */

typedef struct
{
  guint n_layers;
  double times_us[N_DEVICES][MAX_LAYERS];
  double params[MAX_LAYERS];
  double cuts_us[MAX_LAYERS];
} Row;

/* T of the paper, for layers [start, end) on devices [first, first + m). */
static double
get_stage (const Row *row, guint start, guint end, guint first, guint m)
{
  double bytes = 0, slowest_us = 0;

  for (guint d = first; d < first + m; d++)
    {
      double time_us = 0;

      for (guint v = start; v < end; v++)
        time_us += row->times_us[d][v];
      slowest_us = MAX (slowest_us, time_us);
    }
  for (guint v = start; v < end; v++)
    bytes += row->params[v];
  return MAX (slowest_us, 2.0 * (m - 1) * bytes / 1000) / m;
}

/* The least slowest time of the layers from @start on, on the devices from @first on. */
static double
find_least (const Row *row, guint start, guint first)
{
  double least_us = INFINITY;

  if (start == row->n_layers)
    return 0;
  if (first == N_DEVICES)
    return INFINITY;
  least_us = find_least (row, start, first + 1);
  for (guint m = 1; first + m <= N_DEVICES; m++)
    for (guint end = start + 1; end <= row->n_layers; end++)
      {
        double slowest_us = get_stage (row, start, end, first, m);

        if (end < row->n_layers)
          slowest_us = MAX (slowest_us, row->cuts_us[end - 1]);
        least_us = MIN (least_us, MAX (slowest_us, find_least (row, end, first + m)));
      }
  return least_us;
}

/* The outcome, from the stages by the formulas of this file. */
static double
get_slowest (const Row *row, const GArray *stages)
{
  guint start = 0, first = 0;
  double slowest_us = 0;

  for (guint s = 0; s < stages->len; s++)
    {
      const GobanCopiedStage *stage = &g_array_index (stages, GobanCopiedStage, s);

      g_assert_cmpuint (stage->end, >, start);
      g_assert_cmpuint (stage->first, >=, first);
      first = stage->first;
      slowest_us = MAX (slowest_us, get_stage (row, start, stage->end, first, stage->n_copies));
      if (stage->end < row->n_layers)
        slowest_us = MAX (slowest_us, row->cuts_us[stage->end - 1]);
      start = stage->end;
      first += stage->n_copies;
    }
  g_assert_cmpuint (start, ==, row->n_layers);
  g_assert_cmpuint (first, <=, N_DEVICES);
  return slowest_us;
}

/* Devices alike, and two kinds in turn, some of which may stay idle. */
static void
test_all_ways (void)
{
  for (guint i = 0; i < 300; i++)
    {
      gboolean is_alike = i % 2 == 0;
      Row row = { .n_layers = (guint) g_test_rand_int_range (1, MAX_LAYERS + 1) };
      double slow_us[MAX_LAYERS], quick_us[MAX_LAYERS], tensors[MAX_LAYERS];
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanStageChain) chain = NULL;
      g_autoptr (GArray) stages = NULL;
      g_autoptr (GError) error = NULL;
      GobanStageRequest request
          = { .n_stages = N_DEVICES, .devices = devices, .n_batches = N_DEVICES };
      GobanCopiesOutcome outcome;

      for (guint v = 0; v < row.n_layers; v++)
        {
          quick_us[v] = g_test_rand_int_range (1, 60);
          slow_us[v] = quick_us[v] * (is_alike ? 1 : 2);
          row.params[v] = g_test_rand_int_range (0, 4) * 5000.0;
          tensors[v] = g_test_rand_int_range (1, 30) * 1000.0;
          row.cuts_us[v] = v + 1 < row.n_layers ? tensors[v] / 1000 : 0;
          for (guint d = 0; d < N_DEVICES; d++)
            row.times_us[d][v] = d == 0 || d == 3 ? slow_us[v] : quick_us[v];
        }
      graph = new_row (row.n_layers, quick_us, slow_us, row.params, tensors);
      costs = toy_costs (graph, CLUSTER ("\"unlimited\""));
      chain = goban_stage_chain_new (costs, row.n_layers, &error);
      g_assert_no_error (error);
      stages = goban_stages_copy (chain, &request, &outcome, &error);
      g_assert_no_error (error);
      g_assert_true (outcome.fits);
      g_assert_cmpfloat_with_epsilon (outcome.slowest_us, get_slowest (&row, stages), 1e-9);
      g_assert_cmpfloat_with_epsilon (outcome.slowest_us, find_least (&row, 0, 0), 1e-9);
    }
}

/* --- by hand ---------------------------------------------------------------------------------- */

static GArray *
share_out (const double *params, const char *cluster, GobanCopiesOutcome *outcome)
{
  static const double times_us[] = { 15, 15, 10 };
  static const double tensors[] = { 1000, 1000, 1000 };
  g_autoptr (GobanGraph) graph = new_row (3, times_us, times_us, params, tensors);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GobanStageChain) chain = goban_stage_chain_new (costs, 3, NULL);
  GobanStageRequest request = { .n_stages = N_DEVICES, .devices = devices, .n_batches = N_DEVICES };
  g_autoptr (GError) error = NULL;
  GArray *stages = goban_stages_copy (chain, &request, outcome, &error);

  g_assert_no_error (error);
  return stages;
}

/* As in the paper: the first layers, with few weights, get the copies, and the last, which has most
 * of them, none. */
static void
test_few_weights_are_copied (void)
{
  static const double params[] = { 100, 100, 100000 };
  GobanCopiesOutcome outcome;
  g_autoptr (GArray) stages = share_out (params, CLUSTER ("\"unlimited\""), &outcome);

  g_assert_cmpuint (stages->len, ==, 2);
  g_assert_cmpuint (g_array_index (stages, GobanCopiedStage, 0).end, ==, 2);
  g_assert_cmpuint (g_array_index (stages, GobanCopiedStage, 0).n_copies, ==, 3);
  g_assert_cmpuint (g_array_index (stages, GobanCopiedStage, 1).end, ==, 3);
  g_assert_cmpuint (g_array_index (stages, GobanCopiedStage, 1).n_copies, ==, 1);
  g_assert_cmpfloat_with_epsilon (outcome.slowest_us, 10, 1e-9);
}

/* Without weights all devices are copies of one stage: nothing is sent. */
static void
test_without_weights (void)
{
  static const double params[] = { 0, 0, 0 };
  GobanCopiesOutcome outcome;
  g_autoptr (GArray) stages = share_out (params, CLUSTER ("\"unlimited\""), &outcome);

  g_assert_cmpfloat_with_epsilon (outcome.slowest_us, 10, 1e-9);
}

/* Whole copies do not fit; two stages do. If nothing fits, the time alone counts. */
static void
test_memory (void)
{
  static const double params[] = { 3000, 3000, 3000 };
  GobanCopiesOutcome roomy, tight, none;
  g_autoptr (GArray) in_roomy = share_out (params, CLUSTER ("\"unlimited\""), &roomy);
  g_autoptr (GArray) in_tight = share_out (params, CLUSTER ("8000"), &tight);
  g_autoptr (GArray) in_none = share_out (params, CLUSTER ("100"), &none);

  g_assert_true (roomy.fits && tight.fits && !none.fits);
  g_assert_cmpuint (in_tight->len, >, 1);
  g_assert_cmpfloat (tight.slowest_us, >=, roomy.slowest_us);
  g_assert_cmpfloat_with_epsilon (none.slowest_us, roomy.slowest_us, 1e-9);
}

static void
test_nothing_can_run (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanStageChain) chain = NULL;
  static const GobanDeviceId slow[] = { 0, 3 };
  GobanStageRequest request = { .n_stages = 2, .devices = slow };
  g_autoptr (GError) error = NULL;

  goban_graph_builder_add_node (builder, "op", "Op");
  goban_graph_builder_set_time (builder, 0, "quick", 10, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, 0, "slow", INFINITY, GOBAN_SOURCE_GIVEN);
  graph = toy_finish (builder);
  costs = toy_costs (graph, CLUSTER ("\"unlimited\""));
  chain = goban_stage_chain_new (costs, 1, &error);
  g_assert_no_error (error);
  g_assert_null (goban_stages_copy (chain, &request, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE);
}

TEST_PROGRAM (stage_copies)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stage-copies/all-ways", test_all_ways);
  g_test_add_func ("/stage-copies/few-weights-are-copied", test_few_weights_are_copied);
  g_test_add_func ("/stage-copies/without-weights", test_without_weights);
  g_test_add_func ("/stage-copies/memory", test_memory);
  g_test_add_func ("/stage-copies/nothing-can-run", test_nothing_can_run);
  return g_test_run ();
}
