/* Matching of devices against all renamings, and renamed plans against themselves. */
#include "engine/study/analysis/difference/device-matching.h"

#include "engine/machine/cluster/symmetry.h"
#include "engine/study/analysis/difference/difference.h"
#include "tests/sim/random-run.h"
#include "tests/support/hosts.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

#define MOST 4

static GobanRun *
new_renamed (GobanRun *run, const GobanDeviceId *to, const char *name)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_run_get_plan (run));

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, to[goban_plan_get_device (plan, v)]);
  return goban_run_new (goban_run_get_costs (run), plan, name);
}

static guint
count_moved (GobanRun *a, GobanRun *b, const GobanDeviceId *to)
{
  guint n = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (goban_run_get_plan (a)); v++)
    n += goban_plan_get_device (goban_run_get_plan (a), v)
         != to[goban_plan_get_device (goban_run_get_plan (b), v)];
  return n;
}

/* The renamings of a cluster of up to four devices that are symmetries. */
static GArray *
list_symmetries (GobanCostModel *costs)
{
  guint n = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  g_autoptr (GobanSymmetry) symmetry = goban_symmetry_new (costs);
  GArray *all = g_array_new (FALSE, FALSE, MOST * sizeof (GobanDeviceId));

  for (guint code = 0; code < 256; code++)
    {
      GobanDeviceId to[MOST] = { 0 };
      guint seen = 0;

      for (guint d = 0; d < n; d++)
        seen |= 1u << (to[d] = code >> 2 * d & 3);
      if (code >> 2 * n == 0 && seen == (1u << n) - 1 && goban_symmetry_check (symmetry, to))
        g_array_append_val (all, to);
    }
  return all;
}

static const GobanDeviceId *
symmetry_at (GArray *all, guint i)
{
  return (const GobanDeviceId *) (const void *) (all->data + i * MOST * sizeof (GobanDeviceId));
}

static void
assert_same_plan (GobanRun *run, GobanRun *renamed)
{
  g_autoptr (GobanDeviceMatching) matching = goban_device_matching_new (run, renamed);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanDifference) difference = goban_difference_new (run, matching->matched, 0, &error);
  guint n;

  g_assert_no_error (error);
  for (guint change = 0; change < GOBAN_N_CHANGES; change++)
    {
      goban_selection_get_ids (goban_difference_get_nodes (difference, change), &n);
      g_assert_cmpuint (n, ==, 0);
    }
  g_assert_cmpuint (matching->n_moved, ==, 0);
  g_assert_true (goban_run_get_makespan_us (run) == goban_run_get_makespan_us (matching->matched));
}

static void
check_costs (GobanCostModel *costs, GobanPlan *plan, GobanRng *rng, guint *n_renamed)
{
  g_autoptr (GobanPlan) other = random_plan (costs, rng);
  g_autoptr (GobanRun) a = goban_run_new (costs, plan, "a");
  g_autoptr (GobanRun) b = goban_run_new (costs, other, "b");
  g_autoptr (GobanDeviceMatching) matching = goban_device_matching_new (a, b);
  g_autoptr (GArray) all = list_symmetries (costs);
  guint best = G_MAXUINT;

  for (guint i = 0; i < all->len; i++)
    {
      g_autoptr (GobanRun) renamed = new_renamed (a, symmetry_at (all, i), "renamed");

      best = MIN (best, count_moved (a, b, symmetry_at (all, i)));
      assert_same_plan (a, renamed);
    }
  g_assert_cmpuint (matching->n_moved, ==, best);
  g_assert_cmpuint (count_moved (a, b, matching->to), ==, best);
  g_assert_true ((matching->matched == b) == (matching->n_renamed == 0));
  *n_renamed += matching->n_renamed > 0;
}

static void
test_all_renamings (void)
{
  guint n_renamed = 0;

  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      GobanRng rng;

      (seed % 2 ? fused_run_init : random_run_init) (&run, 12, seed);
      goban_rng_init (&rng, seed + 500);
      check_costs (run.costs, run.plan, &rng, &n_renamed);
    }
  for (guint64 seed = 0; seed < 20; seed++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (15, seed, seed % 2 ? HOSTS : "p100x4");
      g_autoptr (GobanPlan) plan = NULL;
      GobanRng rng;

      goban_rng_init (&rng, seed);
      plan = random_plan (costs, &rng);
      check_costs (costs, plan, &rng, &n_renamed);
    }
  g_assert_cmpuint (n_renamed, >, 15);
}

static void
assert_words (GobanCostModel *costs, GobanRun *a, const GobanDeviceId *to, const char *wanted)
{
  g_autoptr (GobanRun) b = new_renamed (a, to, "other");
  g_autoptr (GobanDeviceMatching) matching = goban_device_matching_new (a, b);
  g_autofree char *words = goban_device_matching_describe (matching, "B");

  g_assert_cmpstr (words, ==, wanted);
}

static void
test_words (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", NULL };
  g_autoptr (GobanGraph) graph = toy_of_names (names);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);
  g_autoptr (GobanRun) a = NULL;

  for (GobanNodeId v = 0; v < 7; v++)
    goban_plan_set_device (plan, v, v % 4);
  a = goban_run_new (costs, plan, "a");
  assert_words (costs, a, (GobanDeviceId[]){ 0, 1, 2, 3 }, NULL);
  assert_words (costs, a, (GobanDeviceId[]){ 1, 0, 3, 2 },
                "In B gpu:0 and gpu:1 are exchanged, gpu:2 and gpu:3 are exchanged, which changes "
                "nothing");
  assert_words (costs, a, (GobanDeviceId[]){ 1, 2, 0, 3 },
                "In B gpu:0 is called gpu:2, gpu:1 is called gpu:0, gpu:2 is called gpu:1, which "
                "changes nothing");
}

TEST_PROGRAM (device_matching)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device-matching/all-renamings", test_all_renamings);
  g_test_add_func ("/device-matching/words", test_words);
  return g_test_run ();
}
