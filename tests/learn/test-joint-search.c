/* test-joint-search.c: go-finetune with any tasks: plans can run, what is not a task stays, budgets
 * are exact, seeds repeat. */
#include "engine/core/error.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/moves/improver.h"
#include "engine/learn/rl/moves/joint-search.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/policies.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

#define TASKS(placement, scheduling, fusion)                                                       \
  ((guint) (placement) << GOBAN_TASK_PLACEMENT | (guint) (scheduling) << GOBAN_TASK_SCHEDULING     \
   | (guint) (fusion) << GOBAN_TASK_FUSION)

static GobanPlan *
place (GobanCostModel *costs, GobanPlacerOptions options, guint64 *evaluations)
{
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  *evaluations = 0;
  plan = goban_placer_place (&goban_placer_go_finetune, costs, &options, evaluations, &error);
  g_assert_no_error (error);
  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
  g_assert_true (goban_fusion_check (plan, costs, &error));
  g_assert_no_error (error);
  return plan;
}

/* A plan first in, first out with kernels of XLA's. */
static GobanPlan *
new_start (GobanCostModel *costs)
{
  GobanPlacerOptions none = { 0 };
  guint64 evaluations = 0;
  g_autoptr (GError) error = NULL;
  GobanPlan *plan = goban_placer_place (&goban_placer_m_topo, costs, &none, &evaluations, &error);

  g_assert_no_error (error);
  goban_plan_set_order (plan, GOBAN_ORDER_FIFO);
  goban_fusion_default (costs, plan);
  return plan;
}

static gboolean
are_fused_alike (const GobanPlan *a, const GobanPlan *b)
{
  return memcmp (goban_plan_get_fusions (a), goban_plan_get_fusions (b),
                 goban_plan_get_n_nodes (a) * sizeof (gint32))
         == 0;
}

static gboolean
are_placed_alike (const GobanPlan *a, const GobanPlan *b)
{
  return memcmp (goban_plan_get_devices (a), goban_plan_get_devices (b),
                 goban_plan_get_n_nodes (a) * sizeof (GobanDeviceId))
         == 0;
}

/* With all combinations of tasks, from nothing and from a start. */
static void
test_tasks (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs (
      TEST_IS_SANITIZED ? "synthetic:seed=72,nodes=150" : "synthetic:seed=72,nodes=300", "v100x4");
  g_autoptr (GobanPlan) start = new_start (costs);

  g_assert_true (goban_plan_is_fused (start));
  for (guint tasks = 1; tasks <= GOBAN_TASKS_ALL; tasks++)
    for (guint i = 0; i < test_rounds (4); i++)
      {
        guint64 evaluations;
        GobanPlacerOptions options
            = { .seed = i,
                .max_evaluations = 90,
                .settings = i % 2 == 0 ? "order=fifo" : "order=fifo,proposals=uniform",
                .learned
                = &(GobanLearnedOptions){ .decisions = tasks, .start = i < 2 ? NULL : start } };
        g_autoptr (GobanPlan) plan = place (costs, options, &evaluations);

        g_assert_cmpuint (evaluations, ==, 90);
        if (!goban_tasks_have (tasks, GOBAN_TASK_SCHEDULING))
          g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_FIFO);
        if (!goban_tasks_have (tasks, GOBAN_TASK_FUSION) && options.learned->start == NULL)
          g_assert_false (goban_plan_is_fused (plan));
        if (tasks == TASKS (FALSE, TRUE, FALSE) && options.learned->start != NULL)
          g_assert_true (are_fused_alike (plan, start));
        if (!goban_tasks_have (tasks, GOBAN_TASK_PLACEMENT) && options.learned->start != NULL)
          g_assert_true (are_placed_alike (plan, start));
      }
}

/* Budgets that end within the builder, among the rules, and after. */
static void
test_budget (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=73,nodes=300", "v100x2");
  static const guint64 budgets[] = { 1, 2, 17, 18, 20, 24, 30, 70 };

  for (gsize i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      GobanPlacerOptions options
          = { .max_evaluations = budgets[i],
              .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } };
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (costs, options, &evaluations);

      g_assert_cmpuint (evaluations, ==, budgets[i]);
    }
}

static void
test_repeatable (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=74,nodes=300", "v100x2");
  GobanPlacerOptions options
      = { .max_evaluations = 150,
          .seed = 4,
          .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL } };
  guint64 evaluations;
  g_autoptr (GobanPlan) one = place (costs, options, &evaluations);
  g_autoptr (GobanPlan) two = place (costs, options, &evaluations);
  g_autoptr (GobanPlan) other = NULL;

  g_assert_true (toy_plans_are_same (one, two));
  options.seed = 5;
  other = place (costs, options, &evaluations);
  g_assert_false (toy_plans_are_same (one, other));
}

/* A start is never made worse, and every task alone finds something in a plan that leaves it to
 * do. */
static void
test_gains (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=75,nodes=500", "v100x4");
  g_autoptr (GobanPlan) start = new_start (costs);
  g_autoptr (GobanTrace) before = NULL;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (start); v++)
    goban_plan_set_fusion (start, v, GOBAN_NO_FUSION);
  before = goban_simulate (costs, start);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      GobanPlacerOptions options
          = { .max_evaluations = 120,
              .settings = "order=fifo",
              .learned = &(GobanLearnedOptions){ .decisions = 1u << k, .start = start } };
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (costs, options, &evaluations);
      g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

      g_test_message ("%s: %g of %g us", goban_task_get_name ((GobanTask) k),
                      goban_trace_get_makespan (trace), goban_trace_get_makespan (before));
      g_assert_cmpfloat (goban_trace_get_makespan (trace), <, goban_trace_get_makespan (before));
    }
}

/* The records say what every evaluation went to, and every task has its least share. */
static void
test_shares (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=76,nodes=300", "v100x2");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanMoveProblem) problem = goban_move_problem_new (costs, &error);
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
  g_autoptr (GobanJointSearch) joint = NULL;
  g_autoptr (GobanPlan) start = new_start (costs);
  GobanPlacerOptions options = { .max_evaluations = 400 };
  g_auto (GobanSearch) search = { 0 };
  guint64 total;

  g_assert_no_error (error);
  goban_search_begin (&search, &options, 0);
  goban_search_offer (&search, start,
                      goban_simulator_evaluate (problem->improver->simulator, start));
  joint = goban_joint_search_new (problem->improver, GOBAN_TASKS_ALL);
  joint->least_share = 0.2;
  g_assert_true (goban_joint_search_run (joint, hand, start, &search, &error));
  g_assert_no_error (error);
  total = 1 + joint->rules.n_evaluations;
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      total += joint->records[k].n_evaluations;
      /* A fifth at least, and there are four deviations of a binomial of 300 between that and
       * these. */
      g_assert_cmpuint (joint->records[k].n_evaluations, >, 30);
    }
  g_assert_cmpuint (total, ==, search.n_evaluations);
}

/* If no move is left to the tasks, as soon happens to placement, the search ends; it does not go
 * over to what is not a task. */
static void
test_exhausted (void)
{
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      g_autoptr (GobanGraph) graph = toy_chain ();
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanMoveProblem) problem = goban_move_problem_new (costs, &error);
      g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
      g_autoptr (GobanJointSearch) joint = NULL;
      g_autoptr (GobanPlan) start = goban_plan_new (graph, 2);
      GobanPlacerOptions options = { .max_evaluations = 1000 };
      g_auto (GobanSearch) search = { 0 };

      g_assert_no_error (error);
      goban_search_begin (&search, &options, 0);
      goban_search_offer (&search, start,
                          goban_simulator_evaluate (problem->improver->simulator, start));
      joint = goban_joint_search_new (problem->improver, 1u << k);
      g_assert_true (goban_joint_search_run (joint, hand, start, &search, &error));
      g_assert_no_error (error);
      if (k == GOBAN_TASK_PLACEMENT)
        g_assert_cmpuint (search.n_evaluations, <, 1000);
      for (guint other = 0; other < GOBAN_N_TASKS; other++)
        if (other != k)
          g_assert_cmpuint (joint->records[other].n_evaluations, ==, 0);
    }
}

/* A start's own order stays where scheduling is not a task. */
static void
test_order_stays (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=79,nodes=300", "v100x2");
  g_autoptr (GobanPlan) start = new_start (costs);
  guint n_nodes = goban_plan_get_n_nodes (start);
  g_autofree double *keys = g_new (double, n_nodes);

  for (guint v = 0; v < n_nodes; v++)
    keys[v] = (v * 2654435761u) % 1000;
  goban_plan_set_order (start, GOBAN_ORDER_PRIORITY);
  goban_plan_set_priorities_by_key (start, keys);
  for (guint i = 0; i < 2; i++)
    {
      GobanPlacerOptions options
          = { .max_evaluations = 60,
              .learned = &(GobanLearnedOptions){ .decisions = i == 0 ? TASKS (FALSE, FALSE, TRUE)
                                                                     : TASKS (TRUE, FALSE, TRUE),
                                                 .start = start } };
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (costs, options, &evaluations);

      g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_PRIORITY);
      g_assert_cmpmem (goban_plan_get_priorities (plan), n_nodes * sizeof (gint32),
                       goban_plan_get_priorities (start), n_nodes * sizeof (gint32));
    }
}

/* What cannot be is named. */
static void
test_wrong (void)
{
  g_autoptr (GobanCostModel) costs = toy_generated_costs ("synthetic:seed=72,nodes=300", "v100x2");
  g_autoptr (GobanCostModel) others = toy_generated_costs ("synthetic:seed=77,nodes=300", "v100x2");
  g_autoptr (GobanPlan) foreign = new_start (others);
  const struct
  {
    GobanPlacerOptions options;
    const char *words;
  } wrong[] = {
    { { .settings = "start=cells",
        .learned = &(GobanLearnedOptions){ .decisions = TASKS (TRUE, FALSE, TRUE) } },
      "scheduling" },
    { { .settings = "order=ranks" }, "order=best|fifo" },
    { { .learned = &(GobanLearnedOptions){ .decisions = GOBAN_TASKS_ALL, .start = foreign } },
      "graph" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;

      g_assert_null (goban_placer_place (&goban_placer_go_finetune, costs, &wrong[i].options,
                                         &evaluations, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, wrong[i].words));
    }
}

TEST_PROGRAM (joint_search)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/joint-search/tasks", test_tasks);
  g_test_add_func ("/rl/joint-search/budget", test_budget);
  g_test_add_func ("/rl/joint-search/repeatable", test_repeatable);
  g_test_add_func ("/rl/joint-search/gains", test_gains);
  g_test_add_func ("/rl/joint-search/shares", test_shares);
  g_test_add_func ("/rl/joint-search/exhausted", test_exhausted);
  g_test_add_func ("/rl/joint-search/order-stays", test_order_stays);
  g_test_add_func ("/rl/joint-search/wrong", test_wrong);
  return g_test_run ();
}
