/* Causes sum to makespans: of random runs, and of trainings, where they are known. */
#include "engine/study/analysis/difference/breakdown.h"

#include "engine/core/error.h"
#include "engine/study/run/parallel-training.h"
#include "engine/study/run/time-causes.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanRun *
new_random_run (guint64 seed)
{
  g_auto (RandomRun) random = { NULL };

  if (seed % 2 == 0)
    random_run_init (&random, 30, seed);
  else
    fused_run_init (&random, 30, seed);
  return goban_run_new (random.costs, random.plan, seed % 2 == 0 ? "random" : "fused");
}

static void
assert_near (double value, double expected, double whole)
{
  g_assert_cmpfloat (fabs (value - expected), <=, 1e-9 * whole);
}

static void
assert_chain (const GobanBreakdown *self, GobanRun *before, GobanRun *after)
{
  double at_us = goban_run_get_makespan_us (before);

  g_assert_cmpfloat (self->bars[0].to_us, ==, at_us);
  for (guint i = 1; i + 1 < self->n_bars; i++)
    {
      g_assert_cmpint (self->bars[i].kind, ==, GOBAN_BAR_CAUSE);
      g_assert_cmpfloat (self->bars[i].from_us, ==, at_us);
      at_us = self->bars[i].to_us;
    }
  g_assert_cmpfloat (at_us, ==, goban_run_get_makespan_us (after));
  g_assert_cmpfloat (self->bars[self->n_bars - 1].to_us, ==, at_us);
}

/* Any two runs, of graphs and clusters of their own. The slow twin of a device's work is the
 * simulator's own count of it. */
static void
test_random (void)
{
  guint n_compared = 0;

  for (guint64 seed = 1; seed <= 60; seed++)
    {
      g_autoptr (GobanRun) a = new_random_run (seed);
      g_autoptr (GobanRun) b = new_random_run (seed + 100);
      g_autoptr (GobanBreakdown) both = NULL;
      const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (a));
      guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (a));
      double shares_us[GOBAN_N_TIME_CAUSES], busy_us = 0, sum_us = 0;

      if (!isfinite (goban_run_get_makespan_us (a)) || !isfinite (goban_run_get_makespan_us (b)))
        continue;
      g_assert_true (goban_run_split_by_cause (a, shares_us, NULL));
      for (guint i = 0; i < GOBAN_N_TIME_CAUSES; i++)
        sum_us += shares_us[i];
      for (guint d = 0; d < n_devices; d++)
        busy_us += uses[d].busy_us / n_devices;
      assert_near (sum_us, goban_run_get_makespan_us (a), goban_run_get_makespan_us (a));
      assert_near (sum_us - shares_us[GOBAN_TIME_CAUSE_IDLE], busy_us,
                   goban_run_get_makespan_us (a));
      g_assert_cmpfloat (shares_us[GOBAN_TIME_CAUSE_IDLE], >=,
                         -1e-9 * goban_run_get_makespan_us (a));
      both = goban_breakdown_new_of_causes (a, b, NULL);
      assert_chain (both, a, b);
      n_compared++;
    }
  g_assert_cmpuint (n_compared, >, 20);
}

/* --- trainings ------------------------------------------------------------------------------ */

static GobanParallelTraining *
train (GobanTrainingShape shape)
{
  g_autoptr (GobanCluster) cluster
      = goban_cluster_new_from_spec ("equal:32,bandwidth=100GB/s,latency=5us", NULL);
  g_autoptr (GError) error = NULL;
  GobanParallelTraining *self = goban_parallel_training_new (
      "gpt:layers=8,width=256,heads=8,vocabulary=1024,sequence=128", NULL, cluster, &shape, &error);

  g_assert_no_error (error);
  return self;
}

/* The same of passes and of all ops, with and without each kind of parallelism. */
static void
test_trainings (void)
{
  for (guint i = 0; i < 16; i++)
    {
      GobanTrainingShape shape = { .tp = i & 1 ? 4 : 1,
                                   .pp = i & 2 ? 4 : 1,
                                   .dp = i & 8 ? 2 : 1,
                                   .micro_batch = 1,
                                   .batch = 8,
                                   .recompute = i & 4 ? "full" : "none" };
      g_autoptr (GobanParallelTraining) passes = train (shape);
      g_autoptr (GobanParallelTraining) ops = NULL;
      double all_us = goban_run_get_makespan_us (passes->run);
      double bubble = passes->figures.bubble;
      double a_us[GOBAN_N_TIME_CAUSES], b_us[GOBAN_N_TIME_CAUSES];

      shape.shows_ops = TRUE;
      ops = train (shape);
      g_assert_true (goban_run_split_by_cause (passes->run, a_us, NULL));
      g_assert_true (goban_run_split_by_cause (ops->run, b_us, NULL));
      for (guint k = 0; k < GOBAN_N_TIME_CAUSES; k++)
        assert_near (a_us[k], b_us[k], all_us);
      assert_near (a_us[GOBAN_TIME_CAUSE_IDLE], bubble * all_us, all_us);
      g_assert_true ((a_us[GOBAN_TIME_CAUSE_EXCHANGING] > 0) == (shape.tp > 1 || shape.dp > 1));
      g_assert_true ((a_us[GOBAN_TIME_CAUSE_SENDING] > 0) == (shape.pp > 1));
      g_assert_true ((a_us[GOBAN_TIME_CAUSE_RECOMPUTING] > 0) == ((i & 4) != 0));
      g_assert_cmpfloat (a_us[GOBAN_TIME_CAUSE_UPDATING], >, 0);
    }
}

/* Four ranks in place of one compute a quarter each, and exchange what one has alone. */
static void
test_sentence (void)
{
  g_autoptr (GobanParallelTraining) one = train ((GobanTrainingShape){ .batch = 8 });
  g_autoptr (GobanParallelTraining) four = train ((GobanTrainingShape){ .tp = 4, .batch = 8 });
  g_autoptr (GobanBreakdown) both = goban_breakdown_new_of_causes (one->run, four->run, NULL);
  g_autofree char *sentence
      = goban_breakdown_to_sentence (both, (const char *const[]){ "tp=1", "tp=4" });
  g_autofree char *text = goban_breakdown_to_text (both);

  assert_chain (both, one->run, four->run);
  g_assert_true (g_str_has_prefix (sentence, "tp=4 takes "));
  g_assert_nonnull (strstr (sentence, ": computing −"));
  g_assert_nonnull (strstr (sentence, ", collectives +"));
  g_assert_null (strstr (sentence, "recomputation"));
  g_assert_nonnull (strstr (text, "on the mean"));
}

TEST_PROGRAM (breakdown_causes)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breakdown-causes/random", test_random);
  g_test_add_func ("/breakdown-causes/trainings", test_trainings);
  g_test_add_func ("/breakdown-causes/sentence", test_sentence);
  return g_test_run ();
}
