/* Learning curves of policies on one graph: a point per update, a begin and an end for watchers. */
#include "engine/run/curve-log.h"

#include "engine/base/error.h"
#include "engine/run/policy-run.h"
#include "engine/run/run-origin.h"
#include "engine/run/training-log-end.h"
#include "engine/workloads/workload.h"
#include "tests/support/toys.h"

#include <math.h>

/* Whole plans, four an update; every fourth update the likeliest plan is tried, too. */
#define SMALL "direct=1,start=nothing,rollouts=4,width=16,heads=2,sage=1,ffn=16"
#define N_EVALUATIONS 21
#define N_UPDATES 5

static GobanCostModel *
new_costs (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=3,nodes=30", &error);

  g_assert_no_error (error);
  return toy_costs (graph, "p100x2");
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
  g_autoptr (GobanRun) watched = run ("go", SMALL, log, &error);
  g_autoptr (GobanRun) alone = run ("go", SMALL, NULL, &error);
  guint n_series;

  g_assert_no_error (error);
  g_assert_cmpuint (goban_run_get_evaluations (watched), ==, N_EVALUATIONS + 1); /* the run's own */
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
  none = run ("go", "width=none", wrong, &error);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/curve-log/points", test_points);
  g_test_add_func ("/run/curve-log/without", test_without);
  g_test_add_func ("/run/curve-log/watched", test_watched);
  return g_test_run ();
}
