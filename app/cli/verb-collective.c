#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/span-totals.h"
#include "engine/study/run/collective-run.h"

#include <string.h>

#define DEFAULT_BYTES "100MB"

static char *
make_json (GobanRun *run, const GobanCollectiveFigures *figures)
{
  GString *json = g_string_new ("{");
  g_autofree char *links = goban_link_totals_to_json (run);

  goban_json_add_string (json, "kind", figures->kind);
  goban_json_add_string (json, "algorithm", figures->algorithm);
  goban_json_add_string (json, "cluster", goban_cluster_get_name (goban_run_get_cluster (run)));
  goban_json_add_number (json, "ranks", figures->n_ranks);
  goban_json_add_number (json, "makespan_us", goban_run_get_makespan_us (run));
  goban_json_add_number (json, "ideal_us", figures->ideal_us);
  goban_json_add_number (json, "bus_bytes_per_s", figures->bus_bytes_per_us * 1e6);
  g_string_append_printf (json, ", \"links\": %s}\n", links);
  return g_string_free (json, FALSE);
}

static char *
make_text (GobanRun *run, const GobanCollectiveFigures *figures)
{
  GString *text = g_string_new (NULL);
  g_autofree char *links = goban_link_totals_to_text (run);
  char time[GOBAN_QUANTITY_LEN], ideal[GOBAN_QUANTITY_LEN], bus[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "collective  %s, %s, %u ranks on %s\n", figures->kind,
                          figures->algorithm, figures->n_ranks,
                          goban_cluster_get_name (goban_run_get_cluster (run)));
  g_string_append_printf (text, "time        %s; %s by the formula, without adding up\n",
                          goban_format_time (time, goban_run_get_makespan_us (run)),
                          goban_format_time (ideal, figures->ideal_us));
  g_string_append_printf (text, "bus         %s/s\n\n%s",
                          goban_format_bytes (bus, figures->bus_bytes_per_us * 1e6), links);
  return g_string_free (text, FALSE);
}

static int
run_collective (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *algorithm = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *trace = NULL;
  g_autofree char *text = NULL;
  int n_ranks = 0;
  int exit_code = GOBAN_EXIT_OK;
  const GOptionEntry own[] = {
    { "bytes", 'b', 0, G_OPTION_ARG_STRING, &bytes, "Of a rank's tensor (default 100MB)", "BYTES" },
    { "algorithm", 0, 0, G_OPTION_ARG_STRING, &algorithm,
      "Of all-reduce (default ring); others have one", "ring|tree" },
    { "ranks", 0, 0, G_OPTION_ARG_INT, &n_ranks,
      "The first devices of the cluster (default all but CPUs)", "N" },
    GOBAN_CLI_TRACE_OPTION (&trace),
    { NULL },
  };
  GobanCollectiveRunOptions running = { 0 };
  GobanCollectiveFigures figures;

  if (!goban_cli_parse (&goban_verb_collective, &argc, &argv, &options, GOBAN_CLI_DEVICES, own, 1,
                        1))
    return GOBAN_EXIT_USAGE;
  running.kind = argv[1];
  running.algorithm = algorithm;
  running.n_ranks = (guint) n_ranks;
  if (!goban_parse_bytes (bytes != NULL ? bytes : DEFAULT_BYTES, &running.bytes, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  running.execution = goban_cli_get_execution (&options);
  cluster = goban_cli_load_cluster (options.cluster, &exit_code);
  if (cluster == NULL)
    return exit_code;
  run = goban_collective_run_new (cluster, &running, &figures, &error);
  if (run == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (trace != NULL && !goban_run_save_trace (run, trace, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (g_strcmp0 (trace, "-") != 0)
    {
      text = options.json ? make_json (run, &figures) : make_text (run, &figures);
      exit_code = goban_cli_print (text);
    }
  return exit_code != GOBAN_EXIT_OK ? exit_code : goban_cli_get_exit_code (run);
}

const GobanVerb goban_verb_collective
    = { "collective", "KIND", "Simulate all-reduce and its relatives over the links of a cluster",
        run_collective };
