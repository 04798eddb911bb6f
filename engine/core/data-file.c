#include "engine/core/data-file.h"

#include <string.h>

#include "engine/core/error.h"
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

/* --- samples -------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names of a folder's samples, sorted: (transfer full) (element-type utf8). */
static GPtrArray *
list_samples (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* no folder, no samples */
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (!g_str_has_suffix (name, ".md"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* (transfer full) (nullable). Appends the names that were passed to @others. */
static char *
find_in_folder (const char *folder, const char *name, GString *others)
{
  g_autoptr (GPtrArray) names = list_samples (folder);
  gsize n = strlen (name);

  for (guint i = 0; i < names->len; i++)
    {
      const char *file = g_ptr_array_index (names, i);

      g_string_append_printf (others, " %s", file);
      if (strncmp (file, name, n) == 0 && (file[n] == '\0' || file[n] == '.'))
        return g_build_filename (folder, file, NULL);
    }
  return NULL;
}

char *
goban_sample_find (const char *const *folders, const char *name, GError **error)
{
  g_autoptr (GString) others = g_string_new (NULL);

  for (; *folders != NULL; folders++)
    {
      char *path = find_in_folder (*folders, name, others);

      if (path != NULL)
        return path;
    }
  goban_set_error (error, GOBAN_ERROR_IO, "there is no sample '%s'; there are:%s", name,
                   others->str);
  return NULL;
}
