#include "engine/core/lua-text.h"

static gboolean
is_plain (guchar c, gboolean is_utf8)
{
  return c != '"' && c != '\\' && c >= ' ' && c != 127 && (is_utf8 || c < 127);
}

/* Lua's strings are bytes; a line of the log is UTF-8, so other bytes are written as escapes. */
void
goban_lua_text_append (GString *code, const char *text)
{
  gboolean is_utf8 = g_utf8_validate (text, -1, NULL);

  g_string_append_c (code, '"');
  while (*text != '\0')
    {
      const char *plain = text;
      guchar c;

      while (is_plain ((guchar) *text, is_utf8))
        text++;
      g_string_append_len (code, plain, text - plain);
      c = (guchar) *text;
      if (c == '\0')
        break;
      /* Without printf: notes may have a million ends of lines. */
      g_string_append_c (code, '\\');
      if (c != '"' && c != '\\')
        {
          g_string_append_c (code, (char) ('0' + c / 100));
          g_string_append_c (code, (char) ('0' + c / 10 % 10));
          c = '0' + c % 10;
        }
      g_string_append_c (code, (char) c);
      text++;
    }
  g_string_append_c (code, '"');
}

char *
goban_lua_text_quote (const char *text)
{
  GString *code = g_string_new (NULL);

  goban_lua_text_append (code, text);
  return g_string_free (code, FALSE);
}

void
goban_lua_text_add (GString *code, const char *key, const char *value)
{
  if (value == NULL)
    return;
  g_string_append_printf (code, ", %s = ", key);
  goban_lua_text_append (code, value);
}
