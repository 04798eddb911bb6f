/* Errors of goban-cli: the exit code, a message with the place, nothing on standard output, no file
 * touched.
 */
#include "tests/cli/cli-run.h"
#include "tests/support/rounds.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* --- usage: 2 ------------------------------------------------------------------------------ */

typedef struct
{
  const char *name;
  const char *words; /* of the command line; TOY and TMP are paths */
  const char *says;  /* a part of standard error */
} Usage;

static const Usage usages[] = {
  { "nothing", "", "usage: goban-cli VERB" },
  { "verb", "frob", "there is no verb “frob”" },
  { "verb-like", "plaec TOY", "there is no verb “plaec”; did you mean “place”?" },
  { "verb-list", "frob", "compare GRAPH" },
  { "option", "info TOY --frob", "--frob" },
  { "option-of-another-verb", "info TOY --seed 3", "--seed" },
  { "no-graph", "info", "an argument is missing" },
  { "two-graphs", "info TOY TOY", "too many arguments" },
  { "format", "info TOY --format foo",
    "known: onnx, graphdef, cost-graph, cost-graph-binary, torch-export, hlo, dot, gxl, "
    "pipedream" },
  { "time-unit", "info TOY --time-unit fortnight", "ns, us, ms or s" },
  { "batch", "info TOY --batch many", "many" },
  { "negative", "place TOY -p heft --seed -1", "--seed: “-1” is not a whole number of at least 0" },
  { "seconds", "place TOY -p heft --seconds nan", "--seconds: “nan” is not a number of seconds" },
  { "cluster", "info TOY -c foo",
    "p100x2, p100x4, p100x8, v100x2, v100x4, v100x8, cpu+gpu, a100x8, a100-40gbx8, h100x8, h200x8, "
    "b200x8, mi300x8, l40sx4, 4090x2, KINDxN*M as h100x8*4, equal:N" },
  { "cluster-size", "info TOY -c equal:0", "not a number of devices" },
  { "collective-costs", "collective all-reduce --costs x.json", "--costs" },
  { "no-policy", "place TOY", "goban-cli policies lists them" },
  { "policy", "place TOY -p foo", "there are single, tf-default, " },
  { "policy-like", "place TOY -p metsi", "did you mean “metis”?" },
  { "restarts", "place TOY -p heft --restarts 0",
    "--restarts: “0” is not a whole number from 1 to 100000" },
  { "policy-in-list", "compare TOY -p heft,foo", "there is no policy “foo”" },
  { "empty-list", "compare TOY --policies=", "names none" },
  { "percent", "compare TOY --fail-if-worse much", "not a percentage" },
  { "percent-negative", "compare TOY --fail-if-worse=-2%", "not a percentage" },
  { "percent-nan", "compare TOY --fail-if-worse=nan", "not a percentage" },
  { "no-plan", "simulate TOY", "--plan PLAN" },
  { "both-standard-input", "simulate - --plan -", "cannot both be standard input" },
  { "place-standard-input", "place - -p go-finetune --start -", "cannot both be standard input" },
  { "place-standard-output", "place TOY -p heft -o - --decisions -",
    "2 files cannot all be standard output" },
  { "pipeline-standard-input", "pipeline - --plan -", "cannot both be standard input" },
  { "pipeline-standard-output", "pipeline TOY --schedule gpipe --csv - --trace - --plan-output -",
    "3 files cannot all be standard output" },
  { "pipeline-no-schedule", "pipeline TOY --csv TMP/x.csv", "there is none: --schedule NAME" },
  { "pipeline-none", "pipeline TOY --schedule none --csv -", "there is none: --schedule NAME" },
  { "pipeline-negative", "pipeline TOY -m -1", "--micro-batches: “-1” is not a whole number" },
  { "pipeline-copies", "pipeline TOY --copies 3,x", "is auto or a number for each stage" },
  { "pipeline-no-copies", "pipeline TOY --copies 3,0", "is auto or a number for each stage" },
  { "pipeline-copies-stages", "pipeline TOY --copies 3,1 --stages 3", "tells no other number" },
  { "pipeline-copies-csv", "pipeline TOY --copies auto --schedule gpipe --csv -",
    "the files have one of each stage" },
  { "replicas-standard-input", "replicas - --plan -", "cannot both be standard input" },
  { "replicas-standard-output", "replicas TOY --trace - --plan-output -",
    "2 files cannot all be standard output" },
  { "replicas-ending", "replicas TOY -o TMP/x.foo", "its ending names no format" },
  { "replicas-negative", "replicas TOY -n -2", "--replicas: “-2” is not a whole number" },
  { "collective-negative", "collective all-reduce --ranks -2",
    "--ranks: “-2” is not a whole number" },
  { "render-two-plans", "render TOY -o TMP/x.svg --plan TOY -p heft", "both say what the plan is" },
  { "render-policy", "render TOY -o TMP/x.svg -p metsi", "did you mean “metis”?" },
  { "region-nan", "render TOY -o TMP/x.svg --region 0,0,nan,1", "is not a region" },
  { "region-huge", "render TOY -o TMP/x.svg --region=-1e300,0,1e300,1", "none beyond 1e9" },
  { "percent-hex", "compare TOY --fail-if-worse=0x10", "not a percentage" },
  { "no-output", "render TOY", "-o FILE.svg" },
  { "picture-ending", "render TOY -o TMP/x.bmp", ".svg, .png or .pdf" },
  { "film-no-plan", "render TOY -o TMP/x.gif", "needs a plan: --plan PLAN" },
  { "view", "render TOY -o TMP/x.svg --view foo", "graph, timeline or table" },
  { "color", "render TOY -o TMP/x.svg --color foo", "there are: device, op" },
  { "group", "render TOY -o TMP/x.svg --group foo",
    "scope, layer, step, parameter, use or cluster" },
  { "layout", "render TOY -o TMP/x.svg --layout foo", "layered, wrapped or lanes" },
  { "expand-ungrouped", "render TOY -o TMP/x.svg --expand text", "--group" },
  { "lanes-without-plan", "render TOY -o TMP/x.svg --layout lanes", "--plan PLAN" },
  { "apply-no-graph", "apply --for ort", "which graph?" },
  { "apply-no-plan", "apply TOY --for ort -o TMP/x.onnx", "--plan PLAN" },
  { "apply-no-target", "apply TOY --plan TOY -o TMP/x.onnx", "goban-cli apply --list" },
  { "apply-no-output", "apply TOY --plan TOY --for ort", "-o OUT" },
  { "apply-target", "apply TOY --plan TOY --for opnvino -o TMP/x.py", "do you mean “openvino”?" },
  { "apply-micro-batches", "apply TOY --plan TOY --for ort -o TMP/x.onnx --micro-batches -1",
    "--micro-batches: “-1” is not a whole number" },
  { "convert-ending", "convert TOY TMP/x.foo",
    "written are: cost-graph, cost-graph-binary, dot, model-explorer, json" },
  { "convert-to", "convert TOY TMP/x.json --to onnx",
    "written are: cost-graph, cost-graph-binary, dot, model-explorer, json" },
  { "convert-nowhere", "convert TOY -", "standard output has no ending" },
  { "train-no-file", "train regal", "-o FILE says where the network goes" },
  { "train-output", "train regal -o -", "name a file" },
  { "train-policy", "train foo -o TMP/x.net", "there is no policy “foo”" },
  { "train-other", "train heft -o TMP/x.net",
    "heft learns nothing beforehand; builder (of go-zeroshot)" },
  { "train-steps", "train regal -o TMP/x.net --steps -1", "--steps: “-1” is not a whole number" },
  { "bench-suite", "bench foo", "there is no suite “foo”; there are go14, llm, quick, and files" },
  { "bench-policy", "bench quick -p heft,foo", "there is no policy “foo”" },
  { "bench-task", "bench quick --task all", "there are placement and joint" },
  { "bench-seeds", "bench quick --seeds 0", "--seeds: “0” is not a whole number from 1 to 1000" },
  { "bench-graphs", "bench quick --graphs nobody", "quick: no graph is called “nobody”" },
  { "bench-both", "bench quick --json --csv", "not both" },
  { "bench-journals", "bench quick --journal TMP/a --resume TMP/b", "begins a new one" },
  { "policies-name", "policies foo", "there is no policy “foo”; there are single" },
  { "generate-what", "generate -o TMP/x.json", "which family" },
  { "run-what", "run", "an argument is missing" },
  { "code", "-e", "usage: goban-cli -e [--trust] [--json] CODE" },
};

static void
test_usage (gconstpointer data)
{
  const Usage *usage = data;
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *quoted_toy = g_shell_quote (toy);
  g_autofree char *folder = cli_temp (".");
  g_autofree char *quoted_folder = g_shell_quote (folder);
  g_autoptr (GString) line = g_string_new (usage->words);
  g_auto (CliResult) result = { 0 };

  g_string_replace (line, "TOY", quoted_toy, 0);
  g_string_replace (line, "TMP", quoted_folder, 0);
  g_string_prepend (line, "\"$CLI\" ");
  result = cli_run_shell (line->str);
  cli_assert (&result, 2);
  g_assert_cmpstr (result.out, ==, "");
  if (strstr (result.err, usage->says) == NULL)
    g_test_message ("said: %s", result.err);
  g_assert_nonnull (strstr (result.err, usage->says));
  g_assert_cmpuint (cli_count_files ("x."), ==, 0);
}

/* Every option that takes a number refuses what is none, and numbers that are out of bounds. Under
 * sanitizers one value each. */
static void
test_numbers (void)
{
  static const char *const calls[] = {
    "place TOY -p heft --seed",
    "place TOY -p anneal --evals",
    "place TOY -p anneal --seconds",
    "place TOY -p heft --restarts",
    "info TOY --batch",
    "render TOY -o TMP/x.svg --scale",
    "render TOY -o TMP/x.svg --width",
    "render TOY -o TMP/x.svg --height",
    "pipeline TOY --micro-batches",
    "pipeline TOY --ranks",
    "replicas TOY --replicas",
    "replicas TOY --slowdown",
    "collective all-reduce --ranks",
    "apply TOY --plan TOY --for ort -o TMP/x.onnx --micro-batches",
    "measure TOY --cores",
    "measure TOY --runs",
    "bench quick --seeds",
    "train builder -o TMP/x.net --seed",
    "train builder -o TMP/x.net --steps",
    "train builder -o TMP/x.net --rollouts",
    "train builder -o TMP/x.net --every",
  };
  static const char *const values[] = { "nan", "inf", "-1", "1e999", "99999999999999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    for (guint k = 0; k < test_rounds (G_N_ELEMENTS (values)); k++)
      {
        const char *value = values[(i + k) % G_N_ELEMENTS (values)];
        g_autofree char *words = g_strdup_printf ("%s=%s", calls[i], value);
        g_autofree char *says = g_strdup_printf (
            "%s: “%s” is not a ", strstr (calls[i], strrchr (calls[i], ' ') + 1), value);

        test_usage (&(Usage){ "number", words, says });
      }
}

/* Zero is a number, and none of these. */
static void
test_zero (void)
{
  static const char *const calls[] = { "place TOY -p anneal --evals=0",
                                       "place TOY -p anneal --seconds=0",
                                       "info TOY --batch=0",
                                       "render TOY -o TMP/x.svg --scale=0",
                                       "render TOY -o TMP/x.svg --width=0",
                                       "replicas TOY --slowdown=0" };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    test_usage (&(Usage){ "zero", calls[i], ": “0” is not a " });
}

/* A network that is not there is refused, by policies without one, too; what a policy does not take
 * is told. */
static void
test_ignored_options (void)
{
  static const char *const policies[] = { "heft", "go-zeroshot", "anneal" };
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *file = cli_temp_with ("some.net", "no network", -1);
  g_auto (CliResult) ignored = cli_run ("place", toy, "-p", "heft", "--network", file, "--evals",
                                        "5", "--tasks", "fusion", "--start", toy, NULL);
  g_auto (CliResult) taken = cli_run ("place", toy, "-p", "anneal", "--evals", "5", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_auto (CliResult) missing
          = cli_run ("place", toy, "-p", policies[i], "--network", "/nonexistent", NULL);

      cli_assert (&missing, 3);
      g_assert_nonnull (strstr (missing.err, "/nonexistent: there is no such network"));
      g_assert_cmpstr (missing.out, ==, "");
    }
  g_assert_nonnull (strstr (ignored.err, "warning: heft does not use --network"));
  g_assert_nonnull (strstr (ignored.err, "warning: heft does not use --evals"));
  g_assert_nonnull (strstr (ignored.err, "warning: heft does not use --tasks"));
  g_assert_nonnull (strstr (ignored.err, "warning: heft does not use --start"));
  cli_assert (&taken, 0);
  g_assert_cmpstr (taken.err, ==, "");
}

static void
test_help (void)
{
  static const char *const verbs[]
      = { "apply",  "info",     "convert", "place", "simulate", "compare",  "measure",
          "render", "policies", "run",     "repl",  "pipeline", "replicas", "collective" };
  g_auto (CliResult) all = cli_run ("--help", NULL);
  g_auto (CliResult) version = cli_run ("--version", NULL);

  cli_assert (&all, 0);
  cli_assert (&version, 0);
  g_assert_true (g_str_has_prefix (version.out, "goban-cli "));
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    {
      g_auto (CliResult) one = cli_run (verbs[i], "--help", NULL);
      g_auto (CliResult) same = cli_run ("help", verbs[i], NULL);
      g_autofree char *call = g_strdup_printf ("goban-cli %s", verbs[i]);

      cli_assert (&one, 0);
      cli_assert (&same, 0);
      g_assert_nonnull (strstr (one.out, call));
      g_assert_cmpstr (one.err, ==, "");
      g_assert_cmpstr (one.out, ==, same.out);
      g_assert_nonnull (strstr (all.out, verbs[i]));
    }
}

/* --- devices of other kinds: 2 ------------------------------------------------------------- */

/* Two tasks with times for the file's own devices. */
static const char moirai[] = "task,c_task,dir_succ,p0,p1,pc00,pc01,pc10,pc11,mi,m0,m1\n"
                             "0,2,1,1,9,0,5,5,0,6,10,20\n"
                             "1,,,9,1,,,,,6,,\n";

static void
test_foreign_devices (void)
{
  static const char *const lines[] = {
    "info 'IN' -c p100x4",
    "place 'IN' -p heft -c p100x4",
    "compare 'IN' -p heft -c p100x4",
    "simulate 'IN' --plan 'PLAN' -c p100x4",
    "render 'IN' --plan 'PLAN' -c p100x4 -o 'OUT'",
  };
  /* The reader's own. */
  static const char memory[]
      = "goban-cli: warning: the file's devices have this much memory: p0 10 B, p1 20 B\n";
  g_autofree char *in = cli_temp_with ("two.csv", moirai, -1);
  g_autofree char *plan = cli_temp ("two.plan.json");
  g_autofree char *out = cli_temp ("x.svg");

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GString) line = g_string_new ("\"$CLI\" ");
      g_auto (CliResult) foreign = { 0 };
      g_auto (CliResult) own = { 0 };

      g_string_append (line, lines[i]);
      g_string_replace (line, "IN", in, 0);
      g_string_replace (line, "PLAN", plan, 0);
      g_string_replace (line, "OUT", out, 0);
      foreign = cli_run_shell (line->str);
      cli_assert (&foreign, 2);
      g_assert_nonnull (strstr (foreign.err, "p100x4 has devices of the kind “gpu”"));
      g_assert_nonnull (strstr (foreign.err, "choose its own cluster, devices:p0=10,p1=20"));

      /* Unless told otherwise a file runs on its own devices. */
      g_string_replace (line, "-c p100x4", i == 1 ? "-o 'PLAN'" : "", 0);
      g_string_replace (line, "PLAN", plan, 0);
      own = cli_run_shell (line->str);
      cli_assert (&own, 0);
      g_assert_cmpstr (own.err, ==, i >= 1 && i <= 3 ? memory : "");
      if (i == 2)
        g_assert_nonnull (strstr (own.out, "cluster  devices:p0=10,p1=20: 2 devices"));
      if (i == 2 || i == 3)
        g_assert_nonnull (strstr (own.out, "7 ms"));
    }
}

/* Times that can be scaled are, and people are told. */
static void
test_estimated_devices (void)
{
  static const char json[] = "{\"goban\": \"graph\", \"version\": 1, \"kinds\": [\"gpu\"],"
                             "\"nodes\": [{\"name\": \"a\", \"times\": {\"gpu\": 5}}]}";
  g_autofree char *in = cli_temp_with ("one.json", json, -1);
  g_auto (CliResult) result = cli_run ("compare", in, "-c", "cpu+gpu", NULL);

  cli_assert (&result, 0);
  g_assert_nonnull (strstr (result.err,
                            "goban-cli: warning: one: the graph has times for devices of the "
                            "kinds “gpu”; on the kind “cpu” of cpu+gpu the times of 1 "
                            "nodes are estimated"));
}

/* --- files that cannot be understood: 3 ------------------------------------------------------- */

typedef struct
{
  const char *file;
  const char *text;
  const char *says; /* after the file's path */
} BadFile;

static const BadFile bad_files[] = {
  { "cluster.json",
    "{\"goban\": \"graph\", \"version\": 1, \"cluster\": \"/dev/null\", "
    "\"nodes\": [{\"name\": \"a\"}]}",
    ": its cluster: “/dev/null” does not describe a cluster" },
  { "empty.dot", "", ": the file is empty" },
  { "cycle.dot", "digraph {\n a -> b;\n b -> c;\n c -> a;\n}\n", "a" },
  { "torn.dot", "digraph {\n a -> b;\n b ->", ":1" },
  { "brackets.dot", "digraph {\n a [time=\n", ":" },
  { "negative.dot", "digraph {\n a [time=-5];\n}\n", "a" },
  { "prose.txt", "Dear Sir or Madam,\nthis is no graph.\n", ": no format known here" },
  { "escape.pbtxt",
    "node { name: \"a\\033[2J\" op: \"X\" }\nnode { name: \"a\\033[2J\" op: \"X\" }\n",
    "two nodes have the name “a\xef\xbf\xbd[2J”" },
  { "torn.json", "{\"goban\": \"graph\", \"version\": 1, \"nodes\": [", ":1:" },
  { "wrong.json", "{\"goban\": \"graph\", \"nodes\": 7}", ":" },
  { "deep.json", "{\"goban\": \"graph\", \"nodes\": [[[[[[[[[[[[[[[[[[[[", ":1:" },
  { "torn.graph.txt",
    "node1 -- Input -- forward_compute_time=1.0, backward_compute_time=0.0, activation_size=0, "
    "parameter_size=0\nnode2 -- Conv -- forward_comp",
    ":2" },
  { "cycle.graph.txt",
    "node1 -- A -- forward_compute_time=1.0, backward_compute_time=0.0, activation_size=0, "
    "parameter_size=0\nnode2 -- B -- forward_compute_time=1.0, backward_compute_time=0.0, "
    "activation_size=0, parameter_size=0\n\tnode1 -- node2\n\tnode2 -- node1\n",
    "" },
  { "huge.stg", " 4000000000\n 0 0 0\n", ":" },
  { "torn.stg", " 3\n 0 0 0\n 1 5 1 0\n 2 5", ":" },
  { "torn.msr.json", "{\"maxSizePerFPGA\": 1e9, \"maxFPGAs\": 2, \"maxCPUs\": 1, \"nodes\": [",
    ":1:" },
  { "dangling.msr.json",
    "{\"maxSizePerFPGA\": 1e9, \"maxFPGAs\": 2, \"maxCPUs\": 1, \"nodes\": [], \"edges\": "
    "[{\"sourceId\": 1, \"destId\": 2, \"cost\": 1}]}",
    ":" },
};

static void
assert_refused (const char *path, const char *format, const char *says)
{
  g_auto (CliResult) result = cli_run ("info", path, format, NULL);

  cli_assert (&result, 3);
  g_test_message ("%s", result.err);
  g_assert_cmpstr (result.out, ==, "");
  g_assert_true (g_str_has_prefix (result.err, "goban-cli: "));
  g_assert_true (g_str_has_suffix (result.err, "\n"));
  g_assert_nonnull (strstr (result.err, path));
  g_assert_nonnull (strstr (strstr (result.err, path) + strlen (path), says));
}

static void
test_bad_file (gconstpointer data)
{
  const BadFile *bad = data;
  g_autofree char *path = cli_temp_with (bad->file, bad->text, -1);

  assert_refused (path, NULL, bad->says);
}

static void
test_bad_onnx (void)
{
  /* a graph of 2^60 bytes; a length that no varint ends */
  static const char huge[] = "\x08\x08\x3a\x80\x80\x80\x80\x80\x80\x80\x80\x10";
  static const char endless[] = "\x08\x08\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
  g_autofree char *sample = project_path ("samples/resnet-50.onnx");
  gsize size;
  g_autofree char *bytes = cli_read (sample, &size);
  g_autofree char *torn = cli_temp_with ("torn.onnx", bytes, (gssize) size / 2);
  g_autofree char *claims = cli_temp_with ("huge.onnx", huge, sizeof huge - 1);
  g_autofree char *varint = cli_temp_with ("endless.onnx", endless, sizeof endless - 1);
  g_autofree char *mangled = NULL;

  for (gsize i = size / 3; i < size / 3 + 64; i++)
    bytes[i] = (char) 0xff;
  mangled = cli_temp_with ("mangled.onnx", bytes, (gssize) size);
  assert_refused (torn, NULL, ":");
  assert_refused (claims, "--format=onnx", ":");
  assert_refused (varint, "--format=onnx", ":");
  assert_refused (mangled, "--format=onnx", ":");
}

/* Every format, told to read every other's bad file, refuses or reads it, and does not crash. */
static void
test_wrong_format (void)
{
  static const char *const formats[]
      = { "onnx",   "graphdef",       "hlo",  "dot",          "pipedream",  "msr", "stg", "moirai",
          "chakra", "model-explorer", "json", "torch-export", "cost-graph", "gxl" };

  for (guint i = 0; i < G_N_ELEMENTS (bad_files); i += 3)
    {
      g_autofree char *path = cli_temp_with (bad_files[i].file, bad_files[i].text, -1);

      for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
        {
          g_auto (CliResult) result = cli_run ("info", path, "--format", formats[f], NULL);

          g_assert_true (result.exit_code == 3 || result.exit_code == 0);
        }
    }
}

static void
test_bad_plans_and_clusters (void)
{
  static const char *const bad[] = { "",
                                     "{",
                                     "[]",
                                     "{\"goban_plan\": 1}",
                                     "{\"goban_plan\": 99}",
                                     "{\"devices\": []}",
                                     "{\"devices\": [{\"name\": \"a\"" };
  g_autofree char *toy = project_path ("samples/toy.dot");

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = cli_temp_with ("bad-input.json", bad[i], -1);
      g_auto (CliResult) plan = cli_run ("simulate", toy, "--plan", path, NULL);
      g_auto (CliResult) cluster = cli_run ("info", toy, "-c", path, NULL);
      g_auto (CliResult) collective = cli_run ("collective", "all-reduce", "-c", path, NULL);

      cli_assert (&plan, 3);
      cli_assert (&collective, 3);
      cli_assert (&cluster, 3);
      g_assert_nonnull (strstr (plan.err, path));
      g_assert_nonnull (strstr (cluster.err, path));
      g_assert_cmpstr (plan.out, ==, "");
    }
}

/* A pipe may be read; a device without an end may not take all memory. */
static void
test_streams (void)
{
  /* Not every bare system has the first. */
  const char *stdin_path
      = g_file_test ("/dev/stdin", G_FILE_TEST_EXISTS) ? "/dev/stdin" : "/proc/self/fd/0";
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *line = g_strdup_printf (
      "\"$CLI\" place '%s' --policy single -o - | \"$CLI\" simulate '%s' --plan %s", toy, toy,
      stdin_path);
  g_auto (CliResult) piped = cli_run_shell (line);
  g_auto (CliResult) plan = cli_run ("simulate", toy, "--plan", "/dev/zero", NULL);
  g_auto (CliResult) cluster = cli_run ("info", toy, "-c", "/dev/zero", NULL);
  g_auto (CliResult) script = cli_run ("run", "/dev/zero", NULL);
  g_auto (CliResult) network
      = cli_run ("place", toy, "-p", "go-zeroshot", "--network", "/dev/zero", NULL);
  g_auto (CliResult) schedule = cli_run ("pipeline", toy, "--schedule", "/dev/zero", NULL);
  g_autofree char *endless
      = g_strdup_printf ("cat /dev/zero | \"$CLI\" simulate '%s' --plan -", toy);
  g_auto (CliResult) stream = cli_run_shell (endless);
  g_auto (CliResult) input = cli_run_with_input ("/dev/zero", "simulate", toy, "--plan", "-", NULL);

  cli_assert (&piped, 0);
  cli_assert (&plan, 3);
  g_assert_nonnull (strstr (plan.err, "/dev/zero: cannot be read: it is a device"));
  cli_assert (&cluster, 3);
  g_assert_nonnull (strstr (cluster.err, "/dev/zero: cannot be read: it is a device"));
  cli_assert (&script, 3);
  g_assert_nonnull (strstr (script.err, "/dev/zero: cannot be read: it is a device"));
  cli_assert (&network, 3);
  g_assert_nonnull (strstr (network.err, "/dev/zero: cannot be read: it is a device"));
  cli_assert (&schedule, 3);
  g_assert_nonnull (strstr (schedule.err, "/dev/zero: cannot be read: it is a device"));
  cli_assert (&input, 3);
  g_assert_nonnull (strstr (input.err, "standard input: cannot be read: it is a device"));
  cli_assert (&stream, 3);
  g_assert_nonnull (strstr (stream.err, "standard input: cannot be read: it is larger than 268.4"));
}

static void
test_paths (void)
{
  g_autofree char *missing = cli_temp ("missing.dot");
  g_autofree char *folder = cli_temp (".");
  g_autofree char *secret = cli_temp_with ("secret.dot", "digraph {}", -1);

  assert_refused (missing, NULL, "there is no such file");
  assert_refused (folder, NULL, "it is a folder");
  if (geteuid () == 0)
    {
      g_test_message ("permissions do not bind root");
      return;
    }
  g_chmod (secret, 0);
  assert_refused (secret, NULL, "permission denied");
}

/* --- files that cannot be written: 3, and the old one untouched ---------------------------- */

static void
test_full_device (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  GStatBuf about;

  if (g_stat ("/dev/full", &about) != 0 || !S_ISCHR (about.st_mode))
    {
      g_test_skip ("no /dev/full");
      return;
    }
  {
    g_autofree char *line = g_strdup_printf ("\"$CLI\" info '%s' >/dev/full", toy);
    g_auto (CliResult) printed = cli_run_shell (line);
    g_auto (CliResult) saved = cli_run ("place", toy, "-p", "heft", "-o", "/dev/full", NULL);

    cli_assert (&printed, 3);
    g_assert_nonnull (strstr (printed.err, "standard output"));
    cli_assert (&saved, 3);
    g_assert_nonnull (strstr (saved.err, "/dev/full"));
    g_assert_cmpstr (saved.out, ==, "");
  }
  g_assert_cmpint (g_stat ("/dev/full", &about), ==, 0);
  g_assert_true (S_ISCHR (about.st_mode)); /* not replaced by a file */
}

static void
test_no_such_folder (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *nowhere = cli_temp ("nowhere/x.json");
  g_autofree char *picture = cli_temp ("nowhere/x.svg");
  g_auto (CliResult) plan = cli_run ("place", toy, "-p", "heft", "-o", nowhere, NULL);
  g_auto (CliResult) graph = cli_run ("convert", toy, nowhere, NULL);
  g_auto (CliResult) drawing = cli_run ("render", toy, "-o", picture, NULL);

  cli_assert (&plan, 3);
  cli_assert (&graph, 3);
  cli_assert (&drawing, 3);
  g_assert_nonnull (strstr (plan.err, "there is no such folder"));
  g_assert_nonnull (strstr (drawing.err, picture));
}

/* A failure before the writing, and a folder in the file's place. */
static void
test_old_file_untouched (void)
{
  g_autofree char *old = cli_temp_with ("old.json", "precious", -1);
  g_autofree char *bad = cli_temp_with ("bad.dot", "digraph { a -> ", -1);
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *folder = cli_temp ("folder.json");
  g_auto (CliResult) plan = cli_run ("place", bad, "-p", "heft", "-o", old, NULL);
  g_auto (CliResult) graph = cli_run ("convert", bad, old, NULL);
  g_auto (CliResult) onto_folder = { 0 };
  g_autofree char *text = NULL;

  cli_assert (&plan, 3);
  cli_assert (&graph, 3);
  text = cli_read (old, NULL);
  g_assert_cmpstr (text, ==, "precious");

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  onto_folder = cli_run ("convert", toy, folder, NULL);
  cli_assert (&onto_folder, 3);
  g_assert_nonnull (strstr (onto_folder.err, "it is a folder"));
  g_assert_cmpuint (cli_count_files ("old.json"), ==, 1);    /* no temporary name beside it */
  g_assert_cmpuint (cli_count_files ("folder.json"), ==, 1); /* nor here */
}

static void
test_read_only_folder (void)
{
  g_autofree char *folder = cli_temp ("sealed");
  g_autofree char *path = cli_temp ("sealed/x.json");
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_auto (CliResult) result = { 0 };

  if (geteuid () == 0)
    {
      g_test_skip ("permissions do not bind root");
      return;
    }
  g_assert_cmpint (g_mkdir (folder, 0500), ==, 0);
  result = cli_run ("convert", toy, path, NULL);
  cli_assert (&result, 3);
  g_assert_nonnull (strstr (result.err, "permission denied"));
}

TEST_PROGRAM (errors)
{
  cli_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (usages); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cli/usage/%s", usages[i].name);

      g_test_add_data_func (path, &usages[i], test_usage);
    }
  g_test_add_func ("/cli/usage/help", test_help);
  g_test_add_func ("/cli/errors/numbers", test_numbers);
  g_test_add_func ("/cli/errors/zero", test_zero);
  g_test_add_func ("/cli/errors/ignored-options", test_ignored_options);
  g_test_add_func ("/cli/foreign-devices/refused", test_foreign_devices);
  g_test_add_func ("/cli/foreign-devices/estimated", test_estimated_devices);
  for (guint i = 0; i < G_N_ELEMENTS (bad_files); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cli/bad-file/%s", bad_files[i].file);

      g_test_add_data_func (path, &bad_files[i], test_bad_file);
    }
  g_test_add_func ("/cli/bad-file/onnx", test_bad_onnx);
  g_test_add_func ("/cli/bad-file/wrong-format", test_wrong_format);
  g_test_add_func ("/cli/bad-file/plans-and-clusters", test_bad_plans_and_clusters);
  g_test_add_func ("/cli/bad-file/streams", test_streams);
  g_test_add_func ("/cli/bad-file/paths", test_paths);
  g_test_add_func ("/cli/output/full-device", test_full_device);
  g_test_add_func ("/cli/output/no-such-folder", test_no_such_folder);
  g_test_add_func ("/cli/output/old-file-untouched", test_old_file_untouched);
  g_test_add_func ("/cli/output/read-only-folder", test_read_only_folder);
  return cli_end ();
}
