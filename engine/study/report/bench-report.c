#include "engine/study/report/bench-report.h"

#include "engine/core/csv-text.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/study/bench/bench-table.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

typedef char Text[GOBAN_QUANTITY_LEN];

static const GobanBenchSettings *
settings_of (const GPtrArray *rows)
{
  return ((const GobanBenchRow *) g_ptr_array_index (rows, 0))->settings;
}

/* --- text ---------------------------------------------------------------------------------- */

/* About four significant digits are enough for a comparison. */
static const char *
format_value (char *buffer, double value, GobanMetric metric)
{
  const char *format = "%.3f";

  if (!isfinite (value))
    return "-";
  if (metric == GOBAN_METRIC_EVALUATIONS || metric == GOBAN_METRIC_BEST_EVALUATION)
    format = "%.0f";
  else if (metric == GOBAN_METRIC_SECONDS)
    format = value < 0.1 ? "%.5f" : value < 10 ? "%.3f" : "%.1f";
  else if (metric == GOBAN_METRIC_MAKESPAN_MS)
    format = value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f";
  return g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, format, value);
}

static void
add_cell (GobanTable *table, const GobanBenchRow *row, guint policy, GobanMetric metric)
{
  static const char *const marks[GOBAN_N_CELL_STATES] = { "", "OOM", "invalid", "none" };
  guint n_seeds = row->settings->n_seeds;
  guint n_bad;
  GobanCellState state = goban_bench_row_get_state (row, policy, &n_bad);
  double value = goban_bench_row_get_value (row, policy, metric);
  Text text;

  if (state == GOBAN_CELL_VALID || isfinite (value))
    goban_table_add (table, "%s", format_value (text, value, metric));
  else if (n_bad < n_seeds)
    goban_table_add (table, "%s %u/%u", marks[state], n_bad, n_seeds);
  else
    goban_table_add (table, "%s", marks[state]);
}

static GobanTable *
new_table (const GobanBenchSettings *settings, gboolean with_setting)
{
  g_autoptr (GPtrArray) headings = g_ptr_array_new ();

  g_ptr_array_add (headings, (gpointer) "graph");
  if (with_setting)
    {
      g_ptr_array_add (headings, (gpointer) "<cluster");
      g_ptr_array_add (headings, (gpointer) "nodes");
      g_ptr_array_add (headings, (gpointer) "bound");
    }
  for (guint p = 0; p < settings->n_policies; p++)
    g_ptr_array_add (headings, (gpointer) settings->policies[p]);
  g_ptr_array_add (headings, NULL);
  return goban_table_new ((const char *const *) headings->pdata);
}

/* The means of a metric, and of how many graphs they are. */
static void
add_means (GobanTable *table, const GPtrArray *rows, GobanMetric metric)
{
  const GobanBenchSettings *settings = settings_of (rows);
  guint n_policies = settings->n_policies;
  gboolean with_setting = metric == GOBAN_METRIC_MAKESPAN_MS;
  Text text;
  guint n;

  goban_table_add (table, "geometric mean");
  for (guint i = 0; with_setting && i < 3; i++)
    goban_table_add (table, "%s", "");
  for (guint p = 0; p < n_policies; p++)
    {
      double mean = goban_bench_get_mean (rows, p, metric, &n);

      goban_table_add (table, "%s",
                       format_value (text, mean,
                                     (metric == GOBAN_METRIC_EVALUATIONS
                                      || metric == GOBAN_METRIC_BEST_EVALUATION)
                                             && mean < 100
                                         ? GOBAN_METRIC_RATIO_TO_BOUND
                                         : metric));
    }

  goban_table_add (table, "of graphs");
  for (guint i = 0; with_setting && i < 3; i++)
    goban_table_add (table, "%s", "");
  for (guint p = 0; p < n_policies; p++)
    {
      goban_bench_get_mean (rows, p, metric, &n);
      goban_table_add (table, "%u/%u", n, rows->len);
    }
}

static void
append_metric (GString *text, const GPtrArray *rows, GobanMetric metric)
{
  const GobanBenchSettings *settings = settings_of (rows);
  gboolean with_setting = metric == GOBAN_METRIC_MAKESPAN_MS;
  g_autoptr (GobanTable) table = new_table (settings, with_setting);
  Text bound;

  for (guint i = 0; i < rows->len; i++)
    {
      const GobanBenchRow *row = g_ptr_array_index (rows, i);
      g_autofree char *cluster = g_path_get_basename (row->cluster);

      goban_table_add (table, "%s", row->graph->name);
      if (with_setting)
        {
          goban_table_add (table, "%s", cluster);
          goban_table_add (table, "%u", row->n_nodes);
          goban_table_add (table, "%s", format_value (bound, row->bound_us / 1e3, metric));
        }
      for (guint p = 0; p < settings->n_policies; p++)
        add_cell (table, row, p, metric);
    }
  add_means (table, rows, metric);
  g_string_append_printf (text, "\n%s\n", goban_metrics[metric].title);
  goban_table_append_to (table, text);
}

/* What a table cannot hold: proofs, and why there is no plan or an invalid one. */
static void
append_notes (GString *text, const GPtrArray *rows)
{
  const GobanBenchSettings *settings = settings_of (rows);
  g_autoptr (GString) notes = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    for (guint p = 0; p < settings->n_policies; p++)
      {
        const GobanBenchRow *row = g_ptr_array_index (rows, i);
        const GobanBenchCell *cell = goban_bench_row_get_cell (row, p, 0);
        g_autofree char *proof = goban_describe_proof (cell->makespan_us, cell->proven_bound_us, 0);
        const char *note = cell->state == GOBAN_CELL_VALID           ? proof
                           : cell->state == GOBAN_CELL_OUT_OF_MEMORY ? NULL
                                                                     : cell->why;

        if (note != NULL)
          g_string_append_printf (notes, "%s on %s: %s\n", settings->policies[p], row->graph->name,
                                  note);
      }
  if (notes->len > 0)
    g_string_append_printf (text, "\n%s", notes->str);
}

char *
goban_bench_to_text (const GPtrArray *rows)
{
  const GobanBenchSettings *settings = settings_of (rows);
  gboolean has_expert = settings->expert < settings->n_policies;
  const char *fusion = goban_fusing_get_word (settings->fusing);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "suite  %s: %u graph%s, task %s, %u seed%s%s%s\n",
                          settings->suite->name, rows->len, rows->len == 1 ? "" : "s",
                          goban_suite_task_names[settings->task], settings->n_seeds,
                          settings->n_seeds == 1 ? "" : "s", fusion != NULL ? ", fusion " : "",
                          fusion != NULL ? fusion : "");
  if (settings->decisions != GOBAN_TASKS_DEFAULT)
    {
      g_autofree char *tasks = goban_tasks_to_text (settings->decisions);

      g_string_append_printf (text, "tasks  %s\n", tasks);
    }
  for (guint metric = 0; metric < GOBAN_N_METRICS; metric++)
    if (metric != GOBAN_METRIC_RATIO_TO_EXPERT || has_expert)
      append_metric (text, rows, metric);
  append_notes (text, rows);
  return g_string_free (text, FALSE);
}

/* --- JSON ---------------------------------------------------------------------------------- */

static void
append_whole (GString *json, const char *key, guint64 value)
{
  goban_json_append_key (json, key);
  g_string_append_printf (json, "%" G_GUINT64_FORMAT, value);
}

static void
append_result (GString *json, const GobanBenchRow *row, guint policy, guint seed)
{
  const GobanBenchCell *cell = goban_bench_row_get_cell (row, policy, seed);
  guint64 best = goban_bench_cell_get_best_evaluation (cell);

  goban_json_add_string (json, "policy", row->settings->policies[policy]);
  append_whole (json, "seed", row->settings->first_seed + seed);
  goban_json_add_boolean (json, "valid", cell->state == GOBAN_CELL_VALID);
  goban_json_add_string (json, "state", goban_cell_state_names[cell->state]);
  goban_json_add_string (json, "why", cell->why);
  goban_json_add_number (json, "makespan_us", cell->makespan_us);
  goban_json_add_number (json, "proven_bound_us",
                         cell->proven_bound_us > 0 ? cell->proven_bound_us : (double) NAN);
  goban_json_add_boolean (json, "fused", cell->is_fused);
  append_whole (json, "evaluations", cell->evaluations);
  goban_json_add_number (json, "best_evaluation", best > 0 ? (double) best : (double) NAN);
  goban_json_add_number (json, "seconds", cell->seconds);
  goban_bench_append_improvements (json, cell->improvements);
}

static void
append_row (GString *json, const GobanBenchRow *row)
{
  guint n_policies = row->settings->n_policies;
  guint n_seeds = row->settings->n_seeds;

  goban_json_add_string (json, "name", row->graph->name);
  goban_json_add_string (json, "graph", row->graph->graph);
  goban_json_add_string (json, "cluster", row->cluster);
  goban_json_add_number (json, "devices", row->n_devices);
  goban_json_add_number (json, "nodes", row->n_nodes);
  goban_json_add_number (json, "edges", row->n_edges);
  goban_json_add_number (json, "bound_us", row->bound_us);
  goban_json_begin (json, "results", '[');
  for (guint i = 0; i < n_policies * n_seeds; i++)
    {
      g_string_append (json, i > 0 ? ",\n    {" : "\n    {");
      append_result (json, row, i / n_seeds, i % n_seeds);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "\n   ]");
  goban_json_begin (json, "ratios", '[');
  for (guint p = 0; p < n_policies; p++)
    {
      g_string_append (json, p > 0 ? ",\n    {" : "\n    {");
      goban_json_add_string (json, "policy", row->settings->policies[p]);
      for (guint m = GOBAN_METRIC_RATIO_TO_EXPERT; m <= GOBAN_METRIC_RATIO_TO_BOUND; m++)
        goban_json_add_number (json, goban_metrics[m].key, goban_bench_row_get_value (row, p, m));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "\n   ]");
}

static void
append_means (GString *json, const GPtrArray *rows)
{
  const GobanBenchSettings *settings = settings_of (rows);

  goban_json_begin (json, "means", '[');
  for (guint p = 0; p < settings->n_policies; p++)
    {
      guint n_valid = 0, n;

      g_string_append (json, p > 0 ? ",\n  {" : "\n  {");
      goban_json_add_string (json, "policy", settings->policies[p]);
      for (guint m = 0; m < GOBAN_N_METRICS; m++)
        if (m == GOBAN_METRIC_MAKESPAN_MS) /* in the unit of all times in JSON */
          goban_json_add_number (json, "makespan_us",
                                 goban_bench_get_mean (rows, p, m, &n_valid) * 1e3);
        else
          goban_json_add_number (json, goban_metrics[m].key, goban_bench_get_mean (rows, p, m, &n));
      goban_json_add_number (json, "valid", n_valid);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "\n ]");
}

static void
append_tasks (GString *json, GobanTasks decisions)
{
  const char *names[GOBAN_N_TASKS + 1] = { NULL };
  guint n = 0;

  for (GobanTask task = 0; task < GOBAN_N_TASKS; task++)
    if (goban_tasks_have (decisions, task))
      names[n++] = goban_task_get_name (task);
  goban_json_add_strings (json, "tasks", names);
}

char *
goban_bench_to_json (const GPtrArray *rows)
{
  const GobanBenchSettings *settings = settings_of (rows);
  const char *fusion = goban_fusing_get_word (settings->fusing);
  GString *json = g_string_new ("{");

  goban_json_add_string (json, "suite", settings->suite->name);
  goban_json_add_string (json, "task", goban_suite_task_names[settings->task]);
  append_tasks (json, settings->decisions);
  if (fusion != NULL)
    goban_json_add_string (json, "fusion", fusion);
  goban_json_add_string (json, "version", GOBAN_VERSION);
  goban_json_begin (json, "seeds", '[');
  for (guint s = 0; s < settings->n_seeds; s++)
    g_string_append_printf (json, "%s%" G_GUINT64_FORMAT, s > 0 ? ", " : "",
                            settings->first_seed + s);
  g_string_append_c (json, ']');
  goban_json_begin (json, "graphs", '[');
  for (guint i = 0; i < rows->len; i++)
    {
      g_string_append (json, i > 0 ? ",\n  {" : "\n  {");
      append_row (json, g_ptr_array_index (rows, i));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "\n ],\n ");
  append_means (json, rows);
  g_string_append (json, "}\n");
  return g_string_free (json, FALSE);
}

/* --- CSV ----------------------------------------------------------------------------------- */

static void
append_field (GString *csv, const char *text)
{
  if (csv->len > 0 && csv->str[csv->len - 1] != '\n')
    g_string_append_c (csv, ',');
  goban_csv_append_text (csv, text);
}

/* Nothing if there is no number. */
static void
append_number (GString *csv, double value)
{
  Text text;

  append_field (csv, isfinite (value) ? goban_format_double (text, value) : "");
}

static void
append_whole_field (GString *csv, guint64 value)
{
  g_string_append_printf (csv, ",%" G_GUINT64_FORMAT, value);
}

static void
append_csv_line (GString *csv, const GobanBenchRow *row, guint policy, guint seed)
{
  const GobanBenchSettings *settings = row->settings;
  const GobanBenchCell *cell = goban_bench_row_get_cell (row, policy, seed);
  guint64 best = goban_bench_cell_get_best_evaluation (cell);
  g_autofree char *tasks = goban_tasks_to_text (settings->decisions);
  const char *fusion = goban_fusing_get_word (settings->fusing);

  append_field (csv, row->graph->name);
  append_field (csv, row->graph->graph);
  append_field (csv, goban_suite_task_names[settings->task]);
  append_field (csv, tasks);
  append_field (csv, fusion != NULL ? fusion : "");
  append_field (csv, row->cluster);
  append_whole_field (csv, row->n_nodes);
  append_field (csv, row->settings->policies[policy]);
  append_whole_field (csv, settings->first_seed + seed);
  append_field (csv, goban_cell_state_names[cell->state]);
  append_number (csv, cell->makespan_us);
  append_number (csv, row->bound_us);
  append_number (csv, cell->proven_bound_us > 0 ? cell->proven_bound_us : (double) NAN);
  for (guint m = GOBAN_METRIC_RATIO_TO_EXPERT; m <= GOBAN_METRIC_RATIO_TO_BOUND; m++)
    append_number (csv, goban_bench_row_get_ratio (row, policy, seed, m));
  append_whole_field (csv, cell->evaluations);
  append_number (csv, best > 0 ? (double) best : (double) NAN);
  append_number (csv, cell->seconds);
  append_field (csv, cell->why);
  g_string_append_c (csv, '\n');
}

char *
goban_bench_to_csv (const GPtrArray *rows)
{
  const GobanBenchSettings *settings = settings_of (rows);
  GString *csv = g_string_new ("name,graph,task,tasks,fusion,cluster,nodes,policy,seed,state,"
                               "makespan_us,"
                               "bound_us,proven_bound_us,ratio_to_expert,ratio_to_best,"
                               "ratio_to_bound,evaluations,best_evaluation,seconds,why\n");

  for (guint i = 0; i < rows->len; i++)
    for (guint p = 0; p < settings->n_policies; p++)
      for (guint s = 0; s < settings->n_seeds; s++)
        append_csv_line (csv, g_ptr_array_index (rows, i), p, s);
  return g_string_free (csv, FALSE);
}
