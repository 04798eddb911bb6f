#include "engine/session/document/session-file-record.h"

#include "engine/core/quantity.h"
#include "engine/session/document/session-file.h"

#include <math.h>

/* --- writing ---------------------------------------------------------------------------------- */

static void
append_value (GString *text, double value)
{
  char digits[GOBAN_QUANTITY_LEN];

  if (isnan (value))
    g_string_append_c (text, '-');
  else
    g_string_append (text, isinf (value) ? "inf" : goban_format_double (digits, value));
}

static void
append_single (GString *text, float value)
{
  char digits[GOBAN_QUANTITY_LEN];

  g_string_append (text, isfinite (value) ? goban_format_float (digits, value) : "-");
}

/* "0-1,7" */
static void
append_nodes (GString *text, const GobanNodeId *nodes, guint n)
{
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && nodes[end] == nodes[end - 1] + 1;)
        end++;
      g_string_append (text, first > 0 ? "," : "");
      goban_writer_append_int (text, (gint32) nodes[first]);
      if (end - first > 1)
        {
          g_string_append_c (text, '-');
          goban_writer_append_int (text, (gint32) nodes[end - 1]);
        }
    }
}

/* Notes in the order of their first use. */
typedef struct
{
  GobanWriter *writer;
  const GobanPlacementRecord *record;
  GPtrArray *notes;
  gboolean has_candidates;
} Writing;

/* The list ends with NULL once all are known. */
static gboolean
is_same_text (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b) == 0;
}

static guint
find_note (const Writing *self, const char *note)
{
  guint i = 0;

  if (!g_ptr_array_find_with_equal_func (self->notes, note, is_same_text, &i))
    {
      i = self->notes->len;
      g_ptr_array_add (self->notes, (gpointer) note);
    }
  return i;
}

static void
collect_notes (const Writing *self)
{
  const GobanPlacementRecord *record = self->record;
  guint n_choices = goban_placement_record_get_n_choices (record);

  for (guint k = 1; k <= n_choices; k++)
    {
      GobanPlacementChoice choice = goban_placement_record_get_choice (record, k);

      if (choice.note != NULL)
        find_note (self, choice.note);
    }
  for (guint k = 1; n_choices == 0 && k <= goban_placement_record_get_n_plans (record); k++)
    {
      const GobanPlanStep *step
          = goban_plan_chain_get_step (goban_placement_record_get_plans (record), k);

      if (step->note != NULL)
        find_note (self, step->note);
    }
}

static void
append_choice (const Writing *self, const GobanPlacementChoice *choice)
{
  GString *text = self->writer->text;
  guint n_devices = goban_placement_record_get_n_devices (self->record);

  append_nodes (text, choice->nodes, choice->n_nodes);
  g_string_append_printf (text, ">%u ", choice->device);
  append_single (text, choice->key);
  g_string_append_c (text, ' ');
  append_single (text, choice->start_us);
  g_string_append_c (text, ' ');
  append_single (text, choice->finish_us);
  g_string_append_c (text, ' ');
  if (choice->note != NULL)
    g_string_append_printf (text, "%u", find_note (self, choice->note));
  else
    g_string_append_c (text, '-');
  for (guint d = 0; self->has_candidates && choice->candidates != NULL && d < n_devices; d++)
    {
      g_string_append_c (text, ' ');
      append_single (text, choice->candidates[d]);
      if (choice->refusals[d] != 0)
        g_string_append_printf (text, "!%u", choice->refusals[d]);
    }
}

static gboolean
has_room (const Writing *self, gsize before)
{
  return self->writer->text->len - before <= GOBAN_SESSION_RECORD_BYTES;
}

static void
add_choices (const Writing *self, gsize before)
{
  guint n = goban_placement_record_get_n_choices (self->record);

  goban_writer_add_key (self->writer, "choices");
  goban_writer_open (self->writer, '[');
  for (guint k = 1; k <= n && has_room (self, before); k += GOBAN_SESSION_ROW)
    {
      goban_writer_begin_line (self->writer);
      g_string_append_c (self->writer->text, '"');
      for (guint i = k; i <= n && i < k + GOBAN_SESSION_ROW; i++)
        {
          GobanPlacementChoice choice = goban_placement_record_get_choice (self->record, i);

          g_string_append (self->writer->text, i > k ? ";" : "");
          append_choice (self, &choice);
        }
      g_string_append_c (self->writer->text, '"');
    }
  goban_writer_close (self->writer, ']');
}

static void
add_changes (const Writing *self, guint n)
{
  const GobanPlanChain *plans = goban_placement_record_get_plans (self->record);
  g_autoptr (GArray) changes = goban_plan_chain_list_changes (plans, n);

  goban_writer_add_key (self->writer, "changes");
  goban_writer_open (self->writer, '[');
  for (guint first = 0; first < changes->len; first += GOBAN_SESSION_ROW)
    {
      goban_writer_begin_line (self->writer);
      g_string_append_c (self->writer->text, '"');
      for (guint i = first; i < changes->len && i < first + GOBAN_SESSION_ROW; i++)
        {
          const GobanPlanChange *change = &g_array_index (changes, GobanPlanChange, i);

          g_string_append_printf (self->writer->text, "%s%u>%u:%d", i > first ? " " : "",
                                  change->node, change->device, (int) change->priority);
        }
      g_string_append_c (self->writer->text, '"');
    }
  goban_writer_close (self->writer, ']');
}

static void
add_plan (const Writing *self, guint n)
{
  GobanWriter *writer = self->writer;
  const GobanPlanChain *plans = goban_placement_record_get_plans (self->record);
  const GobanPlanStep *step = goban_plan_chain_get_step (plans, n);
  const GobanPlan *whole = goban_plan_chain_get_whole (plans, n);
  guint n_nodes = goban_placement_record_get_n_nodes (self->record);
  g_autofree gint32 *devices = g_new (gint32, MAX (n_nodes, 1));

  for (GobanNodeId v = 0; whole != NULL && v < n_nodes; v++)
    devices[v] = goban_plan_get_device (whole, v);
  goban_writer_begin_line (writer);
  goban_writer_open (writer, '{');
  if (isfinite (step->after_us))
    goban_writer_add_number (writer, "after_us", step->after_us);
  if (whole == NULL)
    add_changes (self, n);
  else
    goban_writer_add_rows (writer, "devices", devices, n_nodes);
  goban_writer_add_count (writer, "evaluation", step->evaluation);
  if (whole != NULL && goban_plan_is_fused (whole))
    goban_writer_add_rows (writer, "fusions", goban_plan_get_fusions (whole), n_nodes);
  if (step->note != NULL)
    goban_writer_add_count (writer, "note", find_note (self, step->note));
  if (whole != NULL)
    {
      goban_writer_add_text (writer, "order",
                             goban_plan_get_order (whole) == GOBAN_ORDER_PRIORITY ? "priority"
                                                                                  : "fifo");
      goban_writer_add_rows (writer, "priorities", goban_plan_get_priorities (whole), n_nodes);
    }
  if (whole != NULL && goban_plan_get_transfer_priorities (whole) != NULL)
    goban_writer_add_rows (writer, "transfers", goban_plan_get_transfer_priorities (whole),
                           goban_plan_get_n_tensors (whole));
  goban_writer_close (writer, '}');
}

static void
add_plans (const Writing *self, gsize before)
{
  goban_writer_add_key (self->writer, "plans");
  goban_writer_open (self->writer, '[');
  for (guint k = 1;
       k <= goban_placement_record_get_n_plans (self->record) && has_room (self, before); k++)
    add_plan (self, k);
  goban_writer_close (self->writer, ']');
}

static void
add_rows (const Writing *self, gsize before)
{
  guint n_columns = goban_placement_record_get_n_columns (self->record);
  guint n_rows = goban_placement_record_get_n_rows (self->record);

  goban_writer_add_key (self->writer, "rows");
  goban_writer_open (self->writer, '[');
  for (guint first = 0; first < n_rows && has_room (self, before); first += GOBAN_SESSION_ROW)
    {
      goban_writer_begin_line (self->writer);
      g_string_append_c (self->writer->text, '"');
      for (guint r = first; r < n_rows && r < first + GOBAN_SESSION_ROW; r++)
        for (guint c = 0; c < n_columns; c++)
          {
            g_string_append (self->writer->text, c > 0 ? " " : r > first ? ";" : "");
            append_value (self->writer->text, goban_placement_record_get_row (self->record, r)[c]);
          }
      g_string_append_c (self->writer->text, '"');
    }
  goban_writer_close (self->writer, ']');
}

static void
add_word (const Writing *self, const char *key, const char *word)
{
  if (word != NULL)
    goban_writer_add_text (self->writer, key, word);
}

/* Nodes without a choice: of a step that is kept as a plan. */
static guint
count_undecided (const GobanPlacementRecord *record)
{
  guint n = goban_placement_record_get_n_nodes (record);

  for (guint k = 1; k <= goban_placement_record_get_n_choices (record); k++)
    n -= goban_placement_record_get_choice (record, k).n_nodes;
  return n;
}

/* Keys ascend. */
static void
add_record (const Writing *self, gsize before)
{
  static const GobanChoiceWords no_words;
  GobanWriter *writer = self->writer;
  const GobanPlacementRecord *record = self->record;
  gboolean has_choices = goban_placement_record_get_words (record) != NULL;
  const GobanChoiceWords *words
      = has_choices ? goban_placement_record_get_words (record) : &no_words;
  gboolean has_plans = !has_choices && goban_placement_record_get_n_plans (record) > 0;
  const GobanRecordTable *table = goban_placement_record_get_table (record);

  if (goban_placement_record_get_n_rows (record) == 0)
    table = NULL;
  goban_writer_add_key (writer, "record");
  goban_writer_open (writer, '{');
  add_word (self, "candidate", words->candidate);
  if (has_choices)
    add_choices (self, before);
  if (table != NULL)
    goban_writer_add_texts (writer, "columns", table->names);
  if (has_plans)
    goban_writer_add_count (
        writer, "folded",
        goban_plan_chain_get_n_folded (goban_placement_record_get_plans (record)));
  if (table != NULL)
    goban_writer_add_count (writer, "folded_rows",
                            goban_placement_record_get_n_folded_rows (record));
  add_word (self, "key", words->key);
  if (table != NULL && table->kinds != NULL)
    goban_writer_add_texts (writer, "kinds", table->kinds);
  if (self->notes->len > 1)
    goban_writer_add_texts (writer, "notes", (const char *const *) self->notes->pdata);
  if (has_plans)
    add_plans (self, before);
  add_word (self, "reason", goban_placement_record_get_reason (record));
  if (table != NULL)
    add_rows (self, before);
  goban_writer_add_true (writer, "takes_least", words->takes_least);
  add_word (self, "ties", words->ties);
  if (has_choices && count_undecided (record) > 0)
    goban_writer_add_count (writer, "undecided", count_undecided (record));
  goban_writer_close (writer, '}');
}

gboolean
goban_session_write_record (GobanWriter *self, const GobanPlacementRecord *record)
{
  gsize before = self->text->len;
  gboolean had_before = self->has_before;

  for (guint try = 0; try < 2; try++)
    {
      g_autoptr (GPtrArray) notes = g_ptr_array_new ();
      const Writing writing = { self, record, notes, try == 0 };

      collect_notes (&writing);
      g_ptr_array_add (notes, NULL);
      add_record (&writing, before);
      if (has_room (&writing, before))
        return TRUE;
      g_string_truncate (self->text, before);
      self->has_before = had_before;
    }
  goban_writer_add_count (self, "record_left_out", goban_placement_record_get_n_steps (record));
  return FALSE;
}
