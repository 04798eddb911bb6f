/* The only program of the tests that turns words on: whoever turns them on cannot turn them off. */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "tests/support/test-program.h"

#include <locale.h>

static const char *folder;

/* Before anybody asks for another language there is none, whatever the locale. */
static void
test_off (void)
{
  static const char word[] = "Nodes";

  g_assert_true (goban_i18n_get (word) == word);
  g_assert_cmpstr (goban_i18n_get_plural ("%s match", "%s matches", 1), ==, "%s match");
  g_assert_cmpstr (goban_i18n_get_plural ("%s match", "%s matches", 2), ==, "%s matches");
}

static void
test_german (void)
{
  g_autofree char *catalogue
      = g_build_filename (folder != NULL ? folder : "", "de", "LC_MESSAGES", "goban.mo", NULL);
  g_autoptr (GError) error = NULL;

  if (!g_file_test (catalogue, G_FILE_TEST_EXISTS) || setlocale (LC_ALL, "C.UTF-8") == NULL)
    {
      g_test_skip ("there is no catalogue of German words, or no locale C.UTF-8");
      return;
    }
  g_setenv ("LANGUAGE", "de", TRUE);
  goban_i18n_enable (folder);
  g_assert_cmpstr (_ ("Nodes"), ==, "Knoten");
  g_assert_cmpstr (_ (""), ==, "");
  g_assert_cmpstr (_ ("nobody has translated this"), ==, "nobody has translated this");
  g_assert_cmpstr (goban_i18n_get_plural ("%s node is hidden", "%s nodes are hidden", 1), ==,
                   "%s Knoten ist verborgen");
  goban_set_error (&error, GOBAN_ERROR_IO, "%s: cannot be read: %s", "a", "b");
  g_assert_cmpstr (error->message, ==, "a: kann nicht gelesen werden: b");
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  /* Numbers are the same in every language. */
  g_assert_cmpstr (setlocale (LC_NUMERIC, NULL), !=, "de_DE.UTF-8");
}

TEST_PROGRAM (i18n)
{
  g_test_init (&argc, &argv, NULL);
  folder = argc > 1 ? argv[1] : NULL;
  g_test_add_func ("/base/i18n/off", test_off);
  g_test_add_func ("/base/i18n/german", test_german);
  return g_test_run ();
}
