#include "app/cli/cli.h"

static int
run_policies (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!goban_cli_parse (&goban_verb_policies, &argc, &argv, &options, 0, NULL, 0, 1))
    return GOBAN_EXIT_USAGE;

  if (argc > 1)
    text = options.json ? goban_report_policy_json (argv[1], &error)
                        : goban_report_policy_text (argv[1], &error);
  else
    text = options.json ? goban_report_policies_json () : goban_report_policies_text ();
  if (text == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  return goban_cli_print (text);
}

const GobanVerb goban_verb_policies
    = { "policies", "[POLICY]", "List the policies, or tell of one where it comes from",
        run_policies };
