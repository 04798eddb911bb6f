#include "engine/study/run/step-plan.h"

#include "engine/learn/rl/fused-ranks.h"
#include "engine/learn/rl/go/problem.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/sim/simulator.h"

#include <math.h>

typedef enum
{
  KERNELS_AS_THEY_ARE,
  KERNELS_NONE,
  KERNELS_DEFAULT,
  KERNELS_BY_LEVEL,
} Kernels;

/* Below these: a GobanStaticOrder. */
typedef enum
{
  RANKS_AS_THEY_ARE = GOBAN_N_STATIC_ORDERS,
  RANKS_OF_KERNELS,
  N_RANKS,
} Ranks;

typedef struct
{
  GobanCostModel *costs;
  const GobanPlan *final;
  const GobanDecisionLog *log;
  guint n_nodes;
  guint32 *choices[GOBAN_N_TASKS]; /* (n_nodes), NULL: not decided */
  GobanUnits *units;
  GobanStaticOrders *orders;
  double target_us; /* makespan in the log */
} Maker;

static void
maker_clear (Maker *self)
{
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    g_free (self->choices[k]);
  g_clear_pointer (&self->orders, goban_static_orders_free);
  g_clear_pointer (&self->units, goban_units_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Maker, maker_clear)

/* --- one way -------------------------------------------------------------------------------- */

static void
place (const Maker *self, GobanPlan *plan)
{
  const guint32 *devices = self->choices[GOBAN_TASK_PLACEMENT];

  for (GobanNodeId v = 0; devices != NULL && v < self->n_nodes; v++)
    goban_plan_set_device (plan, v, (GobanDeviceId) devices[v]);
}

static void
fuse (const Maker *self, GobanPlan *plan, Kernels kernels)
{
  const guint32 *levels = self->choices[GOBAN_TASK_FUSION];

  if (kernels == KERNELS_AS_THEY_ARE)
    return;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    goban_plan_set_fusion (plan, v, GOBAN_NO_FUSION);
  if (kernels == KERNELS_DEFAULT)
    goban_fusion_default (self->costs, plan);
  if (kernels == KERNELS_BY_LEVEL)
    {
      g_autofree gint32 *priorities = g_new (gint32, MAX (self->n_nodes, 1));

      for (GobanNodeId v = 0; v < self->n_nodes; v++)
        priorities[v] = (gint32) levels[v];
      goban_fusion_by_priority (self->costs, plan, priorities);
    }
}

static void
schedule (const Maker *self, GobanPlan *plan, Ranks ranks)
{
  const guint32 *levels = self->choices[GOBAN_TASK_SCHEDULING];
  g_autofree double *ranks_us = NULL;
  double longest_us = 0;

  if (ranks == RANKS_AS_THEY_ARE)
    return;
  goban_plan_set_order (plan, ranks == (Ranks) GOBAN_STATIC_FIFO ? GOBAN_ORDER_FIFO
                                                                 : GOBAN_ORDER_PRIORITY);
  ranks_us = g_new (double, MAX (self->n_nodes, 1));
  if (ranks == RANKS_OF_KERNELS)
    {
      g_autoptr (GobanFusedRanks) fused = goban_fused_ranks_new (self->costs);

      goban_fused_ranks_fill (fused, plan, ranks_us);
    }
  else
    goban_static_orders_rank (self->orders, (GobanStaticOrder) ranks, plan, ranks_us);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    longest_us = MAX (longest_us, ranks_us[v]);
  for (GobanNodeId v = 0; levels != NULL && v < self->n_nodes; v++)
    ranks_us[v] += ((double) levels[v] - GOBAN_MIDDLE_LEVEL) / (GOBAN_N_LEVELS - 1)
                   * GOBAN_LEVEL_REACH * longest_us;
  goban_plan_set_priorities_by_key (plan, ranks_us);
}

static GobanPlan *
make (const Maker *self, Kernels kernels, Ranks ranks)
{
  GobanPlan *plan = goban_plan_copy (self->final);

  place (self, plan);
  fuse (self, plan, kernels);
  schedule (self, plan, ranks);
  goban_plan_set_proven_bound_us (plan, NULL, 0);
  return plan;
}

/* --- which way ------------------------------------------------------------------------------ */

/* Likeliest first. */
static guint
list_kernels (const Maker *self, Kernels *list)
{
  if (self->choices[GOBAN_TASK_FUSION] != NULL)
    list[0] = KERNELS_BY_LEVEL;
  else if (self->choices[GOBAN_TASK_PLACEMENT] == NULL)
    list[0] = KERNELS_AS_THEY_ARE;
  else
    {
      gboolean is_fused = goban_plan_is_fused (self->final);

      list[0] = is_fused ? KERNELS_DEFAULT : KERNELS_NONE;
      list[1] = is_fused ? KERNELS_NONE : KERNELS_DEFAULT;
      return 2;
    }
  return 1;
}

/* The final plan's order may have been chosen after the step: all orders may have been the
 * step's. */
static guint
list_ranks (const Maker *self, Ranks *list)
{
  gboolean schedules = self->choices[GOBAN_TASK_SCHEDULING] != NULL;
  gboolean is_fifo = goban_plan_get_order (self->final) == GOBAN_ORDER_FIFO;
  guint n = 0;

  if (!schedules && is_fifo)
    list[n++] = RANKS_AS_THEY_ARE;
  list[n++] = (Ranks) GOBAN_STATIC_TRANSFERS;
  list[n++] = RANKS_OF_KERNELS;
  for (guint order = GOBAN_STATIC_TRANSFERS + 1; order < GOBAN_N_STATIC_ORDERS; order++)
    if (order != GOBAN_STATIC_FIFO)
      list[n++] = (Ranks) order;
  if (!schedules && !is_fifo)
    list[n++] = RANKS_AS_THEY_ARE;
  if (!schedules && !is_fifo)
    list[n++] = (Ranks) GOBAN_STATIC_FIFO;
  return n;
}

/* Distance of a plan's makespan from the one in the log; 0 if it is that plan. */
static double
measure (const Maker *self, GobanSimulator *simulator, const GobanPlan *plan)
{
  GobanOutcome outcome = goban_simulator_evaluate (simulator, plan);
  gboolean is_valid = outcome.overflow_bytes <= 0 && isfinite (outcome.makespan_us);

  if (isfinite (self->target_us) && isfinite (outcome.makespan_us))
    return fabs (outcome.makespan_us - self->target_us) + (is_valid ? 0 : self->target_us);
  return is_valid == isfinite (self->target_us) ? 0 : INFINITY;
}

static GobanPlan *
choose (const Maker *self)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (self->costs);
  g_autoptr (GobanPlan) best = NULL;
  double nearest = INFINITY;
  Kernels kernels[2];
  Ranks ranks[N_RANKS];
  guint n_kernels = list_kernels (self, kernels);
  guint n_ranks = list_ranks (self, ranks);

  for (guint i = 0; i < n_kernels; i++)
    for (guint j = 0; j < n_ranks && nearest > 0; j++)
      {
        g_autoptr (GobanPlan) plan = make (self, kernels[i], ranks[j]);
        double distance;

        if (ranks[j] == RANKS_OF_KERNELS && !goban_plan_is_fused (plan))
          continue;
        distance = measure (self, simulator, plan);
        if (best != NULL && distance >= nearest)
          continue;
        nearest = distance;
        g_clear_pointer (&best, goban_plan_unref);
        best = g_steal_pointer (&plan);
      }
  return g_steal_pointer (&best);
}

GobanPlan *
goban_step_plan_new (GobanCostModel *costs, const GobanPlan *final, const GobanDecisionLog *log,
                     guint n_steps, GError **error)
{
  g_auto (Maker) self = { .costs = costs, .final = final, .log = log };
  g_autoptr (GobanPlan) plan = NULL;

  self.n_nodes = goban_plan_get_n_nodes (final);
  self.target_us = n_steps > 0 ? goban_decision_log_get_step (log, n_steps - 1)->after_us
                               : goban_decision_log_get_start_us (log);
  self.units = goban_units_new (costs, error);
  if (self.units == NULL)
    return NULL;
  self.orders = goban_static_orders_new (self.units);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    self.choices[k] = goban_decision_log_dup_choices (log, (GobanTask) k, n_steps);
  plan = choose (&self);
  return goban_plan_check (plan, costs, error) ? g_steal_pointer (&plan) : NULL;
}
