#include "engine/session/chosen-networks.h"

#define KEY "goban-chosen-networks"

static GHashTable *
get_files (GobanSession *session)
{
  GHashTable *files = g_object_get_data (G_OBJECT (session), KEY);

  if (files == NULL)
    {
      files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_object_set_data_full (G_OBJECT (session), KEY, files, (GDestroyNotify) g_hash_table_unref);
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
