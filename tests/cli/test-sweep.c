/* sweep{ jobs = N } of scripts: the same table and journal for any number of processes, whatever
 * interrupts it; side effects once; failures and interrupts end all of them, with words. */
#include "tests/cli/cli-run.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

/* Two sweeps, of which the second needs the first. arg: jobs, journal, and behind which row of the
 * second the script ends itself. A file's name has an address in it, which is another one in each
 * process. */
static const char script_text[]
    = "local jobs, journal, stop = tonumber (arg[1]), arg[2], tonumber (arg[3])\n"
      "print 'begun'\n"
      "app.write (journal .. '.' .. tostring ({}):match '0x%x+' .. '.before', 'once')\n"
      "local first = sweep{ n = { 1, 2, 3 }, jobs = jobs, run = function (v) return v.n / 2 end }\n"
      "local t = sweep{ policy = { 'a', 'b', 'broken' }, n = range (1, 8), seeds = 2,\n"
      "  jobs = jobs, journal = journal,\n"
      "  on_row = function (_, rows) if #rows == stop then os.exit (9) end end,\n"
      "  run = function (v)\n"
      "    app.write (journal .. '.within', 'by any of them')\n"
      "    if v.policy == 'broken' and v.n == 4 then error 'no plan' end\n"
      "    if v.n == 5 then return nil, 'too small' end\n"
      "    if v.n == 6 then return 1 / 0 end\n"
      "    return { makespan = first[2].value * v.n / 3 + v.seed, whole = 2.0, name = v.policy }\n"
      "  end }\n"
      "print (first:csv (), t:csv (), t)\n"
      "print (t:summary{ by = 'policy', value = 'makespan' }:csv ())\n";

#define N_ROWS 48

static void
assert_same_files (const char *a, const char *b)
{
  g_autofree char *of_a = cli_read (a, NULL);
  g_autofree char *of_b = cli_read (b, NULL);

  g_assert_cmpstr (of_a, ==, of_b);
}

static void
test_same_bytes (void)
{
  g_autofree char *script = cli_temp_with ("same.lua", script_text, -1);
  g_autofree char *journal = cli_temp ("one.jsonl");
  g_auto (CliResult) alone = cli_run ("run", script, "1", journal, NULL);
  static const char *const jobs[] = { "2", "4" };

  cli_assert (&alone, 0);
  g_assert_nonnull (strstr (alone.out, "same.lua:10: no plan"));
  g_assert_nonnull (strstr (alone.out, "value is no finite number"));
  g_assert_true (g_str_has_prefix (alone.err, "goban: 14 of 48 rows have an error, the first: "));
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      g_autofree char *other = cli_temp (jobs[i]);
      g_auto (CliResult) shared = cli_run ("run", script, jobs[i], other, NULL);
      g_autofree char *within = g_strconcat (other, ".within", NULL);

      cli_assert (&shared, 0);
      g_assert_cmpstr (shared.err, ==, alone.err);
      g_assert_cmpstr (shared.out, ==, alone.out);
      assert_same_files (journal, other);
      g_assert_true (g_file_test (within, G_FILE_TEST_EXISTS));
    }
  g_assert_cmpuint (cli_count_files (".before"), ==, 3);
}

/* A journal that is not there yet is not the reason of a later mistake. */
static void
test_fresh_journal (void)
{
  g_autofree char *script = cli_temp_with (
      "fresh.lua",
      "sweep{ n = { 1 }, journal = arg[1], run = function () return 1 end }\nplan.heft (nil)\n",
      -1);
  g_autofree char *journal = cli_temp ("fresh.jsonl");
  g_auto (CliResult) result = cli_run ("run", script, journal, NULL);

  cli_assert (&result, 1);
  g_assert_nonnull (strstr (result.err, "Graph expected, got nil"));
  g_assert_null (strstr (result.err, "last call that failed"));
}

/* Ended behind any row, with any number of processes, and gone on with by any other. */
static void
test_interrupted (void)
{
  g_autofree char *script = cli_temp_with ("torn.lua", script_text, -1);
  g_autofree char *whole = cli_temp ("whole.jsonl");
  g_autofree char *journal = cli_temp ("torn.jsonl");
  g_auto (CliResult) alone = cli_run ("run", script, "1", whole, NULL);
  static const char *const jobs[] = { "1", "2", "4" };

  cli_assert (&alone, 0);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *stop = g_strdup_printf ("%d", g_test_rand_int_range (1, N_ROWS + 1));
      g_auto (CliResult) torn
          = cli_run ("run", script, jobs[g_test_rand_int_range (0, 3)], journal, stop, NULL);
      g_auto (CliResult) resumed = cli_run ("run", script, jobs[i % 3], journal, NULL);

      cli_assert (&torn, 9);
      cli_assert (&resumed, 0);
      g_assert_cmpstr (resumed.out, ==, alone.out);
      assert_same_files (whole, journal);
      g_unlink (journal);
    }
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static void
expect (const char *name, const char *text, const char *says)
{
  g_autofree char *script = cli_temp_with (name, text, -1);
  g_auto (CliResult) result = cli_run ("run", script, NULL);

  cli_assert (&result, 1);
  g_test_message ("%s", result.err);
  g_assert_nonnull (strstr (result.err, says));
}

static void
test_failures (void)
{
  g_auto (CliResult) typed
      = cli_run ("-e", "sweep{ n = { 1 }, jobs = 2, run = function () return 1 end }", NULL);

  cli_assert (&typed, 1);
  g_assert_nonnull (strstr (typed.err, "start it by goban-cli run FILE"));
  expect ("ended.lua", "sweep{ n = { 1, 2 }, jobs = 2, run = function (v) os.exit (4) end }\n",
          "a process of the sweep ended too early, with exit code 4");
  expect ("all.lua", "sweep{ n = { 1, 2 }, jobs = 2, run = function (v) error 'no luck' end }\n",
          "no luck");
  /* The processor's time differs from process to process. */
  expect ("other.lua", "sweep{ n = { os.clock () }, jobs = 2, run = function (v) return 1 end }\n",
          "the script came to another sweep");
  expect ("row.lua",
          "sweep{ n = { 1, 2 }, jobs = 2, run = function (v) return 1 end,\n"
          "  on_row = function () error 'enough' end }\n",
          "row.lua:2: enough");
  /* One process tells that some rows failed, once. */
  expect ("some.lua",
          "sweep{ n = { 1, 2, 3 }, jobs = 2, run = function (v) if v.n > 1 then error 'odd' end\n"
          "  return 1 end } error 'end'\n",
          "2 of 3 rows have an error, the first: ");
}

static gboolean
has_begun (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Ctrl+C ends the followers, too: they would write the file again. */
static void
test_interrupt (void)
{
  g_autofree char *mark = cli_temp ("interrupted.mark");
  g_autofree char *journal = cli_temp ("interrupted.jsonl");
  g_autofree char *script
      = cli_temp_with ("interrupted.lua",
                       "sweep{ n = range (1, 4), jobs = 2, journal = arg[2], run = function (v)\n"
                       "  if v.n == 1 then return 1 end\n"
                       "  while true do app.write (arg[1], 'at work') end\n"
                       "end }\n",
                       -1);
  g_auto (CliResult) result = cli_run_until (has_begun, mark, "run", script, mark, journal, NULL);

  g_assert_cmpint (result.exit_code, !=, 0);
  g_usleep (G_USEC_PER_SEC / 10);
  g_unlink (mark);
  g_usleep (G_USEC_PER_SEC / 5);
  g_assert_false (g_file_test (mark, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (cli_count_files ("interrupted.jsonl"), <=, 1);
}

/* Programs that are policies of followers end with them, also if they listen to nobody. A zombie
 * has no command line. */
static void
test_interrupt_programs (void)
{
  g_autofree char *mark = cli_temp ("agents.pid");
  g_autofree char *script = cli_temp_with (
      "agents.lua",
      "policy.external ('deaf', { 'sh', '-c', 'echo $$ > \"' .. arg[1] .. '\"; exec sleep 60' })\n"
      "sweep{ n = { 1, 2 }, jobs = 2, run = function ()\n"
      "  return plan.deaf (graph.generate 'rnnlm:layers=1', { cluster = 'p100x2' })\n"
      "end }\n",
      -1);
  g_auto (CliResult) result = cli_run_until (has_begun, mark, "run", "--trust", script, mark, NULL);
  g_autofree char *pid = NULL;
  g_autofree char *path = NULL;

  g_assert_cmpint (result.exit_code, !=, 0);
  g_usleep (G_USEC_PER_SEC / 5);
  pid = cli_read (mark, NULL);
  g_strchomp (pid);
  g_assert_cmpstr (pid, !=, "");
  path = g_build_filename ("/proc", pid, "cmdline", NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *line = cli_read (path, NULL);

      g_assert_cmpstr (line, ==, "");
    }
}

TEST_PROGRAM (sweep)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/sweep/same-bytes", test_same_bytes);
  g_test_add_func ("/cli/sweep/fresh-journal", test_fresh_journal);
  g_test_add_func ("/cli/sweep/interrupted", test_interrupted);
  g_test_add_func ("/cli/sweep/failures", test_failures);
  g_test_add_func ("/cli/sweep/interrupt", test_interrupt);
  g_test_add_func ("/cli/sweep/interrupt-programs", test_interrupt_programs);
  return cli_end ();
}
