#include "engine/rl/move-log.h"

#include <string.h>

static guint32 *
dup_devices (const GobanPlan *plan)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  guint32 *devices = g_new (guint32, n_nodes + 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    devices[v] = goban_plan_get_device (plan, v);
  return devices;
}

GobanDecisionLog *
goban_move_log_new (const GobanPlan *plan, GobanOutcome outcome)
{
  GobanDecisionLog *log
      = goban_decision_log_new (goban_plan_get_n_nodes (plan), GOBAN_DECISIONS_DEFAULT);
  g_autofree guint32 *devices = dup_devices (plan);
  guint32 *choices[GOBAN_N_DECISIONS] = { [GOBAN_DECIDE_PLACEMENT] = devices };

  goban_decision_log_begin (log, choices, outcome);
  return log;
}

/* Rows by their devices before and now. row_of (n_nodes); returns (element-type guint32): the device of each row. */
static GArray *
find_rows (const guint32 *had, const guint32 *devices, guint n_nodes, guint32 *row_of)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) rows = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint v = 0; v < n_nodes; v++)
    {
      guint64 key = (guint64) had[v] << 32 | devices[v];
      gpointer row = g_hash_table_lookup (rows, &key); /* from 1 */

      if (row == NULL)
        {
          g_array_append_val (chosen, devices[v]);
          row = GUINT_TO_POINTER (chosen->len);
          g_hash_table_insert (rows, g_memdup2 (&key, sizeof key), row);
        }
      row_of[v] = GPOINTER_TO_UINT (row) - 1;
    }
  return chosen;
}

void
goban_move_log_add (GobanDecisionLog *log, guint n_learned, guint64 evaluation,
                    const GobanPlan *plan, GobanOutcome outcome)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  guint D = goban_plan_get_n_devices (plan);
  g_autofree guint32 *had = goban_decision_log_dup_choices (log, GOBAN_DECIDE_PLACEMENT,
                                                            goban_decision_log_get_n_steps (log));
  g_autofree guint32 *devices = dup_devices (plan);
  g_autofree guint32 *row_of = g_new (guint32, n_nodes + 1);
  g_autoptr (GArray) chosen = NULL;
  g_autofree float *chances = NULL;
  g_autoptr (GobanDecisionRecord) record = NULL;
  GobanPlacementView view = { .n_nodes = n_nodes, .n_devices = D, .row_of = row_of };

  if (memcmp (had, devices, n_nodes * sizeof *had) == 0)
    return;
  chosen = find_rows (had, devices, n_nodes, row_of);
  chances = g_new0 (float, (gsize) chosen->len *D);
  for (guint r = 0; r < chosen->len; r++)
    chances[(gsize) r * D + g_array_index (chosen, guint32, r)] = 1;
  view.n_rows = chosen->len;
  view.chances = chances;
  view.chosen = (const guint32 *) (const void *) chosen->data;
  record = goban_decision_record_new_of_placement (&view);
  goban_decision_log_add (log, n_learned, evaluation, outcome, record);
}
