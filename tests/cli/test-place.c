/* place, simulate, compare, policies: promised JSON, pipes, verdicts, the same bytes every time. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define SETTING_KEYS "graph:s cluster:s model:s bound_us:n"
#define RESULT_KEYS                                                                                \
  "policy:s valid:b why:s makespan_us:N ratio_to_bound:N peak_bytes:a transferred_bytes:n "        \
  "evaluations:n best_evaluation:N seconds:n proven_bound_us:N proof:s"

/* A device too small for any tensor of the toy. */
static const char tiny_cluster[]
    = "{\"name\": \"tiny\", \"devices\": [{\"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1, "
      "\"memory_bandwidth\": \"100 GB/s\", \"memory\": \"1 kB\"}]}";

static char *
toy (void)
{
  return project_path ("samples/toy.dot");
}

static void
test_place_json (void)
{
  g_autofree char *path = toy ();
  g_auto (CliResult) result = cli_run ("place", path, "--policy", "heft", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
  root = cli_json (&result);
  object = json_node_get_object (root);
  cli_assert_keys (object, SETTING_KEYS);
  cli_assert_keys (object, RESULT_KEYS);
  g_assert_cmpstr (json_object_get_string_member (object, "graph"), ==, "toy");
  g_assert_cmpstr (json_object_get_string_member (object, "policy"), ==, "heft");
  g_assert_true (json_object_get_boolean_member (object, "valid"));
  g_assert_cmpfloat (json_object_get_double_member (object, "makespan_us"), ==, 1070);
  g_assert_cmpfloat (json_object_get_double_member (object, "bound_us"), ==, 1070);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "peak_bytes")), ==,
                    4);
}

/* The best of seeds 1 to 4 is that of one of them, and costs what all of them cost. */
static void
test_restarts (void)
{
#define SEARCH "place", "synthetic:seed=2", "-c", "p100x4", "-p", "random", "--json", "--seed"
  static const char *const seeds[] = { "1", "2", "3", "4" };
  g_auto (CliResult) best = cli_run (SEARCH, "1", "--restarts", "4", NULL);
  g_autoptr (JsonNode) root = NULL;
  double least = INFINITY;

  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_auto (CliResult) one = cli_run (SEARCH, seeds[i], NULL);
      g_autoptr (JsonNode) node = cli_json (&one);

      least
          = MIN (least, json_object_get_double_member (json_node_get_object (node), "makespan_us"));
    }
  cli_assert (&best, 0);
  root = cli_json (&best);
  g_assert_cmpfloat (json_object_get_double_member (json_node_get_object (root), "makespan_us"), ==,
                     least);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "evaluations"), ==, 4);
}

/* Those whom it is not for take it, too. */
static void
test_tasks (void)
{
  g_autofree char *path = toy ();
  g_auto (CliResult) plain = cli_run ("place", path, "-p", "heft", "-o", "-", NULL);
  g_auto (CliResult) all = cli_run ("place", path, "-p", "heft", "--tasks", "all", "-o", "-", NULL);
  g_auto (CliResult) wrong = cli_run ("place", path, "-p", "heft", "--tasks", "placing", NULL);
  g_auto (CliResult) compared
      = cli_run ("compare", path, "-p", "heft,single", "--tasks", "fusion,scheduling", NULL);
  g_auto (CliResult) simulated = cli_run ("simulate", path, "--plan", "x", "--tasks", "all", NULL);

  cli_assert (&plain, 0);
  cli_assert (&all, 0);
  g_assert_cmpstr (plain.out, ==, all.out);
  cli_assert (&wrong, 2);
  g_assert_nonnull (strstr (wrong.err, "placing"));
  g_assert_nonnull (strstr (wrong.err, "scheduling"));
  cli_assert (&compared, 0);
  cli_assert (&simulated, 2); /* no policy, no choice */
}

/* When the plan was found, of how many tried; nobody searched for one that comes from a file. */
static void
test_best_evaluation (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *plan = cli_temp ("searched.plan.json");
  g_auto (CliResult) placed
      = cli_run ("place", path, "-p", "anneal", "--evals", "60", "-o", plan, "--json", NULL);
  g_auto (CliResult) simulated = cli_run ("simulate", path, "--plan", plan, "--json", NULL);
  g_autoptr (JsonNode) a = NULL;
  g_autoptr (JsonNode) b = NULL;
  gint64 best;

  cli_assert (&placed, 0);
  a = cli_json (&placed);
  best = json_object_get_int_member (json_node_get_object (a), "best_evaluation");
  g_assert_cmpint (best, >, 1);
  g_assert_cmpint (best, <=, 60);
  b = cli_json (&simulated);
  g_assert_true (json_object_get_null_member (json_node_get_object (b), "best_evaluation"));
}

/* The file has the decisions that are counted, and the last one is the plan. */
static void
test_decisions (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *file = cli_temp ("decisions.json");
  g_auto (CliResult) placed
      = cli_run ("place", path, "-p", "go-oneshot", "--evals", "120", "--set",
                 "width=16,heads=2,sage=1,ffn=16,attention=1", "--decisions", file, "--json", NULL);
  g_auto (CliResult) nowhere = cli_run ("place", path, "-p", "go-oneshot", "--evals", "1",
                                        "--decisions", "/nowhere/decisions.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) result = NULL;
  JsonObject *root;
  JsonArray *list;
  gint64 n;

  cli_assert (&placed, 0);
  result = cli_json (&placed);
  json_parser_load_from_file (parser, file, &error);
  g_assert_no_error (error);
  root = json_node_get_object (json_parser_get_root (parser));
  cli_assert_keys (root,
                   "graph:s cluster:s policy:s devices:a moments:n last:n spans:a decisions:a");
  list = json_object_get_array_member (root, "decisions");
  n = json_object_get_int_member (json_node_get_object (result), "moments");
  g_assert_cmpint (n, >, 0);
  g_assert_cmpint (json_object_get_int_member (root, "moments"), ==, n);
  g_assert_cmpint (json_object_get_int_member (root, "last"), <=, n);
  g_assert_cmpint (json_object_get_int_member (root, "left_out") + json_array_get_length (list), ==,
                   n);
  cli_assert (&nowhere, 3);
}

static JsonNode *
load_decisions (const char *policy)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *file = cli_temp ("record.json");
  g_auto (CliResult) placed
      = cli_run ("place", path, "-p", policy, "--evals", "200", "--decisions", file, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  cli_assert (&placed, 0);
  json_parser_load_from_file (parser, file, &error);
  g_assert_no_error (error);
  return json_parser_steal_root (parser);
}

/* Decisions of a list schedule; the same in CSV; and of a search. */
static void
test_records (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *file = cli_temp ("record.csv");
  g_auto (CliResult) placed = cli_run ("place", path, "-p", "heft", "--decisions", file, NULL);
  g_autoptr (JsonNode) heft = load_decisions ("heft");
  g_autoptr (JsonNode) anneal = load_decisions ("anneal");
  g_auto (GStrv) lines = NULL;
  g_autofree char *csv = NULL;
  JsonArray *list = json_object_get_array_member (json_node_get_object (heft), "decisions");

  g_assert_cmpuint (json_array_get_length (list), ==, 313);
  cli_assert_keys (json_array_get_object_element (list, 7),
                   "number:n path:s level:s span:n task:s kind:s nodes:a chosen:s by:s score:n "
                   "options:n key:n start_us:n finish_us:n scores:a");
  cli_assert_keys (json_array_get_object_element (
                       json_object_get_array_member (json_node_get_object (heft), "spans"), 0),
                   "span:n name:s level:s first:n last:n key:s ties:s");

  cli_assert (&placed, 0);
  csv = cli_read (file, NULL);
  lines = g_strsplit (csv, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 315);
  g_assert_true (g_str_has_prefix (lines[8], "8,Decision 8 of 313,plan,1,placement,device,,"));

  list = json_object_get_array_member (json_node_get_object (anneal), "decisions");
  g_assert_cmpuint (json_array_get_length (list), >, 0);
  cli_assert_keys (json_array_get_object_element (list, 0),
                   "number:n path:s task:s kind:s nodes:a changes:a");
}

/* What place measured of its plan, simulate measures of the saved one. */
static void
test_saved_plan (void)
{
  static const char *const kept[]
      = { "makespan_us", "bound_us", "transferred_bytes", "ratio_to_bound", NULL };
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *plan = cli_temp ("saved.plan.json");
  g_auto (CliResult) placed
      = cli_run ("place", path, "--policy", "critical-path", "-o", plan, "--json", NULL);
  g_auto (CliResult) simulated = cli_run ("simulate", path, "--plan", plan, "--json", NULL);
  g_autoptr (JsonNode) a = NULL;
  g_autoptr (JsonNode) b = NULL;

  cli_assert (&placed, 0);
  cli_assert (&simulated, 0);
  a = cli_json (&placed);
  b = cli_json (&simulated);
  cli_assert_keys (json_node_get_object (b), SETTING_KEYS);
  cli_assert_keys (json_node_get_object (b), RESULT_KEYS);
  for (guint i = 0; kept[i] != NULL; i++)
    g_assert_cmpfloat (json_object_get_double_member (json_node_get_object (a), kept[i]), ==,
                       json_object_get_double_member (json_node_get_object (b), kept[i]));
}

/* The graph of all micro-batches and its plan simulate to what the pipeline took, and the schedule
 * that is written makes the same pipeline. */
static void
test_pipeline (void)
{
  g_autofree char *path = project_path ("samples/gnmt-coarse.json");
  g_autofree char *graph = cli_temp ("pipeline.json");
  g_autofree char *plan = cli_temp ("pipeline.plan.json");
  g_autofree char *csv = cli_temp ("pipeline.csv");
  g_auto (CliResult) result
      = cli_run ("pipeline", path, "--schedule", "zero-bubble", "-m", "6", "--json", "-o", graph,
                 "--plan-output", plan, "--csv", csv, NULL);
  g_auto (CliResult) simulated = cli_run ("simulate", graph, "--plan", plan, "--json", NULL);
  g_auto (CliResult) again = cli_run ("pipeline", path, "--schedule", csv, "--csv", "-", NULL);
  g_autoptr (JsonNode) a = NULL;
  g_autoptr (JsonNode) b = NULL;
  g_autofree char *text = NULL;
  g_autofree char *written = NULL;
  JsonObject *root;

  cli_assert (&result, 0);
  cli_assert (&simulated, 0);
  cli_assert (&again, 0);
  a = cli_json (&result);
  b = cli_json (&simulated);
  root = json_node_get_object (a);
  cli_assert_keys (root, "schedule:s stages:n ranks:n micro_batches:n bubble:n uniform_bubble:n "
                         "run:o");
  g_assert_cmpint (json_object_get_int_member (root, "micro_batches"), ==, 6);
  g_assert_cmpfloat (
      json_object_get_double_member (json_object_get_object_member (root, "run"), "makespan_us"),
      ==, json_object_get_double_member (json_node_get_object (b), "makespan_us"));
  text = cli_read (csv, NULL);
  g_assert_true (g_str_has_prefix (text, "0F0,0F1,0F2,0F3,0I0,0W0,"));
  written = cli_read (graph, NULL);
  g_assert_nonnull (strstr (written, "\"micro_batch\": 5"));
  g_assert_cmpstr (again.out, ==, text);
}

/* Stages with copies: what is written simulates to the same, in words and in JSON. */
static void
test_pipeline_copies (void)
{
  g_autofree char *path = project_path ("samples/gnmt-coarse.json");
  g_autofree char *graph = cli_temp ("copied.json");
  g_autofree char *plan = cli_temp ("copied.plan.json");
  g_auto (CliResult) result
      = cli_run ("pipeline", path, "--schedule", "1f1b", "--copies", "1,2", "-m", "6", "--json",
                 "-o", graph, "--plan-output", plan, NULL);
  g_auto (CliResult) simulated = cli_run ("simulate", graph, "--plan", plan, "--json", NULL);
  g_auto (CliResult) planned = cli_run ("pipeline", path, "--copies", "auto", NULL);
  g_autoptr (JsonNode) a = NULL;
  g_autoptr (JsonNode) b = NULL;
  JsonObject *root;

  cli_assert (&result, 0);
  cli_assert (&simulated, 0);
  cli_assert (&planned, 0);
  a = cli_json (&result);
  b = cli_json (&simulated);
  root = json_node_get_object (a);
  cli_assert_keys (root, "schedule:s stages:n ranks:n micro_batches:n bubble:n uniform_bubble:n "
                         "stage_devices:a run:o");
  g_assert_cmpint (json_object_get_int_member (root, "ranks"), ==, 3);
  g_assert_cmpint (
      json_array_get_int_element (json_object_get_array_member (root, "stage_devices"), 1), ==, 2);
  g_assert_cmpfloat (
      json_object_get_double_member (json_object_get_object_member (root, "run"), "makespan_us"),
      ==, json_object_get_double_member (json_node_get_object (b), "makespan_us"));
  g_assert_nonnull (strstr (planned.out, " devices a stage\nplanned "));
}

/* A training on a whole cluster, in words and as JSON, and the files of its micro-batches. */
static void
test_parallel (void)
{
  static const char spec[] = "gpt:layers=4,width=256,heads=8,vocabulary=1024,sequence=128";
  g_autofree char *graph = cli_temp ("parallel.json");
  g_autofree char *plan = cli_temp ("parallel.plan.json");
  g_auto (CliResult) words = cli_run ("parallel", spec, "-c", "a100x8", "--tp", "2", "--pp", "2",
                                      "--dp", "2", "--zero", "1", "--recompute", "full", NULL);
  g_auto (CliResult) result = cli_run ("parallel", spec, "-c", "a100x8", "--tp", "2", "--dp", "4",
                                       "--json", "-o", graph, "--plan-output", plan, NULL);
  g_auto (CliResult) single = cli_run ("parallel", spec, "-c", "a100x8", "--micro-batch", "2",
                                       "--global-batch", "2", NULL);
  g_auto (CliResult) heads = cli_run ("parallel", spec, "-c", "a100x8", "--tp", "3", NULL);
  g_autoptr (JsonNode) json = NULL;

  cli_assert (&words, 0);
  g_assert_nonnull (strstr (words.out, "8, 2 stages; a device below stands for 4 ranks"));
  g_assert_nonnull (strstr (words.out, "recomputation"));
  g_assert_nonnull (strstr (words.out, "optimiser"));
  cli_assert (&single, 0);
  g_assert_nonnull (strstr (single.out, "1, 1 stage; a device below stands for 1 rank\n"));
  g_assert_nonnull (strstr (single.out, "2, in 1 micro-batch a copy\n"));
  cli_assert (&result, 0);
  json = cli_json (&result);
  cli_assert_keys (json_node_get_object (json),
                   "devices:n batch:n micro_batches:n flops:n utilisation:n bubble:n "
                   "collective_share:n recomputed_share:n memory:a run:o");
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (json), "devices"), ==, 8);
  g_assert_true (g_file_test (graph, G_FILE_TEST_EXISTS) && g_file_test (plan, G_FILE_TEST_EXISTS));
  cli_assert (&heads, 1);
  g_assert_nonnull (strstr (heads.err, "say 1, 2, 4 or 8"));
}

/* Two replicas of two stages, from files; and what a ring carries. */
static void
test_replicas (void)
{
  g_autofree char *path = project_path ("samples/gnmt-coarse.json");
  g_autofree char *graph = cli_temp ("stages.json");
  g_autofree char *plan = cli_temp ("stages.plan.json");
  g_auto (CliResult) stages = cli_run ("pipeline", path, "--ranks", "2", "-m", "2", "-o", graph,
                                       "--plan-output", plan, NULL);
  g_auto (CliResult) result = cli_run ("replicas", graph, "--plan", plan, "--bucket", "25MB",
                                       "--json", "--bottlenecks", NULL);
  g_auto (CliResult) traced
      = cli_run ("replicas", graph, "--plan", plan, "--bucket", "25MB", "--trace", "-", NULL);
  g_auto (CliResult) ring
      = cli_run ("collective", "all-reduce", "--bytes", "1MB", "--ranks", "2", "--json", NULL);
  g_auto (CliResult) tight
      = cli_run ("collective", "all-reduce", "-b", "100GB", "-c", "p100x2", NULL);
  g_autoptr (JsonNode) a = NULL;
  g_autoptr (JsonNode) b = NULL;
  g_autoptr (JsonNode) trace = NULL;
  JsonObject *link;

  cli_assert (&stages, 0);
  cli_assert (&result, 0);
  cli_assert (&ring, 0);
  cli_assert (&tight, 1); /* beyond the memory */
  cli_assert (&traced, 0);
  trace = cli_json (&traced);
  g_assert_true (json_object_has_member (json_node_get_object (trace), "traceEvents"));
  a = cli_json (&result);
  b = cli_json (&ring);
  cli_assert_keys (json_node_get_object (a), "replicas:n buckets:n gradient_bytes:n links:a run:o");
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (a), "replicas"), ==, 2);
  g_assert_true (json_object_has_member (
      json_object_get_object_member (json_node_get_object (a), "run"), "bottlenecks"));
  cli_assert_keys (json_node_get_object (b), "kind:s algorithm:s cluster:s ranks:n makespan_us:n "
                                             "ideal_us:n bus_bytes_per_s:n links:a");
  link = json_array_get_object_element (
      json_object_get_array_member (json_node_get_object (b), "links"), 0);
  g_assert_cmpfloat (json_object_get_double_member (link, "bytes"), ==, 1e6);
}

/* The cluster comes from the file. */
static void
test_msr_cluster (void)
{
  g_autofree char *path = shared_data_path ("msr/latency-layer-bert24_inference.json");
  g_auto (CliResult) result = { 0 };

  if (path == NULL)
    return;
  result = cli_run ("compare", path, "--policies", "heft,metis", NULL);
  cli_assert (&result, 0);
  g_assert_nonnull (strstr (result.out, "msr:5,memory=629145600"));
}

static guint
count (const char *text, const char *words)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, words)) != NULL; at += strlen (words))
    n++;
  return n;
}

/* Warnings of a graph's reader are said once beside the results, and are a member of JSON. */
static void
test_warnings (void)
{
  static const char text[]
      = "{\"maxFPGAs\": 2, \"maxCPUs\": 1, \"maxSizePerFPGA\": 1e9, \"edges\": [], \"nodes\": ["
        "{\"id\": 0, \"cpuLatency\": 2, \"fpgaLatency\": 1, \"size\": 1}]}";
  static const char words[] = "goban-cli: warning: the file is meant for 2 accelerators";
  g_autofree char *graph = cli_temp_with ("warned.json", text, -1);
  g_autofree char *plan = cli_temp ("warned.plan.json");
  g_auto (CliResult) placed = cli_run ("place", graph, "-p", "single", "-o", plan, NULL);
  CliResult results[] = { cli_run ("place", graph, "-p", "single", "--json", NULL),
                          cli_run ("simulate", graph, "--plan", plan, "--json", NULL),
                          cli_run ("compare", graph, "-p", "single,heft", "--json", NULL),
                          cli_run ("info", graph, "--json", NULL) };

  cli_assert (&placed, 0);
  g_assert_cmpuint (count (placed.err, words), ==, 1);
  g_assert_cmpuint (count (placed.out, "is meant for"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (JsonNode) root = NULL;
      JsonArray *warnings;

      cli_assert (&results[i], 0);
      /* What info writes has them already, in either form. */
      g_assert_cmpuint (count (results[i].err, words), ==, i < 3);
      root = cli_json (&results[i]);
      cli_assert_keys (json_node_get_object (root), "warnings:a");
      warnings = json_object_get_array_member (json_node_get_object (root), "warnings");
      g_assert_cmpuint (json_array_get_length (warnings), ==, 1);
      g_assert_true (g_str_has_prefix (json_array_get_string_element (warnings, 0),
                                       "the file is meant for 2 accelerators"));
      cli_result_clear (&results[i]);
    }
}

/* Policies that do not learn ignore options of learned ones, and warn of settings; a plan must be
 * one of the graph. */
static void
test_told (void)
{
  g_autofree char *path = toy ();
  g_autofree char *plan = cli_temp ("start.plan.json");
  g_autofree char *missing = cli_temp ("no.plan.json");
  g_auto (CliResult) placed = cli_run ("place", path, "--policy", "round-robin", "-o", plan, NULL);
  g_auto (CliResult) told = cli_run ("place", path, "--policy", "heft", "--network", plan, "--set",
                                     "credit=0", "--start", plan, "--json", NULL);
  g_auto (CliResult) compared = cli_run ("compare", path, "--start", plan, NULL);
  g_auto (CliResult) absent = cli_run ("place", path, "-p", "heft", "--start", missing, NULL);
  g_auto (CliResult) other
      = cli_run ("place", path, "-p", "heft", "-c", "p100x2", "--start", plan, NULL);
  g_auto (CliResult) bench = cli_run ("bench", "quick", "--network", missing, NULL);
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&placed, 0);
  cli_assert (&told, 0);
  g_assert_nonnull (
      strstr (told.err, "warning: no setting “credit=0” for heft: write ranks=VALUE"));
  root = cli_json (&told);
  g_assert_cmpfloat (json_object_get_double_member (json_node_get_object (root), "makespan_us"), ==,
                     1070);
  cli_assert (&compared, 0);
  cli_assert (&absent, 3);
  g_assert_nonnull (strstr (absent.err, missing));
  cli_assert (&other, 3);
  g_assert_nonnull (strstr (bench.err, missing));
  cli_assert (&bench, 3);
}

/* A script that gives a policy what it does not use gets a plan and a warning, each once. */
static void
test_told_by_script (void)
{
  g_autofree char *path = toy ();
  g_autofree char *code = g_strdup_printf (
      "g = graph.load '%s' o = { settings = 'rank=saga', network = 'none.net', tasks = 'all' } "
      "assert(plan.heft(g, o)) assert(plan.heft(g, o)) assert(plan.single(g, o)) "
      "assert(compare.policies(g, { 'etf' }, { settings = 'a=1' })) "
      "assert(bench.new{ suite = 'quick', settings = 'b=1' }) print 'done'",
      path);
  static const char *const warnings[]
      = { "warning: no setting “rank=saga” for heft: write ranks=VALUE",
          "warning: heft does not use opts.network",
          "warning: heft does not use opts.tasks",
          "warning: single has no settings: “rank=saga” changes nothing",
          "warning: etf has no settings: “a=1” changes nothing",
          "warning: no setting “b=1” for single, " };
  g_auto (CliResult) run = cli_run ("-e", code, NULL);

  cli_assert (&run, 0);
  g_assert_cmpstr (run.out, ==, "done\n");
  for (guint i = 0; i < G_N_ELEMENTS (warnings); i++)
    g_assert_cmpuint (count (run.err, warnings[i]), ==, 1);
}

/* What place fuses is saved with the plan; simulate can take it away, and put it back. */
static void
test_fusion (void)
{
  g_autofree char *path = toy ();
  g_autofree char *plan = cli_temp ("fused.plan.json");
  g_auto (CliResult) placed
      = cli_run ("place", path, "--policy", "heft", "--fusion=default", "-o", plan, "--json", NULL);
  static const char *const words[] = { "--json", "--fusion=none", "--fusion=default" };
  g_auto (CliResult) wrong = cli_run ("simulate", path, "--plan", plan, "--fusion=xla", NULL);

  g_autoptr (JsonNode) first = NULL;
  double fused_us;

  cli_assert (&placed, 0);
  cli_assert (&wrong, 2);
  first = cli_json (&placed);
  fused_us = json_object_get_double_member (json_node_get_object (first), "makespan_us");
  g_assert_cmpfloat (fused_us, <, 1070);
  for (guint i = 0; i < 3; i++)
    {
      g_auto (CliResult) result
          = cli_run ("simulate", path, "--plan", plan, "--json", words[i], NULL);
      g_autoptr (JsonNode) root = NULL;
      JsonObject *object;

      cli_assert (&result, 0);
      root = cli_json (&result);
      object = json_node_get_object (root);
      g_assert_cmpfloat (json_object_get_double_member (object, "makespan_us"), ==,
                         i == 1 ? 1070 : fused_us);
      g_assert_cmpint (json_object_has_member (object, "kernels"), ==, i != 1);
      g_assert_cmpfloat (json_object_get_double_member (object, "ratio_to_bound"), >=, 1);
    }
}

static void
test_pipe (void)
{
  g_autofree char *path = toy ();
  g_autofree char *line
      = g_strdup_printf ("\"$CLI\" place '%s' --policy heft -o - | "
                         "\"$CLI\" simulate '%s' --plan - --json && "
                         "\"$CLI\" place - --policy heft -o /dev/null --json <'%s' >/dev/null",
                         path, path, path);
  g_auto (CliResult) result = cli_run_shell (line);
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&result, 0);
  root = cli_json (&result);
  g_assert_cmpfloat (json_object_get_double_member (json_node_get_object (root), "makespan_us"), ==,
                     1070);
}

/* An invalid result is told as one: in the exit code, in JSON and in words. */
static void
test_invalid (void)
{
  g_autofree char *path = toy ();
  g_autofree char *cluster = cli_temp_with ("tiny.json", tiny_cluster, -1);
  g_auto (CliResult) text = { 0 };
  g_auto (CliResult) json = { 0 };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  text = cli_run ("place", path, "-p", "single", "-c", cluster, NULL);
  json = cli_run ("place", path, "-p", "single", "-c", cluster, "--json", NULL);
  cli_assert (&text, 1);
  g_assert_nonnull (strstr (text.out, "invalid"));
  cli_assert (&json, 1);
  root = cli_json (&json);
  object = json_node_get_object (root);
  cli_assert_keys (object, RESULT_KEYS);
  g_assert_false (json_object_get_boolean_member (object, "valid"));
  g_assert_cmpstr (json_object_get_string_member (object, "why"), !=, "");
}

static void
test_compare_json (void)
{
  g_autofree char *path = toy ();
  g_auto (CliResult) result
      = cli_run ("compare", path, "--policies", "heft,tf-default,random", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;
  JsonArray *results;
  static const char *const order[] = { "heft", "tf-default", "random", "single" };

  cli_assert (&result, 0);
  root = cli_json (&result);
  object = json_node_get_object (root);
  cli_assert_keys (object, SETTING_KEYS " verdict:s results:a");
  results = json_object_get_array_member (object, "results");
  g_assert_cmpuint (json_array_get_length (results), ==, G_N_ELEMENTS (order));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      JsonObject *one = json_array_get_object_element (results, i);

      cli_assert_keys (one, RESULT_KEYS);
      g_assert_cmpstr (json_object_get_string_member (one, "policy"), ==, order[i]);
    }
}

static void
test_fail_if_worse (void)
{
  g_autofree char *path = toy ();
  g_auto (CliResult) worse
      = cli_run ("compare", path, "-p", "heft,tf-default", "--fail-if-worse", "2%", NULL);
  g_auto (CliResult) within
      = cli_run ("compare", path, "-p", "heft,tf-default", "--fail-if-worse=70", NULL);
  g_auto (CliResult) better
      = cli_run ("compare", path, "-p", "tf-default,heft", "--fail-if-worse", "0%", NULL);
  g_auto (CliResult) unasked = cli_run ("compare", path, "-p", "heft,tf-default", NULL);

  cli_assert (&worse, 1); /* 1810 us instead of 1070: 69.2 % */
  cli_assert (&within, 0);
  cli_assert (&better, 0); /* nor is the added “single” judged */
  cli_assert (&unasked, 0);
}

/* Columns begin where their headings do, and the best comes first. */
static void
test_compare_is_aligned (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_auto (CliResult) result = cli_run ("compare", path, NULL);
  g_auto (GStrv) lines = NULL;
  const char *heading_end;
  gsize makespan_end;
  guint n_rows = 0;

  cli_assert (&result, 0);
  lines = g_strsplit (result.out, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "graph    inception-v3: 313 nodes, 347 edges"));
  g_assert_true (g_str_has_prefix (lines[4], "policy "));
  heading_end = strstr (lines[4], "makespan");
  g_assert_nonnull (heading_end);
  makespan_end = (gsize) (heading_end - lines[4]) + strlen ("makespan");
  for (guint i = 5; *lines[i] != '\0'; i++, n_rows++)
    {
      g_assert_cmpint (lines[i][makespan_end - 1], ==, 's'); /* us, ms or s */
      g_assert_cmpint (lines[i][makespan_end], ==, ' ');
      g_assert_false (g_str_has_suffix (lines[i], " "));
    }
  g_assert_cmpuint (n_rows, ==, 6);
  g_assert_nonnull (strstr (result.out, "is best with"));
}

/* Of equals the first asked for is both the first row and the one in the verdict. */
static void
test_compare_of_equals (void)
{
  g_autofree char *path = toy ();
  g_auto (CliResult) a = cli_run ("compare", path, "-p", "heft,critical-path", NULL);
  g_auto (CliResult) b = cli_run ("compare", path, "-p", "critical-path,heft", NULL);

  cli_assert (&a, 0);
  cli_assert (&b, 0);
  g_assert_true (strstr (a.out, "\nheft ") < strstr (a.out, "\ncritical-path "));
  g_assert_nonnull (strstr (a.out, "heft is best with"));
  g_assert_true (strstr (b.out, "\ncritical-path ") < strstr (b.out, "\nheft "));
  g_assert_nonnull (strstr (b.out, "critical-path is best with"));
}

static void
test_policies (void)
{
  g_auto (CliResult) text = cli_run ("policies", NULL);
  g_auto (CliResult) json = cli_run ("policies", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *list;

  cli_assert (&text, 0);
  cli_assert (&json, 0);
  root = cli_json (&json);
  list = json_node_get_array (root);
  g_assert_cmpuint (json_array_get_length (list), >=, 8);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *one = json_array_get_object_element (list, i);

      cli_assert_keys (one, "name:s blurb:s source:s");
      g_assert_nonnull (strstr (text.out, json_object_get_string_member (one, "name")));
    }
}

static char *
plan_bytes (const char *path, const char *policy, const char *seed)
{
  g_auto (CliResult) result = cli_run ("place", path, "-p", policy, "-s", seed, "-o", "-", NULL);

  cli_assert (&result, 0);
  return g_steal_pointer (&result.out);
}

static void
test_same_seed_same_plan (void)
{
  static const char *const policies[]
      = { "random", "metis", "heft", "critical-path", "m-topo", "round-robin" };
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *other = plan_bytes (path, "random", "8");

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autofree char *a = plan_bytes (path, policies[i], "7");
      g_autofree char *b = plan_bytes (path, policies[i], "7");

      g_assert_cmpstr (a, ==, b);
      if (i == 0)
        g_assert_cmpstr (a, !=, other);
    }
}

static double
makespan_in (const CliResult *comparison, const char *policy)
{
  g_autoptr (JsonNode) root = cli_json (comparison);
  JsonArray *results = json_object_get_array_member (json_node_get_object (root), "results");

  for (guint i = 0; i < json_array_get_length (results); i++)
    {
      JsonObject *one = json_array_get_object_element (results, i);

      if (strcmp (json_object_get_string_member (one, "policy"), policy) == 0)
        return json_object_get_double_member (one, "makespan_us");
    }
  g_assert_not_reached ();
}

static void
test_order_does_not_matter (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_auto (CliResult) forth
      = cli_run ("compare", path, "-p", "random,metis,heft", "-s", "3", "--json", NULL);
  g_auto (CliResult) back
      = cli_run ("compare", path, "-p", "heft,metis,random", "-s", "3", "--json", NULL);
  static const char *const policies[] = { "random", "metis", "heft", "single" };

  cli_assert (&forth, 0);
  cli_assert (&back, 0);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    g_assert_cmpfloat (makespan_in (&forth, policies[i]), ==, makespan_in (&back, policies[i]));
}

typedef struct
{
  const char *file;
  double heft_ms;
} Literature;

/* Contention-free on 4 equal devices at 10 GB/s: figures of the SAGA library's HEFT. */
static void
test_against_the_literature (void)
{
  static const Literature known[] = {
    { "pipedream/nasnetalarge.graph.txt", 173.9 },
    { "pipedream/inception_v3.graph.txt", 267.0 },
    { "pipedream/resnet50.graph.txt", 210.8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *path = shared_data_path (known[i].file);
      g_auto (CliResult) result = { 0 };
      double heft_ms;

      if (path == NULL)
        return;
      result
          = cli_run ("compare", path, "-c", "equal:4,bandwidth=10e9", "-p", "heft", "--json", NULL);
      cli_assert (&result, 0);
      heft_ms = makespan_in (&result, "heft") / 1000;
      g_test_message ("%s: heft %.1f ms, SAGA %.1f ms", known[i].file, heft_ms, known[i].heft_ms);
      g_assert_cmpfloat (heft_ms, <, known[i].heft_ms * 1.05);
    }
}

/* A plan goes into a file of TensorFlow's, and comes back from it. */
static void
test_apply (void)
{
  static const char text[] = "node { name: 'a' op: 'MatMul' }\n"
                             "node { name: 'b' op: 'MatMul' input: 'a' }\n";
  g_autofree char *graph = cli_temp_with ("a.pbtxt", text, -1);
  g_autofree char *plan = cli_temp ("a.plan.json");
  g_autofree char *placed = cli_temp ("placed.pbtxt");
  g_autofree char *again = cli_temp ("again.plan.json");
  g_auto (CliResult) list = cli_run ("apply", "--list", NULL);
  g_auto (CliResult) place = cli_run ("place", graph, "-p", "random", "-s", "5", "-o", plan, NULL);
  g_auto (CliResult) apply = cli_run ("apply", graph, "--plan", plan, "--for", "tensorflow", "-o",
                                      placed, "--json", NULL);
  g_auto (CliResult) back = cli_run ("place", placed, "-p", "tf-default", "-o", again, NULL);
  g_auto (CliResult) refused
      = cli_run ("apply", graph, "--plan", plan, "--for", "ort", "-o", again, NULL);
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  cli_assert (&list, 0);
  g_assert_nonnull (strstr (list.out, "llama.cpp "));
  cli_assert (&place, 0);
  cli_assert (&apply, 0);
  root = cli_json (&apply);
  cli_assert_keys (json_node_get_object (root), "target:s files:a");
  cli_assert (&back, 0);
  first = cli_read (plan, NULL);
  second = cli_read (again, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *part
          = g_strdup_printf ("\"node\": \"%c\", \"device\": \"gpu:", 'a' + (char) i);
      const char *x = strstr (first, part), *y = strstr (second, part);

      g_assert_cmpint (x[strlen (part)], ==, y[strlen (part)]);
    }
  cli_assert (&refused, 1);
  g_assert_nonnull (strstr (refused.err, "ort needs a graph from a file of the format onnx"));
}

TEST_PROGRAM (place)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/place/restarts", test_restarts);
  g_test_add_func ("/cli/place/json", test_place_json);
  g_test_add_func ("/cli/place/tasks", test_tasks);
  g_test_add_func ("/cli/place/best-evaluation", test_best_evaluation);
  g_test_add_func ("/cli/place/decisions", test_decisions);
  g_test_add_func ("/cli/place/records", test_records);
  g_test_add_func ("/cli/place/saved-plan", test_saved_plan);
  g_test_add_func ("/cli/place/fusion", test_fusion);
  g_test_add_func ("/cli/place/pipe", test_pipe);
  g_test_add_func ("/cli/place/invalid", test_invalid);
  g_test_add_func ("/cli/compare/json", test_compare_json);
  g_test_add_func ("/cli/compare/fail-if-worse", test_fail_if_worse);
  g_test_add_func ("/cli/compare/aligned", test_compare_is_aligned);
  g_test_add_func ("/cli/compare/equals", test_compare_of_equals);
  g_test_add_func ("/cli/compare/order-does-not-matter", test_order_does_not_matter);
  g_test_add_func ("/cli/compare/literature", test_against_the_literature);
  g_test_add_func ("/cli/compare/msr-cluster", test_msr_cluster);
  g_test_add_func ("/cli/apply/there-and-back", test_apply);
  g_test_add_func ("/cli/pipeline", test_pipeline);
  g_test_add_func ("/cli/pipeline-copies", test_pipeline_copies);
  g_test_add_func ("/cli/parallel", test_parallel);
  g_test_add_func ("/cli/replicas", test_replicas);
  g_test_add_func ("/cli/place/told", test_told);
  g_test_add_func ("/cli/place/told-by-script", test_told_by_script);
  g_test_add_func ("/cli/policies", test_policies);
  g_test_add_func ("/cli/place/warnings", test_warnings);
  g_test_add_func ("/cli/place/same-seed-same-plan", test_same_seed_same_plan);
  return cli_end ();
}
