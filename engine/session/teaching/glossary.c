#include "engine/session/teaching/glossary.h"

#include "engine/core/data-file.h"
#include "engine/core/language.h"

#include <string.h>

static void
free_entry (gpointer data)
{
  GobanGlossaryEntry *entry = data;

  g_free (entry->term);
  g_free (entry->key);
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
parse_entry (const char *heading, const char *lines)
{
  const char *bar = strstr (heading, " | ");
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
  entry->key = g_strstrip (bar != NULL ? g_strndup (heading, (gsize) (bar - heading))
                                       : g_strdup (heading));
  entry->term = bar != NULL ? g_strstrip (g_strdup (bar + 3)) : g_strdup (entry->key);
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

static GobanGlossaryEntry *
find_key (const GPtrArray *entries, const char *key)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_ascii_strcasecmp (((GobanGlossaryEntry *) entries->pdata[i])->key, key) == 0)
      return entries->pdata[i];
  return NULL;
}

static int
compare_terms (gconstpointer a, gconstpointer b)
{
  const GobanGlossaryEntry *left = *(const GobanGlossaryEntry *const *) a;
  const GobanGlossaryEntry *right = *(const GobanGlossaryEntry *const *) b;
  g_autofree char *left_key = g_utf8_casefold (left->term, -1);
  g_autofree char *right_key = g_utf8_casefold (right->term, -1);

  return g_utf8_collate (left_key, right_key);
}

void
goban_glossary_translate (GPtrArray *entries, const char *text)
{
  g_autoptr (GPtrArray) others = goban_glossary_parse (text);

  for (guint i = 0; i < others->len; i++)
    {
      GobanGlossaryEntry *from = others->pdata[i];
      GobanGlossaryEntry *to = find_key (entries, from->key);

      if (to == NULL)
        continue;
      g_free (to->term);
      g_free (to->definition);
      to->term = g_steal_pointer (&from->term);
      to->definition = g_steal_pointer (&from->definition);
    }
  for (guint i = 0; i < entries->len; i++)
    {
      GobanGlossaryEntry *entry = entries->pdata[i];

      for (guint r = 0; entry->related[r] != NULL; r++)
        {
          const GobanGlossaryEntry *related = find_key (entries, entry->related[r]);

          if (related == NULL)
            continue;
          g_free (entry->related[r]);
          entry->related[r] = g_strdup (related->term);
        }
    }
  g_ptr_array_sort (entries, compare_terms);
}

/* Installed beside the lessons; in the source tree with the other documents. (transfer full)
 * (nullable) */
static char *
read_document (const char *name)
{
  g_autofree char *installed = goban_data_file_find ("docs", name);
  g_autofree char *own = goban_data_file_find ("../docs", name);
  const char *path = installed != NULL ? installed : own;
  char *text = NULL;

  return path != NULL && g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* Without a file nothing is explained. */
static GPtrArray *
load (void)
{
  g_autofree char *text = read_document ("glossary.md");
  g_autofree char *name = g_strdup_printf ("glossary.%s.md", goban_language_get ());
  g_autofree char *translation = read_document (name);
  GPtrArray *entries = text != NULL ? goban_glossary_parse (text) : g_ptr_array_new ();

  if (translation != NULL)
    goban_glossary_translate (entries, translation);
  return entries;
}

const GPtrArray *
goban_glossary_get (void)
{
  static GPtrArray *entries;

  if (g_once_init_enter (&entries))
    g_once_init_leave (&entries, load ());
  return entries;
}

/* The plural, with an s, is called so, too. */
static gboolean
is_called (const char *name, const char *term)
{
  gsize n = strlen (name);

  return g_ascii_strncasecmp (name, term, n) == 0
         && (term[n] == '\0' || (term[n] == 's' && term[n + 1] == '\0'));
}

/* The user's language first: what "order" means there may be another term's English name. */
const GobanGlossaryEntry *
goban_glossary_find (const char *term)
{
  const GPtrArray *entries = goban_glossary_get ();

  for (guint i = 0; i < entries->len; i++)
    if (is_called (((GobanGlossaryEntry *) entries->pdata[i])->term, term))
      return entries->pdata[i];
  for (guint i = 0; i < entries->len; i++)
    if (is_called (((GobanGlossaryEntry *) entries->pdata[i])->key, term))
      return entries->pdata[i];
  return NULL;
}

const GobanGlossaryEntry *
goban_glossary_find_label (const char *label)
{
  const GobanGlossaryEntry *entry = goban_glossary_find (label);
  const char *last = strrchr (label, ' ');

  return entry != NULL || last == NULL ? entry : goban_glossary_find (last + 1);
}
