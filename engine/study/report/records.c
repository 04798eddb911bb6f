#include "engine/study/report/records.h"

#include <math.h>

#define MAX_DESCRIBED 3

GobanRecords *
goban_records_new (guint n_columns, guint n_rows)
{
  GobanRecords *self = g_new0 (GobanRecords, 1);

  g_atomic_ref_count_init (&self->n_references);
  self->n_columns = n_columns;
  self->n_rows = n_rows;
  self->columns = g_new0 (GobanRecordColumn, n_columns);
  for (guint c = 0; c < n_columns; c++)
    {
      self->columns[c].texts = g_new0 (char *, n_rows);
      self->columns[c].numbers = g_new (double, n_rows);
      for (guint i = 0; i < n_rows; i++)
        self->columns[c].numbers[i] = NAN;
    }
  self->references = goban_references_new ();
  g_ptr_array_set_size (self->references, (int) n_rows);
  return self;
}

GobanRecords *
goban_records_ref (GobanRecords *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_records_unref (GobanRecords *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->n_references))
    return;
  for (guint c = 0; c < self->n_columns; c++)
    {
      for (guint i = 0; i < self->n_rows; i++)
        g_free (self->columns[c].texts[i]);
      g_free (self->columns[c].texts);
      g_free (self->columns[c].numbers);
      g_free (self->columns[c].name);
    }
  g_free (self->columns);
  g_ptr_array_unref (self->references);
  g_free (self);
}

const char *
goban_records_get_text (const GobanRecords *self, guint column, guint row)
{
  const char *text = self->columns[column].texts[row];

  return text != NULL ? text : "";
}

int
goban_records_compare (const GobanRecords *self, guint column, guint a, guint b)
{
  double x = self->columns[column].numbers[a], y = self->columns[column].numbers[b];

  if (!isnan (x) && !isnan (y))
    return (x > y) - (x < y);
  if (isnan (x) != isnan (y))
    return isnan (x) ? 1 : -1;
  /* Empty cells come last. */
  if ((*goban_records_get_text (self, column, a) == '\0')
      != (*goban_records_get_text (self, column, b) == '\0'))
    return *goban_records_get_text (self, column, a) == '\0' ? 1 : -1;
  return g_utf8_collate (goban_records_get_text (self, column, a),
                         goban_records_get_text (self, column, b));
}

char *
goban_records_describe (const GobanRecords *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, self->n_rows == 1 ? "%u row" : "%u rows", self->n_rows);
  for (guint c = 0; c < self->n_columns; c++)
    g_string_append_printf (text, "%s%s", c == 0 ? ": " : ", ", self->columns[c].name);
  for (guint i = 0; i < MIN (self->n_rows, MAX_DESCRIBED); i++)
    for (guint c = 0; c < self->n_columns; c++)
      g_string_append_printf (text, "%s%s", c == 0 ? "; " : ", ",
                              goban_records_get_text (self, c, i));
  if (self->n_rows > MAX_DESCRIBED)
    g_string_append (text, "; …");
  return g_string_free (text, FALSE);
}
