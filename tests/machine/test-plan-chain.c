#include "engine/core/rng.h"
#include "engine/machine/plan/plan-chain.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define N_NODES 40
#define N_DEVICES 4

/* Some of the nodes, seldom the rest. */
static void
change (GobanRng *rng, GobanPlan *plan)
{
  guint n = goban_rng_below (rng, goban_rng_below (rng, 4) == 0 ? N_NODES : 5);

  for (guint i = 0; i < n; i++)
    {
      GobanNodeId v = goban_rng_below (rng, N_NODES);

      goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (rng, N_DEVICES));
      goban_plan_set_priority (plan, v, (gint32) goban_rng_below (rng, 100));
    }
  if (goban_rng_below (rng, 20) == 0)
    goban_plan_set_order (plan,
                          goban_rng_below (rng, 2) == 0 ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
  if (goban_rng_below (rng, 20) == 0)
    goban_plan_set_fusion (plan, goban_rng_below (rng, N_NODES), 3);
  if (goban_rng_below (rng, 20) == 0)
    {
      g_autofree gint32 *transfers = g_new0 (gint32, goban_plan_get_n_tensors (plan));

      transfers[0] = (gint32) goban_rng_below (rng, 9);
      goban_plan_set_transfer_priorities (plan, transfers);
    }
}

static void
check_changes (const GobanPlanChain *chain, guint n)
{
  g_autoptr (GArray) changes = goban_plan_chain_list_changes (chain, n);
  g_autoptr (GobanPlan) before = n > 1 ? goban_plan_chain_new_plan (chain, n - 1) : NULL;
  g_autoptr (GobanPlan) after = goban_plan_chain_new_plan (chain, n);
  guint k = 0;

  for (GobanNodeId v = 0; v < N_NODES; v++)
    {
      gboolean is_listed
          = k < changes->len && g_array_index (changes, GobanPlanChange, k).node == v;

      g_assert_true (
          is_listed
          == (before == NULL
              || goban_plan_get_device (before, v) != goban_plan_get_device (after, v)
              || goban_plan_get_priority (before, v) != goban_plan_get_priority (after, v)));
      if (is_listed)
        g_assert_cmpuint (g_array_index (changes, GobanPlanChange, k++).device, ==,
                          goban_plan_get_device (after, v));
    }
  g_assert_cmpuint (k, ==, changes->len);
}

static void
test_every_plan_comes_back (void)
{
  const GraphGen gen = graph_gen_small (N_NODES);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  guint n_all = GOBAN_PLAN_CHAIN_MAX_STEPS + 50;

  for (guint seed = 0; seed < 5; seed++)
    {
      g_autoptr (GobanPlanChain) chain = goban_plan_chain_new ();
      g_autoptr (GPtrArray) plans
          = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, N_DEVICES);
      GobanRng rng;

      goban_rng_init (&rng, seed);
      for (guint i = 0; i < n_all; i++)
        {
          const GobanPlanStep step = { .evaluation = i + 1, .after_us = 1000.0 - i };

          change (&rng, plan);
          g_ptr_array_add (plans, goban_plan_copy (plan));
          goban_plan_chain_add (chain, plan, &step);
        }
      g_assert_cmpuint (goban_plan_chain_get_n_steps (chain), ==, GOBAN_PLAN_CHAIN_MAX_STEPS);
      g_assert_cmpuint (goban_plan_chain_get_n_folded (chain), ==, 50);
      for (guint n = 1; n <= GOBAN_PLAN_CHAIN_MAX_STEPS; n++)
        {
          g_autoptr (GobanPlan) again = goban_plan_chain_new_plan (chain, n);
          const GobanPlanStep *step = goban_plan_chain_get_step (chain, n);

          g_assert_true (toy_plans_are_same (again, plans->pdata[49 + n]));
          g_assert_cmpuint (step->evaluation, ==, 50 + n);
          g_assert_cmpfloat (step->before_us, ==, 1000.0 - 48 - n);
          check_changes (chain, n);
        }
    }
}

/* Whole plans of a large graph are folded by their size. */
static void
test_large_plans_are_bounded (void)
{
  const guint n_nodes = 100000;
  GraphGen gen = { .n_nodes = n_nodes, .edges_per_node = 1, .width = 5, .max_tensors = 1 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autoptr (GobanPlanChain) chain = goban_plan_chain_new ();
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);
  g_autoptr (GobanPlan) last = NULL;

  for (guint i = 0; i < 60; i++)
    {
      for (GobanNodeId v = 0; v < n_nodes; v++)
        goban_plan_set_priority (plan, v, (gint32) (i + v));
      goban_plan_chain_add (chain, plan, &(GobanPlanStep){ .evaluation = i, .after_us = 1 });
      g_assert_cmpuint (goban_plan_chain_get_n_bytes (chain), <=, GOBAN_PLAN_CHAIN_MAX_BYTES);
    }
  g_assert_cmpuint (goban_plan_chain_get_n_steps (chain), ==, 33);
  g_assert_cmpuint (goban_plan_chain_get_n_folded (chain), ==, 27);
  last = goban_plan_chain_new_plan (chain, 33);
  g_assert_true (toy_plans_are_same (last, plan));
}

TEST_PROGRAM (plan_chain)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-chain/every-plan-comes-back", test_every_plan_comes_back);
  g_test_add_func ("/plan-chain/large-plans-are-bounded", test_large_plans_are_bounded);
  return g_test_run ();
}
