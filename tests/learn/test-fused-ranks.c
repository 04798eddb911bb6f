/* Ranks of kernels: those of ops where nothing is fused; one for all members of a kernel, which
 * falls along every edge that leaves it. */
#include "engine/learn/rl/joint-choices.h"

#include "engine/placers/placed-ranks.h"
#include "engine/sim/fusion/fusion.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define N_NODES 60

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanUnits *units;
  GobanPlan *plan;
  GobanFusedRanks *ranks;
  double ranks_us[N_NODES];
} Case;

static Case
new_case (guint seed)
{
  GraphGen gen = graph_gen_small (N_NODES);
  g_autoptr (GError) error = NULL;
  Case self = { .graph = graph_gen_new (&gen, seed) };
  guint n_nodes = goban_graph_get_n_nodes (self.graph);

  g_assert_cmpuint (n_nodes, <=, N_NODES);
  self.costs = toy_costs (self.graph, "equal:3,bandwidth=4e6");
  self.units = goban_units_new (self.costs, &error);
  g_assert_no_error (error);
  self.plan = goban_plan_new (self.graph, 3);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_device (self.plan, v, (GobanDeviceId) (self.units->unit_of[v] * 3 / n_nodes));
  self.ranks = goban_fused_ranks_new (self.costs);
  return self;
}

static void
clear_case (Case *self)
{
  goban_fused_ranks_free (self->ranks);
  goban_plan_unref (self->plan);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

static void
test_unfused (void)
{
  for (guint seed = 1; seed <= 5; seed++)
    {
      Case self = new_case (seed);
      double of_ops_us[N_NODES], work_us = 0;

      goban_fused_ranks_fill (self.ranks, self.plan, self.ranks_us);
      goban_placed_ranks (self.units, self.plan, of_ops_us);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
        {
          g_assert_cmpfloat_with_epsilon (self.ranks_us[v], of_ops_us[v], 1e-6);
          work_us += goban_cost_model_time_us (self.costs, v, goban_plan_get_device (self.plan, v));
        }
      g_assert_cmpfloat_with_epsilon (goban_fused_ranks_get_work_us (self.ranks, self.plan),
                                      work_us, 1e-6);
      clear_case (&self);
    }
}

static void
test_fused (void)
{
  guint n_fused = 0;

  for (guint seed = 1; seed <= 5; seed++)
    {
      Case self = new_case (seed);
      double unfused_us = goban_fused_ranks_get_work_us (self.ranks, self.plan);
      const gint32 *fusions;

      n_fused += goban_fusion_default (self.costs, self.plan);
      fusions = goban_plan_get_fusions (self.plan);
      goban_fused_ranks_fill (self.ranks, self.plan, self.ranks_us);
      for (guint e = 0; e < goban_graph_get_n_edges (self.graph); e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self.graph, e);
          GobanNodeId tail = goban_graph_get_tensor (self.graph, edge->tensor)->producer;

          if (fusions[tail] != GOBAN_NO_FUSION && fusions[tail] == fusions[edge->head])
            g_assert_cmpfloat (self.ranks_us[tail], ==, self.ranks_us[edge->head]);
          else
            g_assert_cmpfloat (self.ranks_us[tail], >=, self.ranks_us[edge->head]);
        }
      g_assert_cmpfloat (goban_fused_ranks_get_work_us (self.ranks, self.plan), <=,
                         unfused_us + 1e-6);
      clear_case (&self);
    }
  g_assert_cmpuint (n_fused, >, 0);
}

/* Shares times own times are the times of kernels; 1 if nothing is fused. */
static void
test_shares (void)
{
  guint n_less = 0;

  for (guint seed = 1; seed <= 5; seed++)
    {
      Case self = new_case (seed);
      guint n_nodes = goban_graph_get_n_nodes (self.graph);
      double shares[N_NODES];
      double work_us = 0;

      goban_fused_ranks_fill_shares (self.ranks, self.plan, shares);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        g_assert_cmpfloat (shares[v], ==, 1);
      goban_fusion_default (self.costs, self.plan);
      goban_fused_ranks_fill_shares (self.ranks, self.plan, shares);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        {
          work_us
              += shares[v]
                 * goban_cost_model_time_us (self.costs, v, goban_plan_get_device (self.plan, v));
          g_assert_cmpfloat (shares[v], <=, 1 + 1e-12);
          n_less += shares[v] < 1 - 1e-9;
        }
      g_assert_cmpfloat_with_epsilon (work_us,
                                      goban_fused_ranks_get_work_us (self.ranks, self.plan), 1e-6);
      clear_case (&self);
    }
  g_assert_cmpuint (n_less, >, 0);
}

TEST_PROGRAM (fused_ranks)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/fused-ranks/of-ops-where-nothing-is-fused", test_unfused);
  g_test_add_func ("/rl/fused-ranks/one-for-a-kernel", test_fused);
  g_test_add_func ("/rl/fused-ranks/shares", test_shares);
  return g_test_run ();
}
