/* test-policy-run.c: copies of the options of policies, and policies with hardly any time. */
#include "engine/core/error.h"
#include "engine/decisions/replay.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

static void
progress_cb (double fraction, const char *what, gpointer user_data)
{
}

/* The copy says what was asked, whatever becomes of the strings, the plans and the set. */
static void
test_options_are_owned (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autofree char *network = g_strdup ("a.net");
  g_autofree char *settings = g_strdup ("drafts=2");
  g_autofree char *expression = g_strdup ("plan.go(g)");
  g_autofree char *name = g_strdup ("mine");
  const GobanProgress progress = { .on_step = progress_cb };
  const GobanNodeId nodes[] = { 1, 2 };
  gint finish = 0;
  GobanRunOptions options = { .seed = 3,
                              .max_evaluations = 5,
                              .network = network,
                              .settings = settings,
                              .expression = expression,
                              .name = name,
                              .progress = &progress,
                              .finish = &finish,
                              .start = goban_plan_new (graph, 2),
                              .pinned = goban_selection_new (nodes, 2),
                              .pinned_by = goban_plan_new (graph, 3) };
  GobanRunOptions copy = goban_run_options_dup (&options);

  memset (network, 'x', strlen (network));
  memset (settings, 'x', strlen (settings));
  memset (expression, 'x', strlen (expression));
  memset (name, 'x', strlen (name));
  goban_plan_unref (options.start);
  goban_selection_unref (options.pinned);
  goban_plan_unref (options.pinned_by);
  memset (&options, 0xff, sizeof options);

  g_assert_cmpuint (copy.seed, ==, 3);
  g_assert_cmpuint (copy.max_evaluations, ==, 5);
  g_assert_cmpstr (copy.network, ==, "a.net");
  g_assert_cmpstr (copy.settings, ==, "drafts=2");
  g_assert_cmpstr (copy.expression, ==, "plan.go(g)");
  g_assert_cmpstr (copy.name, ==, "mine");
  g_assert_cmpuint (goban_plan_get_n_devices (copy.start), ==, 2);
  g_assert_true (goban_selection_contains (copy.pinned, 2));
  g_assert_cmpuint (goban_plan_get_n_devices (copy.pinned_by), ==, 3);
  g_assert_null (copy.progress);
  g_assert_null (copy.finish);
  goban_run_options_clear (&copy);
  g_assert_null (copy.name);
  goban_run_options_clear (&copy);
}

static void
test_options_may_be_absent (void)
{
  GobanRunOptions copy = goban_run_options_dup (NULL);

  g_assert_null (copy.network);
  g_assert_null (copy.start);
  goban_run_options_clear (&copy);
}

/* Each policy makes a plan, however short its time is; without one there must be an error. */
static void
test_hardly_any_time (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  const GobanRunOptions options = { .max_seconds = 1e-300 };
  gsize n;
  g_autofree GobanPolicyInfo *infos = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, infos[i].name, &options, &error);

      g_test_message ("%s: %s", infos[i].name, run != NULL ? "a plan" : "none");
      g_assert_true ((run != NULL) != (error != NULL));
      g_assert_false (g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE));
    }
}

/* A setting that no policy reads is a mistake; one that another of them reads is none. */
static void
test_settings (void)
{
  static const struct
  {
    const char *names[3];
    const char *settings;
    const char *refusal; /* (nullable) */
  } cases[] = {
    { { "heft" }, NULL, NULL },
    { { "heft" }, "", NULL },
    { { "heft" }, " ranks=saga ,", NULL },
    { { "heft" }, "rank=saga", "no setting “rank=saga” for heft: write ranks=VALUE" },
    { { "heft" }, "ranks", "no setting “ranks” for heft: write ranks=VALUE" },
    { { "brkga" }, "ranks=saga", "brkga has no settings: “ranks=saga” changes nothing" },
    { { "brkga", "heft" }, "ranks=saga", NULL },
    { { "brkga", "hdp" },
      "groups=cells,x=1",
      "no setting “x=1” for brkga, hdp: write groups=VALUE" },
    { { "anneal" }, "cells=0", NULL },
    { { "go-oneshot" }, "attention=0", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_read = goban_policies_check_settings (cases[i].names, cases[i].settings, &error);

      g_assert_true (is_read == (cases[i].refusal == NULL));
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, cases[i].refusal);
    }
}

/* What is proven with pinned nodes is proven of no other plan, and the record does not say so. */
static void
test_proof_of_pinned (void)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (6, 5, "p100x2");
  g_autoptr (GError) error = NULL;
  const GobanNodeId node = 2;
  g_autoptr (GobanSelection) pinned = goban_selection_new (&node, 1);
  g_autoptr (GobanRun) whole = goban_run_new_from_policy (costs, "exact", NULL, &error);
  const GobanRunOptions options = { .pinned = pinned, .pinned_by = goban_run_get_plan (whole) };
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "exact", &options, &error);
  GobanRun *const runs[] = { whole, run };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      GobanDecisions *decisions = goban_run_get_decisions (runs[i]);
      g_autoptr (GobanPlan) plan
          = goban_replay_plan (costs, decisions, goban_decisions_get_last (decisions), &error);

      g_assert_no_error (error);
      g_assert_true ((goban_plan_get_proven_bound_us (plan, costs) > 0) == (i == 0));
      g_assert_cmpfloat (goban_run_get_proven_bound_us (runs[i]), ==,
                         goban_plan_get_proven_bound_us (plan, costs));
    }
}

TEST_PROGRAM (policy_run)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy-run/options-are-owned", test_options_are_owned);
  g_test_add_func ("/policy-run/options-may-be-absent", test_options_may_be_absent);
  g_test_add_func ("/policy-run/hardly-any-time", test_hardly_any_time);
  g_test_add_func ("/policy-run/settings", test_settings);
  g_test_add_func ("/policy-run/proof-of-pinned", test_proof_of_pinned);
  return g_test_run ();
}
