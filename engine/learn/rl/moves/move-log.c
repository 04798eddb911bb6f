#include "engine/learn/rl/moves/move-log.h"

#include "engine/learn/policy/decision-log-writer.h"

#include <math.h>

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
      = goban_decision_log_new (goban_plan_get_n_nodes (plan), GOBAN_TASKS_DEFAULT);
  g_autofree guint32 *devices = dup_devices (plan);
  guint32 *choices[GOBAN_N_TASKS] = { [GOBAN_TASK_PLACEMENT] = devices };

  goban_decision_log_begin (log, choices, outcome);
  return log;
}

/* A step under construction: nodes of changes are offsets until all changes are added. */
typedef struct
{
  const guint32 *had;     /* (n_nodes) devices before it */
  const guint32 *devices; /* (n_nodes) after it */
  guint n_nodes;
  GArray *changes; /* of GobanLogChange */
  GArray *nodes;   /* of GobanNodeId */
} Draft;

/* Adds the change of all nodes that move as @first does, unless an earlier node did. */
static void
add_change (Draft *self, GobanNodeId first)
{
  GobanLogChange change = { .task = GOBAN_TASK_PLACEMENT,
                                 .row = self->devices[first],
                                 .from = self->had[first],
                                 .to = self->devices[first],
                                 .probability = (float) NAN,
                                 .entropy = (float) NAN };

  for (guint c = 0; c < self->changes->len; c++)
    {
      const GobanLogChange *known = &g_array_index (self->changes, GobanLogChange, c);

      if (known->from == change.from && known->to == change.to)
        return;
    }
  for (GobanNodeId v = first; v < self->n_nodes; v++)
    if (self->had[v] == change.from && self->devices[v] == change.to)
      {
        g_array_append_val (self->nodes, v);
        change.n_nodes++;
      }
  g_array_append_val (self->changes, change);
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const GobanLogChange *x = a;
  const GobanLogChange *y = b;

  return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                          : (x->from > y->from) - (x->from < y->from);
}

static void
finish (Draft *self, GobanDecisionMove *move)
{
  const GobanNodeId *nodes = (const GobanNodeId *) (gpointer) self->nodes->data;

  for (guint c = 0; c < self->changes->len; c++)
    {
      GobanLogChange *change = &g_array_index (self->changes, GobanLogChange, c);

      change->nodes = nodes;
      nodes += change->n_nodes;
    }
  g_array_sort (self->changes, compare_changes);
  move->changes = (const GobanLogChange *) (gpointer) self->changes->data;
  move->n_changes = self->changes->len;
}

void
goban_move_log_add (GobanDecisionLog *log, guint n_learned, guint64 evaluation,
                    const GobanPlan *plan, GobanOutcome outcome)
{
  guint n_steps = goban_decision_log_get_n_steps (log);
  g_autofree guint32 *had = goban_decision_log_dup_choices (log, GOBAN_TASK_PLACEMENT, n_steps);
  g_autofree guint32 *devices = dup_devices (plan);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (GobanLogChange));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  Draft draft = { had, devices, goban_plan_get_n_nodes (plan), changes, nodes };
  GobanDecisionMove move = { .update = n_learned,
                             .evaluation = evaluation,
                             .after_us = goban_decision_log_get_us (outcome),
                             .n_rows = goban_plan_get_n_devices (plan) };

  for (GobanNodeId v = 0; had != NULL && v < draft.n_nodes; v++)
    if (had[v] != devices[v])
      add_change (&draft, v);
  finish (&draft, &move);
  if (!goban_decision_log_add_known (log, &move))
    g_assert_not_reached (); /* it goes on from the log's own choices */
}
