#include "engine/placers/trials.h"

void
goban_trials_init (GobanTrials *self, GobanEvaluator *evaluator, GobanMoves *moves,
                   const GobanPlan *plan, GobanOutcome outcome)
{
  *self = (GobanTrials){ .evaluator = evaluator, .moves = moves, .outcome = outcome };
  self->plan = goban_plan_copy (plan);
  for (guint i = 0; i < GOBAN_MAX_TRIALS; i++)
    {
      self->plans[i] = goban_plan_copy (plan);
      goban_move_init (&self->tried[i]);
    }
}

void
goban_trials_clear (GobanTrials *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->tracer, goban_simulator_free);
  for (guint i = 0; i < GOBAN_MAX_TRIALS; i++)
    {
      g_clear_pointer (&self->plans[i], goban_plan_unref);
      goban_move_clear (&self->tried[i]);
    }
}

static void
copy_decisions (GobanPlan *to, const GobanPlan *from)
{
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (to); v++)
    {
      goban_plan_set_device (to, v, goban_plan_get_devices (from)[v]);
      goban_plan_set_priority (to, v, goban_plan_get_priorities (from)[v]);
    }
}

void
goban_trials_go_to (GobanTrials *self, const GobanPlan *plan, GobanOutcome outcome)
{
  g_assert (self->n == 0 && self->n_ahead == 0);
  copy_decisions (self->plan, plan);
  for (guint i = 0; i < GOBAN_MAX_TRIALS; i++)
    copy_decisions (self->plans[i], plan);
  self->outcome = outcome;
}

static void
draw_moves (GobanTrials *self, const double *weights, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      goban_moves_draw (self->moves, self->plan, weights, &self->tried[i]);
      goban_move_apply (&self->tried[i], self->plans[i]);
    }
}

guint
goban_trials_draw (GobanTrials *self, const double *weights, guint n_wanted,
                   const GobanSearch *search)
{
  g_assert (self->n == 0 && self->n_ahead == 0);
  self->n = goban_search_clip (search, MIN (n_wanted, GOBAN_MAX_TRIALS));
  draw_moves (self, weights, 0, self->n);
  return self->n;
}

guint
goban_trials_draw_ahead (GobanTrials *self, const double *weights, guint n_wanted,
                         const GobanSearch *search)
{
  if (self->n + n_wanted > GOBAN_MAX_TRIALS)
    return 0;
  self->n_ahead = goban_search_clip (search, self->n + n_wanted) - self->n;
  draw_moves (self, weights, self->n, self->n_ahead);
  return self->n_ahead;
}

void
goban_trials_run (GobanTrials *self, const double *limits_us, GobanSearch *search)
{
  goban_evaluator_evaluate_within (self->evaluator, self->plans, self->n + self->n_ahead, limits_us,
                                   self->outcomes);
  for (guint i = 0; i < self->n; i++)
    goban_search_offer (search, self->plans[i], self->outcomes[i]);
}

guint
goban_trials_try (GobanTrials *self, const double *weights, guint n_wanted, GobanSearch *search)
{
  goban_trials_draw (self, weights, n_wanted, search);
  goban_trials_run (self, NULL, search);
  return self->n;
}

gboolean
goban_trials_may_limit (const GobanTrials *self, const GobanSearch *search)
{
  return !search->options->ends_runs && self->outcome.overflow_bytes <= 0 && search->best != NULL
         && search->outcome.overflow_bytes <= 0
         && search->outcome.makespan_us <= self->outcome.makespan_us;
}

static void
swap_trials (GobanTrials *self, guint i, guint j)
{
  GobanPlan *plan = self->plans[i];
  GobanMove tried = self->tried[i];

  self->plans[i] = self->plans[j];
  self->plans[j] = plan;
  self->tried[i] = self->tried[j];
  self->tried[j] = tried;
  self->outcomes[i] = self->outcomes[j];
}

guint
goban_trials_take_ahead (GobanTrials *self, GobanSearch *search)
{
  g_assert (self->n == 0);
  self->n = self->n_ahead;
  self->n_ahead = 0;
  for (guint i = 0; i < self->n; i++)
    {
      swap_trials (self, i, self->first_ahead + i);
      goban_search_offer (search, self->plans[i], self->outcomes[i]);
    }
  return self->n;
}

void
goban_trials_settle (GobanTrials *self, guint taken)
{
  guint n_undone = taken < self->n ? self->n + self->n_ahead : self->n;

  for (guint i = 0; i < n_undone; i++)
    if (i != taken)
      goban_move_undo (&self->tried[i], self->plans[i]);
  self->first_ahead = self->n;
  if (taken < self->n)
    {
      self->n_ahead = 0;
      const GobanMove *move = &self->tried[taken];

      goban_move_apply (move, self->plan);
      for (guint i = 0; i < GOBAN_MAX_TRIALS; i++)
        if (i != taken)
          goban_move_apply (move, self->plans[i]);
      self->outcome = self->outcomes[taken];
    }
  self->n = 0;
}

void
goban_trials_learn (GobanTrials *self, GobanCostModel *costs, GobanSearch *search)
{
  g_autoptr (GobanTrace) trace = NULL;

  g_assert (self->n == 0);
  if (goban_search_clip (search, 1) == 0)
    return;
  if (self->tracer == NULL)
    self->tracer = goban_simulator_new (costs);
  trace = goban_simulator_run (self->tracer, self->plan);
  goban_moves_learn (self->moves, trace);
  goban_search_offer (search, self->plan, self->outcome);
}
