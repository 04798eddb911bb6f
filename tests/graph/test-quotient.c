#include "engine/graph/quotient.h"

#include "engine/core/rng.h"
#include "engine/graph/collectives.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

/* a -> b -> c, a -> c, b writes two tensors; sizes are powers of two, so that sums tell. */
static GobanGraph *
make_chain (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chain", "test");
  g_autoptr (GError) error = NULL;
  const char *const names[] = { "s/a", "s/b", "s/c", "t/d" };
  GobanGraph *graph;

  for (guint v = 0; v < 4; v++)
    {
      guint32 id = goban_graph_builder_add_node (builder, names[v], v == 1 ? "Heavy" : "Light");
      GobanNode *node = goban_graph_builder_get_node (builder, id);

      node->flops = v == 1 ? 100 : 1 << v;
      node->param_bytes = 1 << v;
      goban_graph_builder_add_tensor (builder, v, 1 << v);
      goban_graph_builder_add_tensor (builder, v, 16 << v);
    }
  goban_graph_builder_set_group (builder, 0, 7);
  goban_graph_builder_set_group (builder, 3, 7);
  for (guint v = 0; v < 3; v++)
    {
      goban_graph_builder_add_edge (builder, 2 * v, v + 1);
      goban_graph_builder_add_edge (builder, 2 * v + 1, v + 1);
    }
  goban_graph_builder_add_edge (builder, 0, 2);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static GobanGraph *
contract (const GobanGraph *graph, const guint32 *groups, const char *const *names, guint n)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *coarse = goban_graph_quotient (
      graph, &(GobanQuotient){ .name = "coarse", .groups = groups, .names = names, .n_groups = n },
      &error);

  g_assert_no_error (error);
  return coarse;
}

static void
test_sums (void)
{
  g_autoptr (GobanGraph) graph = make_chain ();
  g_autoptr (GobanGraph) coarse
      = contract (graph, (guint32[]){ 0, 0, 1, 2 }, (const char *[]){ "x", "y", "z" }, 3);
  const GobanNode *x = goban_graph_get_node (coarse, 0);

  g_assert_cmpuint (goban_graph_get_n_nodes (coarse), ==, 3);
  g_assert_cmpstr (x->name, ==, "x");
  g_assert_cmpstr (x->op, ==, "Heavy");
  g_assert_cmpfloat (x->flops, ==, 101);
  g_assert_cmpfloat (x->param_bytes, ==, 3);
  /* Of a's tensors one leaves, read by c; both of b's do: one tensor, read by y alone. */
  g_assert_cmpfloat (goban_graph_get_output_bytes (coarse, 0), ==, 1 + 2 + 32);
  g_assert_cmpuint (goban_graph_get_n_tensors (coarse), ==, 2);
  /* a and d were colocated, so x and z are. */
  g_assert_cmpuint (x->group, !=, GOBAN_NO_GROUP);
  g_assert_cmpuint (x->group, ==, goban_graph_get_node (coarse, 2)->group);
  g_assert_cmpuint (goban_graph_get_node (coarse, 1)->group, ==, GOBAN_NO_GROUP);
}

static void
test_cycle_is_one (void)
{
  g_autoptr (GobanGraph) graph = make_chain ();
  g_autoptr (GobanGraph) coarse
      = contract (graph, (guint32[]){ 0, 1, 0, 2 }, (const char *[]){ "s/x", "s/y", "z" }, 3);

  g_assert_cmpuint (goban_graph_get_n_nodes (coarse), ==, 2);
  g_assert_cmpstr (goban_graph_get_node (coarse, 0)->name, ==, "s/x+y");
  g_assert_cmpfloat (goban_graph_get_node (coarse, 0)->flops, ==, 1 + 100 + 4);
  g_assert_cmpuint (goban_graph_get_n_tensors (coarse), ==, 1);
}

/* A scope stands for what is inside it, whichever comes first. */
static void
test_scope_stands_for_all (void)
{
  g_autoptr (GobanGraph) graph = make_chain ();
  static const char *const orders[][3] = { { "s", "s/y", "z" }, { "s/y", "s", "z" } };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (GobanGraph) coarse = contract (graph, (guint32[]){ 0, 1, 0, 2 }, orders[i], 3);

      g_assert_cmpstr (goban_graph_get_node (coarse, 0)->name, ==, "s");
    }
}

/* Costs may be counted in another group than the node is in; what it keeps there stays. */
static void
test_costs_elsewhere (void)
{
  g_autoptr (GobanGraph) graph = make_chain ();
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree guint32 *groups = g_new0 (guint32, n);
  g_autofree guint32 *cost_groups = g_new0 (guint32, n);
  static const char *const names[] = { "a", "b" };
  GobanQuotient quotient = {
    .name = "q", .groups = groups, .cost_groups = cost_groups, .names = names, .n_groups = 2
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) coarse = NULL;
  double flops = 0;

  groups[n - 1] = 1;
  for (GobanNodeId v = 0; v < n; v++)
    flops += goban_graph_get_node (graph, v)->flops;
  coarse = goban_graph_quotient (graph, &quotient, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_graph_get_node (coarse, 0)->flops, ==, flops);
  g_assert_cmpfloat (goban_graph_get_node (coarse, 1)->flops, ==, 0);
}

/* A collective that is alone in its group is one still; among others it is work like theirs. */
static void
test_collectives (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("g", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  static const char *const names[] = { "a", "b" };

  for (guint i = 0; i < 3; i++)
    {
      guint32 node = goban_graph_builder_add_node (builder, "n", "AllReduce");

      if (node > 0)
        goban_graph_builder_add_edge (builder, node - 1, node);
      goban_graph_builder_add_tensor (builder, node, 8);
      goban_graph_builder_set_collective (
          builder, (GobanNodeCollective){ .node = node, .bytes = 8 + node, .group = "tp" });
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  {
    g_autoptr (GobanGraph) coarse = contract (graph, (guint32[]){ 0, 0, 1 }, names, 2);
    guint n;
    const GobanNodeCollective *collectives = goban_graph_get_collectives (coarse, &n);

    g_assert_cmpuint (n, ==, 1);
    g_assert_cmpuint (collectives[0].node, ==, 1);
    g_assert_cmpfloat (collectives[0].bytes, ==, 10);
    g_assert_cmpstr (collectives[0].group, ==, "tp");
  }
}

/* Two groups are one exactly where each reaches the other, by trying all. */
static void
test_random (void)
{
  for (guint seed = 0; seed < 60; seed++)
    {
      GraphGen gen = graph_gen_small (2 + seed % 30);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
      guint n_nodes = goban_graph_get_n_nodes (graph);
      guint n = MIN (n_nodes, 2 + seed % 6);
      static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
      guint32 groups[64];
      gboolean reaches[8][8] = { 0 };
      gboolean is_counted[8] = { 0 };
      g_autoptr (GobanGraph) coarse = NULL;
      guint n_expected = 0;
      GobanRng rng;

      g_assert_cmpuint (n_nodes, <=, G_N_ELEMENTS (groups));
      goban_rng_init (&rng, seed);
      for (guint v = 0; v < n_nodes; v++)
        groups[v] = v < n ? v : goban_rng_below (&rng, n);
      for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
        reaches[groups[goban_graph_get_edge (graph, e)->tail]]
               [groups[goban_graph_get_edge (graph, e)->head]]
            = TRUE;
      for (guint k = 0; k < n; k++)
        for (guint i = 0; i < n; i++)
          for (guint j = 0; j < n; j++)
            reaches[i][j] |= reaches[i][k] && reaches[k][j];
      for (guint i = 0; i < n; i++)
        {
          n_expected += !is_counted[i];
          for (guint j = 0; j < n; j++)
            is_counted[j] |= j == i || (reaches[i][j] && reaches[j][i]);
        }

      coarse = contract (graph, groups, names, n);
      g_assert_cmpuint (goban_graph_get_n_nodes (coarse), ==, n_expected);
    }
}

TEST_PROGRAM (quotient)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/quotient/amounts-add-up", test_sums);
  g_test_add_func ("/graph/quotient/cycle-is-one-node", test_cycle_is_one);
  g_test_add_func ("/graph/quotient/scope-stands-for-all", test_scope_stands_for_all);
  g_test_add_func ("/graph/quotient/costs-elsewhere", test_costs_elsewhere);
  g_test_add_func ("/graph/quotient/collectives-alone-stay", test_collectives);
  g_test_add_func ("/graph/quotient/components-match-brute-force", test_random);
  return g_test_run ();
}
