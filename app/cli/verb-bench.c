#include "app/cli/cli-ranks.h"
#include "app/cli/cli.h"

#include "engine/core/error.h"
#include "engine/study/bench/suite.h"
#include "engine/study/report/bench-report.h"

#include <glib/gstdio.h>
#include <signal.h>

typedef struct
{
  char *policies;
  char *graphs;
  char *task;
  char *journal;
  char *resume;
  gint64 n_seeds;
  gboolean csv;
} BenchArguments;

static void
bench_arguments_clear (BenchArguments *arguments)
{
  g_free (arguments->policies);
  g_free (arguments->graphs);
  g_free (arguments->task);
  g_free (arguments->journal);
  g_free (arguments->resume);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BenchArguments, bench_arguments_clear)

static gboolean
check_arguments (const BenchArguments *arguments, const GobanCliOptions *options)
{
  const char *problem = NULL;

  if (arguments->csv && options->json)
    problem = "--json or --csv, not both";
  else if (arguments->journal != NULL && arguments->resume != NULL)
    problem = "--resume FILE goes on with that journal; --journal FILE begins a new one";
  if (problem != NULL)
    g_printerr ("goban-cli bench: %s\n", problem);
  return problem == NULL;
}

/* The journal asked for, or a default one, without which the bench goes on if it cannot be
 * written. %FALSE with the exit code set. */
static gboolean
open_journal (const BenchArguments *arguments, const GobanSuite *suite, GobanBenchJournal **journal,
              int *exit_code)
{
  g_autofree char *usual = g_strdup_printf ("goban-bench-%s.jsonl", suite->name);
  gboolean goes_on = arguments->resume != NULL;
  gboolean is_asked_for = goes_on || arguments->journal != NULL;
  const char *path = goes_on ? arguments->resume : is_asked_for ? arguments->journal : usual;
  g_autoptr (GError) error = NULL;

  if (!goban_cli_is_first_rank ())
    return TRUE;
  *journal = goban_bench_journal_open (path, goes_on, &error);
  if (*journal != NULL)
    return TRUE;
  if (g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID))
    {
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_USAGE);
      if (!goes_on)
        g_printerr ("goban-cli: --resume %s goes on, --journal FILE begins another\n", path);
      return FALSE;
    }
  if (!is_asked_for)
    {
      g_printerr ("goban-cli: no journal is kept: %s\n", error->message);
      return TRUE;
    }
  *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
  return FALSE;
}

/* A journal that was not requested is deleted at the end of its bench. */
static void
close_journal (GobanBenchJournal *journal, const BenchArguments *arguments, gboolean is_finished)
{
  const char *path;
  guint n_cells;

  if (journal == NULL)
    return;
  path = goban_bench_journal_get_path (journal);
  n_cells = goban_bench_journal_get_n_cells (journal);
  if (arguments->journal == NULL && arguments->resume == NULL && (is_finished || n_cells == 0))
    g_unlink (path);
  else if (!is_finished)
    g_printerr ("goban-cli: %u result%s kept; --resume %s goes on\n", n_cells,
                n_cells == 1 ? " is" : "s are", path);
}

static int
print_rows (const GPtrArray *rows, const BenchArguments *arguments, const GobanCliOptions *options)
{
  g_autofree char *text = options->json    ? goban_bench_to_json (rows)
                          : arguments->csv ? goban_bench_to_csv (rows)
                                           : goban_bench_to_text (rows);

  if (arguments->csv)
    goban_cli_keep_lines ();
  /* If the reader of the output leaves early, the journal must still be mentioned. */
  signal (SIGPIPE, SIG_IGN);
  return goban_cli_print (text);
}

/* Runs the cells that are not in the journal and prints all. */
static int
run_all (GobanBenchOptions *bench_options, const BenchArguments *arguments,
         const GobanCliOptions *options)
{
  g_autoptr (GobanBench) bench = NULL;
  g_autoptr (GobanBenchJournal) journal = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  int exit_code = GOBAN_EXIT_OK;

  /* Mistakes first: the journal of a bench that cannot be is not begun. */
  bench = goban_bench_new (bench_options, &error);
  if (bench == NULL)
    return goban_cli_fail (error, g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_IO)
                                      ? GOBAN_EXIT_FILE
                                      : GOBAN_EXIT_USAGE);
  if (!goban_cli_check_policies (goban_bench_get_settings (bench)->policies, options, NULL,
                                 &exit_code)
      || !open_journal (arguments, bench_options->suite, &journal, &exit_code))
    return exit_code;
  bench_options->journal = journal;
  g_clear_pointer (&bench, goban_bench_unref);
  bench = goban_bench_new (bench_options, &error);
  if (bench == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_FILE); /* the network went meanwhile */

  rows = goban_bench_run (bench, goban_cli_progress (), &error);
  if (rows != NULL && !goban_cli_is_first_rank ())
    return GOBAN_EXIT_OK;
  exit_code = rows != NULL ? print_rows (rows, arguments, options)
                           : goban_cli_fail (error, GOBAN_EXIT_FILE);
  close_journal (journal, arguments, rows != NULL && exit_code == GOBAN_EXIT_OK);
  return exit_code;
}

static int
run_bench (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (BenchArguments) arguments = { .n_seeds = 1 };
  g_auto (GStrv) policies = NULL;
  g_autoptr (GobanSuite) suite = NULL;
  g_autoptr (GError) error = NULL;
  const GOptionEntry own[] = {
    { "policies", 'p', 0, G_OPTION_ARG_STRING, &arguments.policies,
      "Default: every one of effort “quick”", "POLICY,…" },
    { "graphs", 0, 0, G_OPTION_ARG_STRING, &arguments.graphs,
      "Those whose name or spec has this in it; * and ? match", "PATTERN" },
    { "task", 0, 0, G_OPTION_ARG_STRING, &arguments.task, "Whose clusters (default placement)",
      "placement|joint" },
    { "seeds", 0, 0, G_OPTION_ARG_INT64, &arguments.n_seeds, "Repeat with so many seeds", "K" },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &arguments.csv, "A line per graph, policy and seed", NULL },
    { "journal", 0, 0, G_OPTION_ARG_FILENAME, &arguments.journal,
      "Keep every result here (default: goban-bench-SUITE.jsonl until the end)", "FILE" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &arguments.resume,
      "Go on with the journal of a bench that was interrupted", "FILE" },
    { NULL },
  };
  GobanBenchOptions bench = { 0 };

  if (!goban_cli_parse (&goban_verb_bench, &argc, &argv, &options,
                        GOBAN_CLI_POLICY | GOBAN_CLI_FUSION, own, 0, 1)
      || !check_arguments (&arguments, &options))
    return GOBAN_EXIT_USAGE;
  if (argc < 2)
    {
      g_autofree char *text
          = options.json ? goban_report_suites_json () : goban_report_suites_text ();

      return goban_cli_print (text);
    }
  if (arguments.task != NULL && !goban_suite_task_find (arguments.task, &bench.task, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  if (arguments.policies != NULL)
    {
      policies = goban_cli_split_policies (arguments.policies, &error);
      if (policies == NULL)
        return goban_cli_fail (error, GOBAN_EXIT_USAGE);
    }
  suite = goban_suite_load (argv[1], &error);
  if (suite == NULL)
    return goban_cli_fail (error, g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                                      ? GOBAN_EXIT_USAGE
                                      : GOBAN_EXIT_FILE);

  bench.suite = suite;
  bench.policies = (const char *const *) policies;
  bench.pattern = arguments.graphs;
  bench.first_seed = options.seed;
  bench.n_seeds = arguments.n_seeds;
  bench.max_evaluations = options.evaluations;
  bench.max_seconds = options.seconds;
  bench.network = options.network;
  bench.settings = options.settings;
  bench.decisions = options.decisions;
  bench.fusing = options.fusing;
  bench.ranks = goban_cli_get_ranks ();
  return run_all (&bench, &arguments, &options);
}

const GobanVerb goban_verb_bench
    = { "bench", "[SUITE]", "Measure policies on a suite of graphs, or list the suites",
        run_bench };
