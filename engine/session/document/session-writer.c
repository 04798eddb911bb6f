#include "engine/session/document/session-writer.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/session/document/session-file.h"

#include <string.h>

void
goban_writer_begin_line (GobanWriter *self)
{
  g_string_append (self->text, self->has_before ? ",\n" : "\n");
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->text, "  ");
  self->has_before = TRUE;
}

void
goban_writer_add_key (GobanWriter *self, const char *key)
{
  goban_writer_begin_line (self);
  goban_json_append_string (self->text, key);
  g_string_append (self->text, ": ");
}

void
goban_writer_open (GobanWriter *self, char bracket)
{
  g_string_append_c (self->text, bracket);
  self->depth++;
  self->has_before = FALSE;
}

void
goban_writer_close (GobanWriter *self, char bracket)
{
  gboolean is_empty = !self->has_before;

  self->depth--;
  self->has_before = FALSE;
  if (!is_empty)
    goban_writer_begin_line (self);
  g_string_append_c (self->text, bracket);
  self->has_before = TRUE;
}

void
goban_writer_add_text (GobanWriter *self, const char *key, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  goban_writer_add_key (self, key);
  goban_json_append_string (self->text, valid);
}

void
goban_writer_add_path (GobanWriter *self, const char *key, const char *path)
{
  g_autofree char *bytes_key = NULL;
  g_autofree char *encoded = NULL;

  if (g_utf8_validate (path, -1, NULL))
    {
      goban_writer_add_text (self, key, path);
      return;
    }
  bytes_key = g_strconcat (key, "_bytes", NULL);
  encoded = g_uri_escape_bytes ((const guint8 *) path, strlen (path), "/ ");
  goban_writer_add_text (self, bytes_key, encoded);
}

void
goban_writer_add_number (GobanWriter *self, const char *key, double value)
{
  goban_writer_add_key (self, key);
  goban_json_append_number (self->text, value);
}

void
goban_writer_add_count (GobanWriter *self, const char *key, guint64 value)
{
  goban_writer_add_key (self, key);
  /* Numbers beyond the range of JSON are written as text. */
  g_string_append_printf (
      self->text, value > G_MAXINT64 ? "\"%" G_GUINT64_FORMAT "\"" : "%" G_GUINT64_FORMAT, value);
}

void
goban_writer_add_true (GobanWriter *self, const char *key, gboolean value)
{
  if (!value)
    return;
  goban_writer_add_key (self, key);
  g_string_append (self->text, "true");
}

void
goban_writer_add_texts (GobanWriter *self, const char *key, const char *const *texts)
{
  goban_writer_add_key (self, key);
  goban_writer_open (self, '[');
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (texts[i], -1);

      goban_writer_begin_line (self);
      goban_json_append_string (self->text, valid);
    }
  goban_writer_close (self, ']');
}

void
goban_writer_add_lines (GobanWriter *self, const char *key, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  goban_writer_add_texts (self, key, (const char *const *) lines);
}

void
goban_writer_add_nodes (GobanWriter *self, const char *key, const GobanSelection *nodes)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  goban_writer_add_key (self, key);
  goban_writer_open (self, '[');
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && ids[end] == ids[end - 1] + 1;)
        end++;
      goban_writer_begin_line (self);
      g_string_append_printf (self->text, "\"%u", ids[first]);
      if (end - first > 1)
        g_string_append_printf (self->text, "-%u", ids[end - 1]);
      g_string_append_c (self->text, '"');
    }
  goban_writer_close (self, ']');
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void
append_int (GString *text, gint32 value)
{
  char number[GOBAN_QUANTITY_LEN];
  char *end = number;

  /* A plan of 80,000 nodes has half a million of these. */
  if (value < 0)
    *end++ = '-';
  end = goban_put_number (end, value < 0 ? -(guint32) value : (guint32) value);
  g_string_append_len (text, number, end - number);
}

void
goban_writer_add_rows (GobanWriter *self, const char *key, const gint32 *values, guint n)
{
  goban_writer_add_key (self, key);
  goban_writer_open (self, '[');
  for (guint row = 0; row < n; row += GOBAN_SESSION_ROW)
    {
      guint end = MIN (row + GOBAN_SESSION_ROW, n);

      goban_writer_begin_line (self);
      g_string_append_c (self->text, '"');
      for (guint i = row, next; i < end; i = next)
        {
          for (next = i + 1; next < end && values[next] == values[i];)
            next++;
          if (i > row)
            g_string_append_c (self->text, ' ');
          if (next - i > 1)
            {
              append_int (self->text, (gint32) (next - i));
              g_string_append_c (self->text, '*');
            }
          append_int (self->text, values[i]);
        }
      g_string_append_c (self->text, '"');
    }
  goban_writer_close (self, ']');
}
