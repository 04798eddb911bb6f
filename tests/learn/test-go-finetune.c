/* test-go-finetune.c: both methods, which of them is taken, budgets, repetition, cancellation, and
 * what learning is worth. */
#include "engine/core/error.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/moves/move-problem.h"
#include "engine/learn/rl/policies.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Under sanitizers, smaller. */
#define PROBLEM (TEST_IS_SANITIZED ? "synthetic:seed=61,nodes=200" : "synthetic:seed=61,nodes=400")

static char *
find_network (const char *name)
{
  return g_build_filename (g_getenv ("GOBAN_SOURCE_ROOT"), "data", "policies", name, NULL);
}

/* (nullable) */
static GobanPlan *
try_place (GobanCostModel *costs, GobanPlacerOptions *options, guint64 *evaluations, GError **error)
{
  *evaluations = 0;
  return goban_placer_place (&goban_placer_go_finetune, costs, options, evaluations, error);
}

static GobanPlan *
place (GobanCostModel *costs, GobanPlacerOptions *options, guint64 *evaluations)
{
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = try_place (costs, options, evaluations, &error);

  g_assert_no_error (error);
  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
  return plan;
}

/* --- moves ---------------------------------------------------------------------------------- */

static void
test_budget (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs (PROBLEM, "p100x4");
  static const char *const settings[]
      = { NULL, "method=moves,learn=0", "proposals=untrained,start=cells", "proposals=uniform" };
  static const guint64 budgets[] = { 1, 2, 17, 18, 70 };

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (budgets); k++)
      {
        GobanPlacerOptions options
            = { .settings = settings[i], .max_evaluations = budgets[k], .seed = k };
        guint64 evaluations;
        g_autoptr (GobanPlan) plan = place (costs, &options, &evaluations);

        g_assert_cmpuint (evaluations, ==, budgets[k]);
      }
}

static gboolean
is_same_plan (const GobanPlan *a, const GobanPlan *b)
{
  gsize n = goban_plan_get_n_nodes (a);

  return memcmp (goban_plan_get_devices (a), goban_plan_get_devices (b), n * sizeof (GobanDeviceId))
             == 0
         && memcmp (goban_plan_get_priorities (a), goban_plan_get_priorities (b),
                    n * sizeof (gint32))
                == 0;
}

static GobanPlan *
place_by (const GobanPlacer *placer, GobanCostModel *costs, const char *settings)
{
  GobanPlacerOptions options
      = { .settings = settings, .max_evaluations = TEST_IS_SANITIZED ? 60 : 150, .seed = 3 };
  guint64 evaluations = 0;
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = goban_placer_place (placer, costs, &options, &evaluations, &error);

  g_assert_no_error (error);
  return plan;
}

/* A seed gives one plan. Without learning it is go-improve's, with learning another one. */
static void
test_repeatable (void)
{
  static const char *const settings[]
      = { NULL, "proposals=untrained", "proposals=uniform,start=cells" };
  g_autoptr (GobanCostModel) costs = toy_generated_costs (
      TEST_IS_SANITIZED ? "synthetic:seed=62,nodes=300" : "synthetic:seed=62", "p100x4");

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *learns = g_strdup_printf ("learn=0%s%s", settings[i] != NULL ? "," : "",
                                                 settings[i] != NULL ? settings[i] : "");
      g_autoptr (GobanPlan) one = place_by (&goban_placer_go_finetune, costs, settings[i]);
      g_autoptr (GobanPlan) two = place_by (&goban_placer_go_finetune, costs, settings[i]);
      g_autoptr (GobanPlan) taught = place_by (&goban_placer_go_finetune, costs, learns);
      g_autoptr (GobanPlan) improved = place_by (&goban_placer_go_improve, costs, settings[i]);

      g_assert_true (is_same_plan (one, two));
      g_assert_true (is_same_plan (taught, improved));
      g_assert_false (is_same_plan (one, improved));
    }
}

/* The networks that come along decide all tasks, with a plan to begin at, too. */
static void
test_all_tasks (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=200", "p100x2");
  GobanLearnedOptions learned = { .decisions = GOBAN_TASKS_ALL };
  GobanPlacerOptions options = { .max_evaluations = 40, .learned = &learned };
  guint64 evaluations;
  g_autoptr (GobanPlan) first = place (costs, &options, &evaluations);
  g_autoptr (GobanPlan) second = NULL;

  g_assert_cmpuint (evaluations, ==, 40);
  learned.start = first;
  second = place (costs, &options, &evaluations);
  g_assert_cmpuint (evaluations, ==, 40);
}

/* The check that it stops at. */
typedef struct
{
  guint n_checks;
  guint last;
} Stop;

static gboolean
stops_at (gpointer data)
{
  Stop *self = data;

  return ++self->n_checks > self->last;
}

/* Whenever it is asked to stop, while it builds, splits or improves, it makes no further
 * evaluation. */
static void
test_cancelled (void)
{
  static const char *const settings[] = { NULL, "proposals=untrained,start=cells" };
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=400", "p100x2");

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    for (guint last = 0; last < 60; last += TEST_IS_SANITIZED ? 19 : 7)
      {
        Stop stop = { .last = last };
        GobanProgress progress = { .should_stop = stops_at, .user_data = &stop };
        GobanPlacerOptions options
            = { .settings = settings[i], .max_evaluations = 70, .progress = &progress };
        g_autoptr (GError) error = NULL;
        guint64 evaluations;

        g_assert_null (try_place (costs, &options, &evaluations, &error));
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
        g_assert_cmpuint (stop.n_checks, ==, last + 1);
      }
}

/* --- which method --------------------------------------------------------------------------- */

static void
assert_fails (GobanPlacerOptions *options, const char *words)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=400", "p100x2");
  g_autoptr (GError) error = NULL;
  guint64 evaluations;

  g_assert_null (try_place (costs, options, &evaluations, &error));
  g_assert_nonnull (strstr (error->message, words));
}

/* Settings that only one method has show which one was used. */
static void
test_method (void)
{
  g_autofree char *whole_plans = find_network ("go.net");
  g_autofree char *moves = find_network ("moves.net");
  struct
  {
    GobanPlacerOptions options;
    const char *words;
  } wrong[] = {
    { { .settings = "rows=64" }, "method=paper has" },
    { { .settings = "method=moves,rows=64" }, "proposals=" },
    { { .settings = "method=paper,proposals=hand" }, "proposals" },
    { { .settings = "proposals=hand", .learned = &(GobanLearnedOptions){ .network = whole_plans } },
      "proposals" },
    { { .settings = "rows=64", .learned = &(GobanLearnedOptions){ .network = moves } },
      "proposals=" },
    { { .settings = "rows=64", .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } },
      "proposals=" },
    { { .settings = "method=paper",
        .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } },
      "was not taught" },
    { { .settings = "method=both" }, "moves and paper" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_fails (&wrong[i].options, wrong[i].words);
}

static void
test_paper (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=61,nodes=400", "p100x2");
  GobanPlacerOptions options
      = { .settings = "method=paper,rows=16,rollouts=4", .max_evaluations = 40 };
  guint64 evaluations;
  g_autoptr (GobanPlan) plan = place (costs, &options, &evaluations);

  g_assert_cmpuint (evaluations, <=, 40);
  g_assert_cmpuint (evaluations, >, 20);
}

/* --- what learning is worth ----------------------------------------------------------------- */

#define N_PROBLEMS 10
#define N_EVALUATIONS 300
#define MARGIN 0.02

/* Log of what a search with an untrained network makes of a random network. */
static double
search (guint index, double learn)
{
  static const char *const clusters[] = { "p100x2", "p100x4", "p100x8" };
  const guint counts[] = { N_EVALUATIONS };
  g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u", 2000001 + index);
  g_autoptr (GobanCostModel) costs
      = toy_generated_costs (spec, clusters[index % G_N_ELEMENTS (clusters)]);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanMoveProblem) problem = goban_move_problem_new (costs, &error);
  g_autoptr (GobanScorerNet) net = NULL;
  GobanRng rng;
  double best_us;

  g_assert_no_error (error);
  goban_rng_init (&rng, index);
  net = goban_move_net_new (&rng);
  problem->improver->settings.learn = learn;
  goban_move_problem_try (problem, net, 1, counts, 1, &best_us);
  return goban_log (best_us);
}

static void
test_learning_helps (void)
{
  double mean = 0, square = 0;

  for (guint i = 0; i < N_PROBLEMS; i++)
    {
      double difference = search (i, 1) - search (i, 0);

      mean += difference / N_PROBLEMS;
      square += difference * difference / N_PROBLEMS;
    }
  g_test_message ("learning over none: %.4f, deviation of the mean %.4f", exp (mean),
                  sqrt ((square - mean * mean) / N_PROBLEMS));
  g_assert_cmpfloat (mean, <, -MARGIN);
}

TEST_PROGRAM (go_finetune)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go-finetune/budget", test_budget);
  g_test_add_func ("/rl/go-finetune/repeatable", test_repeatable);
  g_test_add_func ("/rl/go-finetune/all-tasks", test_all_tasks);
  g_test_add_func ("/rl/go-finetune/cancelled", test_cancelled);
  g_test_add_func ("/rl/go-finetune/method", test_method);
  g_test_add_func ("/rl/go-finetune/paper", test_paper);
  /* A figure of ten searches, which sanitizers would not change. */
  if (!TEST_IS_SANITIZED)
    g_test_add_func ("/rl/go-finetune/learning-helps", test_learning_helps);
  return g_test_run ();
}
