/* Forks: a search that goes on from a moment begins with its plan, byte for byte. */
#include "engine/study/analysis/moments/force.h"

#include "engine/core/error.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

static GobanCostModel *
new_costs (void)
{
  g_autofree char *path = project_path ("samples/gnmt-coarse.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", &error);

  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static void
assert_same_bytes (GobanPlan *a, GobanPlan *b)
{
  guint n = goban_plan_get_n_nodes (a);
  const gint32 *sent_a = goban_plan_get_transfer_priorities (a);
  const gint32 *sent_b = goban_plan_get_transfer_priorities (b);

  g_assert_cmpuint (goban_plan_get_n_nodes (b), ==, n);
  g_assert_cmpmem (goban_plan_get_devices (a), n * sizeof (GobanDeviceId),
                   goban_plan_get_devices (b), n * sizeof (GobanDeviceId));
  g_assert_cmpmem (goban_plan_get_priorities (a), n * sizeof (gint32),
                   goban_plan_get_priorities (b), n * sizeof (gint32));
  g_assert_cmpmem (goban_plan_get_fusions (a), n * sizeof (gint32), goban_plan_get_fusions (b),
                   n * sizeof (gint32));
  g_assert_cmpint (goban_plan_get_order (a), ==, goban_plan_get_order (b));
  g_assert_true (sent_a == NULL && sent_b == NULL);
}

/* The first plan that the fork's record has. */
static GobanMoment
find_first_plan (GobanRun *run)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);

  for (guint32 s = 1; s <= goban_decisions_get_n_spans (decisions); s++)
    if (goban_decisions_get_span (decisions, s)->evaluation == 1)
      return goban_decisions_get_span (decisions, s)->last;
  return 1;
}

/* The fork begins with the plan, and is no worse. */
static void
check_fork (GobanRun *run, GobanMoment moment, const char *policy, guint64 n_evaluations)
{
  const GobanRunOptions options = { .max_evaluations = n_evaluations, .seed = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) start = goban_moment_new_plan (run, moment, &error);
  g_autoptr (GobanRun) begun = goban_run_new (goban_run_get_costs (run), start, "start");
  g_autoptr (GobanRun) fork = goban_fork_new_run (run, moment, policy, &options, &error);
  g_autoptr (GobanPlan) first = NULL;
  g_autofree char *origin
      = g_strdup_printf (", from decision %u of %s", moment, goban_run_get_name (run));

  g_assert_no_error (error);
  first = goban_moment_new_plan (fork, find_first_plan (fork), &error);
  g_assert_no_error (error);
  assert_same_bytes (first, start);
  g_assert_cmpfloat (goban_run_get_makespan_us (fork), <=, goban_run_get_makespan_us (begun));
  g_assert_cmpuint (goban_run_get_origin (fork)->evaluations, <=, n_evaluations + 1);
  g_assert_cmpstr (goban_fork_find_origin (goban_run_get_name (fork)), ==, origin);
  g_assert_true (g_str_has_prefix (goban_run_get_name (fork), policy));
}

static void
test_moments (void)
{
  static const char *const bases[] = { "heft", "local-search", "tf-default" };
  g_autoptr (GobanCostModel) costs = new_costs ();

  for (gsize i = 0; i < G_N_ELEMENTS (bases); i++)
    {
      const GobanRunOptions options = { .max_evaluations = 60 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, bases[i], &options, &error);
      guint n = goban_decisions_get_n_moments (goban_run_get_decisions (run));

      g_assert_no_error (error);
      g_assert_cmpuint (n, >, 0);
      check_fork (run, 1, "anneal", 80);
      check_fork (run, (1 + n) / 2, "local-search", 80);
      check_fork (run, n, "anneal", 1);
      check_fork (run, (1 + n) / 2, "go-finetune", 30);
    }
}

/* Moments of learned policies, too. */
static void
test_learned (void)
{
  static const char *const bases[] = { "go-zeroshot", "go-finetune" };
  g_autoptr (GobanCostModel) costs = new_costs ();

  for (gsize i = 0; i < G_N_ELEMENTS (bases); i++)
    {
      const GobanRunOptions options = { .max_evaluations = 60 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, bases[i], &options, &error);
      guint n = goban_decisions_get_n_moments (goban_run_get_decisions (run));

      g_assert_no_error (error);
      g_assert_cmpuint (n, >, 0);
      for (GobanMoment moment = 1; moment <= n; moment += MAX (n - 1, 1))
        check_fork (run, moment, "go-finetune", 30);
    }
}

/* Whatever the start is like: kernels and first in, first out come first as they are, and the
 * search still finds better plans. */
static void
test_fused_start (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanRunOptions quick = { .fusing = GOBAN_FUSE_DEFAULT };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) fused = goban_run_new_from_policy (costs, "round-robin", &quick, &error);
  const GobanRunOptions options
      = { .max_evaluations = 100, .start = goban_run_get_plan (fused), .name = "mine" };
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "anneal", &options, &error);
  g_autoptr (GobanPlan) first = NULL;

  g_assert_no_error (error);
  first = goban_moment_new_plan (run, find_first_plan (run), &error);
  g_assert_no_error (error);
  assert_same_bytes (first, goban_run_get_plan (fused));
  g_assert_cmpfloat (goban_run_get_makespan_us (run), <, goban_run_get_makespan_us (fused));
  g_assert_cmpstr (goban_run_get_name (run), ==, "mine");
}

static void
test_refused (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  const GobanRunOptions none = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", &none, &error);

  g_assert_no_error (error);
  g_assert_null (goban_fork_new_run (run, 1, "metis", &none, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "local-search"));
  g_clear_error (&error);
  g_assert_null (goban_fork_new_run (run, 1000000, "anneal", &none, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_null (goban_fork_find_origin ("heft, step 3"));
}

TEST_PROGRAM (fork)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/fork/moments", test_moments);
  g_test_add_func ("/analysis/fork/learned", test_learned);
  g_test_add_func ("/analysis/fork/fused-start", test_fused_start);
  g_test_add_func ("/analysis/fork/refused", test_refused);
  return g_test_run ();
}
