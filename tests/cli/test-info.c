/* info and convert: the promised JSON, the numbers the files must give, what people read. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define INFO_KEYS                                                                                  \
  "name:s format:s nodes:n edges:n ops:o parameters:n parameter_bytes:n macs:n cluster:s "         \
  "work_us:n critical_path_us:n sources:o kinds:o warnings:a"

/* The parsed answer of info --json; the object lives as long as *root. */
static JsonObject *
info_of (const char *path, const char *option, JsonNode **root)
{
  g_auto (CliResult) result = cli_run ("info", path, "--json", option, NULL);

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
  *root = cli_json (&result);
  return json_node_get_object (*root);
}

static void
test_json_keys (void)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  g_autoptr (JsonNode) root = NULL;
  JsonObject *info = info_of (path, NULL, &root);
  JsonObject *ops, *sources;

  cli_assert_keys (info, INFO_KEYS);
  g_assert_cmpstr (json_object_get_string_member (info, "name"), ==, "resnet-50");
  g_assert_cmpstr (json_object_get_string_member (info, "format"), ==, "onnx");
  g_assert_cmpint (json_object_get_int_member (info, "nodes"), ==, 175);
  g_assert_cmpint (json_object_get_int_member (info, "edges"), ==, 190);
  g_assert_cmpint (json_object_get_int_member (info, "parameters"), ==, 25610152);
  g_assert_cmpint (json_object_get_int_member (info, "macs"), ==, 4089184256);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (info, "warnings")), ==, 0);
  ops = json_object_get_object_member (info, "ops");
  g_assert_cmpint (json_object_get_int_member (ops, "Conv"), ==, 53);
  sources = json_object_get_object_member (info, "sources");
  cli_assert_keys (sources, "measured:n given:n estimated:n");
  g_assert_cmpint (json_object_get_int_member (sources, "estimated"), ==, 175);
}

static void
test_options (void)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  g_autofree char *dot = cli_temp_with ("unit.dot", "digraph{a[time=2];b[time=3];a->b}", -1);
  g_autoptr (JsonNode) batched_root = NULL;
  g_autoptr (JsonNode) training_root = NULL;
  g_autoptr (JsonNode) unit_root = NULL;
  JsonObject *batched = info_of (path, "--batch=32", &batched_root);
  JsonObject *training = info_of (path, "--training", &training_root);
  JsonObject *unit = info_of (dot, "--time-unit=ms", &unit_root);

  g_assert_cmpint (json_object_get_int_member (batched, "macs"), ==, 32 * 4089184256);
  g_assert_cmpint (json_object_get_int_member (training, "nodes"), >, 2 * 175);
  g_assert_cmpfloat (json_object_get_double_member (unit, "work_us"), ==, 5000);
}

typedef struct
{
  const char *file;
  const char *name;
  const char *format;
  gint64 n_nodes;
  gint64 n_edges;
  double work_ms;    /* 0: not stated */
  double params;     /* 0: not stated */
  double path_share; /* longest path / work; 0: not stated */
} Expected;

/* The counts and sums stated beside the shared files. */
static const Expected expected[] = {
  { "pipedream/inception_v3.graph.txt", "inception_v3", "pipedream", 326, 362, 311.0, 0, 0.63 },
  { "pipedream/nasnetalarge.graph.txt", "nasnetalarge", "pipedream", 1251, 1468, 416.1, 0, 0.29 },
  { "pipedream/gnmt.graph.txt", "gnmt", "pipedream", 48, 58, 33.5, 0, 0.998 },
  { "pipedream/resnet50.graph.txt", "resnet50", "pipedream", 177, 193, 201.5, 0, 0.93 },
  { "onnx/light_resnet50.onnx", "light_resnet50", "onnx", 176, 0, 0, 25.608e6, 0 },
  { "onnx/light_inception_v1.onnx", "light_inception_v1", "onnx", 144, 0, 0, 6.997e6, 0 },
  { "onnx/light_inception_v2.onnx", "light_inception_v2", "onnx", 509, 0, 0, 11.230e6, 0 },
  { "onnx/light_squeezenet.onnx", "light_squeezenet", "onnx", 66, 0, 0, 1.235e6, 0 },
  { "moirai/googlenet.csv", "googlenet", "moirai", 141, 167, 0, 0, 0 },
  { "stg/rand0000.stg", "rand0000", "stg", 0, 0, 0, 0, 0 },
};

static void
test_shared (gconstpointer data)
{
  const Expected *wanted = data;
  g_autofree char *path = shared_data_path (wanted->file);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *info;
  double work_us;

  if (path == NULL)
    return;
  info = info_of (path, NULL, &root);
  cli_assert_keys (info, INFO_KEYS);
  g_assert_cmpstr (json_object_get_string_member (info, "name"), ==, wanted->name);
  g_assert_cmpstr (json_object_get_string_member (info, "format"), ==, wanted->format);
  if (wanted->n_nodes > 0)
    g_assert_cmpint (json_object_get_int_member (info, "nodes"), ==, wanted->n_nodes);
  if (wanted->n_edges > 0)
    g_assert_cmpint (json_object_get_int_member (info, "edges"), ==, wanted->n_edges);
  if (wanted->params > 0)
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (info, "parameters"),
                                    wanted->params, 0.005e6);
  work_us = json_object_get_double_member (info, "work_us");
  if (wanted->work_ms > 0)
    g_assert_cmpfloat_with_epsilon (work_us / 1000, wanted->work_ms, 0.051);
  if (wanted->path_share > 0)
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (info, "critical_path_us")
                                        / work_us,
                                    wanted->path_share, 0.005);
}

static void
test_kinds (void)
{
  static const double sums_ms[] = { 2.34, 5.48, 5.55, 2.88 };
  g_autofree char *path = shared_data_path ("moirai/googlenet.csv");
  g_autoptr (JsonNode) root = NULL;
  JsonObject *kinds;

  if (path == NULL)
    return;
  kinds = json_object_get_object_member (info_of (path, NULL, &root), "kinds");
  for (guint i = 0; i < G_N_ELEMENTS (sums_ms); i++)
    {
      g_autofree char *name = g_strdup_printf ("p%u", i);
      JsonObject *kind = json_object_get_object_member (kinds, name);

      cli_assert_keys (kind, "nodes:n sum_us:n");
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (kind, "sum_us") / 1000,
                                      sums_ms[i], 0.005);
    }
}

static void
test_warnings (void)
{
  g_autofree char *path = shared_data_path ("onnx/light_squeezenet.onnx");
  g_auto (CliResult) text = { 0 };
  g_autoptr (JsonNode) root = NULL;
  JsonArray *warnings;

  if (path == NULL)
    return;
  text = cli_run ("info", path, NULL);
  cli_assert (&text, 0);
  warnings = json_object_get_array_member (info_of (path, NULL, &root), "warnings");
  g_assert_cmpuint (json_array_get_length (warnings), >=, 1);
  g_assert_nonnull (strstr (text.out, json_array_get_string_element (warnings, 0)));
}

static void
test_text (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_auto (CliResult) result = cli_run ("info", path, NULL);
  g_auto (GStrv) lines = NULL;

  cli_assert (&result, 0);
  lines = g_strsplit (result.out, "\n", -1);
  for (guint i = 0; lines[i + 1] != NULL; i++)
    {
      g_assert_true (strlen (lines[i]) > 15);
      g_assert_cmpint (lines[i][14], ==, ' '); /* all values begin in one column */
      g_assert_cmpint (lines[i][15], !=, ' ');
      g_assert_false (g_str_has_suffix (lines[i], " "));
    }
  g_assert_nonnull (strstr (result.out, "1.81 ms on p100x4"));
  g_assert_nonnull (strstr (result.out, "12 given"));
}

static void
test_standard_input (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_auto (CliResult) result = cli_run_with_input (path, "info", "-", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&result, 0);
  root = cli_json (&result);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "nodes"), ==, 12);
}

/* file -> format -> info: nothing that counts is lost. */
static void
test_convert (gconstpointer data)
{
  static const char *const kept[]
      = { "nodes", "edges", "parameters", "parameter_bytes", "macs", NULL };
  g_auto (GStrv) words = g_strsplit (data, " ", 2);
  g_autofree char *from = project_path (words[0]);
  g_autofree char *to = cli_temp (words[1]);
  g_auto (CliResult) result = cli_run ("convert", from, to, "--json", NULL);
  g_autoptr (JsonNode) report_root = NULL;
  g_autoptr (JsonNode) before_root = NULL;
  g_autoptr (JsonNode) after_root = NULL;
  JsonObject *report, *before, *after;
  gboolean whole = g_str_has_suffix (to, ".json");

  cli_assert (&result, 0);
  report_root = cli_json (&result);
  report = json_node_get_object (report_root);
  cli_assert_keys (report, "input:s output:s nodes:n edges:n");
  before = info_of (from, NULL, &before_root);
  after = info_of (to, NULL, &after_root);
  g_assert_cmpint (json_object_get_int_member (report, "nodes"), ==,
                   json_object_get_int_member (before, "nodes"));

  /* DOT carries times and bytes, not how they came about. */
  for (guint i = 0; kept[i] != NULL && (whole || i < 2); i++)
    g_assert_cmpint (json_object_get_int_member (after, kept[i]), ==,
                     json_object_get_int_member (before, kept[i]));
  if (whole || g_str_has_suffix (from, ".dot"))
    g_assert_cmpfloat (json_object_get_double_member (after, "work_us"), ==,
                       json_object_get_double_member (before, "work_us"));
}

static void
assert_singular (const char *text)
{
  g_autoptr (GRegex) many = g_regex_new (
      "(?<![\\d.,])1 (nodes|ops|edges|devices|groups|kernels|plans|policies|graphs|steps|ranks)\\b",
      0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (g_regex_match (many, text, 0, &match))
    {
      g_autofree char *found = g_match_info_fetch (match, 0);

      g_test_fail_printf ("%s", found);
    }
}

/* No text says "1 nodes". */
static void
test_singular (void)
{
  g_autofree char *one = cli_temp_with ("one.dot", "digraph one { a; }", -1);
  g_autofree char *two = cli_temp_with ("two.dot", "digraph two { a -> b; }", -1);
  g_autofree char *page = cli_temp ("one.html");
  const char *const runs[][8] = {
    { "info", one },
    { "info", two },
    { "place", one, "--policy", "single", "--cluster", "equal:1" },
    { "place", two, "--policy", "single", "--cluster", "equal:1" },
    { "compare", one, "--policies", "single,heft", "--cluster", "equal:1" },
    { "render", one, "--policy", "single", "--cluster", "equal:1", "-o", page },
    { "collective", "all-reduce", "--ranks", "2", "--cluster", "equal:1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_auto (CliResult) run = cli_run (runs[i][0], runs[i][1], runs[i][2], runs[i][3], runs[i][4],
                                        runs[i][5], runs[i][6], runs[i][7], NULL);
      const char *texts[] = { run.out, run.err };

      g_test_message ("%s %s: %d", runs[i][0], runs[i][1], run.exit_code);
      for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
        assert_singular (texts[t]);
    }
  {
    g_autofree char *text = NULL;

    g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
    g_assert_nonnull (strstr (text, "1 node, 0 edges, 1 device of"));
    assert_singular (text);
  }
}

static void
test_convert_to_standard_output (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_auto (CliResult) json = cli_run ("convert", path, "-", "--to", "json", "--json", NULL);
  g_auto (CliResult) again = { 0 };
  g_autofree char *saved = NULL;

  cli_assert (&json, 0);
  saved = cli_temp_with ("saved.json", json.out, (gssize) json.out_size);
  again = cli_run_with_input (saved, "convert", "-", "-", "--to", "json", NULL);
  cli_assert (&again, 0);
  g_assert_cmpstr (again.out, ==, json.out);
}

TEST_PROGRAM (info)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/info/json-keys", test_json_keys);
  g_test_add_func ("/cli/info/options", test_options);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cli/info/expected/%s", expected[i].name);

      g_test_add_data_func (path, &expected[i], test_shared);
    }
  g_test_add_func ("/cli/info/kinds", test_kinds);
  g_test_add_func ("/cli/info/warnings", test_warnings);
  g_test_add_func ("/cli/info/text", test_text);
  g_test_add_func ("/cli/info/singular", test_singular);
  g_test_add_func ("/cli/info/standard-input", test_standard_input);
  g_test_add_data_func ("/cli/convert/onnx-json", "samples/resnet-50.onnx r.json", test_convert);
  g_test_add_data_func ("/cli/convert/onnx-dot", "samples/resnet-50.onnx r.dot", test_convert);
  g_test_add_data_func ("/cli/convert/dot-json", "samples/toy.dot t.json", test_convert);
  g_test_add_data_func ("/cli/convert/dot-dot", "samples/toy.dot t.dot", test_convert);
  g_test_add_func ("/cli/convert/standard-output", test_convert_to_standard_output);
  return cli_end ();
}
