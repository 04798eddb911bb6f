#include "engine/learn/rl/baselines/post.h"

#include "engine/graph/graph-builder.h"
#include "engine/learn/rl/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Groups and devices by hand; @denied: a group and device that do not go together. */
static GobanUnitGroups
make_groups (guint n_groups, guint n_devices, guint8 *can_run)
{
  memset (can_run, 1, n_groups * n_devices);
  return (GobanUnitGroups){
    .n_groups = n_groups,
    .n_devices = n_devices,
    .can_run = can_run,
  };
}

/* p = (1 - x) share + x / n: three of four elites put group 0 on device 2, one on device 0. */
static void
test_cross_entropy_is_closed_form (void)
{
  static const GobanDeviceId elites[] = { 2, 1, 2, 1, 0, 1, 2, 1 };
  guint8 can_run[2 * 3];
  GobanUnitGroups groups = make_groups (2, 3, can_run);
  g_auto (GobanPostTable) table = { 0 };

  can_run[3 + 2] = FALSE;
  goban_post_table_init (&table, &groups);
  g_assert_cmpfloat_with_epsilon (table.probabilities[0], 1.0 / 3, 1e-12);
  g_assert_cmpfloat (table.probabilities[3], ==, 0.5);
  g_assert_cmpfloat (table.probabilities[5], ==, 0);
  g_assert_cmpfloat_with_epsilon (goban_post_table_get_entropy (&table), (log (3) + log (2)) / 2,
                                  1e-12);

  goban_post_table_imitate (&table, elites, 4, 0.3);
  g_assert_cmpfloat_with_epsilon (table.probabilities[0], 0.7 * 0.25 + 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (table.probabilities[1], 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (table.probabilities[2], 0.7 * 0.75 + 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (table.probabilities[3], 0.15, 1e-12);
  g_assert_cmpfloat_with_epsilon (table.probabilities[4], 0.7 + 0.15, 1e-12);
  g_assert_cmpfloat (table.probabilities[5], ==, 0);
}

/* What the surrogate is at @table's logits, had the samples been drawn from @before. */
static double
surrogate (const GobanPostTable *table, const double *before, const GobanDeviceId *samples,
           const double *advantages, guint n)
{
  double sum = 0;

  for (guint k = 0; k < n; k++)
    for (guint g = 0; g < table->n_groups; g++)
      {
        gsize at = (gsize) g * table->n_devices + samples[k * table->n_groups + g];
        double ratio = table->probabilities[at] / before[at];

        sum += MIN (ratio * advantages[k], CLAMP (ratio, 0.8, 1.2) * advantages[k]) / n;
      }
  return sum;
}

static void
test_ppo_climbs_within_clip (void)
{
  static const GobanDeviceId samples[] = { 0, 1, 1, 1, 2, 0 };
  static const double advantages[] = { 1, -1.5, 0.5 };
  guint8 can_run[2 * 3];
  GobanUnitGroups groups = make_groups (2, 3, can_run);
  g_auto (GobanPostTable) table = { 0 };
  double before[6];
  double at_first, clipped;

  goban_post_table_init (&table, &groups);
  memcpy (before, table.probabilities, sizeof before);
  at_first = surrogate (&table, before, samples, advantages, 3);
  g_assert_cmpfloat_with_epsilon (goban_post_table_get_entropy (&table), log (3), 1e-12);
  clipped = goban_post_table_improve (&table, samples, advantages, 3);
  g_assert_true (clipped > 0 && clipped < 1);
  g_assert_cmpfloat (goban_post_table_get_entropy (&table), <, log (3));
  g_assert_cmpfloat (surrogate (&table, before, samples, advantages, 3), >, at_first);
  g_assert_cmpfloat (table.probabilities[0], >, before[0]);
  g_assert_cmpfloat (table.probabilities[1], <, before[1]);

  /* However often the same samples are told: a step beyond the clip is the last. */
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (fabs (table.probabilities[i] / before[i] - 1), <, 0.6);
}

static void
test_draws_by_probability (void)
{
  static const GobanDeviceId elites[] = { 1, 1, 1, 2 };
  guint8 can_run[4];
  GobanUnitGroups groups = make_groups (1, 4, can_run);
  g_auto (GobanPostTable) table = { 0 };
  guint counts[4] = { 0 };
  GobanRng rng;

  can_run[0] = FALSE;
  goban_rng_init (&rng, 1);
  goban_post_table_init (&table, &groups);
  goban_post_table_imitate (&table, elites, 4, 0.3);
  for (guint i = 0; i < 10000; i++)
    {
      GobanDeviceId sample;

      goban_post_table_draw (&table, &rng, &sample);
      counts[sample]++;
    }
  g_assert_cmpuint (counts[0], ==, 0);
  for (guint d = 1; d < 4; d++)
    g_assert_cmpfloat (fabs (counts[d] / 10000.0 - table.probabilities[d]), <, 0.02);
}

/* A cost for every group on the wrong device: the table comes to know the right one of each. */
static void
test_converges_on_known_optimum (void)
{
  enum
  {
    N_GROUPS = 12,
    N_DEVICES = 3
  };
  guint8 can_run[N_GROUPS * N_DEVICES];
  GobanUnitGroups groups = make_groups (N_GROUPS, N_DEVICES, can_run);
  g_auto (GobanPostTable) table = { 0 };
  GobanRng rng;

  goban_rng_init (&rng, 3);
  goban_post_table_init (&table, &groups);
  for (guint update = 0; update < 200; update++)
    {
      GobanDeviceId samples[10 * N_GROUPS];
      double advantages[10];
      double mean = 0;

      for (guint k = 0; k < 10; k++)
        {
          goban_post_table_draw (&table, &rng, &samples[k * N_GROUPS]);
          advantages[k] = 0;
          for (guint g = 0; g < N_GROUPS; g++)
            advantages[k] += samples[k * N_GROUPS + g] == g % N_DEVICES;
          mean += advantages[k] / 10;
        }
      for (guint k = 0; k < 10; k++)
        advantages[k] -= mean;
      goban_post_table_improve (&table, samples, advantages, 10);
    }
  for (guint g = 0; g < N_GROUPS; g++)
    g_assert_cmpfloat (table.probabilities[g * N_DEVICES + g % N_DEVICES], >, 0.8);
}

/* Eight equal ops side by side on two devices: four and four is best. */
static void
test_balances (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("parallel", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  GobanPlacerOptions options = { .seed = 1 };

  for (guint v = 0; v < 8; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "equal:2");
  plan = goban_placer_place (&goban_placer_post, costs, &options, NULL, &error);
  g_assert_no_error (error);
  trace = goban_simulate (costs, plan);
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 40);
}

TEST_PROGRAM (post)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/post/cross-entropy-is-closed-form", test_cross_entropy_is_closed_form);
  g_test_add_func ("/post/ppo-climbs-within-clip", test_ppo_climbs_within_clip);
  g_test_add_func ("/post/draws-by-probability", test_draws_by_probability);
  g_test_add_func ("/post/converges-on-known-optimum", test_converges_on_known_optimum);
  g_test_add_func ("/post/balances", test_balances);
  return g_test_run ();
}
