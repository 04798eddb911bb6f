#include "engine/base/data-file.h"

static const char *const roots[GOBAN_DATA_N_FOLDERS] = { GOBAN_DATA_SOURCE, GOBAN_DATA_INSTALLED };

char *
goban_data_file_dup_folder (const char *kind, guint i)
{
  g_return_val_if_fail (i < GOBAN_DATA_N_FOLDERS, NULL);

  return g_build_filename (roots[i], kind, NULL);
}

char *
goban_data_file_dup_folders (const char *kind)
{
  g_autofree char *source = goban_data_file_dup_folder (kind, 0);
  g_autofree char *installed = goban_data_file_dup_folder (kind, 1);

  return g_strdup_printf ("%s and %s", source, installed);
}

char *
goban_data_file_find (const char *kind, const char *name)
{
  for (guint i = 0; i < GOBAN_DATA_N_FOLDERS; i++)
    {
      g_autofree char *path = g_build_filename (roots[i], kind, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}
