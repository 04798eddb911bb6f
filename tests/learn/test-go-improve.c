/* test-go-improve.c: budgets, settings and files of the policy, and what its network is worth on
 * problems it never saw. */
#include "engine/core/error.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/moves/move-problem.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/policies.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Under sanitizers, smaller. */
#define PROBLEM (TEST_IS_SANITIZED ? "synthetic:seed=61,nodes=200" : "synthetic:seed=61,nodes=400")

static char *
find_network (void)
{
  return g_build_filename (g_getenv ("GOBAN_SOURCE_ROOT"), "data", "policies", "moves.net", NULL);
}

static GobanPlan *
place (GobanCostModel *costs, const char *settings, guint64 budget, guint64 *evaluations)
{
  g_autofree char *network = find_network ();
  GobanPlacerOptions options = { .settings = settings,
                                 .max_evaluations = budget,
                                 .learned = &(GobanLearnedOptions){ .network = network } };
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  *evaluations = 0;
  plan = goban_placer_place (&goban_placer_go_improve, costs, &options, evaluations, &error);
  g_assert_no_error (error);
  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
  return plan;
}

static double
simulate_us (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

  return goban_trace_get_makespan (trace);
}

/* --- the policy ----------------------------------------------------------------------------- */

/* Spends exactly its budget, for all proposers and starts, and a larger budget is never worse. */
static void
test_budget (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs (PROBLEM, "p100x4");
  static const char *const settings[]
      = { NULL, "start=cells", "proposals=hand", "proposals=untrained,heat=0",
          "start=cells,proposals=uniform" };
  static const guint64 budgets[] = { 1, 2, 9, 12, 17, 70 };

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (budgets); k++)
      {
        guint64 evaluations;
        g_autoptr (GobanPlan) plan = place (costs, settings[i], budgets[k], &evaluations);

        g_assert_cmpuint (evaluations, ==, budgets[k]);
        g_assert_cmpstr (goban_plan_get_policy (plan), ==, "go-improve");
      }
}

/* It goes on from the plan builder's plan: never worse than that with its share of the
 * evaluations. */
static void
test_builder (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=62,nodes=400", "p100x4");
  guint64 evaluations;
  g_autoptr (GobanPlan) plan = place (costs, "start=builder", 60, &evaluations);
  GobanPlacerOptions options = { .max_evaluations = 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) built = NULL;

  g_assert_cmpuint (evaluations, ==, 60);
  built = goban_placer_place (&goban_placer_go_zeroshot, costs, &options, &evaluations, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (simulate_us (costs, plan), <=, simulate_us (costs, built));
}

/* Graphs without work or choice. */
static void
test_trivial (void)
{
  static const char *const none[] = { NULL };

  for (guint i = 0; i < 2; i++)
    for (guint n = 1; n <= 2; n++)
      {
        g_autoptr (GobanGraph) graph = i == 0 ? toy_of_names (none) : toy_chain ();
        g_autofree char *cluster = g_strdup_printf ("equal:%u", n);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
        guint64 evaluations;
        g_autoptr (GobanPlan) plan = place (costs, NULL, 30, &evaluations);

        g_assert_cmpfloat (simulate_us (costs, plan), ==, i == 0 ? 0 : 40);
      }
}

/* What cannot be is named, with what can be. */
static void
test_wrong (void)
{
  static const struct
  {
    const char *settings;
    const char *network;
    const char *words;
  } wrong[] = {
    { "proposals=chance", NULL, "network|hand|untrained|uniform" },
    { "heat=2", NULL, "heat=2" },
    { "groups=0", NULL, "groups=NUMBER" },
    { "start", NULL, "start=builder|cells" },
    { NULL, "/nonexistent/moves.net", "/nonexistent/moves.net" },
  };
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=400", "p100x2");

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      GobanPlacerOptions options
          = { .settings = wrong[i].settings,
              .learned = &(GobanLearnedOptions){ .network = wrong[i].network } };
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;

      g_assert_null (
          goban_placer_place (&goban_placer_go_improve, costs, &options, &evaluations, &error));
      g_assert_nonnull (strstr (error->message, wrong[i].words));
    }
}

/* --- the network ---------------------------------------------------------------------------- */

#define N_PROBLEMS 12
#define N_SEEDS 2
#define MARGIN 0.03

/* Mean log of what @net makes of a problem over what uniform moves do, from the same start with as
 * many evaluations. */
static double
compare (guint index, const GobanScorerNet *net)
{
  static const char *const clusters[] = { "p100x2", "p100x4", "p100x8" };
  const guint counts[] = { 48 };
  g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u", 2000001 + index);
  g_autoptr (GobanCostModel) costs
      = toy_generated_costs (spec, clusters[index % G_N_ELEMENTS (clusters)]);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanMoveProblem) problem = goban_move_problem_new (costs, &error);
  double sum = 0;

  g_assert_no_error (error);
  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      double ours_us, uniform_us;

      goban_move_problem_try (problem, net, seed, counts, 1, &ours_us);
      goban_move_problem_try (problem, NULL, seed, counts, 1, &uniform_us);
      sum += goban_log (ours_us / uniform_us) / N_SEEDS;
    }
  return sum;
}

/* On random networks that are neither lessons nor problems of validation. The mean over all is six
 * times the margin, the deviation of that mean a fifth of it: neither seeds nor the last bits of
 * kernels decide. */
static void
test_better_than_uniform (void)
{
  g_autofree char *path = find_network ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanScorerNet) net = goban_move_net_load (path, &error);
  double mean = 0, square = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < N_PROBLEMS; i++)
    {
      double difference = compare (i, net);

      mean += difference / N_PROBLEMS;
      square += difference * difference / N_PROBLEMS;
    }
  g_test_message ("over uniform: %.4f, deviation of the mean %.4f", exp (mean),
                  sqrt ((square - mean * mean) / N_PROBLEMS));
  g_assert_cmpfloat (mean, <, -MARGIN);
}

TEST_PROGRAM (go_improve)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go-improve/budget", test_budget);
  g_test_add_func ("/rl/go-improve/builder", test_builder);
  g_test_add_func ("/rl/go-improve/trivial", test_trivial);
  g_test_add_func ("/rl/go-improve/wrong", test_wrong);
  /* A figure of 48 searches, which sanitizers would not change. */
  if (!TEST_IS_SANITIZED)
    g_test_add_func ("/rl/go-improve/better-than-uniform", test_better_than_uniform);
  return g_test_run ();
}
