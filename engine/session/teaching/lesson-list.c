#include "engine/session/teaching/lesson-list.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"

#include <stdlib.h>
#include <string.h>

#define ENDING ".md"

/* The user's folder; it need not exist. (transfer full) */
static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "goban", "lessons", NULL);
}

/* The names of the files in @folder; those that are there already keep their path. */
static void
add_folder (GHashTable *paths, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* or there is none */
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ENDING) && !g_hash_table_contains (paths, name))
      g_hash_table_insert (paths, g_strdup (name), g_build_filename (folder, name, NULL));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
goban_lesson_list_load (GPtrArray **troubles)
{
  GPtrArray *lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_lesson_unref);
  g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char **names = NULL; /* borrowed from the table */
  guint n;
  g_autofree char *own = dup_folder ();

  if (troubles != NULL)
    *troubles = g_ptr_array_new_with_free_func (g_free);
  add_folder (paths, own);
  for (guint i = 0; i < GOBAN_DATA_N_FOLDERS; i++)
    {
      g_autofree char *folder = goban_data_file_dup_folder ("lessons", i);

      add_folder (paths, folder);
    }
  names = (char **) g_hash_table_get_keys_as_array (paths, &n);
  qsort (names, n, sizeof *names, compare_names);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      GobanLesson *lesson = goban_lesson_load (g_hash_table_lookup (paths, names[i]), &error);

      if (lesson != NULL)
        g_ptr_array_add (lessons, lesson);
      else if (troubles != NULL)
        g_ptr_array_add (*troubles, g_strdup (error->message));
    }
  return lessons;
}

/* "contention" and "4" find "04-contention", too. */
static gboolean
is_called (const GobanLesson *lesson, const char *name)
{
  const char *dash = strchr (lesson->name, '-');
  guint64 number;

  if (g_str_equal (lesson->name, name) || (dash != NULL && g_str_equal (dash + 1, name)))
    return TRUE;
  return g_ascii_string_to_unsigned (name, 10, 0, G_MAXUINT, &number, NULL)
         && g_ascii_isdigit (*lesson->name) && g_ascii_strtoull (lesson->name, NULL, 10) == number;
}

GobanLesson *
goban_lesson_list_find (const char *name, GError **error)
{
  g_autoptr (GPtrArray) lessons = NULL;
  g_autoptr (GString) names = g_string_new (NULL);

  if (g_str_has_suffix (name, ENDING))
    return goban_lesson_load (name, error);
  lessons = goban_lesson_list_load (NULL);
  for (guint i = 0; i < lessons->len; i++)
    {
      GobanLesson *lesson = lessons->pdata[i];

      if (is_called (lesson, name))
        return goban_lesson_ref (lesson);
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", lesson->name);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no lesson “%s”; there are: %s", name,
                   names->str);
  return NULL;
}
