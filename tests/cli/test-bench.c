/* bench and generate: their tables, JSON and CSV; the journal, and Ctrl+C in the middle. */
#include "engine/graph/workloads/workload.h"
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define ROW_KEYS "name:s graph:s cluster:s devices:n nodes:n edges:n bound_us:N results:a ratios:a"
#define CELL_KEYS                                                                                  \
  "policy:s seed:n valid:b state:s why:s makespan_us:N proven_bound_us:N evaluations:n "           \
  "fused:b best_evaluation:N seconds:n improvements:a"
#define RATIO_KEYS "policy:s ratio_to_expert:N ratio_to_best:N ratio_to_bound:N"
#define MEAN_KEYS                                                                                  \
  "policy:s makespan_us:N ratio_to_expert:N ratio_to_best:N ratio_to_bound:N evaluations:N "       \
  "best_evaluation:N seconds:N valid:n"

/* Two samples as a suite. (transfer full) */
static char *
suite (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *inception = project_path ("samples/inception-v3.onnx");
  g_autofree char *text = g_strdup_printf (
      "{\"graphs\": [{\"name\": \"toy\", \"graph\": \"%s\", \"placement\": "
      "\"p100x2\", \"joint\": \"v100x2\"},\n{\"name\": \"inception\", \"graph\": "
      "\"%s\", \"placement\": \"p100x4\"}]}\n",
      toy, inception);

  return cli_temp_with ("pair.json", text, -1);
}

static JsonObject *
element (JsonObject *object, const char *name, guint i)
{
  return json_array_get_object_element (json_object_get_array_member (object, name), i);
}

/* Of the last cell of a graph. */
static double
heft_us (JsonObject *row)
{
  JsonObject *cell = element (
      row, "results", json_array_get_length (json_object_get_array_member (row, "results")) - 1);

  g_assert_cmpstr (json_object_get_string_member (cell, "policy"), ==, "heft");
  return json_object_get_double_member (cell, "makespan_us");
}

static void
test_json (void)
{
  g_autofree char *path = suite ();
  g_autofree char *journal = cli_temp ("json.jsonl");
  g_auto (CliResult) result = cli_run ("bench", path, "-p", "single,heft", "--seeds", "2", "--seed",
                                       "7", "--journal", journal, "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object, *row, *cell, *mean;
  double us;

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
  root = cli_json (&result);
  object = json_node_get_object (root);
  cli_assert_keys (object, "suite:s task:s tasks:a version:s seeds:a graphs:a means:a");
  cli_assert_keys (element (object, "means", 0), MEAN_KEYS);
  row = element (object, "graphs", 0);
  cli_assert_keys (row, ROW_KEYS);
  cli_assert_keys (element (row, "ratios", 0), RATIO_KEYS);
  cell = element (row, "results",
                  json_array_get_length (json_object_get_array_member (row, "results")) - 1);
  cli_assert_keys (cell, CELL_KEYS);
  g_assert_cmpstr (json_object_get_string_member (cell, "policy"), ==, "heft");
  g_assert_cmpint (json_object_get_int_member (cell, "seed"), ==, 8);
  g_assert_cmpfloat (json_object_get_double_member (cell, "makespan_us"), ==, 1070);
  /* A geometric mean, in the same unit. */
  mean = element (object, "means",
                  json_array_get_length (json_object_get_array_member (object, "means")) - 1);
  g_assert_cmpstr (json_object_get_string_member (mean, "policy"), ==, "heft");
  us = heft_us (element (object, "graphs", 0)) * heft_us (element (object, "graphs", 1));
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (mean, "makespan_us") / sqrt (us),
                                  1, 1e-9);
}

/* Columns end where their headings do, whatever stands in them. */
static void
test_text_is_aligned (void)
{
  g_autofree char *path = suite ();
  g_autofree char *journal = cli_temp ("text.jsonl");
  g_auto (CliResult) result
      = cli_run ("bench", path, "-p", "single,heft", "--journal", journal, NULL);
  g_auto (GStrv) lines = NULL;
  guint n_tables = 0;

  cli_assert (&result, 0);
  g_assert_true (g_str_has_prefix (result.out, "suite  pair: 2 graphs, task placement, 1 seed\n"));
  lines = g_strsplit (result.out, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      gsize end = strlen (lines[i]);

      g_assert_false (g_str_has_suffix (lines[i], " "));
      if (!g_str_has_prefix (lines[i], "graph "))
        continue;
      n_tables++;
      for (guint k = i + 1; *lines[k] != '\0'; k++)
        g_assert_cmpuint (strlen (lines[k]), ==, end);
    }
  g_assert_cmpuint (n_tables, >=, 5);
}

static void
test_csv (void)
{
  g_autofree char *path = suite ();
  g_autofree char *journal = cli_temp ("csv.jsonl");
  g_auto (CliResult) result = cli_run ("bench", path, "-p", "heft", "--graphs", "toy", "--task",
                                       "joint", "--journal", journal, "--csv", NULL);
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) names = NULL;

  cli_assert (&result, 0);
  lines = g_strsplit (result.out, "\n", -1);
  names = g_strsplit (lines[0], ",", -1);
  g_assert_cmpstr (names[0], ==, "name");
  g_assert_cmpstr (names[g_strv_length (names) - 1], ==, "why");
  g_assert_nonnull (strstr (result.out, ",joint,placement,,v100x2,12,heft,0,valid,1070,1070,,"));
}

/* --task says on which machines, --tasks what is decided; a journal keeps them apart. */
static void
test_tasks (void)
{
  g_autofree char *path = suite ();
  g_autofree char *journal = cli_temp ("tasks.jsonl");
  g_auto (CliResult) alone = cli_run ("bench", path, "-p", "heft", "--graphs", "toy", "--tasks",
                                      "placement", "--journal", journal, "--csv", NULL);
  g_auto (CliResult) both = cli_run ("bench", path, "-p", "heft", "--graphs", "toy", "--tasks",
                                     "scheduling,placement", "--resume", journal, "--csv", NULL);
  g_auto (CliResult) wrong = cli_run ("bench", path, "-p", "heft", "--tasks", "joint", NULL);
  g_autofree char *lines = NULL;
  g_auto (GStrv) kept = NULL;

  cli_assert (&alone, 0);
  g_assert_nonnull (strstr (alone.out, ",placement,placement,,p100x2,"));
  cli_assert (&both, 0);
  g_assert_nonnull (strstr (both.out, ",placement,\"placement,scheduling\",,p100x2,"));
  g_assert_true (g_file_get_contents (journal, &lines, NULL, NULL));
  kept = g_strsplit (lines, "\n", -1);
  g_assert_cmpuint (g_strv_length (kept), ==, 5); /* heft and the expert twice, and the end */
  g_assert_null (strstr (kept[0], "\"tasks\""));
  g_assert_nonnull (strstr (kept[2], "\"tasks\": \"placement,scheduling\""));
  cli_assert (&wrong, 2);
  g_assert_nonnull (strstr (wrong.err, "joint"));
}

/* The word of place, which is said again. */
static void
test_fusion (void)
{
  g_autofree char *path = suite ();
  g_autofree char *journal = cli_temp ("fusion.jsonl");
  g_auto (CliResult) result = cli_run ("bench", path, "-p", "heft", "--graphs", "toy", "--fusion",
                                       "default", "--journal", journal, NULL);
  g_auto (CliResult) unknown = cli_run ("bench", path, "--fusion", "some", NULL);

  cli_assert (&result, 0);
  g_assert_nonnull (strstr (result.out, "1 seed, fusion default\n"));
  cli_assert (&unknown, 2);
  g_assert_nonnull (strstr (unknown.err, "no way of fusing"));
}

/* A journal nobody asked for is gone with the end of its bench; one asked for stays, and neither
 * is overwritten. */
static void
test_journals (void)
{
  g_autofree char *path = suite ();
  g_autofree char *kept = cli_temp ("kept.jsonl");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *line
      = g_strdup_printf ("cd '%s' && \"$CLI\" bench pair.json -p heft >/dev/null && ls", folder);
  g_auto (CliResult) unasked = cli_run_shell (line);
  g_auto (CliResult) first
      = cli_run ("bench", path, "-p", "heft", "--journal", kept, "--csv", NULL);
  g_auto (CliResult) again = cli_run ("bench", path, "-p", "heft", "--journal", kept, NULL);
  g_auto (CliResult) resumed
      = cli_run ("bench", path, "-p", "heft", "--resume", kept, "--csv", NULL);
  g_auto (CliResult) nowhere
      = cli_run ("bench", path, "-p", "heft", "--resume", "/nowhere/x.jsonl", NULL);

  cli_assert (&unasked, 0);
  g_assert_null (strstr (unasked.out, "goban-bench-pair"));
  cli_assert (&first, 0);
  cli_assert (&again, 2);
  g_assert_nonnull (strstr (again.err, "holds results already"));
  g_assert_nonnull (strstr (again.err, "--resume"));
  cli_assert (&resumed, 0);
  g_assert_cmpstr (first.out, ==, resumed.out); /* the seconds too: nothing ran again */
  cli_assert (&nowhere, 3);
}

/* Nobody read it all: what was measured is kept, and said to be. */
static void
test_closed_pipe (void)
{
  g_autofree char *path = suite ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *line = g_strdup_printf (
      "cd '%s' && { \"$CLI\" bench pair.json -p heft --seeds 300 --csv; echo $? >&2; } | true; "
      "rm goban-bench-pair.jsonl",
      folder);
  g_auto (CliResult) result = cli_run_shell (line);

  cli_assert (&result, 0);
  g_assert_nonnull (
      strstr (result.err, "results are kept; --resume goban-bench-pair.jsonl goes on"));
  g_assert_nonnull (strstr (result.err, "\n3\n"));
}

static void
test_suites_are_listed (void)
{
  g_auto (CliResult) text = cli_run ("bench", NULL);
  g_auto (CliResult) json = cli_run ("bench", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&text, 0);
  g_assert_nonnull (strstr (text.out, "8-layer GNMT"));
  cli_assert (&json, 0);
  root = cli_json (&json);
  cli_assert_keys (json_array_get_object_element (json_node_get_array (root), 0),
                   "name:s about:s graphs:a");
}

/* --- Ctrl+C -------------------------------------------------------------------------------- */

static gboolean
is_begun (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 && info.st_size > 0;
}

/* Interrupts a bench once its journal holds a result, and lets it go on. */
static void
test_interrupted (void)
{
  g_autofree char *path = suite ();
  g_autofree char *journal = cli_temp ("interrupted.jsonl");
  g_auto (CliResult) stopped = cli_run_until (is_begun, journal, "bench", path, "-p", "heft,anneal",
                                              "--evals", "100000000", "--journal", journal, NULL);
  g_autofree char *text = NULL;
  gsize size;

  cli_assert (&stopped, 130);
  g_assert_nonnull (strstr (stopped.err, "interrupted\n"));
  g_assert_nonnull (strstr (stopped.err, "goes on"));

  /* What is kept is whole. */
  g_assert_true (g_file_get_contents (journal, &text, &size, NULL));
  g_assert_true (g_str_has_suffix (text, "}\n"));
  {
    g_auto (CliResult) resumed
        = cli_run ("bench", path, "-p", "heft", "--evals", "100000000", "--resume", journal, NULL);

    cli_assert (&resumed, 0);
  }
}

/* --- generate and policies ----------------------------------------------------------------- */

static void
test_generate_lists (void)
{
  g_auto (CliResult) text = cli_run ("generate", NULL);
  g_auto (CliResult) json = cli_run ("generate", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *families;
  gsize n;

  goban_families (&n);
  cli_assert (&text, 0);
  cli_assert (&json, 0);
  root = cli_json (&json);
  families = json_node_get_array (root);
  g_assert_cmpuint (json_array_get_length (families), ==, n);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *family = json_array_get_object_element (families, i);

      cli_assert_keys (family, "name:s blurb:s source:s knobs:a");
      g_assert_nonnull (strstr (text.out, json_object_get_string_member (family, "name")));
    }
}

/* The same bytes every time, and the file is as good as its spec, everywhere. */
static void
test_generate_writes (void)
{
  static const char spec[] = "rnnlm:layers=2,granularity=coarse";
  g_autofree char *path = cli_temp ("made.json");
  g_auto (CliResult) written = cli_run ("generate", spec, "-o", path, "--json", NULL);
  g_auto (CliResult) printed = cli_run ("generate", spec, "-o", "-", "--to", "json", NULL);
  g_auto (CliResult) of_file = cli_run ("compare", path, "-p", "heft", "--json", NULL);
  g_auto (CliResult) of_spec = cli_run ("compare", spec, "-p", "heft", "--json", NULL);
  g_auto (CliResult) info = cli_run ("info", spec, NULL);
  g_auto (CliResult) told = cli_run ("generate", spec, NULL);
  g_autoptr (JsonNode) a = NULL;
  g_autoptr (JsonNode) b = NULL;
  g_autofree char *text = NULL;

  cli_assert (&written, 0);
  cli_assert (&printed, 0);
  text = cli_read (path, NULL);
  g_assert_cmpstr (text, ==, printed.out);
  cli_assert (&of_file, 0);
  cli_assert (&of_spec, 0);
  a = cli_json (&of_file);
  b = cli_json (&of_spec);
  g_assert_cmpfloat (json_object_get_double_member (
                         element (json_node_get_object (a), "results", 0), "makespan_us"),
                     ==,
                     json_object_get_double_member (
                         element (json_node_get_object (b), "results", 0), "makespan_us"));
  cli_assert (&info, 0);
  g_assert_cmpstr (info.out, ==, told.out);
}

static guint
compare_samples (const char *made)
{
  g_autoptr (GDir) dir = g_dir_open (made, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  for (; (name = g_dir_read_name (dir)) != NULL; n++)
    {
      g_autofree char *path = g_build_filename (made, name, NULL);
      g_autofree char *sample = g_build_filename ("samples", name, NULL);
      g_autofree char *kept = project_path (sample);
      g_autofree char *a = cli_read (path, NULL);
      g_autofree char *b = cli_read (kept, NULL);

      g_test_message ("%s", name);
      g_assert_true (strcmp (a, b) == 0); /* thousands of lines tell nothing */
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  return n;
}

/* Whoever changes what is generated runs scripts/dev/samples.sh, and reviews the difference. */
static void
test_samples (void)
{
  g_autofree char *script = project_path ("scripts/dev/samples.sh");
  g_autofree char *made = cli_temp ("samples");
  g_autofree char *line
      = g_strdup_printf ("mkdir '%s' && CLI=$(realpath \"$CLI\") sh '%s' '%s'", made, script, made);
  g_auto (CliResult) result = cli_run_shell (line);

  cli_assert (&result, 0);
  g_assert_cmpuint (compare_samples (made), ==, 6);
  g_assert_cmpint (g_rmdir (made), ==, 0);
}

/* A file wins over a family of its name; what is neither says both. */
static void
test_spec_or_file (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *copy = cli_temp ("rnnlm");
  g_autofree char *here = g_path_get_dirname (copy);
  g_autofree char *line
      = g_strdup_printf ("cp '%s' '%s' && cd '%s' && \"$CLI\" info rnnlm", toy, copy, here);
  g_auto (CliResult) file = cli_run_shell (line);
  g_auto (CliResult) unknown = cli_run ("info", "rnnml:layers=2", NULL);
  g_auto (CliResult) key = cli_run ("info", "rnnlm:no_such_key=2", NULL);
  g_auto (CliResult) batch = cli_run ("info", "rnnlm:layers=2", "--batch", "8", NULL);

  cli_assert (&file, 0);
  g_assert_nonnull (strstr (file.out, "nodes          12\n"));
  cli_assert (&unknown, 3);
  g_assert_nonnull (
      strstr (unknown.err, "there is no such file; nor is it generated, as are rnnlm"));
  cli_assert (&key, 2);
  cli_assert (&batch, 2);
  g_assert_nonnull (strstr (batch.err, "batch=8"));
}

static void
test_one_policy (void)
{
  g_auto (CliResult) text = cli_run ("policies", "anneal", NULL);
  g_auto (CliResult) json = cli_run ("policies", "anneal", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *policy;

  cli_assert (&text, 0);
  g_assert_true (g_str_has_prefix (text.out, "anneal: "));
  g_assert_nonnull (strstr (text.out, "effort       search\n"));
  cli_assert (&json, 0);
  root = cli_json (&json);
  policy = json_node_get_object (root);
  cli_assert_keys (policy,
                   "name:s blurb:s about:s source:s effort:s random:b default_evaluations:n");
  g_assert_cmpint (json_object_get_int_member (policy, "default_evaluations"), >, 0);
}

/* Who compares without saying what waits for no search. */
static void
test_compare_defaults_are_quick (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_auto (CliResult) compared = cli_run ("compare", toy, "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *results;

  cli_assert (&compared, 0);
  root = cli_json (&compared);
  results = json_object_get_array_member (json_node_get_object (root), "results");
  for (guint i = 0; i < json_array_get_length (results); i++)
    {
      const char *name
          = json_object_get_string_member (json_array_get_object_element (results, i), "policy");
      g_auto (CliResult) told = cli_run ("policies", name, "--json", NULL);

      cli_assert (&told, 0);
      g_assert_nonnull (strstr (told.out, "\"effort\": \"quick\""));
    }
}

TEST_PROGRAM (bench)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/bench/json", test_json);
  g_test_add_func ("/cli/bench/aligned", test_text_is_aligned);
  g_test_add_func ("/cli/bench/csv", test_csv);
  g_test_add_func ("/cli/bench/tasks", test_tasks);
  g_test_add_func ("/cli/bench/fusion", test_fusion);
  g_test_add_func ("/cli/bench/journals", test_journals);
  g_test_add_func ("/cli/bench/closed-pipe", test_closed_pipe);
  g_test_add_func ("/cli/bench/suites", test_suites_are_listed);
  g_test_add_func ("/cli/bench/interrupted", test_interrupted);
  g_test_add_func ("/cli/generate/lists", test_generate_lists);
  g_test_add_func ("/cli/generate/writes", test_generate_writes);
  g_test_add_func ("/cli/generate/spec-or-file", test_spec_or_file);
  g_test_add_func ("/cli/generate/samples", test_samples);
  g_test_add_func ("/cli/policies/one", test_one_policy);
  g_test_add_func ("/cli/compare/defaults-are-quick", test_compare_defaults_are_quick);
  return cli_end ();
}
