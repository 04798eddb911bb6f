/* goban-cli measure, with a library that computes nothing (tests/study/fake-ort.c). */
#include "tests/cli/cli-run.h"
#include "tests/io/onnx-make.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char *fake_library;

/* (transfer full): the path of a model of two products and their sum */
static char *
make_model (void)
{
  g_autoptr (OnnxMake) make = onnx_make_new (17);
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  const char *data;

  onnx_make_input (make, "x", "4x8");
  onnx_make_node (make, "MatMul", "$x #8x8", "", "a");
  onnx_make_node (make, "MatMul", "$x #8x8", "", "b");
  onnx_make_node (make, "Add", "$a $b", "", "c");
  bytes = onnx_make_pack (make);
  data = g_bytes_get_data (bytes, &size);
  return cli_temp_with ("small model.onnx", data, (gssize) size);
}

static void
assert_says (CliResult result, int exit_code, const char *part)
{
  cli_assert (&result, exit_code);
  g_assert_nonnull (strstr (result.err, part));
  cli_result_clear (&result);
}

/* Found before anything is run. */
static void
test_refused (void)
{
  g_autofree char *model = make_model ();
  g_autofree char *toy = project_path ("samples/toy.dot");

  assert_says (cli_run ("measure", NULL), 2, "an argument is missing");
  assert_says (cli_run ("measure", "-", NULL), 2, "must have a path");
  assert_says (cli_run ("measure", model, "--cores", "-1", NULL), 2,
               "--cores: “-1” is not a whole number from 1 to 1024");
  assert_says (cli_run ("measure", model, "-p", "hefty", NULL), 2, "hefty");
  assert_says (cli_run ("measure", model, "--runtime", "/nowhere", NULL), 1,
               "npm install --ignore-scripts onnxruntime-node");
  assert_says (cli_run ("measure", model, "--runtime", fake_library, "--cores", "1000", NULL), 2,
               "1000 cores were asked for");
  assert_says (cli_run ("measure", toy, "--runtime", fake_library, "--cores", "1", NULL), 1,
               "only ONNX models");
}

/* Ops of half the peak of a100x2 in f32, and of a quarter of its memory's bandwidth; and what is
 * written reads back. */
static void
test_calibrate (void)
{
  g_autoptr (GString) json = g_string_new ("{\"goban\": \"graph\", \"version\": 1, \"name\": \"t\","
                                           " \"kinds\": [\"gpu\"], \"nodes\": [");
  g_autofree char *graph = NULL;
  g_autofree char *output = cli_temp ("fitted.json");
  g_auto (CliResult) text = { 0 };
  g_auto (CliResult) result = { 0 };
  g_autoptr (JsonNode) root = NULL;
  g_auto (CliResult) again = { 0 };
  JsonObject *fit;

  for (guint i = 1; i <= 9; i++)
    g_string_append_printf (json,
                            "%s{\"name\": \"c%u\", \"flops\": %u, \"times\": {\"gpu\": %u}},"
                            "{\"name\": \"m%u\", \"read_bytes\": %u, \"times\": {\"gpu\": %u}}",
                            i > 1 ? "," : "", i, i * 9750000, i, i, i * 509750, i);
  g_string_append (json, "]}");
  graph = cli_temp_with ("timed.json", json->str, -1);
  text = cli_run ("calibrate", graph, "-c", "a100x2", "-o", output, NULL);
  cli_assert (&text, 0);
  g_assert_nonnull (strstr (text.out, "calibrated  gpu, 18 ops, of which arithmetic bounds 9\n"));
  g_assert_nonnull (strstr (text.out, "launch      0"));
  again = cli_run ("calibrate", graph, "-c", output, NULL);
  cli_assert (&again, 0);
  g_assert_nonnull (strstr (again.out, "data sheet  mean"));
  result = cli_run ("calibrate", graph, "-c", "a100x2", "--kind", "gpu", "--json", NULL);
  cli_assert (&result, 0);
  root = cli_json (&result);
  fit = json_node_get_object (root);
  cli_assert_keys (fit, "kind:s ops:n bound_by_arithmetic:n compute_efficiency:n "
                        "memory_efficiency:n launch_us:n error:o data_sheet_error:o");
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (fit, "memory_efficiency"), 0.25,
                                  1e-3);
  assert_says (cli_run ("calibrate", graph, "-c", "a100x2", "--kind", "tpu", NULL), 2,
               "a100x2 has no device of the kind “tpu”");
  assert_says (cli_run ("calibrate", "rnnlm", "-c", "a100x2", NULL), 2,
               "no op has a measured time on a device of a100x2");
}

static void
test_calibrate_table (void)
{
  g_autofree char *table = cli_temp_with ("runs.csv",
                                          "model,layers,batch,seconds\ngpt,2,8,0.1\n"
                                          "gpt,3,8,0.15\ngpt,4,8,0.2\n",
                                          -1);
  g_auto (CliResult) text = cli_run ("calibrate", table, "-c", "a100x8", NULL);
  g_auto (CliResult) result = cli_run ("calibrate", table, "-c", "a100x8", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&text, 0);
  g_assert_nonnull (strstr (text.out, "calibrated  gpu, 3 iterations\n"));
  cli_assert (&result, 0);
  root = cli_json (&result);
  cli_assert_keys (json_node_get_object (root),
                   "kind:s iterations:n compute_efficiency:n memory_efficiency:n launch_us:n "
                   "error:o data_sheet_error:o");
  assert_says (cli_run ("calibrate", "/nowhere.csv", "-c", "a100x8", NULL), 2, "/nowhere.csv");
}

/* One core is there on every machine. */
static void
test_json (void)
{
  g_autofree char *model = make_model ();
  g_autofree char *folder = cli_temp ("measured here");
  g_autofree char *recording = g_build_filename (folder, "heft.measured.json", NULL);
  g_auto (CliResult) result
      = cli_run ("measure", model, "--runtime", fake_library, "--cores", "1", "--force", "-p",
                 "heft,single", "--runs", "3", "-o", folder, "--json", NULL);
  g_auto (CliResult) recorded = { 0 };
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (JsonNode) again = NULL;
  JsonArray *plans;
  double measured_us;

  cli_assert (&result, 0);
  root = cli_json (&result);
  cli_assert_keys (json_node_get_object (root),
                   "graph:s cluster:s runtime:s note:s load:n single:o hand_over:o plans:a pairs:n "
                   "pairs_in_order:n");
  plans = json_object_get_array_member (json_node_get_object (root), "plans");
  g_assert_cmpuint (json_array_get_length (plans), ==, 2);
  cli_assert_keys (
      json_array_get_object_element (plans, 0),
      "name:s predicted_us:n measured_us:n low_us:n high_us:n outliers:n error:n op_error:n "
      "inside_share:n segments:n hand_overs:n runs:n");
  g_assert_cmpuint (folder_count_files (folder), ==, 12);

  recorded = cli_run ("place", recording, "-p", "recorded", "--json", NULL);
  cli_assert (&recorded, 0);
  again = cli_json (&recorded);
  measured_us
      = json_object_get_double_member (json_array_get_object_element (plans, 0), "measured_us");
  g_assert_cmpfloat_with_epsilon (
      json_object_get_double_member (json_node_get_object (again), "makespan_us"), measured_us,
      0.01);
}

/* Kernels are profiled in files. */
static void
test_no_folder (void)
{
  g_autofree char *model = make_model ();
  g_autofree char *quoted = g_shell_quote (model);
  g_autofree char *line = g_strdup_printf (
      "TMPDIR=/nowhere \"$CLI\" measure %s --runtime '%s' --cores 1 --force -p single", quoted,
      fake_library);

  assert_says (cli_run_shell (line), 3, "/nowhere: profiles cannot be written there: ");
}

/* Plans whose names come to the same in those of files. */
static void
test_alike (void)
{
  g_autofree char *model = make_model ();
  g_autofree char *first = cli_temp ("my plan");
  g_autofree char *second = cli_temp ("my-plan");
  g_autofree char *third = cli_temp ("my-plan-2");
  g_autofree char *folder = cli_temp ("alike");
  g_autofree char *cluster = cli_temp_with (
      "one-core.json",
      "{\"devices\": [{\"name\": \"cpu:0\", \"kind\": \"cpu\",\n"
      "\"flops_per_us\": 1, \"memory_bytes_per_us\": 1, \"memory\": \"unlimited\"}]}",
      -1);
  const char *const plans[] = { first, second, third };

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_auto (CliResult) placed
          = cli_run ("place", model, "-p", "single", "-c", cluster, "-o", plans[i], NULL);

      cli_assert (&placed, 0);
    }
  assert_says (cli_run ("measure", model, "--runtime", fake_library, "--cores", "1", "--force",
                        "--plan", second, "--plan", third, "--plan", first, "--runs", "3", "-o",
                        folder, NULL),
               0, "");
  g_assert_cmpuint (folder_count_files (folder), ==, 4 + 3 * 4);
}

TEST_PROGRAM (measure)
{
  cli_init (&argc, &argv);
  g_assert_cmpint (argc, ==, 3);
  fake_library = argv[2];
  g_test_add_func ("/cli/measure/refused", test_refused);
  g_test_add_func ("/cli/measure/calibrate", test_calibrate);
  g_test_add_func ("/cli/measure/calibrate-table", test_calibrate_table);
  g_test_add_func ("/cli/measure/json", test_json);
  g_test_add_func ("/cli/measure/no-folder", test_no_folder);
  g_test_add_func ("/cli/measure/alike", test_alike);
  return cli_end ();
}
