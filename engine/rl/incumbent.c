#include "engine/rl/incumbent.h"

#include "engine/fusion/fusion.h"
#include "engine/placers/starts.h"
#include "engine/rl/credit.h"

void
goban_incumbent_clear (GobanIncumbent *self)
{
  goban_unit_choices_clear (&self->choices);
  g_clear_pointer (&self->plan, goban_plan_unref);
}

/* --- where it begins -------------------------------------------------------------------------- */

static void
fill_levels (guint32 *levels, guint n)
{
  for (guint u = 0; u < n; u++)
    levels[u] = GOBAN_MIDDLE_LEVEL;
}

/* What @plan (nullable) does with units; those that cannot run there go to their fastest device. */
static GobanUnitChoices
read_plan (GobanProblem *problem, const GobanPlan *plan)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  GobanDecisions decisions = goban_problem_get_decisions (problem);
  GobanUnitChoices choices = { { NULL } };

  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    {
      /* Where units are is told even if it is not decided. */
      if (!goban_decisions_have (decisions, k) && k != GOBAN_DECIDE_PLACEMENT)
        continue;
      choices.of[k] = g_new (guint32, units->n_units);
      fill_levels (choices.of[k], units->n_units);
    }
  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId device
          = plan != NULL ? goban_plan_get_device (plan, units->nodes[units->offsets[u]]) : 0;

      choices.of[GOBAN_DECIDE_PLACEMENT][u]
          = goban_units_can_run (units, u, device) ? device : goban_units_fastest_device (units, u);
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
  self->is_looked_at = FALSE;
}

void
goban_incumbent_take_plan (GobanIncumbent *self, GobanProblem *problem, const GobanPlan *plan,
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

/* Other fusion levels for the same placement: nothing fused, and only what XLA's default would fuse. */
static void
try_fusions (GobanIncumbent *self, GobanProblem *problem, GobanSearch *search)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  g_autoptr (GobanPlan) fused = goban_plan_copy (self->plan);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (fused); v++)
    goban_plan_set_fusion (fused, v, GOBAN_NO_FUSION);
  for (guint i = 0; i < 2; i++)
    {
      GobanUnitChoices choices = read_plan (problem, self->plan);
      guint32 *levels = choices.of[GOBAN_DECIDE_FUSION];
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      for (guint u = 0; u < units->n_units; u++)
        levels[u] = 0;
      if (i > 0)
        goban_fusion_default (goban_problem_get_costs (problem), fused);
      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (fused); v++)
        if (goban_plan_get_fusions (fused)[v] != GOBAN_NO_FUSION)
          levels[units->unit_of[v]] = GOBAN_MIDDLE_LEVEL;
      plan = goban_problem_new_plan (problem, &choices);
      goban_evaluator_evaluate (goban_problem_get_evaluator (problem), &plan, 1, &outcome);
      if (search != NULL)
        goban_search_offer (search, plan, outcome);
      if (goban_outcome_compare (&outcome, &self->outcome) < 0)
        take (self, &choices, plan, outcome);
      goban_unit_choices_clear (&choices);
    }
}

static gboolean
try_placements (GobanIncumbent *self, GobanProblem *problem, GobanStart start, GobanSearch *search,
                GError **error)
{
  const GobanUnits *units = goban_problem_get_board (problem)->units;
  g_autoptr (GPtrArray) plans = NULL;

  /* What is not placed is where it was. */
  if (!goban_decisions_have (goban_problem_get_decisions (problem), GOBAN_DECIDE_PLACEMENT))
    {
      goban_incumbent_take_plan (self, problem, goban_problem_get_base (problem), search);
      return TRUE;
    }
  goban_incumbent_take_plan (self, problem, NULL, search);
  if (start == GOBAN_START_NOTHING)
    return TRUE;
  plans = goban_starts_new_placements (search, units, goban_problem_get_costs (problem),
                                       start == GOBAN_START_ALL, error);
  for (guint i = 0; plans != NULL && i < plans->len; i++)
    goban_incumbent_take_plan (self, problem, plans->pdata[i], search);
  return plans != NULL;
}

gboolean
goban_incumbent_begin (GobanIncumbent *self, GobanProblem *problem, GobanStart start,
                       GobanSearch *search, GError **error)
{
  if (!try_placements (self, problem, start, search, error))
    return FALSE;
  if (goban_decisions_have (goban_problem_get_decisions (problem), GOBAN_DECIDE_FUSION)
      && (search == NULL || goban_search_clip (search, 2) == 2))
    try_fusions (self, problem, search);
  return TRUE;
}

/* --- and goes on ------------------------------------------------------------------------------ */

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
  goban_credit_blame (trace, GOBAN_DECIDE_PLACEMENT, blame_us);
  goban_refiner_look_at (goban_problem_get_refiner (problem), trace, blame_us);
  self->is_looked_at = TRUE;
}

gboolean
goban_incumbent_offer (GobanIncumbent *self, const GobanBoard *board, const GobanChoices *choices,
                       GobanPlan *plan, GobanOutcome outcome)
{
  guint32 *const *chosen = choices->chosen[choices->n_iterations - 1];

  if (goban_outcome_compare (&outcome, &self->outcome) >= 0)
    return FALSE;
  /* A network may decide more than the problem does, which nobody looks at. */
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    if (chosen[k] != NULL && goban_decisions_have (self->decisions, k))
      goban_board_spread_choices (board, k, chosen[k], self->choices.of[k]);
  goban_plan_unref (self->plan);
  self->plan = goban_plan_ref (plan);
  self->outcome = outcome;
  self->is_looked_at = FALSE;
  return TRUE;
}
