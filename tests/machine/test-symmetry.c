/* Symmetries of clusters, counted by hand and checked by the times of random plans. */
#include "engine/machine/cluster/symmetry.h"

#include "engine/core/rng.h"
#include "tests/support/graph-gen.h"
#include "tests/support/hosts.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define D 4
#define N_NODES 30

static void
assert_firsts (const char *spec, const char *wanted)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, spec);
  g_autoptr (GobanSymmetry) symmetry = goban_symmetry_new (costs);
  const GobanDeviceId *firsts = goban_symmetry_get_firsts (symmetry);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint d = 0; d < goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)); d++)
    g_string_append_printf (text, "%u", firsts[d]);
  g_assert_cmpstr (text->str, ==, wanted);
}

static void
test_exchangeable (void)
{
  assert_firsts ("p100x4", "0000");
  assert_firsts ("cpu+gpu", "01");
  assert_firsts ("msr:3", "0003");
  assert_firsts (HOSTS, "0101");
  assert_firsts (TOY_MIXED_CLUSTER, "012"); /* the GPUs have different memories */
}

static void
swap (GobanDeviceId *to, int i, int k)
{
  GobanDeviceId kept = to[i];

  to[i] = to[k];
  to[k] = kept;
}

/* The next permutation in the order of words; FALSE after the last. */
static gboolean
permute (GobanDeviceId *to)
{
  int i = D - 2, k = D - 1;

  while (i >= 0 && to[i] > to[i + 1])
    i--;
  if (i < 0)
    return FALSE;
  while (to[k] < to[i])
    k--;
  swap (to, i, k);
  for (int a = i + 1, b = D - 1; a < b; a++, b--)
    swap (to, a, b);
  return TRUE;
}

/* Fractions of times make ties so rare that a renamed plan takes as long to the last bit. */
static GobanCostModel *
new_costs (guint64 seed)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("fractions", "test");
  g_autoptr (GobanGraph) graph = NULL;
  guint32 tensors[N_NODES];
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint32 v = 0; v < N_NODES; v++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", v);

      goban_graph_builder_add_node (builder, name, "Add");
      goban_graph_builder_set_time (builder, v, "gpu", 1 + 9 * goban_rng_uniform (&rng),
                                    GOBAN_SOURCE_GIVEN);
      tensors[v] = goban_graph_builder_add_tensor (builder, v, 1 + 20 * goban_rng_uniform (&rng));
      for (guint k = 0; v > 0 && k < 2; k++)
        goban_graph_builder_add_edge (builder, tensors[goban_rng_below (&rng, v)], v);
    }
  graph = toy_finish (builder);
  return toy_costs (graph, HOSTS);
}

static void
assert_same_time (GobanCostModel *costs, const GobanDeviceId *to, GobanRng *rng)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, D);
  g_autoptr (GobanPlan) renamed = NULL;

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (rng, D));
      goban_plan_set_priority (plan, v, (gint32) goban_rng_below (rng, 1000000000));
    }
  renamed = goban_plan_copy (plan);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    goban_plan_set_device (renamed, v, to[goban_plan_get_device (plan, v)]);
  g_assert_true (toy_makespan_us (costs, plan) == toy_makespan_us (costs, renamed));
}

/* All 24 renamings of two hosts. */
static void
test_hosts (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (3);
  g_autoptr (GobanSymmetry) symmetry = goban_symmetry_new (costs);
  GobanDeviceId to[D] = { 0, 1, 2, 3 };
  guint n_symmetries = 0;
  GobanRng rng;

  goban_rng_init (&rng, 5);
  do
    {
      /* Both of a host stay together: 0 and 2, 1 and 3. */
      gboolean is_one = to[0] % 2 == to[2] % 2;

      g_assert_cmpint (goban_symmetry_check (symmetry, to), ==, is_one);
      if (!is_one)
        continue;
      n_symmetries++;
      for (guint i = 0; i < 10; i++)
        assert_same_time (costs, to, &rng);
    }
  while (permute (to));
  g_assert_cmpuint (n_symmetries, ==, 8);
}

TEST_PROGRAM (symmetry)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symmetry/exchangeable", test_exchangeable);
  g_test_add_func ("/symmetry/hosts", test_hosts);
  return g_test_run ();
}
