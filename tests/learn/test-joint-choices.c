/* test-joint-choices.c: whatever orders, kernels and placements are chosen, the plan that follows
 * can run. */
#include "engine/learn/rl/joint-choices.h"

#include "engine/graph/workloads/workload.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

typedef struct
{
  GobanUnits *units;
  GobanStaticOrders *orders;
  GobanJointExecutor *executor;
} Case;

static Case
case_new (GobanCostModel *costs)
{
  g_autoptr (GError) error = NULL;
  Case self = { .units = goban_units_new (costs, &error) };

  g_assert_no_error (error);
  self.orders = goban_static_orders_new (self.units);
  self.executor = goban_joint_executor_new (self.units, self.orders);
  return self;
}

static void
case_clear (Case *self)
{
  goban_joint_executor_free (self->executor);
  goban_static_orders_free (self->orders);
  goban_units_free (self->units);
}

static GobanJointChoices *
draw_choices (GobanRng *rng, guint n_nodes)
{
  GobanJointChoices *self = goban_joint_choices_new (n_nodes);

  self->order = goban_rng_below (rng, GOBAN_JOINT_N_ORDERS + 1);
  self->fusion = (GobanFusionRule) goban_rng_below (rng, GOBAN_FUSES_AS_IT_IS + 1);
  for (guint v = 0; v < n_nodes; v++)
    {
      self->keys[v] = goban_rng_uniform (rng);
      self->shifts[v] = goban_rng_below (rng, 3) == 0 ? goban_rng_uniform (rng) - 0.5 : 0;
      self->levels[v] = (gint32) goban_rng_below (rng, 5);
    }
  return self;
}

static void
assert_can_run (GobanPlan *plan, GobanCostModel *costs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanTrace) trace = NULL;

  g_assert_true (goban_plan_check (plan, costs, &error));
  g_assert_no_error (error);
  g_assert_true (goban_fusion_check (plan, costs, &error));
  g_assert_no_error (error);
  trace = goban_simulate (costs, plan);
  g_assert_nonnull (goban_trace_get_ops (trace));
}

/* Random graphs of all kinds of ops on random clusters, under plans that fuse whatever they may. */
static void
test_valid (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      RandomRun run;
      Case self;
      GobanRng rng;
      g_autofree gint32 *transfers = NULL;

      goban_rng_init (&rng, seed);
      fused_run_init (&run, 5 + goban_rng_below (&rng, 60), seed);
      self = case_new (run.costs);
      transfers = g_new0 (gint32, goban_graph_get_n_tensors (self.units->graph) + 1);
      for (guint i = 0; i < 8; i++)
        {
          g_autoptr (GobanJointChoices) choices
              = draw_choices (&rng, goban_plan_get_n_nodes (run.plan));
          g_autoptr (GobanPlan) moved = random_plan (run.costs, &rng);
          g_autoptr (GobanPlan) plan = goban_plan_copy (run.plan);

          /* The kernels of one placement under another: those on two devices have to go. */
          for (GobanNodeId v = 0; i % 2 == 1 && v < goban_plan_get_n_nodes (plan); v++)
            goban_plan_set_device (plan, v, goban_plan_get_device (moved, v));
          goban_plan_set_transfer_priorities (plan, transfers);
          goban_joint_executor_apply (self.executor, choices, plan);
          assert_can_run (plan, run.costs);
          /* They belong to the order before. */
          if (choices->order != GOBAN_JOINT_ORDER_AS_IT_IS)
            g_assert_null (goban_plan_get_transfer_priorities (plan));
          if (choices->order == GOBAN_STATIC_FIFO)
            g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_FIFO);
          if (choices->fusion == GOBAN_FUSES_NOTHING)
            g_assert_false (goban_plan_is_fused (plan));
        }
      case_clear (&self);
      random_run_clear (&run);
    }
}

/* Choices of undecided tasks change nothing. */
static void
test_as_it_is (void)
{
  for (guint64 seed = 0; seed < 30; seed++)
    {
      RandomRun run;
      Case self;
      g_autoptr (GobanJointChoices) choices = NULL;
      g_autoptr (GobanPlan) plan = NULL;

      fused_run_init (&run, 40, seed);
      self = case_new (run.costs);
      choices = goban_joint_choices_new (goban_plan_get_n_nodes (run.plan));
      plan = goban_plan_copy (run.plan);
      goban_joint_executor_apply (self.executor, choices, plan);
      g_assert_true (toy_plans_are_same (plan, run.plan));
      case_clear (&self);
      random_run_clear (&run);
    }
}

/* A shift of one op's key puts that op before another, and no third one elsewhere. */
static void
test_shift (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  Case self = case_new (costs);
  g_autoptr (GobanJointChoices) choices = goban_joint_choices_new (4);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);

  choices->order = GOBAN_JOINT_KEYS;
  for (guint v = 0; v < 4; v++)
    choices->keys[v] = 4 - v;
  choices->shifts[2] = 1.5;
  goban_joint_executor_apply (self.executor, choices, plan);
  g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_PRIORITY);
  g_assert_cmpint (goban_plan_get_priority (plan, 0), >, goban_plan_get_priority (plan, 2));
  g_assert_cmpint (goban_plan_get_priority (plan, 2), >, goban_plan_get_priority (plan, 1));
  g_assert_cmpint (goban_plan_get_priority (plan, 1), >, goban_plan_get_priority (plan, 3));
  case_clear (&self);
}

/* Fused by what saves most traffic, with single consumers afterwards, a training graph takes less
 * work than as XLA fuses it, and that less than unfused. */
static void
test_work (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=71,nodes=800", &error);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "v100x2");
  Case self = case_new (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanJointChoices) choices = goban_joint_choices_new (n_nodes);
  static const GobanFusionRule rules[]
      = { GOBAN_FUSES_NOTHING, GOBAN_FUSES_DEFAULT, GOBAN_FUSES_TRAFFIC };
  double last_us = INFINITY;

  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
      double work_us;

      choices->fusion = rules[i];
      goban_joint_executor_apply (self.executor, choices, plan);
      work_us = goban_joint_executor_get_work_us (self.executor, plan);
      g_assert_cmpfloat (work_us, <, last_us);
      last_us = work_us;
    }
  case_clear (&self);
}

TEST_PROGRAM (joint_choices)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/joint-choices/valid", test_valid);
  g_test_add_func ("/rl/joint-choices/as-it-is", test_as_it_is);
  g_test_add_func ("/rl/joint-choices/shift", test_shift);
  g_test_add_func ("/rl/joint-choices/work", test_work);
  return g_test_run ();
}
