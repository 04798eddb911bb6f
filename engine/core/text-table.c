#include "engine/core/text-table.h"

struct _GobanTable
{
  guint n_columns;
  gboolean *left;
  GPtrArray *cells; /* char *, headings first, row by row */
};

GobanTable *
goban_table_new (const char *const *headings)
{
  GobanTable *self = g_new0 (GobanTable, 1);

  self->n_columns = g_strv_length ((char **) headings);
  self->left = g_new0 (gboolean, self->n_columns);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->n_columns; i++)
    {
      gboolean marked = headings[i][0] == '<';

      self->left[i] = marked || i == 0;
      g_ptr_array_add (self->cells, g_strdup (headings[i] + marked));
    }
  return self;
}

void
goban_table_free (GobanTable *self)
{
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_clear_pointer (&self->left, g_free);
  g_free (self);
}

void
goban_table_add (GobanTable *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->cells, g_strdup_vprintf (format, args));
  va_end (args);
}

static const char *
cell_at (const GobanTable *self, guint row, guint column)
{
  guint i = row * self->n_columns + column;

  return i < self->cells->len ? g_ptr_array_index (self->cells, i) : "";
}

static void
append_blanks (GString *text, glong n)
{
  for (; n > 0; n--)
    g_string_append_c (text, ' ');
}

/* Whether no row has anything in the column. */
static gboolean
is_empty (const GobanTable *self, guint n_rows, guint column)
{
  for (guint row = 1; row < n_rows; row++)
    if (*cell_at (self, row, column) != '\0')
      return FALSE;
  return TRUE;
}

void
goban_table_append_to (const GobanTable *self, GString *text)
{
  guint n_rows = (self->cells->len + self->n_columns - 1) / self->n_columns;
  g_autofree glong *widths = g_new0 (glong, self->n_columns);

  for (guint i = 0; i < self->cells->len; i++)
    widths[i % self->n_columns]
        = MAX (widths[i % self->n_columns], g_utf8_strlen (g_ptr_array_index (self->cells, i), -1));

  if (n_rows > 1)
    for (guint column = 1; column < self->n_columns; column++)
      if (is_empty (self, n_rows, column))
        widths[column] = 0;

  for (guint row = 0; row < n_rows; row++)
    {
      gsize line_start = text->len;

      for (guint column = 0; column < self->n_columns; column++)
        {
          const char *cell = cell_at (self, row, column);
          glong pad = widths[column] - g_utf8_strlen (cell, -1);

          if (widths[column] == 0)
            continue;
          if (column > 0)
            g_string_append (text, "  ");
          if (!self->left[column])
            append_blanks (text, pad);
          g_string_append (text, cell);
          if (self->left[column])
            append_blanks (text, pad);
        }
      while (text->len > line_start && text->str[text->len - 1] == ' ')
        g_string_truncate (text, text->len - 1);
      g_string_append_c (text, '\n');
    }
}
