/* Steps of GO's decisions: every one is the plan that was simulated then, and a session shows it
 * without changing anything. */
#include "engine/session/session.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/analysis/steps/step.h"

#include "engine/core/error.h"
#include "engine/learn/policy/decision-log-writer.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define CLUSTER "p100x4"

/* A run of GO's on a random graph, with what it may decide and how. */
static GobanRun *
new_run (GobanCostModel *costs, guint64 seed, GobanTasks decisions, const char *settings)
{
  const GobanRunOptions options
      = { .seed = seed, .max_evaluations = 160, .decisions = decisions, .settings = settings };
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, "go", &options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (goban_run_get_log (run));
  return run;
}

static GobanCostModel *
new_costs (guint n_nodes, guint64 seed)
{
  return toy_small_costs (n_nodes, seed, CLUSTER);
}

/* What the log says of a plan is what comes of it. */
static guint
assert_steps (GobanRun *run)
{
  guint n = goban_steps_count (run);

  for (guint s = goban_steps_get_first (run); s <= n; s++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) step = goban_steps_new_run (run, s, &error);
      double said_us = goban_steps_get_makespan_us (run, s);

      g_assert_no_error (error);
      g_assert_cmpuint (goban_steps_count (step), ==, s);
      if (isfinite (said_us))
        g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (step), said_us, 1e-9 * said_us);
      for (guint v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
        {
          guint32 device = goban_steps_get_choice (run, s, GOBAN_TASK_PLACEMENT, v);

          if (device != GOBAN_NOT_CHOSEN)
            g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (step), v), ==, device);
        }
    }
  return n;
}

static void
test_makespans (void)
{
  static const struct
  {
    GobanTasks decisions;
    const char *settings;
  } cases[] = {
    { 0, NULL },
    { 0, "order=fifo" },
    { 0, "order=ranks" },
    { 0, "fuse=default" },
    { 1u << GOBAN_TASK_SCHEDULING, NULL },
    { 1u << GOBAN_TASK_PLACEMENT | 1u << GOBAN_TASK_SCHEDULING, NULL },
    { GOBAN_TASKS_ALL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n_steps = 0;

      for (guint64 seed = 1; seed <= 2; seed++)
        {
          g_autoptr (GobanCostModel) costs = new_costs (60, seed);
          g_autoptr (GobanRun) run = new_run (costs, seed, cases[i].decisions, cases[i].settings);

          n_steps += assert_steps (run);
        }
      g_test_message ("case %u: %u steps", (guint) i, n_steps);
      g_assert_cmpuint (n_steps, >, 0);
    }
}

/* Forward and back, node by node: what a step changed had something else before. */
static void
test_changes (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (60, 5);
  g_autoptr (GobanRun) run = new_run (costs, 3, 0, NULL);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));

  for (guint s = 1; s <= goban_steps_count (run); s++)
    {
      g_autoptr (GobanSelection) changed = goban_steps_dup_changed (run, s, GOBAN_TASK_PLACEMENT);
      g_autofree GobanDeviceId *had = goban_steps_dup_had (run, s);

      for (guint v = 0; v < n_nodes; v++)
        {
          guint32 before = goban_steps_get_choice (run, s - 1, GOBAN_TASK_PLACEMENT, v);
          guint32 after = goban_steps_get_choice (run, s, GOBAN_TASK_PLACEMENT, v);
          guint step;

          g_assert_true (goban_selection_contains (changed, v) == (before != after));
          g_assert_cmpuint (
              had[v], ==, before != after && before != GOBAN_NOT_CHOSEN ? before : GOBAN_NO_DEVICE);
          if (before != after)
            {
              const GobanLogChange *change
                  = goban_steps_find_change (run, s, GOBAN_TASK_PLACEMENT, v, &step);

              g_assert_cmpuint (step, ==, s);
              g_assert_cmpuint (change->to, ==, after);
            }
        }
    }
}

static void
test_refused (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (12, 1);
  g_autoptr (GobanPlan) plan = toy_place (costs, "heft", 1);
  g_autoptr (GobanRun) plain = goban_run_new (costs, plan, "by hand");
  g_autoptr (GobanRun) run = new_run (costs, 1, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *nothing = NULL;

  g_assert_cmpuint (goban_steps_count (plain), ==, 0);
  g_assert_null (goban_steps_new_run (plain, 0, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (goban_steps_new_run (run, goban_steps_count (run) + 1, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  if (goban_steps_get_first (run) == 1)
    {
      g_assert_null (goban_steps_new_run (run, 0, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      nothing = goban_steps_describe (run, 0);
      g_assert_true (strstr (nothing, "nothing was chosen yet") != NULL);
    }
}

/* --- words ---------------------------------------------------------------------------------- */

static GobanDecisionLog *
new_log (guint n_nodes)
{
  static const GobanNodeId first[] = { 0, 1 }, second[] = { 2 };
  guint32 *start[GOBAN_N_TASKS] = { NULL };
  GobanDecisionLog *log = goban_decision_log_new (n_nodes, GOBAN_TASKS_DEFAULT);
  const GobanLogChange one = { GOBAN_TASK_PLACEMENT, 4, 0, 1, 0.625f, 0.5f, first, 2 };
  const GobanLogChange two[] = {
    { GOBAN_TASK_PLACEMENT, 4, 1, 0, 0.5f, 0.25f, first, 1 },
    { GOBAN_TASK_PLACEMENT, 7, 0, 1, 0.25f, 0.75f, second, 1 },
  };
  GobanDecisionMove move = { 1, 5, 0, 598e3, 9, 1, &one };

  start[GOBAN_TASK_PLACEMENT] = g_new0 (guint32, n_nodes);
  goban_decision_log_begin (log, start, (GobanOutcome){ 612e3, 0 });
  g_assert_true (goban_decision_log_add_known (log, &move));
  g_assert_false (goban_decision_log_add_known (log, &move)); /* they have it already */
  move = (GobanDecisionMove){ 2, 9, 0, (double) NAN, 9, 2, two };
  g_assert_true (goban_decision_log_add_known (log, &move));
  g_free (start[GOBAN_TASK_PLACEMENT]);
  return log;
}

static void
test_words (void)
{
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, CLUSTER);
  g_autoptr (GobanPlan) plan = toy_place (costs, "single", 0);
  g_autoptr (GobanDecisionLog) log = new_log (4);
  g_autoptr (GobanDecisionLog) head = goban_decision_log_new_head (log, 1);
  g_autoptr (GobanRun) run
      = goban_run_new_kept (costs, plan, "go", &(GobanRunOrigin){ .log = log });
  static const char *const said[] = {
    "step 0 of 2: the plan it began with, 612 ms",
    "step 1 of 2: 1 row to gpu:1, p 0.62, 612 → 598 ms",
    "step 2 of 2: 1 row to gpu:0, 1 row to gpu:1, mean p 0.38, which lacks memory",
  };

  for (guint s = 0; s < G_N_ELEMENTS (said); s++)
    {
      g_autofree char *text = goban_steps_describe (run, s);

      g_assert_cmpstr (text, ==, said[s]);
    }
  /* Of an earlier step it is known how uncertain those were that had been decided. */
  g_assert_cmpfloat (goban_decision_log_get_entropy (head, GOBAN_TASK_PLACEMENT, 0), ==, 0.5);
  g_assert_cmpfloat (goban_decision_log_get_entropy (log, GOBAN_TASK_PLACEMENT, 0), ==, 0.25);
  g_assert_true (isnan (goban_decision_log_get_entropy (head, GOBAN_TASK_PLACEMENT, 2)));
}

/* --- a session ------------------------------------------------------------------------------ */

static void
count_cb (guint *n)
{
  (*n)++;
}

static void
wait_for_step (GobanSession *session, guint n)
{
  while (goban_steps_count (goban_session_get_shown_run (session)) != n
         || goban_session_get_shown_run (session) == goban_session_get_current_run (session))
    g_main_context_iteration (NULL, TRUE);
}

static void
test_session (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanCostModel) costs = new_costs (60, 5);
  g_autoptr (GobanRun) run = new_run (costs, 3, 0, NULL);
  GobanView *view = goban_session_get_view (session);
  guint n = goban_steps_count (run), n_told = 0;
  GPtrArray *log = (GPtrArray *) goban_session_get_log (session);
  guint first = goban_steps_get_first (run);
  GobanRun *shown;

  g_assert_cmpuint (n, >, first);
  goban_session_add_run (session, run);
  g_assert_true (goban_session_get_shown_run (session) == run);
  g_signal_connect_swapped (session, "notify::shown-run", G_CALLBACK (count_cb), &n_told);
  goban_view_set_step (view, (int) first);
  wait_for_step (session, first);
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_true (goban_session_get_current_run (session) == run);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (session)), ==, 1);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==,
                   first == 1 ? "view.step(1)" : "view.step(0)");

  /* The next one has been made ahead, and the way back is kept. */
  shown = goban_session_get_shown_run (session);
  goban_view_play_step (view, (int) first + 1);
  wait_for_step (session, first + 1);
  goban_view_play_step (view, (int) first);
  g_assert_true (goban_session_get_shown_run (session) == shown);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==,
                   first == 1 ? "view.step(1)" : "view.step(0)");

  goban_view_set_step (view, GOBAN_NO_STEP);
  g_assert_true (goban_session_get_shown_run (session) == run);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==, "view.step()");

  /* Another plan is shown as it is. */
  goban_view_set_step (view, (int) n);
  wait_for_step (session, n);
  goban_session_remove_run (session, run);
  g_assert_cmpint (goban_view_get_step (view), ==, GOBAN_NO_STEP);
  g_assert_null (goban_session_get_shown_run (session));
  goban_session_undo (session);
  g_assert_true (goban_session_get_shown_run (session) == run);
}

/* A step's entropies colour what was decided by then. */
static void
test_entropy (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (60, 5);
  g_autoptr (GobanRun) run = new_run (costs, 3, 0, NULL);
  g_autoptr (GError) error = NULL;
  guint n = goban_steps_count (run);

  for (guint s = goban_steps_get_first (run); s < n; s++)
    {
      g_autoptr (GobanRun) step = goban_steps_new_run (run, s, &error);

      for (guint v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
        {
          guint which;
          const GobanLogChange *change
              = goban_steps_find_change (run, s, GOBAN_TASK_PLACEMENT, v, &which);
          double entropy = goban_decision_log_get_entropy (goban_run_get_log (step),
                                                           GOBAN_TASK_PLACEMENT, v);

          g_assert_true (change != NULL ? entropy == (double) change->entropy : isnan (entropy));
        }
    }
}

TEST_PROGRAM (step)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/step/makespans", test_makespans);
  g_test_add_func ("/analysis/step/changes", test_changes);
  g_test_add_func ("/analysis/step/refused", test_refused);
  g_test_add_func ("/analysis/step/words", test_words);
  g_test_add_func ("/analysis/step/session", test_session);
  g_test_add_func ("/analysis/step/entropy", test_entropy);
  return g_test_run ();
}
