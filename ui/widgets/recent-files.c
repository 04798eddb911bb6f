#include "ui/widgets/recent-files.h"

#include "engine/session/document/session-file.h"

/* Group of documents: GTK's file dialogs also add exported files, by the same application.
 * gtk_recent_manager_add_full() takes the lowest byte of the text's address for its first
 * character, and forgets groups where that byte is 0. An odd address has no such byte. */
static const _Alignas(2) char odd_group[] = " Goban documents";
#define GROUP (odd_group + 1)

static int
compare_recent (gconstpointer a, gconstpointer b)
{
  GtkRecentInfo *left = (gpointer) a, *right = (gpointer) b;

  return g_date_time_compare (gtk_recent_info_get_modified (right),
                              gtk_recent_info_get_modified (left));
}

char **
goban_recent_files_list (guint limit)
{
  GList *items = g_list_sort (gtk_recent_manager_get_items (gtk_recent_manager_get_default ()),
                              compare_recent);
  GPtrArray *paths = g_ptr_array_new ();

  for (GList *l = items; l != NULL && paths->len < limit; l = l->next)
    {
      g_autoptr (GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (l->data));
      g_autofree char *path = g_file_get_path (file);

      if (gtk_recent_info_has_group (l->data, GROUP) && path != NULL
          && g_file_test (path, G_FILE_TEST_EXISTS))
        g_ptr_array_add (paths, g_steal_pointer (&path));
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

void
goban_recent_files_add (const char *path)
{
  char *groups[] = { (char *) GROUP, NULL };
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, NULL); /* absolute paths have one */
  gboolean is_session = g_str_has_suffix (path, GOBAN_SESSION_SUFFIX);
  /* The manager copies these, and changes none. */
  GtkRecentData data = { .mime_type = (char *) (is_session ? "application/x-goban-session"
                                                           : "application/octet-stream"),
                         .app_name = (char *) g_get_application_name (),
                         .app_exec = (char *) "goban %f",
                         .groups = groups };

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

char *
goban_recent_files_dup_target (const char *path)
{
  g_autoptr (GFile) file = NULL;

  if (g_utf8_validate (path, -1, NULL))
    return g_strdup (path);
  file = g_file_new_for_path (path);
  return g_file_get_uri (file);
}
