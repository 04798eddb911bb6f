/* Forced decisions: the option is held, all before is the same, refusals say why, and reviews
 * promise the makespans that forcing gives. */
#include "engine/study/analysis/moments/force.h"

#include "engine/core/error.h"
#include "engine/decisions/settling.h"
#include "engine/learn/roster.h"
#include "engine/study/run/graph-source.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanCostModel *
new_costs (const char *spec)
{
  g_autofree char *path
      = g_str_has_prefix (spec, "samples/") ? project_path (spec) : g_strdup (spec);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);

  g_assert_no_error (error);
  return toy_costs (graph, "p100x4");
}

static GobanRun *
place (GobanCostModel *costs, const char *policy, const GobanRunOptions *options)
{
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, policy, options, &error);

  g_assert_no_error (error);
  return run;
}

static GobanRun *
force (GobanRun *run, GobanMoment moment, guint32 option, GobanForceScope scope)
{
  g_autoptr (GError) error = NULL;
  GobanRun *forced
      = goban_force_new_run (run, &(GobanForce){ moment, option, scope }, NULL, &error);

  g_assert_no_error (error);
  return forced;
}

static guint64
digest (GobanRun *run)
{
  return goban_settling_digest_plan (goban_run_get_plan (run));
}

static GobanDecision
get (GobanRun *run, GobanMoment moment)
{
  GobanDecision decision = { 0 };

  g_assert_true (goban_decisions_get (goban_run_get_decisions (run), moment, NULL, &decision));
  return decision;
}

/* Decisions with another option; option (out): one that was allowed and not taken. */
static gboolean
find_other (GobanRun *run, GobanMoment moment, guint32 *option)
{
  GobanDecision decision = get (run, moment);

  for (*option = 0; *option < decision.n_options; (*option)++)
    if (*option != decision.chosen
        && (decision.refusals == NULL || decision.refusals[*option] == 0))
      return TRUE;
  return FALSE;
}

/* The taken option gives the run again; another one is the first difference. */
static void
check_moment (GobanRun *run, GobanMoment moment, GobanForceScope scope)
{
  GobanDecision decision = get (run, moment);
  g_autofree char *name = NULL;
  guint32 option;

  if (decision.n_options < 2 || !find_other (run, moment, &option))
    return;
  if (scope == GOBAN_FORCE_RUN)
    {
      g_autoptr (GobanRun) same = force (run, moment, decision.chosen, scope);

      g_assert_cmphex (digest (same), ==, digest (run));
      g_assert_cmpuint (goban_decisions_get_n_moments (goban_run_get_decisions (same)), ==,
                        goban_decisions_get_n_moments (goban_run_get_decisions (run)));
    }
  g_autoptr (GobanRun) other = force (run, moment, option, scope);

  for (GobanMoment m = 1; m < moment; m++)
    g_assert_cmpuint (get (other, m).chosen, ==, get (run, m).chosen);
  g_assert_cmpuint (get (other, moment).chosen, ==, option);
  g_assert_true ((get (other, moment).flags & GOBAN_DECISION_FORCED) != 0);
  g_assert_cmpstr (goban_run_get_origin (other)->forced.of, ==, goban_run_get_name (run));
  g_assert_cmpuint (goban_run_get_origin (other)->forced.moment, ==, moment);
  g_assert_cmpuint (goban_run_get_origin (other)->forced.option, ==, option);
  name = g_strdup_printf (" at decision %u", moment);
  g_assert_true (g_str_has_prefix (goban_run_get_name (other), goban_run_get_name (run)));
  g_assert_true (g_str_has_suffix (goban_run_get_name (other), name));
}

static void
check_policy (GobanCostModel *costs, const char *policy, const GobanRunOptions *options)
{
  g_autoptr (GobanRun) run = place (costs, policy, options);
  guint n = goban_decisions_get_n_moments (goban_run_get_decisions (run));

  for (guint i = 0; i < 4; i++)
    {
      check_moment (run, 1 + i * (n - 1) / 3, GOBAN_FORCE_RUN);
      check_moment (run, 1 + i * (n - 1) / 3, GOBAN_FORCE_PLAN);
    }
}

static void
test_inside (void)
{
  static const char *const policies[] = { "heft",   "cpop",   "critical-path", "m-sct",   "m-topo",
                                          "single", "random", "round-robin",   "pipeline" };
  g_autoptr (GobanCostModel) costs = new_costs ("gnmt:layers=2,steps=3");

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    check_policy (costs, policies[i], &(GobanRunOptions){ .seed = 7 });
  check_policy (costs, "heft", &(GobanRunOptions){ .settings = "ranks=saga" });
  check_policy (costs, "heft", &(GobanRunOptions){ .fusing = GOBAN_FUSE_DEFAULT });
  check_policy (costs, "anneal", &(GobanRunOptions){ .seed = 3, .max_evaluations = 60 });
  check_policy (costs, "go-zeroshot", &(GobanRunOptions){ .max_evaluations = 2 });
}

/* What was forced before is held when a later decision is forced, too. */
static void
test_twice (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ("gnmt:layers=2,steps=3");
  g_autoptr (GobanRun) run = place (costs, "heft", NULL);
  guint n = goban_decisions_get_n_moments (goban_run_get_decisions (run));
  GobanMoment m = n / 4;
  guint32 first, second;

  while (!find_other (run, m, &first))
    m++;
  g_autoptr (GobanRun) once = force (run, m, first, GOBAN_FORCE_PLAN);

  n = n / 2;
  while (!find_other (once, n, &second))
    n++;
  g_autoptr (GobanRun) twice = force (once, n, second, GOBAN_FORCE_PLAN);

  g_assert_cmpuint (get (twice, m).chosen, ==, first);
  g_assert_cmpuint (get (twice, n).chosen, ==, second);
  g_assert_true (g_str_has_prefix (goban_run_get_name (twice), goban_run_get_name (once)));
  check_moment (once, n, GOBAN_FORCE_RUN);
}

/* GO's rows are decided at once: its plan is changed, and it cannot go on. */
static void
test_finished_plan (void)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (12, 5, "p100x4");
  const GobanRunOptions options = {
    .max_evaluations = 60,
  };
  g_autoptr (GobanRun) run = place (costs, "go-oneshot", &options);
  GobanDecisions *decisions = goban_run_get_decisions (run);
  g_autoptr (GError) error = NULL;
  GobanMoment moment = 0;
  GobanDecision decision;
  guint32 option;

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions) && moment == 0; m++)
    if (get (run, m).options == GOBAN_OPTION_DEVICE && find_other (run, m, &option))
      moment = m;
  g_assert_cmpuint (moment, >, 0);
  decision = get (run, moment);
  g_autoptr (GobanRun) changed = force (run, moment, option, GOBAN_FORCE_PLAN);

  for (guint k = 0; k < decision.n_nodes; k++)
    g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (changed), decision.nodes[k]), ==,
                      option);
  g_assert_false (
      goban_force_check (run, &(GobanForce){ moment, option, GOBAN_FORCE_RUN }, &error));
  g_assert_nonnull (strstr (error->message, "for its plan alone"));
}

/* --- refusals --------------------------------------------------------------------------------- */

static void
assert_refused (GobanRun *run, GobanMoment moment, guint32 option, const char *words)
{
  const GobanForce what = { moment, option, GOBAN_FORCE_RUN };
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_force_new_run (run, &what, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  if (strstr (error->message, words) == NULL)
    g_test_fail_printf ("“%s” does not say “%s”", error->message, words);
}

static void
test_refused (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ("gnmt:layers=2,steps=2");
  g_autoptr (GobanRun) run = place (costs, "heft", NULL);
  g_autoptr (GobanRun) mine = goban_run_new (costs, goban_run_get_plan (run), "mine");
  g_autoptr (GobanRun) read
      = goban_run_new_kept (costs, goban_run_get_plan (run), "heft",
                            &(GobanRunOrigin){ .decisions = goban_run_get_decisions (run) });
  g_autoptr (GobanRun) cut = place (costs, "metis", NULL);
  g_autoptr (GobanRun) bred = place (costs, "brkga", &(GobanRunOptions){ .max_evaluations = 20 });
  guint n = goban_decisions_get_n_moments (goban_run_get_decisions (run));
  guint32 option;
  GobanMoment m = 1;

  while (!find_other (run, m, &option))
    m++;
  assert_refused (mine, 1, 0, "mine has recorded no decisions");
  assert_refused (read, m, option, "place the graph again");
  assert_refused (run, 0, 0, "has the decisions 1 to");
  assert_refused (run, n + 1, 0, "and no decision");
  assert_refused (run, m, 4, "has the options 1 to 4, and no option 5");
  assert_refused (cut, 1, 1, "has one option, which was taken");
  assert_refused (bred, 1, 0, "of brkga cannot be forced: it breeds");
}

/* Ops that a device cannot run, and groups. */
static void
test_masked (void)
{
  guint n_cannot = 0, n_group = 0;

  for (guint i = 0; i < 12 && (n_cannot == 0 || n_group == 0); i++)
    {
      g_autoptr (GobanGraph) graph = toy_mixed (12 + i, i);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
      g_autoptr (GobanRun) run = place (costs, "heft", NULL);

      for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (goban_run_get_decisions (run));
           m++)
        {
          GobanDecision decision = get (run, m);

          if (decision.refusals == NULL || (decision.flags & GOBAN_DECISION_CARRIED) != 0)
            continue;
          for (guint32 k = 0; k < decision.n_options; k++)
            if ((decision.refusals[k] & GOBAN_REFUSAL_CANNOT_RUN) != 0)
              {
                assert_refused (run, m, k, "cannot run there");
                n_cannot++;
              }
            else if ((decision.refusals[k] & GOBAN_REFUSAL_GROUP) != 0)
              {
                assert_refused (run, m, k, "the colocation group of the node");
                n_group++;
              }
        }
    }
  g_assert_cmpuint (n_cannot, >, 0);
  g_assert_cmpuint (n_group, >, 0);
}

static void
test_all_say (void)
{
  g_autoptr (GPtrArray) all = goban_roster_dup_all ();

  g_assert_cmpuint (all->len, >, 20);
  for (guint i = 0; i < all->len; i++)
    {
      const GobanPlacer *placer = g_ptr_array_index (all, i);

      g_assert_cmpint (placer->forcing, !=, GOBAN_FORCING_UNSAID);
      g_assert_cmpint (placer->why_no_forcing == NULL, ==, placer->forcing == GOBAN_FORCING_INSIDE);
    }
}

/* --- reviews ---------------------------------------------------------------------------------- */

/* The largest gains are those of the plans that come of forcing them. */
static void
check_review (GobanRun *run)
{
  gint64 started_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) regrets = goban_review_new (run, NULL, &error);

  g_assert_no_error (error);
  g_test_message ("%u decisions of %u reviewed in %.3f s", regrets->len,
                  goban_decisions_get_n_moments (goban_run_get_decisions (run)),
                  (double) (g_get_monotonic_time () - started_us) / 1e6);
  g_assert_cmpuint (regrets->len, >, 3);
  for (guint i = 0; i < 3; i++)
    {
      const GobanRegret *regret = &g_array_index (regrets, GobanRegret, i);
      g_autoptr (GobanRun) forced = force (run, regret->moment, regret->option, GOBAN_FORCE_PLAN);
      g_autofree double *makespans_us = NULL;
      guint n_options;

      g_assert_cmpfloat (goban_run_get_makespan_us (forced), ==, regret->makespan_us);
      g_assert_cmpfloat (regret->gain_us, ==,
                         goban_run_get_makespan_us (run) - regret->makespan_us);
      makespans_us = goban_regret_dup_makespans_us (run, regret->moment, NULL, &n_options, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (makespans_us[regret->option], ==, regret->makespan_us);
      g_assert_cmpfloat (makespans_us[get (run, regret->moment).chosen], ==,
                         goban_run_get_makespan_us (run));
      for (guint k = 0; k < n_options; k++)
        g_assert_true (k == get (run, regret->moment).chosen || isnan (makespans_us[k])
                       || makespans_us[k] >= regret->makespan_us);
    }
  for (guint i = 1; i < regrets->len; i++)
    g_assert_cmpfloat (g_array_index (regrets, GobanRegret, i - 1).gain_us, >=,
                       g_array_index (regrets, GobanRegret, i).gain_us);
}

static void
test_review (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ("samples/gnmt-coarse.json");
  g_autoptr (GobanRun) run = place (costs, "heft", NULL);
  g_autoptr (GobanRun) random = place (costs, "random", &(GobanRunOptions){ .seed = 2 });

  check_review (run);
  check_review (random);
}

static gboolean
stop_cb (gpointer user_data)
{
  return TRUE;
}

static void
test_review_refused (void)
{
  const GobanProgress stopped = { NULL, stop_cb, NULL };
  g_autoptr (GobanCostModel) costs = new_costs ("gnmt:layers=2,steps=2");
  g_autoptr (GobanRun) run = place (costs, "heft", NULL);
  g_autoptr (GobanRun) mine = goban_run_new (costs, goban_run_get_plan (run), "mine");
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_review_new (run, &stopped, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (goban_review_new (mine, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

/* With -m perf: all of HEFT's decisions on Inception-v3 in 2 s. */
static void
test_review_time (void)
{
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  gint64 started_us;

  if (!g_test_perf ())
    {
      g_test_skip ("only with -m perf");
      return;
    }
  costs = new_costs ("samples/inception-v3.onnx");
  run = place (costs, "heft", NULL);
  started_us = g_get_monotonic_time ();
  check_review (run);
  g_assert_cmpfloat ((double) (g_get_monotonic_time () - started_us) / 1e6, <, 2);
}

TEST_PROGRAM (force)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/force/inside", test_inside);
  g_test_add_func ("/analysis/force/twice", test_twice);
  g_test_add_func ("/analysis/force/finished-plan", test_finished_plan);
  g_test_add_func ("/analysis/force/refused", test_refused);
  g_test_add_func ("/analysis/force/masked", test_masked);
  g_test_add_func ("/analysis/force/all-say", test_all_say);
  g_test_add_func ("/analysis/force/review", test_review);
  g_test_add_func ("/analysis/force/review-refused", test_review_refused);
  g_test_add_func ("/analysis/force/review-time", test_review_time);
  return g_test_run ();
}
