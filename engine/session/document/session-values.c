#include "engine/session/document/session-values.h"

#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/session/document/session-file.h"
#include "engine/study/run/remap.h"

#include <string.h>

/* --- writing ---------------------------------------------------------------------------------- */

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

/* --- reading ---------------------------------------------------------------------------------- */

void
goban_reader_warn (GobanReader *self, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (_ (format), args);
  va_end (args);
  g_ptr_array_add (self->snapshot->warnings, g_strdup_printf ("%s: %s", self->path, what));
}

/* --- values ----------------------------------------------------------------------------------- */

gboolean
goban_reader_read_path (GobanJsonValue object, const char *key, char **path, GError **error)
{
  g_autofree char *bytes_key = g_strconcat (key, "_bytes", NULL);
  const char *text = NULL, *encoded = NULL;
  g_autofree char *found = NULL;

  if (!goban_json_get_text (object, key, &text, error)
      || !goban_json_get_text (object, bytes_key, &encoded, error))
    return FALSE;
  if (text != NULL && encoded != NULL)
    return goban_json_refuse (object, error, "only one of %s and %s is expected", key, bytes_key);
  if (text == NULL && encoded == NULL)
    return TRUE;
  found = text != NULL ? g_strdup (text) : g_uri_unescape_string (encoded, NULL);
  if (found == NULL || *found == '\0')
    return goban_json_refuse_value (goban_json_find (object, text != NULL ? key : bytes_key),
                                    N_ ("the name of a file"), error);
  g_free (*path);
  *path = g_steal_pointer (&found);
  return TRUE;
}

gboolean
goban_reader_read_count (GobanJsonValue object, const char *key, guint64 *count, GError **error)
{
  const char *text = goban_json_peek_text (goban_json_find (object, key));
  gint64 number = 0;

  if (text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, count, NULL))
    return TRUE;
  if (!goban_json_get_whole (object, key, GOBAN_JSON_COUNT, &number, error))
    return FALSE;
  if (goban_json_has (object, key))
    *count = (guint64) number;
  return TRUE;
}

/* --- nodes and rows --------------------------------------------------------------------------- */

/* A whole number at *p, which goes behind it. */
static gboolean
scan_int (const char **p, gint64 *value)
{
  const char *from = *p;
  char *end;

  if (!g_ascii_isdigit (*from) && !(*from == '-' && g_ascii_isdigit (from[1])))
    return FALSE;
  *value = g_ascii_strtoll (from, &end, 10);
  *p = end;
  return end - from <= 12;
}

static gboolean
scan_range (const char *text, guint n_nodes, guint *first, guint *last)
{
  gint64 a, b;

  if (!scan_int (&text, &a))
    return FALSE;
  b = a;
  if (*text == '-')
    {
      text++;
      if (!scan_int (&text, &b))
        return FALSE;
    }
  if (*text != '\0' || a < 0 || b < a || b >= n_nodes)
    return FALSE;
  *first = (guint) a;
  *last = (guint) b;
  return TRUE;
}

gboolean
goban_reader_read_nodes (const GobanReader *self, GobanJsonValue object, const char *key,
                         GobanSelection **nodes, GError **error)
{
  g_autofree const char **ranges = NULL;
  GobanGraph *graph = self->old != NULL ? self->old : self->snapshot->graph;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanSelection) meant = NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  if (!goban_json_get_texts (object, key, &ranges, error))
    return FALSE;
  if (ranges == NULL || (!self->has_same_nodes && self->old == NULL))
    return TRUE;
  for (guint i = 0; ranges[i] != NULL; i++)
    {
      guint first, last;

      if (!scan_range (ranges[i], n_nodes, &first, &last) || ids->len + (last - first) >= n_nodes)
        return goban_json_refuse (
            goban_json_get_element (object, key, i), error,
            "“%s” is not a range of nodes of this graph, which has numbers from 0 to %u, each once",
            ranges[i], n_nodes - 1);
      for (guint v = first; v <= last; v++)
        g_array_append_val (ids, v);
    }
  meant = goban_selection_new ((const GobanNodeId *) ids->data, ids->len);
  goban_selection_unref (*nodes);
  *nodes = self->old != NULL ? goban_remap_nodes (graph, self->snapshot->graph, meant)
                             : g_steal_pointer (&meant);
  return TRUE;
}

/* "12*0 1 2" into exactly @n values. */
static gboolean
scan_row (const char *text, gint32 *values, guint n)
{
  guint filled = 0;

  while (filled < n)
    {
      gint64 value, count = 1;

      if (!scan_int (&text, &value))
        return FALSE;
      if (*text == '*')
        {
          text++;
          count = value;
          if (!scan_int (&text, &value))
            return FALSE;
        }
      if (count < 1 || count > n - filled || value < G_MININT32 || value > G_MAXINT32)
        return FALSE;
      while (count-- > 0)
        values[filled++] = (gint32) value;
      if (filled < n && *text++ != ' ')
        return FALSE;
    }
  return *text == '\0';
}

gboolean
goban_reader_read_rows (GobanJsonValue object, const char *key, guint n, gint32 **values,
                        GError **error)
{
  g_autofree const char **rows = NULL;
  g_autofree gint32 *found = NULL;
  guint n_rows = n / GOBAN_SESSION_ROW + (n % GOBAN_SESSION_ROW != 0);

  if (!goban_json_get_texts (object, key, &rows, error))
    return FALSE;
  if (rows == NULL)
    return TRUE;
  if (g_strv_length ((char **) rows) != n_rows)
    return goban_json_refuse (goban_json_find (object, key), error,
                              "%u rows of %d are expected, for %u values, but there are %u", n_rows,
                              GOBAN_SESSION_ROW, n, g_strv_length ((char **) rows));
  found = g_new0 (gint32, MAX (n, 1));
  for (guint i = 0; i < n_rows; i++)
    {
      guint from = i * GOBAN_SESSION_ROW;

      if (!scan_row (rows[i], found + from, MIN (n - from, GOBAN_SESSION_ROW)))
        return goban_json_refuse (goban_json_get_element (object, key, i), error,
                                  "these are not the %u whole numbers of a row: “%.60s”",
                                  MIN (n - from, GOBAN_SESSION_ROW), rows[i]);
    }
  *values = g_steal_pointer (&found);
  return TRUE;
}
