#include "engine/study/analysis/steps/decision-card.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/learn/policy/step-probabilities.h"
#include "engine/study/analysis/steps/decisions.h"
#include "engine/study/analysis/steps/record-step.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/analysis/steps/step.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

/* Below it a probability is shown as a bound. */
#define LEAST_SHOWN 0.001

static void
clear_choice (gpointer data)
{
  g_free (((GobanCardChoice *) data)->name);
}

static GobanDecisionCard *
card_new (GobanTask task, guint step)
{
  GobanDecisionCard *self = g_new0 (GobanDecisionCard, 1);

  self->task = task;
  self->step = step;
  self->entropy = self->key_value = (double) NAN;
  self->choices = g_array_new (FALSE, FALSE, sizeof (GobanCardChoice));
  g_array_set_clear_func (self->choices, clear_choice);
  self->attended = g_array_new (FALSE, FALSE, sizeof (GobanCardAttended));
  return self;
}

static void
card_free (gpointer data)
{
  GobanDecisionCard *self = data;

  g_array_unref (self->choices);
  g_array_unref (self->attended);
  g_free (self->settled);
  g_free (self);
}

static void
add_choice (GobanDecisionCard *self, GobanRun *run, guint action, GobanCardChoice choice)
{
  const char *device = goban_decisions_get_device (run, self->task, action);

  choice.name = device != NULL ? g_strdup (device) : g_strdup_printf ("level %u", action);
  g_array_append_val (self->choices, choice);
}

/* --- networks --------------------------------------------------------------------------------- */

/* Why a network could not choose a device for a row: the plan builder excludes devices without
 * memory, all others only devices that cannot run it. With a single device left, its nodes may have
 * been pinned. */
static guint
find_refusals (GobanRun *run, const GobanStepProbabilities *table, guint row, guint action)
{
  const guint32 *row_of = goban_step_probabilities_get_rows (table);
  const GobanTaskProbabilities *part
      = goban_step_probabilities_get_task (table, GOBAN_TASK_PLACEMENT);
  guint n_allowed = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
    if (row_of[v] == row
        && !goban_cost_model_can_run (goban_run_get_costs (run), v, (GobanDeviceId) action))
      return GOBAN_REFUSAL_CANNOT_RUN;
  for (guint a = 0; a < part->n_actions; a++)
    n_allowed += part->units[(gsize) row * part->n_actions + a] != GOBAN_PROBABILITY_MASKED;
  return (goban_step_probabilities_get_order (table, row) > 0 ? GOBAN_REFUSAL_MEMORY : 0)
         | (n_allowed == 1 || goban_step_probabilities_get_order (table, row) == 0
                ? GOBAN_REFUSAL_RULE
                : 0);
}

static void
add_probabilities (GobanDecisionCard *self, GobanRun *run, const GobanStepProbabilities *table,
                   guint row)
{
  const GobanTaskProbabilities *part = goban_step_probabilities_get_task (table, self->task);
  double most = 0;

  for (guint a = 0; a < part->n_actions; a++)
    most = MAX (most, goban_step_probabilities_get (table, self->task, row, a));
  for (guint a = 0; a < part->n_actions; a++)
    {
      gboolean is_allowed
          = part->units[(gsize) row * part->n_actions + a] != GOBAN_PROBABILITY_MASKED;
      GobanCardChoice choice
          = { .probability = goban_step_probabilities_get (table, self->task, row, a),
              .candidate = (double) NAN,
              .is_chosen = a == part->chosen[row] };

      choice.is_likeliest = is_allowed && choice.probability == most;
      if (!is_allowed && self->task == GOBAN_TASK_PLACEMENT)
        choice.refusals = find_refusals (run, table, row, a);
      else if (!is_allowed)
        choice.refusals = GOBAN_REFUSAL_RULE;
      self->is_sampled |= choice.is_chosen && !choice.is_likeliest;
      add_choice (self, run, a, choice);
    }
  self->entropy = (double) part->entropies[row];
}

/* Facts that need no table: the choice, and its probability if it was changed in this step. */
static void
add_known (GobanDecisionCard *self, GobanRun *run, guint32 chosen,
           const GobanLogChange *change)
{
  guint n = self->task == GOBAN_TASK_PLACEMENT
                ? goban_cluster_get_n_devices (goban_run_get_cluster (run))
                : GOBAN_N_LEVELS;

  for (guint a = 0; a < n; a++)
    add_choice (self, run, a,
                (GobanCardChoice){ .probability = a == chosen && change != NULL
                                                      ? (double) change->probability
                                                      : (double) NAN,
                                   .candidate = (double) NAN,
                                   .is_chosen = a == chosen });
  if (change != NULL)
    self->entropy = (double) change->entropy;
  self->note = change == NULL                     ? "as it was at the beginning"
               : isnan (change->probability) != 0 ? "moved: moves are scored, not drawn"
                                                  : "the other probabilities were not kept";
}

/* Counts the nodes of a row. */
static guint
count_nodes (const GobanStepProbabilities *table, guint n_nodes, guint row)
{
  const guint32 *row_of = goban_step_probabilities_get_rows (table);
  guint n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    n += row_of[v] == row;
  return n;
}

/* One pass over the nodes for all of them. */
static void
add_attended (GobanDecisionCard *self, const GobanStepProbabilities *table, guint n_nodes,
              guint row)
{
  const GobanTaskProbabilities *part = goban_step_probabilities_get_task (table, self->task);
  const guint32 *row_of = goban_step_probabilities_get_rows (table);
  gsize first = (gsize) row * GOBAN_N_ATTENDED;

  for (guint i = 0; part->attended != NULL && i < GOBAN_N_ATTENDED; i++)
    if (part->attended[first + i] != GOBAN_NO_ROW && part->attention[first + i] > 0)
      {
        GobanCardAttended attended
            = { .node = GOBAN_NO_NODE,
                .row = part->attended[first + i] + 1,
                .share = (double) part->attention[first + i] / GOBAN_PROBABILITY_UNITS };

        g_array_append_val (self->attended, attended);
      }
  for (GobanNodeId v = n_nodes; self->attended->len > 0 && v-- > 0;)
    for (guint i = 0; i < self->attended->len; i++)
      {
        GobanCardAttended *attended = &g_array_index (self->attended, GobanCardAttended, i);

        if (row_of[v] + 1 == attended->row)
          {
            attended->node = v;
            attended->n_nodes++;
          }
      }
}

static const GobanStepProbabilities *
find_table (GobanRun *run, guint step, GobanTask task)
{
  const GobanStepProbabilities *table
      = step > 0 ? goban_decision_log_get_probabilities (goban_run_get_log (run), step - 1)
                 : NULL;

  return table != NULL && goban_step_probabilities_get_task (table, task)->n_actions > 0 ? table
                                                                                         : NULL;
}

/* A plan that is refined after it was drawn has other devices than those that were drawn. */
static void
note_settled (GobanDecisionCard *self, GobanRun *run, const GobanStepProbabilities *table,
              GobanNodeId node)
{
  const GobanTaskProbabilities *part = goban_step_probabilities_get_task (table, self->task);
  guint32 choice = goban_steps_get_choice (run, self->step, self->task, node);
  const char *device = goban_decisions_get_device (run, self->task, choice);

  if (device != NULL && choice != part->chosen[self->row - 1])
    self->settled = g_strdup (device);
}

/* The step itself, or without probabilities the one in which the node was changed last. */
static GobanDecisionCard *
new_of_log (GobanRun *run, guint n, GobanTask task, GobanNodeId node)
{
  guint changed = 0;
  const GobanLogChange *change = goban_steps_find_change (run, n, task, node, &changed);
  guint step = find_table (run, n, task) != NULL ? n : changed;
  const GobanStepProbabilities *table = find_table (run, step, task);
  GobanDecisionCard *self = card_new (task, step);

  if (table != NULL)
    {
      guint row = goban_step_probabilities_get_row_of (table, node);

      self->row = row + 1;
      self->n_rows = goban_step_probabilities_get_n_rows (table);
      self->order = goban_step_probabilities_get_order (table, row);
      self->n_nodes = count_nodes (table, goban_graph_get_n_nodes (goban_run_get_graph (run)), row);
      add_probabilities (self, run, table, row);
      note_settled (self, run, table, node);
      add_attended (self, table, goban_graph_get_n_nodes (goban_run_get_graph (run)), row);
      return self;
    }
  self->n_nodes = change != NULL ? change->n_nodes : 1;
  add_known (self, run, goban_steps_get_choice (run, n, task, node), change);
  return self;
}

/* --- policies that build their plans ---------------------------------------------------------- */

/* The device that the policy's rule prefers; the number of devices without such a rule. */
static guint
find_best (const GobanChoiceWords *words, const GobanPlacementChoice *choice, guint n_devices)
{
  guint best = n_devices;

  for (guint d = 0; words->takes_least && choice->candidates != NULL && d < n_devices; d++)
    if (choice->refusals[d] == 0 && isfinite (choice->candidates[d])
        && (best == n_devices || choice->candidates[d] < choice->candidates[best]))
      best = d;
  return best;
}

static GobanDecisionCard *
new_of_choice (GobanRun *run, guint step)
{
  const GobanPlacementRecord *record = goban_run_get_record (run);
  const GobanChoiceWords *words = goban_placement_record_get_words (record);
  GobanPlacementChoice choice = goban_placement_record_get_choice (record, step);
  guint n_devices = goban_placement_record_get_n_devices (record);
  guint best = find_best (words, &choice, n_devices);
  GobanDecisionCard *self = card_new (GOBAN_TASK_PLACEMENT, step);

  self->n_nodes = choice.n_nodes;
  self->order = step;
  self->candidate = choice.candidates != NULL ? words->candidate : NULL;
  self->key = isfinite (choice.key) ? words->key : NULL;
  self->key_value = (double) choice.key;
  self->note = choice.note != NULL         ? choice.note
               : choice.candidates == NULL ? "the other devices were not kept"
                                           : NULL;
  for (guint d = 0; d < n_devices; d++)
    add_choice (self, run, d,
                (GobanCardChoice){
                    .probability = (double) NAN,
                    .candidate = choice.candidates != NULL && words->candidate != NULL
                                     ? (double) choice.candidates[d]
                                     : (double) NAN,
                    .refusals = choice.refusals != NULL ? choice.refusals[d] : 0,
                    .is_chosen = d == choice.device,
                    .is_likeliest = d == best,
                });
  return self;
}

/* --- all ---------------------------------------------------------------------------------------*/

GPtrArray *
goban_decision_cards_new (GobanRun *run, guint n, GobanNodeId node)
{
  const GobanDecisionLog *log = goban_run_get_log (run);
  GPtrArray *cards = g_ptr_array_new_with_free_func (card_free);

  if (log == NULL && goban_steps_are_choices (run) && goban_steps_is_decided (run, n, node))
    g_ptr_array_add (cards, new_of_choice (run, goban_placement_record_find_choice (
                                                    goban_run_get_record (run), node)));
  for (guint k = 0; log != NULL && k < GOBAN_N_TASKS; k++)
    if (goban_tasks_have (goban_decision_log_get_decisions (log), (GobanTask) k)
        && goban_steps_get_choice (run, n, (GobanTask) k, node) != GOBAN_NOT_CHOSEN)
      g_ptr_array_add (cards, new_of_log (run, n, (GobanTask) k, node));
  return cards;
}

GobanNodeId
goban_decision_cards_find_node (GobanRun *run, guint n)
{
  g_autoptr (GobanSelection) changed = goban_steps_dup_changed (run, n, GOBAN_N_TASKS);
  guint n_changed;
  const GobanNodeId *nodes = goban_selection_get_ids (changed, &n_changed);

  return n_changed > 0 ? nodes[0] : GOBAN_NO_NODE;
}

/* --- words ------------------------------------------------------------------------------------ */

char *
goban_card_choice_describe (const GobanDecisionCard *self, const GobanCardChoice *choice)
{
  GString *text = g_string_new (NULL);
  g_autofree char *refusals = goban_refusals_describe (choice->refusals);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, refusals);
  if (choice->refusals == 0 && isfinite (choice->probability))
    g_string_append (text,
                     choice->probability < LEAST_SHOWN
                         ? "< 0.001"
                         : g_ascii_formatd (digits, sizeof digits, "%.3f", choice->probability));
  if (self->candidate != NULL && isfinite (choice->candidate))
    {
      g_string_append (text, text->len > 0 ? ", " : "");
      goban_record_append_amount (text, self->candidate, choice->candidate);
    }
  return g_string_free (text, FALSE);
}

char *
goban_decision_card_describe_rule (const GobanDecisionCard *self)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GString) name = g_string_new (NULL);

  goban_record_append_name (name, self->candidate != NULL ? self->candidate : "");
  g_string_append_printf (text, _ ("by %s"), name->str);
  if (self->key != NULL)
    {
      g_string_append (text, ", ");
      goban_record_append_number (text, self->key, self->key_value);
    }
  return g_string_free (text, FALSE);
}

static void
append_choices (GString *text, const GobanDecisionCard *self, gboolean chosen)
{
  for (guint i = 0; i < self->choices->len; i++)
    {
      const GobanCardChoice *choice = &g_array_index (self->choices, GobanCardChoice, i);
      g_autofree char *number = goban_card_choice_describe (self, choice);

      if (choice->is_chosen != chosen || (!chosen && *number == '\0'))
        continue;
      g_string_append_printf (text, "%s%s%s%s", chosen ? "" : "; ", choice->name,
                              *number != '\0' ? " " : "", number);
      if (chosen && self->is_sampled)
        g_string_append (text, ", sampled, not the likeliest");
    }
}

char *
goban_decision_card_describe (const GobanDecisionCard *self)
{
  GString *text = g_string_new (NULL);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, goban_task_get_name (self->task));
  if (self->step > 0)
    g_string_append_printf (text, " in step %u", self->step);
  if (self->candidate != NULL)
    {
      g_string_append (text, " by ");
      goban_record_append_name (text, self->candidate);
    }
  g_string_append (text, ": ");
  append_choices (text, self, TRUE);
  append_choices (text, self, FALSE);
  if (isfinite (self->entropy))
    g_string_append_printf (text, "; entropy %s nats",
                            g_ascii_formatd (digits, sizeof digits, "%.3f", self->entropy));
  if (self->key != NULL)
    {
      g_string_append (text, "; ");
      goban_record_append_number (text, self->key, self->key_value);
    }
  if (self->row > 0)
    g_string_append_printf (text, "; row %u of %u with %u node%s", self->row, self->n_rows,
                            self->n_nodes, self->n_nodes == 1 ? "" : "s");
  if (self->row > 0 && self->order > 0)
    g_string_append_printf (text, ", decision %u", self->order);
  for (guint i = 0; i < self->attended->len; i++)
    {
      const GobanCardAttended *attended = &g_array_index (self->attended, GobanCardAttended, i);

      g_string_append_printf (text, "%s row %u %s", i == 0 ? "; attends to" : ",", attended->row,
                              g_ascii_formatd (digits, sizeof digits, "%.3f", attended->share));
    }
  if (self->settled != NULL)
    g_string_append_printf (text, "; refined afterwards: %s", self->settled);
  if (self->note != NULL)
    g_string_append_printf (text, "; %s", self->note);
  return g_string_free (text, FALSE);
}
