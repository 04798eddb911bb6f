#include "engine/study/measure/measure-report.h"

#include "engine/core/checked-path.h"
#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/study/measure/ort.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Number of badly predicted ops of a plan that are named. */
#define MOST_NAMED 3

/* --- text ------------------------------------------------------------------------------------ */

static void
append_costs (GString *text, const GobanMeasurer *measurer)
{
  const GobanCalibration *calibration = measurer->calibration;
  const GobanHandOver *hand_over = &calibration->hand_over;
  char a[GOBAN_QUANTITY_LEN], b[GOBAN_QUANTITY_LEN], c[GOBAN_QUANTITY_LEN];
  char d[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "cluster    %s, ONNX Runtime %s\n",
                          goban_cluster_get_name (calibration->cluster),
                          goban_ort_get_version (measurer->ort));
  g_string_append_printf (text, "one core   %s (%s to %s, %u of %u runs are outliers)",
                          goban_format_time (a, calibration->single_us.median),
                          goban_format_time (b, calibration->single_us.low),
                          goban_format_time (c, calibration->single_us.high),
                          calibration->single_us.n_outliers, calibration->n_runs);
  g_string_append_printf (text, "; kernels %s, %s after each\n",
                          goban_format_time (a, calibration->kernels_us),
                          goban_format_time (b, calibration->dispatch_us));
  if (calibration->n_cores < 2)
    return;
  g_string_append_printf (text, "hand-over  %s", goban_format_time (a, hand_over->latency_us));
  if (isfinite (hand_over->bytes_per_us))
    g_string_append_printf (text, ", and %s/s",
                            goban_format_bytes (a, hand_over->bytes_per_us * 1e6));
  for (guint i = 0; i < GOBAN_N_HAND_OVER_PROBES; i++)
    g_string_append_printf (text, "%s%s %s (%s to %s)", i == 0 ? "; probes " : ", ",
                            goban_format_bytes (a, hand_over->probes[i].bytes),
                            goban_format_time (b, hand_over->probes[i].us.median),
                            goban_format_time (c, hand_over->probes[i].us.low),
                            goban_format_time (d, hand_over->probes[i].us.high));
  g_string_append_c (text, '\n');
}

static void
append_plans (GString *text, const GobanMeasurer *measurer)
{
  g_autoptr (GobanTable) table = goban_table_new (
      (const char *const[]){ "plan", "predicted", "measured", "from", "to", "error", "op error",
                             "inside", "segments", "hand-overs", "outliers", NULL });
  guint n_pairs, n_in_order;
  char a[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < measurer->runs->len; i++)
    {
      const GobanMeasuredRun *run = goban_measurer_get_run (measurer, i);

      goban_table_add (table, "%s", goban_run_get_name (run->predicted));
      goban_table_add (table, "%s",
                       goban_format_time (a, goban_run_get_makespan_us (run->predicted)));
      goban_table_add (table, "%s", goban_format_time (a, run->makespan_us.median));
      goban_table_add (table, "%s", goban_format_time (a, run->makespan_us.low));
      goban_table_add (table, "%s", goban_format_time (a, run->makespan_us.high));
      /* Without the sign of a zero. */
      goban_table_add (table, "%+.1f %%", fabs (run->error) < 5e-4 ? 0.0 : run->error * 100);
      goban_table_add (table, "%.1f %%", run->median_op_error * 100);
      goban_table_add (table, "%.1f %%", run->inside_share * 100);
      goban_table_add (table, "%u", run->n_segments);
      goban_table_add (table, "%u", run->n_hand_overs);
      goban_table_add (table, "%u of %u", run->makespan_us.n_outliers, run->n_runs);
    }
  goban_table_append_to (table, text);
  goban_measurer_count_pairs (measurer, &n_pairs, &n_in_order);
  if (n_pairs > 0)
    g_string_append_printf (text,
                            "\n%u of %u pairs of plans predicted more than 10 %% apart were "
                            "measured in that order\n",
                            n_in_order, n_pairs);
}

/* The ops with the largest errors of the prediction: look here first. */
static void
append_outside (GString *text, const GobanMeasuredRun *run)
{
  const GobanGraph *graph = goban_run_get_graph (run->predicted);
  GobanNodeId nodes[MOST_NAMED];
  guint n = goban_measured_run_find_outside (run, nodes, MOST_NAMED);
  char a[GOBAN_QUANTITY_LEN], b[GOBAN_QUANTITY_LEN];

  if (n == 0)
    return;
  g_string_append_printf (text,
                          "outside of their spread in %s:", goban_run_get_name (run->predicted));
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s %s %s, not %s", i > 0 ? ";" : "",
                            goban_graph_get_node (graph, nodes[i])->name,
                            goban_format_time (a, run->ops[nodes[i]].measured_us),
                            goban_format_time (b, run->ops[nodes[i]].predicted_us));
  g_string_append_c (text, '\n');
}

char *
goban_measure_report_text (const GobanMeasurer *measurer)
{
  GString *text = g_string_new (NULL);

  append_costs (text, measurer);
  if (*measurer->note != '\0')
    g_string_append_printf (text, "note       %s\n", measurer->note);
  if (*measurer->doubt->str != '\0')
    g_string_append_printf (text, "PROVISIONAL: %s\n", measurer->doubt->str);
  if (measurer->runs->len > 0)
    {
      g_string_append_c (text, '\n');
      append_plans (text, measurer);
      for (guint i = 0; i < measurer->runs->len; i++)
        append_outside (text, goban_measurer_get_run (measurer, i));
    }
  return g_string_free (text, FALSE);
}

/* --- JSON and CSV ---------------------------------------------------------------------------- */

static void
add_spread (GString *json, const GobanSpread *spread)
{
  goban_json_add_number (json, "measured_us", spread->median);
  goban_json_add_number (json, "low_us", spread->low);
  goban_json_add_number (json, "high_us", spread->high);
  goban_json_add_number (json, "outliers", spread->n_outliers);
}

static void
add_costs (GString *json, const GobanCalibration *calibration)
{
  const GobanHandOver *hand_over = &calibration->hand_over;

  g_string_append (json, ", \"single\": {");
  add_spread (json, &calibration->single_us);
  goban_json_add_number (json, "kernels_us", calibration->kernels_us);
  goban_json_add_number (json, "dispatch_us", calibration->dispatch_us);
  goban_json_add_number (json, "runs", calibration->n_runs);
  g_string_append (json, "}, \"hand_over\": {");
  goban_json_add_number (json, "latency_us", hand_over->latency_us);
  goban_json_add_number (json, "bytes_per_us", hand_over->bytes_per_us);
  g_string_append (json, ", \"probes\": [");
  for (guint i = 0; calibration->n_cores > 1 && i < GOBAN_N_HAND_OVER_PROBES; i++)
    {
      g_string_append (json, i > 0 ? ", {" : "{");
      goban_json_add_number (json, "bytes", hand_over->probes[i].bytes);
      add_spread (json, &hand_over->probes[i].us);
      g_string_append (json, "}");
    }
  g_string_append (json, "]}");
}

static void
add_plan (GString *json, const GobanMeasuredRun *run)
{
  g_string_append (json, json->str[json->len - 1] == '[' ? "{" : ",\n{");
  goban_json_add_string (json, "name", goban_run_get_name (run->predicted));
  goban_json_add_number (json, "predicted_us", goban_run_get_makespan_us (run->predicted));
  add_spread (json, &run->makespan_us);
  goban_json_add_number (json, "error", run->error);
  goban_json_add_number (json, "op_error", run->median_op_error);
  goban_json_add_number (json, "inside_share", run->inside_share);
  goban_json_add_number (json, "segments", run->n_segments);
  goban_json_add_number (json, "hand_overs", run->n_hand_overs);
  goban_json_add_number (json, "runs", run->n_runs);
  g_string_append (json, "}");
}

char *
goban_measure_report_json (const GobanMeasurer *measurer)
{
  const GobanCalibration *calibration = measurer->calibration;
  const char *doubt = measurer->doubt->str;
  GString *json = g_string_new ("{");
  guint n_pairs, n_in_order;

  goban_json_add_string (json, "graph", goban_graph_get_name (calibration->graph));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (calibration->cluster));
  goban_json_add_string (json, "runtime", goban_ort_get_version (measurer->ort));
  goban_json_add_string (json, "provisional", *doubt != '\0' ? doubt : NULL);
  goban_json_add_string (json, "note", measurer->note);
  goban_json_add_number (json, "load", measurer->load);
  add_costs (json, calibration);
  g_string_append (json, ", \"plans\": [");
  for (guint i = 0; i < measurer->runs->len; i++)
    add_plan (json, goban_measurer_get_run (measurer, i));
  g_string_append (json, "]");
  goban_measurer_count_pairs (measurer, &n_pairs, &n_in_order);
  goban_json_add_number (json, "pairs", n_pairs);
  goban_json_add_number (json, "pairs_in_order", n_in_order);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

char *
goban_measure_report_csv (const GobanMeasurer *measurer)
{
  GString *csv = g_string_new ("plan,predicted_us,measured_us,low_us,high_us\n");

  for (guint i = 0; i < measurer->runs->len; i++)
    {
      const GobanMeasuredRun *run = goban_measurer_get_run (measurer, i);
      const double columns[]
          = { goban_run_get_makespan_us (run->predicted), run->makespan_us.median,
              run->makespan_us.low, run->makespan_us.high };

      goban_csv_append_text (csv, goban_run_get_name (run->predicted));
      goban_csv_append_rounded (csv, columns, G_N_ELEMENTS (columns));
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}

/* --- files ----------------------------------------------------------------------------------- */

/* Takes @text. */
static gboolean
write_file (const char *folder, const char *name, char *text, GError **error)
{
  g_autofree char *owned = text;
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return goban_file_write (path, owned, strlen (owned), error);
}

/* Names of runs may have slashes, and two may come to the same. (transfer full) */
static char *
make_stem (GHashTable *stems, const char *name)
{
  g_autofree char *plain = g_strdelimit (g_strdup (name), "/\\:*?\"<>| ", '-');
  char *stem = g_strdup (plain);

  for (guint n = 2; !g_hash_table_add (stems, g_strdup (stem)); n++)
    {
      g_free (stem);
      stem = g_strdup_printf ("%s-%u", plain, n);
    }
  return stem;
}

static gboolean
save_run (const GobanMeasuredRun *run, GHashTable *stems, const char *folder, GError **error)
{
  g_autofree char *stem = make_stem (stems, goban_run_get_name (run->predicted));
  g_autofree char *plan = g_strconcat (stem, ".plan.json", NULL);
  g_autofree char *measured = g_strconcat (stem, ".measured.json", NULL);
  g_autofree char *overlay = g_strconcat (stem, ".overlay.json", NULL);
  g_autofree char *ops = g_strconcat (stem, ".ops.csv", NULL);
  g_autofree char *plan_path = g_build_filename (folder, plan, NULL);

  return goban_plan_save (goban_run_get_plan (run->predicted), goban_run_get_costs (run->predicted),
                          plan_path, error)
         && write_file (folder, measured, goban_measured_run_to_trace (run, FALSE), error)
         && write_file (folder, overlay, goban_measured_run_to_trace (run, TRUE), error)
         && write_file (folder, ops, goban_measured_run_to_csv (run), error);
}

gboolean
goban_measure_save (const GobanMeasurer *measurer, const char *folder, GError **error)
{
  const GobanCalibration *calibration = measurer->calibration;
  g_autoptr (GHashTable) stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!goban_checked_path_make_folder (folder))
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: the folder cannot be made: %s", folder,
                         g_strerror (errno));
  for (guint i = 0; i < measurer->runs->len; i++)
    if (!save_run (goban_measurer_get_run (measurer, i), stems, folder, error))
      return FALSE;
  return write_file (folder, "cluster.json", goban_cluster_to_json (calibration->cluster), error)
         && write_file (folder, "costs.json", goban_calibration_to_costs (calibration), error)
         && write_file (folder, "plans.csv", goban_measure_report_csv (measurer), error)
         && write_file (folder, "measurement.json", goban_measure_report_json (measurer), error);
}
