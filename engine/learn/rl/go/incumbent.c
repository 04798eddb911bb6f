#include "engine/learn/rl/go/incumbent.h"

#include "engine/learn/rl/credit.h"
#include "engine/placers/search/starts.h"
#include "engine/sim/fusion/fusion.h"

/* How much longer than the best plan a current plan with less work may be. */
#define MAX_LONGER 0.01

void
goban_incumbent_clear (GobanIncumbent *self)
{
  goban_unit_choices_clear (&self->choices);
  g_clear_pointer (&self->plan, goban_plan_unref);
  goban_unit_choices_clear (&self->best_choices);
  g_clear_pointer (&self->best_plan, goban_plan_unref);
}

/* --- start plans ---------------------------------------------------------------------------- */

/* Reads the choices of units from @plan (nullable); units that cannot run on its device go to their
 * fastest. */
static GobanUnitChoices
read_plan (GobanProblem *problem, const GobanPlan *plan)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  GobanTasks decisions = goban_problem_get_decisions (problem);
  GobanUnitChoices choices = { { NULL } };

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      /* The placement is read even if it is not decided. */
      if (!goban_tasks_have (decisions, k) && k != GOBAN_TASK_PLACEMENT)
        continue;
      choices.of[k] = g_new (guint32, units->n_units);

      guint32 *levels = choices.of[k];
      guint n = units->n_units;

      for (guint u = 0; u < n; u++)
        levels[u] = GOBAN_MIDDLE_LEVEL;
    }
  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId device
          = plan != NULL ? goban_plan_get_device (plan, units->nodes[units->offsets[u]]) : 0;

      choices.of[GOBAN_TASK_PLACEMENT][u] = goban_units_find_host (units, u, device);
    }
  return choices;
}

static void
take (GobanIncumbent *self, GobanUnitChoices *choices, GobanPlan *plan, GobanOutcome outcome)
{
  goban_incumbent_clear (self);
  self->choices = *choices;
  *choices = (GobanUnitChoices){ { NULL } };
  self->plan = goban_plan_ref (plan);
  self->outcome = outcome;
  self->moment = 0;
  self->is_looked_at = FALSE;
}

void
goban_incumbent_set_plan (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
                          GobanSearch *search)
{
  GobanUnitChoices choices = read_plan (problem, plan);
  g_autoptr (GobanPlan) own = NULL;
  GobanOutcome outcome;

  if (self->plan != NULL && search != NULL && goban_search_clip (search, 1) == 0)
    {
      goban_unit_choices_clear (&choices);
      return;
    }
  self->decisions = goban_problem_get_decisions (problem);
  own = goban_problem_new_plan (problem, &choices);
  goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &own, 1, &outcome);
  if (search != NULL)
    goban_search_offer (search, own, outcome);
  if (self->plan == NULL || goban_outcome_compare (&outcome, &self->outcome) < 0)
    take (self, &choices, own, outcome);
  goban_unit_choices_clear (&choices);
}

/* Tries @plan's placement with the middle fusion level for nodes in kernels of @fusions (nullable),
 * and level 0 for others. */
static void
try_levels (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
            const gint32 *fusions, GobanSearch *search)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  GobanUnitChoices choices = read_plan (problem, plan);
  guint32 *levels = choices.of[GOBAN_TASK_FUSION];
  g_autoptr (GobanPlan) own = NULL;
  GobanOutcome outcome;

  for (guint u = 0; u < units->n_units; u++)
    levels[u] = 0;
  for (GobanNodeId v = 0; fusions != NULL && v < goban_plan_get_n_nodes (plan); v++)
    if (fusions[v] != GOBAN_NO_FUSION)
      levels[units->unit_of[v]] = GOBAN_MIDDLE_LEVEL;
  own = goban_problem_new_plan (problem, &choices);
  goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &own, 1, &outcome);
  if (search != NULL)
    goban_search_offer (search, own, outcome);
  if (goban_outcome_compare (&outcome, &self->outcome) < 0)
    take (self, &choices, own, outcome);
  goban_unit_choices_clear (&choices);
}

/* Tries other fusion levels for the placement of @plan: nothing fused, and the ops that XLA's
 * default fuses. */
static void
try_fusions (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
             GobanSearch *search)
{
  GobanUnitChoices choices;
  g_autoptr (GobanPlan) fused = NULL;

  if (!goban_tasks_have (goban_problem_get_decisions (problem), GOBAN_TASK_FUSION)
      || (search != NULL && goban_search_clip (search, 2) < 2))
    return;
  choices = read_plan (problem, plan);
  fused = goban_problem_new_plan (problem, &choices);
  goban_unit_choices_clear (&choices);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (fused); v++)
    goban_plan_set_fusion (fused, v, GOBAN_NO_FUSION);
  try_levels (self, problem, fused, NULL, search);
  goban_fusion_default (goban_problem_get_costs (problem), fused);
  try_levels (self, problem, fused, goban_plan_get_fusions (fused), search);
}

static gboolean
try_placements (GobanIncumbent *self, GobanProblem *problem, GobanStart start, GobanSearch *search,
                GError **error)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  GobanStartKinds kinds = (start == GOBAN_START_ALL ? GOBAN_STARTS_OF_NAMES : 0)
                          | (self->leaves_out_cells ? 0 : GOBAN_STARTS_OF_CELLS);
  g_autoptr (GPtrArray) plans = NULL;

  /* An undecided placement stays. */
  if (!goban_tasks_have (goban_problem_get_decisions (problem), GOBAN_TASK_PLACEMENT))
    {
      goban_incumbent_set_plan (self, problem, goban_problem_get_base (problem), search);
      try_fusions (self, problem, goban_problem_get_base (problem), search);
      return TRUE;
    }
  goban_incumbent_set_plan (self, problem, NULL, search);
  try_fusions (self, problem, self->plan, search);
  if (start == GOBAN_START_NOTHING)
    return TRUE;
  plans = goban_starts_new_placements (search, units, goban_problem_get_costs (problem), kinds,
                                       error);
  for (guint i = 0; plans != NULL && i < plans->len; i++)
    {
      goban_incumbent_set_plan (self, problem, plans->pdata[i], search);
      try_fusions (self, problem, plans->pdata[i], search);
    }
  return plans != NULL;
}

/* Tries the same choices with ops ordered by the ranks of their kernels, if both tasks are
 * decided. */
static void
try_ranks (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search)
{
  GobanTasks decisions = goban_problem_get_decisions (problem);
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome;
  gboolean is_better;

  if (!goban_tasks_have (decisions, GOBAN_TASK_FUSION)
      || !goban_tasks_have (decisions, GOBAN_TASK_SCHEDULING) || !goban_plan_is_fused (self->plan)
      || (search != NULL && goban_search_clip (search, 1) == 0))
    return;
  goban_problem_rank_kernels (problem, TRUE);
  plan = goban_problem_new_plan (problem, &self->choices);
  goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
  if (search != NULL)
    goban_search_offer (search, plan, outcome);
  is_better = goban_outcome_compare (&outcome, &self->outcome) < 0;
  goban_problem_rank_kernels (problem, is_better);
  if (!is_better)
    return;
  goban_plan_unref (self->plan);
  self->plan = g_steal_pointer (&plan);
  self->outcome = outcome;
}

/* Tries the same choices under every static order and sets the best for the problem. */
static void
try_orders (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search)
{
  GobanStaticOrder best = goban_problem_get_order (problem);

  for (guint order = 0; self->tries_orders && order < GOBAN_N_STATIC_ORDERS; order++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (order == best || (search != NULL && goban_search_clip (search, 1) == 0)
          || !goban_problem_set_order (problem, (GobanStaticOrder) order))
        continue;
      plan = goban_problem_new_plan (problem, &self->choices);
      goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
      if (search != NULL)
        goban_search_offer (search, plan, outcome);
      if (goban_outcome_compare (&outcome, &self->outcome) >= 0)
        continue;
      best = (GobanStaticOrder) order;
      goban_plan_unref (self->plan);
      self->plan = g_steal_pointer (&plan);
      self->outcome = outcome;
    }
  if (self->tries_orders)
    goban_problem_set_order (problem, best);
}

gboolean
goban_incumbent_begin (GobanIncumbent *self, GobanProblem *problem, GobanStart start,
                       GobanSearch *search, GError **error)
{
  if (!try_placements (self, problem, start, search, error))
    return FALSE;
  try_orders (self, problem, search);
  try_ranks (self, problem, search);
  return TRUE;
}

/* --- updates -------------------------------------------------------------------------------- */

void
goban_incumbent_look (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  g_autofree double *blame_us = g_new0 (double, goban_graph_get_n_nodes (units->graph));
  g_autoptr (GobanTrace) trace = NULL;

  if (self->is_looked_at)
    return;
  goban_evaluator_run (goban_problem_get_evaluator (problem), &self->plan, 1, &trace);
  if (search != NULL)
    goban_search_offer (search, self->plan, self->outcome);
  goban_credit_blame (trace, GOBAN_TASK_PLACEMENT, blame_us);
  goban_refiner_look_at (goban_problem_get_refiner (problem), trace, blame_us);
  self->is_looked_at = TRUE;
}

static void
forget_best (GobanIncumbent *self)
{
  goban_unit_choices_clear (&self->best_choices);
  g_clear_pointer (&self->best_plan, goban_plan_unref);
}

static void
go_back (GobanIncumbent *self)
{
  GobanUnitChoices choices = self->best_choices;
  g_autoptr (GobanPlan) plan = g_steal_pointer (&self->best_plan);

  if (plan == NULL)
    return;
  self->best_choices = (GobanUnitChoices){ { NULL } };
  take (self, &choices, plan, self->best_outcome);
  self->moment = self->best_moment;
}

void
goban_incumbent_weigh_work (GobanIncumbent *self, GobanProblem *problem, double weight)
{
  self->work_weight = weight;
  self->work_us = weight > 0 ? goban_problem_get_work_us (problem, self->plan) : 0;
  if (weight <= 0)
    go_back (self);
}

double
goban_incumbent_get_score (const GobanIncumbent *self, GobanOutcome outcome, double work_us)
{
  return outcome.makespan_us + self->work_weight * work_us;
}

gboolean
goban_incumbent_is_shorter (const GobanIncumbent *self, GobanOutcome outcome)
{
  const GobanOutcome *best = self->best_plan != NULL ? &self->best_outcome : &self->outcome;

  return goban_outcome_compare (&outcome, best) < 0;
}

gboolean
goban_incumbent_would_take (const GobanIncumbent *self, GobanOutcome outcome, double work_us)
{
  double best_us
      = self->best_plan != NULL ? self->best_outcome.makespan_us : self->outcome.makespan_us;

  if (goban_incumbent_is_shorter (self, outcome))
    return TRUE;
  return self->work_weight > 0 && outcome.overflow_bytes <= 0 && self->outcome.overflow_bytes <= 0
         && outcome.makespan_us <= best_us * (1 + MAX_LONGER)
         && goban_incumbent_get_score (self, outcome, work_us)
                < goban_incumbent_get_score (self, self->outcome, self->work_us);
}

gboolean
goban_incumbent_offer (GobanIncumbent *self, const GobanBoard *board, const GobanChoices *choices,
                       GobanPlan *plan, GobanOutcome outcome, double work_us)
{
  guint32 *const *chosen = choices->chosen[choices->n_iterations - 1];

  if (!goban_incumbent_would_take (self, outcome, work_us))
    return FALSE;
  if (goban_incumbent_is_shorter (self, outcome))
    forget_best (self);
  else if (self->best_plan == NULL)
    {
      guint n_units = board->units->n_units;

      forget_best (self);
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        if (self->choices.of[k] != NULL)
          self->best_choices.of[k]
              = g_memdup2 (self->choices.of[k], n_units * sizeof *self->choices.of[k]);
      self->best_plan = goban_plan_ref (self->plan);
      self->best_outcome = self->outcome;
      self->best_moment = self->moment;
    }
  /* A network may decide more tasks than the problem; these decisions are ignored. */
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (chosen[k] != NULL && goban_tasks_have (self->decisions, k))
      goban_board_spread_choices (board, k, chosen[k], self->choices.of[k]);
  goban_plan_unref (self->plan);
  self->plan = goban_plan_ref (plan);
  self->outcome = outcome;
  self->moment = 0;
  self->work_us = work_us;
  self->is_looked_at = FALSE;
  return TRUE;
}
