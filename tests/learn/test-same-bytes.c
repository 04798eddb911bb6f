/* test-same-bytes.c: the same seed gives the same plan, however many threads there are. */
#include "engine/core/parallel.h"
#include "engine/learn/roster.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define N_NODES 80

static const char *const policies[] = { "go-oneshot", "hdp", "placeto", "regal" };

/* (transfer full) */
static GobanPlan *
place (GobanCostModel *costs, const char *policy)
{
  GobanPlacerOptions options = { .seed = 7, .max_evaluations = test_rounds (160) };
  const GobanPlacer *placer = goban_roster_find (policy, NULL);
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = goban_placer_place (placer, costs, &options, NULL, &error);

  g_assert_no_error (error);
  return plan;
}

static void
test_threads (gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (N_NODES, 1, "p100x4");
  g_autoptr (GobanPlan) expected = place (costs, data);
  g_autoptr (GobanPlan) again = place (costs, data);
  g_autoptr (GobanPlan) alone = NULL;

  g_assert_true (toy_plans_are_same (again, expected));
  goban_parallel_set_max_threads (1);
  alone = place (costs, data);
  goban_parallel_set_max_threads (0);
  g_assert_true (toy_plans_are_same (alone, expected));
}

TEST_PROGRAM (same_bytes)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autofree char *path = g_strconcat ("/rl/same-bytes/", policies[i], NULL);

      g_test_add_data_func (path, policies[i], test_threads);
    }
  return g_test_run ();
}
