#include "engine/study/analysis/steps/step.h"

#include "engine/study/analysis/steps/record-step.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/learn/policy/decision-log-writer.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/step-plan.h"

#include <math.h>
#include <string.h>

guint
goban_steps_count (GobanRun *run)
{
  const GobanDecisionLog *log = goban_run_get_log (run);

  return log != NULL ? goban_decision_log_get_n_steps (log) : goban_record_steps_count (run);
}

guint32
goban_steps_get_choice (GobanRun *run, guint n, GobanTask task, GobanNodeId node)
{
  const GobanDecisionLog *log = goban_run_get_log (run);
  guint step;
  const GobanLogChange *change = goban_steps_find_change (run, n, task, node, &step);

  if (change != NULL)
    return change->to;
  if (log == NULL)
    return goban_record_steps_get_choice (run, n, task, node);
  return goban_decision_log_get_start_choice (log, task, node);
}

guint
goban_steps_get_first (GobanRun *run)
{
  const GobanDecisionLog *log = goban_run_get_log (run);

  for (guint k = 0; log != NULL && k < GOBAN_N_TASKS; k++)
    if (goban_tasks_have (goban_decision_log_get_decisions (log), (GobanTask) k)
        && goban_decision_log_get_n_nodes (log) > 0
        && goban_decision_log_get_start_choice (log, (GobanTask) k, 0) == GOBAN_NOT_CHOSEN)
      return 1;
  return goban_record_steps_count (run) > 0;
}

double
goban_steps_get_makespan_us (GobanRun *run, guint n)
{
  const GobanDecisionLog *log = goban_run_get_log (run);

  if (log == NULL)
    return goban_record_steps_get_makespan_us (run, n);
  if (n > goban_decision_log_get_n_steps (log))
    return (double) NAN;
  return n > 0 ? goban_decision_log_get_step (log, n - 1)->after_us
               : goban_decision_log_get_start_us (log);
}

/* (nullable): description of step @n. */
static const GobanDecisionMove *
get_move (GobanRun *run, guint n)
{
  return n > 0 && goban_run_get_log (run) != NULL && n <= goban_steps_count (run)
             ? goban_decision_log_get_step (goban_run_get_log (run), n - 1)
             : NULL;
}

/* --- plans ------------------------------------------------------------------------------------ */

static void
refuse_without_steps (GobanRun *run, GError **error)
{
  const char *reason = goban_steps_get_reason (run);

  if (reason != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s has no steps: %s", goban_run_get_name (run),
                     reason);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s has recorded no decisions",
                     goban_run_get_name (run));
}

GobanRun *
goban_steps_new_run (GobanRun *run, guint n, GError **error)
{
  const GobanDecisionLog *log = goban_run_get_log (run);
  g_autoptr (GobanDecisionLog) head = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree char *name = NULL;

  guint n_steps = goban_steps_count (run);

  if (log == NULL && n_steps == 0)
    {
      refuse_without_steps (run, error);
      return NULL;
    }
  if (n > n_steps || n < goban_steps_get_first (run))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s has no plan at step %u",
                       goban_run_get_name (run), n);
      return NULL;
    }
  if (log == NULL)
    return goban_record_steps_new_run (run, n);
  plan = goban_step_plan_new (goban_run_get_costs (run), goban_run_get_plan (run), log, n, error);
  if (plan == NULL)
    return NULL;
  head = goban_decision_log_new_head (log, n);
  name = g_strdup_printf ("%s, step %u", goban_run_get_name (run), goban_steps_get_number (run, n));
  return goban_run_new_kept (goban_run_get_costs (run), plan, name,
                             &(GobanRunOrigin){ .log = head });
}

typedef struct
{
  GobanRun *run;
  guint n;
} StepWork;

gpointer
goban_steps_new_work (GobanRun *run, guint n)
{
  StepWork *work = g_new (StepWork, 1);

  *work = (StepWork){ goban_run_ref (run), n };
  return work;
}

void
goban_steps_free_work (gpointer data)
{
  StepWork *work = data;

  goban_run_unref (work->run);
  g_free (work);
}

gpointer
goban_steps_work (const GobanProgress *progress, gpointer data, GError **error)
{
  const StepWork *work = data;

  return goban_steps_new_run (work->run, work->n, error);
}

/* --- changes of a step ---------------------------------------------------------------------- */

GobanDeviceId *
goban_steps_dup_had (GobanRun *run, guint n)
{
  const GobanDecisionMove *move = get_move (run, n);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  GobanDeviceId *had = g_new (GobanDeviceId, MAX (n_nodes, 1));

  for (guint v = 0; v < n_nodes; v++)
    had[v] = GOBAN_NO_DEVICE;
  if (goban_record_steps_count (run) > 0)
    goban_record_steps_fill_had (run, n, had);
  for (guint c = 0; move != NULL && c < move->n_changes; c++)
    {
      const GobanLogChange *change = &move->changes[c];

      for (guint i = 0; change->task == GOBAN_TASK_PLACEMENT && change->from != GOBAN_NOT_CHOSEN
                        && i < change->n_nodes;
           i++)
        had[change->nodes[i]] = (GobanDeviceId) change->from;
    }
  return had;
}

GobanSelection *
goban_steps_dup_changed (GobanRun *run, guint n, GobanTask task)
{
  const GobanDecisionMove *move = get_move (run, n);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  if (goban_record_steps_count (run) > 0)
    return goban_record_steps_dup_changed (run, n, task);
  for (guint c = 0; move != NULL && c < move->n_changes; c++)
    if ((task == GOBAN_N_TASKS || task == move->changes[c].task) && move->changes[c].n_nodes > 0)
      g_array_append_vals (nodes, move->changes[c].nodes, move->changes[c].n_nodes);
  return goban_selection_new ((const GobanNodeId *) (gpointer) nodes->data, nodes->len);
}

static gboolean
has_node (const GobanLogChange *change, GobanNodeId node)
{
  for (guint i = 0; i < change->n_nodes; i++)
    if (change->nodes[i] == node)
      return TRUE;
  return FALSE;
}

const GobanLogChange *
goban_steps_find_change (GobanRun *run, guint n, GobanTask task, GobanNodeId node, guint *step)
{
  for (guint s = goban_run_get_log (run) != NULL ? MIN (n, goban_steps_count (run)) : 0;
       s > 0; s--)
    {
      const GobanDecisionMove *move = get_move (run, s);

      for (guint c = 0; c < move->n_changes; c++)
        if (move->changes[c].task == task && has_node (&move->changes[c], node))
          {
            *step = s;
            return &move->changes[c];
          }
    }
  return NULL;
}

/* --- words ---------------------------------------------------------------------------------- */

guint
goban_steps_get_number (GobanRun *run, guint n)
{
  const GobanDecisionLog *log = goban_run_get_log (run);

  return n
         + (log != NULL ? goban_decision_log_get_n_folded (log)
                        : goban_record_steps_get_n_folded (run));
}

/* Rows of a step that go the same way. */
typedef struct
{
  GobanTask task;
  guint32 to;
  guint32 last_row;
  guint n_rows;
} Way;

/* (element-type Way), in the order in which they are met: a row that had two things is one row. */
static GArray *
list_ways (const GobanDecisionMove *move)
{
  GArray *ways = g_array_new (FALSE, FALSE, sizeof (Way));

  for (guint c = 0; c < move->n_changes; c++)
    {
      const GobanLogChange *change = &move->changes[c];
      Way *way = NULL;

      for (guint i = 0; i < ways->len && way == NULL; i++)
        {
          Way *known = &g_array_index (ways, Way, i);

          if (known->task == change->task && known->to == change->to)
            way = known;
        }
      if (way == NULL)
        {
          g_array_append_val (ways, ((Way){ change->task, change->to, GOBAN_NOT_CHOSEN, 0 }));
          way = &g_array_index (ways, Way, ways->len - 1);
        }
      way->n_rows += way->last_row != change->row;
      way->last_row = change->row;
    }
  return ways;
}

static int
compare_ways (gconstpointer a, gconstpointer b)
{
  const Way *x = a;
  const Way *y = b;

  if (x->n_rows != y->n_rows)
    return x->n_rows > y->n_rows ? -1 : 1;
  if (x->task != y->task)
    return (int) x->task - (int) y->task;
  return (x->to > y->to) - (x->to < y->to);
}

#define MOST_WAYS 3

static void
append_way (GString *text, GobanRun *run, const Way *way)
{
  GobanCluster *cluster = goban_run_get_cluster (run);

  g_string_append_printf (text, goban_i18n_get_plural ("%u row to ", "%u rows to ", way->n_rows),
                          way->n_rows);
  if (way->task == GOBAN_TASK_PLACEMENT && way->to < goban_cluster_get_n_devices (cluster))
    g_string_append (text, goban_cluster_get_device (cluster, (GobanDeviceId) way->to)->name);
  else
    g_string_append_printf (text, _ ("%s level %u"), _ (goban_task_get_name (way->task)), way->to);
}

static void
append_ways (GString *text, GobanRun *run, const GobanDecisionMove *move)
{
  g_autoptr (GArray) ways = list_ways (move);
  guint n_rest = 0;

  g_array_sort (ways, compare_ways);
  for (guint i = 0; i < ways->len; i++)
    if (i < MOST_WAYS || ways->len == MOST_WAYS + 1)
      {
        g_string_append (text, i > 0 ? ", " : "");
        append_way (text, run, &g_array_index (ways, Way, i));
      }
    else
      n_rest += g_array_index (ways, Way, i).n_rows;
  if (n_rest > 0)
    g_string_append_printf (text, _ (", %u more elsewhere"), n_rest);
  if (ways->len == 0)
    g_string_append (text, isfinite (move->after_us) && move->after_us < move->before_us
                               ? _ ("another order of the ops")
                               : _ ("nothing changed"));
}

/* The mean over the drawn rows, each counted once. */
static void
append_chance (GString *text, const GobanDecisionMove *move)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  double sum = 0;
  guint n = 0;

  for (guint c = 0; c < move->n_changes; c++)
    if (c == 0 || move->changes[c].row != move->changes[c - 1].row
        || move->changes[c].task != move->changes[c - 1].task)
      {
        sum += (double) move->changes[c].probability;
        n++;
      }
  if (n > 0 && isfinite (sum))
    g_string_append_printf (
        text, n > 1 ? _ (", mean p %s") : ", p %s",
        sum / n < 0.005 ? "< 0.01" : g_ascii_formatd (digits, sizeof digits, "%.2f", sum / n));
}

/* ", 612 → 598 ms": a unit that both have stands once. */
static void
append_makespans (GString *text, double before_us, double after_us)
{
  char before[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN];
  const char *unit_before = strchr (goban_format_time (before, before_us), ' ');
  const char *unit_after = strchr (goban_format_time (after, after_us), ' ');
  gboolean is_same = unit_before != NULL && g_strcmp0 (unit_before, unit_after) == 0;
  int length = is_same ? (int) (unit_before - before) : (int) strlen (before);

  g_string_append_printf (text, ", %.*s → %s", length, before, after);
}

char *
goban_steps_describe (GobanRun *run, guint n)
{
  guint n_steps = goban_steps_count (run);
  const GobanDecisionMove *move = get_move (run, n);
  GString *text = g_string_new (NULL);
  char number[GOBAN_QUANTITY_LEN], total[GOBAN_QUANTITY_LEN], after[GOBAN_QUANTITY_LEN];
  double after_us = goban_steps_get_makespan_us (run, n);
  gboolean is_of_record = goban_record_steps_count (run) > 0;

  g_string_append_printf (text, _ ("step %s of %s: "),
                          goban_format_grouped (number, goban_steps_get_number (run, n)),
                          goban_format_grouped (total, goban_steps_get_number (run, n_steps)));
  if (is_of_record)
    goban_record_steps_append (text, run, n);
  else if (move == NULL)
    g_string_append (text, n < goban_steps_get_first (run) ? _ ("nothing was chosen yet")
                                                           : _ ("the plan it began with"));
  else
    {
      append_ways (text, run, move);
      append_chance (text, move);
    }
  if (is_of_record && goban_steps_are_choices (run))
    return g_string_free (text, FALSE);
  if (is_of_record && isfinite (goban_record_steps_get_before_us (run, n)))
    append_makespans (text, goban_record_steps_get_before_us (run, n), after_us);
  else if (!isfinite (after_us))
    g_string_append (text, is_of_record || move != NULL ? _ (", which lacks memory") : "");
  else if (move != NULL && isfinite (move->before_us))
    append_makespans (text, move->before_us, after_us);
  else
    g_string_append_printf (text, ", %s", goban_format_time (after, after_us));
  return g_string_free (text, FALSE);
}
