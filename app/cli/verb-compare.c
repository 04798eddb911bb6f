#include "app/cli/cli.h"

#include <math.h>

/* What is compared where nobody says: the field's usual suspects. */
#define DEFAULT_POLICIES "heft,critical-path,metis,m-topo,tf-default,single"

/* Judges the policies that were asked for, not the one that is always added. */
static int
judge (const GobanComparison *comparison, guint n_asked, gboolean strict, double percent)
{
  if (goban_comparison_get_best (comparison) == NULL)
    return GOBAN_EXIT_WORSE;
  for (guint i = 0; strict && i < n_asked; i++)
    if (goban_comparison_is_worse (comparison, i, percent))
      return GOBAN_EXIT_WORSE;
  return GOBAN_EXIT_OK;
}

static gboolean
parse_percent (const char *text, double *percent)
{
  char *end;

  *percent = g_ascii_strtod (text, &end);
  if (end == text || !isfinite (*percent) || *percent < 0)
    return FALSE;
  return *end == '\0' || (*end == '%' && end[1] == '\0');
}

static int
run_compare (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanComparison) comparison = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) policies = NULL;
  g_autofree char *list = NULL;
  g_autofree char *threshold = NULL;
  g_autofree char *start_path = NULL;
  g_autoptr (GobanPlan) start = NULL;
  g_autofree char *text = NULL;
  const GOptionEntry own[] = {
    { "policies", 'p', 0, G_OPTION_ARG_STRING, &list, "Default: " DEFAULT_POLICIES, "A,B,…" },
    { "fail-if-worse", 0, 0, G_OPTION_ARG_STRING, &threshold,
      "Exit with 1 if a policy is invalid or more than P percent slower than the first", "P%" },
    GOBAN_CLI_START_OPTION (&start_path),
    { NULL },
  };
  GobanRunOptions spending;
  double percent = 0;
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_compare, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_POLICY | GOBAN_CLI_FUSION,
                        own, 1, 1))
    return GOBAN_EXIT_USAGE;
  if (threshold != NULL && !parse_percent (threshold, &percent))
    {
      g_printerr ("goban-cli compare: “%s” is no percentage, such as 2%%\n", threshold);
      return GOBAN_EXIT_USAGE;
    }
  policies = goban_cli_split_policies (list != NULL ? list : DEFAULT_POLICIES, &error);
  if (policies == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);

  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL || !goban_cli_load_start (start_path, costs, &start, &exit_code))
    return exit_code;
  spending = goban_cli_run_options (&options);
  spending.start = start;
  comparison = goban_compare_policies (costs, (const char *const *) policies, &spending, &error);
  if (comparison == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_WORSE);

  text = options.json ? goban_report_comparison_json (comparison)
                      : goban_report_comparison_text (comparison);
  exit_code = goban_cli_print (text);
  if (exit_code != GOBAN_EXIT_OK)
    return exit_code;
  return judge (comparison, g_strv_length (policies), threshold != NULL, percent);
}

const GobanVerb goban_verb_compare
    = { "compare", "GRAPH", "Run several policies on a graph and rank them", run_compare };
