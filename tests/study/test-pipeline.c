#include "engine/study/run/pipeline.h"

#include "engine/core/error.h"
#include "engine/graph/training.h"
#include "engine/graph/workloads/workload.h"
#include "engine/placers/stages/stages.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "tests/support/trace-check.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define PARAM_BYTES 1000
#define ACTIVATION_BYTES 100

/* Layers of 10 us in a row, the backward pass of each of 20 us, and updates that take no time. */
static GobanGraph *
new_uniform (guint n_layers, gboolean training)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("uniform", "test");
  GobanTrainingCosts ratios = { .with_params = 2, .without_params = 1, .state_bytes_ratio = 0 };
  g_autoptr (GobanGraph) graph = NULL;
  GobanGraph *trained;
  guint32 tensor = 0;

  for (guint v = 0; v < n_layers; v++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u", v);

      goban_graph_builder_add_node (builder, name, "Layer");
      goban_graph_builder_get_node (builder, v)->param_bytes = PARAM_BYTES;
      goban_graph_builder_set_time (builder, v, "*", 10, GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor, v);
      tensor = goban_graph_builder_add_tensor (builder, v, ACTIVATION_BYTES);
    }
  graph = toy_finish (builder);
  if (!training)
    return g_steal_pointer (&graph);
  trained = goban_graph_new_training (graph, &ratios, NULL);
  g_assert_nonnull (trained);
  return trained;
}

/* Times of updates are estimated: nothing on devices of infinite bandwidth. */
static GobanPipeline *
make (GobanGraph *graph, const char *cluster, GobanPipelineOptions options)
{
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GError) error = NULL;
  GobanPipeline *self = goban_pipeline_new (costs, &options, &error);
  GobanTrace *trace;

  g_assert_no_error (error);
  trace = goban_run_get_trace (self->run);
  g_assert_true (goban_trace_is_valid (trace));
  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  return self;
}

static double
get_makespan (GobanPipeline *self)
{
  return goban_run_get_makespan_us (self->run);
}

/* The time in which the last backward op ends: updates come after. */
static double
get_end_of_passes (GobanPipeline *self)
{
  GobanRun *run = self->run;
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  GobanGraph *graph = goban_run_get_graph (run);
  double end_us = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->phase != GOBAN_PHASE_UPDATE)
      end_us = MAX (end_us, spans[v].finish_us);
  return end_us;
}

/* --- bubbles -------------------------------------------------------------------------------- */

/* The whole is (m + p - 1) (F + B), of which (p - 1) (F + B) is idle. */
static void
test_bubbles (void)
{
  static const char *const names[] = { "gpipe", "1f1b" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint p = 1; p <= 4; p++)
      for (guint m = 1; m <= 9; m += 4)
        {
          g_autoptr (GobanGraph) graph = new_uniform (2 * p, TRUE);
          g_autofree char *cluster = g_strdup_printf ("equal:%u", p);
          g_autoptr (GobanPipeline) self = make (
              graph, cluster, (GobanPipelineOptions){ .schedule = names[i], .n_batches = m });
          double busy_us = 2 * 30.0 * m;
          double end_us = get_end_of_passes (self);

          /* The first layer has no gradient of its input, but its time is that of the others. */
          g_assert_cmpfloat (end_us, ==, (m + p - 1) * 60.0);
          g_assert_cmpfloat_with_epsilon (1 - busy_us / end_us, (p - 1.0) / (m + p - 1), 1e-12);
          g_assert_cmpfloat_with_epsilon (goban_pipeline_get_uniform_bubble (self),
                                          (p - 1.0) / (m + p - 1), 1e-12);
        }
}

/* One of several stages a rank is shorter by their number, one whose weight gradients fill the gaps
 * by two thirds. */
static void
test_smaller_bubbles (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (8, TRUE);
  g_autoptr (GobanPipeline) plain
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "1f1b" });
  g_autoptr (GobanPipeline) two
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "interleaved" });
  g_autoptr (GobanPipeline) zero
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "zero-bubble" });

  g_assert_cmpfloat (get_end_of_passes (plain), ==, (8 + 3) * 60);
  g_assert_cmpfloat (get_end_of_passes (two), ==, 8 * 60 + 3 * 30);
  /* The first stage alone has no input gradient for one of its layers. */
  g_assert_cmpfloat (get_end_of_passes (zero), <=, 8 * 60 + 3 * 20);
  g_assert_cmpfloat (get_end_of_passes (zero), >, 8 * 60);
}

/* Without a schedule the ranks take what is ready, late forward passes too, in the time of 1F1B. */
static void
test_priorities (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (4, TRUE);
  g_autoptr (GobanPipeline) free = make (graph, "equal:4", (GobanPipelineOptions){ 0 });
  g_autoptr (GobanPipeline) plain
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "1f1b" });

  g_assert_true (isnan (goban_pipeline_get_uniform_bubble (free)));
  g_assert_cmpfloat (get_end_of_passes (free), <=, get_end_of_passes (plain));
}

/* --- memory --------------------------------------------------------------------------------- */

/* Activations of all micro-batches are in memory at once in GPipe, of as many as there are ranks
 * from it on in 1F1B; parameters once. */
static void
test_memory (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (4, TRUE);
  g_autoptr (GobanPipeline) gpipe
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "gpipe", .n_batches = 20 });
  g_autoptr (GobanPipeline) plain
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "1f1b", .n_batches = 20 });
  const GobanDeviceUse *all = goban_trace_get_uses (goban_run_get_trace (gpipe->run));
  const GobanDeviceUse *few = goban_trace_get_uses (goban_run_get_trace (plain->run));

  /* The sum of the gradients, as large as the parameters, is there twice while it is added to. */
  for (guint d = 1; d < 4; d++)
    {
      g_assert_cmpfloat (all[d].peak_bytes, >=, PARAM_BYTES + 20 * ACTIVATION_BYTES);
      g_assert_cmpfloat (few[d].peak_bytes, <=,
                         3 * PARAM_BYTES + (2 * (4 - d) + 4) * ACTIVATION_BYTES);
    }
}

/* The first stage has as many versions of its weights as there are stages, the last one one; each
 * micro-batch has updates of its own. */
static void
test_versions (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (4, TRUE);
  g_autoptr (GobanPipeline) self
      = make (graph, "equal:4", (GobanPipelineOptions){ .schedule = "pipedream" });
  GobanGraph *all = goban_run_get_graph (self->run);

  for (guint s = 0; s < 4; s++)
    {
      g_autofree char *first = g_strdup_printf ("mb0/layer%u", s);
      g_autofree char *later = g_strdup_printf ("mb1/layer%u", s);
      g_autofree char *update = g_strdup_printf ("mb7/update/layer%u", s);

      g_assert_cmpfloat (
          goban_graph_get_node (all, goban_graph_find_node (all, first))->param_bytes, ==,
          (4 - s) * PARAM_BYTES);
      g_assert_cmpfloat (
          goban_graph_get_node (all, goban_graph_find_node (all, later))->param_bytes, ==, 0);
      g_assert_cmpuint (goban_graph_find_node (all, update), !=, GOBAN_NO_NODE);
    }
}

/* --- the graph ------------------------------------------------------------------------------ */

static void
test_graph (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (3, TRUE);
  g_autoptr (GobanPipeline) self
      = make (graph, "equal:3",
              (GobanPipelineOptions){ .schedule = "zero-bubble", .n_batches = 4, .splits = TRUE });
  GobanGraph *all = goban_run_get_graph (self->run);
  GobanNodeId half = goban_graph_find_node (all, "mb2/grad/layer1");
  GobanNodeId other = goban_graph_find_node (all, "mb2/grad/layer1/weights");
  GobanNodeId first = goban_graph_find_node (all, "mb0/layer1");
  GobanNodeId later = goban_graph_find_node (all, "mb3/layer1");

  /* 4 x (3 + 2 + 3 backward halves), 3 updates, and 4 x (3 + 2 + 3) ends of passes. */
  g_assert_cmpuint (goban_graph_get_n_nodes (all), ==, 4 * 8 + 3 + 4 * 8);
  g_assert_cmpuint (goban_graph_get_node (all, half)->micro_batch, ==, 2);
  g_assert_cmpfloat (goban_graph_get_time_us (all, half, 0), ==, 20.0 / 2 / 4);
  g_assert_cmpfloat (goban_graph_get_time_us (all, other, 0), ==, 20.0 / 2 / 4);
  g_assert_cmpfloat (goban_graph_get_output_bytes (all, half), ==, ACTIVATION_BYTES / 4);
  g_assert_cmpfloat (goban_graph_get_output_bytes (all, other), ==, PARAM_BYTES);
  g_assert_cmpfloat (goban_graph_get_node (all, first)->param_bytes, ==, PARAM_BYTES);
  g_assert_cmpfloat (goban_graph_get_node (all, later)->param_bytes, ==, 0);
  g_assert_cmpuint (goban_graph_get_node (all, half)->group, ==,
                    goban_graph_get_node (all, other)->group);
  g_assert_cmpuint (
      goban_graph_get_node (all, goban_graph_find_node (all, "update/layer1"))->micro_batch, ==,
      GOBAN_NO_BATCH);
  g_assert_cmpuint (g_strv_length ((char **) goban_graph_get_warnings (all)), ==, 3);
}

/* --- stages --------------------------------------------------------------------------------- */

/* The best of all cuts of a row, by trying them. */
static double
find_best (const double *times_us, guint first, guint n, guint n_stages)
{
  double best_us = INFINITY;
  double sum_us = 0;

  if (n_stages == 1)
    {
      for (guint v = first; v < n; v++)
        sum_us += times_us[v];
      return sum_us;
    }
  for (guint v = first; v + n_stages <= n; v++)
    {
      sum_us += times_us[v];
      best_us = MIN (best_us, MAX (sum_us, find_best (times_us, v + 1, n, n_stages - 1)));
    }
  return best_us;
}

static void
test_cut (void)
{
  for (guint seed = 0; seed < 30; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autofree guint *stages = NULL;
      static const GobanDeviceId devices[] = { 0, 1, 2, 3 };
      GobanStageRequest request = { .n_stages = 1 + seed % 4, .devices = devices };
      double sums_us[4] = { 0 }, times_us[13], slowest_us = 0;

      /* The last but one joins the last, its only reader, which takes no time. */
      for (guint32 v = 0; v < 13; v++)
        {
          times_us[v] = v < 12 ? g_rand_int_range (rand, 1, 50) : 0;
          goban_graph_builder_add_node (builder, "op", "Op");
          goban_graph_builder_set_time (builder, v, "*", times_us[v], GOBAN_SOURCE_GIVEN);
          goban_graph_builder_add_tensor (builder, v, 0);
          for (guint32 before = v > 1 ? v - 2 : 0; before < v; before++)
            goban_graph_builder_add_edge (builder, before, v);
        }
      graph = toy_finish (builder);
      costs = toy_costs (graph, "equal:4");
      stages = goban_stages_cut (costs, &request, NULL);
      for (guint v = 0; v < 13; v++)
        {
          g_assert_true (v == 0 || stages[v] >= stages[v - 1]);
          sums_us[stages[v]] += times_us[v];
        }
      for (guint s = 0; s < request.n_stages; s++)
        slowest_us = MAX (slowest_us, sums_us[s]);
      g_assert_cmpfloat (slowest_us, ==, find_best (times_us, 0, 12, request.n_stages));
    }
}

/* A straggler gets less: of six ops that take it twice as long, two. */
static void
test_straggler (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autofree guint *stages = NULL;
  static const GobanDeviceId devices[] = { 0, 1 };
  GobanStageRequest request = { .n_stages = 2, .devices = devices };
  guint n_slow = 0;

  for (guint32 v = 0; v < 7; v++)
    {
      goban_graph_builder_add_node (builder, "op", "Op");
      goban_graph_builder_set_time (builder, v, "quick", v < 6 ? 10 : 0, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "slow", v < 6 ? 20 : 0, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 0);
      for (guint32 before = v > 1 ? v - 2 : 0; before < v; before++)
        goban_graph_builder_add_edge (builder, before, v);
    }
  graph = toy_finish (builder);
  costs = toy_costs (graph, "devices:slow,quick");
  stages = goban_stages_cut (costs, &request, NULL);
  for (guint v = 0; v < 6; v++)
    n_slow += stages[v] == 0;
  g_assert_cmpuint (n_slow, ==, 2);
}

/* Unrolled layers with weights in common, gradients by name: tensors go on through the stages, and
 * gradients back. */
static void
test_models (void)
{
  static const char *const specs[]
      = { "rnnlm:layers=2,steps=3", "gnmt:layers=2,steps=2", "transformer-xl:layers=2",
          "inception-v3:granularity=coarse" };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i], &error);
      g_autoptr (GobanCostModel) costs = graph != NULL ? toy_costs (graph, "p100x4") : NULL;
      static const GobanDeviceId devices[] = { 0, 1, 2 };
      GobanStageRequest request = { .n_stages = 3, .devices = devices };
      g_autofree guint *stages = NULL;

      g_assert_no_error (error);
      stages = goban_stages_cut (costs, &request, &error);
      g_assert_no_error (error);
      for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, e);
          GobanPhase tail = goban_graph_get_node (graph, edge->tail)->phase;
          GobanPhase head = goban_graph_get_node (graph, edge->head)->phase;

          if (tail == GOBAN_PHASE_FORWARD && head == GOBAN_PHASE_FORWARD)
            g_assert_cmpuint (stages[edge->tail], <=, stages[edge->head]);
          if (tail == GOBAN_PHASE_BACKWARD && head == GOBAN_PHASE_BACKWARD)
            g_assert_cmpuint (stages[edge->tail], >=, stages[edge->head]);
        }
    }
}

static void
test_refused (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (2, TRUE);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
  g_autoptr (GobanPlan) there_and_back = goban_plan_new (graph, 4);
  static const struct
  {
    GobanPipelineOptions options;
    const char *message;
  } cases[] = {
    { { .schedule = "1f1b" }, "the graph has 2 parts in a row, which are too few for 4 stages" },
    { { .schedule = "gbipe" },
      "there is no schedule “gbipe”; there are gpipe, 1f1b, pipedream, interleaved, zero-bubble, "
      "dualpipe-v" },
    { { .n_ranks = 9 }, "a pipeline of 9 ranks does not fit on the 4 devices of “equal:4”" },
    { { .n_batches = 5000, .n_stages = 2 }, "a pipeline has 1 to 4096 micro-batches" },
    { { .n_stages = G_MAXUINT }, "a pipeline has 1 to 1024 stages" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_pipeline_new (costs, &cases[i].options, &error));
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
  goban_plan_set_device (there_and_back, goban_graph_find_node (graph, "layer1"), 1);
  {
    GobanPipelineOptions options = { .schedule = "1f1b", .plan = there_and_back };
    g_autoptr (GError) error = NULL;

    g_assert_null (goban_pipeline_new (costs, &options, &error));
    g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  }
}

/* --- files ---------------------------------------------------------------------------------- */

static void
test_shared_schedule (void)
{
  g_autofree char *path = shared_data_path ("pipelining/zb1p_2rank_2stagep_comms.csv");
  g_autoptr (GobanGraph) graph = new_uniform (4, TRUE);
  g_autoptr (GobanPipeline) self = NULL;
  g_autofree char *text = NULL;
  g_autofree char *written = NULL;

  if (path == NULL)
    return;
  self = make (graph, "equal:2", (GobanPipelineOptions){ .schedule = path });
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  written = goban_pipeline_dup_csv (self);
  g_assert_cmpstr (written, ==, text);
  /* 8 micro-batches of 2 layers of 30 us, and a bubble. */
  g_assert_cmpfloat (get_makespan (self), >=, 8 * 60);
  g_assert_cmpfloat (get_makespan (self), <=, 8 * 60 + 2 * 30);
}

/* --- the number of stages ------------------------------------------------------------------- */

#define MAX_LAYERS 8

/* A row of layers with random times and tensors. */
static GobanGraph *
new_row (guint n_layers)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  guint32 tensor = 0;

  for (guint v = 0; v < n_layers; v++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u", v);

      goban_graph_builder_add_node (builder, name, "Layer");
      goban_graph_builder_set_time (builder, v, "*", g_test_rand_int_range (1, 60),
                                    GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor, v);
      tensor = goban_graph_builder_add_tensor (builder, v, g_test_rand_int_range (1, 50) * 1000);
    }
  return toy_finish (builder);
}

/* The least estimate of all cuts into up to @most stages: bit i of @cuts says that a stage ends
 * behind layer i. */
static double
find_least (GobanCostModel *costs, guint most, guint n_batches)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n = goban_graph_get_n_nodes (graph);
  double transfers[MAX_LAYERS];
  double least_us = INFINITY;

  goban_cost_model_mean_transfers (costs, transfers);
  for (guint cuts = 0; cuts < 1u << (n - 1); cuts++)
    {
      double stage_us = 0, slowest_us = 0;
      guint n_stages = 1;

      for (guint v = 0; v < n; v++)
        {
          stage_us += goban_graph_get_time_us (graph, v, 0);
          slowest_us = MAX (slowest_us, stage_us);
          if (v + 1 == n || (cuts >> v & 1) == 0)
            continue;
          slowest_us = MAX (slowest_us, transfers[v]);
          stage_us = 0;
          n_stages++;
        }
      if (n_stages <= most)
        least_us = MIN (least_us, (n_batches + n_stages - 1.0) * slowest_us);
    }
  return least_us;
}

static void
test_choice (void)
{
  for (guint i = 0; i < 200; i++)
    {
      guint n_layers = (guint) g_test_rand_int_range (1, MAX_LAYERS + 1);
      guint n_batches = (guint) g_test_rand_int_range (1, 20);
      g_autoptr (GobanGraph) graph = new_row (n_layers);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4,bandwidth=1e9B/s");
      g_autoptr (GobanStageChain) chain = goban_stage_chain_new (costs, MIN (n_layers, 4), NULL);
      const GobanDeviceId devices[] = { 0, 1, 2, 3 };
      GobanStageRequest request = { .n_stages = 4, .devices = devices, .n_batches = n_batches };
      g_autoptr (GError) error = NULL;
      GobanStageChoice choice;
      g_autofree guint *stages = goban_stages_choose (chain, &request, n_batches, &choice, &error);

      g_assert_no_error (error);
      g_assert_true (choice.fits);
      g_assert_cmpuint (stages[n_layers - 1] + 1, ==, choice.n_stages);
      g_assert_cmpfloat_with_epsilon (choice.estimate_us, find_least (costs, 4, n_batches), 1e-9);
    }
}

/* Behind a first stage of two layers, of 12 us, there is no quick cut for a third stage; behind one
 * of a single layer there is. */
static void
test_slow_cut (void)
{
  static const double times_us[] = { 6, 6, 3, 3 }, bytes[] = { 1000, 1000, 26000, 0 };
  static const GobanDeviceId devices[] = { 0, 1, 2 };
  GobanStageRequest request = { .n_stages = 3, .devices = devices, .n_batches = 8 };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanStageChain) chain = NULL;
  g_autofree guint *stages = NULL;
  GobanStageChoice choice;

  for (guint v = 0; v < 4; v++)
    {
      goban_graph_builder_add_node (builder, "layer", "Layer");
      goban_graph_builder_set_time (builder, v, "*", times_us[v], GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
      goban_graph_builder_add_tensor (builder, v, bytes[v]);
    }
  graph = toy_finish (builder);
  costs = toy_costs (graph, "equal:3,bandwidth=1e9B/s");
  chain = goban_stage_chain_new (costs, 4, NULL);
  stages = goban_stages_choose (chain, &request, 8, &choice, NULL); /* it cannot fail */
  g_assert_cmpuint (choice.n_stages, ==, 3);
  g_assert_cmpfloat_with_epsilon (choice.slowest_us, 6, 1e-9);
}

/* Two layers of 30 and 10 us without weights: of four devices, three copies of the first, or four
 * of both. */
static void
test_copies (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanPipeline) chosen = NULL;
  g_autoptr (GobanPipeline) told = NULL;
  GobanPipelineCopies copies;
  guint n_devices = 0;

  for (guint v = 0; v < 2; v++)
    {
      goban_graph_builder_add_node (builder, v == 0 ? "first" : "last", "Layer");
      goban_graph_builder_set_time (builder, v, "*", v == 0 ? 30 : 10, GOBAN_SOURCE_GIVEN);
    }
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, 0, 1000), 1);
  graph = toy_finish (builder);
  chosen = make (graph, "equal:4,bandwidth=1e9B/s",
                 (GobanPipelineOptions){ .chooses_stages = TRUE, .n_batches = 40 });
  told = make (graph, "equal:4,bandwidth=1e9B/s", (GobanPipelineOptions){ .n_stages = 2 });
  g_assert_false (goban_pipeline_get_copies (told, &copies));
  g_assert_true (goban_pipeline_get_copies (chosen, &copies));
  for (guint s = 0; s < copies.n_stages; s++)
    n_devices += copies.n_devices[s];
  g_assert_cmpuint (n_devices, ==, 4);
  g_assert_cmpfloat_with_epsilon (copies.slowest_us, 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (copies.slowest_once_us, 30, 1e-9);
}

/* Of ten equal layers, one micro-batch gains nothing by stages; many do. */
static void
test_chosen_stages (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (10, FALSE);
  const char *const cluster = "equal:3,bandwidth=1e15B/s";
  g_autoptr (GobanPipeline) one
      = make (graph, cluster, (GobanPipelineOptions){ .chooses_stages = TRUE, .n_batches = 1 });
  g_autoptr (GobanPipeline) few
      = make (graph, cluster,
              (GobanPipelineOptions){ .chooses_stages = TRUE, .n_stages = 2, .n_batches = 20 });
  g_autoptr (GobanPipeline) many = make (
      graph, cluster,
      (GobanPipelineOptions){ .chooses_stages = TRUE, .n_batches = 20, .schedule = "gpipe" });
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  GobanPipelineOptions interleaved = { .chooses_stages = TRUE, .schedule = "interleaved" };
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (one->n_stages, ==, 1);
  g_assert_cmpuint (few->n_stages, ==, 2);
  g_assert_cmpuint (many->n_stages, ==, 3);
  g_assert_cmpuint (many->n_ranks, ==, 3);
  g_assert_null (goban_pipeline_new (costs, &interleaved, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

static gboolean
stop_at_last (gpointer n_left)
{
  return --*(int *) n_left == 0;
}

/* A model whose first and last layer have their weights in common: gradients of the last layer stay
 * at its stage, with a schedule or without. */
static void
test_tied_weights (void)
{
  static const char *const specs[]
      = { "gpt:layers=3,sequence=64", "gpt:layers=3,sequence=64,tied=0" };
  static const char *const schedules[] = { NULL, "1f1b" };

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i / 2], &error);
      g_autoptr (GobanPipeline) self = NULL;
      double backward[4] = { 0 };

      g_assert_no_error (error);
      self = make (graph, "p100x4",
                   (GobanPipelineOptions){ .schedule = schedules[i % 2], .n_batches = 2 });
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        if (goban_graph_get_node (graph, v)->phase == GOBAN_PHASE_BACKWARD)
          {
            g_assert_cmpuint (self->stages[v], <, 4);
            backward[self->stages[v]] += goban_graph_get_node (graph, v)->flops;
          }
      for (guint stage = 0; stage < 4; stage++)
        g_assert_cmpfloat (backward[stage], >, 0);
    }
}

/* A pipeline can be stopped while nodes and edges are copied, and before it is simulated. */
static void
test_stops (void)
{
  g_autoptr (GobanGraph) graph = new_uniform (8, TRUE);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  guint n_stops = 0;

  for (int at = 1; at < 100; at++)
    {
      g_autoptr (GError) error = NULL;
      int n_left = at;
      GobanProgress progress = { .should_stop = stop_at_last, .user_data = &n_left };
      GobanPipelineOptions options = { .schedule = "gpipe", .n_batches = 4, .progress = &progress };
      g_autoptr (GobanPipeline) self = goban_pipeline_new (costs, &options, &error);

      if (self != NULL)
        break;
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      n_stops++;
    }
  g_assert_cmpuint (n_stops, >=, 5);
}

TEST_PROGRAM (pipeline)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/bubbles", test_bubbles);
  g_test_add_func ("/pipeline/smaller-bubbles", test_smaller_bubbles);
  g_test_add_func ("/pipeline/priorities", test_priorities);
  g_test_add_func ("/pipeline/memory", test_memory);
  g_test_add_func ("/pipeline/versions", test_versions);
  g_test_add_func ("/pipeline/graph", test_graph);
  g_test_add_func ("/pipeline/cut", test_cut);
  g_test_add_func ("/pipeline/copies", test_copies);
  g_test_add_func ("/pipeline/straggler", test_straggler);
  g_test_add_func ("/pipeline/models", test_models);
  g_test_add_func ("/pipeline/tied-weights", test_tied_weights);
  g_test_add_func ("/pipeline/refused", test_refused);
  g_test_add_func ("/pipeline/shared-schedule", test_shared_schedule);
  g_test_add_func ("/pipeline/stages/choice", test_choice);
  g_test_add_func ("/pipeline/stages/slow-cut", test_slow_cut);
  g_test_add_func ("/pipeline/stages/chosen", test_chosen_stages);
  g_test_add_func ("/pipeline/stops", test_stops);
  return g_test_run ();
}
