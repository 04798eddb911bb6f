/* Steps of policies that have no decision log: choices of one node after another, and plans of
 * searches. */
#include "engine/session/session.h"
#include "engine/study/analysis/steps/record-step.h"
#include "engine/study/analysis/steps/step.h"

#include "engine/core/error.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanRun *
new_run (GobanCostModel *costs, const char *policy, GobanFusing fusing)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 150, .fusing = fusing };
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, policy, &options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (goban_run_get_record (run));
  g_assert_null (goban_run_get_log (run));
  return run;
}

static GobanRun *
new_step (GobanRun *run, guint n)
{
  g_autoptr (GError) error = NULL;
  GobanRun *step = goban_steps_new_run (run, n, &error);

  g_assert_no_error (error);
  return step;
}

static guint
count (GobanSelection *selection)
{
  guint n;

  goban_selection_get_ids (selection, &n);
  goban_selection_unref (selection);
  return n;
}

/* Step by step one choice more, none taken back. */
static void
check_choices (GobanRun *run)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  guint n = goban_steps_count (run);
  guint n_decided = 0;

  g_assert_cmpuint (goban_steps_get_first (run), ==, 1);
  for (guint s = 1; s <= n; s++)
    {
      g_autoptr (GobanRun) step = new_step (run, s);
      g_autofree GobanOpSpan *spans = goban_steps_dup_spans (run, s);
      g_autofree guint8 *states = g_malloc (n_nodes);
      guint n_of[GOBAN_N_NODE_STATES] = { 0 };
      guint n_changed = count (goban_steps_dup_changed (step, s, GOBAN_N_TASKS));
      double end_us = 0;

      goban_steps_compute_states (step, s, states);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        n_of[states[v]]++;
      g_assert_cmpuint (n_of[GOBAN_NODE_DONE], ==, n_decided);
      g_assert_cmpuint (n_of[GOBAN_NODE_RUNNING], ==, n_changed);
      n_decided += n_changed;
      g_assert_cmpuint (goban_steps_count (step), ==, s);
      g_assert_cmpuint (count (goban_steps_dup_undecided (step, s)), ==, n_nodes - n_decided);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        {
          gboolean is_decided = goban_steps_is_decided (run, s, v);
          guint32 device = goban_steps_get_choice (run, s, GOBAN_TASK_PLACEMENT, v);

          g_assert_true (is_decided == goban_steps_is_decided (step, s, v));
          g_assert_cmpuint (device, ==,
                            is_decided ? goban_plan_get_device (goban_run_get_plan (run), v)
                                       : GOBAN_NOT_CHOSEN);
          if (spans == NULL)
            continue;
          g_assert_true (is_decided == isfinite (spans[v].start_us));
          if (is_decided)
            end_us = MAX (end_us, spans[v].finish_us);
        }
      if (spans != NULL && end_us > 0)
        g_assert_cmpfloat (end_us, ==, goban_steps_get_makespan_us (run, s));
    }
  g_assert_cmpuint (n_decided, ==, n_nodes);
}

static void
test_choices_come_one_by_one (void)
{
  static const char *const policies[]
      = { "heft",   "cpop",   "etf",    "critical-path", "m-etf",  "m-sct",
          "m-topo", "single", "expert", "tf-default",    "random", "round-robin" };

  for (guint seed = 0; seed < 3; seed++)
    for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
      {
        g_autoptr (GobanGraph) graph = toy_mixed (20 + seed, seed);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
        g_autoptr (GobanRun) run = new_run (costs, policies[i], GOBAN_FUSE_AS_IS);

        g_assert_true (goban_steps_are_choices (run));
        check_choices (run);
      }
}

static void
test_words_of_a_choice (void)
{
  g_autoptr (GobanGraph) graph = toy_topcuoglu ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_TOPCUOGLU_CLUSTER);
  g_autoptr (GobanRun) run = new_run (costs, "heft", GOBAN_FUSE_AS_IS);
  g_autofree char *first = goban_steps_describe (run, 1);
  g_autofree char *why = goban_steps_explain (run, 1, 0);

  g_assert_cmpstr (first, ==, "step 1 of 10: T1 to P3, finish 9 µs, upward rank 108 µs");
  g_assert_cmpstr (why, ==,
                   "step 1: T1 to P3, finish 9 µs, upward rank 108 µs; P1: finish 14 µs; P2: "
                   "finish 16 µs");
  g_assert_null (goban_steps_explain (run, 1, 5));
  g_assert_cmpfloat (goban_steps_get_makespan_us (run, 10), ==, 80);
}

/* Every step is the plan that was simulated then, and what it says changed did. */
static void
check_plans (GobanRun *run)
{
  guint n = goban_steps_count (run);
  g_autoptr (GobanRun) before = NULL;

  for (guint s = 1; s <= n; s++)
    {
      g_autoptr (GobanRun) step = new_step (run, s);
      double said_us = goban_steps_get_makespan_us (run, s);
      g_autofree GobanDeviceId *had = goban_steps_dup_had (run, s);
      g_autofree char *text = goban_steps_describe (run, s);
      guint n_moved = count (goban_steps_dup_changed (run, s, GOBAN_TASK_PLACEMENT));

      g_assert_cmpuint (goban_steps_count (step), ==, s);
      if (isfinite (said_us))
        g_assert_cmpfloat (goban_run_get_makespan_us (step), ==, said_us);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
        {
          GobanDeviceId device = goban_plan_get_device (goban_run_get_plan (step), v);
          GobanDeviceId old
              = before != NULL ? goban_plan_get_device (goban_run_get_plan (before), v) : device;

          g_assert_cmpuint (had[v], ==, old != device ? old : GOBAN_NO_DEVICE);
          n_moved -= old != device || before == NULL;
        }
      g_assert_cmpuint (n_moved, ==, 0);
      g_assert_true (g_str_has_prefix (text, "step "));
      goban_run_set (&before, step);
    }
  g_assert_true (toy_plans_are_same (goban_run_get_plan (before), goban_run_get_plan (run)));
}

static void
test_plans_of_searches (void)
{
  static const char *const policies[]
      = { "anneal", "local-search", "cells", "post", "brkga", "regal", "hdp", "placeto", "exact" };

  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (30, i, "p100x4");
      g_autoptr (GobanRun) run = new_run (costs, policies[i], GOBAN_FUSE_AS_IS);

      g_assert_cmpuint (goban_steps_count (run), >, 0);
      g_assert_false (goban_steps_are_choices (run));
      g_assert_null (goban_steps_dup_spans (run, 1));
      check_plans (run);
    }
}

static void
test_policies_without_steps (void)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (30, 1, "p100x4");
  g_autoptr (GobanRun) run = new_run (costs, "metis", GOBAN_FUSE_AS_IS);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (goban_steps_count (run), ==, 0);
  g_assert_nonnull (strstr (goban_steps_get_reason (run), "METIS"));
  g_assert_null (goban_steps_new_run (run, 1, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "at once"));
}

static void
wait_for_step (GobanSession *session, guint step)
{
  while (goban_steps_count (goban_session_get_shown_run (session)) != step)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_session_shows_choices (void)
{
  g_autoptr (GobanGraph) graph = toy_topcuoglu ();
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_TOPCUOGLU_CLUSTER);
  g_autoptr (GobanRun) run = new_run (costs, "heft", GOBAN_FUSE_AS_IS);
  GobanView *view = goban_session_get_view (session);

  goban_session_set_graph (session, graph, NULL);
  session_set_cluster (session, goban_cost_model_get_cluster (costs));
  goban_session_add_run (session, run);
  goban_view_set_step (view, 4);
  wait_for_step (session, 4);
  g_assert_cmpuint (count (goban_steps_dup_undecided (goban_session_get_shown_run (session), 4)),
                    ==, 6);
  goban_view_set_step (view, 5);
  wait_for_step (session, 5);
  goban_view_set_step (view, GOBAN_NO_STEP);
  g_assert_true (goban_session_get_shown_run (session) == goban_session_get_current_run (session));
}

TEST_PROGRAM (record_step)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/record-step/choices-come-one-by-one", test_choices_come_one_by_one);
  g_test_add_func ("/analysis/record-step/words-of-a-choice", test_words_of_a_choice);
  g_test_add_func ("/analysis/record-step/plans-of-searches", test_plans_of_searches);
  g_test_add_func ("/analysis/record-step/policies-without-steps", test_policies_without_steps);
  g_test_add_func ("/analysis/record-step/session-shows-choices", test_session_shows_choices);
  return g_test_run ();
}
