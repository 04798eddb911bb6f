#include "engine/learn/rl/joint-choices.h"

#include "engine/core/key-sort.h"
#include "engine/machine/plan/task.h"
#include "engine/placers/placed-ranks.h"
#include "engine/sim/fusion/contraction.h"

#include <string.h>

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

struct _GobanJointExecutor
{
  const GobanUnits *units;
  const GobanStaticOrders *orders;
  GobanFuser *fuser;
  GobanFusedRanks *ranks;
  double *keys;       /* (n_nodes) */
  gint32 *levels;     /* (n_nodes) */
  gint32 *by_traffic; /* (n_nodes) levels of GOBAN_FUSES_TRAFFIC */
};

/* --- choices -------------------------------------------------------------------------------- */

GobanJointChoices *
goban_joint_choices_new (guint n_nodes)
{
  GobanJointChoices *self = g_new0 (GobanJointChoices, 1);

  self->order = GOBAN_JOINT_ORDER_AS_IT_IS;
  self->fusion = GOBAN_FUSES_AS_IT_IS;
  self->shifts = g_new0 (double, n_nodes + 1);
  self->keys = g_new0 (double, n_nodes + 1);
  self->levels = g_new0 (gint32, n_nodes + 1);
  return self;
}

GobanJointChoices *
goban_joint_choices_copy (const GobanJointChoices *self, guint n_nodes)
{
  GobanJointChoices *copy = g_new0 (GobanJointChoices, 1);
  gsize n = (gsize) n_nodes + 1;

  *copy = *self;
  copy->shifts = g_memdup2 (self->shifts, n * sizeof *self->shifts);
  copy->keys = g_memdup2 (self->keys, n * sizeof *self->keys);
  copy->levels = g_memdup2 (self->levels, n * sizeof *self->levels);
  return copy;
}

void
goban_joint_choices_free (GobanJointChoices *self)
{
  if (self == NULL)
    return;
  g_free (self->shifts);
  g_free (self->keys);
  g_free (self->levels);
  g_free (self);
}

/* --- executor ------------------------------------------------------------------------------- */

/* Levels of ops that rise with the bytes written and read of their tensors. */
static gint32 *
new_levels_by_traffic (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *traffic = g_new0 (double, n_nodes + 1);
  g_autofree guint32 *order = g_new (guint32, n_nodes + 1);
  g_autofree guint8 *is_written = g_new0 (guint8, goban_graph_get_n_tensors (graph) + 1);
  gint32 *levels = g_new (gint32, n_nodes + 1);

  for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      traffic[edge->tail] += goban_graph_get_tensor (graph, edge->tensor)->size_bytes
                             * (is_written[edge->tensor] ? 1 : 2);
      is_written[edge->tensor] = 1;
    }
  for (guint32 v = 0; v < n_nodes; v++)
    {
      traffic[v] = -traffic[v];
      order[v] = v;
    }
  goban_key_sort (order, traffic, n_nodes);
  for (guint32 i = 0; i < n_nodes; i++)
    levels[order[i]] = (gint32) (n_nodes - i);
  return levels;
}

GobanJointExecutor *
goban_joint_executor_new (const GobanUnits *units, const GobanStaticOrders *orders)
{
  GobanJointExecutor *self = g_new0 (GobanJointExecutor, 1);
  GobanCostModel *costs = (GobanCostModel *) units->costs;
  guint n_nodes = goban_graph_get_n_nodes (units->graph);

  self->units = units;
  self->orders = orders;
  self->fuser = goban_fuser_new (costs);
  self->ranks = goban_fused_ranks_new (costs);
  goban_fuser_set_pairs (self->fuser, TRUE);
  self->keys = g_new (double, n_nodes + 1);
  self->levels = g_new (gint32, n_nodes + 1);
  self->by_traffic = new_levels_by_traffic (units->graph);
  return self;
}

void
goban_joint_executor_free (GobanJointExecutor *self)
{
  if (self == NULL)
    return;
  goban_fuser_free (self->fuser);
  goban_fused_ranks_free (self->ranks);
  g_free (self->keys);
  g_free (self->levels);
  g_free (self->by_traffic);
  g_free (self);
}

/* --- fusion --------------------------------------------------------------------------------- */

void
goban_joint_executor_get_levels (GobanJointExecutor *self, GobanFusionRule rule,
                                 const GobanPlan *plan, gint32 *levels)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autoptr (GobanPlan) fused = NULL;

  if (rule == GOBAN_FUSES_TRAFFIC)
    {
      memcpy (levels, self->by_traffic, n_nodes * sizeof *levels);
      return;
    }
  if (rule == GOBAN_FUSES_DEFAULT)
    {
      fused = goban_plan_copy (plan);
      goban_fuser_fuse_default (self->fuser, fused);
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    levels[v] = rule == GOBAN_FUSES_ALIKE
                        || (fused != NULL && goban_plan_get_fusions (fused)[v] != GOBAN_NO_FUSION)
                    ? GOBAN_MIDDLE_LEVEL
                    : 0;
}

/* --- order ---------------------------------------------------------------------------------- */

gboolean
goban_joint_executor_get_keys (GobanJointExecutor *self, const GobanJointChoices *choices,
                               const GobanPlan *plan, double *keys)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);

  if (choices->order == GOBAN_JOINT_ORDER_AS_IT_IS || choices->order == GOBAN_STATIC_FIFO)
    return FALSE;
  if (choices->order == GOBAN_JOINT_KERNELS)
    goban_fused_ranks_fill (self->ranks, plan, keys);
  else if (choices->order == GOBAN_JOINT_KEYS)
    memcpy (keys, choices->keys, n_nodes * sizeof *keys);
  else
    goban_static_orders_rank (self->orders, (GobanStaticOrder) choices->order, plan, keys);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    keys[v] += choices->shifts[v];
  return TRUE;
}

static void
order (GobanJointExecutor *self, const GobanJointChoices *choices, GobanPlan *plan)
{
  if (choices->order == GOBAN_JOINT_ORDER_AS_IT_IS)
    return;
  goban_plan_set_transfer_priorities (plan, NULL);
  if (!goban_joint_executor_get_keys (self, choices, plan, self->keys))
    {
      goban_plan_set_order (plan, GOBAN_ORDER_FIFO);
      return;
    }
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_plan_spread_priorities (plan, self->keys);
}

void
goban_joint_executor_apply (GobanJointExecutor *self, const GobanJointChoices *choices,
                            GobanPlan *plan)
{
  if (choices->fusion == GOBAN_FUSES_AS_IT_IS)
    goban_fusion_dissolve_split (plan);
  else if (choices->fusion == GOBAN_FUSES_NOTHING)
    {
      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
        goban_plan_set_fusion (plan, v, GOBAN_NO_FUSION);
    }
  else if (choices->fusion == GOBAN_FUSES_DEFAULT)
    goban_fuser_fuse_default (self->fuser, plan);
  else if (choices->fusion == GOBAN_FUSES_LEVELS)
    goban_fuser_fuse_by_priority (self->fuser, plan, choices->levels);
  else
    {
      goban_joint_executor_get_levels (self, choices->fusion, plan, self->levels);
      goban_fuser_fuse_by_priority (self->fuser, plan, self->levels);
    }

  order (self, choices, plan);
  goban_plan_set_proven_bound_us (plan, NULL, 0);
}

double
goban_joint_executor_get_work_us (GobanJointExecutor *self, const GobanPlan *plan)
{
  return goban_fused_ranks_get_work_us (self->ranks, plan);
}

void
goban_joint_executor_get_shares (GobanJointExecutor *self, const GobanPlan *plan, double *shares)
{
  goban_fused_ranks_fill_shares (self->ranks, plan, shares);
}
