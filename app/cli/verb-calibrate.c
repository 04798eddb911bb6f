#include "app/cli/cli-load.h"

#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/measure/device-fit.h"

#include <string.h>

static char *
make_text (const GobanDeviceFit *self)
{
  char launch[GOBAN_QUANTITY_LEN];

  return g_strdup_printf ("calibrated  %s, %u ops, of which arithmetic bounds %u\n"
                          "compute     %.4g of the peak%s\n"
                          "memory      %.4g of the bandwidth%s\n"
                          "launch      %s\n"
                          "error       mean %.1f %%, median %.1f %%, 90th percentile %.1f %%\n"
                          "data sheet  mean %.1f %%, median %.1f %%, 90th percentile %.1f %%\n",
                          self->kind, self->n_nodes, self->n_compute, self->compute_efficiency,
                          self->n_compute > 0 ? "" : ": unknown, it bounds no op",
                          self->memory_efficiency,
                          self->n_compute < self->n_nodes ? "" : ": unknown, it bounds no op",
                          goban_format_time (launch, self->launch_us), 100 * self->fitted.mean,
                          100 * self->fitted.median, 100 * self->fitted.high,
                          100 * self->sheet.mean, 100 * self->sheet.median, 100 * self->sheet.high);
}

static void
add_errors (GString *json, const char *key, const GobanFitErrors *errors)
{
  goban_json_append_key (json, key);
  g_string_append_c (json, '{');
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
  goban_json_add_number (json, "ops", self->n_nodes);
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

static int
run_calibrate (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *kind = NULL;
  g_autofree char *output = NULL;
  g_autofree char *text = NULL;
  int exit_code = GOBAN_EXIT_OK;
  GobanDeviceFit fit;
  const GOptionEntry own[] = {
    { "kind", 'k', 0, G_OPTION_ARG_STRING, &kind,
      "Kind of device (default: the first with measured times)", "KIND" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the cluster with the constants",
      "FILE" },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_calibrate, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER, own, 1, 1))
    return GOBAN_EXIT_USAGE;
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL)
    return exit_code;
  if (!goban_device_fit (costs, kind, &fit, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  if (output != NULL && !save (&fit, goban_cost_model_get_cluster (costs), output, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (g_strcmp0 (output, "-") == 0)
    return GOBAN_EXIT_OK;
  text = options.json ? make_json (&fit) : make_text (&fit);
  return goban_cli_print (text);
}

const GobanVerb goban_verb_calibrate
    = { "calibrate", "GRAPH", "Fit a device's efficiencies to measured times of ops",
        run_calibrate };
