#include "engine/core/samples.h"

#include "engine/core/error.h"

#include <string.h>

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
