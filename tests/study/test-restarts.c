/* test-restarts.c: the best of several searches, the same for any number of ranks. */
#include "engine/core/error.h"
#include "engine/study/run/restarts.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"
#include "tests/support/toys.h"

#include <string.h>

#define N_RESTARTS 5
#define N_EVALUATIONS 25
#define FIRST_SEED 3

typedef struct
{
  GobanCostModel *costs;
  const char *policy;
  gboolean skips_record;
  GobanRun *best; /* of rank 0 */
} Case;

static GobanRunOptions
make_options (const Case *self, guint64 seed)
{
  return (GobanRunOptions){ .seed = seed,
                            .max_evaluations = N_EVALUATIONS,
                            .skips_record = self->skips_record };
}

static void
restart (GobanRanks *ranks, gpointer data)
{
  Case *self = data;
  GobanRunOptions options = make_options (self, FIRST_SEED);
  g_autoptr (GError) error = NULL;
  GobanRun *best;

  g_assert_true (
      goban_restarts_run (self->costs, self->policy, &options, N_RESTARTS, ranks, &best, &error));
  g_assert_no_error (error);
  g_assert_true ((best != NULL) == (goban_ranks_get_rank (ranks) == 0));
  if (best != NULL)
    self->best = best;
}

static void
assert_same_plan (GobanRun *a, GobanRun *b)
{
  const GobanPlan *of_a = goban_run_get_plan (a);
  const GobanPlan *of_b = goban_run_get_plan (b);
  gsize n = goban_plan_get_n_nodes (of_a);

  g_assert_cmpmem (goban_plan_get_devices (of_a), n * sizeof (GobanDeviceId),
                   goban_plan_get_devices (of_b), n * sizeof (GobanDeviceId));
  g_assert_cmpmem (goban_plan_get_priorities (of_a), n * sizeof (gint32),
                   goban_plan_get_priorities (of_b), n * sizeof (gint32));
  g_assert_cmpmem (goban_plan_get_fusions (of_a), n * sizeof (gint32),
                   goban_plan_get_fusions (of_b), n * sizeof (gint32));
  g_assert_cmpint (goban_plan_get_order (of_a), ==, goban_plan_get_order (of_b));
  g_assert_cmpstr (goban_plan_get_policy (of_a), ==, goban_plan_get_policy (of_b));
  g_assert_cmpfloat (goban_run_get_makespan_us (a), ==, goban_run_get_makespan_us (b));
}

/* Random plans differ with the seed; the best is that of one seed alone, the lowest of those. */
static void
test_best (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (30, 3);
  Case self = { .costs = toy_costs (graph, TOY_MIXED_CLUSTER), .policy = "random" };
  g_autoptr (GobanRun) best = NULL;
  g_autoptr (GobanRun) expected = NULL;
  guint64 n_evaluations = 0;
  GArray *steps;

  for (guint i = 0; i < N_RESTARTS; i++)
    {
      GobanRunOptions options = make_options (&self, FIRST_SEED + i);
      GobanRun *run = goban_run_new_from_policy (self.costs, self.policy, &options, NULL);

      n_evaluations += goban_run_get_origin (run)->evaluations;
      if (expected == NULL
          || goban_run_get_makespan_us (run) < goban_run_get_makespan_us (expected))
        {
          g_clear_pointer (&expected, goban_run_unref);
          expected = run;
        }
      else
        goban_run_unref (run);
    }
  restart (NULL, &self);
  best = g_steal_pointer (&self.best);
  assert_same_plan (best, expected);
  g_assert_cmpuint (goban_run_get_origin (expected)->seed, >,
                    FIRST_SEED); /* else it proves nothing */
  g_assert_cmpuint (goban_run_get_origin (best)->seed, ==, goban_run_get_origin (expected)->seed);
  g_assert_cmpuint (goban_run_get_origin (best)->evaluations, ==, n_evaluations);
  steps = (GArray *) goban_run_get_origin (best)->improvements;
  g_assert_cmpfloat (g_array_index (steps, GobanImprovement, steps->len - 1).makespan_us, ==,
                     goban_run_get_makespan_us (best));
  g_assert_nonnull (goban_run_get_decisions (best));
  goban_cost_model_unref (self.costs);
}

static void
test_ranks (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (30, 3);
  Case self
      = { .costs = toy_costs (graph, TOY_MIXED_CLUSTER), .policy = "anneal", .skips_record = TRUE };
  g_autoptr (GobanRun) alone = NULL;

  restart (NULL, &self);
  alone = g_steal_pointer (&self.best);
  for (guint size = 2; size <= 8; size *= 2)
    {
      g_autoptr (GobanRun) shared = NULL;

      thread_ranks_run (size, restart, &self);
      shared = g_steal_pointer (&self.best);
      assert_same_plan (shared, alone);
      g_assert_cmpuint (goban_run_get_origin (shared)->seed, ==,
                        goban_run_get_origin (alone)->seed);
      g_assert_cmpuint (goban_run_get_origin (shared)->evaluations, ==,
                        goban_run_get_origin (alone)->evaluations);
      g_assert_cmpuint (goban_run_get_best_evaluation (shared), ==,
                        goban_run_get_best_evaluation (alone));
    }
  goban_cost_model_unref (self.costs);
}

TEST_PROGRAM (restarts)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/restarts/best", test_best);
  g_test_add_func ("/run/restarts/ranks", test_ranks);
  return g_test_run ();
}
