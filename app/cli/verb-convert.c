#include "app/cli/cli-load.h"

#include "engine/core/json-text.h"
#include "engine/study/run/graph-source.h"

#include <string.h>

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

  /* If the graph itself went to standard output, a report would spoil it. */
  if (options.json && strcmp (argv[2], "-") != 0)
    {
      g_autoptr (GString) json = g_string_new ("{");

      goban_json_add_string (json, "input", argv[1]);
      goban_json_add_string (json, "output", argv[2]);
      goban_json_add_number (json, "nodes", goban_graph_get_n_nodes (graph));
      goban_json_add_number (json, "edges", goban_graph_get_n_edges (graph));
      g_string_append (json, "}\n");
      return goban_cli_print (json->str);
    }
  return GOBAN_EXIT_OK;
}

const GobanVerb goban_verb_convert
    = { "convert", "IN OUT", "Read a graph of one format and write it as another", run_convert };
