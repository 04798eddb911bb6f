#include "engine/learn/policy/step-probabilities.h"

#include <math.h>
#include <string.h>

struct _GobanStepProbabilities
{
  gatomicrefcount n_references;
  guint n_rows;
  guint n_nodes;
  GBytes *rows;   /* guint32 (n_nodes); shared */
  guint32 *order; /* (n_rows), NULL: all at once */
  gboolean owns_rows;
  GobanTaskProbabilities tasks[GOBAN_N_TASKS];
  GPtrArray *arrays; /* those that the tasks point to */
};

/* --- rounding --------------------------------------------------------------------------------- */

/* The largest remainders are rounded up, the first of equal ones, so that the sum is exact. */
static void
round_row (const float *probabilities, const guint8 *allowed, guint n, guint16 *units, double *rest)
{
  double sum = 0;
  guint left = GOBAN_PROBABILITY_UNITS, n_allowed = 0;

  for (guint a = 0; a < n; a++)
    {
      sum += allowed[a] ? (double) probabilities[a] : 0;
      n_allowed += allowed[a] != 0;
    }
  for (guint a = 0; a < n; a++)
    {
      double share = sum > 0 ? (double) probabilities[a] / sum : 1.0 / MAX (n_allowed, 1);
      double exact = share * GOBAN_PROBABILITY_UNITS;

      units[a] = allowed[a] ? (guint16) MIN (floor (exact), left) : GOBAN_PROBABILITY_MASKED;
      rest[a] = allowed[a] ? exact - units[a] : 0;
      left -= allowed[a] ? units[a] : 0;
    }
  for (; left > 0 && n_allowed > 0; left--)
    {
      guint best = 0;

      for (guint a = 1; a < n; a++)
        if (units[a] != GOBAN_PROBABILITY_MASKED
            && (units[best] == GOBAN_PROBABILITY_MASKED || rest[a] > rest[best]))
          best = a;
      units[best]++;
      rest[best] -= 1;
    }
}

/* (transfer full) */
static guint16 *
round_rows (const GobanDecisionStep *step, guint n_rows)
{
  guint A = step->n_actions;
  guint16 *units = g_new (guint16, MAX ((gsize) n_rows * A, 1));
  g_autofree double *rest = g_new (double, MAX (A, 1));

  for (guint row = 0; row < n_rows; row++)
    round_row (step->probabilities + (gsize) row * A, step->allowed + (gsize) row * A, A,
               units + (gsize) row * A, rest);
  return units;
}

/* --- construction ----------------------------------------------------------------------------- */

/* The rows of @before if they are the same. */
static GBytes *
share_rows (const guint32 *row_of, guint n_nodes, GobanStepProbabilities *before)
{
  gsize size = n_nodes * sizeof *row_of;

  if (before != NULL && before->n_nodes == n_nodes
      && memcmp (g_bytes_get_data (before->rows, NULL), row_of, size) == 0)
    return g_bytes_ref (before->rows);
  return g_bytes_new (row_of, size);
}

/* (nullable) */
static gpointer
keep_copy (GobanStepProbabilities *self, gconstpointer array, gsize size)
{
  gpointer copy = g_memdup2 (array, size);

  if (copy != NULL)
    g_ptr_array_add (self->arrays, copy);
  return copy;
}

static void
copy_task (GobanStepProbabilities *self, GobanTask k, const GobanTaskProbabilities *task)
{
  gsize N = self->n_rows, n_attended = N * GOBAN_N_ATTENDED;

  if (task->n_actions == 0)
    return;
  self->tasks[k] = (GobanTaskProbabilities){
    .n_actions = task->n_actions,
    .units = keep_copy (self, task->units, N * task->n_actions * sizeof (guint16)),
    .entropies = keep_copy (self, task->entropies, N * sizeof (float)),
    .chosen = keep_copy (self, task->chosen, N * sizeof (guint16)),
    .attended = keep_copy (self, task->attended, n_attended * sizeof (guint32)),
    .attention = keep_copy (self, task->attention, n_attended * sizeof (guint16)),
  };
}

GobanStepProbabilities *
goban_step_probabilities_new_of_parts (const GobanStepProbabilitiesParts *parts,
                                       GobanStepProbabilities *before)
{
  GobanStepProbabilities *self = g_new0 (GobanStepProbabilities, 1);
  gsize N = parts->n_rows;

  g_atomic_ref_count_init (&self->n_references);
  self->n_rows = parts->n_rows;
  self->n_nodes = parts->n_nodes;
  self->rows = share_rows (parts->row_of, parts->n_nodes, before);
  self->owns_rows = before == NULL || self->rows != before->rows;
  self->order = g_memdup2 (parts->order, parts->order != NULL ? N * sizeof (guint32) : 0);
  self->arrays = g_ptr_array_new_with_free_func (g_free);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    copy_task (self, (GobanTask) k, &parts->tasks[k]);
  return self;
}

/* (nullable): %NULL without attention. */
static guint16 *
round_attention (const GobanDecisionStep *step, guint n_rows)
{
  gsize n = (gsize) n_rows * GOBAN_N_ATTENDED;
  guint16 *units = step->attention != NULL ? g_new (guint16, MAX (n, 1)) : NULL;

  for (gsize i = 0; units != NULL && i < n; i++)
    units[i] = (guint16) lround ((double) step->attention[i] * GOBAN_PROBABILITY_UNITS);
  return units;
}

GobanStepProbabilities *
goban_step_probabilities_new (const GobanDecisionRecord *record, GobanStepProbabilities *before)
{
  guint n_nodes = goban_decision_record_get_n_nodes (record);
  g_autofree guint32 *row_of = g_new (guint32, MAX (n_nodes, 1));
  GobanStepProbabilitiesParts parts = { .n_nodes = n_nodes,
                                        .n_rows = goban_decision_record_get_n_rows (record),
                                        .row_of = row_of };
  g_autoptr (GPtrArray) scratch = g_ptr_array_new_with_free_func (g_free);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    row_of[v] = goban_decision_record_get_row_of (record, v);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      const GobanDecisionStep *step = goban_decision_record_find_last (record, (GobanTask) k);

      if (step == NULL || step->chosen == NULL)
        continue;

      /* The arrays that are made for it are added to @scratch. */
      guint N = parts.n_rows;
      guint16 *units = round_rows (step, N), *attention = round_attention (step, N);
      guint16 *chosen = g_new (guint16, MAX (N, 1));

      for (guint row = 0; row < N; row++)
        chosen[row] = (guint16) step->chosen[row];
      g_ptr_array_add (scratch, units);
      g_ptr_array_add (scratch, chosen);
      g_ptr_array_add (scratch, attention);
      parts.tasks[step->task] = (GobanTaskProbabilities){
        .n_actions = step->n_actions,
        .units = units,
        .entropies = step->entropies,
        .chosen = chosen,
        .attended = step->attended,
        .attention = attention,
      };

      parts.order = step->order != NULL ? step->order : parts.order;
    }
  return goban_step_probabilities_new_of_parts (&parts, before);
}

GobanStepProbabilities *
goban_step_probabilities_ref (GobanStepProbabilities *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_step_probabilities_unref (GobanStepProbabilities *self)
{
  if (!g_atomic_ref_count_dec (&self->n_references))
    return;
  g_ptr_array_unref (self->arrays);
  g_bytes_unref (self->rows);
  g_free (self->order);
  g_free (self);
}

/* --- reading ---------------------------------------------------------------------------------- */

guint
goban_step_probabilities_get_n_rows (const GobanStepProbabilities *self)
{
  return self->n_rows;
}

const guint32 *
goban_step_probabilities_get_rows (const GobanStepProbabilities *self)
{
  return g_bytes_get_data (self->rows, NULL);
}

guint32
goban_step_probabilities_get_row_of (const GobanStepProbabilities *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, 0);

  return goban_step_probabilities_get_rows (self)[node];
}

guint
goban_step_probabilities_get_order (const GobanStepProbabilities *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, 0);

  return self->order != NULL ? self->order[row] : 0;
}

const GobanTaskProbabilities *
goban_step_probabilities_get_task (const GobanStepProbabilities *self, GobanTask task)
{
  g_return_val_if_fail (task < GOBAN_N_TASKS, NULL);

  return &self->tasks[task];
}

double
goban_step_probabilities_get (const GobanStepProbabilities *self, GobanTask task, guint row,
                              guint action)
{
  const GobanTaskProbabilities *part = goban_step_probabilities_get_task (self, task);
  guint16 units;

  g_return_val_if_fail (row < self->n_rows && action < part->n_actions, 0);

  units = part->units[(gsize) row * part->n_actions + action];
  return units != GOBAN_PROBABILITY_MASKED ? (double) units / GOBAN_PROBABILITY_UNITS : 0;
}

gsize
goban_step_probabilities_get_n_bytes (const GobanStepProbabilities *self)
{
  gsize n_bytes = sizeof *self;

  if (self->owns_rows)
    n_bytes += g_bytes_get_size (self->rows);
  if (self->order != NULL)
    n_bytes += self->n_rows * sizeof (guint32);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (self->tasks[k].n_actions > 0)
      n_bytes += (gsize) self->n_rows
                 * (self->tasks[k].n_actions * sizeof (guint16) + sizeof (float) + sizeof (guint16)
                    + (self->tasks[k].attended != NULL
                           ? GOBAN_N_ATTENDED * (sizeof (guint32) + sizeof (guint16))
                           : 0));
  return n_bytes;
}
