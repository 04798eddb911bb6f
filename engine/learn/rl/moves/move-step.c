#include "engine/learn/rl/moves/move-step.h"

#include <math.h>

/* Plans that are taken without being the best so far are settled on graphs of up to so many
 * nodes. */
#define MOST_SETTLED_NODES 2000

GobanMoveStep *
goban_move_step_new (GobanSearch *search)
{
  GobanMoveStep *self;
  guint index;

  if (search->decisions == NULL)
    return NULL;
  self = g_new0 (GobanMoveStep, 1);
  self->search = search;
  self->changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  self->is_forcing = goban_decisions_writer_get_forced (search->decisions, &self->forced_evaluation,
                                                        &index, &self->forced_option);
  return self;
}

void
goban_move_step_free (GobanMoveStep *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->changes);
  g_array_unref (self->nodes);
  g_free (self);
}

void
goban_move_step_begin (GobanMoveStep *self, GobanTask task, const char *proposer, double before_us)
{
  self->task = task;
  self->proposer = proposer;
  self->is_scored = self->is_drawn = self->is_forced = FALSE;
  self->n_options = 0;
  self->before_us = before_us;
  g_array_set_size (self->changes, 0);
  g_array_set_size (self->nodes, 0);
}

guint32
goban_move_step_choose (GobanMoveStep *self, guint n_options)
{
  self->n_options = n_options;
  self->is_forced = self->is_forcing && self->search->n_evaluations + 1 == self->forced_evaluation
                    && self->forced_option > 0 && self->forced_option < n_options;
  return self->is_forced ? self->forced_option : 0;
}

void
goban_move_step_add_node (GobanMoveStep *self, GobanNodeId node, guint32 from, guint32 to)
{
  const GobanDecisionChange change = { GOBAN_TASK_PLACEMENT, node, from, to };

  g_array_append_val (self->nodes, node);
  if (from != to)
    g_array_append_val (self->changes, change);
}

/* Settles the plan of the present state, unless it is one of many on a large graph. */
static void
settle (GobanMoveStep *self, GobanDecisionsWriter *writer, const GobanPlan *plan, gboolean is_best)
{
  if (is_best)
    goban_search_set_best (self->search, writer, NULL);
  else if (goban_plan_get_n_nodes (plan) <= MOST_SETTLED_NODES)
    goban_decisions_writer_settle (writer, plan);
}

/* The span of evaluations up to @evaluation that are not in the record yet. */
static GobanDecisionsWriter *
open_span (GobanMoveStep *self, const char *name, guint64 evaluation)
{
  GobanSearch *search = self->search;
  const GobanSpanHead head
      = { .name = name,
          .level = GOBAN_LEVEL_PLAN,
          .evaluation = evaluation,
          .n_left_out = search->n_evaluations - search->written - (evaluation > 0 ? 1 : 0) };

  search->written = search->n_evaluations;
  return goban_decisions_writer_open (search->decisions, &head);
}

static void
write_step (GobanMoveStep *self, const GobanPlan *plan, GobanOutcome outcome, gboolean is_best,
            gboolean is_taken)
{
  const GobanSpanResult result = goban_search_get_result (outcome);
  GobanDecisionsWriter *writer = open_span (self, "move", self->search->n_evaluations);
  const GobanDecisionHead head
      = { .task = self->task,
          .options = GOBAN_OPTION_MOVE,
          .score = self->is_scored ? GOBAN_SCORE_GAIN : GOBAN_SCORE_NONE,
          .nodes = (const GobanNodeId *) (gpointer) self->nodes->data,
          .n_nodes = self->nodes->len,
          .n_options = self->n_options,
          .changes = (const GobanDecisionChange *) (gpointer) self->changes->data,
          .n_changes = self->changes->len,
          .before_us = self->before_us,
          .after_us = outcome.makespan_us,
          .note = self->proposer,
          .flags = self->is_drawn ? GOBAN_DECISION_SAMPLED : 0 };

  for (guint k = 0; self->is_scored && k < self->n_options; k++)
    goban_decisions_writer_score (writer, k, (double) self->scores[k], 0);
  goban_decisions_writer_decide (writer, &head, 0);
  if (is_taken || is_best)
    settle (self, writer, plan, is_best);
  goban_decisions_writer_close (writer, &result, is_taken);
}

void
goban_move_step_offer (GobanMoveStep *self, GobanSearch *search, const GobanPlan *plan,
                       GobanOutcome outcome, gboolean is_taken)
{
  gboolean is_best = goban_search_consider (search, plan, outcome);

  if (self != NULL && (is_taken || is_best || goban_search_is_due (search)))
    write_step (self, plan, outcome, is_best, is_taken);
}

void
goban_move_step_start (GobanMoveStep *self, const GobanPlan *plan, GobanOutcome outcome)
{
  const GobanSpanResult result = goban_search_get_result (outcome);
  GobanSearch *search = self->search;
  GobanDecisionsWriter *writer;

  if (goban_decisions_writer_get_digest (search->decisions) == goban_settling_digest_plan (plan))
    return;
  writer = open_span (self, "start", 0);
  goban_decisions_writer_set_plan (writer,
                                   &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                         .options = GOBAN_OPTION_PLAN,
                                                         .flags = GOBAN_DECISION_AT_ONCE },
                                   plan);
  goban_decisions_writer_settle (writer, plan);
  goban_decisions_writer_close (writer, &result, TRUE);
}

GobanDecisionsWriter *
goban_move_step_open_rules (GobanMoveStep *self, const GobanRuleTrial *trial, guint32 *taken)
{
  const GobanDecisionHead head = { .task = trial->task,
                                   .options = GOBAN_OPTION_RULE,
                                   .score = GOBAN_SCORE_MAKESPAN_US,
                                   .takes_least = TRUE,
                                   .n_options = trial->n_options,
                                   .before_us = trial->scores_us[trial->n_options - 1],
                                   .note = trial->names };
  GobanDecisionsWriter *writer = open_span (self, "rules", trial->evaluation);

  for (guint k = 0; k < trial->n_options; k++)
    goban_decisions_writer_score (writer, k, trial->scores_us[k], 0);
  *taken = goban_decisions_writer_decide (writer, &head, trial->wanted);
  return writer;
}

void
goban_move_step_close_rules (GobanMoveStep *self, GobanDecisionsWriter *writer,
                             const GobanPlan *plan, GobanOutcome outcome, gboolean is_best,
                             gboolean is_taken)
{
  const GobanSpanResult result = goban_search_get_result (outcome);

  if (plan != NULL)
    settle (self, writer, plan, is_best);
  goban_decisions_writer_close (writer, plan != NULL ? &result : NULL, is_taken);
}
