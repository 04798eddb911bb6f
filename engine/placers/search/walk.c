#include "engine/placers/search/walk.h"

#include "engine/placers/search/starts.h"

static GobanPlan *
new_unfused (const GobanPlan *plan)
{
  GobanPlan *unfused = goban_plan_copy (plan);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (unfused); v++)
    goban_plan_set_fusion (unfused, v, GOBAN_NO_FUSION);
  return unfused;
}

/* Offers the plan that was given, as it is. Moves change one node of a kernel, and priorities: a
 * plan that fuses, or goes first in first out, is walked from without kernels and with priorities
 * in the order in which it ran. (transfer full) (nullable) */
static GobanPlan *
offer_given (GobanWalk *self, const GobanPlan *given, GobanOutcome *outcome, GError **error)
{
  g_autoptr (GobanPlan) first = NULL;
  g_autoptr (GobanPlan) unfused = NULL;
  GobanPlan *walked;

  if (!goban_plan_check (given, self->costs, error))
    return NULL;
  first = goban_plan_copy (given);
  goban_evaluator_evaluate (self->evaluator, &first, 1, outcome);
  goban_search_offer (&self->search, first, *outcome);
  if (!goban_plan_is_fused (first) && goban_plan_get_order (first) == GOBAN_ORDER_PRIORITY)
    return g_steal_pointer (&first);

  unfused = new_unfused (first);
  walked = goban_plan_get_order (first) == GOBAN_ORDER_PRIORITY
               ? goban_plan_ref (unfused)
               : goban_starts_new_as_it_ran (self->costs, unfused);
  goban_evaluator_evaluate (self->evaluator, &walked, 1, outcome);
  if (goban_search_clip (&self->search, 1) > 0)
    goban_search_offer (&self->search, walked, *outcome);
  return walked;
}

gboolean
goban_walk_begin (GobanWalk *self, const GobanPlacerOptions *options, GError **error)
{
  g_autoptr (GobanPlan) start = NULL;
  GobanOutcome outcome;

  self->units = goban_units_new (self->costs, error);
  if (self->units == NULL)
    return FALSE;
  goban_search_begin (&self->search, options, self->default_evaluations);
  self->search.bound_us = goban_bounds (self->costs).bound_us;
  if (!goban_search_go_on (&self->search, self->what, error))
    return FALSE;
  self->evaluator = options->n_threads > 0 ? goban_evaluator_new (self->costs, options->n_threads)
                                           : goban_search_new_evaluator (self->costs);
  start = options->start != NULL ? offer_given (self, options->start, &outcome, error)
                                 : goban_starts_offer (&self->search, self->units, self->costs,
                                                       self->evaluator, &outcome, error);
  if (start == NULL)
    return FALSE;
  self->moves = goban_moves_new (self->units, options->seed);
  goban_trials_init (&self->trials, self->evaluator, self->moves, start, outcome);
  self->trials.search = &self->search;
  return TRUE;
}

void
goban_walk_clear (GobanWalk *self)
{
  goban_trials_clear (&self->trials);
  g_clear_pointer (&self->moves, goban_moves_free);
  g_clear_pointer (&self->evaluator, goban_evaluator_free);
  goban_search_clear (&self->search);
  g_clear_pointer (&self->units, goban_units_free);
}
