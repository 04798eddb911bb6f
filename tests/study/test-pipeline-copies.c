/* Pipelines whose stages have copies: where every micro-batch runs, PipeDream's rate, the bytes of
 * the all-reduces, memory, and random cases. */
#include "engine/study/run/pipeline.h"

#include "engine/core/error.h"
#include "engine/graph/training.h"
#include "engine/graph/workloads/workload.h"
#include "engine/io/io.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "tests/support/trace-check.h"

#include <math.h>
#include <string.h>

#define MAX_STAGES 4
#define TENSOR_BYTES 100

/* A row of layers, trained if there are weights: the backward pass of a layer takes twice its time,
 * updates take none. */
static GobanGraph *
new_row (const double *times_us, const double *params, guint n_layers)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  GobanTrainingCosts ratios = { .with_params = 2, .without_params = 2, .state_bytes_ratio = 0 };
  g_autoptr (GobanGraph) graph = NULL;
  GobanGraph *trained;
  guint32 tensor = 0;

  for (guint v = 0; v < n_layers; v++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u", v);

      goban_graph_builder_add_node (builder, name, "Layer");
      goban_graph_builder_get_node (builder, v)->param_bytes = params != NULL ? params[v] : 0;
      goban_graph_builder_set_time (builder, v, "*", times_us[v], GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor, v);
      tensor = goban_graph_builder_add_tensor (builder, v, TENSOR_BYTES);
    }
  graph = toy_finish (builder);
  if (params == NULL)
    return g_steal_pointer (&graph);
  trained = goban_graph_new_training (graph, &ratios, NULL);
  g_assert_nonnull (trained);
  return trained;
}

/* Devices on which ops without a time, such as updates and sums, take next to none. (transfer
 * full) */
static char *
new_cluster (guint n_devices, const char *bandwidth, const char *memory)
{
  GString *text = g_string_new ("{ \"devices\": [");

  for (guint d = 0; d < n_devices; d++)
    g_string_append_printf (text,
                            "%s{ \"name\": \"d%u\", \"kind\": \"gpu\", \"tflops\": 1e9, "
                            "\"memory_bandwidth\": \"1e18 B/s\", \"memory\": %s }",
                            d > 0 ? ", " : "", d, memory);
  g_string_append_printf (text, "], \"all_pairs\": { \"bandwidth\": %s } }", bandwidth);
  return g_string_free (text, FALSE);
}

static GobanPipeline *
make (GobanGraph *graph, const char *cluster, GobanPipelineOptions options)
{
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GError) error = NULL;
  GobanPipeline *self = goban_pipeline_new (costs, &options, &error);
  GobanTrace *trace;

  g_assert_no_error (error);
  trace = goban_run_get_trace (self->run);
  g_assert_cmpstr (goban_trace_get_why (trace), ==, "");
  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  return self;
}

static double
get_makespan (GobanPipeline *self)
{
  return goban_run_get_makespan_us (self->run);
}

static GobanDeviceId
get_device (GobanPipeline *self, GobanNodeId node)
{
  return goban_plan_get_device (goban_run_get_plan (self->run), node);
}

static gboolean
is_step (const GobanNode *node)
{
  return g_str_has_prefix (node->name, "all-reduce/");
}

/* --- one copy of each ------------------------------------------------------------------------- */

static char *
save_graph (GobanPipeline *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  goban_graph_save (goban_run_get_graph (self->run), path, "json", &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_single (void)
{
  static const char *const names[] = { "none", "gpipe", "1f1b", "pipedream", "zero-bubble" };
  static const guint ones[] = { 1, 1, 1 };
  static const double times_us[] = { 7, 11, 5, 9 }, params[] = { 1000, 200, 0, 3000 };
  g_autofree char *folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "graph.json", NULL);
  g_autoptr (GobanGraph) graph = new_row (times_us, params, 4);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GobanPipeline) plain
          = make (graph, "equal:3,bandwidth=1e9B/s",
                  (GobanPipelineOptions){ .schedule = names[i], .n_stages = 3 });
      g_autoptr (GobanPipeline) copied
          = make (graph, "equal:3,bandwidth=1e9B/s",
                  (GobanPipelineOptions){ .schedule = names[i], .n_stages = 3, .n_copies = ones });
      g_autofree char *plain_text = save_graph (plain, path);
      g_autofree char *copied_text = save_graph (copied, path);

      g_assert_cmpstr (copied_text, ==, plain_text);
      g_assert_true (
          toy_plans_are_same (goban_run_get_plan (plain->run), goban_run_get_plan (copied->run)));
      g_assert_cmpfloat (get_makespan (copied), ==, get_makespan (plain));
      g_assert_false (goban_pipeline_has_copies (copied));
    }
  remove_folder (folder);
}

/* --- random cases ----------------------------------------------------------------------------- */

typedef struct
{
  guint n_stages;
  guint n_copies[MAX_STAGES];
  guint n_batches;
  const char *schedule;
  gboolean is_trained;
  double times_us[MAX_STAGES];
  double params[MAX_STAGES];
} Case;

static Case
draw_case (void)
{
  static const char *const names[] = { "none", "gpipe", "1f1b", "pipedream" };
  Case self = { .n_stages = (guint) g_test_rand_int_range (1, MAX_STAGES + 1),
                .n_batches = (guint) g_test_rand_int_range (2, 14),
                .schedule = names[g_test_rand_int_range (0, 4)],
                .is_trained = g_test_rand_int_range (0, 4) > 0 };

  for (guint s = 0; s < self.n_stages; s++)
    {
      do
        self.n_copies[s] = (guint) g_test_rand_int_range (1, MIN (self.n_batches, 5) + 1);
      while (strcmp (self.schedule, "pipedream") == 0 && self.n_batches % self.n_copies[s] != 0);
      self.times_us[s] = g_test_rand_int_range (1, 50);
      self.params[s] = g_test_rand_int_range (1, 50) * 120;
    }
  return self;
}

static GobanPipeline *
run_case (const Case *self, const char *bandwidth)
{
  g_autoptr (GobanGraph) graph
      = new_row (self->times_us, self->is_trained ? self->params : NULL, self->n_stages);
  guint n_ranks = 0;
  g_autofree char *spec = NULL;

  for (guint s = 0; s < self->n_stages; s++)
    n_ranks += self->n_copies[s];
  spec = new_cluster (n_ranks, bandwidth, "\"unlimited\"");
  return make (graph, spec,
               (GobanPipelineOptions){ .schedule = self->schedule,
                                       .n_stages = self->n_stages,
                                       .n_copies = self->n_copies,
                                       .n_batches = self->n_batches });
}

/* The only node of the name, on that device. */
static void
assert_is_on (GobanPipeline *self, guint batch, const char *kind, guint stage, guint device)
{
  GobanGraph *graph = goban_run_get_graph (self->run);
  g_autofree char *name = g_strdup_printf ("mb%u/%slayer%u", batch, kind, stage);
  GobanNodeId node = goban_graph_find_node (graph, name);

  g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
  g_assert_cmpuint (goban_graph_get_node (graph, node)->micro_batch, ==, batch);
  g_assert_cmpuint (get_device (self, node), ==, device);
}

/* Names are unique, so each micro-batch runs each stage once. */
static void
check_places (GobanPipeline *self, const Case *drawn)
{
  guint first = 0;

  for (guint s = 0; s < drawn->n_stages; s++)
    {
      for (guint b = 0; b < drawn->n_batches; b++)
        {
          assert_is_on (self, b, "", s, first + b % drawn->n_copies[s]);
          if (drawn->is_trained)
            assert_is_on (self, b, "grad/", s, first + b % drawn->n_copies[s]);
        }
      first += drawn->n_copies[s];
    }
}

/* The same for any number of copies. */
static void
check_work (GobanPipeline *self, const Case *drawn)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (self->run));
  double busy_us = 0, expected_us = 0;

  for (guint d = 0; d < self->n_ranks; d++)
    busy_us += uses[d].busy_us;
  for (guint s = 0; s < drawn->n_stages; s++)
    expected_us += drawn->times_us[s] * (drawn->is_trained ? 3 : 1) * drawn->n_batches;
  g_assert_cmpfloat_with_epsilon (busy_us, expected_us, 0.01);
}

/* Each copy has all weights of its stage, as many times as it keeps versions. */
static void
check_weights (GobanPipeline *self, const Case *drawn)
{
  GobanGraph *graph = goban_run_get_graph (self->run);
  double bytes[64] = { 0 };
  guint device = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    bytes[get_device (self, v)] += goban_graph_get_node (graph, v)->param_bytes;
  for (guint s = 0; s < drawn->n_stages; s++)
    for (guint c = 0; c < drawn->n_copies[s]; c++, device++)
      {
        double versions = bytes[device] / drawn->params[s];

        g_assert_cmpfloat (versions, ==, round (versions));
        g_assert_cmpfloat (versions, >=, drawn->is_trained);
        if (strcmp (drawn->schedule, "pipedream") != 0)
          g_assert_cmpfloat (versions, ==, drawn->is_trained);
      }
}

static gboolean
is_for_step (const GobanGraph *graph, GobanTensorId tensor)
{
  GobanEdgeSpan readers = goban_graph_get_tensor_edges (graph, tensor);
  gboolean has_step = FALSE;

  for (guint i = 0; i < readers.n; i++)
    has_step |= is_step (
        goban_graph_get_node (graph, goban_graph_get_edge (graph, readers.ids[i])->head));
  return has_step;
}

/* What arrives at the copies of a stage for the steps of its all-reduces: each copy gets
 * 2 (n - 1) / n of the weights, once, or in every round of the copies. */
static void
check_reduced_bytes (GobanPipeline *self, const Case *drawn)
{
  GobanRun *run = self->run;
  GobanGraph *graph = goban_run_get_graph (run);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);
  double bytes[64] = { 0 };
  guint device = 0;

  for (guint i = 0; i < n; i++)
    if (is_for_step (graph, transfers[i].tensor))
      bytes[transfers[i].to] += goban_graph_get_tensor (graph, transfers[i].tensor)->size_bytes;
  for (guint s = 0; s < drawn->n_stages; s++)
    {
      double r = drawn->n_copies[s];
      double n_rounds = strcmp (drawn->schedule, "pipedream") == 0 ? drawn->n_batches / r : 1;
      double expected = drawn->is_trained ? 2 * (r - 1) / r * drawn->params[s] * n_rounds : 0;

      for (guint c = 0; c < drawn->n_copies[s]; c++, device++)
        g_assert_cmpfloat_with_epsilon (bytes[device], expected, 1e-6);
    }
}

/* Every case ends, obeys the simulator's rules, and has the figures that it must have. */
static void
test_random (void)
{
  for (guint i = 0; i < 120; i++)
    {
      Case drawn = draw_case ();
      g_autoptr (GobanPipeline) self = run_case (&drawn, g_test_rand_bit () ? "1e9" : "1e18");

      check_places (self, &drawn);
      check_work (self, &drawn);
      check_weights (self, &drawn);
      check_reduced_bytes (self, &drawn);
    }
}

/* --- the rate --------------------------------------------------------------------------------- */

/* Time per micro-batch, between two long pipelines. */
static double
get_period (Case drawn, guint n_batches)
{
  double times_us[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanPipeline) self = NULL;

      drawn.n_batches = n_batches * (i + 1);
      self = run_case (&drawn, "1e18");
      times_us[i] = get_makespan (self);
    }
  return (times_us[1] - times_us[0]) / n_batches;
}

/* With free transfers, the slowest of the stages' times divided by their copies. */
static void
test_rate (void)
{
  static const char *const names[] = { "none", "1f1b", "pipedream" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint k = 1; k <= 4; k++)
      for (gboolean is_trained = FALSE; is_trained <= TRUE; is_trained++)
        {
          Case balanced = { .n_stages = 3,
                            .n_copies = { 1, k, 1 },
                            .schedule = names[i],
                            .is_trained = is_trained,
                            .times_us = { 10, 10.0 * k, 10 },
                            .params = { 100, 100, 100 } };
          Case slow = balanced;

          slow.times_us[1] = 40; /* that of the stage that has copies counts, up to four of them */
          g_assert_cmpfloat_with_epsilon (get_period (balanced, 24), is_trained ? 30 : 10, 0.001);
          g_assert_cmpfloat_with_epsilon (get_period (slow, 24), (is_trained ? 3 : 1) * 40.0 / k,
                                          0.001);
        }
}

/* Copies of the first or of the last stage, and of all of them. */
static void
test_rate_of_any_stage (void)
{
  static const struct
  {
    guint n_copies[2];
    double times_us[2];
    double period_us;
  } cases[] = {
    { { 3, 1 }, { 30, 10 }, 10 }, { { 1, 3 }, { 10, 30 }, 10 }, { { 2, 2 }, { 20, 20 }, 10 },
    { { 3, 2 }, { 30, 20 }, 10 }, { { 3, 1 }, { 12, 5 }, 5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Case drawn = { .n_stages = 2, .schedule = "1f1b" };

      memcpy (drawn.n_copies, cases[i].n_copies, sizeof cases[i].n_copies);
      memcpy (drawn.times_us, cases[i].times_us, sizeof cases[i].times_us);
      g_assert_cmpfloat_with_epsilon (get_period (drawn, 24), cases[i].period_us, 0.001);
      drawn.is_trained = TRUE;
      drawn.params[0] = drawn.params[1] = 100;
      g_assert_cmpfloat_with_epsilon (get_period (drawn, 24), 3 * cases[i].period_us, 0.001);
    }
}

/* --- names and memory ------------------------------------------------------------------------- */

static void
test_names (void)
{
  Case drawn = { .n_stages = 2,
                 .n_copies = { 2, 1 },
                 .n_batches = 4,
                 .schedule = "1f1b",
                 .is_trained = TRUE,
                 .times_us = { 20, 10 },
                 .params = { 1200, 500 } };
  static const char *const names[]
      = { "copy0/update/layer0",        "copy1/update/layer0",         "update/layer1",
          "all-reduce/0/rank0/Reduce0", "all-reduce/0/rank1/Forward1", "passes/0BW3" };
  static const guint devices[] = { 0, 1, 2, 0, 1, 1 };
  g_autoptr (GobanPipeline) self = run_case (&drawn, "1e18");
  GobanGraph *graph = goban_run_get_graph (self->run);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GobanNodeId node = goban_graph_find_node (graph, names[i]);

      g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
      g_assert_cmpuint (get_device (self, node), ==, devices[i]);
    }
  g_assert_true (goban_pipeline_has_copies (self));
  g_assert_cmpuint (goban_pipeline_get_n_copies (self, 0), ==, 2);
  g_assert_cmpuint (goban_pipeline_get_n_copies (self, 1), ==, 1);
  g_assert_null (goban_pipeline_dup_csv (self));
  g_assert_cmpfloat_with_epsilon (goban_pipeline_get_bubble (self),
                                  1 - 30 * 3 * 4 / (3 * get_makespan (self)), 1e-6);
}

/* A device that has not enough for a copy is named. */
static void
test_memory (void)
{
  static const guint n_copies[] = { 2, 1 };
  static const double times_us[] = { 20, 10 }, params[] = { 1e6, 1e3 };
  g_autoptr (GobanGraph) graph = new_row (times_us, params, 2);
  g_autofree char *cluster = new_cluster (3, "1e9", "\"1.5 MB\"");
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  GobanPipelineOptions options
      = { .schedule = "1f1b", .n_stages = 2, .n_copies = n_copies, .n_batches = 4 };
  g_autoptr (GobanPipeline) self = goban_pipeline_new (costs, &options, NULL);
  GobanTrace *trace = goban_run_get_trace (self->run);

  /* Weights and their gradient at once. */
  g_assert_false (goban_trace_is_valid (trace));
  g_assert_cmpuint (goban_trace_get_out_of_memory (trace)->device, <, 2);
}

/* --- models and plans ------------------------------------------------------------------------- */

/* Weights in common, unrolled layers, variables: any graph that can be cut. */
static void
test_models (void)
{
  static const char *const specs[]
      = { "rnnlm:layers=2,steps=3", "gnmt:layers=2,steps=2", "transformer-xl:layers=2",
          "inception-v3:granularity=coarse" };
  static const char *const names[] = { "none", "1f1b", "pipedream" };
  static const guint n_copies[] = { 2, 3 };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
      {
        g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i], NULL);
        g_autoptr (GobanPipeline) self = make (graph, "p100x8",
                                               (GobanPipelineOptions){ .schedule = names[k],
                                                                       .n_stages = 2,
                                                                       .n_copies = n_copies,
                                                                       .n_batches = 6,
                                                                       .splits = TRUE });

        g_assert_cmpuint (self->n_ranks, ==, 5);
      }
}

/* Two layers of 30 and 10 us: of four devices, three copies of the first. */
static void
test_planned (void)
{
  static const double times_us[] = { 30, 10 }, params[] = { 100, 100000 };
  static const char *const names[] = { "none", "1f1b", "gpipe" };
  g_autoptr (GobanGraph) graph = new_row (times_us, params, 2);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GobanPipelineOptions options
          = { .schedule = names[i], .chooses_stages = TRUE, .n_batches = 42 };
      g_autoptr (GobanPipeline) once = make (graph, "equal:4,bandwidth=1e9B/s", options);
      g_autoptr (GobanPipeline) self = NULL;
      GobanPipelineCopies copies;

      options.copies_stages = TRUE;
      self = make (graph, "equal:4,bandwidth=1e9B/s", options);
      g_assert_false (goban_pipeline_has_copies (once));
      g_assert_true (goban_pipeline_has_copies (self));
      g_assert_true (goban_pipeline_get_copies (self, &copies));
      g_assert_cmpuint (copies.n_stages, ==, self->n_stages);
      for (guint s = 0; s < copies.n_stages; s++)
        g_assert_cmpuint (goban_pipeline_get_n_copies (self, s), ==, copies.n_devices[s]);
      g_assert_cmpuint (copies.n_devices[0], ==, 3);
      g_assert_cmpfloat (get_makespan (self), <, 0.5 * get_makespan (once));
      g_assert_cmpfloat (get_makespan (self), >=, 42 * 30);
    }
}

static void
test_refused (void)
{
  static const double times_us[] = { 20, 10 }, params[] = { 100, 100 };
  static const guint two[] = { 2, 1 }, nine[] = { 9, 1 };
  static const struct
  {
    GobanPipelineOptions options;
    const char *message;
  } cases[] = {
    { { .n_copies = two, .chooses_stages = TRUE, .n_stages = 2 },
      "the copies of each stage can only be told of stages whose number is told, without a plan or "
      "a file that says it" },
    { { .n_copies = two }, "a pipeline has 1 to 1024 stages" },
    { { .n_copies = nine, .n_stages = 2 },
      "a stage has 1 to as many copies as there are micro-batches: not 9 of stage 0 with 8" },
    { { .n_copies = nine, .n_stages = 2, .n_batches = 10 },
      "a pipeline of 10 ranks does not fit on the 4 devices of “equal:4”" },
    { { .n_copies = two, .n_stages = 2, .n_ranks = 4 }, "the stages have 3 copies on 4 ranks" },
    { { .n_copies = two, .n_stages = 2, .schedule = "interleaved" },
      "interleaved has one copy of each stage; gpipe, 1f1b and pipedream may have more" },
    { { .n_copies = two, .n_stages = 2, .schedule = "pipedream", .n_batches = 5 },
      "pipedream updates the copies of a stage together: 5 micro-batches cannot be shared out "
      "evenly to the 2 copies of stage 0" },
  };
  g_autoptr (GobanGraph) graph = new_row (times_us, params, 2);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_pipeline_new (costs, &cases[i].options, &error));
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

TEST_PROGRAM (pipeline_copies)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline-copies/single", test_single);
  g_test_add_func ("/pipeline-copies/random", test_random);
  g_test_add_func ("/pipeline-copies/rate", test_rate);
  g_test_add_func ("/pipeline-copies/rate-of-any-stage", test_rate_of_any_stage);
  g_test_add_func ("/pipeline-copies/names", test_names);
  g_test_add_func ("/pipeline-copies/memory", test_memory);
  g_test_add_func ("/pipeline-copies/models", test_models);
  g_test_add_func ("/pipeline-copies/planned", test_planned);
  g_test_add_func ("/pipeline-copies/refused", test_refused);
  return g_test_run ();
}
