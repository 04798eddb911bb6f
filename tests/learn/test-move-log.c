/* test-move-log.c: steps of a search lead from plan to plan, and a plan that places everything
 * alike is a step without changes. */
#include "engine/learn/rl/moves/move-log.h"

#include "engine/core/rng.h"
#include "engine/learn/policy/decision-log-writer.h"
#include "engine/placers/units.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define N_DEVICES 3

static GobanPlan *
new_plan (const GobanGraph *graph, guint seed)
{
  GobanPlan *plan = goban_plan_new (graph, N_DEVICES);
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (&rng, N_DEVICES));
  return plan;
}

static void
assert_leads_to (const GobanDecisionLog *log, guint n_steps, const GobanPlan *plan)
{
  g_autofree guint32 *devices = goban_decision_log_dup_choices (log, GOBAN_TASK_PLACEMENT, n_steps);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    g_assert_cmpuint (devices[v], ==, goban_plan_get_device (plan, v));
}

/* Each change is logged once, and nothing else. */
static void
assert_changes (const GobanDecisionMove *move, const GobanPlan *before, const GobanPlan *after)
{
  guint n_changed = 0;
  guint n_told = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (before); v++)
    n_changed += goban_plan_get_device (before, v) != goban_plan_get_device (after, v);
  for (guint c = 0; c < move->n_changes; c++)
    {
      const GobanLogChange *change = &move->changes[c];

      g_assert_cmpuint (change->from, !=, change->to);
      g_assert_true (isnan (change->probability) && isnan (change->entropy));
      n_told += change->n_nodes;
      for (guint i = 0; i < change->n_nodes; i++)
        {
          g_assert_cmpuint (goban_plan_get_device (before, change->nodes[i]), ==, change->from);
          g_assert_cmpuint (goban_plan_get_device (after, change->nodes[i]), ==, change->to);
        }
    }
  g_assert_cmpuint (n_told, ==, n_changed);
}

static void
test_steps (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (40, 1);
  g_autoptr (GobanPlan) first = new_plan (graph, 1);
  g_autoptr (GobanPlan) second = new_plan (graph, 2);
  g_autoptr (GobanPlan) third = new_plan (graph, 3);
  g_autoptr (GobanDecisionLog) log
      = goban_move_log_new (first, (GobanOutcome){ .makespan_us = 30 });

  assert_leads_to (log, 0, first);
  g_assert_cmpfloat (goban_decision_log_get_start_us (log), ==, 30);
  goban_move_log_add (log, 0, 4, second, (GobanOutcome){ .makespan_us = 20 });
  goban_move_log_add (log, 3, 7, third, (GobanOutcome){ .makespan_us = 10 });
  g_assert_cmpuint (goban_decision_log_get_n_steps (log), ==, 2);
  assert_leads_to (log, 1, second);
  assert_leads_to (log, 2, third);
  assert_changes (goban_decision_log_get_step (log, 0), first, second);
  assert_changes (goban_decision_log_get_step (log, 1), second, third);
  g_assert_cmpuint (goban_decision_log_get_step (log, 1)->update, ==, 3);
  g_assert_cmpuint (goban_decision_log_get_step (log, 1)->evaluation, ==, 7);
  g_assert_cmpfloat (goban_decision_log_get_step (log, 1)->before_us, ==, 20);
  g_assert_cmpfloat (goban_decision_log_get_step (log, 1)->after_us, ==, 10);
}

/* A better order of the same placement is a gain without changes. */
static void
test_alike (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (40, 1);
  g_autoptr (GobanPlan) plan = new_plan (graph, 1);
  g_autoptr (GobanPlan) same = goban_plan_copy (plan);
  g_autoptr (GobanDecisionLog) log = goban_move_log_new (plan, (GobanOutcome){ .makespan_us = 30 });

  goban_plan_set_priority (same, 0, 5);
  goban_move_log_add (log, 0, 4, same, (GobanOutcome){ .makespan_us = 20 });
  g_assert_cmpuint (goban_decision_log_get_n_steps (log), ==, 1);
  g_assert_cmpuint (goban_decision_log_get_step (log, 0)->n_changes, ==, 0);
  g_assert_cmpuint (goban_decision_log_get_step (log, 0)->evaluation, ==, 4);
  g_assert_cmpfloat (goban_decision_log_get_step (log, 0)->before_us, ==, 30);
  g_assert_cmpfloat (goban_decision_log_get_step (log, 0)->after_us, ==, 20);
  assert_leads_to (log, 1, plan);
}

/* Nothing is chosen before the first step of a log that began without a plan. */
static void
test_first (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (40, 1);
  g_autoptr (GobanPlan) plan = new_plan (graph, 1);
  g_autoptr (GobanDecisionLog) log
      = goban_decision_log_new (goban_graph_get_n_nodes (graph), GOBAN_TASKS_DEFAULT);

  goban_move_log_add (log, 0, 1, plan, (GobanOutcome){ .makespan_us = 20 });
  g_assert_cmpuint (goban_decision_log_get_n_steps (log), ==, 1);
  assert_leads_to (log, 1, plan);
}

TEST_PROGRAM (move_log)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/move-log/steps", test_steps);
  g_test_add_func ("/rl/move-log/alike", test_alike);
  g_test_add_func ("/rl/move-log/first", test_first);
  return g_test_run ();
}
