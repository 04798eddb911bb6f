#include "engine/session/document/text-scan.h"

gboolean
goban_scan_char (const char **text, char c)
{
  if (**text != c)
    return FALSE;
  (*text)++;
  return TRUE;
}

gboolean
goban_scan_uint (const char **text, guint below, guint *value)
{
  char *end;
  guint64 number;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  number = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  *value = (guint) number;
  return number < below;
}
