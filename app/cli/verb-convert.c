#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

#include "engine/study/run/graph-source.h"

static int
run_convert (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *to = NULL;
  const GOptionEntry own[] = {
    { "to", 0, 0, G_OPTION_ARG_STRING, &to, "Format (default: what OUT ends in)", "dot|json" },
    { NULL },
  };
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_convert, &argc, &argv, &options, GOBAN_CLI_GRAPH, own, 2, 2))
    return GOBAN_EXIT_USAGE;
  if (!goban_graph_source_check_writer (argv[2], to, &error))
    {
      g_printerr ("goban-cli convert: %s\n", error->message);
      return GOBAN_EXIT_USAGE;
    }
  graph = goban_cli_load_graph (argv[1], &options, &exit_code);
  if (graph == NULL)
    return exit_code;

  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (!goban_graph_source_save (graph, argv[2], to, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  return goban_cli_report_written ("input", argv[1], graph, argv[2], &options);
}

const GobanVerb goban_verb_convert
    = { "convert", "IN OUT", "Read a graph of one format and write it as another", run_convert };
