/* Pinned nodes stay where they are under every policy, and no node goes where it cannot. */
#include "engine/session/edit.h"
#include "engine/session/session.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/log/log-lines.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* Each node with a chance of one in @one_in. */
static GobanSelection *
choose_some (guint n_nodes, guint one_in, guint64 seed)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (goban_rng_below (&rng, one_in) == 0)
      g_array_append_val (ids, v);
  return goban_selection_new ((const GobanNodeId *) (gpointer) ids->data, ids->len);
}

static gboolean
stays (GobanRun *run, const GobanRunOptions *options)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (options->pinned, &n);

  for (guint i = 0; i < n; i++)
    if (goban_plan_get_device (goban_run_get_plan (run), ids[i])
        != goban_plan_get_device (options->pinned_by, ids[i]))
      return FALSE;
  return TRUE;
}

/* Whether the policy made a plan; it may have its limits, as METIS and experts do. */
static gboolean
check_policy (GobanCostModel *costs, const char *policy, const GobanRunOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, policy, options, &error);

  if (run == NULL)
    {
      g_test_message ("%s: %s", policy, error->message);
      return FALSE;
    }
  if (!stays (run, options))
    g_error ("%s moves what is pinned", policy);
  g_assert_true (goban_plan_check (goban_run_get_plan (run), costs, &error));
  g_assert_no_error (error);
  g_assert_true (goban_run_get_costs (run) == costs);
  return TRUE;
}

/* Ops that cannot run everywhere, groups, and devices of two kinds of which two are alike. */
static void
test_every_policy (gconstpointer data)
{
  const char *policy = data;
  guint n_made = 0;

  for (guint64 seed = 1; seed <= 3; seed++)
    {
      g_autoptr (GobanGraph) graph = toy_mixed (24, seed);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
      g_autoptr (GobanPlan) where = toy_place (costs, "random", seed);
      g_autoptr (GobanSelection) pinned = choose_some (24, seed == 2 ? 1 : 4, seed);
      const GobanRunOptions options = {
        .seed = seed, .max_evaluations = 24, .max_seconds = 2, .pinned = pinned, .pinned_by = where
      };

      n_made += check_policy (costs, policy, &options);
    }
  if (n_made == 0)
    g_test_skip ("it makes no plan of these graphs");
}

/* Costs are the same where nodes may be, and there is no other place for what is pinned. */
static void
test_costs (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (40, 7);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  g_autoptr (GobanPlan) where = toy_place (costs, "random", 7);
  g_autoptr (GobanSelection) pinned = choose_some (40, 3, 7);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (pinned, &n);
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, MAX (n, 1));
  g_autoptr (GobanCostModel) narrow = NULL;
  g_autoptr (GobanRun) a = NULL;
  g_autoptr (GobanRun) b = NULL;

  for (guint i = 0; i < n; i++)
    devices[i] = goban_plan_get_device (where, ids[i]);
  narrow = goban_cost_model_new_pinned (costs, ids, n, devices);
  for (GobanNodeId v = 0; v < 40; v++)
    for (GobanDeviceId d = 0; d < 3; d++)
      {
        gboolean is_elsewhere
            = goban_selection_contains (pinned, v) && goban_plan_get_device (where, v) != d;

        if (is_elsewhere)
          g_assert_false (goban_cost_model_can_run (narrow, v, d));
        else
          g_assert_true (goban_cost_model_time_us (narrow, v, d)
                         == goban_cost_model_time_us (costs, v, d));
      }
  a = goban_run_new (costs, where, NULL);
  b = goban_run_new (narrow, where, NULL);
  g_assert_true (goban_run_get_makespan_us (a) == goban_run_get_makespan_us (b));
}

static void
test_session (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanRun) first = NULL;
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);
  g_autoptr (GobanSelection) one = goban_selection_new ((const GobanNodeId[]){ 1 }, 1);
  const GPtrArray *log = goban_session_get_log (session);

  goban_session_set_graph (session, graph, NULL);
  goban_plan_set_device (plan, 1, 3);
  first = goban_run_new (goban_session_get_costs (session), plan, "mine");
  goban_session_add_run (session, first);
  goban_session_pin (session, one, TRUE);
  goban_session_place (session, "single", 0);
  while (goban_session_get_job (session) != NULL)
    g_main_context_iteration (NULL, TRUE);
  plan = (goban_plan_unref (plan),
          goban_plan_ref (goban_run_get_plan (goban_session_get_current_run (session))));
  g_assert_cmpuint (goban_plan_get_device (plan, 1), ==, 3);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==,
                   "view.show(sim.run(plan.single(g, { pinned = true })))");
}

TEST_PROGRAM (pins)
{
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/pins/costs", test_costs);
  g_test_add_func ("/session/pins/session", test_session);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/session/pins/policy/%s", policies[i].name);

      g_test_add_data_func (path, policies[i].name, test_every_policy);
    }
  return g_test_run ();
}
