#include "engine/core/json-text.h"

#include "engine/core/quantity.h"

#include <string.h>

void
goban_json_append_string (GString *json, const char *text)
{
  if (text == NULL)
    {
      g_string_append (json, "null");
      return;
    }

  g_string_append_c (json, '"');
  for (; *text != '\0'; text++)
    {
      guchar c = *text;

      switch (c)
        {
        case '"':
          g_string_append (json, "\\\"");
          break;
        case '\\':
          g_string_append (json, "\\\\");
          break;
        case '\n':
          g_string_append (json, "\\n");
          break;
        case '\t':
          g_string_append (json, "\\t");
          break;
        default:
          if (c < 0x20 || c == 0x7f)
            g_string_append_printf (json, "\\u%04x", c);
          else
            g_string_append_c (json, c);
        }
    }
  g_string_append_c (json, '"');
}

void
goban_json_append_number (GString *json, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append (json, goban_format_double (buffer, value));
}

void
goban_json_append_key (GString *json, const char *key)
{
  gsize n = json->len;

  /* A caller that breaks lines has written its own comma before the break. */
  while (n > 0 && g_ascii_isspace (json->str[n - 1]))
    n--;
  if (n > 0 && strchr ("{[,", json->str[n - 1]) == NULL)
    g_string_append (json, ", ");

  goban_json_append_string (json, key);
  g_string_append (json, ": ");
}

void
goban_json_begin (GString *json, const char *key, char bracket)
{
  goban_json_append_key (json, key);
  g_string_append_c (json, bracket);
}

void
goban_json_add_string (GString *json, const char *key, const char *value)
{
  goban_json_append_key (json, key);
  goban_json_append_string (json, value);
}

void
goban_json_add_number (GString *json, const char *key, double value)
{
  goban_json_append_key (json, key);
  goban_json_append_number (json, value);
}

void
goban_json_add_strings (GString *json, const char *key, const char *const *values)
{
  goban_json_begin (json, key, '[');
  for (guint i = 0; values[i] != NULL; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      goban_json_append_string (json, values[i]);
    }
  g_string_append_c (json, ']');
}

void
goban_json_add_boolean (GString *json, const char *key, gboolean value)
{
  goban_json_append_key (json, key);
  g_string_append (json, value ? "true" : "false");
}
