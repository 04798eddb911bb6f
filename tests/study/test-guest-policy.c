#include "engine/study/run/guest-policy.h"

#include "engine/core/error.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

static int owners[2];

static gboolean
place_first (GobanGuestTask *task, gpointer owner, GobanPlan **plan, GError **error)
{
  g_autoptr (GobanGreedyPlan) greedy = goban_guest_task_new_greedy_plan (task);

  for (GobanNodeId v = 0; v < 4; v++)
    if (!goban_greedy_plan_assign (greedy, v, goban_greedy_plan_find_earliest (greedy, v), error))
      return FALSE;
  *plan = goban_greedy_plan_copy_plan (greedy, error);
  return *plan != NULL;
}

/* Tries all on one device, and goes on until it may not. */
static gboolean
search (GobanGuestTask *task, gpointer owner, GobanPlan **plan, GError **error)
{
  g_autoptr (GobanPlan) first = goban_guest_task_new_first_plan (task, error);
  double makespan_us;
  guint n = 0;

  if (first == NULL || !goban_guest_task_evaluate (task, first, &makespan_us, error))
    return FALSE;
  for (; goban_guest_task_go_on (task); n++)
    {
      for (GobanNodeId v = 0; v < 4; v++)
        goban_plan_set_device (first, v, n % 2);
      if (!goban_guest_task_evaluate (task, first, &makespan_us, error))
        return FALSE;
    }
  g_assert_cmpuint (goban_guest_task_get_n_evaluations (task), ==, n + 1);
  return TRUE;
}

static gboolean
make_nothing (GobanGuestTask *task, gpointer owner, GobanPlan **plan, GError **error)
{
  return TRUE;
}

static gboolean
add (const char *name, GobanGuestFunc func, guint64 n, gpointer owner, GError **error)
{
  return goban_guest_policy_add (&(GobanGuestPolicy){ name, "of a test", n, func, owner }, error);
}

static void
test_list (void)
{
  g_autoptr (GError) error = NULL;
  guint version = goban_policies_get_version ();
  GobanPolicyInfo info;

  g_assert_true (add ("guest", place_first, 0, &owners[0], &error));
  g_assert_no_error (error);
  g_assert_cmpuint (goban_policies_get_version (), >, version);
  version = goban_policies_get_version ();
  g_assert_true (add ("guest", place_first, 0, &owners[0], &error));
  g_assert_cmpuint (goban_policies_get_version (), ==, version);
  g_assert_false (add ("guest", place_first, 0, &owners[1], &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (add ("heft", place_first, 0, &owners[0], &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);

  g_assert_true (add ("guest", search, 20, &owners[0], NULL));
  g_assert_true (goban_policy_find ("guest", &info, NULL));
  g_assert_cmpstr (info.effort, ==, "search");
  g_assert_true (info.has_start);
  goban_guest_policies_remove (&owners[1]);
  g_assert_true (goban_policy_exists ("guest", NULL));
  goban_guest_policies_remove (&owners[0]);
  g_assert_false (goban_policy_exists ("guest", NULL));
}

static void
test_runs (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e9");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) built = NULL;
  g_autoptr (GobanRun) searched = NULL;
  GobanPlacementChoice choice;
  GobanPlacementRecord *record;

  add ("guest", place_first, 0, &owners[0], NULL);
  built = goban_run_new_from_policy (costs, "guest", NULL, &error);
  g_assert_no_error (error);
  record = goban_run_get_record (built);
  g_assert_cmpuint (goban_placement_record_get_n_choices (record), ==, 4);
  choice = goban_placement_record_get_choice (record, 4);
  g_assert_cmpfloat (choice.candidates[choice.device], ==, choice.finish_us);
  g_assert_cmpfloat (choice.finish_us, ==, (float) goban_run_get_makespan_us (built));

  /* One device takes 220 us, so that the first plan of the search stays the best. */
  add ("guest", search, 20, &owners[0], NULL);
  searched = goban_run_new_from_policy (costs, "guest", &(GobanRunOptions){ .max_evaluations = 7 },
                                        &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_evaluations (searched), ==, 7);
  g_assert_cmpfloat (goban_run_get_makespan_us (searched), <, 220);
  g_assert_cmpuint (goban_placement_record_get_n_plans (goban_run_get_record (searched)), ==, 1);

  add ("guest", make_nothing, 0, &owners[0], NULL);
  g_assert_null (goban_run_new_from_policy (costs, "guest", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  goban_guest_policies_remove (&owners[0]);
}

TEST_PROGRAM (guest_policy)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/guest-policy/list", test_list);
  g_test_add_func ("/run/guest-policy/runs", test_runs);
  return g_test_run ();
}
