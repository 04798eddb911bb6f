#include "engine/rl/move-log.h"

#include "engine/policy/decision-log-writer.h"
#include "engine/policy/decision-record-new.h"

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

static GobanDecisionRecord *
new_record (const guint32 *devices, guint n_nodes, guint n_devices)
{
  g_autofree float *chances = g_new0 (float, (gsize) n_devices *n_devices);
  g_autofree guint32 *chosen = g_new (guint32, n_devices);
  const GobanPlacementView view = { .n_rows = n_devices,
                                    .n_nodes = n_nodes,
                                    .n_devices = n_devices,
                                    .row_of = devices,
                                    .chances = chances,
                                    .chosen = chosen };

  for (guint d = 0; d < n_devices; d++)
    {
      chances[(gsize) d * n_devices + d] = 1;
      chosen[d] = d;
    }
  return goban_decision_record_new_of_placement (&view);
}

void
goban_move_log_add (GobanDecisionLog *log, guint n_learned, guint64 evaluation,
                    const GobanPlan *plan, GobanOutcome outcome)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  guint n_steps = goban_decision_log_get_n_steps (log);
  g_autofree guint32 *had = goban_decision_log_dup_choices (log, GOBAN_DECIDE_PLACEMENT, n_steps);
  g_autofree guint32 *devices = dup_devices (plan);
  g_autoptr (GobanDecisionRecord) record = NULL;

  if (memcmp (had, devices, n_nodes * sizeof *had) == 0)
    return;
  record = new_record (devices, n_nodes, goban_plan_get_n_devices (plan));
  goban_decision_log_add (log, n_learned, evaluation, outcome, record);
}
