#include "engine/learn/rl/moves/move-problem.h"

#include <math.h>

/* Number of splits tried for the start in goban_move_problem_try(). */
#define N_SPLITS 5

/* --- construction and disposal -------------------------------------------------------------- */

GobanMoveProblem *
goban_move_problem_new (GobanCostModel *costs, GError **error)
{
  g_autoptr (GobanMoveProblem) self = g_new0 (GobanMoveProblem, 1);

  self->costs = goban_cost_model_ref (costs);
  self->units = goban_units_new (costs, error);
  if (self->units == NULL)
    return NULL;
  self->splits = goban_cell_splits_new (self->units);
  self->improver = goban_improver_new (self->units, self->splits->cells, self->splits->rows, 0);
  return g_steal_pointer (&self);
}

void
goban_move_problem_free (GobanMoveProblem *self)
{
  g_clear_pointer (&self->improver, goban_improver_free);
  g_clear_pointer (&self->splits, goban_cell_splits_free);
  g_clear_pointer (&self->units, goban_units_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self);
}

/* --- starts --------------------------------------------------------------------------------- */

typedef struct
{
  GobanMoveProblem *problem;
  GobanSearch *search; /* (nullable): no budget */
  GobanPlan *best;
  double best_us;
  guint order;
} Start;

/* Simulates and offers a plan, and takes it. FALSE if the budget is spent. */
static gboolean
offer (Start *self, GobanPlan *plan, guint order, GError **error)
{
  GobanImprover *improver = self->problem->improver;
  gboolean goes_on
      = self->search == NULL || goban_search_go_on (self->search, "splitting cells", error);
  GobanOutcome outcome;

  if (goes_on)
    {
      outcome = goban_simulator_evaluate (improver->simulator, plan);
      if (self->search != NULL)
        goban_search_offer (self->search, plan, outcome);
      if (self->best == NULL || goban_improver_score_us (improver, outcome) < self->best_us)
        {
          g_clear_pointer (&self->best, goban_plan_unref);
          self->best = goban_plan_ref (plan);
          self->best_us = goban_improver_score_us (improver, outcome);
          self->order = order;
        }
    }
  goban_plan_unref (plan);
  return goes_on;
}

static GobanPlan *
new_split (const GobanMoveProblem *self, const GobanDeviceId *devices, guint order)
{
  GobanPlan *plan = goban_plan_new (self->units->graph, self->units->n_devices);

  goban_cell_splits_place (self->splits, devices, plan);
  goban_static_orders_apply (self->improver->orders, (GobanStaticOrder) order, plan);
  return plan;
}

static void
find_start (Start *self, guint n_splits, GError **error)
{
  const GobanMoveProblem *problem = self->problem;
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (problem->splits, n_splits);
  g_autoptr (GobanPlan) placement = NULL;

  for (guint i = 0; i < cuts->len; i++)
    if (!offer (self, new_split (problem, cuts->pdata[i], GOBAN_STATIC_TRANSFERS),
                GOBAN_STATIC_TRANSFERS, error))
      return;
  placement = goban_plan_copy (self->best);
  for (guint order = GOBAN_STATIC_TRANSFERS + 1; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      GobanPlan *plan = goban_plan_copy (placement);

      goban_static_orders_apply (problem->improver->orders, (GobanStaticOrder) order, plan);
      if (!offer (self, plan, order, error))
        return;
    }
}

GobanPlan *
goban_move_problem_start (GobanMoveProblem *self, GobanSearch *search, guint n_splits, guint *order,
                          GError **error)
{
  Start start = { .problem = self, .search = search, .best_us = INFINITY };

  find_start (&start, n_splits, error);
  *order = start.order;
  return start.best;
}

GobanPlan *
goban_move_problem_draw_start (GobanMoveProblem *self, GobanRng *rng, guint *order)
{
  static const GobanStaticOrder orders[]
      = { GOBAN_STATIC_TRANSFERS, GOBAN_STATIC_TRANSFERS, GOBAN_STATIC_TRANSFERS,
          GOBAN_STATIC_DEPTH,     GOBAN_STATIC_TIMES,     GOBAN_STATIC_FIFO };
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (self->splits, G_MAXUINT);

  *order = orders[goban_rng_below (rng, G_N_ELEMENTS (orders))];
  return new_split (self, cuts->pdata[goban_rng_below (rng, cuts->len)], *order);
}

/* --- measuring a network -------------------------------------------------------------------- */

void
goban_move_problem_try (GobanMoveProblem *self, const GobanScorerNet *net, guint64 seed,
                        const guint *counts, guint n, double *best_us)
{
  GobanImprover *improver = self->improver;
  guint order;
  g_autoptr (GobanPlan) start = goban_move_problem_start (self, NULL, N_SPLITS, &order, NULL);
  double least_us;
  guint n_done = 0;

  goban_rng_init (&improver->rng, seed);
  goban_improver_go_to (improver, start, order);
  least_us = improver->score_us;
  for (guint i = 0; i < n; i++)
    {
      for (gboolean goes_on = TRUE; n_done < counts[i] && goes_on; n_done++)
        {
          g_autoptr (GobanPlan) tried = NULL;
          GobanOutcome outcome;

          goes_on = goban_improver_step (improver, net, (double) n_done / counts[n - 1], &tried,
                                         &outcome);
          if (goes_on)
            least_us = MIN (least_us, goban_improver_score_us (improver, outcome));
        }
      best_us[i] = least_us;
    }
}
