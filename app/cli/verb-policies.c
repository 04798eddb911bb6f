#include "app/cli/cli.h"

static int
run_policies (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autofree char *text = NULL;

  if (!goban_cli_parse (&goban_verb_policies, &argc, &argv, &options, 0, NULL, 0, 0))
    return GOBAN_EXIT_USAGE;
  text = options.json ? goban_report_policies_json () : goban_report_policies_text ();
  return goban_cli_print (text);
}

const GobanVerb goban_verb_policies
    = { "policies", "", "List the policies and where they come from", run_policies };
