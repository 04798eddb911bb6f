/* train builder and train regal: two files, a report, a stop that loses nothing, and errors found
 * before the start. */
#include "tests/cli/cli-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <string.h>

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

static void
assert_same_files (const char *a, const char *b)
{
  gsize size_a, size_b;
  g_autofree char *of_a = cli_read (a, &size_a);
  g_autofree char *of_b = cli_read (b, &size_b);

  g_assert_cmpmem (of_a, size_a, of_b, size_b);
}

static gboolean
exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_refuses (void)
{
  static const struct
  {
    const char *line;
    int exit_code;
    const char *why;
  } cases[] = {
    { "train builder", 2, "-o FILE says where the network goes" },
    { "train builder -o -", 2, "name a file" },
    { "train builder -o /no/where/x.net", 3, "it cannot be written" },
    { "train builder -o TMP/n.net --leave-out bert", 2, "no family “bert” to leave out" },
    { "train builder -o TMP/n.net --settings nix=1", 2, "nix" },
    { "train builder -o TMP/n.net --settings lessons=0", 2, "lessons=0" },
    { "train builder -o TMP/n.net --steps -1", 2, "--steps: “-1” is not a whole number" },
    { "train go -o TMP/n.net", 2, "use “go-one”" },
    { "train builder -o TMP/n.net --resume TMP/none.run", 3, "none.run" },
    { "train builder --resume TMP/none", 2, "name a file" },
    { "train builder --resume TMP/foreign.run", 3, "this is not a training run" },
    { "train regal -o TMP/n.net --leave-out gnmt", 2,
      "no option “leave-out”; it is one of: builder" },
  };
  g_autofree char *foreign = cli_temp_with ("foreign.run", "GOBANNET is something else", -1);
  g_autofree char *folder = cli_temp (".");
  g_autofree char *quoted = g_shell_quote (folder);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) parts = g_strsplit (cases[i].line, "TMP", -1);
      g_autofree char *line = g_strjoinv (quoted, parts);
      g_autofree char *call = g_strconcat ("\"$CLI\" ", line, NULL);
      g_auto (CliResult) result = cli_run_shell (call);

      g_test_message ("%s", line);
      cli_assert (&result, cases[i].exit_code);
      g_assert_nonnull (strstr (result.err, cases[i].why));
    }
  g_assert_cmpuint (cli_count_files ("n.net"), ==, 0);
}

/* A script that ends before its job does ends the job, which saves what it has. */
static void
test_script_ends_its_jobs (void)
{
  g_autofree char *net = cli_temp ("left.net");
  g_autofree char *run = cli_temp ("left.net.run");
  g_autofree char *code = g_strdup_printf (
      "local j = assert(job.train{ output = '%s', steps = 1000000, every = 0,"
      " settings = 'lessons=2,problems=1,rollouts=2,imitations=1,labels=3,validation=1' })\n"
      "while #j:curve() == 0 do j:wait(0.001) end",
      net);
  g_autofree char *script = cli_temp_with ("left.lua", code, -1);
  g_auto (CliResult) result = cli_run ("run", script, NULL);

  cli_assert (&result, 0);
  g_assert_true (exists (run));
  g_assert_true (exists (net));
}

/* --- builder ------------------------------------------------------------------------------- */

#define SMALL_BUILDER                                                                              \
  "--settings", "lessons=2,problems=1,rollouts=2,imitations=1,labels=3,validation=1"

static void
test_builder (void)
{
  g_autofree char *net = cli_temp ("builder.net");
  g_autofree char *run = g_strconcat (net, ".run", NULL);
  g_autofree char *curve = cli_temp ("builder.csv");
  g_auto (CliResult) result = cli_run ("train", "builder", "-o", net, SMALL_BUILDER, "--steps", "4",
                                       "--every", "2", "--curve", curve, "--film", "--json", NULL);
  g_autofree char *frame = g_strconcat (net, ".film/00000004.net", NULL);
  g_auto (CliResult) more = cli_run ("train", "builder", "--resume", run, "--steps", "6", NULL);
  g_auto (CliResult) placed = cli_run ("place", "synthetic:seed=2", "--cluster", "p100x2",
                                       "--policy", "go-zeroshot", "--network", net, NULL);
  g_autofree char *csv = NULL;
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&result, 0);
  root = cli_json (&result);
  cli_assert_keys (json_node_get_object (root),
                   "policy:s output:s run:s finished:b kept_start:b step:n steps:n seconds:n "
                   "parameters:n settings:s "
                   "warning:s greedy_before:n best_before:n greedy:n best:n score:n");
  csv = cli_read (curve, NULL);
  g_assert_cmpuint (count_lines (csv), ==, 1 + 1 + 4 + 2);
  g_assert_true (g_file_test (frame, G_FILE_TEST_EXISTS));
  cli_assert (&more, 0);
  g_assert_nonnull (strstr (more.out, "6 of 6 steps"));
  cli_assert (&placed, 0);
  g_assert_nonnull (strstr (placed.out, "go-zeroshot: "));
}

/* In one go, or in two parts: the same network and the same run. */
static void
test_builder_resumed (void)
{
  g_autofree char *whole = cli_temp ("whole-builder.net");
  g_autofree char *parts = cli_temp ("parts-builder.net");
  g_autofree char *whole_run = g_strconcat (whole, ".run", NULL);
  g_autofree char *parts_run = g_strconcat (parts, ".run", NULL);
  g_autofree char *steps = g_strdup_printf ("%u", test_rounds (400));
  g_auto (CliResult) made = cli_run ("train", "builder", "-o", whole, SMALL_BUILDER, "--steps",
                                     steps, "--every", "5", NULL);
  g_auto (CliResult) stopped
      = cli_run_until (exists, parts_run, "train", "builder", "-o", parts, SMALL_BUILDER, "--steps",
                       steps, "--every", "5", NULL);
  g_auto (CliResult) again = { 0 };

  cli_assert (&made, 0);
  if (stopped.exit_code != 0)
    {
      cli_assert (&stopped, 130);
      again = cli_run ("train", "builder", "--resume", parts_run, NULL);
      cli_assert (&again, 0);
    }
  assert_same_files (whole, parts);
  assert_same_files (whole_run, parts_run);
}

static void
test_builder_refused (void)
{
  g_autofree char *net = cli_temp ("refused-builder.net");
  g_auto (CliResult) stranger = cli_run ("train", "regal", "-o", net, "--from", net, NULL);
  g_auto (CliResult) setting
      = cli_run ("train", "builder", "-o", net, "--settings", "width=3", NULL);
  g_auto (CliResult) family
      = cli_run ("train", "builder", "-o", net, "--leave-out", "nothing", NULL);
  g_auto (CliResult) nowhere = cli_run ("train", "builder", NULL);

  cli_assert (&stranger, 2);
  g_assert_nonnull (strstr (stranger.err, "“from”"));
  cli_assert (&setting, 2);
  g_assert_nonnull (strstr (setting.err, "width=3"));
  cli_assert (&family, 2);
  g_assert_nonnull (strstr (family.err, "nothing"));
  cli_assert (&nowhere, 2);
  g_assert_false (exists (net));
}

/* Two trainings of one file: the second is refused until the first has ended;
 * what a killed one leaves behind keeps nobody away. */
static void
test_locked (void)
{
  g_autofree char *net = cli_temp ("locked.net");
  g_autofree char *line
      = g_strdup_printf ("touch '%1$s.lock'; \"$CLI\" train regal -o '%1$s' & first=$!; "
                         "until test -s '%1$s.lock'; do sleep 0.1; done; "
                         "\"$CLI\" train regal -o '%1$s'; echo $?; "
                         "kill -INT $first; wait $first; echo $?; test -e '%1$s.lock'; echo $?",
                         net);
  g_auto (CliResult) result = cli_run_shell (line);

  g_test_message ("%s", result.err);
  g_assert_cmpstr (result.out, ==, "2\n130\n1\n");
  g_assert_nonnull (strstr (result.err, "another training writes "));
}

TEST_PROGRAM (train)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/train/refuses", test_refuses);
  g_test_add_func ("/cli/train/script-ends-its-jobs", test_script_ends_its_jobs);
  g_test_add_func ("/cli/train/builder", test_builder);
  g_test_add_func ("/cli/train/builder/resumed", test_builder_resumed);
  g_test_add_func ("/cli/train/builder/refused", test_builder_refused);
  g_test_add_func ("/cli/train/locked", test_locked);
  return cli_end ();
}
