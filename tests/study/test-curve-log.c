/* Learning curves of policies on one graph: a point per update, a begin and an end for watchers. */
#include "engine/study/analysis/moments/moment-export.h"

#include "engine/core/error.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/collapse.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/training-log.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Whole plans, four an update; every fourth update the likeliest plan is tried, too. */
#define SMALL "rollouts=4,width=16,heads=2,sage=1,ffn=16"
#define N_EVALUATIONS 21
#define N_UPDATES 5
#define CHAIN 8

static GobanCostModel *
new_costs (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=3,nodes=30", &error);

  g_assert_no_error (error);
  return toy_costs (graph, "p100x2");
}

static GobanRun *
run_on (GobanCostModel *costs, const char *policy, const char *settings, guint64 max_evaluations,
        GobanTrainingLog *log)
{
  GobanRunOptions options
      = { .max_evaluations = max_evaluations, .settings = settings, .learning = log };
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, policy, &options, &error);

  g_assert_no_error (error);
  return run;
}

static GobanRun *
run (const char *policy, const char *settings, GobanTrainingLog *log, GError **error)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  GobanRunOptions options
      = { .max_evaluations = N_EVALUATIONS, .settings = settings, .learning = log };

  return goban_run_new_from_policy (costs, policy, &options, error);
}

/* As many points as updates, without influence on the plan. */
static void
test_points (void)
{
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) watched = run ("go-oneshot", SMALL, log, &error);
  g_autoptr (GobanRun) alone = run ("go-oneshot", SMALL, NULL, &error);
  guint n_series;

  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_origin (watched)->evaluations, ==, N_EVALUATIONS);
  g_assert_cmpuint (goban_training_log_get_n_points (log), ==, N_UPDATES);
  for (guint i = 0; i < N_UPDATES; i++)
    {
      GobanTrainingPoint point;

      goban_training_log_read (log, i, &point, 1);
      g_assert_cmpuint (point.step, ==, i + 1);
      g_assert_false (point.is_trial);
      g_assert_true (point.values[GOBAN_CURVE_BEST] > 0);
      g_assert_true (point.values[GOBAN_CURVE_MEAN] >= point.values[GOBAN_CURVE_BEST]);
      g_assert_true (point.values[GOBAN_CURVE_ENTROPY] > 0);
    }
  g_assert_cmpstr (goban_training_log_get_series (log, &n_series)[GOBAN_CURVE_REWARD].name, ==,
                   "reward");
  g_assert_cmpuint (n_series, ==, GOBAN_CURVE_N); /* no trials */
  g_assert_true (goban_training_log_has_ended (log, NULL));
  g_assert_true (toy_plans_are_same (goban_run_get_plan (watched), goban_run_get_plan (alone)));
}

/* INFINITY if the policy has no plan for the graph: experts know families of networks. */
static double
get_makespan (GobanCostModel *costs, const char *policy)
{
  GobanRunOptions options = { 0 };
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, policy, &options, NULL);

  return run != NULL ? goban_trace_get_makespan (goban_run_get_trace (run)) : (double) INFINITY;
}

/* The unit of the curves: the best of the plans that nothing was learned for. */
static double
get_reference (GobanCostModel *costs)
{
  return fmin (get_makespan (costs, "single"),
               fmin (get_makespan (costs, "expert"), get_makespan (costs, "m-etf")));
}

/* What is measured is there, and what is not is not a number. */
static void
check_point (const GobanTrainingPoint *point, guint step)
{
  const double *values = point->values;

  g_assert_cmpuint (point->step, ==, step);
  g_assert_false (point->is_trial);
  g_assert_true (values[GOBAN_CURVE_BEST] > 0);
  g_assert_true (values[GOBAN_CURVE_MEAN] >= values[GOBAN_CURVE_BEST]);
  g_assert_true (values[GOBAN_CURVE_VALID] == 1);
  g_assert_true (isfinite (values[GOBAN_CURVE_REWARD]));
  g_assert_true (values[GOBAN_CURVE_ENTROPY] > 0);
  /* A network has a gradient, and Post's table has ratios that PPO clips. */
  g_assert_true (isnan (values[GOBAN_CURVE_GRADIENT]) != isnan (values[GOBAN_CURVE_CLIPPED]));
  g_assert_false (values[GOBAN_CURVE_GRADIENT] <= 0);
  g_assert_false (values[GOBAN_CURVE_CLIPPED] < 0 || values[GOBAN_CURVE_CLIPPED] > 1);
  g_assert_true (values[GOBAN_CURVE_SECONDS] >= 0);
  g_assert_true (values[GOBAN_CURVE_TOP_SHARE] > 0 && values[GOBAN_CURVE_TOP_SHARE] <= 1);
}

/* The least makespan of all samples. */
static double
check_points (GobanTrainingLog *log, double reference_us)
{
  double best_us = INFINITY;
  guint n = goban_training_log_get_n_points (log);

  for (guint i = 0; i < n; i++)
    {
      GobanTrainingPoint point;

      goban_training_log_read (log, i, &point, 1);
      check_point (&point, i + 1);
      best_us = fmin (best_us, point.values[GOBAN_CURVE_BEST] * reference_us);
    }
  return best_us;
}

/* All that was decided on the way is the same. */
static void
check_same_records (GobanRun *a, GobanRun *b)
{
  g_autofree char *one = goban_moments_to_json (a);
  g_autofree char *other = goban_moments_to_json (b);

  g_assert_cmpuint (goban_decisions_get_n_moments (goban_run_get_decisions (a)), >, 0);
  g_assert_cmpstr (one, ==, other);
}

/* Policies with a learning rule of their own fill the same log: with it, plans are the same bytes,
 * of as many evaluations, and the best sample of all updates is the plan. */
static void
test_rules (void)
{
  static const struct
  {
    const char *policy;
    const char *settings;
    guint64 max_evaluations;
    guint least_updates;
  } cases[] = { { "hdp", NULL, 42, 11 }, /* four an update, and what is left */
                { "hdp", "groups=cells", 42, 11 },
                { "placeto", NULL, 258, 4 }, /* four episodes of at most 16 groups each */
                { "post", NULL, 124, 13 } }; /* ten an update, and what is left */
  g_autoptr (GobanGraph) graph = toy_two_chains (CHAIN);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=100MB/s");
  double reference_us = get_reference (costs);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
      g_autoptr (GobanRun) watched
          = run_on (costs, cases[i].policy, cases[i].settings, cases[i].max_evaluations, log);
      g_autoptr (GobanRun) alone
          = run_on (costs, cases[i].policy, cases[i].settings, cases[i].max_evaluations, NULL);
      double best_us = check_points (log, reference_us);

      g_assert_cmpuint (goban_training_log_get_n_points (log), >=, cases[i].least_updates);
      g_assert_true (goban_training_log_has_ended (log, NULL));
      g_assert_true (toy_plans_are_same (goban_run_get_plan (watched), goban_run_get_plan (alone)));
      g_assert_cmpuint (goban_run_get_origin (watched)->evaluations, ==,
                        goban_run_get_origin (alone)->evaluations);
      check_same_records (watched, alone);
      g_assert_cmpfloat_with_epsilon (
          best_us, goban_trace_get_makespan (goban_run_get_trace (watched)), 1e-6 * best_us);
    }
}

/* Whether a series has two values. */
static gboolean
changes (GobanTrainingLog *log, guint series)
{
  guint n = goban_training_log_get_n_points (log);
  double first = NAN;

  for (guint i = 0; i < n; i++)
    {
      GobanTrainingPoint point;

      goban_training_log_read (log, i, &point, 1);
      if (isnan (first))
        first = point.values[series];
      else if (!isnan (point.values[series]) && point.values[series] != first)
        return TRUE;
    }
  return FALSE;
}

/* Fine-tuning has a point per update, without influence on the plan; what is drawn differs from
 * update to update. */
static void
test_fine_tuning (void)
{
  static const char *const policies[] = { "go-finetune", "go-one" };
  g_autoptr (GobanCostModel) costs = new_costs ();

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
      g_autoptr (GobanRun) watched = run_on (costs, policies[i], "updates=6", 150, log);
      g_autoptr (GobanRun) alone = run_on (costs, policies[i], "updates=6", 150, NULL);

      g_assert_true (toy_plans_are_same (goban_run_get_plan (watched), goban_run_get_plan (alone)));
      g_assert_cmpuint (goban_run_get_origin (watched)->evaluations, ==,
                        goban_run_get_origin (alone)->evaluations);
      g_assert_cmpuint (goban_training_log_get_n_points (log), ==, 6);
      g_assert_true (changes (log, GOBAN_CURVE_MEAN));
      g_assert_true (changes (log, GOBAN_CURVE_ENTROPY));
      g_assert_true (changes (log, GOBAN_CURVE_GRADIENT));
    }
}

/* Placeto's control draws plans and learns nothing, nor do moves. */
static void
test_control (void)
{
  g_autoptr (GobanCostModel) costs = new_costs ();
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  g_autoptr (GobanRun) control = run_on (costs, "placeto", "learn=0", 260, log);
  g_autoptr (GobanRun) moves = run_on (costs, "go-finetune", "start=cells", 60, log);

  g_assert_cmpuint (goban_training_log_get_n_points (log), ==, 0);
}

static void
add_update (GobanCurveSink sink, guint step, double entropy, double top_share)
{
  GobanCurvePoint point = { .step = step };

  point.values[GOBAN_CURVE_ENTROPY] = entropy;
  point.values[GOBAN_CURVE_TOP_SHARE] = top_share;
  sink.add (&point, sink.user_data);
}

/* A collapse is said in words while it lasts; changes of a plan cannot collapse. */
static void
test_collapse (void)
{
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  GobanCurveSink sink = goban_curve_log_get_sink (log);
  guint step = 0;

  for (guint i = 0; i < GOBAN_COLLAPSE_WINDOW; i++)
    {
      g_assert_null (goban_training_log_get_warning (log));
      add_update (sink, ++step, 0.5, 1);
    }
  g_assert_nonnull (strstr (goban_training_log_get_warning (log), "on one device"));
  add_update (sink, ++step, 0.5, 0.6);
  g_assert_null (goban_training_log_get_warning (log));
  for (guint i = 0; i < GOBAN_COLLAPSE_WINDOW; i++)
    add_update (sink, ++step, 0, 0.6);
  g_assert_nonnull (strstr (goban_training_log_get_warning (log), "the same plan"));
  for (guint i = 0; i < GOBAN_COLLAPSE_WINDOW; i++)
    add_update (sink, ++step, 0, NAN);
  g_assert_null (goban_training_log_get_warning (log));
}

/* A policy that does not learn leaves the log empty; one that fails says why it ended. */
static void
test_without (void)
{
  g_autoptr (GobanTrainingLog) quick = goban_training_log_new ();
  g_autoptr (GobanTrainingLog) wrong = goban_training_log_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) heft = run ("heft", NULL, quick, &error);
  g_autoptr (GobanRun) none = NULL;
  const GError *why = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (goban_training_log_get_n_points (quick), ==, 0);
  g_assert_true (goban_training_log_has_ended (quick, &why));
  g_assert_null (why);
  none = run ("go-oneshot", "width=none", wrong, &error);
  g_assert_null (none);
  g_assert_true (goban_training_log_has_ended (wrong, &why));
  g_assert_cmpstr (why->message, ==, error->message);
}

static void
count_cb (GobanTrainingLog *log, gpointer data)
{
  guint *n_calls = data;

  n_calls[goban_training_log_has_ended (log, NULL)]++;
}

static void
freed_cb (gpointer data)
{
  guint *n_calls = data;

  n_calls[2]++;
}

static void
turn (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A watcher is called for the begin and for the end, then no more. */
static void
test_watched (void)
{
  GobanTrainingLog *log = goban_training_log_new ();
  guint n_calls[3] = { 0 }, n_others[3] = { 0 };

  goban_training_log_watch (log, count_cb, n_calls, freed_cb);
  goban_training_log_watch (log, count_cb, n_others, freed_cb); /* there is one already */
  g_assert_cmpuint (n_others[2], ==, 1);
  turn ();
  g_assert_cmpuint (n_calls[0], ==, 0);
  goban_training_log_begin (log, goban_curve_log_series, GOBAN_CURVE_N, NULL);
  turn ();
  g_assert_cmpuint (n_calls[0], ==, 1);
  goban_training_log_end (log, NULL);
  turn ();
  g_assert_cmpuint (n_calls[0], ==, 1);
  g_assert_cmpuint (n_calls[1], ==, 1);
  g_assert_cmpuint (n_calls[2], ==, 1);
  g_assert_cmpuint (n_others[0] + n_others[1], ==, 0);
  goban_training_log_watch (log, count_cb, n_calls, freed_cb); /* it is over already */
  goban_training_log_unref (log);
  turn ();
  g_assert_cmpuint (n_calls[1], ==, 2);
  g_assert_cmpuint (n_calls[2], ==, 2);
}

TEST_PROGRAM (curve_log)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/curve-log/points", test_points);
  g_test_add_func ("/run/curve-log/rules", test_rules);
  g_test_add_func ("/run/curve-log/fine-tuning", test_fine_tuning);
  g_test_add_func ("/run/curve-log/control", test_control);
  g_test_add_func ("/run/curve-log/collapse", test_collapse);
  g_test_add_func ("/run/curve-log/without", test_without);
  g_test_add_func ("/run/curve-log/watched", test_watched);
  return g_test_run ();
}
