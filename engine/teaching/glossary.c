#include "engine/teaching/glossary.h"

#include "engine/base/data-file.h"

#include <string.h>

static void
free_entry (gpointer data)
{
  GobanGlossaryEntry *entry = data;

  g_free (entry->term);
  g_free (entry->definition);
  g_strfreev (entry->related);
  g_free (entry);
}

/* --- one entry ------------------------------------------------------------------------------- */

/* Sentences that name a file, or other terms, are left out: who reads this has neither. */
static gboolean
is_of_documents (const char *sentence)
{
  return g_str_has_prefix (sentence, "Defined in ") || g_str_has_prefix (sentence, "See [");
}

/* The end of a sentence: a full stop before a space and a capital letter, or the end. */
static const char *
find_end (const char *text)
{
  const char *p;

  for (p = text; *p != '\0'; p++)
    if (*p == '.' && p[1] == ' ' && g_ascii_isupper (p[2]))
      return p + 1;
  return p;
}

/* "[text](#anchor)" becomes its text, and `code` its words. */
static char *
strip_marks (const char *sentence)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = sentence; *p != '\0'; p++)
    {
      const char *close = *p == '[' ? strstr (p, "](") : NULL;
      const char *end = close != NULL ? strchr (close, ')') : NULL;

      if (end != NULL)
        {
          g_string_append_len (plain, p + 1, close - p - 1);
          p = end;
        }
      else if (*p != '`')
        g_string_append_c (plain, *p);
    }
  return g_string_free (plain, FALSE);
}

static char **
list_related (const char *text)
{
  g_autoptr (GStrvBuilder) terms = g_strv_builder_new ();
  const char *p = text;

  while ((p = strchr (p, '[')) != NULL)
    {
      const char *close = strstr (p, "](#");
      g_autofree char *term = NULL;

      if (close == NULL)
        break;
      term = g_strndup (p + 1, (gsize) (close - p - 1));
      g_strv_builder_add (terms, term);
      p = close;
    }
  return g_strv_builder_end (terms);
}

static GobanGlossaryEntry *
parse_entry (const char *term, const char *lines)
{
  GobanGlossaryEntry *entry = g_new0 (GobanGlossaryEntry, 1);
  g_auto (GStrv) words = g_strsplit_set (lines, " \n", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  g_autoptr (GString) definition = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_ptr_array_add (kept, words[i]);
  g_ptr_array_add (kept, NULL);
  text = g_strjoinv (" ", (char **) kept->pdata);
  for (const char *p = text; *p != '\0';)
    {
      const char *end = find_end (p);
      g_autofree char *sentence = g_strndup (p, (gsize) (end - p));
      g_autofree char *plain = strip_marks (sentence);

      if (!is_of_documents (sentence))
        g_string_append_printf (definition, "%s%s", definition->len > 0 ? " " : "", plain);
      p = *end == ' ' ? end + 1 : end;
    }
  entry->term = g_strstrip (g_strdup (term));
  entry->definition = g_string_free (g_steal_pointer (&definition), FALSE);
  entry->related = list_related (text);
  return entry;
}

/* --- all of them ----------------------------------------------------------------------------- */

GPtrArray *
goban_glossary_parse (const char *text)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (free_entry);
  g_auto (GStrv) parts = g_strsplit (text, "\n### ", -1);

  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    {
      char *lines = strchr (parts[i], '\n');
      char *after = strstr (parts[i], "\n## ");

      if (lines == NULL)
        continue;
      if (after != NULL) /* another chapter */
        *after = '\0';
      *lines = '\0';
      g_ptr_array_add (entries, parse_entry (parts[i], lines + 1));
    }
  return entries;
}

/* Installed beside the lessons; in the source tree with the other documents. */
static GPtrArray *
load (void)
{
  g_autofree char *installed = goban_data_file_find ("docs", "glossary.md");
  g_autofree char *own = goban_data_file_find ("../docs", "glossary.md");
  g_autofree char *text = NULL;

  if (!g_file_get_contents (installed != NULL ? installed
                            : own != NULL     ? own
                                              : "",
                            &text, NULL, NULL)) /* then nothing is explained */
    return g_ptr_array_new ();
  return goban_glossary_parse (text);
}

const GPtrArray *
goban_glossary_get (void)
{
  static GPtrArray *entries;

  if (g_once_init_enter (&entries))
    g_once_init_leave (&entries, load ());
  return entries;
}

const GobanGlossaryEntry *
goban_glossary_find (const char *term)
{
  const GPtrArray *entries = goban_glossary_get ();

  for (guint i = 0; i < entries->len; i++)
    {
      const GobanGlossaryEntry *entry = entries->pdata[i];
      gsize n = strlen (entry->term);

      if (g_ascii_strncasecmp (entry->term, term, n) == 0
          && (term[n] == '\0' || (term[n] == 's' && term[n + 1] == '\0')))
        return entry;
    }
  return NULL;
}

const GobanGlossaryEntry *
goban_glossary_find_label (const char *label)
{
  const GobanGlossaryEntry *entry = goban_glossary_find (label);
  const char *last = strrchr (label, ' ');

  return entry != NULL || last == NULL ? entry : goban_glossary_find (last + 1);
}
