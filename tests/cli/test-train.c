/* train go and train moves: two files, a report, a stop that loses nothing, and errors found before
 * the start. */
#include "tests/cli/cli-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <string.h>

#define SMALL                                                                                      \
  "--leave-out", "gnmt", "--rollouts", "2", "--rows", "16", "--settings",                          \
      "width=16,heads=2,sage=1,ffn=16,graphs=2,batch-steps=4"

static char *
suite (void)
{
  static const char text[]
      = "{\"about\": \"three small ones\", \"graphs\": ["
        "{\"name\": \"a\", \"graph\": \"rnnlm:granularity=coarse,layers=3\", \"placement\": "
        "\"p100x2\", \"joint\": \"v100x2\"},"
        "{\"name\": \"b\", \"graph\": \"wavenet:granularity=coarse,layers=4\", \"placement\": "
        "\"p100x4\", \"joint\": \"v100x4\"},"
        "{\"name\": \"c\", \"graph\": \"gnmt:granularity=coarse,layers=1,steps=2\", "
        "\"placement\": \"p100x2\", \"joint\": \"v100x2\"}]}";

  return cli_temp_with ("small.json", text, -1);
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

static void
test_report (void)
{
  g_autofree char *graphs = suite ();
  g_autofree char *net = cli_temp ("report.net");
  g_autofree char *curve = cli_temp ("report.csv");
  g_auto (CliResult) result
      = cli_run ("train", "go", "-o", net, "--suite", graphs, SMALL, "--steps", "6", "--every", "3",
                 "--curve", curve, "--json", NULL);
  g_autofree char *csv = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
  root = cli_json (&result);
  object = json_node_get_object (root);
  cli_assert_keys (object,
                   "policy:s output:s run:s finished:b kept_start:b step:n steps:n seconds:n "
                   "parameters:n lessons:n left_out:s settings:s chosen_step:n warning:s "
                   "expert_ratio_before:n expert_ratio_after:n trials:a curve:a");
  g_assert_true (json_object_has_member (object, "validation"));
  g_assert_true (json_object_has_member (object, "validation_before"));
  g_assert_cmpstr (json_object_get_string_member (object, "warning"), ==, "");
  g_assert_cmpint (json_object_get_int_member (object, "step"), ==, 6);
  g_assert_cmpint (json_object_get_int_member (object, "lessons"), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (object, "left_out"), ==, "gnmt");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "curve")), ==, 6);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "trials")), ==, 1);

  /* A head, six updates, trials at 0, 3 and 6. */
  csv = cli_read (curve, NULL);
  g_assert_cmpuint (count_lines (csv), ==, 1 + 6 + 3);
  g_assert_true (g_str_has_prefix (csv, "kind,step,graph,mean_ratio,best_ratio,valid,"));
  g_assert_nonnull (
      strstr (csv, "\ntrial,0,\"gnmt:granularity=coarse,layers=1,steps=2 on p100x2\","));
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

/* Interrupts a run once it has a file; FALSE where it was done before that. */
static gboolean
begin_and_interrupt (const char *net, const char *graphs, const char *n_steps)
{
  g_autofree char *run = g_strconcat (net, ".run", NULL);
  g_auto (CliResult) stopped
      = cli_run_until (exists, run, "train", "go", "-o", net, "--suite", graphs, SMALL, "--every",
                       "5", "--steps", n_steps, NULL);

  if (stopped.exit_code == 0)
    return FALSE;
  cli_assert (&stopped, 130);
  g_test_message ("%s", stopped.err);
  g_assert_nonnull (strstr (stopped.err, "goban-cli train go --resume "));
  g_assert_nonnull (strstr (stopped.err, run));
  return TRUE;
}

/* Ctrl+C and --resume end with the same file as no Ctrl+C; and nobody begins over it by mistake. */
static void
test_interrupt_and_resume (void)
{
  g_autofree char *graphs = suite ();
  g_autofree char *whole = cli_temp ("whole.net");
  g_autofree char *parts = cli_temp ("parts.net");
  g_autofree char *run = g_strconcat (parts, ".run", NULL);
  g_autofree char *n_steps = g_strdup_printf ("%u", test_rounds (300));

  {
    g_auto (CliResult) made = cli_run ("train", "go", "-o", whole, "--suite", graphs, SMALL,
                                       "--every", "5", "--steps", n_steps, NULL);

    cli_assert (&made, 0);
  }
  if (!begin_and_interrupt (parts, graphs, n_steps))
    {
      g_test_skip ("it was done before it could be interrupted");
      return;
    }
  {
    g_auto (CliResult) again
        = cli_run ("train", "go", "-o", parts, "--suite", graphs, SMALL, "--steps", "6", NULL);
    g_auto (CliResult) changed = cli_run ("train", "go", "--resume", run, "--seed", "1", NULL);
    g_auto (CliResult) shorter = cli_run ("train", "go", "--resume", run, "--steps", "1", NULL);
    g_auto (CliResult) resumed = cli_run ("train", "go", "--resume", run, NULL);

    cli_assert (&again, 2);
    g_assert_nonnull (strstr (again.err, "go on with it, or remove it"));
    cli_assert (&changed, 2);
    g_assert_nonnull (strstr (changed.err, "only its end can be changed"));
    cli_assert (&shorter, 2);
    g_assert_nonnull (strstr (shorter.err, "steps already, more than 1"));
    cli_assert (&resumed, 0);
  }
  assert_same_files (whole, parts);
}

static void
test_other_beginnings (void)
{
  g_autofree char *graphs = suite ();
  g_autofree char *a = cli_temp ("a.net");
  g_autofree char *b = cli_temp ("b.net");
  g_auto (CliResult) by_clock
      = cli_run ("train", "go", "-o", a, "--suite", graphs, SMALL, "--seconds", "0.05", NULL);
  g_auto (CliResult) from = cli_run ("train", "go", "-o", b, "--suite", graphs, SMALL, "--from", a,
                                     "--steps", "2", NULL);
  g_auto (CliResult) all = cli_run ("train", "go", "-o", a, "--suite", graphs, SMALL, "--tasks",
                                    "all", "--steps", "1", NULL);
  g_auto (CliResult) other = cli_run ("train", "go", "-o", b, "--suite", graphs, SMALL, "--tasks",
                                      "scheduling", "--from", a, "--steps", "1", NULL);

  cli_assert (&by_clock, 0);
  cli_assert (&from, 0);
  cli_assert (&all, 0);
  cli_assert (&other, 2);
  g_assert_nonnull (strstr (other.err, "decides fusion,placement,scheduling, not scheduling"));
}

static void
test_list (void)
{
  g_auto (CliResult) all = cli_run ("train", "go", "--list", NULL);
  g_auto (CliResult) some
      = cli_run ("train", "go", "--list", "--leave-out", "gnmt", "--leave-out", "rnnlm", NULL);

  cli_assert (&all, 0);
  /* Families, 240 random networks, a trial of each family, 16 random networks for validation. */
  g_assert_cmpuint (count_lines (all.out), ==, 126 + 240 + 6 + 16);
  cli_assert (&some, 0);
  g_assert_cmpuint (count_lines (some.out), ==, 4 * 21 + 240 + 2 * 7 + 16);
  g_assert_null (strstr (some.out, "lesson gnmt"));
  g_assert_nonnull (strstr (some.out, "trial  gnmt:"));
  g_assert_nonnull (strstr (some.out, "validation synthetic:"));
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
    { "train go", 2, "-o FILE says where the network goes" },
    { "train go -o -", 2, "name a file" },
    { "train go -o /no/where/x.net", 3, "it cannot be written" },
    { "train go -o TMP/n.net --leave-out bert", 2, "no family “bert” to leave out" },
    { "train go -o TMP/n.net --preset best", 2, "there are goban and paper" },
    { "train go -o TMP/n.net --settings nix=1", 2, "nix" },
    { "train go -o TMP/n.net --settings graphs=0", 2, "graphs=0" },
    { "train go -o TMP/n.net --tasks sleeping", 2, "sleeping" },
    { "train go -o TMP/n.net --steps -1", 2, "--steps: “-1” is not a whole number" },
    { "train go -o TMP/n.net --suite nix", 2, "there is no suite “nix”" },
    { "train go -o TMP/n.net --from TMP/none.net", 3, "none.net" },
    { "train go -o TMP/n.net --resume TMP/none.run", 3, "none.run" },
    { "train go --resume TMP/none", 2, "name a file" },
    { "train go --resume TMP/foreign.run", 3, "this is not a training run" },
    { "train regal -o TMP/n.net --leave-out gnmt", 2,
      "no option “leave-out”; it is one of: builder, go" },
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
  g_autofree char *graphs = suite ();
  g_autofree char *net = cli_temp ("left.net");
  g_autofree char *run = cli_temp ("left.net.run");
  g_autofree char *code = g_strdup_printf (
      "local j = assert(job.train{ output = '%s', suite = '%s', steps = 1000000, rollouts = 2,"
      " rows = 16, every = 0, settings = 'width=16,heads=2,sage=1,ffn=16' })\n"
      "while #j:curve() == 0 do j:wait(0.001) end",
      net, graphs);
  g_autofree char *script = cli_temp_with ("left.lua", code, -1);
  g_auto (CliResult) result = cli_run ("run", script, NULL);
  g_auto (CliResult) resumed = cli_run ("train", "go", "--resume", run, "--seconds", "0.01", NULL);

  cli_assert (&result, 0);
  cli_assert (&resumed, 0);
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
  g_auto (CliResult) stranger = cli_run ("train", "builder", "-o", net, "--tasks", "all", NULL);
  g_auto (CliResult) setting
      = cli_run ("train", "builder", "-o", net, "--settings", "width=3", NULL);
  g_auto (CliResult) family
      = cli_run ("train", "builder", "-o", net, "--leave-out", "nothing", NULL);
  g_auto (CliResult) nowhere = cli_run ("train", "builder", NULL);

  cli_assert (&stranger, 2);
  g_assert_nonnull (strstr (stranger.err, "“tasks”"));
  cli_assert (&setting, 2);
  g_assert_nonnull (strstr (setting.err, "width=3"));
  cli_assert (&family, 2);
  g_assert_nonnull (strstr (family.err, "nothing"));
  cli_assert (&nowhere, 2);
  g_assert_false (exists (net));
}

/* --- moves --------------------------------------------------------------------------------- */

#define FEW_MOVES                                                                                  \
  "--every", "2", "--settings",                                                                    \
      "lessons=2,evaluations=10,labels=8,states=20,batches=2,batch=2,validation=1"

static void
test_moves (void)
{
  g_autofree char *net = cli_temp ("moves.net");
  g_autofree char *curve = cli_temp ("moves.csv");
  g_auto (CliResult) result = cli_run ("train", "moves", "-o", net, FEW_MOVES, "--steps", "5",
                                       "--curve", curve, "--json", NULL);
  g_auto (CliResult) foreign = cli_run ("train", "moves", "-o", net, "--rows", "4", NULL);
  g_auto (CliResult) unknown
      = cli_run ("train", "moves", "-o", net, "--settings", "width=16", NULL);
  g_autofree char *csv = NULL;
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
  root = cli_json (&result);
  cli_assert_keys (json_node_get_object (root),
                   "policy:s output:s run:s finished:b kept_start:b step:n steps:n seconds:n "
                   "parameters:n labels:n "
                   "settings:s after_17:n after_64:n score_before:n score:n");
  csv = cli_read (curve, NULL);
  g_assert_cmpuint (count_lines (csv), ==, 1 + 5 + 3);
  cli_assert (&foreign, 2);
  g_assert_nonnull (strstr (foreign.err, "“rows”"));
  cli_assert (&unknown, 2);
  g_assert_nonnull (strstr (unknown.err, "“width=16” is not a setting"));
}

/* Ctrl+C and --resume end with the same file as no Ctrl+C; and nobody begins over it by mistake. */
static void
test_moves_resumed (void)
{
  g_autofree char *whole = cli_temp ("whole-moves.net");
  g_autofree char *parts = cli_temp ("parts-moves.net");
  g_autofree char *run = g_strconcat (parts, ".run", NULL);
  g_autofree char *steps = g_strdup_printf ("%u", test_rounds (60));
  g_auto (CliResult) made
      = cli_run ("train", "moves", "-o", whole, FEW_MOVES, "--steps", steps, NULL);
  g_auto (CliResult) stopped = cli_run_until (exists, run, "train", "moves", "-o", parts, FEW_MOVES,
                                              "--steps", steps, NULL);

  cli_assert (&made, 0);
  if (stopped.exit_code == 0)
    {
      g_test_skip ("it was done before it could be interrupted");
      return;
    }
  cli_assert (&stopped, 130);
  g_assert_nonnull (strstr (stopped.err, "goban-cli train moves --resume "));
  {
    g_auto (CliResult) again
        = cli_run ("train", "moves", "-o", parts, FEW_MOVES, "--steps", steps, NULL);
    g_auto (CliResult) resumed = cli_run ("train", "moves", "--resume", run, NULL);

    cli_assert (&again, 2);
    g_assert_nonnull (strstr (again.err, "go on with it, or remove it"));
    cli_assert (&resumed, 0);
  }
  assert_same_files (whole, parts);
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
  g_test_add_func ("/cli/train/report", test_report);
  g_test_add_func ("/cli/train/interrupt-and-resume", test_interrupt_and_resume);
  g_test_add_func ("/cli/train/other-beginnings", test_other_beginnings);
  g_test_add_func ("/cli/train/list", test_list);
  g_test_add_func ("/cli/train/refuses", test_refuses);
  g_test_add_func ("/cli/train/script-ends-its-jobs", test_script_ends_its_jobs);
  g_test_add_func ("/cli/train/builder", test_builder);
  g_test_add_func ("/cli/train/builder/resumed", test_builder_resumed);
  g_test_add_func ("/cli/train/builder/refused", test_builder_refused);
  g_test_add_func ("/cli/train/moves", test_moves);
  g_test_add_func ("/cli/train/moves-resumed", test_moves_resumed);
  g_test_add_func ("/cli/train/locked", test_locked);
  return cli_end ();
}
