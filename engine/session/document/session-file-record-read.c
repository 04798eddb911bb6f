#include "engine/machine/plan/placement-record-writer.h"
#include "engine/session/document/session-file-record.h"
#include "engine/session/document/text-scan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Fewer than a record can have. */
#define MOST_NOTES 200

typedef struct
{
  const GobanPlan *plan;
  GobanPlacementRecord *record;
  guint n_nodes;
  guint n_devices;
  const char **notes; /* owned by the record */
  guint n_notes;
  GArray *nodes;   /* of GobanNodeId: of a choice */
  guint8 *is_seen; /* (n_nodes) */
} Reading;

/* "-": NAN; "inf". */
static gboolean
scan_number (const char **text, double *value)
{
  char *end;

  *value = (double) NAN;
  if (**text == '-' && !g_ascii_isdigit ((*text)[1]))
    return goban_scan_char (text, '-');
  if (g_str_has_prefix (*text, "inf"))
    {
      *value = INFINITY;
      *text += strlen ("inf");
      return TRUE;
    }
  if (!g_ascii_isdigit (**text) && **text != '-')
    return FALSE;
  *value = g_ascii_strtod (*text, &end);
  *text = end;
  return isfinite (*value);
}

static gboolean
scan_single (const char **text, float *value)
{
  double number;

  if (!goban_scan_char (text, ' ') || !scan_number (text, &number) || isinf (number))
    return FALSE;
  *value = (float) number;
  return isfinite (*value) || isnan (number);
}

/* Each node once in all choices. */
static gboolean
scan_nodes (const Reading *self, const char **text)
{
  g_array_set_size (self->nodes, 0);
  do
    {
      guint first, last;

      if (!goban_scan_uint (text, self->n_nodes, &first))
        return FALSE;
      last = first;
      if (goban_scan_char (text, '-') && !goban_scan_uint (text, self->n_nodes, &last))
        return FALSE;
      for (guint v = first; v <= last; v++)
        {
          if (self->is_seen[v])
            return FALSE;
          self->is_seen[v] = TRUE;
          g_array_append_val (self->nodes, v);
        }
    }
  while (goban_scan_char (text, ','));
  return self->nodes->len > 0;
}

static gboolean
scan_candidates (const Reading *self, const char **text)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      float candidate;
      guint refusals = 0;

      if (!scan_single (text, &candidate)
          || (goban_scan_char (text, '!')
              && !goban_scan_uint (text, 1u << GOBAN_N_REFUSALS, &refusals)))
        return FALSE;
      goban_placement_record_weigh (self->record, (GobanDeviceId) d, (double) candidate, refusals);
    }
  return TRUE;
}

static gboolean
scan_note (const Reading *self, const char **text, const char **note)
{
  guint index;

  *note = NULL;
  if (goban_scan_char (text, '-'))
    return TRUE;
  if (!goban_scan_uint (text, self->n_notes, &index))
    return FALSE;
  *note = self->notes[index];
  return TRUE;
}

/* The devices are those of the plan. */
static gboolean
scan_choice (const Reading *self, const char **text)
{
  GobanPlacementChoice choice = { 0 };
  guint device;

  if (!scan_nodes (self, text) || !goban_scan_char (text, '>')
      || !goban_scan_uint (text, self->n_devices, &device) || !scan_single (text, &choice.key)
      || !scan_single (text, &choice.start_us) || !scan_single (text, &choice.finish_us)
      || !goban_scan_char (text, ' ') || !scan_note (self, text, &choice.note))
    return FALSE;
  choice.nodes = (const GobanNodeId *) (gpointer) self->nodes->data;
  choice.n_nodes = self->nodes->len;
  choice.device = (GobanDeviceId) device;
  for (guint i = 0; i < choice.n_nodes; i++)
    if (goban_plan_get_device (self->plan, choice.nodes[i]) != device)
      return FALSE;
  if (**text != ' ')
    {
      goban_placement_record_carry (self->record, &choice);
      return TRUE;
    }
  if (!scan_candidates (self, text))
    return FALSE;
  goban_placement_record_choose (self->record, &choice);
  return TRUE;
}

static gboolean
refuse (GobanJsonValue place, GError **error)
{
  return goban_json_refuse (place, error,
                            "it does not match the graph, the plan, or the rest of the record");
}

static gboolean
refuse_line (GobanJsonValue place, const char *key, guint line, GError **error)
{
  return refuse (goban_json_get_element (place, key, line), error);
}

static gboolean
scan_choices (const Reading *self, const char *line)
{
  do
    if (!scan_choice (self, &line))
      return FALSE;
  while (goban_scan_char (&line, ';'));
  return *line == '\0';
}

static gboolean
read_choices (const Reading *self, GobanJsonValue place, GError **error)
{
  g_autofree const char **lines = NULL;
  guint64 n_undecided = 0;

  if (!goban_json_get_texts (place, "choices", &lines, error)
      || !goban_reader_read_count (place, "undecided", &n_undecided, error))
    return FALSE;
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (!scan_choices (self, lines[i]))
      return refuse_line (place, "choices", i, error);
  for (guint v = 0; v < self->n_nodes; v++)
    if (!self->is_seen[v] && n_undecided-- == 0)
      return goban_json_refuse (place, error, "no choice is for node %u", v);
  return n_undecided == 0 || refuse (goban_json_find (place, "undecided"), error);
}

/* --- plans ------------------------------------------------------------------------------------ */

static gboolean
scan_changes (const Reading *self, const char *line, GobanPlan *plan)
{
  do
    {
      guint node, device;
      double priority;

      if (!goban_scan_uint (&line, self->n_nodes, &node) || !goban_scan_char (&line, '>')
          || !goban_scan_uint (&line, self->n_devices, &device) || !goban_scan_char (&line, ':')
          || !scan_number (&line, &priority) || priority != floor (priority)
          || fabs (priority) > G_MAXINT32)
        return FALSE;
      goban_plan_set_device (plan, node, (GobanDeviceId) device);
      goban_plan_set_priority (plan, node, (gint32) priority);
    }
  while (goban_scan_char (&line, ' '));
  return *line == '\0';
}

static gboolean
read_changes (const Reading *self, GobanJsonValue place, GobanPlan *plan, GError **error)
{
  g_autofree const char **lines = NULL;

  if (!goban_json_get_texts (place, "changes", &lines, error))
    return FALSE;
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (!scan_changes (self, lines[i], plan))
      return refuse_line (place, "changes", i, error);
  return TRUE;
}

static gboolean
read_values (const Reading *self, GobanJsonValue place, GobanPlan *plan, GError **error)
{
  g_autofree gint32 *devices = NULL;
  g_autofree gint32 *fusions = NULL;
  g_autofree gint32 *priorities = NULL;
  g_autofree gint32 *transfers = NULL;

  if (!goban_reader_read_rows (place, "devices", self->n_nodes, &devices, error)
      || !goban_reader_read_rows (place, "fusions", self->n_nodes, &fusions, error)
      || !goban_reader_read_rows (place, "priorities", self->n_nodes, &priorities, error)
      || !goban_reader_read_rows (place, "transfers", goban_plan_get_n_tensors (plan), &transfers,
                                  error))
    return FALSE;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      if (devices != NULL && (devices[v] < 0 || (guint) devices[v] >= self->n_devices))
        return goban_json_refuse (goban_json_get_element (place, "devices", v / GOBAN_SESSION_ROW),
                                  error, "there is no device %d, only 0 to %u", devices[v],
                                  self->n_devices - 1);
      if (devices != NULL)
        goban_plan_set_device (plan, v, (GobanDeviceId) devices[v]);
      if (devices != NULL)
        goban_plan_set_fusion (plan, v, fusions != NULL ? fusions[v] : GOBAN_NO_FUSION);
      if (priorities != NULL)
        goban_plan_set_priority (plan, v, priorities[v]);
    }
  if (devices != NULL)
    goban_plan_set_transfer_priorities (plan, transfers);
  return TRUE;
}

/* @plan: the one before, to become this one. */
static gboolean
read_plan (const Reading *self, GobanJsonValue place, GobanPlan *plan, GError **error)
{
  static const char *const keys[] = { "after_us", "changes", "devices",    "evaluation", "fusions",
                                      "note",     "order",   "priorities", "transfers",  NULL };
  static const char *const orders[]
      = { [GOBAN_ORDER_FIFO] = "fifo", [GOBAN_ORDER_PRIORITY] = "priority", NULL };
  double after_us = (double) NAN;
  guint64 evaluation = 0, note = G_MAXUINT64;
  guint order = GOBAN_ORDER_FIFO;

  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_number (place, "after_us", GOBAN_JSON_AMOUNT, &after_us, error)
      || !goban_reader_read_count (place, "evaluation", &evaluation, error)
      || !goban_reader_read_count (place, "note", &note, error)
      || !goban_json_get_word (place, "order", orders, &order, error)
      || !read_changes (self, place, plan, error) || !read_values (self, place, plan, error))
    return FALSE;
  if (note != G_MAXUINT64 && note >= self->n_notes)
    return goban_json_refuse (goban_json_find (place, "note"), error,
                              "there is no note %" PRIu64 ", there are %u", note, self->n_notes);
  if (goban_json_has (place, "order"))
    goban_plan_set_order (plan, (GobanOrder) order);
  goban_placement_record_add_plan (self->record, evaluation, plan, after_us,
                                   note != G_MAXUINT64 ? self->notes[note] : NULL);
  return TRUE;
}

static gboolean
read_plans (const Reading *self, GobanJsonValue place, GError **error)
{
  g_autoptr (GobanPlan) plan = goban_plan_copy (self->plan);
  GobanJsonItems items;
  GobanJsonValue item;
  gboolean is_first = TRUE;

  if (!goban_json_get_list (place, "plans", &items, error))
    return FALSE;
  if (items.n > GOBAN_PLAN_CHAIN_MAX_STEPS)
    return goban_json_refuse (goban_json_find (place, "plans"), error, "it has more than %u plans",
                              GOBAN_PLAN_CHAIN_MAX_STEPS);
  for (; goban_json_items_next (&items, &item); is_first = FALSE)
    {
      if (!goban_json_check_object (item, NULL, error))
        return FALSE;
      if (is_first && !goban_json_has (item, "devices"))
        return goban_json_refuse_missing (item, "devices", error);
      if (!read_plan (self, item, plan, error))
        return FALSE;
    }
  return TRUE;
}

/* --- table and words -------------------------------------------------------------------------- */

/* *word: a copy that the record owns; unchanged if it is absent. */
static gboolean
read_word (const Reading *self, GobanJsonValue place, const char *key, const char **word,
           GError **error)
{
  const char *text = NULL;

  if (!goban_json_get_text (place, key, &text, error))
    return FALSE;
  if (text != NULL)
    *word = goban_placement_record_take (self->record, g_strdup (text));
  return TRUE;
}

/* *words: owned by the record, as its items; %NULL if they are absent. */
static gboolean
read_words (const Reading *self, GobanJsonValue place, const char *key, guint most,
            const char ***words, guint *n, GError **error)
{
  g_autofree const char **texts = NULL;

  *n = 0;
  *words = NULL;
  if (!goban_json_get_texts (place, key, &texts, error))
    return FALSE;
  if (texts == NULL)
    return TRUE;
  *n = g_strv_length ((char **) texts);
  if (*n > most)
    return goban_json_refuse (goban_json_find (place, key), error, "there are more than %u", most);
  *words = goban_placement_record_take (self->record, g_new0 (const char *, *n + 1));
  for (guint i = 0; i < *n; i++)
    (*words)[i] = goban_placement_record_take (self->record, g_strdup (texts[i]));
  return TRUE;
}

static gboolean
scan_rows (const Reading *self, const char *line, const GobanRecordTable *table, guint n_kinds)
{
  do
    {
      double row[GOBAN_RECORD_MAX_COLUMNS] = { 0 };

      for (guint c = 0; table->names[c] != NULL; c++)
        {
          if ((c > 0 && !goban_scan_char (&line, ' ')) || !scan_number (&line, &row[c]))
            return FALSE;
          if (table->kinds != NULL && strcmp (table->names[c], "kind") == 0
              && !(row[c] >= 0 && row[c] < n_kinds))
            return FALSE;
        }
      goban_placement_record_add_row (self->record, table, row);
    }
  while (goban_scan_char (&line, ';'));
  return *line == '\0';
}

static gboolean
read_table (const Reading *self, GobanJsonValue place, GError **error)
{
  GobanRecordTable *table
      = goban_placement_record_take (self->record, g_new0 (GobanRecordTable, 1));
  g_autofree const char **lines = NULL;
  const char **names, **kinds;
  guint n_names, n_kinds;

  if (!read_words (self, place, "columns", GOBAN_RECORD_MAX_COLUMNS, &names, &n_names, error)
      || !read_words (self, place, "kinds", MOST_NOTES, &kinds, &n_kinds, error)
      || !goban_json_get_texts (place, "rows", &lines, error))
    return FALSE;
  if (n_names == 0)
    return TRUE;
  memcpy (table->names, names, n_names * sizeof *names);
  table->kinds = kinds;
  goban_placement_record_set_table (self->record, table);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (!scan_rows (self, lines[i], table, n_kinds))
      return refuse_line (place, "rows", i, error);
  return TRUE;
}

static gboolean
read_all_choices (const Reading *self, GobanJsonValue place, GError **error)
{
  GobanChoiceWords *words
      = goban_placement_record_take (self->record, g_new0 (GobanChoiceWords, 1));

  if (!read_word (self, place, "candidate", &words->candidate, error)
      || !read_word (self, place, "key", &words->key, error)
      || !read_word (self, place, "ties", &words->ties, error)
      || !goban_json_get_boolean (place, "takes_least", &words->takes_least, error))
    return FALSE;
  if (!goban_json_has (place, "choices"))
    return TRUE;
  goban_placement_record_begin (self->record, words);
  return read_choices (self, place, error);
}

static gboolean
read_content (Reading *self, GobanJsonValue place, GError **error)
{
  const char *reason = NULL;
  guint64 folded = 0, folded_rows = 0;

  if (!read_words (self, place, "notes", MOST_NOTES, &self->notes, &self->n_notes, error)
      || !read_word (self, place, "reason", &reason, error)
      || !goban_reader_read_count (place, "folded", &folded, error)
      || !goban_reader_read_count (place, "folded_rows", &folded_rows, error)
      || !read_all_choices (self, place, error) || !read_plans (self, place, error)
      || !read_table (self, place, error))
    return FALSE;
  goban_placement_record_set_reason (self->record, reason);
  goban_placement_record_set_folded (self->record, (guint) MIN (folded, G_MAXUINT32 / 2),
                                     folded_rows);
  goban_placement_record_finish (self->record);
  return TRUE;
}

static gboolean
read_record (GobanJsonValue inner, const GobanPlan *plan, GobanPlacementRecord **record,
             GError **error)
{
  static const char *const keys[]
      = { "candidate", "choices",     "columns", "folded",    "folded_rows",
          "key",       "kinds",       "notes",   "plans",     "reason",
          "rows",      "takes_least", "ties",    "undecided", NULL };
  guint n_nodes = goban_plan_get_n_nodes (plan), n_devices = goban_plan_get_n_devices (plan);
  g_autoptr (GobanPlacementRecord) draft = goban_placement_record_new (n_nodes, n_devices);
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autofree guint8 *is_seen = g_new0 (guint8, MAX (n_nodes, 1));
  Reading reading = { .plan = plan,
                      .record = draft,
                      .n_nodes = n_nodes,
                      .n_devices = n_devices,
                      .nodes = nodes,
                      .is_seen = is_seen };

  if (!goban_json_check_object (inner, keys, error) || !read_content (&reading, inner, error))
    return FALSE;
  *record = g_steal_pointer (&draft);
  return TRUE;
}

gboolean
goban_session_read_record (GobanReader *self, GobanJsonValue place, const GobanPlan *plan,
                           GobanPlacementRecord **record, GError **error)
{
  GobanJsonValue inner = goban_json_find (place, "record");

  if (!goban_reader_warn_of_left_out (self, place, "record_left_out", error))
    return FALSE;
  return goban_json_is_missing (inner) || read_record (inner, plan, record, error);
}
