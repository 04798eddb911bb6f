#include "engine/core/data-file.h"

#include "engine/folders.h"

/* "../share/goban" from where the program lies; (transfer full). */
static char *
dup_own_root (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL); /* or not known */
  g_autofree char *folder = g_path_get_dirname (program != NULL ? program : "/usr/bin/goban");
  g_autofree char *path = g_build_filename (folder, "..", "share", "goban", NULL);

  return g_canonicalize_filename (path, NULL);
}

static char *
dup_root (guint i)
{
  if (i == 0)
    return dup_own_root ();
  return g_strdup (i == 1 ? GOBAN_DATA_SOURCE : GOBAN_DATA_INSTALLED);
}

char *
goban_data_file_dup_folder (const char *kind, guint i)
{
  g_autofree char *root = NULL;

  g_return_val_if_fail (i < GOBAN_DATA_N_FOLDERS, NULL);

  root = dup_root (i);
  return g_build_filename (root, kind, NULL);
}

char *
goban_data_file_dup_folders (const char *kind)
{
  g_autoptr (GPtrArray) there = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < GOBAN_DATA_N_FOLDERS; i++)
    {
      char *folder = goban_data_file_dup_folder (kind, i);

      /* An installed program has two ways to one folder. */
      if (g_file_test (folder, G_FILE_TEST_IS_DIR)
          && !g_ptr_array_find_with_equal_func (there, folder, g_str_equal, NULL))
        g_ptr_array_add (there, folder);
      else
        g_free (folder);
    }
  if (there->len == 0)
    return goban_data_file_dup_folder (kind, GOBAN_DATA_N_FOLDERS - 1);
  g_ptr_array_add (there, NULL);
  return g_strjoinv (" and ", (char **) there->pdata);
}

char *
goban_data_file_find (const char *kind, const char *name)
{
  for (guint i = 0; i < GOBAN_DATA_N_FOLDERS; i++)
    {
      g_autofree char *folder = goban_data_file_dup_folder (kind, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}
