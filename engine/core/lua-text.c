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
  gsize n_before = code->len, n = 0;

  /* Room for all, at once: to grow by doubling would copy megabytes of notes again and again. */
  for (const char *c = text; *c != '\0'; c++)
    n += is_plain ((guchar) *c, is_utf8) ? 1 : *c == '"' || *c == '\\' ? 2 : 4;
  g_string_set_size (code, n_before + n + 2);
  g_string_truncate (code, n_before);
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
      /* Without printf, and at once: notes may have a million ends of lines. */
      if (c == '"' || c == '\\')
        g_string_append_len (code, (const char[]){ '\\', (char) c }, 2);
      else
        g_string_append_len (code,
                             (const char[]){ '\\', (char) ('0' + c / 100),
                                             (char) ('0' + c / 10 % 10), (char) ('0' + c % 10) },
                             4);
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
