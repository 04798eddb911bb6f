#include "engine/learn/policy/decision-log-writer.h"
#include "engine/learn/policy/step-probabilities.h"

#include <math.h>
#include <string.h>

/* A task with a lower mean entropy may not change; its other choices still have probabilities of
 * about exp (-80). */
#define LEAST_ENTROPY 1e-12

struct _GobanDecisionLog
{
  gatomicrefcount n_references;
  guint n_nodes;
  GobanTasks decisions;
  double start_us;
  guint32 *start[GOBAN_N_TASKS];   /* (n_nodes) before the first step; NULL: not decided */
  guint32 *current[GOBAN_N_TASKS]; /* (n_nodes) after the last one */
  GArray *steps;                   /* of Kept */
  float *entropies
      [GOBAN_N_TASKS]; /* (n_nodes) of the last step in which the task was free; NULL: none */
  guint n_folded;
  gsize n_held;                /* nodes of all changes */
  GPtrArray *probabilities;    /* of GobanStepProbabilities, by step; NULL: none */
  gsize n_bytes;               /* of probabilities */
  GobanDecisionRecord *record; /* of the last step, NULL without one */
};

/* A step, and what it points to: the nodes of all its changes are one array. */
typedef struct
{
  GobanDecisionMove move;
  GobanLogChange *changes;
  GobanNodeId *nodes;
} Kept;

static void
clear_kept (gpointer data)
{
  Kept *kept = data;

  g_free (kept->nodes);
  g_free (kept->changes);
}

static void
clear_probabilities (gpointer data)
{
  if (data != NULL)
    goban_step_probabilities_unref (data);
}

GobanDecisionLog *
goban_decision_log_new (guint n_nodes, GobanTasks decisions)
{
  GobanDecisionLog *self = g_new0 (GobanDecisionLog, 1);

  g_atomic_ref_count_init (&self->n_references);
  self->n_nodes = n_nodes;
  self->decisions = decisions;
  self->start_us = NAN;
  self->steps = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_array_set_clear_func (self->steps, clear_kept);
  self->probabilities = g_ptr_array_new_with_free_func (clear_probabilities);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      if (!goban_tasks_have (decisions, (GobanTask) k))
        continue;
      self->start[k] = g_new (guint32, n_nodes);
      self->current[k] = g_new (guint32, n_nodes);
      for (guint v = 0; v < n_nodes; v++)
        self->start[k][v] = self->current[k][v] = GOBAN_NOT_CHOSEN;
    }
  return self;
}

GobanDecisionLog *
goban_decision_log_ref (GobanDecisionLog *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_decision_log_unref (GobanDecisionLog *self)
{
  if (!g_atomic_ref_count_dec (&self->n_references))
    return;
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      g_free (self->start[k]);
      g_free (self->current[k]);
      g_free (self->entropies[k]);
    }
  g_array_unref (self->steps);
  g_ptr_array_unref (self->probabilities);
  g_clear_pointer (&self->record, goban_decision_record_unref);
  g_free (self);
}

/* --- construction --------------------------------------------------------------------------- */

double
goban_decision_log_get_us (GobanOutcome outcome)
{
  return outcome.overflow_bytes > 0 || !isfinite (outcome.makespan_us) ? (double) NAN
                                                                       : outcome.makespan_us;
}

void
goban_decision_log_begin (GobanDecisionLog *self, guint32 *const *choices, GobanOutcome outcome)
{
  g_return_if_fail (self->steps->len == 0 && self->n_folded == 0);

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (guint v = 0; self->start[k] != NULL && v < self->n_nodes; v++)
      self->start[k][v] = self->current[k][v] = choices[k][v];
  self->start_us = goban_decision_log_get_us (outcome);
}

/* A step under construction: nodes of changes are offsets until all changes are added. */
typedef struct
{
  GArray *changes; /* of GobanLogChange */
  GArray *nodes;   /* of GobanNodeId */
} Draft;

/* Whether a row keeps its choice; its nodes then keep their own values, even different levels. */
static gboolean
keeps (const GobanDecisionStep *step, guint row)
{
  return step->had != NULL && step->chosen[row] == step->had[row];
}

/* The value that a step gives one node of a row: the device where it was settled if that is
 * recorded, otherwise the row's choice. */
static guint32
get_target (const GobanDecisionRecord *record, const GobanDecisionStep *step, guint row,
            GobanNodeId node)
{
  const guint32 *settled = goban_decision_record_get_settled (record);

  return settled != NULL && step->task == GOBAN_TASK_PLACEMENT ? settled[node] : step->chosen[row];
}

/* Adds one change for each distinct pair of previous and new choice of the row's nodes. A node that
 * was settled elsewhere than drawn has no probability. */
static void
draft_row (GobanDecisionLog *self, Draft *draft, const GobanDecisionRecord *record,
           const GobanDecisionStep *step, guint row)
{
  guint32 *current = self->current[step->task];
  guint n;
  const GobanNodeId *nodes = goban_decision_record_get_nodes (record, row, &n);

  for (guint i = 0; i < n; i++)
    {
      guint32 to = get_target (record, step, row, nodes[i]);
      gboolean is_drawn = to == step->chosen[row];
      GobanLogChange change = { .task = step->task, .row = row, .to = to };

      if (current[nodes[i]] == to)
        continue;
      change.from = current[nodes[i]];
      change.probability
          = is_drawn ? step->probabilities[(gsize) row * step->n_actions + to] : (float) NAN;
      change.entropy = is_drawn ? step->entropies[row] : (float) NAN;
      for (guint j = i; j < n; j++)
        if (current[nodes[j]] == change.from && get_target (record, step, row, nodes[j]) == to)
          {
            g_array_append_val (draft->nodes, nodes[j]);
            current[nodes[j]] = to;
            change.n_nodes++;
          }
      g_array_append_val (draft->changes, change);
    }
}

static void
note_entropies (GobanDecisionLog *self, const GobanDecisionRecord *record,
                const GobanDecisionStep *step)
{
  float **entropies = &self->entropies[step->task];

  if (step->mean_entropy < LEAST_ENTROPY)
    return;
  if (*entropies == NULL)
    *entropies = g_new (float, self->n_nodes);
  for (guint v = 0; v < self->n_nodes; v++)
    (*entropies)[v] = step->entropies[goban_decision_record_get_row_of (record, v)];
}

static void
drop_probabilities (GobanDecisionLog *self, guint step)
{
  GobanStepProbabilities *probabilities = g_ptr_array_index (self->probabilities, step);

  if (probabilities == NULL)
    return;
  self->n_bytes -= goban_step_probabilities_get_n_bytes (probabilities);
  g_clear_pointer (&g_ptr_array_index (self->probabilities, step), goban_step_probabilities_unref);
}

void
goban_decision_log_set_probabilities (GobanDecisionLog *self, GobanStepProbabilities *probabilities)
{
  guint last = self->steps->len - 1;

  g_return_if_fail (self->steps->len > 0);

  drop_probabilities (self, last);
  g_ptr_array_index (self->probabilities, last) = goban_step_probabilities_ref (probabilities);
  self->n_bytes += goban_step_probabilities_get_n_bytes (probabilities);
  for (guint s = 0; s < last && self->n_bytes > GOBAN_DECISION_LOG_MAX_BYTES; s++)
    drop_probabilities (self, s);
}

/* Steps of the same rows share them. */
static void
note_probabilities (GobanDecisionLog *self, const GobanDecisionRecord *record)
{
  guint last = self->steps->len - 1;
  g_autoptr (GobanStepProbabilities) probabilities = goban_step_probabilities_new (
      record, last > 0 ? g_ptr_array_index (self->probabilities, last - 1) : NULL);

  goban_decision_log_set_probabilities (self, probabilities);
}

static void
fold (GobanDecisionLog *self)
{
  while (self->steps->len > 1
         && (self->steps->len > GOBAN_DECISION_LOG_MAX_STEPS
             || self->n_held > GOBAN_DECISION_LOG_MAX_NODES))
    {
      const GobanDecisionMove *move = goban_decision_log_get_step (self, 0);

      for (guint c = 0; c < move->n_changes; c++)
        {
          const GobanLogChange *change = &move->changes[c];

          for (guint i = 0; i < change->n_nodes; i++)
            self->start[change->task][change->nodes[i]] = change->to;
          self->n_held -= change->n_nodes;
        }
      self->start_us = move->after_us;
      self->n_folded++;
      g_array_remove_index (self->steps, 0);
      drop_probabilities (self, 0);
      g_ptr_array_remove_index (self->probabilities, 0);
    }
}

void
goban_decision_log_add (GobanDecisionLog *self, guint update, guint64 evaluation,
                        GobanOutcome outcome, GobanDecisionRecord *record)
{
  guint n_steps = self->steps->len;
  Draft draft = { g_array_new (FALSE, FALSE, sizeof (GobanLogChange)),
                  g_array_new (FALSE, FALSE, sizeof (GobanNodeId)) };
  GobanDecisionMove move = { .update = update,
                             .evaluation = evaluation,
                             .after_us = goban_decision_log_get_us (outcome) };
  const GobanNodeId *nodes;
  Kept kept;

  g_return_if_fail (goban_decision_record_get_n_nodes (record) == self->n_nodes);

  move.before_us
      = n_steps > 0 ? goban_decision_log_get_step (self, n_steps - 1)->after_us : self->start_us;
  move.n_rows = goban_decision_record_get_n_rows (record);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      const GobanDecisionStep *step = goban_decision_record_find_last (record, (GobanTask) k);

      if (self->current[k] == NULL || step == NULL)
        continue;
      note_entropies (self, record, step);
      for (guint n = 0; n < move.n_rows; n++)
        if (!keeps (step, n))
          draft_row (self, &draft, record, step, n);
    }
  self->n_held += draft.nodes->len;
  move.n_changes = draft.changes->len;
  kept.changes = (GobanLogChange *) (void *) g_array_free (draft.changes, FALSE);
  kept.nodes = (GobanNodeId *) (void *) g_array_free (draft.nodes, FALSE);
  nodes = kept.nodes;
  for (guint c = 0; c < move.n_changes; c++)
    {
      kept.changes[c].nodes = nodes;
      nodes += kept.changes[c].n_nodes;
    }
  move.changes = kept.changes;
  kept.move = move;
  g_array_append_val (self->steps, kept);
  g_ptr_array_add (self->probabilities, NULL);
  note_probabilities (self, record);

  g_clear_pointer (&self->record, goban_decision_record_unref);
  self->record = goban_decision_record_ref (record);
  fold (self);
}

/* --- known steps ---------------------------------------------------------------------------- */

gboolean
goban_decision_log_add_known (GobanDecisionLog *self, const GobanDecisionMove *move)
{
  Kept kept = { .move = *move };
  GobanNodeId *nodes;
  gsize n_nodes = 0;

  for (guint c = 0; c < move->n_changes; c++)
    {
      const GobanLogChange *change = &move->changes[c];

      if (change->task >= GOBAN_N_TASKS || self->current[change->task] == NULL)
        return FALSE;
      for (guint i = 0; i < change->n_nodes; i++)
        if (change->nodes[i] >= self->n_nodes
            || self->current[change->task][change->nodes[i]] != change->from)
          return FALSE;
    }

  for (guint c = 0; c < move->n_changes; c++)
    n_nodes += move->changes[c].n_nodes;
  kept.changes = g_new (GobanLogChange, move->n_changes);
  kept.nodes = nodes = g_new (GobanNodeId, n_nodes);
  for (guint c = 0; c < move->n_changes; c++)
    {
      const GobanLogChange *change = &move->changes[c];
      float **entropies = &self->entropies[change->task];

      if (*entropies == NULL)
        {
          *entropies = g_new (float, MAX (self->n_nodes, 1));
          for (guint v = 0; v < self->n_nodes; v++)
            (*entropies)[v] = (float) NAN;
        }
      for (guint i = 0; i < change->n_nodes; i++)
        {
          self->current[change->task][change->nodes[i]] = change->to;
          (*entropies)[change->nodes[i]] = change->entropy;
        }

      kept.changes[c] = move->changes[c];
      kept.changes[c].nodes = nodes;
      if (move->changes[c].n_nodes > 0)
        memcpy (nodes, move->changes[c].nodes, move->changes[c].n_nodes * sizeof *nodes);
      nodes += move->changes[c].n_nodes;
    }
  kept.move.changes = kept.changes;
  kept.move.before_us = self->steps->len > 0
                            ? goban_decision_log_get_step (self, self->steps->len - 1)->after_us
                            : self->start_us;
  g_array_append_val (self->steps, kept);
  g_ptr_array_add (self->probabilities, NULL);
  g_clear_pointer (&self->record, goban_decision_record_unref);
  self->n_held += n_nodes;
  fold (self);
  return TRUE;
}

void
goban_decision_log_set_folded (GobanDecisionLog *self, guint n_folded)
{
  self->n_folded = n_folded;
}

void
goban_decision_log_set_entropies (GobanDecisionLog *self, GobanTask task, const float *entropies)
{
  g_return_if_fail (self->current[task] != NULL);

  g_free (self->entropies[task]);
  self->entropies[task] = g_memdup2 (entropies, self->n_nodes * sizeof *entropies);
}

GobanDecisionLog *
goban_decision_log_new_head (const GobanDecisionLog *self, guint n_steps)
{
  GobanDecisionLog *head;

  g_return_val_if_fail (n_steps <= self->steps->len, NULL);

  if (n_steps == self->steps->len)
    return goban_decision_log_ref ((GobanDecisionLog *) self);

  head = goban_decision_log_new (self->n_nodes, self->decisions);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (self->start[k] != NULL)
      {
        memcpy (head->start[k], self->start[k], self->n_nodes * sizeof (guint32));
        memcpy (head->current[k], self->start[k], self->n_nodes * sizeof (guint32));
      }
  head->start_us = self->start_us;
  head->n_folded = self->n_folded;
  for (guint s = 0; s < n_steps; s++)
    {
      if (!goban_decision_log_add_known (head, goban_decision_log_get_step (self, s)))
        g_assert_not_reached (); /* steps are linked */
      if (goban_decision_log_get_probabilities (self, s) != NULL)
        goban_decision_log_set_probabilities (head, goban_decision_log_get_probabilities (self, s));
    }
  return head;
}

/* --- reading -------------------------------------------------------------------------------- */

guint
goban_decision_log_get_n_nodes (const GobanDecisionLog *self)
{
  return self->n_nodes;
}

GobanTasks
goban_decision_log_get_decisions (const GobanDecisionLog *self)
{
  return self->decisions;
}

double
goban_decision_log_get_start_us (const GobanDecisionLog *self)
{
  return self->start_us;
}

guint
goban_decision_log_get_n_steps (const GobanDecisionLog *self)
{
  return self->steps->len;
}

guint
goban_decision_log_get_n_folded (const GobanDecisionLog *self)
{
  return self->n_folded;
}

const GobanDecisionMove *
goban_decision_log_get_step (const GobanDecisionLog *self, guint step)
{
  g_return_val_if_fail (step < self->steps->len, NULL);

  return &g_array_index (self->steps, Kept, step).move;
}

GobanStepProbabilities *
goban_decision_log_get_probabilities (const GobanDecisionLog *self, guint step)
{
  g_return_val_if_fail (step < self->steps->len, NULL);

  return g_ptr_array_index (self->probabilities, step);
}

const GobanDecisionRecord *
goban_decision_log_get_record (const GobanDecisionLog *self)
{
  return self->record;
}

guint32 *
goban_decision_log_dup_choices (const GobanDecisionLog *self, GobanTask task, guint n_steps)
{
  guint32 *choices;

  g_return_val_if_fail (n_steps <= self->steps->len, NULL);

  if (self->start[task] == NULL)
    return NULL;
  choices = g_memdup2 (self->start[task], self->n_nodes * sizeof *choices);
  for (guint s = 0; s < n_steps; s++)
    {
      const GobanDecisionMove *move = goban_decision_log_get_step (self, s);

      for (guint c = 0; c < move->n_changes; c++)
        for (guint i = 0; move->changes[c].task == task && i < move->changes[c].n_nodes; i++)
          choices[move->changes[c].nodes[i]] = move->changes[c].to;
    }
  return choices;
}

guint32
goban_decision_log_get_start_choice (const GobanDecisionLog *self, GobanTask task, GobanNodeId node)
{
  return self->start[task] != NULL ? self->start[task][node] : GOBAN_NOT_CHOSEN;
}

double
goban_decision_log_get_entropy (const GobanDecisionLog *self, GobanTask task, GobanNodeId node)
{
  const float *entropies = self->entropies[task];

  return entropies != NULL ? (double) entropies[node] : (double) NAN;
}
