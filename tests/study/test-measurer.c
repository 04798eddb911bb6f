/* Measurements from the model to the files: with a library that computes nothing (fake-ort.c),
 * whose kernels take known times, and with ONNX Runtime if it is at hand. */
#include "engine/study/measure/measure-report.h"

#include "engine/core/error.h"
#include "engine/io/io.h"
#include "engine/study/measure/executor.h"
#include "engine/study/measure/machine.h"
#include "engine/study/measure/measurement.h"
#include "engine/study/measure/timing.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "tests/io/onnx-make.h"
#include "tests/study/fake-ort.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <dlfcn.h>
#include <string.h>

/* Of fake-ort.c. */
#define RELU_US 100.0
#define OTHER_US 300.0
#define LENGTH 3

static const char *fake_library;
static FakeOrt *fake; /* of the library, which stays loaded */

typedef struct
{
  char *folder;
  char *path;
  GobanGraph *graph;
  GobanMeasureOptions options;
} Case;

/* Two towers of matrix products, joined. */
static GBytes *
make_towers (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);

  onnx_make_input (make, "x", "4x8");
  for (guint tower = 0; tower < 2; tower++)
    for (guint i = 0; i < LENGTH; i++)
      {
        g_autofree char *reads
            = i == 0 ? g_strdup ("$x #8x8") : g_strdup_printf ("$r%u_%u #8x8", tower, i - 1);
        g_autofree char *product = g_strdup_printf ("m%u_%u", tower, i);
        g_autofree char *relu = g_strdup_printf ("$m%u_%u", tower, i);
        g_autofree char *result = g_strdup_printf ("r%u_%u", tower, i);

        onnx_make_node (make, "MatMul", reads, "", product);
        onnx_make_node (make, "Relu", relu, "", result);
      }
  onnx_make_node (make, "Add", "$r0_2 $r1_2", "", "join");
  return onnx_make_pack (make);
}

static void
case_init (Case *self)
{
  g_autoptr (GBytes) model = make_towers ();
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *data = g_bytes_get_data (model, &size);

  *self = (Case){
    .folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL),
    .options
    = { .runtime = fake_library, .n_cores = 1, .n_runs = 3, .idle_ms = 1, .is_forced = TRUE }
  };
  self->path = g_build_filename (self->folder, "towers.onnx", NULL);
  g_assert_true (g_file_set_contents (self->path, data, (gssize) size, NULL));
  self->graph = goban_graph_load (self->path, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
case_clear (Case *self)
{
  if (self->folder == NULL) /* a skipped test has not begun one */
    return;
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->path);
  goban_graph_unref (self->graph);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* One or two. */
static guint
count_cores (void)
{
  g_autofree char *note = NULL;
  guint cpus[2];

  return goban_machine_choose (2, cpus, &note, NULL) ? 2 : 1;
}

static GobanMeasurer *
measure (Case *self, const char *policy)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;
  GobanMeasurer *measurer;

  measurer = goban_measurer_new (self->path, self->graph, &self->options, &error);
  g_assert_no_error (error);
  run = goban_run_new_from_policy (measurer->calibration->costs, policy, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (goban_measurer_run (measurer, run, &error));
  g_assert_no_error (error);
  return measurer;
}

static double
kernel_us (const GobanGraph *graph, GobanNodeId v)
{
  return g_str_equal (goban_graph_get_node (graph, v)->op, "Relu") ? RELU_US : OTHER_US;
}

/* --- calibration and runs --------------------------------------------------------------------- */

/* The profile's times, scaled to the time of the whole model, are the costs. */
static void
test_costs (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  const GobanCalibration *calibration;
  double sum_us = 0;

  case_init (&self);
  measurer = measure (&self, "single");
  calibration = measurer->calibration;
  g_assert_cmpfloat (calibration->kernels_us, ==, 2 * LENGTH * (RELU_US + OTHER_US) + OTHER_US);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (calibration->graph); v++)
    {
      g_assert_cmpfloat (calibration->kernel_us[v].median, ==, kernel_us (self.graph, v));
      sum_us += goban_cost_model_time_us (calibration->costs, v, 0);
    }
  g_assert_cmpfloat_with_epsilon (sum_us, calibration->single_us.median, 1e-6 * sum_us);
  g_assert_true (goban_calibration_covers (calibration, 0, OTHER_US + 1));
  g_assert_false (goban_calibration_covers (calibration, 0, OTHER_US + 2));
  g_assert_cmpstr (measurer->note, ==, "6 constants without data got random numbers");
}

/* Kernels that the model has timed are those of the plan: all are within their spread. */
static void
test_run (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  const GobanMeasuredRun *run;
  double end_us = 0;

  case_init (&self);
  measurer = measure (&self, "single");
  run = goban_measurer_get_run (measurer, 0);
  g_assert_cmpfloat (run->inside_share, ==, 1);
  g_assert_cmpuint (run->n_segments, ==, 1);
  g_assert_cmpuint (run->n_hand_overs, ==, 0);
  g_assert_cmpuint (run->n_runs, ==, 3);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    end_us = MAX (end_us, run->ops[v].start_us + run->ops[v].measured_us);
  g_assert_cmpfloat_with_epsilon (end_us, run->makespan_us.median, 1e-6 * end_us);
}

/* Two cores: tensors are handed over, and the recording repeats the measured makespan. */
static void
test_two_cores (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  g_autoptr (GobanRun) recorded = NULL;
  g_autoptr (GError) error = NULL;
  const GobanMeasuredRun *run;

  if (count_cores () < 2)
    {
      g_test_skip ("only one processor may be used");
      return;
    }
  case_init (&self);
  self.options.n_cores = 2;
  measurer = measure (&self, "random");
  run = goban_measurer_get_run (measurer, 0);
  g_assert_cmpuint (run->n_hand_overs, >, 0);
  g_assert_cmpuint (run->n_segments, >, 1);
  recorded = goban_measured_run_new_recorded (run, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (recorded), run->makespan_us.median,
                                  1e-6 * run->makespan_us.median + 1e-3);
}

/* No segment starts before those that it waits for have finished, and each core runs one at a time:
 * by the clock, in every run, half of which sleep. */
static void
test_waits (void)
{
  enum
  {
    N_RUNS = 6
  };
  g_auto (Case) self = { 0 };
  g_autoptr (GobanOrt) ort = NULL;
  g_autoptr (GobanModelParts) parts = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSegments) segments = NULL;
  g_autoptr (GobanExecutor) executor = NULL;
  g_autofree GobanSegmentSpan *spans = NULL;
  const GobanExecutorOptions options = { 0 };
  guint cpus[2];
  g_autofree char *note = NULL;

  case_init (&self);
  /* Two threads on one processor must not wait for ever either. */
  g_assert_true (goban_machine_choose (1, cpus, &note, NULL));
  cpus[1] = cpus[0];
  if (count_cores () >= 2)
    {
      g_clear_pointer (&note, g_free);
      g_assert_true (goban_machine_choose (2, cpus, &note, NULL));
    }
  ort = goban_ort_load (fake_library, NULL);
  parts = goban_model_parts_new (self.path, self.graph, 0, NULL);
  costs = toy_costs (self.graph, "equal:2");
  plan = toy_place (costs, "random", 1);
  run = goban_run_new (costs, plan, "random");
  segments = goban_segments_new (run, NULL);
  g_assert_cmpuint (segments->n_hand_overs, >, 2);
  executor = goban_executor_new (ort, parts, segments, &options, NULL);
  spans = g_new (GobanSegmentSpan, N_RUNS * segments->n);
  fake->sleep_us = 300;
  g_assert_true (goban_executor_run (executor, cpus, N_RUNS, spans, NULL));
  fake->sleep_us = 0;
  for (guint r = 0; r < N_RUNS; r++)
    for (guint s = 0; s < segments->n; s++)
      {
        const GobanSegment *segment = &segments->segments[s];
        const GobanSegmentSpan *own = &spans[r * segments->n + s];

        for (guint i = 0; i < segment->n_waits; i++)
          g_assert_cmpfloat (
              spans[r * segments->n + segments->waits[segment->first_wait + i]].finish_us, <=,
              own->start_us);
        for (guint before = 0; before < s; before++)
          if (segments->segments[before].device == segment->device)
            g_assert_cmpfloat (spans[r * segments->n + before].finish_us, <=, own->start_us);
      }
}

/* Half of the first round is slow, so that another one follows: by the clock, for sleeping takes no
 * processor time. */
static void
test_rounds (void)
{
  enum
  {
    N_RUNS = 8,
    N_BEFORE = 3 /* when the session is made, and warm-ups */
  };
  g_auto (Case) self = { 0 };
  g_autoptr (GobanOrt) ort = goban_ort_load (fake_library, NULL);
  g_autoptr (GobanModelParts) parts = NULL;
  g_autoptr (GobanSegments) segments = NULL;
  g_autoptr (GobanTiming) timing = NULL;
  guint cpu;
  g_autofree char *note = NULL;
  const GobanTimingOptions options = { .cpus = &cpu, .n_runs = N_RUNS, .most_us = 1e6 };

  case_init (&self);
  g_assert_true (goban_machine_choose (1, &cpu, &note, NULL));
  parts = goban_model_parts_new (self.path, self.graph, 0, NULL);
  segments = goban_segments_new_single (self.graph);
  fake->sleep_us = 4000;
  fake->n_slow = N_BEFORE + N_RUNS / 2;
  timing = goban_timing_new (ort, parts, segments, &options, NULL);
  fake->sleep_us = fake->n_slow = 0;
  g_assert_nonnull (timing);
  g_assert_cmpuint (timing->n_runs, >=, 2 * N_RUNS);
  g_assert_cmpuint (timing->n_runs % N_RUNS, ==, 0);
  g_assert_cmpfloat (timing->makespans_us[0], >=, 4000);
}

/* The saved costs and cluster give the simulation that was measured. */
static void
test_saved (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  g_autofree char *folder = NULL, *costs_path = NULL, *cluster_path = NULL, *plan_path = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;
  double predicted_us;

  case_init (&self);
  measurer = measure (&self, "heft");
  folder = g_build_filename (self.folder, "out", NULL);
  g_assert_true (goban_measure_save (measurer, folder, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (folder_count_files (folder), ==, 8);
  costs_path = g_build_filename (folder, "costs.json", NULL);
  cluster_path = g_build_filename (folder, "cluster.json", NULL);
  plan_path = g_build_filename (folder, "heft.plan.json", NULL);
  cluster = goban_cluster_new_from_spec (cluster_path, &error);
  graph = goban_graph_source_measure (self.graph, costs_path, cluster, NULL, &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_load (plan_path, costs, &error);
  g_assert_no_error (error);
  run = goban_run_new (costs, plan, NULL);
  predicted_us = goban_run_get_makespan_us (goban_measurer_get_run (measurer, 0)->predicted);
  /* Costs are saved to the nanosecond. */
  g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (run), predicted_us, 0.02);
}

/* Those that the prediction missed most come first, and no more than asked for. */
static void
test_outside (void)
{
  static const double differences_us[] = { 5, 40, 10, 0, 30, 20 };
  static const guint expected[] = { 1, 5, 2 };
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  g_autofree GobanMeasuredOp *ops = NULL;
  GobanMeasuredRun run;
  GobanNodeId nodes[3];

  case_init (&self);
  measurer = measure (&self, "single");
  run = *goban_measurer_get_run (measurer, 0);
  g_assert_cmpuint (goban_measured_run_find_outside (&run, nodes, 3), ==, 0);
  run.ops = ops = g_new0 (GobanMeasuredOp, goban_graph_get_n_nodes (self.graph));
  for (guint i = 0; i < G_N_ELEMENTS (differences_us); i++)
    {
      ops[i].predicted_us = 100;
      ops[i].measured_us = 100 + differences_us[i] * (i % 2 == 0 ? 1 : -1);
      ops[i].is_outside = i != 4;
    }
  g_assert_cmpuint (goban_measured_run_find_outside (&run, nodes, 3), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (nodes[i], ==, expected[i]);
  g_assert_cmpuint (goban_measured_run_find_outside (&run, nodes, 1), ==, 1);
  g_assert_cmpuint (nodes[0], ==, 1);
}

static void
test_report (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  g_autofree char *text = NULL, *json = NULL, *csv = NULL;
  guint n_pairs, n_in_order;

  case_init (&self);
  measurer = measure (&self, "single");
  text = goban_measure_report_text (measurer);
  json = goban_measure_report_json (measurer);
  csv = goban_measure_report_csv (measurer);
  g_assert_nonnull (strstr (text, "ONNX Runtime 0.0.1-fake"));
  g_assert_nonnull (strstr (text, "\nsingle "));
  g_assert_nonnull (strstr (json, "\"inside_share\": 1,"));
  g_assert_true (g_str_has_prefix (csv, "plan,predicted_us,measured_us,low_us,high_us\nsingle,"));
  goban_measurer_count_pairs (measurer, &n_pairs, &n_in_order);
  g_assert_cmpuint (n_pairs, ==, 0);
}

/* --- refusals --------------------------------------------------------------------------------- */

/* Every other run takes much longer, so that this machine cannot be idle, whatever others do. */
static void
test_busy (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  g_autoptr (GError) error = NULL;

  case_init (&self);
  fake->sleep_us = 2000;
  measurer = measure (&self, "single");
  g_assert_cmpstr (measurer->doubt->str, !=, "");
  g_clear_pointer (&measurer, goban_measurer_free);
  self.options.is_forced = FALSE;
  measurer = goban_measurer_new (self.path, self.graph, &self.options, &error);
  fake->sleep_us = 0;
  g_assert_null (measurer);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE);
  g_assert_nonnull (strstr (error->message, "not idle"));
}

/* Whatever the library refuses becomes an error with its words. */
static void
test_failures (void)
{
  static const char *const functions[] = { "create_env",
                                           "get_allocator",
                                           "create_session_options",
                                           "set_number",
                                           "add_config_entry",
                                           "create_session",
                                           "enable_profiling",
                                           "create_tensor",
                                           "get_tensor_data",
                                           "run",
                                           "second_run",
                                           "is_tensor",
                                           "get_shape_info",
                                           "get_element_type",
                                           "get_n_dims",
                                           "get_dims",
                                           "end_profiling",
                                           "allocator_free" };
  g_auto (Case) self = { 0 };

  case_init (&self);
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanMeasurer) measurer = NULL;
      g_autofree char *words = g_strdup_printf ("%s was made to fail", functions[i]);

      fake->failing = functions[i];
      measurer = goban_measurer_new (self.path, self.graph, &self.options, &error);
      fake->failing = NULL;
      g_assert_null (measurer);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, words));
    }
}

static void
assert_not_loaded (const char *path, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_ort_load (path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_library (void)
{
  g_autoptr (GobanOrt) ort = NULL;
  g_autoptr (GError) error = NULL;

  assert_not_loaded ("/nowhere/lib.so", "by the variable GOBAN_ONNXRUNTIME");
  fake->is_old = TRUE;
  assert_not_loaded (fake_library, "needs version 1.5 or newer");
  fake->is_old = FALSE;
  ort = goban_ort_load (fake_library, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_ort_get_version (ort), ==, "0.0.1-fake");
}

/* A sequence cannot be handed over, and a graph of another format not be run. */
static void
test_unsupported (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  case_init (&self);
  fake->has_sequences = TRUE;
  g_assert_null (goban_measurer_new (self.path, self.graph, &self.options, &error));
  fake->has_sequences = FALSE;
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "a sequence"));
  g_clear_error (&error);
  json = g_build_filename (self.folder, "towers.json", NULL);
  g_assert_true (goban_graph_save (self.graph, json, NULL, NULL));
  graph = goban_graph_load (json, NULL, NULL, NULL);
  g_assert_null (goban_measurer_new (json, graph, &self.options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "only ONNX models"));
}

/* --- the library itself ----------------------------------------------------------------------- */

/* Strings of an order are its own: whoever makes it need not keep them. */
static void
test_order (void)
{
  g_auto (Case) self = { 0 };
  const char *const policies[] = { "single", NULL };
  g_autofree char *settings = g_strdup ("drafts=2");
  g_autoptr (GobanMeasurement) measurement = NULL;
  g_autoptr (GError) error = NULL;
  GobanMeasureOrder *order;

  case_init (&self);
  order = goban_measure_order_new (self.path);
  order->policies = g_strdupv ((char **) policies);
  order->options = self.options;
  order->runtime = g_strdup (fake_library);
  order->spending = goban_run_options_dup (&(GobanRunOptions){ .settings = settings });
  memset (settings, 'x', strlen (settings));
  measurement = goban_measure_order_run (NULL, order, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (order->spending.settings, ==, "drafts=2");
  g_assert_cmpuint (measurement->measurer->runs->len, ==, 1);
  goban_measure_order_free (order);
}

/* Sums and order only: times depend on the machine. */
static void
test_real (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GobanMeasurer) measurer = NULL;
  const GobanMeasuredRun *run;

  if (g_getenv (GOBAN_ORT_VARIABLE) == NULL)
    {
      g_test_skip ("no " GOBAN_ORT_VARIABLE ": scripts/dev/onnxruntime.sh gets the library");
      return;
    }
  case_init (&self);
  self.options.runtime = NULL;
  self.options.n_cores = count_cores ();
  measurer = measure (&self, "random");
  run = goban_measurer_get_run (measurer, 0);
  g_assert_cmpfloat (run->makespan_us.median, >, 0);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self.graph, v);

      for (guint i = 0; i < in.n; i++)
        {
          const GobanMeasuredOp *from
              = &run->ops[goban_graph_get_edge (self.graph, in.ids[i])->tail];

          g_assert_cmpfloat (from->start_us + from->measured_us, <=, run->ops[v].start_us + 1e-3);
        }
    }
}

TEST_PROGRAM (measurer)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  fake_library = argv[1];
  fake = dlsym (dlopen (fake_library, RTLD_NOW), "fake_ort");
  g_assert_nonnull (fake);
  g_test_add_func ("/measure/measurer/costs", test_costs);
  g_test_add_func ("/measure/measurer/run", test_run);
  g_test_add_func ("/measure/measurer/two-cores", test_two_cores);
  g_test_add_func ("/measure/measurer/waits", test_waits);
  g_test_add_func ("/measure/measurer/rounds", test_rounds);
  g_test_add_func ("/measure/measurer/saved", test_saved);
  g_test_add_func ("/measure/measurer/outside", test_outside);
  g_test_add_func ("/measure/measurer/order", test_order);
  g_test_add_func ("/measure/measurer/report", test_report);
  g_test_add_func ("/measure/measurer/busy", test_busy);
  g_test_add_func ("/measure/measurer/failures", test_failures);
  g_test_add_func ("/measure/measurer/library", test_library);
  g_test_add_func ("/measure/measurer/unsupported", test_unsupported);
  g_test_add_func ("/measure/measurer/onnx-runtime", test_real);
  return g_test_run ();
}
