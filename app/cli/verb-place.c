#include "app/cli/cli-load.h"
#include "app/cli/cli-ranks.h"
#include "app/cli/cli-report.h"

#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-export.h"
#include "engine/study/run/restarts.h"
#include "engine/study/run/run-origin.h"

/* "the best plan so far (518.5 ms, after 1 200 simulations)" */
static void
say_ended (GobanRun *run, const char *output)
{
  char time[GOBAN_QUANTITY_LEN], n[GOBAN_QUANTITY_LEN];
  g_autofree char *what
      = g_strdup_printf ("the best plan so far (%s, after %s simulations)",
                         goban_format_time (time, goban_run_get_makespan_us (run)),
                         goban_format_grouped (n, goban_run_get_origin (run)->evaluations));

  goban_cli_say_ended (what, g_strcmp0 (output, "-") != 0 ? output : NULL);
}

/* %FALSE with @error set; *run is %NULL on ranks that have nothing to print. */
static gboolean
search (GobanCostModel *costs, const char *policy, const GobanRunOptions *spending,
        guint n_restarts, GobanRun **run, GError **error)
{
  gboolean is_done;

  goban_cli_search_begin (n_restarts == 1 ? policy : NULL);
  if (n_restarts > 1 || goban_ranks_get_size (goban_cli_get_ranks ()) > 1)
    is_done = goban_restarts_run (costs, policy, spending, n_restarts, goban_cli_get_ranks (), run,
                                  error);
  else
    is_done = (*run = goban_run_new_from_policy (costs, policy, spending, error)) != NULL;
  goban_cli_search_end ();
  return is_done;
}

/* Files and report. Returns the exit code. */
static int
deliver (GobanRun *run, const char *output, const char *decisions, const GobanCliOptions *options)
{
  gboolean was_ended = goban_cli_search_was_ended ();
  g_autoptr (GError) error = NULL;
  int exit_code;

  if (output != NULL
      && !goban_plan_save (goban_run_get_plan (run), goban_run_get_costs (run), output, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (decisions != NULL && !goban_decisions_save (run, decisions, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (was_ended)
    say_ended (run, output);
  exit_code
      = goban_cli_report_run (run, options, g_strcmp0 (decisions, "-") == 0 ? decisions : output);
  return was_ended && exit_code != GOBAN_EXIT_FILE ? GOBAN_EXIT_INTERRUPTED : exit_code;
}

static int
run_place (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *policy = NULL;
  g_autofree char *output = NULL;
  g_autofree char *start_path = NULL;
  g_autofree char *decisions = NULL;
  g_autoptr (GobanPlan) start = NULL;
  gint64 n_restarts = 1;
  const GOptionEntry own[] = {
    { "policy", 'p', 0, G_OPTION_ARG_STRING, &policy, "One of goban-cli policies", "POLICY" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the plan here", "PLAN" },
    { "decisions", 0, 0, G_OPTION_ARG_FILENAME, &decisions,
      "Write the decisions that led to the plan here, as JSON, or CSV if it ends in .csv", "FILE" },
    GOBAN_CLI_START_OPTION (&start_path),
    { "restarts", 0, 0, G_OPTION_ARG_INT64, &n_restarts,
      "Keep the best of K searches, with the seeds SEED, SEED+1, …; mpirun shares them", "K" },
    GOBAN_CLI_BOTTLENECKS_OPTION (&options),
    { NULL },
  };
  GobanPolicyInfo info;
  GobanRunOptions spending;
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_place, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_POLICY | GOBAN_CLI_FUSION,
                        own, 1, 1))
    return GOBAN_EXIT_USAGE;
  if (policy == NULL)
    {
      g_printerr ("goban-cli place: which policy? --policy NAME; goban-cli policies lists them\n");
      return GOBAN_EXIT_USAGE;
    }
  if (!goban_cli_check_input (argv[1], start_path))
    return GOBAN_EXIT_USAGE;
  if (!goban_policy_find (policy, &info, &error)
      || !goban_cli_check_printed ((const char *const[]){ output, decisions }, 2, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);

  if (!goban_cli_check_policies ((const char *const[]){ policy, NULL }, &options, start_path,
                                 &exit_code))
    return exit_code;
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL)
    return exit_code;
  goban_cli_print_warnings (costs);

  if (!goban_cli_load_start (start_path, costs, &start, &exit_code))
    return exit_code;

  spending = goban_cli_run_options (&options);
  spending.start = start;
  spending.skips_record = n_restarts > 1 && decisions == NULL;
  if (!search (costs, policy, &spending, (guint) n_restarts, &run, &error))
    return goban_cli_fail_result (error);
  if (run == NULL)
    return GOBAN_EXIT_OK;
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  return deliver (run, output, decisions, &options);
}

const GobanVerb goban_verb_place
    = { "place", "GRAPH", "Ask a policy for a plan, simulate it, and save it", run_place };
