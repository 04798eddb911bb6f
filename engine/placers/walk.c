#include "engine/placers/walk.h"

#include "engine/placers/starts.h"

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
  start = goban_starts_offer (&self->search, self->units, self->costs, self->evaluator, &outcome,
                              error);
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
