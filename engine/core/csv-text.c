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
