#include "engine/core/rng.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/machine/plan/plan.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#define N_DEVICES 5

static gboolean
contains (const GobanNodeId *nodes, guint n, GobanNodeId node)
{
  for (guint i = 0; i < n; i++)
    if (nodes[i] == node)
      return TRUE;
  return FALSE;
}

static void
assert_ascending (const GobanNodeId *nodes, guint n)
{
  for (guint i = 1; i < n; i++)
    g_assert_cmpuint (nodes[i - 1], <, nodes[i]);
}

/* Plans here give all tensors one priority, or none any. */
static gboolean
has_same_transfers (const GobanPlan *a, const GobanPlan *b)
{
  const gint32 *x = goban_plan_get_transfer_priorities (a);
  const gint32 *y = goban_plan_get_transfer_priorities (b);

  if (goban_plan_get_n_tensors (a) == 0)
    return (x == NULL) == (y == NULL);
  return x == NULL || y == NULL ? x == y : x[0] == y[0];
}

static void
assert_diff (const GobanPlan *a, const GobanPlan *b)
{
  g_autoptr (GobanPlanDiff) diff = goban_plan_diff (a, b);
  guint n_nodes = goban_plan_get_n_nodes (a);
  guint n_moves = 0;

  g_assert_cmpuint (diff->n_devices, ==, N_DEVICES);
  g_assert_cmpint (diff->same_order, ==, goban_plan_get_order (a) == goban_plan_get_order (b));
  g_assert_cmpint (diff->same_transfers, ==, has_same_transfers (a, b));
  assert_ascending (diff->moved, diff->n_moved);
  assert_ascending (diff->reprioritised, diff->n_reprioritised);
  assert_ascending (diff->refused, diff->n_refused);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      g_assert_cmpint (contains (diff->moved, diff->n_moved, v), ==,
                       goban_plan_get_device (a, v) != goban_plan_get_device (b, v));
      g_assert_cmpint (contains (diff->reprioritised, diff->n_reprioritised, v), ==,
                       goban_plan_get_priority (a, v) != goban_plan_get_priority (b, v));
      g_assert_cmpint (contains (diff->refused, diff->n_refused, v), ==,
                       goban_plan_get_fusions (a)[v] != goban_plan_get_fusions (b)[v]);
    }

  for (guint from = 0; from < N_DEVICES; from++)
    for (guint to = 0; to < N_DEVICES; to++)
      {
        guint n = 0;

        for (GobanNodeId v = 0; from != to && v < n_nodes; v++)
          n += goban_plan_get_device (a, v) == from && goban_plan_get_device (b, v) == to;
        g_assert_cmpuint (diff->matrix[from * N_DEVICES + to], ==, n);
        n_moves += n;
      }
  g_assert_cmpuint (diff->n_moved, ==, n_moves);
}

static void
give_transfers (GobanPlan *plan, gint32 priority)
{
  guint n_tensors = goban_plan_get_n_tensors (plan);
  g_autofree gint32 *priorities = g_new (gint32, n_tensors + 1);

  for (guint t = 0; t < n_tensors; t++)
    priorities[t] = priority;
  goban_plan_set_transfer_priorities (plan, priorities);
}

static GobanPlan *
random_plan (const GobanGraph *graph, GobanRng *rng)
{
  GobanPlan *plan = goban_plan_new (graph, N_DEVICES);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (rng, N_DEVICES));
      goban_plan_set_priority (plan, v, (gint32) goban_rng_below (rng, 3) - 1);
      goban_plan_set_fusion (plan, v, (gint32) goban_rng_below (rng, 3) - 1);
    }
  goban_plan_set_order (plan, (GobanOrder) goban_rng_below (rng, 2));
  if (goban_rng_below (rng, 2))
    give_transfers (plan, (gint32) goban_rng_below (rng, 2));
  return plan;
}

static void
test_random_plans (void)
{
  GobanRng rng;

  goban_rng_init (&rng, 4);
  for (guint round = 0; round < 100; round++)
    {
      GraphGen gen = graph_gen_small (goban_rng_below (&rng, 40));
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, round);
      g_autoptr (GobanPlan) a = random_plan (graph, &rng);
      g_autoptr (GobanPlan) b = random_plan (graph, &rng);

      assert_diff (a, b);
      assert_diff (b, a);
    }
}

static void
test_itself (void)
{
  GraphGen gen = graph_gen_small (20);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  GobanRng rng;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) copy = NULL;
  g_autoptr (GobanPlanDiff) diff = NULL;

  goban_rng_init (&rng, 4);
  plan = random_plan (graph, &rng);
  copy = goban_plan_copy (plan);
  diff = goban_plan_diff (plan, copy);
  g_assert_cmpuint (diff->n_moved + diff->n_reprioritised + diff->n_refused, ==, 0);
  g_assert_true (diff->same_order);
  goban_plan_set_policy (copy, "another");
  g_assert_true (goban_plan_decides_same (plan, copy));
}

/* A single decision of each kind. */
static void
test_one_differs (void)
{
  GraphGen gen = graph_gen_small (20);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, N_DEVICES);
  g_autoptr (GobanPlan) wider = goban_plan_new (graph, N_DEVICES + 1);

  g_assert_false (goban_plan_decides_same (plan, wider));
  for (guint kind = 0; kind < 5; kind++)
    {
      g_autoptr (GobanPlan) copy = goban_plan_copy (plan);

      if (kind == 0)
        goban_plan_set_device (copy, 19, 1);
      else if (kind == 1)
        goban_plan_set_priority (copy, 19, 1);
      else if (kind == 2)
        goban_plan_set_fusion (copy, 19, 1);
      else if (kind == 3)
        goban_plan_set_order (copy, GOBAN_ORDER_PRIORITY);
      else
        give_transfers (copy, 1);
      g_assert_false (goban_plan_decides_same (plan, copy));
      g_assert_false (goban_plan_decides_same (copy, plan));
    }
}

TEST_PROGRAM (plan_diff)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-diff/random/against-the-naive-one", test_random_plans);
  g_test_add_func ("/plan-diff/itself/nothing-differs", test_itself);
  g_test_add_func ("/plan-diff/one-decision-differs", test_one_differs);
  return g_test_run ();
}
