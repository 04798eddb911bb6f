#include "engine/learn/policy/decision-record-new.h"

#include "engine/learn/nn/softmax.h"
#include "engine/learn/policy/pass-private.h"

#include <math.h>

struct _GobanDecisionRecord
{
  gatomicrefcount n_references;
  guint n_rows;
  guint n_nodes;
  guint32 *offsets;   /* (n_rows + 1) */
  GobanNodeId *nodes; /* (n_nodes) */
  guint32 *row_of;    /* (n_nodes) */
  guint32 *settled;   /* (n_nodes) (nullable) */
  GArray *steps;      /* of GobanDecisionStep */
  GPtrArray *arrays;  /* those of the steps, to be freed */
};

/* --- construction --------------------------------------------------------------------------- */

static void
begin_steps (GobanDecisionRecord *self)
{
  self->steps = g_array_new (FALSE, FALSE, sizeof (GobanDecisionStep));
  self->arrays = g_ptr_array_new_with_free_func (g_free);
}

/* @size bytes that live as long as the record. */
static gpointer
keep_array (GobanDecisionRecord *self, gsize size)
{
  gpointer array = g_malloc (size);

  g_ptr_array_add (self->arrays, array);
  return array;
}

static gpointer
keep_copy (GobanDecisionRecord *self, gconstpointer array, gsize size)
{
  gpointer copy = g_memdup2 (array, size);

  g_ptr_array_add (self->arrays, copy);
  return copy;
}

static guint32 *
find_likeliest (GobanDecisionRecord *self, const float *probabilities, guint n_actions)
{
  guint32 *chosen = keep_array (self, self->n_rows * sizeof *chosen);

  for (guint n = 0; n < self->n_rows; n++)
    chosen[n]
        = (guint32) goban_categorical_best (probabilities + (gsize) n * n_actions, (int) n_actions);
  return chosen;
}

static const float *
see_logits (const GobanDecisionView *view, int t, GobanTask task)
{
  return view->see_logits != NULL ? view->see_logits (view->data, t, task)
                                  : goban_pass_get_logits (view->pass, t, task);
}

/* A pass that was made for more rows than its board has by now attends to rows that are none. */
static void
add_attention (GobanDecisionRecord *self, const GobanPass *pass, GobanDecisionStep *step)
{
  gsize n = (gsize) self->n_rows * GOBAN_N_ATTENDED;
  g_autofree guint32 *rows = g_new (guint32, n + 1);
  g_autofree float *shares = g_new (float, n + 1);

  if ((guint) pass->N != self->n_rows
      || !goban_pass_find_attended (pass, step->iteration, step->task, rows, shares))
    return;
  step->attended = keep_copy (self, rows, n * sizeof *rows);
  step->attention = keep_copy (self, shares, n * sizeof *shares);
}

static void
add_step (GobanDecisionRecord *self, const GobanDecisionView *view, int t, GobanTask task)
{
  const GobanPass *pass = view->pass;
  const float *logits = see_logits (view, t, task);
  guint N = self->n_rows, A = (guint) goban_pass_get_n_actions (pass, task);
  float *probabilities = keep_array (self, (gsize) N * A * sizeof *probabilities);
  float *entropies = keep_array (self, N * sizeof *entropies);
  guint8 *allowed = keep_array (self, (gsize) N * A);
  const guint32 *had = pass->board->current[task];
  GobanDecisionStep step = { .iteration = t,
                             .task = task,
                             .n_actions = A,
                             .probabilities = probabilities,
                             .allowed = allowed,
                             .entropies = entropies };

  goban_softmax_forward (probabilities, logits, (int) N, (int) A);
  goban_entropy_forward (entropies, probabilities, (int) N, (int) A);
  for (gsize i = 0; i < (gsize) N * A; i++)
    allowed[i] = isfinite (logits[i]) != 0;
  for (guint n = 0; n < N; n++)
    step.mean_entropy += (double) entropies[n] / N;
  if (pass->config.is_sampled || t == pass->config.n_iterations - 1)
    step.chosen = view->choices != NULL
                      ? keep_copy (self, view->choices->chosen[t][task], N * sizeof (guint32))
                      : find_likeliest (self, probabilities, A);
  step.had = had != NULL ? keep_copy (self, had, N * sizeof (guint32)) : NULL;
  if (t == pass->config.n_iterations - 1)
    add_attention (self, pass, &step);
  g_array_append_val (self->steps, step);
}

GobanDecisionRecord *
goban_decision_record_new_of_view (const GobanDecisionView *view)
{
  GobanDecisionRecord *self = g_new0 (GobanDecisionRecord, 1);
  const GobanNetConfig *config = &view->pass->config;
  const GobanBoard *board = view->pass->board;
  guint N = board->n_rows;

  g_atomic_ref_count_init (&self->n_references);
  self->n_rows = N;
  self->n_nodes = board->offsets[N];
  self->offsets = g_memdup2 (board->offsets, ((gsize) N + 1) * sizeof *self->offsets);
  self->nodes = g_memdup2 (board->nodes, self->n_nodes * sizeof *self->nodes);
  self->row_of = g_memdup2 (board->row_of, self->n_nodes * sizeof *self->row_of);
  begin_steps (self);
  for (int t = 0; t < config->n_iterations; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      if (goban_tasks_have (view->decisions, task)
          && goban_net_config_has_task (config, (GobanTask) task))
        add_step (self, view, t, (GobanTask) task);
  return self;
}

GobanDecisionRecord *
goban_decision_record_new (const GobanPass *pass, const GobanChoices *choices)
{
  GobanDecisionView view = { .pass = pass, .choices = choices, .decisions = GOBAN_TASKS_ALL };

  return goban_decision_record_new_of_view (&view);
}

GobanDecisionRecord *
goban_decision_record_new_of_placement (const GobanPlacementView *view)
{
  GobanDecisionRecord *self = g_new0 (GobanDecisionRecord, 1);
  guint N = view->n_rows, A = view->n_devices;
  GobanDecisionStep step = { .task = GOBAN_TASK_PLACEMENT, .n_actions = A };
  guint8 *allowed;
  float *entropies;

  g_atomic_ref_count_init (&self->n_references);
  self->n_rows = N;
  self->n_nodes = view->n_nodes;
  self->row_of = g_memdup2 (view->row_of, (gsize) view->n_nodes * sizeof *self->row_of);
  self->settled = g_memdup2 (view->settled, (gsize) view->n_nodes * sizeof *self->settled);

  /* Sorts nodes by row, ascending, and computes the offset of each row. */
  self->offsets = g_new0 (guint32, (gsize) self->n_rows + 2);
  self->nodes = g_new (GobanNodeId, (gsize) self->n_nodes + 1);
  for (guint v = 0; v < self->n_nodes; v++)
    self->offsets[self->row_of[v] + 2]++;
  for (guint r = 0; r < self->n_rows; r++)
    self->offsets[r + 2] += self->offsets[r + 1];
  for (guint v = 0; v < self->n_nodes; v++)
    self->nodes[self->offsets[self->row_of[v] + 1]++] = v;

  begin_steps (self);
  step.allowed = allowed = keep_array (self, (gsize) N * A);
  step.entropies = entropies = keep_array (self, N * sizeof *entropies);
  step.probabilities = keep_copy (self, view->chances, (gsize) N * A * sizeof (float));
  step.chosen = keep_copy (self, view->chosen, (gsize) N * sizeof (guint32));
  step.order
      = view->order != NULL ? keep_copy (self, view->order, (gsize) N * sizeof (guint32)) : NULL;
  goban_entropy_forward (entropies, view->chances, (int) N, (int) A);
  for (gsize i = 0; i < (gsize) N * A; i++)
    allowed[i] = view->chances[i] > 0;
  for (guint n = 0; n < N; n++)
    step.mean_entropy += (double) entropies[n] / N;
  g_array_append_val (self->steps, step);
  return self;
}

GobanDecisionRecord *
goban_decision_record_ref (GobanDecisionRecord *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_decision_record_unref (GobanDecisionRecord *self)
{
  if (!g_atomic_ref_count_dec (&self->n_references))
    return;
  g_array_unref (self->steps);
  g_ptr_array_unref (self->arrays);
  g_free (self->offsets);
  g_free (self->nodes);
  g_free (self->row_of);
  g_free (self->settled);
  g_free (self);
}

/* --- reading -------------------------------------------------------------------------------- */

guint
goban_decision_record_get_n_rows (const GobanDecisionRecord *self)
{
  return self->n_rows;
}

guint
goban_decision_record_get_n_nodes (const GobanDecisionRecord *self)
{
  return self->n_nodes;
}

const GobanNodeId *
goban_decision_record_get_nodes (const GobanDecisionRecord *self, guint row, guint *n_nodes)
{
  g_return_val_if_fail (row < self->n_rows, NULL);
  *n_nodes = self->offsets[row + 1] - self->offsets[row];
  return self->nodes + self->offsets[row];
}

guint32
goban_decision_record_get_row_of (const GobanDecisionRecord *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, 0);
  return self->row_of[node];
}

const guint32 *
goban_decision_record_get_settled (const GobanDecisionRecord *self)
{
  return self->settled;
}

guint
goban_decision_record_get_n_steps (const GobanDecisionRecord *self)
{
  return self->steps->len;
}

const GobanDecisionStep *
goban_decision_record_get_step (const GobanDecisionRecord *self, guint step)
{
  g_return_val_if_fail (step < self->steps->len, NULL);
  return &g_array_index (self->steps, GobanDecisionStep, step);
}

const GobanDecisionStep *
goban_decision_record_find_last (const GobanDecisionRecord *self, GobanTask task)
{
  for (guint s = self->steps->len; s-- > 0;)
    if (g_array_index (self->steps, GobanDecisionStep, s).task == task)
      return goban_decision_record_get_step (self, s);
  return NULL;
}
