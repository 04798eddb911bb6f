#include "engine/learn/rl/fused-ranks.h"

#include "engine/sim/fusion/contraction.h"

struct _GobanFusedRanks
{
  GobanCostModel *costs;
  GobanContraction *contraction;
  guint32 *order;    /* (n_nodes) */
  double *of_ops_us; /* (n_nodes) */
};

GobanFusedRanks *
goban_fused_ranks_new (GobanCostModel *costs)
{
  GobanFusedRanks *self = g_new0 (GobanFusedRanks, 1);
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));

  self->costs = goban_cost_model_ref (costs);
  self->contraction = goban_contraction_new (costs);
  self->order = g_new (guint32, n_nodes);
  self->of_ops_us = g_new (double, n_nodes);
  return self;
}

void
goban_fused_ranks_free (GobanFusedRanks *self)
{
  if (self == NULL)
    return;
  goban_contraction_free (self->contraction);
  goban_cost_model_unref (self->costs);
  g_free (self->order);
  g_free (self->of_ops_us);
  g_free (self);
}

static double
find_rank (const GobanFusedRanks *self, const GobanContracted *all, guint32 op)
{
  double longest_us = 0;

  for (guint32 t = all->first_tensor[op]; t < all->first_tensor[op + 1]; t++)
    for (guint32 e = all->first_edge[t]; e < all->first_edge[t + 1]; e++)
      {
        guint32 head = all->edge_head[e];
        double path_us = self->of_ops_us[head];

        if (all->device[head] != all->device[op])
          path_us += goban_cost_model_transfer_us (self->costs, all->tensor[t], all->device[op],
                                                   all->device[head]);
        longest_us = MAX (longest_us, path_us);
      }
  return longest_us + all->time_us[op];
}

void
goban_fused_ranks_fill (GobanFusedRanks *self, const GobanPlan *plan, double *ranks_us)
{
  const GobanContracted *all = goban_contraction_fill (self->contraction, plan);
  guint n_sorted;

  goban_contraction_sort (self->contraction, self->order, &n_sorted);
  while (n_sorted-- > 0)
    self->of_ops_us[self->order[n_sorted]] = find_rank (self, all, self->order[n_sorted]);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    ranks_us[v] = self->of_ops_us[all->op_of[v]];
}

double
goban_fused_ranks_get_work_us (GobanFusedRanks *self, const GobanPlan *plan)
{
  const GobanContracted *all = goban_contraction_fill (self->contraction, plan);
  double total_us = 0;

  for (guint32 op = 0; op < all->n_ops; op++)
    total_us += all->time_us[op];
  return total_us;
}

void
goban_fused_ranks_fill_shares (GobanFusedRanks *self, const GobanPlan *plan, double *shares)
{
  const GobanContracted *all = goban_contraction_fill (self->contraction, plan);

  for (guint32 op = 0; op < all->n_ops; op++)
    {
      double apart_us = 0;

      for (guint32 i = all->first_member[op]; i < all->first_member[op + 1]; i++)
        apart_us += goban_cost_model_time_us (self->costs, all->member[i], all->device[op]);
      for (guint32 i = all->first_member[op]; i < all->first_member[op + 1]; i++)
        shares[all->member[i]] = apart_us > 0 ? all->time_us[op] / apart_us : 1;
    }
}
