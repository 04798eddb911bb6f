/* Differences against plain recounts on random pairs of plans, and in words. */
#include "engine/study/analysis/difference/difference.h"

#include "engine/core/error.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define N_ROUNDS 60

/* Two runs of one graph and cluster: plans that agree in some nodes. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
} Pair;

static void
clear_pair (Pair *pair)
{
  goban_run_unref (pair->before);
  goban_run_unref (pair->after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, clear_pair)

static GobanPlan *
change_at_random (const GobanPlan *plan, GobanCostModel *costs, GobanRng *rng)
{
  g_autoptr (GobanPlan) other = random_plan (costs, rng);
  GobanPlan *copy = goban_plan_copy (plan);
  guint what = goban_rng_below (rng, 8);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      guint chance = goban_rng_below (rng, 4);

      if ((what & 1) != 0 && chance == 0)
        goban_plan_set_device (copy, v, goban_plan_get_device (other, v));
      if ((what & 2) != 0 && chance <= 1)
        goban_plan_set_priority (copy, v, goban_plan_get_priority (other, v));
      if ((what & 4) != 0 && chance == 2)
        goban_plan_set_fusion (copy, v, GOBAN_NO_FUSION);
      /* Another number for the same cluster is no change. */
      else if (goban_plan_get_fusions (copy)[v] != GOBAN_NO_FUSION)
        goban_plan_set_fusion (copy, v, goban_plan_get_fusions (copy)[v] + 100);
    }
  return copy;
}

static Pair
pair_at_random (guint64 seed)
{
  g_auto (RandomRun) random;
  g_autoptr (GobanPlan) other = NULL;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  fused_run_init (&random, 2 + (guint) (seed % 14), seed);
  other = change_at_random (random.plan, random.costs, &rng);
  return (Pair){ goban_run_new (random.costs, random.plan, "before"),
                 goban_run_new (random.costs, other, "after") };
}

/* --- slow twins ----------------------------------------------------------------------------- */

static guint
rank_of (const GobanPlan *plan, GobanNodeId node)
{
  gint32 priority = goban_plan_get_priority (plan, node);
  guint rank = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    rank += goban_plan_get_priority (plan, v) > priority
            || (goban_plan_get_priority (plan, v) == priority && v < node);
  return rank;
}

static gboolean
are_together (const GobanPlan *plan, GobanNodeId v, GobanNodeId w)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);

  return v == w || (fusions[v] != GOBAN_NO_FUSION && fusions[v] == fusions[w]);
}

static gboolean
is_fused_otherwise (const GobanPlan *a, const GobanPlan *b, GobanNodeId v)
{
  for (GobanNodeId w = 0; w < goban_plan_get_n_nodes (a); w++)
    if (are_together (a, v, w) != are_together (b, v, w))
      return TRUE;
  return FALSE;
}

static gboolean
has (const GobanDifference *self, GobanChange change, GobanNodeId node)
{
  return goban_selection_contains (goban_difference_get_nodes (self, change), node);
}

static void
check_plans (const GobanDifference *self)
{
  GobanPlan *a = goban_run_get_plan (self->before);
  GobanPlan *b = goban_run_get_plan (self->after);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (a); v++)
    {
      g_assert_true (has (self, GOBAN_CHANGE_DEVICE, v)
                     == (goban_plan_get_device (a, v) != goban_plan_get_device (b, v)));
      g_assert_true (has (self, GOBAN_CHANGE_PRIORITY, v)
                     == (goban_plan_get_priority (a, v) != goban_plan_get_priority (b, v)));
      g_assert_true (has (self, GOBAN_CHANGE_FUSION, v) == is_fused_otherwise (a, b, v));
      g_assert_cmpint (goban_difference_get_rank_change (self, v), ==,
                       (int) rank_of (b, v) - (int) rank_of (a, v));
    }
}

/* The matrix's cells are the sizes of their sets, and the sets are all that moved. */
static void
check_matrix (const GobanDifference *self)
{
  guint n_devices = self->n_devices;
  g_autoptr (GobanSelection) all = goban_selection_new (NULL, 0);

  for (GobanDeviceId from = 0; from < n_devices; from++)
    for (GobanDeviceId to = 0; to < n_devices; to++)
      {
        g_autoptr (GobanSelection) moves = goban_difference_dup_moves (self, from, to);
        GobanSelection *both = goban_selection_union (all, moves);
        guint n;

        goban_selection_get_ids (moves, &n);
        g_assert_cmpuint (n, ==, goban_difference_get_n_moves (self, from, to));
        g_assert_true (from != to || n == 0);
        goban_selection_unref (all);
        all = both;
      }
  g_assert_true (
      goban_selection_equal (all, goban_difference_get_nodes (self, GOBAN_CHANGE_DEVICE)));
}

static void
check_times (const GobanDifference *self)
{
  GobanTrace *a = goban_run_get_trace (self->before);
  GobanTrace *b = goban_run_get_trace (self->after);
  const GobanOpSpan *before = goban_trace_get_ops (a);
  const GobanOpSpan *after = goban_trace_get_ops (b);
  const GobanTimeChange *times = self->times;
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (self->after));

  g_assert_true ((times != NULL) == (before != NULL && after != NULL));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      double change_us = times != NULL ? after[v].finish_us - before[v].finish_us : 0;

      g_assert_true (has (self, GOBAN_CHANGE_TIME, v)
                     == (change_us != 0 && fabs (change_us) >= self->min_change_us));
      if (times == NULL)
        continue;
      g_assert_cmpfloat (times[v].finish_us, ==, change_us);
      g_assert_cmpfloat (times[v].start_us, ==, after[v].start_us - before[v].start_us);
    }
}

static void
test_twin (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_auto (Pair) pair = pair_at_random ((guint64) g_test_rand_int ());
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanDifference) difference
          = goban_difference_new (pair.before, pair.after, round % 3, &error);

      g_assert_no_error (error);
      check_plans (difference);
      check_matrix (difference);
      check_times (difference);
    }
}

/* There and back: what is turned round is the other way about; a run against itself is nothing. */
static void
test_both_ways (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_auto (Pair) pair = pair_at_random ((guint64) g_test_rand_int ());
      g_autoptr (GobanDifference) there
          = goban_difference_new (pair.before, pair.after, 0, NULL); /* one graph */
      g_autoptr (GobanDifference) back = goban_difference_new (pair.after, pair.before, 0, NULL);
      g_autoptr (GobanDifference) none = goban_difference_new (pair.before, pair.before, 0, NULL);

      for (guint i = 0; i < GOBAN_N_CHANGES; i++)
        {
          guint n;

          g_assert_true (
              goban_selection_equal (goban_difference_get_nodes (there, (GobanChange) i),
                                     goban_difference_get_nodes (back, (GobanChange) i)));
          goban_selection_get_ids (goban_difference_get_nodes (none, (GobanChange) i), &n);
          g_assert_cmpuint (n, ==, 0);
        }
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (pair.after)); v++)
        g_assert_cmpint (goban_difference_get_rank_change (there, v), ==,
                         -goban_difference_get_rank_change (back, v));
    }
}

/* Priorities at the ends of their range, and negative ones, are in order. */
static void
test_extreme_priorities (void)
{
  static const gint32 priorities[] = { 0, -1, 1, G_MININT32, G_MAXINT32, 2048, -2048, 1 << 22 };
  guint n = G_N_ELEMENTS (priorities);
  g_auto (RandomRun) random;
  g_autoptr (GobanPlan) other = NULL;
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanDifference) difference = NULL;

  random_run_init (&random, n, 3);
  for (GobanNodeId v = 0; v < n; v++)
    goban_plan_set_priority (random.plan, v, priorities[v]);
  other = goban_plan_copy (random.plan);
  for (GobanNodeId v = 0; v < n; v++)
    goban_plan_set_priority (other, v, priorities[n - 1 - v]);
  before = goban_run_new (random.costs, random.plan, NULL);
  after = goban_run_new (random.costs, other, NULL);
  difference = goban_difference_new (before, after, 0, NULL); /* one graph */
  check_plans (difference);
}

/* Clusters of one lowest node and one size that differ in one member. */
static void
test_clusters (void)
{
  static const gint32 fusions[][4] = { { 5, 5, 5, -1 }, { 9, 9, -1, 9 } };
  g_auto (RandomRun) random;
  g_autoptr (GobanPlan) other = NULL;
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanDifference) difference = NULL;

  random_run_init (&random, 4, 3);
  other = goban_plan_copy (random.plan);
  for (GobanNodeId v = 0; v < 4; v++)
    {
      goban_plan_set_fusion (random.plan, v, fusions[0][v]);
      goban_plan_set_fusion (other, v, fusions[1][v]);
    }
  before = goban_run_new (random.costs, random.plan, NULL);
  after = goban_run_new (random.costs, other, NULL);
  difference = goban_difference_new (before, after, 0, NULL); /* one graph */
  check_plans (difference);
  for (GobanNodeId v = 0; v < 4; v++)
    g_assert_true (has (difference, GOBAN_CHANGE_FUSION, v));
}

/* --- in words and in errors ----------------------------------------------------------------- */

/* a and b on gpu:0 one after the other. */
static const Scenario two = {
  .cluster
  = "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 2, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
    " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_PRIORITY,
  .nodes = { { "a", 10, 0, 0, 0 }, { "b", 5, 0, 0, 0 }, { "c", 3, 0, 0, 0 } },
};

static void
test_words (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&two);
  g_autoptr (GobanPlan) other = goban_plan_copy (goban_trace_get_plan (trace));
  g_autoptr (GobanRun) before
      = goban_run_new (goban_trace_get_costs (trace), goban_trace_get_plan (trace), "one");
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanDifference) difference = NULL;
  g_autofree char *text = NULL;
  g_autofree char *brief = NULL;

  goban_plan_set_device (other, 0, 1);
  goban_plan_set_priority (other, 2, 7);
  after = goban_run_new (goban_trace_get_costs (trace), other, "two");
  difference = goban_difference_new (before, after, 8, NULL); /* one graph */
  text = goban_difference_describe (difference, 10);
  g_assert_cmpstr (text, ==,
                   "one 18 µs, two 10 µs (−44.4 %): of 3 nodes 1 moved, 1 re-prioritised, 0 fused "
                   "otherwise, 1 finish at another time by 8 µs or more\n"
                   "moved     1 from gpu:0 to gpu:1\n"
                   "priority  c: 2 places sooner\n"
                   "time      c: 15 µs earlier\n");
  brief = goban_difference_describe (difference, 0);
  g_assert_nonnull (strstr (brief, "… 1 more times\n"));
}

static void
test_errors (void)
{
  g_auto (RandomRun) a;
  g_auto (RandomRun) b;
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GError) error = NULL;

  random_run_init (&a, 5, 1);
  random_run_init (&b, 6, 2);
  before = goban_run_new (a.costs, a.plan, "one");
  after = goban_run_new (b.costs, b.plan, "two");
  g_assert_null (goban_difference_new (before, after, 0, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "one and two are runs of two graphs");
}

TEST_PROGRAM (difference)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/difference/twin", test_twin);
  g_test_add_func ("/analysis/difference/both-ways", test_both_ways);
  g_test_add_func ("/analysis/difference/extreme-priorities", test_extreme_priorities);
  g_test_add_func ("/analysis/difference/clusters", test_clusters);
  g_test_add_func ("/analysis/difference/words", test_words);
  g_test_add_func ("/analysis/difference/errors", test_errors);
  return g_test_run ();
}
