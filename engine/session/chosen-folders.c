#include "engine/session/chosen-folders.h"

#define NETWORKS_KEY "goban-chosen-networks"

static GHashTable *
get_files (GobanSession *session)
{
  GHashTable *files = g_object_get_data (G_OBJECT (session), NETWORKS_KEY);

  if (files == NULL)
    {
      files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_object_set_data_full (G_OBJECT (session), NETWORKS_KEY, files,
                              (GDestroyNotify) g_hash_table_unref);
    }
  return files;
}

void
goban_chosen_networks_set (GobanSession *session, const char *const *policies, const char *file)
{
  g_return_if_fail (GOBAN_IS_SESSION (session));
  g_return_if_fail (policies != NULL && file != NULL);

  for (guint i = 0; policies[i] != NULL; i++)
    g_hash_table_replace (get_files (session), g_strdup (policies[i]), g_strdup (file));
}

void
goban_chosen_networks_clear (GobanSession *session)
{
  g_return_if_fail (GOBAN_IS_SESSION (session));

  g_hash_table_remove_all (get_files (session));
}

const char *
goban_chosen_networks_get (GobanSession *session, const char *policy)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  return g_hash_table_lookup (get_files (session), policy);
}

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
