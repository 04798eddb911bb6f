#include "engine/session/document/session-file-decisions.h"

#include "engine/session/document/session-file-probabilities.h"
#include "engine/session/document/text-scan.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/learn/policy/decision-log-writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Choices are numbers below this one, whatever the task. */
#define MOST_CHOICES 65536

/* --- writing ---------------------------------------------------------------------------------- */

static void
append_float (GString *text, float value)
{
  char digits[GOBAN_QUANTITY_LEN];

  g_string_append (text, isfinite (value) ? goban_format_float (digits, value) : "-");
}

static void
add_entropies (GobanWriter *self, const GobanDecisionLog *log, GobanTask task)
{
  guint n = goban_decision_log_get_n_nodes (log);

  goban_writer_add_key (self, goban_task_get_name (task));
  goban_writer_open (self, '[');
  for (guint row = 0; row < n; row += GOBAN_SESSION_ROW)
    {
      guint end = MIN (row + GOBAN_SESSION_ROW, n);

      goban_writer_begin_line (self);
      g_string_append_c (self->text, '"');
      for (guint v = row, next; v < end; v = next)
        {
          double value = goban_decision_log_get_entropy (log, task, v);

          for (next = v + 1; next < end; next++)
            {
              double other = goban_decision_log_get_entropy (log, task, next);

              if (!(other == value || (isnan (other) && isnan (value))))
                break;
            }
          g_string_append (self->text, v > row ? " " : "");
          if (next - v > 1)
            g_string_append_printf (self->text, "%u*", next - v);
          append_float (self->text, (float) value);
        }
      g_string_append_c (self->text, '"');
    }
  goban_writer_close (self, ']');
}

static void
add_start (GobanWriter *self, const GobanDecisionLog *log, GobanTask task)
{
  guint n = goban_decision_log_get_n_nodes (log);
  g_autofree gint32 *values = g_new (gint32, MAX (n, 1));

  for (guint v = 0; v < n; v++)
    {
      guint32 choice = goban_decision_log_get_start_choice (log, task, v);

      values[v] = choice != GOBAN_NOT_CHOSEN ? (gint32) choice : -1;
    }
  goban_writer_add_rows (self, goban_task_get_name (task), values, n);
}

/* "4 0>1 0.625 0.5 0-1,7" */
static void
append_change (GString *text, const GobanLogChange *change)
{
  g_string_append_printf (text, "\"%u ", change->row);
  if (change->from != GOBAN_NOT_CHOSEN)
    g_string_append_printf (text, "%u", change->from);
  else
    g_string_append_c (text, '-');
  g_string_append_printf (text, ">%u ", change->to);
  append_float (text, change->probability);
  g_string_append_c (text, ' ');
  append_float (text, change->entropy);
  g_string_append_c (text, ' ');
  for (guint first = 0, end; first < change->n_nodes; first = end)
    {
      for (end = first + 1;
           end < change->n_nodes && change->nodes[end] == change->nodes[end - 1] + 1;)
        end++;
      g_string_append (text, first > 0 ? "," : "");
      goban_writer_append_int (text, (gint32) change->nodes[first]);
      if (end - first > 1)
        {
          g_string_append_c (text, '-');
          goban_writer_append_int (text, (gint32) change->nodes[end - 1]);
        }
    }
  g_string_append_c (text, '"');
}

static void
add_changes (GobanWriter *self, const GobanDecisionMove *move, GobanTask task)
{
  gboolean is_open = FALSE;

  for (guint c = 0; c < move->n_changes; c++)
    {
      if (move->changes[c].task != task)
        continue;
      if (!is_open)
        {
          goban_writer_add_key (self, goban_task_get_name (task));
          goban_writer_open (self, '[');
        }
      is_open = TRUE;
      goban_writer_begin_line (self);
      append_change (self->text, &move->changes[c]);
    }
  if (is_open)
    goban_writer_close (self, ']');
}

/* Returns the length of its probabilities. */
static gsize
add_step (GobanWriter *self, const GobanDecisionLog *log, guint step, guint first)
{
  const GobanDecisionMove *move = goban_decision_log_get_step (log, step);
  gsize before, length;

  goban_writer_begin_line (self);
  goban_writer_open (self, '{');
  if (isfinite (move->after_us))
    goban_writer_add_number (self, "after_us", move->after_us);
  goban_writer_add_count (self, "evaluation", move->evaluation);
  add_changes (self, move, GOBAN_TASK_FUSION);
  add_changes (self, move, GOBAN_TASK_PLACEMENT);
  before = self->text->len;
  goban_session_write_probabilities (self, log, step, first);
  length = self->text->len - before;
  goban_writer_add_count (self, "rows", move->n_rows);
  add_changes (self, move, GOBAN_TASK_SCHEDULING);
  goban_writer_add_count (self, "update", move->update);
  goban_writer_close (self, '}');
  return length;
}

static gboolean
knows_entropy (const GobanDecisionLog *log, GobanTask task)
{
  for (guint v = 0; v < goban_decision_log_get_n_nodes (log); v++)
    if (!isnan (goban_decision_log_get_entropy (log, task, v)))
      return TRUE;
  return FALSE;
}

/* An object with a list for each task that is decided. */
static void
add_tasks (GobanWriter *self, const char *key, const GobanDecisionLog *log,
           void (*add) (GobanWriter *self, const GobanDecisionLog *log, GobanTask task))
{
  goban_writer_add_key (self, key);
  goban_writer_open (self, '{');
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (goban_tasks_have (goban_decision_log_get_decisions (log), (GobanTask) k)
        && (add != add_entropies || knows_entropy (log, (GobanTask) k)))
      add (self, log, (GobanTask) k);
  goban_writer_close (self, '}');
}

gboolean
goban_session_write_decisions (GobanWriter *self, const GobanDecisionLog *log)
{
  gsize before = self->text->len;
  gboolean had_before = self->has_before;
  g_autofree char *tasks = goban_tasks_to_text (goban_decision_log_get_decisions (log));
  double start_us = goban_decision_log_get_start_us (log);
  guint first = goban_session_find_probabilities (log);
  gsize size, beside = 0; /* that of probabilities has a limit of its own */

  goban_writer_add_key (self, "decisions");
  goban_writer_open (self, '{');
  add_tasks (self, "entropies", log, add_entropies);
  goban_writer_add_count (self, "folded", goban_decision_log_get_n_folded (log));
  add_tasks (self, "start", log, add_start);
  if (isfinite (start_us))
    goban_writer_add_number (self, "start_us", start_us);
  goban_writer_add_key (self, "steps");
  goban_writer_open (self, '[');
  for (guint s = 0; s < goban_decision_log_get_n_steps (log)
                    && self->text->len - before - beside <= GOBAN_SESSION_DECISIONS_BYTES;
       s++)
    beside += add_step (self, log, s, first);
  goban_writer_close (self, ']');
  goban_writer_add_text (self, "tasks", tasks);
  goban_writer_close (self, '}');

  size = self->text->len - before - beside;
  if (size <= GOBAN_SESSION_DECISIONS_BYTES)
    return TRUE;
  g_string_truncate (self->text, before);
  self->has_before = had_before;
  goban_writer_add_count (self, "decisions_left_out", goban_decision_log_get_n_steps (log));
  return FALSE;
}

/* --- reading ---------------------------------------------------------------------------------- */

static gboolean
scan_float (const char **text, float *value)
{
  char *end;

  if (**text == '-' && (*text)[1] != '.' && !g_ascii_isdigit ((*text)[1]))
    {
      *value = (float) NAN;
      (*text)++;
      return TRUE;
    }
  if (!g_ascii_isdigit (**text))
    return FALSE;
  *value = (float) g_ascii_strtod (*text, &end);
  *text = end;
  return isfinite (*value);
}

/* "0-1,7", ascending, to the end of the text. */
static gboolean
scan_nodes (const char *text, guint n_nodes, GArray *nodes)
{
  guint64 least = 0;

  do
    {
      guint first, last;

      if (!goban_scan_uint (&text, G_MAXUINT32, &first) || first < least)
        return FALSE;
      last = first;
      if (goban_scan_char (&text, '-') && !goban_scan_uint (&text, G_MAXUINT32, &last))
        return FALSE;
      if (last < first || last >= n_nodes)
        return FALSE;
      for (guint v = first; v <= last; v++)
        g_array_append_val (nodes, v);
      least = (guint64) last + 1;
    }
  while (goban_scan_char (&text, ','));
  return *text == '\0';
}

/* State of the reader. */
typedef struct
{
  GobanReader *reader;
  GobanDecisionLog *log;
  guint n_devices;
} Reading;

/* A step in the making: nodes of changes are offsets until the last one is there. */
typedef struct
{
  GArray *changes; /* of GobanLogChange */
  GArray *nodes;   /* of GobanNodeId */
} Draft;

static gboolean
scan_change (const Reading *self, const char *text, GobanLogChange *change, GArray *nodes)
{
  guint n_choices = change->task == GOBAN_TASK_PLACEMENT ? self->n_devices : MOST_CHOICES;
  guint before = nodes->len;

  if (!goban_scan_uint (&text, G_MAXUINT32, &change->row) || !goban_scan_char (&text, ' '))
    return FALSE;
  change->from = GOBAN_NOT_CHOSEN;
  if (!goban_scan_char (&text, '-') && !goban_scan_uint (&text, G_MAXUINT32, &change->from))
    return FALSE;
  if (!goban_scan_char (&text, '>') || !goban_scan_uint (&text, G_MAXUINT32, &change->to)
      || change->to >= n_choices || !goban_scan_char (&text, ' ')
      || !scan_float (&text, &change->probability) || !goban_scan_char (&text, ' ')
      || !scan_float (&text, &change->entropy) || !goban_scan_char (&text, ' ')
      || !scan_nodes (text, goban_decision_log_get_n_nodes (self->log), nodes))
    return FALSE;
  change->n_nodes = nodes->len - before;
  return TRUE;
}

static gboolean
read_changes (const Reading *self, GobanJsonValue place, GobanTask task, Draft *draft,
              GError **error)
{
  const char *name = goban_task_get_name (task);
  g_autofree const char **lines = NULL;

  if (!goban_json_get_texts (place, name, &lines, error))
    return FALSE;
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      GobanLogChange change = { .task = task };

      if (!scan_change (self, lines[i], &change, draft->nodes))
        return goban_json_refuse_value (goban_json_get_element (place, name, i),
                                        N_ ("“ROW FROM>TO PROBABILITY ENTROPY NODES”"), error);
      g_array_append_val (draft->changes, change);
    }
  return TRUE;
}

static gboolean
finish_step (const Reading *self, GobanJsonValue place, GobanDecisionMove *move, const Draft *draft,
             GError **error)
{
  const GobanNodeId *nodes = (const GobanNodeId *) (gpointer) draft->nodes->data;

  for (guint c = 0; c < draft->changes->len; c++)
    {
      GobanLogChange *change = &g_array_index (draft->changes, GobanLogChange, c);

      change->nodes = nodes;
      nodes += change->n_nodes;
    }
  move->changes = (const GobanLogChange *) (gpointer) draft->changes->data;
  move->n_changes = draft->changes->len;
  return goban_decision_log_add_known (self->log, move)
         || goban_json_refuse (place, error, "a change does not lead on from the step before");
}

static gboolean
read_step (const Reading *self, GobanJsonValue place, GError **error)
{
  static const char *const keys[]
      = { "after_us", "evaluation", "fusion", "placement", "probabilities",
          "rows",     "scheduling", "update", NULL };
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (GobanLogChange));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  Draft draft = { changes, nodes };
  GobanDecisionMove move = { .after_us = (double) NAN };
  guint64 rows = 0, update = 0;

  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_number (place, "after_us", GOBAN_JSON_AMOUNT, &move.after_us, error)
      || !goban_reader_read_count (place, "evaluation", &move.evaluation, error)
      || !goban_reader_read_count (place, "rows", &rows, error)
      || !goban_reader_read_count (place, "update", &update, error))
    return FALSE;
  move.n_rows = (guint) MIN (rows, G_MAXUINT32);
  move.update = (guint) MIN (update, G_MAXUINT32);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (!read_changes (self, place, (GobanTask) k, &draft, error))
      return FALSE;
  return finish_step (self, place, &move, &draft, error)
         && goban_session_read_probabilities (place, self->n_devices, self->log, error);
}

static gboolean
read_steps (const Reading *self, GobanJsonValue place, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (place, "steps", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read_step (self, item, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_start (const Reading *self, GobanJsonValue place, GError **error)
{
  static const char *const keys[] = { "fusion", "placement", "scheduling", NULL };
  guint n_nodes = goban_decision_log_get_n_nodes (self->log);
  GobanJsonValue inner = goban_json_find (place, "start");
  guint32 *choices[GOBAN_N_TASKS] = { NULL };
  double start_us = (double) NAN;
  gboolean is_right
      = goban_json_check_object (inner, keys, error)
        && goban_json_get_number (place, "start_us", GOBAN_JSON_AMOUNT, &start_us, error);

  for (guint k = 0; is_right && k < GOBAN_N_TASKS; k++)
    {
      const char *name = goban_task_get_name ((GobanTask) k);
      guint n_choices = k == GOBAN_TASK_PLACEMENT ? self->n_devices : MOST_CHOICES;
      gint32 *values = NULL;

      if (!goban_tasks_have (goban_decision_log_get_decisions (self->log), (GobanTask) k))
        continue;
      is_right = goban_reader_read_rows (inner, name, n_nodes, &values, error);
      choices[k] = (guint32 *) values;
      if (is_right && values == NULL)
        is_right = goban_json_refuse_missing (inner, name, error);
      /* -1: no choice, as in the log. */
      for (guint v = 0; is_right && v < n_nodes; v++)
        if (choices[k][v] != GOBAN_NOT_CHOSEN && choices[k][v] >= n_choices)
          is_right = goban_json_refuse (goban_json_find (inner, name), error,
                                        "there is no choice %d", (int) choices[k][v]);
    }
  if (is_right)
    goban_decision_log_begin (
        self->log, choices,
        (GobanOutcome){ isfinite (start_us) ? start_us : (double) INFINITY, 0 });
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    g_free (choices[k]);
  return is_right;
}

/* "0.5 3*0.25 28*-" */
static gboolean
scan_entropies (const char *text, float *values, guint n)
{
  guint filled = 0;

  while (filled < n)
    {
      const char *begin = text;
      guint count = 1;
      float value;

      if (!goban_scan_uint (&text, G_MAXUINT32, &count) || !goban_scan_char (&text, '*'))
        {
          count = 1;
          text = begin;
        }
      if (!scan_float (&text, &value) || count < 1 || count > n - filled)
        return FALSE;
      while (count-- > 0)
        values[filled++] = value;
      if (filled < n && !goban_scan_char (&text, ' '))
        return FALSE;
    }
  return *text == '\0';
}

static gboolean
read_entropies_of (const Reading *self, GobanJsonValue place, GobanTask task, GError **error)
{
  const char *name = goban_task_get_name (task);
  guint n = goban_decision_log_get_n_nodes (self->log);
  guint n_rows = n / GOBAN_SESSION_ROW + (n % GOBAN_SESSION_ROW != 0);
  g_autofree float *values = g_new (float, MAX (n, 1));
  g_autofree const char **rows = NULL;

  if (!goban_json_get_texts (place, name, &rows, error))
    return FALSE;
  if (rows == NULL)
    return TRUE;
  for (guint i = 0; i < MAX (n_rows, g_strv_length ((char **) rows)); i++)
    {
      guint from = i * GOBAN_SESSION_ROW;

      if (i >= n_rows || rows[i] == NULL
          || !scan_entropies (rows[i], values + from, MIN (n - from, GOBAN_SESSION_ROW)))
        return goban_json_refuse (place, error, "%s: row %u is not one of %u numbers", name, i + 1,
                                  n);
    }
  if (!goban_tasks_have (goban_decision_log_get_decisions (self->log), task))
    return goban_json_refuse (place, error, "%s was not decided", name);
  goban_decision_log_set_entropies (self->log, task, values);
  return TRUE;
}

static gboolean
read_entropies (const Reading *self, GobanJsonValue place, GError **error)
{
  static const char *const keys[] = { "fusion", "placement", "scheduling", NULL };
  GobanJsonValue inner = goban_json_find (place, "entropies");

  if (goban_json_is_missing (inner))
    return TRUE;
  if (!goban_json_check_object (inner, keys, error))
    return FALSE;
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (!read_entropies_of (self, inner, (GobanTask) k, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_log (GobanReader *reader, GobanJsonValue inner, guint n_devices, GobanDecisionLog **log,
          GError **error)
{
  static const char *const keys[]
      = { "entropies", "folded", "!start", "start_us", "!steps", "tasks", NULL };
  g_autoptr (GobanDecisionLog) draft = NULL;
  g_autoptr (GError) local = NULL;
  Reading reading = { reader, NULL, n_devices };
  GobanTasks decisions;
  const char *tasks = "";
  guint64 folded = 0;

  if (!goban_json_check_object (inner, keys, error)
      || !goban_json_get_text (inner, "tasks", &tasks, error)
      || !goban_reader_read_count (inner, "folded", &folded, error))
    return FALSE;
  if (!goban_tasks_parse (tasks, &decisions, &local))
    return goban_json_refuse (goban_json_find (inner, "tasks"), error, "%s", local->message);
  draft = goban_decision_log_new (goban_graph_get_n_nodes (reader->snapshot->graph), decisions);
  reading.log = draft;
  if (!read_start (&reading, inner, error) || !read_steps (&reading, inner, error)
      || !read_entropies (&reading, inner, error))
    return FALSE;
  goban_decision_log_set_folded (draft, (guint) MIN (folded, G_MAXUINT32 / 2));
  *log = g_steal_pointer (&draft);
  return TRUE;
}

gboolean
goban_session_read_decisions (GobanReader *self, GobanJsonValue place, guint n_devices,
                              GobanDecisionLog **log, GError **error)
{
  GobanJsonValue decisions = goban_json_find (place, "decisions");

  if (!goban_reader_warn_of_left_out (self, place, "decisions_left_out", error))
    return FALSE;
  return goban_json_is_missing (decisions) || read_log (self, decisions, n_devices, log, error);
}
