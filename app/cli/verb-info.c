#include "app/cli/cli-load.h"

static int
run_info (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autofree char *text = NULL;
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_info, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER, NULL, 1, 1))
    return GOBAN_EXIT_USAGE;
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL)
    return exit_code;

  text = options.json ? goban_report_info_json (costs) : goban_report_info_text (costs);
  return goban_cli_print (text);
}

const GobanVerb goban_verb_info
    = { "info", "GRAPH", "Tell what a graph holds: nodes, ops, sizes, work, warnings", run_info };
