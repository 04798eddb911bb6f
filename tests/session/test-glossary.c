/* The glossary: definitions without the names of files, found by term. */
#include "tests/support/shared-data.h"

#include "engine/session/teaching/glossary.h"
#include "tests/support/test-program.h"

#include <string.h>

static void
test_parses (void)
{
  g_autoptr (GPtrArray) entries = goban_glossary_parse (
      "# Glossary\n\nTerms.\n\n### bound\n(µs) A time that no `plan` can beat, e.g. in "
      "[runs](#run).\n"
      "Defined in `engine/a.h`. Source: Graham, 1966. See [run](#run), [plan](#plan).\n\n"
      "### run\nA simulated plan. Defined in\n`b.h`.\n\n## After\n\nMore.\n");
  const GobanGlossaryEntry *bound = entries->pdata[0], *run = entries->pdata[1];

  g_assert_cmpuint (entries->len, ==, 2);
  g_assert_cmpstr (bound->term, ==, "bound");
  g_assert_cmpstr (bound->definition, ==,
                   "(µs) A time that no plan can beat, e.g. in runs. Source: Graham, 1966.");
  g_assert_cmpuint (g_strv_length (bound->related), ==, 3);
  g_assert_cmpstr (bound->related[2], ==, "plan");
  g_assert_cmpstr (run->definition, ==, "A simulated plan.");
}

/* That of the program: every entry says something, and no file. */
static void
test_own (void)
{
  const GPtrArray *all = goban_glossary_get ();

  g_assert_cmpuint (all->len, >, 50);
  for (guint i = 0; i < all->len; i++)
    {
      const GobanGlossaryEntry *entry = all->pdata[i];

      g_assert_cmpuint (strlen (entry->definition), >, 20);
      g_assert_null (strstr (entry->definition, "engine/"));
      g_assert_null (strstr (entry->definition, "]("));
      g_assert_true (goban_glossary_find (entry->term) == entry);
    }
  g_assert_cmpstr (goban_glossary_find ("Makespans")->term, ==, "makespan");
  g_assert_null (goban_glossary_find ("makespa"));
  g_assert_cmpstr (goban_glossary_find_label ("lower bound")->term, ==, "bound");
  g_assert_cmpstr (goban_glossary_find_label ("critical path")->term, ==, "critical path");
  g_assert_null (goban_glossary_find_label ("times given"));
}

/* Each term has a German one, and is found by either. */
static void
test_translation (void)
{
  g_autofree char *path = project_path ("docs/glossary.md");
  g_autofree char *german_path = project_path ("docs/glossary.de.md");
  g_autofree char *text = NULL;
  g_autofree char *german = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) original = NULL;
  gboolean has_slack = FALSE;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_file_get_contents (german_path, &german, NULL, NULL));
  original = goban_glossary_parse (text);
  entries = goban_glossary_parse (text);
  goban_glossary_translate (entries, german);
  g_assert_cmpuint (entries->len, ==, original->len);
  for (guint i = 0; i < original->len; i++)
    {
      const GobanGlossaryEntry *before = original->pdata[i], *after = NULL;

      for (guint k = 0; k < entries->len && after == NULL; k++)
        if (g_str_equal (((GobanGlossaryEntry *) entries->pdata[k])->key, before->key))
          after = entries->pdata[k];
      if (g_str_equal (before->definition, after->definition))
        g_error ("docs/glossary.de.md lacks “%s”", before->key);
      has_slack |= g_str_equal (after->term, "Spielraum");
    }
  g_assert_true (has_slack);
}

TEST_PROGRAM (glossary)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/glossary/parses", test_parses);
  g_test_add_func ("/glossary/own", test_own);
  g_test_add_func ("/glossary/translation", test_translation);
  return g_test_run ();
}
