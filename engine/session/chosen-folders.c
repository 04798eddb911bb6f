#include "engine/session/chosen-folders.h"

#define KEY "goban-chosen-folders"

static GPtrArray *
get_folders (GobanSession *session)
{
  GPtrArray *folders = g_object_get_data (G_OBJECT (session), KEY);

  if (folders == NULL)
    {
      folders = g_ptr_array_new_with_free_func (g_free);
      g_object_set_data_full (G_OBJECT (session), KEY, folders, (GDestroyNotify) g_ptr_array_unref);
    }
  return folders;
}

void
goban_chosen_folders_add (GobanSession *session, const char *file)
{
  g_autofree char *full = NULL;
  g_autofree char *folder = NULL;
  GPtrArray *folders;

  g_return_if_fail (GOBAN_IS_SESSION (session));
  g_return_if_fail (file != NULL);

  full = g_canonicalize_filename (file, NULL);
  folder = g_path_get_dirname (full);
  folders = get_folders (session);
  if (!g_ptr_array_find_with_equal_func (folders, folder, g_str_equal, NULL))
    g_ptr_array_add (folders, g_steal_pointer (&folder));
}

const GPtrArray *
goban_chosen_folders_get (GobanSession *session)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  return get_folders (session);
}
