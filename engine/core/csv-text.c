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

GPtrArray *
goban_csv_split (char *line)
{
  GPtrArray *cells = g_ptr_array_new ();
  char *out = line;
  char *cell = line;
  gboolean is_quoted = FALSE;

  for (const char *p = line;; p++)
    {
      if (*p == '"')
        {
          /* Two quotes inside quotes are one. */
          if (is_quoted && p[1] == '"')
            *out++ = *p++;
          else
            is_quoted = !is_quoted;
        }
      else if (*p == '\0' || (*p == ',' && !is_quoted))
        {
          gboolean is_last = *p == '\0';

          *out++ = '\0';
          g_ptr_array_add (cells, g_strstrip (cell));
          if (is_last)
            return cells;
          cell = out;
        }
      else
        *out++ = *p;
    }
}
