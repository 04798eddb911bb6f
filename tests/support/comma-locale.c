#include "tests/support/comma-locale.h"

#include "tests/support/folder.h"

#include <locale.h>

static gboolean
set_commas (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (setlocale (LC_ALL, names[i]) != NULL && *localeconv ()->decimal_point == ',')
      return TRUE;
  setlocale (LC_ALL, "C");
  return FALSE;
}

/* The locale stays loaded when its files are gone. */
static gboolean
make_and_set (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-locale-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "de_DE.UTF-8", NULL);
  const char *const argv[]
      = { "localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", path, NULL };
  gboolean speaks;

  /* Its warnings give it another exit status, so the locale itself is asked. */
  g_spawn_sync (NULL, (char **) argv, NULL,
                G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                NULL, NULL, NULL, NULL, NULL);
  g_setenv ("LOCPATH", folder, TRUE);
  speaks = set_commas ();
  g_unsetenv ("LOCPATH");
  remove_folder (folder);
  return speaks;
}

gboolean
comma_locale_begin (void)
{
  if (set_commas () || make_and_set ())
    return TRUE;
  g_test_skip ("no locale with decimal commas, and localedef cannot make one");
  return FALSE;
}

void
comma_locale_end (void)
{
  setlocale (LC_ALL, "C");
}
