#include "engine/placers/search/trials.h"

#include <math.h>

#define JUMP GOBAN_N_MOVE_KINDS

/* By GobanMoveKind, and the jump to another plan. */
static const char *const kind_names[]
    = { "unit", "pair",     "group",    "cluster", "path", "scope", "window",
        "swap", "critical", "priority", "ranks",   "jump", NULL };

G_STATIC_ASSERT (G_N_ELEMENTS (kind_names) == JUMP + 2);

void
goban_trials_init (GobanTrials *self, GobanEvaluator *evaluator, GobanMoves *moves,
                   const GobanPlan *plan, GobanOutcome outcome)
{
  *self = (GobanTrials){
    .evaluator = evaluator, .moves = moves, .outcome = outcome, .best = GOBAN_TAKE_NONE
  };
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
goban_trials_go_to (GobanTrials *self, const GobanPlan *plan, GobanOutcome outcome,
                    GobanMoment moment)
{
  g_assert (self->n == 0);
  copy_decisions (self->plan, plan);
  for (guint i = 0; i < GOBAN_MAX_TRIALS; i++)
    copy_decisions (self->plans[i], plan);
  self->outcome = outcome;
  self->moment = moment;
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
  self->best = GOBAN_TAKE_NONE;
  for (guint i = 0; i < self->n; i++)
    if (goban_search_consider (search, self->plans[i], self->outcomes[i]))
      self->best = i;
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

/* --- decisions ------------------------------------------------------------------------------ */

/* changes (of GobanDecisionChange), nodes (of GobanNodeId): to other devices, and those that come
 * earlier or later. */
static void
list_changes (const GobanMove *move, GArray *changes, GArray *nodes)
{
  for (guint i = 0; i < move->changes->len; i++)
    {
      const GobanChange *change = &g_array_index (move->changes, GobanChange, i);
      const GobanDecisionChange moved
          = { GOBAN_TASK_PLACEMENT, change->node, change->old_device, change->new_device };

      if (change->new_device != change->old_device)
        g_array_append_val (changes, moved);
      else
        g_array_append_val (nodes, change->node);
    }
}

/* The option to take: one of the moves, or the last one, none of them. */
static guint
decide_move (GobanTrials *self, GobanDecisionsWriter *span, guint wanted)
{
  guint choice = goban_decisions_writer_preview (span, self->n + 1, wanted);
  const GobanMove *move = choice < self->n ? &self->tried[choice] : NULL;
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                             .options = GOBAN_OPTION_MOVE,
                             .score = GOBAN_SCORE_MAKESPAN_US,
                             .n_options = self->n + 1,
                             .temperature = (float) self->temperature_us,
                             .before_us = self->outcome.makespan_us,
                             .after_us = self->outcome.makespan_us };

  if (move != NULL)
    {
      list_changes (move, changes, nodes);
      head.changes = (const GobanDecisionChange *) (gconstpointer) changes->data;
      head.n_changes = changes->len;
      head.nodes = (const GobanNodeId *) (gconstpointer) nodes->data;
      head.n_nodes = nodes->len;
      head.task = nodes->len > 0 ? GOBAN_TASK_SCHEDULING : GOBAN_TASK_PLACEMENT;
      head.note = kind_names[move->kind];
      /* A run that was stopped may be forced. */
      if (isinf (self->outcomes[choice].makespan_us))
        goban_evaluator_evaluate (self->evaluator, &self->plans[choice], 1,
                                  &self->outcomes[choice]);
      head.after_us = self->outcomes[choice].makespan_us;
    }
  for (guint i = 0; i < self->n; i++)
    {
      double makespan_us = self->outcomes[i].makespan_us;

      goban_decisions_writer_score (span, i, isinf (makespan_us) ? (double) NAN : makespan_us, 0);
    }
  goban_decisions_writer_score (span, self->n, self->outcome.makespan_us, 0);
  return goban_decisions_writer_decide (span, &head, wanted);
}

/* Writes the moves tried, if one of them is taken or the best plan; returns the one to take. */
static guint
write_batch (GobanTrials *self, guint taken)
{
  GobanSearch *search = self->search;
  guint wanted = MIN (taken, self->n);
  gboolean has_best = self->best < self->n;
  GobanDecisionsWriter *span;
  GobanSpanResult result;
  guint choice;

  if (!has_best && (wanted == self->n || !goban_search_is_due (search)))
    {
      self->n_left_out++;
      if (wanted < self->n)
        self->moment = 0;
      return taken;
    }
  span = goban_search_open_batch (
      search, self->plan, self->moment,
      search->n_evaluations - (wanted < self->n ? self->n - 1 - wanted : 0), &self->n_left_out);
  if (has_best && self->best != wanted)
    goban_search_write_best (search, span,
                             &(GobanSpanHead){ .name = "plan",
                                               .level = GOBAN_LEVEL_PLAN,
                                               .evaluation = search->best_evaluation },
                             FALSE);
  choice = decide_move (self, span, wanted);
  self->moment = goban_decisions_writer_get_moment (span);
  if (has_best && self->best == choice)
    goban_search_set_best (search, span, NULL);
  result = goban_search_get_result (choice < self->n ? self->outcomes[choice] : self->outcome);
  goban_decisions_writer_close (span, &result, TRUE);
  return choice < self->n ? choice : GOBAN_TAKE_NONE;
}

guint
goban_trials_settle (GobanTrials *self, guint taken)
{
  if (self->search->decisions != NULL)
    taken = write_batch (self, taken);
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
  return taken;
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
