#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

#include "engine/graph/workloads/workload.h"
#include "engine/study/run/graph-source.h"

static int
tell_of (GobanGraph *graph, const GobanCliOptions *options)
{
  int exit_code = GOBAN_EXIT_OK;
  g_autoptr (GobanCostModel) costs = goban_cli_new_costs (graph, options, &exit_code);
  g_autofree char *text = NULL;

  if (costs == NULL)
    return exit_code;
  text = options->json ? goban_report_info_json (costs) : goban_report_info_text (costs);
  return goban_cli_print (text);
}

static int
run_generate (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_autofree char *to = NULL;
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the graph here", "FILE" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &to, "Format (default: what FILE ends in)", "dot|json" },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_generate, &argc, &argv, &options, GOBAN_CLI_CLUSTER, own, 0, 1))
    return GOBAN_EXIT_USAGE;
  if (argc < 2)
    {
      g_autofree char *text
          = options.json ? goban_report_families_json () : goban_report_families_text ();

      if (output == NULL)
        return goban_cli_print (text);
      g_printerr ("goban-cli generate: which family? goban-cli generate lists them\n");
      return GOBAN_EXIT_USAGE;
    }
  if (output != NULL && !goban_graph_source_check_writer (output, to, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);

  graph = goban_workload_generate (argv[1], &error);
  if (graph == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  if (output == NULL)
    return tell_of (graph, &options);

  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (!goban_graph_source_save (graph, output, to, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  return goban_cli_report_written ("name", goban_graph_get_name (graph), graph, output, &options);
}

const GobanVerb goban_verb_generate
    = { "generate", "[SPEC]", "Make the graph FAMILY[:KEY=VALUE,…], or list families and keys",
        run_generate };
