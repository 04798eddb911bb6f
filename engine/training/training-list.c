#include "engine/training/training-list.h"

#include "engine/base/attached-object.h"

static GObject *
new_store (GObject *owner)
{
  return G_OBJECT (g_list_store_new (GOBAN_TYPE_TRAINING_JOB));
}

static GListStore *
get_store (GObject *owner)
{
  return goban_attached_object (owner, "goban-training-list", new_store);
}

GListModel *
goban_training_list_of (GObject *owner)
{
  return G_LIST_MODEL (get_store (owner));
}

void
goban_training_list_add (GObject *owner, GobanTrainingJob *training)
{
  g_return_if_fail (G_IS_OBJECT (owner) && GOBAN_IS_TRAINING_JOB (training));

  g_list_store_append (get_store (owner), training);
}

static gboolean
is_taken (GObject *owner, const char *path)
{
  GListModel *list = owner != NULL ? goban_training_list_of (owner) : NULL;
  gboolean is_taken = g_file_test (path, G_FILE_TEST_EXISTS);

  for (guint i = 0; list != NULL && i < g_list_model_get_n_items (list) && !is_taken; i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (list, i);

      is_taken = g_str_equal (goban_training_job_get_output (training), path);
    }
  return is_taken;
}

char *
goban_training_list_dup_free_output (GObject *owner, const char *folder, const char *network)
{
  char *path = g_strdup_printf ("%s/%s.net", folder, network);

  for (guint i = 2; is_taken (owner, path); i++)
    {
      g_free (path);
      path = g_strdup_printf ("%s/%s-%u.net", folder, network, i);
    }
  return path;
}

char **
goban_training_list_dup_folders (GObject *owner, const char *first)
{
  GListModel *list = goban_training_list_of (owner);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_hash_table_add (seen, g_strdup (first));
  g_strv_builder_add (builder, first);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (list, i);
      char *folder = g_path_get_dirname (goban_training_job_get_output (training));

      if (!g_hash_table_contains (seen, folder))
        g_strv_builder_add (builder, folder);
      g_hash_table_add (seen, folder);
    }
  return g_strv_builder_end (builder);
}
