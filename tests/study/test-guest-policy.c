#include "engine/study/run/guest-policy.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/learn/roster.h"
#include "engine/placers/placer.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/decisions-check.h"
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
  GobanOutcome outcome;
  guint n = 0;

  if (first == NULL || !goban_guest_task_evaluate (task, first, &outcome, error))
    return FALSE;
  for (; goban_guest_task_go_on (task); n++)
    {
      for (GobanNodeId v = 0; v < 4; v++)
        goban_plan_set_device (first, v, n % 2);
      if (!goban_guest_task_evaluate (task, first, &outcome, error))
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
  return goban_guest_policy_add (&(GobanGuestPolicy){ .name = name,
                                                      .blurb = "of a test",
                                                      .source = "a test",
                                                      .default_evaluations = n,
                                                      .place = func,
                                                      .owner = owner },
                                 error);
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
  GobanDecisions *decisions;
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;

  add ("guest", place_first, 0, &owners[0], NULL);
  built = goban_run_new_from_policy (costs, "guest", NULL, &error);
  g_assert_no_error (error);
  decisions = goban_run_get_decisions (built);
  g_assert_cmpuint (goban_decisions_get_n_moments (decisions), ==, 4);
  g_assert_true (goban_decisions_get (decisions, 4, &room, &decision));
  g_assert_cmpfloat (decision.scores[decision.chosen], ==, decision.finish_us);
  g_assert_cmpfloat (decision.finish_us, ==, (float) goban_run_get_makespan_us (built));
  goban_decision_room_clear (&room);

  /* One device takes 220 us, so that the first plan of the search stays the best. */
  add ("guest", search, 20, &owners[0], NULL);
  searched = goban_run_new_from_policy (costs, "guest", &(GobanRunOptions){ .max_evaluations = 7 },
                                        &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (searched)->evaluations, ==, 7);
  g_assert_cmpfloat (goban_run_get_makespan_us (searched), <, 220);
  g_assert_cmpuint (goban_run_get_origin (searched)->improvements->len, ==, 1);

  add ("guest", make_nothing, 0, &owners[0], NULL);
  g_assert_null (goban_run_new_from_policy (costs, "guest", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  goban_guest_policies_remove (&owners[0]);
}

/* Draws a device of those that fit; owners[0]: how many nodes it then puts elsewhere. */
static gboolean
place_by_lot (GobanGuestTask *task, gpointer owner, GobanPlan **plan, GError **error)
{
  g_autoptr (GobanGreedyPlan) greedy = goban_guest_task_new_greedy_plan (task);
  const GobanGraph *graph = goban_cost_model_get_graph (task->costs);
  const int *n_elsewhere = owner;
  GobanRng rng;

  goban_rng_init (&rng, task->seed);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanDeviceId device = (GobanDeviceId) goban_rng_below (&rng, 3);

      if (!goban_greedy_plan_fits (greedy, v, device))
        device = goban_greedy_plan_find_earliest (greedy, v);
      if (!goban_greedy_plan_assign (greedy, v, device, error))
        return FALSE;
    }
  *plan = goban_greedy_plan_copy_plan (greedy, error);
  for (GobanNodeId v = 0; *plan != NULL && (int) v < *n_elsewhere; v++)
    goban_plan_set_priority (*plan, v, goban_plan_get_priority (*plan, v) + 1);
  return *plan != NULL;
}

/* (transfer full): the plan of the guest, and its record. */
static GobanPlan *
place (GobanCostModel *costs, const GobanDecisionsOptions *writing, GobanDecisions **decisions)
{
  GobanDecisionsWriter *writer = writing != NULL ? goban_decisions_writer_new (writing) : NULL;
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = goban_placer_place (goban_roster_find ("guest", NULL), costs,
                                        &(GobanPlacerOptions){ .seed = 3, .decisions = writer },
                                        &(guint64){ 0 }, &error);

  g_assert_no_error (error);
  g_assert_null (goban_decisions_writer_get_problem (writer));
  *decisions = goban_decisions_writer_end (writer);
  return plan;
}

/* Forces each option of a moment that has some. */
static void
force (GobanCostModel *costs, const GobanDecisionsOptions *plain, GobanDecisions *expected,
       GobanMoment moment, const GobanPlan *final)
{
  GobanDecisionsOptions writing = *plain;
  GobanDecision decision;

  g_assert_true (goban_decisions_get (expected, moment, NULL, &decision));
  if ((decision.flags & GOBAN_DECISION_CARRIED) != 0)
    g_assert_cmpuint (decision.n_options, ==, 0);
  writing.moment = moment;
  writing.expected = expected;
  for (writing.option = 0; writing.option < decision.n_options; writing.option++)
    {
      g_autoptr (GobanDecisions) forced = NULL;
      g_autoptr (GobanPlan) plan = NULL;

      if (decision.refusals != NULL
          && (decision.refusals[writing.option] & (GOBAN_REFUSAL_CANNOT_RUN | GOBAN_REFUSAL_GROUP))
                 != 0)
        continue;
      plan = place (costs, &writing, &forced);
      check_decisions (costs, plan, forced);
      g_assert_cmpuint (goban_plan_get_device (plan, decision.nodes[0]), ==, writing.option);
      g_assert_true (writing.option != decision.chosen
                     || goban_settling_digest_plan (plan) == goban_settling_digest_plan (final));
    }
}

static void
test_decisions (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (40, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  const GobanDecisionsOptions plain = { .n_nodes = n_nodes, .n_devices = 3 };

  g_assert_true (add ("guest", place_by_lot, 0, &owners[0], NULL));
  for (owners[0] = 0; owners[0] < 2; owners[0]++)
    {
      g_autoptr (GobanDecisions) decisions = NULL;
      g_autoptr (GobanDecisions) none = NULL;
      g_autoptr (GobanPlan) plan = place (costs, &plain, &decisions);
      g_autoptr (GobanPlan) without = place (costs, NULL, &none);
      guint n_carried = 0;

      g_assert_cmphex (goban_settling_digest_plan (plan), ==, goban_settling_digest_plan (without));
      check_decisions (costs, plan, decisions);
      g_assert_cmpuint (goban_decisions_get_n_moments (decisions), ==, n_nodes + owners[0]);
      for (GobanMoment m = 1; m <= n_nodes; m++)
        {
          GobanDecisionRoom room = { 0 };
          GobanDecision decision;

          g_assert_true (goban_decisions_get (decisions, m, &room, &decision));
          n_carried += (decision.flags & GOBAN_DECISION_CARRIED) != 0;
          if (decision.scores != NULL)
            g_assert_cmpfloat (decision.scores[decision.chosen], ==, decision.finish_us);
          goban_decision_room_clear (&room);
          if (m % 5 == 0)
            force (costs, &plain, decisions, m, plan);
        }
      g_assert_cmpuint (n_carried, >, 0);
    }
  owners[0] = 0;
  goban_guest_policies_remove (&owners[0]);
}

TEST_PROGRAM (guest_policy)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/guest-policy/list", test_list);
  g_test_add_func ("/run/guest-policy/runs", test_runs);
  g_test_add_func ("/run/guest-policy/decisions", test_decisions);
  return g_test_run ();
}
