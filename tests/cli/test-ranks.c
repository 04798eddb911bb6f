/* train, bench and place under mpirun: the same bytes for any number of ranks, a killed rank loses
 * nothing, and rank 0 says what another has failed at. */
#include "tests/cli/cli-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <string.h>

#define SMALL                                                                                      \
  "--settings lessons=2,problems=2,rollouts=3,imitations=1,labels=3,validation=2 --every 5"

static const char *mpirun;

/* TRUE if there is no mpirun, or no module for it: the test is skipped. */
static gboolean
lacks_mpi (void)
{
  if (*mpirun != '\0')
    return FALSE;
  g_test_skip ("built without MPI, or there is no mpirun");
  return TRUE;
}

/* Runs a line of sh in the test's folder, in which "ranks N" starts the program in N ranks of this
 * machine alone, whoever the user is. hwloc asks no X server about graphics cards: those of other
 * tests come and go. */
static CliResult run (const char *format, ...) G_GNUC_PRINTF (1, 2);

static CliResult
run (const char *format, ...)
{
  g_autofree char *folder = cli_temp (".");
  g_autofree char *quoted = g_shell_quote (folder);
  g_autofree char *line = NULL;
  g_autofree char *whole = NULL;
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  whole = g_strdup_printf (
      "cd %s; export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "HWLOC_COMPONENTS=-gl\n"
      "ranks () { n=$1; shift; %s --oversubscribe --bind-to none --mca plm isolated"
      " --mca btl self,vader --mca btl_vader_single_copy_mechanism none -n \"$n\" \"$@\"; }\n%s",
      quoted, mpirun, line);
  return cli_run_shell (whole);
}

static void
assert_same_files (const char *a, const char *b)
{
  g_autofree char *path_a = cli_temp (a);
  g_autofree char *path_b = cli_temp (b);
  gsize size_a, size_b;
  g_autofree char *of_a = cli_read (path_a, &size_a);
  g_autofree char *of_b = cli_read (path_b, &size_b);

  g_assert_cmpmem (of_a, size_a, of_b, size_b);
}

/* --- the same bytes --------------------------------------------------------------------------- */

static void
test_train (void)
{
  static const char *const sizes[] = { "2", "4", "8" };

  if (lacks_mpi ())
    return;
  {
    g_auto (CliResult) alone = run ("\"$CLI\" train builder -o 1.net " SMALL " --steps 7");

    cli_assert (&alone, 0);
  }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (CliResult) shared = run (
          "ranks %s \"$CLI\" train builder -o %s.net " SMALL " --steps 7", sizes[i], sizes[i]);
      g_autofree char *net = g_strconcat (sizes[i], ".net", NULL);
      g_autofree char *file = g_strconcat (sizes[i], ".net.run", NULL);

      cli_assert (&shared, 0);
      g_assert_cmpstr (shared.err, ==, "");
      /* Printed once. */
      g_assert_true (g_str_has_prefix (shared.out, "network "));
      g_assert_null (strstr (shared.out + 1, "\nnetwork "));
      assert_same_files ("1.net", net);
      assert_same_files ("1.net.run", file);
    }
}

/* The makespans and ratios, which stand before the seconds. */
static void
cut_seconds (CliResult *result)
{
  char *end = strstr (result->out, "\nseconds\n");

  g_assert_nonnull (end);
  *end = '\0';
}

static void
test_bench (void)
{
#define BENCH "bench quick --policies heft,metis,anneal --evals 20 --graphs coarse --seeds 2"
  if (lacks_mpi ())
    return;
  {
    g_auto (CliResult) alone = run ("\"$CLI\" " BENCH);
    g_auto (CliResult) shared = run ("ranks 3 \"$CLI\" " BENCH " --journal kept.jsonl");
    /* Another program's journal is as good. */
    g_auto (CliResult) resumed = run ("head -n 3 kept.jsonl > part.jsonl\n"
                                      "ranks 2 \"$CLI\" " BENCH " --resume part.jsonl");

    cli_assert (&alone, 0);
    cli_assert (&shared, 0);
    cli_assert (&resumed, 0);
    cut_seconds (&alone);
    cut_seconds (&shared);
    cut_seconds (&resumed);
    g_assert_cmpstr (alone.out, ==, shared.out);
    g_assert_cmpstr (alone.out, ==, resumed.out);
  }
}

static void
test_place (void)
{
#define PLACE "place synthetic:seed=2 --cluster p100x4 --policy anneal --evals 40 --restarts 5 -o"
  if (lacks_mpi ())
    return;
  {
    g_auto (CliResult) alone = run ("\"$CLI\" " PLACE " alone.json");
    g_auto (CliResult) shared = run ("ranks 2 \"$CLI\" " PLACE " shared.json");

    cli_assert (&alone, 0);
    cli_assert (&shared, 0);
    g_assert_cmpstr (alone.out, ==, shared.out);
    assert_same_files ("alone.json", "shared.json");
  }
}

/* The ranks share the combinations of a script's sweep; the first alone prints and writes. */
static void
test_sweep (void)
{
  static const char script[]
      = "g = graph.generate 'rnnlm:granularity=coarse,layers=2'\n"
        "t = sweep{ gpus = { 1, 2, 4 }, policy = { 'heft', 'anneal', 'broken' }, seeds = 2,\n"
        "  journal = arg[1], run = function (v)\n"
        "    return assert (policy.get (v.policy)):decide (g, { seed = v.seed, evals = 50,\n"
        "      cluster = 'equal:' .. v.gpus })\n"
        "  end }\n"
        "print (t:csv ())\n";
  g_autofree char *path = NULL;

  if (lacks_mpi ())
    return;
  path = cli_temp_with ("shared.lua", script, -1);
  {
    g_auto (CliResult) alone = run ("\"$CLI\" run shared.lua alone.jsonl");
    g_auto (CliResult) shared = run ("ranks 2 \"$CLI\" run shared.lua shared.jsonl");
    g_auto (CliResult) resumed = run ("head -n 8 shared.jsonl > part.jsonl\n"
                                      "ranks 3 \"$CLI\" run shared.lua part.jsonl");

    cli_assert (&alone, 0);
    cli_assert (&shared, 0);
    cli_assert (&resumed, 0);
    g_assert_nonnull (strstr (alone.out, "there is no policy 'broken'"));
    g_assert_cmpstr (shared.out, ==, alone.out);
    g_assert_cmpstr (resumed.out, ==, alone.out);
    assert_same_files ("alone.jsonl", "shared.jsonl");
    assert_same_files ("alone.jsonl", "part.jsonl");
  }
}

/* --- failures --------------------------------------------------------------------------------- */

/* Starts a training in three ranks, and sends @signal to @rank when it has written its run. */
static CliResult
run_and_kill (const char *arguments, const char *signal, int rank)
{
  return run (
      "rm -f pid.*; touch mark\n"
      "ranks 3 sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec \"$0\" \"$@\"' \"$CLI\""
      " train builder %s & job=$!\n"
      "until [ parts.net.run -nt mark ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done\n"
      "kill -%s $(cat pid.%d)\nwait $job",
      arguments, signal, rank);
}

/* Rank 0 is asked to end, and saves; another rank is killed, after which mpirun asks rank 0.
 * Resumed by other numbers of ranks, the run ends with the same bytes as one left alone. */
static void
test_killed (void)
{
  g_autofree char *begin = NULL;
  guint n_steps = test_rounds (80);

  if (lacks_mpi ())
    return;
  begin = g_strdup_printf ("-o parts.net " SMALL " --steps %u", n_steps);
  {
    g_auto (CliResult) whole
        = run ("\"$CLI\" train builder -o whole.net " SMALL " --steps %u", n_steps);
    g_auto (CliResult) ended = run_and_kill (begin, "TERM", 0);
    g_auto (CliResult) killed = { 0 };
    g_auto (CliResult) resumed = { 0 };

    cli_assert (&whole, 0);
    if (ended.exit_code == 0)
      {
        g_test_skip ("it was done before a rank could be killed");
        return;
      }
    cli_assert (&ended, 130);
    g_assert_nonnull (strstr (ended.err, "goban-cli train builder --resume parts.net.run"));
    killed = run_and_kill ("--resume parts.net.run", "9", 2);
    g_test_message ("%s", killed.err);
    g_assert_true (killed.exit_code == 0 || strstr (killed.err, "signal 9") != NULL);
    resumed = run ("ranks 2 \"$CLI\" train builder --resume parts.net.run");
    cli_assert (&resumed, 0);
    assert_same_files ("whole.net", "parts.net");
    assert_same_files ("whole.net.run", "parts.net.run");
  }
}

/* One rank cannot read what the others can. */
static void
test_failed_rank (void)
{
  if (lacks_mpi ())
    return;
  {
    g_auto (CliResult) failed
        = run ("mkdir 0 1; \"$CLI\" train builder -o 0/a.net " SMALL " --steps 5 >/dev/null\n"
               "ranks 2 sh -c 'cd $OMPI_COMM_WORLD_RANK; exec \"$0\" \"$@\"' \"$CLI\""
               " train builder --resume a.net.run --steps 9");

    cli_assert (&failed, 3);
    g_assert_nonnull (strstr (failed.err, "goban-cli: rank 1: a.net.run: "));
    g_assert_cmpstr (failed.out, ==, "");
  }
}

/* A mistake is told once, and kinds without a share of work for several are refused. */
static void
test_refused (void)
{
  if (lacks_mpi ())
    return;
  {
    g_auto (CliResult) mistake = run ("ranks 2 \"$CLI\" train builder --steps x -o x.net");
    g_auto (CliResult) regal = run ("ranks 2 \"$CLI\" train regal -o x.net --steps 1");
    const char *said = strstr (mistake.err, "--steps");

    cli_assert (&mistake, 2);
    g_assert_nonnull (said);
    g_assert_null (strstr (said + 1, "--steps"));
    cli_assert (&regal, 2);
    g_assert_nonnull (strstr (regal.err, "one process"));
  }
}

/* Without the module nobody begins the same work several times. */
static void
test_without_module (void)
{
  g_auto (CliResult) result
      = cli_run_shell ("env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 GOBAN_MPI_MODULE=/nix "
                       "\"$CLI\" train builder -o /nix/x.net");

  cli_assert (&result, 2);
  g_assert_nonnull (strstr (result.err, "one of 3 processes"));
}

TEST_PROGRAM (ranks)
{
  cli_init (&argc, &argv);
  mpirun = argc > 2 ? argv[2] : "";
  g_test_add_func ("/cli/ranks/train", test_train);
  g_test_add_func ("/cli/ranks/bench", test_bench);
  g_test_add_func ("/cli/ranks/place", test_place);
  g_test_add_func ("/cli/ranks/sweep", test_sweep);
  g_test_add_func ("/cli/ranks/killed", test_killed);
  g_test_add_func ("/cli/ranks/failed-rank", test_failed_rank);
  g_test_add_func ("/cli/ranks/refused", test_refused);
  g_test_add_func ("/cli/ranks/without-module", test_without_module);
  return cli_end ();
}
