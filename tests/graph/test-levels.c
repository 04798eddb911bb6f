#include "engine/graph/levels.h"

#include "engine/graph/graph-builder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

/* Longest path by trying them all: exponential, for tiny graphs. */
static double
longest_from (const GobanGraph *graph, GobanNodeId v, const double *w, const double *c)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);
  double best_us = 0;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);
      double transfer_us = c != NULL ? c[edge->tensor] : 0;

      best_us = MAX (best_us, transfer_us + longest_from (graph, edge->head, w, c));
    }
  return w[v] + best_us;
}

static void
test_against_all_paths (void)
{
  for (guint seed = 0; seed < 100; seed++)
    {
      GraphGen gen = graph_gen_small (1 + seed % 12);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
      guint n = goban_graph_get_n_nodes (graph);
      g_autofree double *w = g_new (double, n);
      g_autofree double *c = g_new (double, goban_graph_get_n_tensors (graph));
      g_autofree double *top = g_new (double, n);
      g_autofree double *bottom = g_new (double, n);
      double longest_us = 0, through_us = 0;

      for (guint v = 0; v < n; v++)
        w[v] = goban_graph_get_time_us (graph, v, 0);
      for (guint t = 0; t < goban_graph_get_n_tensors (graph); t++)
        c[t] = goban_graph_get_tensor (graph, t)->size_bytes;

      goban_graph_top_levels (graph, top, w, c);
      goban_graph_bottom_levels (graph, bottom, w, c);
      for (guint v = 0; v < n; v++)
        {
          g_assert_cmpfloat (bottom[v], ==, longest_from (graph, v, w, c));
          longest_us = MAX (longest_us, bottom[v]);
          through_us = MAX (through_us, top[v] + bottom[v]);
        }
      g_assert_cmpfloat (goban_graph_longest_path (graph, w, c), ==, longest_us);
      g_assert_cmpfloat (through_us, ==, longest_us);
      g_assert_cmpfloat (goban_graph_longest_path (graph, w, NULL), <=, longest_us);
    }
}

/* The queue of a graph whose edges were added out of order. */
static void
test_kahn_order (void)
{
  static const guint32 edges[][2] = { { 0, 4 }, { 0, 1 }, { 4, 3 }, { 1, 2 }, { 4, 2 } };
  static const GobanNodeId expected[] = { 0, 5, 4, 1, 3, 2 };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("fork", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autofree GobanNodeId *new_ids = NULL;
  GobanNodeId order[G_N_ELEMENTS (expected)];

  for (guint v = 0; v < G_N_ELEMENTS (expected); v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_add_tensor (builder, v, 1);
    }
  for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
    goban_graph_builder_add_edge (builder, edges[e][0], edges[e][1]);
  graph = goban_graph_builder_finish (builder, &new_ids, &error);
  g_assert_no_error (error);

  goban_graph_kahn_order (graph, order);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (order[i], ==, new_ids[expected[i]]);
}

static void
test_depths_count_nodes (void)
{
  GraphGen gen = graph_gen_small (30);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 5);
  guint32 depth[30];
  guint deepest = goban_graph_depths (graph, depth);
  double ones[30], top[30];

  for (guint v = 0; v < 30; v++)
    ones[v] = 1;
  goban_graph_top_levels (graph, top, ones, NULL);
  for (guint v = 0; v < 30; v++)
    {
      g_assert_cmpfloat (depth[v], ==, top[v]);
      g_assert_cmpuint (depth[v], <=, deepest);
    }
}

TEST_PROGRAM (levels)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/levels/against-all-paths", test_against_all_paths);
  g_test_add_func ("/graph/levels/kahn-order", test_kahn_order);
  g_test_add_func ("/graph/levels/depths-count-nodes", test_depths_count_nodes);
  return g_test_run ();
}
