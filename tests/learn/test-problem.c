/* A graph to be learned on: choices become plans that check, and outcomes rewards. */
#include "engine/learn/rl/go/rollouts.h"

#include "engine/core/error.h"
#include "engine/placers/placed-ranks.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanProblem *
new_problem (GobanCostModel *costs, const GobanProblemOptions *options)
{
  g_autoptr (GError) error = NULL;
  GobanProblem *problem = goban_problem_new (costs, options, NULL, &error);

  g_assert_no_error (error);
  return problem;
}

/* Any level, and any device that is allowed. */
static void
draw (const GobanBoard *board, GobanTasks decisions, GobanRng *rng, guint32 *const *chosen)
{
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (guint r = 0; (decisions & (1u << k)) != 0 && r < board->n_rows; r++)
      if (k != GOBAN_TASK_PLACEMENT)
        chosen[k][r] = goban_rng_below (rng, GOBAN_N_LEVELS);
      else
        do
          chosen[k][r] = goban_rng_below (rng, board->n_devices);
        while (!board->allowed[r * board->n_devices + chosen[k][r]]);
}

static void
check (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GError) error = NULL;

  goban_plan_check (plan, costs, &error);
  g_assert_no_error (error);
  goban_fusion_check (plan, costs, &error);
  g_assert_no_error (error);
}

#define N_PLANS 6

/* A plan of choices by row (by task, NULL for what is not decided). (transfer full) */
static GobanPlan *
new_plan (GobanProblem *problem, GobanTasks decisions, guint32 *const *chosen)
{
  const GobanBoard *board = problem->board;
  GobanNetConfig config = goban_net_config_goban ();
  GobanChoices *choices;
  GobanPlan *plan;

  config.decisions = decisions;
  choices = goban_choices_new (&config, board->n_rows);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (chosen[k] != NULL && choices->chosen[config.n_iterations - 1][k] != NULL)
      memcpy (choices->chosen[config.n_iterations - 1][k], chosen[k],
              board->n_rows * sizeof (guint32));
  goban_problem_new_plans (problem, &choices, 1, &plan);
  goban_choices_free (choices);
  return plan;
}

/* What is not decided is as in @start, or as TensorFlow has it. */
static void
check_rest (const GobanPlan *plan, const GobanPlan *start, GobanTasks decisions)
{
  gsize n_nodes = goban_plan_get_n_nodes (plan);
  gboolean is_placed = (decisions & (1u << GOBAN_TASK_PLACEMENT)) != 0;

  if ((decisions & (1u << GOBAN_TASK_FUSION)) == 0)
    {
      if (start != NULL && !is_placed)
        g_assert_cmpmem (goban_plan_get_fusions (plan), n_nodes * sizeof (gint32),
                         goban_plan_get_fusions (start), n_nodes * sizeof (gint32));
      else
        g_assert_false (goban_plan_is_fused (plan));
    }
  if ((decisions & (1u << GOBAN_TASK_SCHEDULING)) == 0)
    {
      g_assert_cmpint (goban_plan_get_order (plan), ==,
                       start != NULL ? goban_plan_get_order (start) : GOBAN_ORDER_FIFO);
      if (start != NULL)
        g_assert_cmpmem (goban_plan_get_priorities (plan), n_nodes * sizeof (gint32),
                         goban_plan_get_priorities (start), n_nodes * sizeof (gint32));
    }
  else
    g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_PRIORITY);
  if (start != NULL && !is_placed)
    for (GobanNodeId v = 0; v < n_nodes; v++)
      g_assert_cmpuint (goban_plan_get_device (plan, v), ==, goban_plan_get_device (start, v));
}

static void
try_decisions (GobanCostModel *costs, GobanPlan *start, GobanTasks decisions, guint64 seed)
{
  GobanProblemOptions options = { .decisions = decisions, .start = start, .n_rows = seed % 3 * 7 };
  g_autoptr (GobanProblem) problem = new_problem (costs, &options);
  const GobanBoard *board = problem->board;
  GobanNetConfig config = goban_net_config_goban ();
  GobanChoices *choices[N_PLANS];
  GobanPlan *plans[N_PLANS];
  GobanRng rng;

  config.decisions = decisions;
  goban_rng_init (&rng, seed);
  for (guint i = 0; i < N_PLANS; i++)
    {
      choices[i] = goban_choices_new (&config, board->n_rows);
      draw (board, decisions, &rng, choices[i]->chosen[config.n_iterations - 1]);
    }
  goban_problem_new_plans (problem, choices, N_PLANS, plans);
  for (guint i = 0; i < N_PLANS; i++)
    {
      const guint32 *devices = choices[i]->chosen[config.n_iterations - 1][GOBAN_TASK_PLACEMENT];

      check (costs, plans[i]);
      check_rest (plans[i], start, decisions);
      for (GobanNodeId v = 0; devices != NULL && v < goban_plan_get_n_nodes (plans[i]); v++)
        g_assert_cmpuint (goban_plan_get_device (plans[i], v), ==, devices[board->row_of[v]]);
      goban_plan_unref (plans[i]);
      goban_choices_free (choices[i]);
    }
}

/* A start that is placed, ordered and fused, each in its own way. */
static GobanPlan *
new_start (GobanCostModel *costs, guint64 seed)
{
  GobanProblemOptions options = { .decisions = GOBAN_TASKS_ALL };
  g_autoptr (GobanProblem) problem = new_problem (costs, &options);
  const GobanBoard *board = problem->board;
  guint32 *choices[GOBAN_N_TASKS];
  GobanPlan *plan;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    choices[k] = g_new (guint32, board->n_rows);
  draw (board, GOBAN_TASKS_ALL, &rng, choices);
  plan = new_plan (problem, GOBAN_TASKS_ALL, choices);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    g_free (choices[k]);
  return plan;
}

static void
test_plans (gconstpointer has_start)
{
  for (guint64 seed = 1; seed <= 4; seed++)
    for (GobanTasks decisions = 1; decisions <= GOBAN_TASKS_ALL; decisions++)
      {
        g_autoptr (GobanGraph) graph = toy_mixed (10 * (guint) seed, seed);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
        g_autoptr (GobanPlan) start = has_start != NULL ? new_start (costs, seed) : NULL;

        try_decisions (costs, start, decisions, seed);
      }
}

/* The middle levels are the order by rank under the plan's own placement, decided or not; others
 * are not. */
static void
test_middle (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (60, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  GobanTasks both = 1u << GOBAN_TASK_PLACEMENT | 1u << GOBAN_TASK_SCHEDULING;
  GobanProblemOptions decided = { .decisions = both };
  GobanProblemOptions alike = { .ranks_alike = TRUE };
  g_autoptr (GobanProblem) deciding = new_problem (costs, &decided);
  g_autoptr (GobanProblem) ranking = new_problem (costs, &alike);
  const GobanBoard *board = deciding->board;
  g_autofree guint32 *devices = g_new (guint32, board->n_rows);
  g_autofree guint32 *levels = g_new (guint32, board->n_rows);
  g_autofree double *ranks_us = g_new (double, 60);
  guint32 *const choices[GOBAN_N_TASKS]
      = { [GOBAN_TASK_PLACEMENT] = devices, [GOBAN_TASK_SCHEDULING] = levels };
  guint32 *const chosen[] = { NULL, devices, NULL };
  g_autoptr (GobanPlan) by_level = NULL;
  g_autoptr (GobanPlan) by_rank = NULL;
  g_autoptr (GobanPlan) other = NULL;
  GobanRng rng;

  goban_rng_init (&rng, 5);
  draw (board, 1u << GOBAN_TASK_PLACEMENT, &rng, chosen);
  for (guint r = 0; r < board->n_rows; r++)
    levels[r] = GOBAN_MIDDLE_LEVEL;
  by_level = new_plan (deciding, both, choices);
  by_rank = new_plan (ranking, GOBAN_TASKS_DEFAULT, choices);
  g_assert_true (toy_plans_are_same (by_level, by_rank));

  other = goban_plan_copy (by_level);
  goban_placed_ranks (board->units, other, ranks_us);
  goban_plan_set_priorities_by_key (other, ranks_us);
  g_assert_true (toy_plans_are_same (by_level, other));

  /* The highest level puts a row first, or nearer to it. */
  levels[board->n_rows - 1] = GOBAN_N_LEVELS - 1;
  g_clear_pointer (&other, goban_plan_unref);
  other = new_plan (deciding, both, choices);
  g_assert_cmpint (goban_plan_get_priority (other, 59), >, goban_plan_get_priority (by_level, 59));
}

static double
get_reward (const GobanProblem *problem, double makespan_us, double overflow_bytes)
{
  return goban_problem_reward (problem, &(GobanOutcome){ makespan_us, overflow_bytes });
}

static void
test_reward (void)
{
  static const double factors[] = { 0, 0.01, 0.3, 0.9, 1, 1.1, 2, 5, 50, 99, 1e3, 1e300, INFINITY };
  static const double overflows[] = { 0, 1e-3, 1, 10, 100, 1e3, 1e6, 1e300, INFINITY };
  g_autoptr (GobanGraph) graph = toy_mixed (30, 2);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  GobanProblemOptions options = { 0 };
  g_autoptr (GobanProblem) problem = new_problem (costs, &options);
  double reference_us = problem->reference_us;

  g_assert_cmpfloat (get_reward (problem, reference_us, 0), ==, -1);
  g_assert_cmpfloat_with_epsilon (get_reward (problem, 4 * reference_us, 0), -2, 1e-12);
  for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (overflows); j++)
      {
        double makespan_us = factors[i] * reference_us;
        double reward = get_reward (problem, makespan_us, overflows[j]);

        g_assert_cmpfloat (reward, >=, -10);
        g_assert_cmpfloat (reward, <=, 0);
        if (i > 0)
          g_assert_cmpfloat (reward, <=,
                             get_reward (problem, factors[i - 1] * reference_us, overflows[j]));
        if (j > 0)
          g_assert_cmpfloat (reward, <=, get_reward (problem, makespan_us, overflows[j - 1]));
        /* Where neither is at the floor, it is worse indeed. */
        if (j == 1 && get_reward (problem, makespan_us, 0) > -9)
          g_assert_cmpfloat (reward, <, get_reward (problem, makespan_us, 0) - 0.5);
      }
}

/* Ops that take no time have no makespan to compare with. */
static void
test_no_time (void)
{
  GraphGen gen = { .n_nodes = 5, .max_tensors = 1 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  GobanProblemOptions options = { 0 };
  g_autoptr (GobanProblem) problem = new_problem (costs, &options);

  g_assert_true (isfinite (problem->reference_us));
  g_assert_cmpfloat (problem->reference_us, >, 0);
}

static gboolean
is_second (gpointer user_data)
{
  guint *n = user_data;

  return ++*n >= 2;
}

static void
test_refused (void)
{
  g_autoptr (GobanGraph) graph = toy_mixed (30, 2);
  g_autoptr (GobanGraph) other = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, TOY_MIXED_CLUSTER);
  g_autoptr (GobanPlan) start = goban_plan_new (other, 3);
  GobanProblemOptions options = { .start = start };
  g_autoptr (GError) error = NULL;
  guint n_questions = 0;
  GobanProgress progress = { .should_stop = is_second, .user_data = &n_questions };

  g_assert_null (goban_problem_new (costs, &options, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);

  options.start = NULL;
  g_assert_null (goban_problem_new (costs, &options, &progress, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

TEST_PROGRAM (problem)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/rl/problem/plans-check", NULL, test_plans);
  g_test_add_data_func ("/rl/problem/plans-of-a-start-check", "start", test_plans);
  g_test_add_func ("/rl/problem/middle-levels-are-ranks", test_middle);
  g_test_add_func ("/rl/problem/reward", test_reward);
  g_test_add_func ("/rl/problem/reference", test_no_time);
  g_test_add_func ("/rl/problem/refused", test_refused);
  return g_test_run ();
}
