#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

/* The plan was simulated when it was read. */
static int
simulate_session (const char *path, const GobanCliOptions *options, const char *trace_path)
{
  int exit_code = GOBAN_EXIT_OK;
  g_autoptr (GobanRun) run = goban_cli_load_session (path, &exit_code);
  g_autoptr (GError) error = NULL;

  if (run == NULL)
    return exit_code;
  goban_cli_print_warnings (goban_run_get_costs (run));
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (trace_path != NULL && !goban_run_save_trace (run, trace_path, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  return goban_cli_report_run (run, options, trace_path);
}

static int
run_simulate (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) fused = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *plan_path = NULL;
  g_autofree char *trace_path = NULL;
  g_autofree char *session = NULL;
  const GOptionEntry own[] = {
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &plan_path, "The plan, as place -o wrote it", "PLAN" },
    { "session", 0, 0, G_OPTION_ARG_FILENAME, &session,
      "In place of graph and plan, those that the session shows", "FILE" },
    GOBAN_CLI_TRACE_OPTION (&trace_path),
    GOBAN_CLI_BOTTLENECKS_OPTION (&options),
    { NULL },
  };
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_simulate, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_FUSION, own, 0, 1)
      || !goban_cli_check_session (session, argc, plan_path))
    return GOBAN_EXIT_USAGE;
  if (session != NULL)
    return simulate_session (session, &options, trace_path);
  if (plan_path == NULL)
    {
      g_printerr ("goban-cli simulate: which plan? --plan PLAN; goban-cli place -o writes one\n");
      return GOBAN_EXIT_USAGE;
    }
  if (!goban_cli_check_input (argv[1], plan_path))
    return GOBAN_EXIT_USAGE;

  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL)
    return exit_code;
  goban_cli_print_warnings (costs);
  plan = goban_plan_load (plan_path, costs, &error);
  if (plan == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_FILE);

  fused = goban_fusing_apply (options.fusing, costs, plan);
  run = goban_run_new (costs, fused, NULL);
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (trace_path != NULL && !goban_run_save_trace (run, trace_path, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  return goban_cli_report_run (run, &options, trace_path);
}

const GobanVerb goban_verb_simulate
    = { "simulate", "GRAPH", "Run a saved plan and tell what it costs", run_simulate };
