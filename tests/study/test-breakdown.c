/* Breakdowns against the mean over all orders, and their sums. */
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/difference/difference.h"

#include "engine/core/error.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static const GobanBar *
find_bar (const GobanBreakdown *self, GobanBarKind kind)
{
  for (guint i = 0; i < self->n_bars; i++)
    if (self->bars[i].kind == kind)
      return &self->bars[i];
  return NULL;
}

/* Every bar begins where the last one ends; groups fill the placement. */
static void
assert_chain (const GobanBreakdown *self, guint *n_groups)
{
  const GobanBar *placement = find_bar (self, GOBAN_BAR_PLACEMENT);
  double at_us = self->bars[0].to_us, group_us = placement->from_us;

  g_assert_cmpint (self->bars[0].kind, ==, GOBAN_BAR_BEFORE);
  g_assert_cmpint (self->bars[self->n_bars - 1].kind, ==, GOBAN_BAR_AFTER);
  *n_groups = 0;
  for (guint i = 1; i + 1 < self->n_bars; i++)
    {
      const GobanBar *bar = &self->bars[i];
      double *last_us = bar->kind == GOBAN_BAR_GROUP ? &group_us : &at_us;

      g_assert_cmpfloat (bar->from_us, ==, *last_us);
      *last_us = bar->to_us;
      *n_groups += bar->kind == GOBAN_BAR_GROUP;
    }
  g_assert_cmpfloat_with_epsilon (at_us, self->bars[self->n_bars - 1].to_us, 1e-6);
  if (*n_groups > 0)
    g_assert_cmpfloat (group_us, ==, placement->to_us);
}

static double
moved_us (GobanRun *before, GobanRun *after, const GobanBar *const *groups, guint n)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_run_get_plan (before));

  for (guint i = 0; i < n; i++)
    for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
      if (goban_selection_contains (groups[i]->nodes, v))
        goban_plan_set_device (plan, v, goban_plan_get_device (goban_run_get_plan (after), v));
  goban_fusion_dissolve_split (plan);
  return toy_makespan_us (goban_run_get_costs (after), plan);
}

/* Adds to sums_us (n) what each group adds, over all orders of those from @first on; returns the
 * number of orders. */
static guint
try_orders (GobanRun *const runs[2], const GobanBar **groups, guint n, guint first, double *sums_us)
{
  guint n_orders = 0;

  if (first == n)
    {
      for (guint i = 0; i < n; i++)
        for (guint k = 0; k < n; k++)
          if (groups[i] == groups[n + k])
            sums_us[k] += moved_us (runs[0], runs[1], groups, i + 1)
                          - moved_us (runs[0], runs[1], groups, i);
      return 1;
    }
  for (guint i = first; i < n; i++)
    {
      const GobanBar *kept = groups[first];

      groups[first] = groups[i];
      groups[i] = kept;
      n_orders += try_orders (runs, groups, n, first + 1, sums_us);
      groups[i] = groups[first];
      groups[first] = kept;
    }
  return n_orders;
}

static void
check_shapley (GobanRun *const runs[2], const GobanBreakdown *breakdown, guint n)
{
  const GobanBar *groups[2 * 5]; /* in some order, and as they are */
  double sums_us[5] = { 0 };
  guint n_orders, k = 0;

  for (guint i = 0; i < breakdown->n_bars; i++)
    if (breakdown->bars[i].kind == GOBAN_BAR_GROUP)
      {
        groups[k] = groups[n + k] = &breakdown->bars[i];
        k++;
      }
  n_orders = try_orders (runs, groups, n, 0, sums_us);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (goban_bar_get_change_us (groups[n + i]), sums_us[i] / n_orders,
                                    1e-6);
}

static GobanBreakdown *
break_down (GobanRun *const runs[2], gboolean is_matched)
{
  g_autoptr (GobanDeviceMatching) matching
      = is_matched ? goban_device_matching_new (runs[0], runs[1]) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanDifference) difference
      = goban_difference_new_matched (runs[0], runs[1], matching, 0, &error);
  GobanBreakdown *breakdown = goban_breakdown_new (difference, NULL, &error);

  g_assert_no_error (error);
  return breakdown;
}

static void
test_all_orders (void)
{
  guint n_checked = 0, n_parts = 0;

  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanPlan) other = NULL;
      g_autoptr (GobanBreakdown) breakdown = NULL;
      g_autoptr (GobanRun) before = NULL;
      g_autoptr (GobanRun) after = NULL;
      guint n_groups;
      GobanRng rng;

      (seed % 2 ? fused_run_init : random_run_init) (&run, 6 + seed % 4, seed);
      goban_rng_init (&rng, seed + 1000);
      other = random_plan (run.costs, &rng);
      before = goban_run_new (run.costs, other, "before");
      after = goban_run_new (run.costs, run.plan, "after");
      breakdown = break_down ((GobanRun *[]){ before, after }, FALSE);
      assert_chain (breakdown, &n_groups);
      g_assert_cmpfloat (breakdown->bars[0].to_us, ==, goban_run_get_makespan_us (before));
      g_assert_cmpfloat (breakdown->bars[breakdown->n_bars - 1].to_us, ==,
                         goban_run_get_makespan_us (after));
      n_parts += find_bar (breakdown, GOBAN_BAR_ORDER)->n_nodes > 0;
      if (n_groups < 2 || n_groups > 5)
        continue;
      check_shapley ((GobanRun *[]){ before, after }, breakdown, n_groups);
      n_checked++;
    }
  g_assert_cmpuint (n_checked, >, 15);
  g_assert_cmpuint (n_parts, >, 15);
}

static void
count_cb (GobanBreakdown *so_far, gpointer user_data)
{
  guint n_groups;

  assert_chain (so_far, &n_groups);
  g_assert_false (so_far->is_complete);
  ++*(guint *) user_data;
}

/* Thirty scopes of an op each are joined to twelve groups and sampled: the same whatever the number
 * of threads, and still a sum. */
static void
test_sampled (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("scopes", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) single = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanDifference) difference = NULL;
  g_autoptr (GError) error = NULL;
  char *texts[2];
  guint n_groups, n_found = 0;

  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *name = g_strdup_printf ("scope%u/op", i);

      goban_graph_builder_add_node (builder, name, "Add");
      goban_graph_builder_set_time (builder, i, "gpu", 10 + i, GOBAN_SOURCE_GIVEN);
    }
  graph = toy_finish (builder);
  costs = toy_costs (graph, "p100x4");
  single = goban_plan_new (graph, 4);
  before = goban_run_new (costs, single, "before");
  plan = goban_plan_copy (single);
  for (GobanNodeId v = 0; v < 30; v++)
    goban_plan_set_device (plan, v, 1 + v % 3);
  after = goban_run_new (costs, plan, "after");
  difference = goban_difference_new (before, after, 0, &error);
  for (guint i = 0; i < 2; i++)
    {
      GobanBreakdownOptions options
          = { .n_threads = 1 + 2 * i, .on_found = count_cb, .user_data = &n_found };
      g_autoptr (GobanBreakdown) breakdown = goban_breakdown_new (difference, &options, &error);

      g_assert_no_error (error);
      assert_chain (breakdown, &n_groups);
      g_assert_cmpuint (n_groups, ==, GOBAN_BREAKDOWN_GROUPS);
      g_assert_cmpuint (breakdown->n_orders, >=, 20);
      g_assert_cmpuint (breakdown->n_simulations, <=, GOBAN_BREAKDOWN_BUDGET + 5);
      g_assert_cmpfloat (find_bar (breakdown, GOBAN_BAR_GROUP)->error_us, >, 0);
      texts[i] = goban_breakdown_to_text (breakdown);
    }
  g_assert_cmpstr (texts[0], ==, texts[1]);
  g_free (texts[0]);
  g_free (texts[1]);
  g_assert_cmpuint (n_found, >, 20);
}

/* One op on the other device is the whole difference, and there is nothing to split. */
static void
test_words (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanPlan) single = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) moved = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) before = goban_run_new (costs, single, "single");
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanBreakdown) breakdown = NULL;
  g_autofree char *sentence = NULL;
  g_autofree char *text = NULL;

  goban_plan_set_device (moved, goban_graph_find_node (graph, "left"), 1);
  after = goban_run_new (costs, moved, "moved");
  breakdown = break_down ((GobanRun *[]){ before, after }, TRUE);
  sentence = goban_breakdown_to_sentence (breakdown, (const char *[]){ "A", "B" });
  g_assert_cmpstr (sentence, ==,
                   "B takes 100 µs less than A (−45.5 %): placement −100 µs, order 0 µs, fusion "
                   "0 µs, interaction 0 µs");
  text = goban_breakdown_to_text (breakdown);
  g_assert_nonnull (strstr (text, "moved takes 100 µs less than single"));
  g_assert_cmpuint (breakdown->n_bars, ==, 6);
}

TEST_PROGRAM (breakdown)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breakdown/all-orders", test_all_orders);
  g_test_add_func ("/breakdown/sampled", test_sampled);
  g_test_add_func ("/breakdown/words", test_words);
  return g_test_run ();
}
