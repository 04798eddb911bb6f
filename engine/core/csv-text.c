#include "engine/core/csv-text.h"

#include <string.h>

void
goban_csv_append_text (GString *csv, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *text);
    }
  g_string_append_c (csv, '"');
}

void
goban_csv_append_rounded (GString *csv, const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%.3f", values[i]);
      g_string_append_printf (csv, ",%s", number);
    }
}

/* In quotes, two of which are one; @text is behind the first. */
static const char *
read_quoted (const char *text, GString *field)
{
  for (; *text != '\0' && (text[0] != '"' || text[1] == '"'); text++)
    {
      text += text[0] == '"';
      g_string_append_c (field, *text);
    }
  return *text == '"' ? text + 1 : text;
}

char **
goban_csv_read_line (const char **text)
{
  GPtrArray *fields;
  const char *at = *text;

  if (*at == '\0')
    return NULL;
  fields = g_ptr_array_new ();
  for (gboolean is_last = FALSE; !is_last; at += *at != '\0')
    {
      GString *field = g_string_new (NULL);
      gsize n;

      if (*at == '"')
        at = read_quoted (at + 1, field);
      n = strcspn (at, ",\r\n");
      g_string_append_len (field, at, (gssize) n);
      at += n;
      at += at[0] == '\r' && at[1] == '\n';
      is_last = *at != ',';
      g_ptr_array_add (fields, g_string_free (field, FALSE));
    }
  *text = at;
  g_ptr_array_add (fields, NULL);
  return (char **) g_ptr_array_free (fields, FALSE);
}
