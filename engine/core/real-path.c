#include "engine/core/real-path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *
goban_real_path (const char *path)
{
  char *found = realpath (path, NULL);
  gboolean is_absent = found == NULL && (errno == ENOENT || errno == ENOTDIR);
  g_autofree char *parent = NULL, *name = NULL, *folder = NULL;

  if (found != NULL)
    {
      char *copy = g_strdup (found);

      free (found);
      return copy;
    }
  /* The working folder, removed meanwhile: it is its own parent here. */
  if (g_str_equal (path, "."))
    return NULL;
  name = g_path_get_basename (path);
  if (!is_absent || g_file_test (path, G_FILE_TEST_IS_SYMLINK) || g_str_equal (name, "..")
      || g_str_equal (name, G_DIR_SEPARATOR_S))
    return NULL;

  parent = g_path_get_dirname (path);
  folder = goban_real_path (parent);
  if (folder == NULL)
    return NULL;
  return g_str_equal (name, ".") ? g_steal_pointer (&folder)
                                 : g_build_filename (folder, name, NULL);
}

gboolean
goban_real_path_is_below (const char *path, const char *folder)
{
  gsize n = strlen (folder);

  return strncmp (path, folder, n) == 0
         && (path[n] == '\0' || path[n] == G_DIR_SEPARATOR || g_str_equal (folder, "/"));
}
