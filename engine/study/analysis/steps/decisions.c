#include "engine/study/analysis/steps/decisions.h"

#include "engine/study/analysis/steps/record-json.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

const char *
goban_decisions_get_device (GobanRun *run, GobanTask task, guint32 choice)
{
  GobanCluster *cluster = goban_run_get_cluster (run);

  if (task != GOBAN_TASK_PLACEMENT || choice >= goban_cluster_get_n_devices (cluster))
    return NULL;
  return goban_cluster_get_device (cluster, choice)->name;
}

static void
append_chance (GString *json, float value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append (json, isfinite (value) ? goban_format_float (buffer, value) : "null");
}

static void
add_chance (GString *json, const char *key, float value)
{
  goban_json_append_key (json, key);
  append_chance (json, value);
}

/* A device by name, a level by number. */
static void
append_choice (GString *json, GobanRun *run, GobanTask task, guint32 choice)
{
  const char *device = goban_decisions_get_device (run, task, choice);

  if (device != NULL)
    goban_json_append_string (json, device);
  else
    goban_json_append_number (json, choice == GOBAN_NOT_CHOSEN ? (double) NAN : choice);
}

static void
add_choice (GString *json, GobanRun *run, const char *key, GobanTask task, guint32 choice)
{
  goban_json_append_key (json, key);
  append_choice (json, run, task, choice);
}

static void
add_nodes (GString *json, GobanRun *run, const GobanNodeId *nodes, guint n)
{
  goban_json_append_key (json, "nodes");
  g_string_append_c (json, '[');
  for (guint i = 0; i < n; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      goban_json_append_string (json,
                                goban_graph_get_node (goban_run_get_graph (run), nodes[i])->name);
    }
  g_string_append_c (json, ']');
}

/* --- steps ---------------------------------------------------------------------------------- */

static void
append_change (GString *json, GobanRun *run, const GobanLogChange *change)
{
  g_string_append_c (json, '{');
  goban_json_add_string (json, "task", goban_task_get_name (change->task));
  goban_json_add_number (json, "row", change->row);
  add_choice (json, run, "from", change->task, change->from);
  add_choice (json, run, "to", change->task, change->to);
  add_chance (json, "probability", change->probability);
  add_chance (json, "entropy", change->entropy);
  add_nodes (json, run, change->nodes, change->n_nodes);
  g_string_append_c (json, '}');
}

static void
append_step (GString *json, GobanRun *run, const GobanDecisionMove *move)
{
  g_string_append_c (json, '{');
  goban_json_add_number (json, "update", move->update);
  goban_json_add_number (json, "evaluation", (double) move->evaluation);
  goban_json_add_number (json, "before_us", move->before_us);
  goban_json_add_number (json, "after_us", move->after_us);
  goban_json_add_number (json, "rows", move->n_rows);
  goban_json_append_key (json, "changes");
  g_string_append_c (json, '[');
  for (guint c = 0; c < move->n_changes; c++)
    {
      g_string_append (json, c > 0 ? ",\n   " : "\n   ");
      append_change (json, run, &move->changes[c]);
    }
  g_string_append (json, "]}");
}

/* --- the last record ------------------------------------------------------------------------ */

static void
append_decision (GString *json, GobanRun *run, const GobanDecisionStep *step, guint row)
{
  guint A = step->n_actions;
  gsize first = (gsize) row * A;

  g_string_append_c (json, '{');
  if (step->chosen != NULL)
    add_choice (json, run, "chosen", step->task, step->chosen[row]);
  add_chance (json, "entropy", step->entropies[row]);
  goban_json_append_key (json, "probabilities");
  for (guint a = 0; a < A; a++)
    {
      g_string_append (json, a > 0 ? ", " : "[");
      append_chance (json, step->probabilities[first + a]);
    }
  g_string_append_c (json, ']');
  goban_json_append_key (json, "allowed");
  for (guint a = 0; a < A; a++)
    g_string_append_printf (json, "%s%s", a > 0 ? ", " : "[",
                            step->allowed[first + a] ? "true" : "false");
  g_string_append (json, "]}");
}

static void
append_decisions (GString *json, GobanRun *run, const GobanDecisionStep *step, guint n_rows)
{
  g_string_append_c (json, '{');
  goban_json_add_string (json, "task", goban_task_get_name (step->task));
  goban_json_add_number (json, "iteration", step->iteration);
  goban_json_add_number (json, "mean_entropy", step->mean_entropy);
  goban_json_append_key (json, "actions");
  for (guint a = 0; a < step->n_actions; a++)
    {
      g_string_append (json, a > 0 ? ", " : "[");
      append_choice (json, run, step->task, a);
    }
  g_string_append_c (json, ']');
  goban_json_append_key (json, "rows");
  g_string_append_c (json, '[');
  for (guint n = 0; n < n_rows; n++)
    {
      g_string_append (json, n > 0 ? ",\n   " : "\n   ");
      append_decision (json, run, step, n);
    }
  g_string_append (json, "]}");
}

static void
append_record (GString *json, GobanRun *run, const GobanDecisionRecord *record)
{
  guint n_rows = goban_decision_record_get_n_rows (record);

  g_string_append_c (json, '{');
  goban_json_append_key (json, "rows");
  g_string_append_c (json, '[');
  for (guint row = 0; row < n_rows; row++)
    {
      guint n;
      const GobanNodeId *nodes = goban_decision_record_get_nodes (record, row, &n);

      g_string_append (json, row > 0 ? ",\n  {" : "\n  {");
      add_nodes (json, run, nodes, n);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
  goban_json_append_key (json, "decisions");
  g_string_append_c (json, '[');
  for (guint s = 0; s < goban_decision_record_get_n_steps (record); s++)
    {
      g_string_append (json, s > 0 ? ",\n  " : "\n  ");
      append_decisions (json, run, goban_decision_record_get_step (record, s), n_rows);
    }
  g_string_append (json, "]}");
}

/* --- whole ---------------------------------------------------------------------------------- */

/* An object with graph, cluster, policy, and for a log tasks, start_us, folded, steps[] and last,
 * for a record choices, plans, table and reason, as documented in the man page. %NULL without
 * either. (transfer full) (nullable) */
static char *
make_json (GobanRun *run)
{
  const GobanDecisionLog *log = goban_run_get_log (run);
  const GobanDecisionRecord *record = log != NULL ? goban_decision_log_get_record (log) : NULL;
  g_autoptr (GString) json = g_string_new ("{");
  g_autofree char *tasks = NULL;

  if (log == NULL)
    return goban_record_to_json (run);
  tasks = goban_tasks_to_text (goban_decision_log_get_decisions (log));
  goban_json_add_string (json, "graph", goban_graph_get_name (goban_run_get_graph (run)));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (goban_run_get_cluster (run)));
  goban_json_add_string (json, "policy", goban_run_get_name (run));
  goban_json_add_string (json, "tasks", tasks);
  goban_json_add_number (json, "start_us", goban_decision_log_get_start_us (log));
  goban_json_add_number (json, "folded", goban_decision_log_get_n_folded (log));
  goban_json_append_key (json, "steps");
  g_string_append_c (json, '[');
  for (guint s = 0; s < goban_decision_log_get_n_steps (log); s++)
    {
      g_string_append (json, s > 0 ? ",\n  " : "\n  ");
      append_step (json, run, goban_decision_log_get_step (log, s));
    }
  g_string_append (json, "],\n ");
  goban_json_append_key (json, "last");
  if (record != NULL)
    append_record (json, run, record);
  else
    g_string_append (json, "null");
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

gboolean
goban_decisions_save (GobanRun *run, const char *path, GError **error)
{
  g_autofree char *json = make_json (run);

  if (json == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s has recorded no decisions: a policy's run does, a plan made by hand or "
                       "read from a file does not",
                       goban_run_get_name (run));
      return FALSE;
    }
  return goban_file_write (path, json, strlen (json), error);
}
