#include "engine/session/document/session-file-probabilities.h"

#include "engine/learn/policy/decision-log-writer.h"
#include "engine/learn/policy/step-probabilities.h"

#include <math.h>

/* Text of two bytes of a value, at the most. */
#define BYTES_OF_VALUE 3
#define MICRO 1e6f
/* Entropies are below the logarithm of the number of choices. */
#define MOST_ENTROPY 100

/* --- writing ---------------------------------------------------------------------------------- */

static gboolean
shares_rows (const GobanDecisionLog *log, guint step, guint first)
{
  const GobanStepProbabilities *before
      = step > first ? goban_decision_log_get_probabilities (log, step - 1) : NULL;

  return before != NULL
         && goban_step_probabilities_get_rows (before)
                == goban_step_probabilities_get_rows (
                    goban_decision_log_get_probabilities (log, step));
}

guint
goban_session_find_probabilities (const GobanDecisionLog *log)
{
  guint n_nodes = goban_decision_log_get_n_nodes (log);
  gsize sum = 0;
  guint s = goban_decision_log_get_n_steps (log);

  for (; s > 0; s--)
    {
      const GobanStepProbabilities *table = goban_decision_log_get_probabilities (log, s - 1);

      if (table == NULL)
        continue;
      sum += BYTES_OF_VALUE * goban_step_probabilities_get_n_bytes (table);
      sum += shares_rows (log, s - 1, 0) ? 0 : BYTES_OF_VALUE * (gsize) n_nodes;
      if (sum > GOBAN_SESSION_PROBABILITIES_BYTES)
        break;
    }
  return s;
}

static void
add_shorts (GobanWriter *self, const char *key, const guint16 *values, gsize n)
{
  g_autofree gint32 *numbers = g_new (gint32, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    numbers[i] = values[i] != GOBAN_PROBABILITY_MASKED ? values[i] : -1;
  goban_writer_add_rows (self, key, numbers, (guint) n);
}

static void
add_task (GobanWriter *self, const GobanStepProbabilities *table, GobanTask task)
{
  const GobanTaskProbabilities *part = goban_step_probabilities_get_task (table, task);
  guint n_rows = goban_step_probabilities_get_n_rows (table);
  g_autofree gint32 *entropies = g_new (gint32, MAX (n_rows, 1));

  if (part->n_actions == 0)
    return;
  for (guint r = 0; r < n_rows; r++)
    entropies[r] = (gint32) lroundf (part->entropies[r] * MICRO);
  goban_writer_add_key (self, goban_task_get_name (task));
  goban_writer_open (self, '{');
  goban_writer_add_count (self, "actions", part->n_actions);
  if (part->attended != NULL)
    {
      goban_writer_add_rows (self, "attended", (const gint32 *) (gconstpointer) part->attended,
                             n_rows * GOBAN_N_ATTENDED);
      add_shorts (self, "attention", part->attention, (gsize) n_rows * GOBAN_N_ATTENDED);
    }
  add_shorts (self, "chosen", part->chosen, n_rows);
  goban_writer_add_rows (self, "entropies", entropies, n_rows);
  add_shorts (self, "units", part->units, (gsize) n_rows * part->n_actions);
  goban_writer_close (self, '}');
}

static void
add_order (GobanWriter *self, const GobanStepProbabilities *table)
{
  guint n_rows = goban_step_probabilities_get_n_rows (table);
  g_autofree gint32 *order = g_new (gint32, MAX (n_rows, 1));
  gboolean has_order = FALSE;

  for (guint r = 0; r < n_rows; r++)
    {
      order[r] = (gint32) goban_step_probabilities_get_order (table, r);
      has_order |= order[r] > 0;
    }
  if (has_order)
    goban_writer_add_rows (self, "order", order, n_rows);
}

void
goban_session_write_probabilities (GobanWriter *self, const GobanDecisionLog *log, guint step,
                                   guint first)
{
  const GobanStepProbabilities *table = goban_decision_log_get_probabilities (log, step);

  if (table == NULL || step < first)
    return;
  goban_writer_add_key (self, "probabilities");
  goban_writer_open (self, '{');
  add_task (self, table, GOBAN_TASK_FUSION);
  add_order (self, table);
  add_task (self, table, GOBAN_TASK_PLACEMENT);
  if (!shares_rows (log, step, first))
    goban_writer_add_rows (
        self, "row_of", (const gint32 *) (gconstpointer) goban_step_probabilities_get_rows (table),
        goban_decision_log_get_n_nodes (log));
  goban_writer_add_count (self, "rows", goban_step_probabilities_get_n_rows (table));
  add_task (self, table, GOBAN_TASK_SCHEDULING);
  goban_writer_close (self, '}');
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanStepProbabilitiesParts parts;
  GPtrArray *arrays; /* those that the parts point to */
  guint n_devices;
} Reading;

static void
reading_clear (Reading *self)
{
  g_ptr_array_unref (self->arrays);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* @array: (transfer full) (nullable), returned */
static gpointer
keep (Reading *self, gpointer array)
{
  if (array != NULL)
    g_ptr_array_add (self->arrays, array);
  return array;
}

/* @n numbers from @least to below @most. (transfer full) (nullable): NULL with @error set */
static gint32 *
read_numbers (GobanJsonValue place, const char *key, guint n, gint32 least, gint64 most,
              GError **error)
{
  g_autofree gint32 *values = NULL;

  if (!goban_reader_read_rows (place, key, n, &values, error))
    return NULL;
  if (values == NULL)
    {
      goban_json_refuse_missing (place, key, error);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    if (values[i] < least || values[i] >= most)
      {
        goban_json_refuse (goban_json_get_element (place, key, i / GOBAN_SESSION_ROW), error,
                           "%d is not a number from %d to %d", values[i], least, (int) (most - 1));
        return NULL;
      }
  return g_steal_pointer (&values);
}

static guint16 *
read_shorts (GobanJsonValue place, const char *key, guint n, gint64 most, GError **error)
{
  g_autofree gint32 *values
      = read_numbers (place, key, n, most > GOBAN_PROBABILITY_UNITS ? -1 : 0, most, error);
  guint16 *shorts = values != NULL ? g_new (guint16, MAX (n, 1)) : NULL;

  for (guint i = 0; values != NULL && i < n; i++)
    shorts[i] = values[i] >= 0 ? (guint16) values[i] : GOBAN_PROBABILITY_MASKED;
  return shorts;
}

static float *
read_entropies (GobanJsonValue place, guint n, GError **error)
{
  g_autofree gint32 *values
      = read_numbers (place, "entropies", n, 0, MOST_ENTROPY * (gint64) 1000000, error);
  float *entropies = values != NULL ? g_new (float, MAX (n, 1)) : NULL;

  for (guint i = 0; values != NULL && i < n; i++)
    entropies[i] = (float) values[i] / MICRO;
  return entropies;
}

/* The probabilities of every row sum to 1. */
static gboolean
check_sums (GobanJsonValue place, const GobanTaskProbabilities *part, guint n_rows, GError **error)
{
  for (guint r = 0; r < n_rows; r++)
    {
      const guint16 *units = part->units + (gsize) r * part->n_actions;
      guint sum = 0;

      for (guint a = 0; a < part->n_actions; a++)
        sum += units[a] != GOBAN_PROBABILITY_MASKED ? units[a] : 0;
      if (sum != GOBAN_PROBABILITY_UNITS)
        return goban_json_refuse (place, error, "the probabilities of row %u sum to %u, not to %u",
                                  r + 1, sum, GOBAN_PROBABILITY_UNITS);
    }
  return TRUE;
}

/* Rows that a row attends to, -1 behind the last. */
static gboolean
read_attention (Reading *self, GobanTaskProbabilities *part, GobanJsonValue place, GError **error)
{
  guint n_rows = self->parts.n_rows, n = n_rows * GOBAN_N_ATTENDED;

  if (goban_json_is_missing (goban_json_find (place, "attended")))
    return TRUE;
  part->attended = keep (self, read_numbers (place, "attended", n, -1, n_rows, error));
  if (part->attended != NULL)
    part->attention
        = keep (self, read_shorts (place, "attention", n, GOBAN_PROBABILITY_UNITS, error));
  return part->attention != NULL;
}

static gboolean
read_task (Reading *self, GobanJsonValue place, GobanTask task, GError **error)
{
  static const char *const keys[]
      = { "actions", "attended", "attention", "chosen", "entropies", "units", NULL };
  GobanJsonValue inner = goban_json_find (place, goban_task_get_name (task));
  GobanTaskProbabilities *part = &self->parts.tasks[task];
  guint n_rows = self->parts.n_rows;
  guint most = task == GOBAN_TASK_PLACEMENT ? self->n_devices : GOBAN_N_LEVELS;
  guint64 n_actions = 0;

  if (goban_json_is_missing (inner))
    return TRUE;
  if (!goban_json_check_object (inner, keys, error)
      || !goban_reader_read_count (inner, "actions", &n_actions, error))
    return FALSE;
  if (n_actions < 1 || n_actions > most)
    return goban_json_refuse (inner, error, "there are 1 to %u choices", most);
  part->chosen = keep (self, read_shorts (inner, "chosen", n_rows, (gint64) n_actions, error));
  if (part->chosen != NULL)
    part->entropies = keep (self, read_entropies (inner, n_rows, error));
  if (part->entropies != NULL)
    part->units = keep (self, read_shorts (inner, "units", n_rows * (guint) n_actions,
                                           GOBAN_PROBABILITY_UNITS + 1, error));
  part->n_actions = (guint) n_actions;
  return part->units != NULL && check_sums (inner, part, n_rows, error)
         && read_attention (self, part, inner, error);
}

static GobanStepProbabilities *
get_before (const GobanDecisionLog *log)
{
  guint n_steps = goban_decision_log_get_n_steps (log);

  return n_steps > 1 ? goban_decision_log_get_probabilities (log, n_steps - 2) : NULL;
}

/* Without rows of its own, a step has those of the step before. */
static gboolean
read_rows (Reading *self, GobanJsonValue place, const GobanDecisionLog *log, GError **error)
{
  const GobanStepProbabilities *before = get_before (log);

  if (goban_json_is_missing (goban_json_find (place, "row_of")) && before != NULL
      && goban_step_probabilities_get_n_rows (before) == self->parts.n_rows)
    {
      self->parts.row_of = goban_step_probabilities_get_rows (before);
      return TRUE;
    }
  self->parts.row_of = keep (
      self, read_numbers (place, "row_of", self->parts.n_nodes, 0, self->parts.n_rows, error));
  return self->parts.row_of != NULL;
}

static gboolean
read_order (Reading *self, GobanJsonValue place, GError **error)
{
  if (goban_json_is_missing (goban_json_find (place, "order")))
    return TRUE;
  self->parts.order = keep (self, read_numbers (place, "order", self->parts.n_rows, 0,
                                                (gint64) self->parts.n_rows + 1, error));
  return self->parts.order != NULL;
}

gboolean
goban_session_read_probabilities (GobanJsonValue place, guint n_devices, GobanDecisionLog *log,
                                  GError **error)
{
  static const char *const keys[]
      = { "fusion", "order", "placement", "row_of", "!rows", "scheduling", NULL };
  GobanJsonValue inner = goban_json_find (place, "probabilities");
  g_auto (Reading) self = { .n_devices = n_devices };
  g_autoptr (GobanStepProbabilities) table = NULL;
  guint64 n_rows = 0;

  self.arrays = g_ptr_array_new_with_free_func (g_free);
  if (goban_json_is_missing (inner))
    return TRUE;
  self.parts.n_nodes = goban_decision_log_get_n_nodes (log);
  if (!goban_json_check_object (inner, keys, error)
      || !goban_reader_read_count (inner, "rows", &n_rows, error))
    return FALSE;
  if (n_rows < 1 || n_rows > self.parts.n_nodes)
    return goban_json_refuse (goban_json_find (inner, "rows"), error, "there are 1 to %u rows",
                              self.parts.n_nodes);
  self.parts.n_rows = (guint) n_rows;
  if (!read_rows (&self, inner, log, error) || !read_order (&self, inner, error))
    return FALSE;
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (!read_task (&self, inner, (GobanTask) k, error))
      return FALSE;
  table = goban_step_probabilities_new_of_parts (&self.parts, get_before (log));
  goban_decision_log_set_probabilities (log, table);
  return TRUE;
}
