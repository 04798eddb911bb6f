#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/placers/m-sct-lp.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

/* --- the linear programme -------------------------------------------------------------- */

typedef struct
{
  const double *times_us;
  guint n_tasks;
  const GobanSctEdge *edges;
  guint n_edges;
  double optimum_us;
  const double *shares; /* (n_edges) */
} Solved;

static const double fork_times[] = { 1, 10, 1 };
static const GobanSctEdge fork_edges[] = { { 0, 1, 5 }, { 0, 2, 5 } };
static const double fork_shares[] = { 1, 0 };

static const double even_times[] = { 1, 10, 10 };
static const double even_shares[] = { 0.5, 0.5 };

static const double join_times[] = { 3, 3, 2 };
static const GobanSctEdge join_edges[] = { { 0, 2, 4 }, { 1, 2, 4 } };

/* 0 -> 1 -> 3 and 0 -> 2 -> 3: the edges of one side for nothing, or half of both: 1 + 8 / 2 + 1 +
 * 8 / 2 + 1. */
static const double diamond_times[] = { 1, 1, 1, 1 };
static const GobanSctEdge diamond_edges[] = { { 0, 1, 8 }, { 0, 2, 8 }, { 1, 3, 8 }, { 2, 3, 8 } };

static const double chain_times[] = { 2, 3, 4 };
static const GobanSctEdge chain_edges[] = { { 0, 1, 7 }, { 1, 2, 7 } };
static const double chain_shares[] = { 1, 1 };

/* By hand. */
static void
test_optimum (void)
{
  static const Solved cases[] = {
    { fork_times, 3, fork_edges, 2, 11, fork_shares },
    { even_times, 3, fork_edges, 2, 13.5, even_shares },
    { join_times, 3, join_edges, 2, 7, even_shares },
    { diamond_times, 4, diamond_edges, 4, 11, NULL },
    { chain_times, 3, chain_edges, 2, 9, chain_shares },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GobanSctTasks tasks
          = { cases[i].times_us, cases[i].n_tasks, cases[i].edges, cases[i].n_edges };
      double shares[4];
      double makespan_us = goban_sct_solve (&tasks, GOBAN_SCT_WHOLE, shares, NULL, NULL);

      g_assert_cmpfloat_with_epsilon (makespan_us, cases[i].optimum_us, 1e-6);
      for (guint e = 0; cases[i].shares != NULL && e < cases[i].n_edges; e++)
        g_assert_cmpfloat_with_epsilon (shares[e], cases[i].shares[e], 1e-6);
    }
}

/* The edges of a random graph, by ascending tail, at most one between two nodes. */
static GArray *
new_edges (const GobanGraph *graph)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (GobanSctEdge));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);

      for (guint i = 0; i < out.n; i++)
        {
          GobanSctEdge edge
              = { v, goban_graph_get_edge (graph, out.ids[i])->head, 1 + (v * 7 + i) % 9 };

          g_array_append_val (edges, edge);
        }
    }
  return edges;
}

static void
check_shares (const GobanSctTasks *tasks, const double *shares)
{
  g_autofree double *out = g_new0 (double, tasks->n_tasks);
  g_autofree double *in = g_new0 (double, tasks->n_tasks);

  for (guint e = 0; e < tasks->n_edges; e++)
    {
      g_assert_cmpfloat (shares[e], >=, 0);
      out[tasks->edges[e].tail] += shares[e];
      in[tasks->edges[e].head] += shares[e];
    }
  for (guint t = 0; t < tasks->n_tasks; t++)
    {
      g_assert_cmpfloat (out[t], <=, 1 + 1e-6);
      g_assert_cmpfloat (in[t], <=, 1 + 1e-6);
    }
}

/* In windows of 50 tasks the sums hold, too; the path is no shorter than the optimum, 9.5 % longer
 * on the mean of a hundred graphs, and 16 % at worst. Which of several optima of a window is found
 * decides on single graphs. */
static void
test_windows (void)
{
  const guint n_graphs = 100;
  double mean = 0;

  for (guint i = 0; i < n_graphs; i++)
    {
      GraphGen gen = { .n_nodes = 300, .edges_per_node = 1.7, .width = 12, .max_tensors = 1 };
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GArray) edges = new_edges (graph);
      g_autofree double *times_us = g_new (double, gen.n_nodes);
      g_autofree double *shares = g_new (double, edges->len);
      GobanSctTasks tasks
          = { times_us, gen.n_nodes, (const GobanSctEdge *) (gpointer) edges->data, edges->len };
      double whole_us;
      double parts_us;

      for (guint t = 0; t < gen.n_nodes; t++)
        times_us[t] = 1 + t % 5;
      whole_us = goban_sct_solve (&tasks, GOBAN_SCT_WHOLE, shares, NULL, NULL);
      check_shares (&tasks, shares);
      parts_us = goban_sct_solve (&tasks, 100, shares, NULL, NULL);
      check_shares (&tasks, shares);
      g_assert_cmpfloat (parts_us, >=, whole_us - 1e-6);
      g_assert_cmpfloat (parts_us, <=, whole_us * 1.2);
      mean += parts_us / whole_us / n_graphs;
    }
  g_assert_cmpfloat (mean, <=, 1.1);
}

static gboolean
always (gpointer user_data)
{
  return TRUE;
}

static void
test_stops (void)
{
  GobanSctTasks tasks = { fork_times, 3, fork_edges, 2 };
  GobanProgress progress = { .should_stop = always };
  g_autoptr (GError) error = NULL;
  double shares[2];

  g_assert_cmpfloat (goban_sct_solve (&tasks, GOBAN_SCT_WHOLE, shares, &progress, &error), <, 0);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

/* --- favourite children ---------------------------------------------------------------- */

/* i and k feed j, which l follows; z waits for i alone, x for k alone. Transfers of 20, 2, 25 and 3
 * us. m-ETF lets i's device start z at 10 us, and j waits until 40; m-SCT lets it wait the 2 us for
 * j. */
static GobanGraph *
new_favourite (void)
{
  static const struct
  {
    const char *name;
    double time_us;
  } nodes[] = { { "i", 10 }, { "k", 10 }, { "j", 30 }, { "l", 30 }, { "z", 30 }, { "x", 30 } };
  static const guint edges[][3]
      = { { 0, 2, 20 }, { 0, 4, 25 }, { 1, 2, 2 }, { 1, 5, 3 }, { 2, 3, 50 } };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("favourite", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < G_N_ELEMENTS (nodes); v++)
    {
      goban_graph_builder_add_node (builder, nodes[v].name, "Task");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, nodes[v].time_us,
                                    GOBAN_SOURCE_GIVEN);
    }
  for (guint e = 0; e < G_N_ELEMENTS (edges); e++)
    {
      guint32 tensor = goban_graph_builder_add_tensor (builder, edges[e][0], 1);

      goban_graph_builder_set_transfer (builder, tensor, GOBAN_ANY_KIND, GOBAN_ANY_KIND,
                                        edges[e][2]);
      goban_graph_builder_add_edge (builder, tensor, edges[e][1]);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

static double
makespan_us (GobanCostModel *costs, const char *policy)
{
  g_autoptr (GobanPlan) plan = toy_place (costs, policy, 0);
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);

  return goban_trace_get_makespan (trace);
}

static void
test_waits_for_favourite (void)
{
  static const char cluster[] = "{ \"contention_free\": true, \"devices\": [" TOY_DEVICE (
      "a", "gpu",
      "\"unlimited\"") "," TOY_DEVICE ("b", "gpu",
                                       "\"unlimited\"") "],"
                                                        "\"all_pairs\": { \"bandwidth\": 1e9 } }";
  g_autoptr (GobanGraph) graph = new_favourite ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = goban_units_new_coplaced (costs, GOBAN_COPLACE_CONSUMERS, &error);
  g_auto (GobanTrees) trees = { 0 };
  guint32 favourites[6];

  g_assert_no_error (error);
  goban_trees_init (&trees, units);
  g_assert_true (goban_m_sct_favourites (units, &trees, favourites, NULL, &error));
  g_assert_cmpuint (favourites[trees.tree_of[0]], ==, trees.tree_of[2]);
  g_assert_cmpfloat (makespan_us (costs, "m-etf"), ==, 100);
  g_assert_cmpfloat (makespan_us (costs, "m-sct"), ==, 72);
}

/* Where nothing is to be saved there are no favourites. */
static void
test_free_transfers (void)
{
  for (guint i = 0; i < 50; i++)
    {
      GraphGen gen = graph_gen_small (40);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:3");
      g_autoptr (GobanPlan) etf = toy_place (costs, "m-etf", 0);
      g_autoptr (GobanPlan) sct = toy_place (costs, "m-sct", 0);
      g_autoptr (GobanPlanDiff) diff = goban_plan_diff (etf, sct);

      g_assert_cmpuint (diff->n_moved, ==, 0);
      g_assert_cmpuint (diff->n_reprioritised, ==, 0);
    }
}

/* CLP has much to say, but not here. */
static void
test_prints_nothing (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GobanGraph) graph = new_favourite ();
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e9");
      g_autoptr (GobanPlan) plan = toy_place (costs, "m-sct", 0);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout_unmatched ("*Clp*");
  g_test_trap_assert_stdout_unmatched ("*ptimal*");
}

/* Times so short that no factor brings them to what CLP can tell from nothing. */
static void
test_shortest_times (void)
{
  static const double times_us[] = { 5e-324, 1e-310, 1e-300, 1e30 };

  for (guint i = 0; i < G_N_ELEMENTS (times_us); i++)
    {
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("short", "test");
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;

      for (guint v = 0; v < 4; v++)
        {
          goban_graph_builder_add_node (builder, "", "Op");
          goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, times_us[i],
                                        GOBAN_SOURCE_GIVEN);
          goban_graph_builder_add_tensor (builder, v, 1);
          if (v > 0)
            goban_graph_builder_add_edge (builder, 0, v);
        }
      graph = goban_graph_builder_finish (builder, NULL, &error);
      g_assert_no_error (error);
      costs = toy_costs (graph, "equal:2");
      plan = toy_place (costs, "m-sct", 0);
      g_assert_cmpuint (goban_plan_get_n_nodes (plan), ==, 4);
    }
}

TEST_PROGRAM (m_sct)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/m-sct/lp/optimum", test_optimum);
  g_test_add_func ("/m-sct/lp/windows", test_windows);
  g_test_add_func ("/m-sct/lp/stops", test_stops);
  g_test_add_func ("/m-sct/waits-for-favourite", test_waits_for_favourite);
  g_test_add_func ("/m-sct/free-transfers", test_free_transfers);
  g_test_add_func ("/m-sct/shortest-times", test_shortest_times);
  g_test_add_func ("/m-sct/prints-nothing", test_prints_nothing);
  return g_test_run ();
}
