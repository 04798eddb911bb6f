#include "app/cli/cli-load.h"

#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/study/measure/iteration-fit.h"

#include <string.h>

static void
add_errors (GString *json, const char *key, const GobanFitErrors *errors)
{
  goban_json_begin (json, key, '{');
  goban_json_add_number (json, "mean", errors->mean);
  goban_json_add_number (json, "median", errors->median);
  goban_json_add_number (json, "percentile_90", errors->high);
  g_string_append_c (json, '}');
}

static char *
make_json (const GobanDeviceFit *self)
{
  GString *json = g_string_new ("{");

  goban_json_add_string (json, "kind", self->kind);
  goban_json_add_number (json, self->is_of_iterations ? "iterations" : "ops", self->n_nodes);
  if (!self->is_of_iterations)
    goban_json_add_number (json, "bound_by_arithmetic", self->n_compute);
  goban_json_add_number (json, "compute_efficiency", self->compute_efficiency);
  goban_json_add_number (json, "memory_efficiency", self->memory_efficiency);
  goban_json_add_number (json, "launch_us", self->launch_us);
  add_errors (json, "error", &self->fitted);
  add_errors (json, "data_sheet_error", &self->sheet);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

static gboolean
save (const GobanDeviceFit *fit, const GobanCluster *cluster, const char *path, GError **error)
{
  g_autoptr (GobanCluster) fitted = goban_device_fit_apply (fit, cluster, error);
  g_autofree char *json = fitted != NULL ? goban_cluster_to_json (fitted) : NULL;

  return json != NULL && goban_file_write (path, json, strlen (json), error);
}

/* Fits to the table or the graph; (transfer full) (nullable): the cluster, NULL with the exit code
 * set. */
static GobanCluster *
fit_to_file (const char *path, const GobanCliOptions *options, const char *kind,
             GobanDeviceFit *fit, int *exit_code)
{
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_fitted;

  if (g_str_has_suffix (path, ".csv"))
    {
      cluster = goban_cli_load_cluster (options->cluster, exit_code);
      if (cluster == NULL)
        return NULL;
      is_fitted
          = goban_device_fit_file (path, NULL, cluster, kind, goban_cli_progress (), fit, &error);
      goban_cli_progress_end ();
    }
  else
    {
      costs = goban_cli_load_costs (path, options, exit_code);
      if (costs == NULL)
        return NULL;
      cluster = goban_cluster_ref (goban_cost_model_get_cluster (costs));
      is_fitted = goban_device_fit (costs, kind, fit, &error);
    }
  if (is_fitted)
    return g_steal_pointer (&cluster);
  *exit_code = goban_cli_is_interrupted () ? GOBAN_EXIT_INTERRUPTED
                                           : goban_cli_fail (error, GOBAN_EXIT_USAGE);
  return NULL;
}

static int
run_calibrate (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *kind = NULL;
  g_autofree char *output = NULL;
  g_autofree char *text = NULL;
  int exit_code = GOBAN_EXIT_OK;
  GobanDeviceFit fit;
  const GOptionEntry own[] = {
    { "kind", 'k', 0, G_OPTION_ARG_STRING, &kind,
      "Kind of device (default: the first with measured times; of a table, the first)", "KIND" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the cluster with the constants",
      "FILE" },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_calibrate, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER, own, 1, 1))
    return GOBAN_EXIT_USAGE;
  cluster = fit_to_file (argv[1], &options, kind, &fit, &exit_code);
  if (cluster == NULL)
    return exit_code;
  if (output != NULL && !save (&fit, cluster, output, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (g_strcmp0 (output, "-") == 0)
    return GOBAN_EXIT_OK;
  text = options.json ? make_json (&fit) : goban_device_fit_to_text (&fit);
  return goban_cli_print (text);
}

const GobanVerb goban_verb_calibrate
    = { "calibrate", "GRAPH|TABLE.csv",
        "Fit a device's efficiencies to measured times of ops or of iterations", run_calibrate };
