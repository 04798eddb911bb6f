#include "engine/placers/search/trials.h"
#include "engine/machine/plan/placement-record-writer.h"

#include <math.h>

#define JUMP GOBAN_N_MOVE_KINDS

/* By GobanMoveKind, and the jump to another plan. */
static const char *const kind_names[]
    = { "unit", "pair",     "group",    "cluster", "path", "scope", "window",
        "swap", "critical", "priority", "ranks",   "jump", NULL };

G_STATIC_ASSERT (G_N_ELEMENTS (kind_names) == JUMP + 2);

static const GobanRecordTable move_table
    = { .names = { "evaluation", "kind", "temperature_us", "before_us", "after_us", "taken" },
        .kinds = kind_names };

static void
record_move (const GobanTrials *self, guint n_later, guint kind, double after_us, gboolean is_taken)
{
  GobanPlacementRecord *record = self->search->options->record;

  if (record == NULL)
    return;
  goban_placement_record_set_table (record, &move_table);
  goban_placement_record_add_row (
      record, &move_table,
      (double[]){ (double) (self->search->n_evaluations - n_later), kind,
                  kind != JUMP && self->temperature_us > 0 ? self->temperature_us : (double) NAN,
                  self->outcome.makespan_us, after_us, is_taken });
}

/* The taken one last, so that the rows of the record continue each other. */
static void
record_moves (const GobanTrials *self, guint taken)
{
  for (guint i = 0; i < self->n; i++)
    if (i != taken)
      record_move (self, self->n - 1 - i, self->tried[i].kind, self->outcomes[i].makespan_us,
                   FALSE);
  if (taken < self->n)
    record_move (self, self->n - 1 - taken, self->tried[taken].kind,
                 self->outcomes[taken].makespan_us, TRUE);
}

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
  g_assert (self->n == 0);
  record_move (self, 0, JUMP, outcome.makespan_us, TRUE);
  copy_decisions (self->plan, plan);
  for (guint i = 0; i < GOBAN_MAX_TRIALS; i++)
    copy_decisions (self->plans[i], plan);
  self->outcome = outcome;
}

guint
goban_trials_draw (GobanTrials *self, const double *weights, guint n_wanted)
{
  g_assert (self->n == 0);
  self->n = goban_search_clip (self->search, MIN (n_wanted, GOBAN_MAX_TRIALS));
  for (guint i = 0; i < self->n; i++)
    {
      goban_moves_draw (self->moves, self->plan, weights, &self->tried[i]);
      goban_move_apply (&self->tried[i], self->plans[i]);
    }
  return self->n;
}

void
goban_trials_run (GobanTrials *self, const double *limits_us)
{
  GobanSearch *search = self->search;

  goban_evaluator_evaluate_within (self->evaluator, self->plans, self->n, limits_us,
                                   self->outcomes);
  for (guint i = 0; i < self->n; i++)
    {
      search->note = kind_names[self->tried[i].kind];
      goban_search_offer (search, self->plans[i], self->outcomes[i]);
    }
  search->note = NULL;
}

guint
goban_trials_try (GobanTrials *self, const double *weights, guint n_wanted)
{
  goban_trials_draw (self, weights, n_wanted);
  goban_trials_run (self, NULL);
  return self->n;
}

gboolean
goban_trials_may_limit (const GobanTrials *self)
{
  const GobanSearch *search = self->search;

  return !search->options->ends_runs && self->outcome.overflow_bytes <= 0 && search->best != NULL
         && search->outcome.overflow_bytes <= 0
         && search->outcome.makespan_us <= self->outcome.makespan_us;
}

void
goban_trials_settle (GobanTrials *self, guint taken)
{
  record_moves (self, taken);
  for (guint i = 0; i < self->n; i++)
    if (i != taken)
      goban_move_undo (&self->tried[i], self->plans[i]);
  if (taken < self->n)
    {
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
goban_trials_learn (GobanTrials *self, GobanCostModel *costs)
{
  g_autoptr (GobanTrace) trace = NULL;

  g_assert (self->n == 0);
  if (goban_search_clip (self->search, 1) == 0)
    return;
  if (self->tracer == NULL)
    self->tracer = goban_simulator_new (costs);
  trace = goban_simulator_run (self->tracer, self->plan);
  goban_moves_learn (self->moves, trace);
  goban_search_offer (self->search, self->plan, self->outcome);
}
