#include "ui/panels/note-links.h"

#include <string.h>

#define PLAN "plan:"

static void
clear_name (GobanNoteName *self)
{
  g_clear_pointer (&self->name, g_free);
}

static gboolean
is_of_word (gunichar c)
{
  return g_unichar_isalnum (c) || strchr ("/_.:-#@$^%", (int) (c < 128 ? c : ' ')) != NULL;
}

/* End of "[[", at @at: after "]]" on the same line, or NULL. */
static const char *
find_closing (const char *at)
{
  const char *end = strstr (at + 2, "]]");
  const char *line = strchr (at, '\n');

  return end != NULL && end > at + 2 && (line == NULL || end < line) ? end + 2 : NULL;
}

static void
add_bracketed (GArray *names, const char *text, const char *at, const char *end)
{
  GobanNoteName name = { (gsize) (at - text), (gsize) (end - text), NULL, FALSE, TRUE };
  g_autofree char *inner = g_strndup (at + 2, (gsize) (end - at) - 4);

  name.is_plan = g_str_has_prefix (inner, PLAN);
  name.name = g_strdup (name.is_plan ? inner + strlen (PLAN) : inner);
  g_array_append_val (names, name);
}

static void
add_word (GArray *names, const char *text, const char *at, const char *end)
{
  GobanNoteName name = { .from = (gsize) (at - text) };
  gsize skip;

  while (end > at && strchr (".:-", end[-1]) != NULL)
    end--;
  name.is_plan = (gsize) (end - at) > strlen (PLAN) && g_str_has_prefix (at, PLAN);
  skip = name.is_plan ? strlen (PLAN) : 0;
  if (end == at)
    return;
  name.to = (gsize) (end - text);
  name.name = g_strndup (at + skip, (gsize) (end - at) - skip);
  g_array_append_val (names, name);
}

GArray *
goban_note_names (const char *text)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (GobanNoteName));
  const char *at = text;

  g_array_set_clear_func (names, (GDestroyNotify) clear_name);
  while (*at != '\0')
    {
      const char *end = g_str_has_prefix (at, "[[") ? find_closing (at) : NULL;

      if (end != NULL)
        add_bracketed (names, text, at, end);
      else
        {
          for (end = at; *end != '\0' && is_of_word (g_utf8_get_char (end));)
            end = g_utf8_next_char (end);
          if (end > at)
            add_word (names, text, at, end);
          else
            end = g_utf8_next_char (at);
        }
      at = end;
    }
  return names;
}
