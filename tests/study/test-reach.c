#include "engine/study/analysis/reach.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* Twin: the nodes at most so many edges away, by distances over all edges in order of the graph. */
static gboolean
is_within (GobanGraph *graph, GobanSelection *from, GobanNodeId node, guint n_steps,
           gboolean is_upstream)
{
  GobanEdgeSpan edges = is_upstream ? goban_graph_get_out_edges (graph, node)
                                    : goban_graph_get_in_edges (graph, node);

  if (goban_selection_contains (from, node))
    return TRUE;
  for (guint i = 0; i < edges.n && n_steps > 0; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

      if (is_within (graph, from, is_upstream ? edge->head : edge->tail, n_steps - 1, is_upstream))
        return TRUE;
    }
  return FALSE;
}

static void
test_agrees_with_search (void)
{
  for (guint seed = 0; seed < 20; seed++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (14, seed, "p100x2");
      GobanGraph *graph = goban_cost_model_get_graph (costs);
      const GobanNodeId ids[] = { 7, 3, 7 };
      g_autoptr (GobanSelection) from = goban_selection_new (ids, G_N_ELEMENTS (ids));

      for (guint n_steps = 0; n_steps < 5; n_steps++)
        for (gboolean is_upstream = FALSE; is_upstream <= TRUE; is_upstream++)
          {
            g_autoptr (GobanSelection) reach
                = goban_reach_new (graph, ids, G_N_ELEMENTS (ids), n_steps, is_upstream);

            for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
              g_assert_cmpint (goban_selection_contains (reach, v), ==,
                               is_within (graph, from, v, n_steps, is_upstream)
                                   && !goban_selection_contains (from, v));
          }
    }
}

/* The other ends of a chain a - b - c - d, however many steps are allowed. */
static void
test_ends (void)
{
  g_autoptr (GobanGraph) graph = toy_chain ();
  const GobanNodeId second = 1;
  g_autoptr (GobanSelection) all = goban_reach_new (graph, &second, 1, G_MAXINT64, FALSE);
  g_autoptr (GobanSelection) none = goban_reach_new (graph, &second, 1, -1, TRUE);
  g_autoptr (GobanSelection) of_none = goban_reach_new (graph, NULL, 0, 3, TRUE);
  guint n;

  g_assert_cmpuint (goban_selection_get_ids (all, &n)[0], ==, 2);
  g_assert_cmpuint (n, ==, 2);
  goban_selection_get_ids (none, &n);
  g_assert_cmpuint (n, ==, 0);
  goban_selection_get_ids (of_none, &n);
  g_assert_cmpuint (n, ==, 0);
}

TEST_PROGRAM (reach)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reach/agrees-with-search", test_agrees_with_search);
  g_test_add_func ("/reach/ends", test_ends);
  return g_test_run ();
}
