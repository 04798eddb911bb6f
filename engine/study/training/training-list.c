#include "engine/study/training/training-list.h"

#include "engine/core/attached-object.h"
#include "engine/study/run/training-log-end.h"

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

/* --- learning on a graph ---------------------------------------------------------------------- */

/* Removes trainings on graphs that have ended and are older than the last few. */
static void
forget_oldest (GListStore *list)
{
  guint n_ended = 0;

  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (list)); i > 0; i--)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (G_LIST_MODEL (list), i - 1);

      if (goban_training_job_get_number_on_graph (training) > 0
          && goban_training_job_get_state (training) >= GOBAN_TRAINING_FINISHED
          && ++n_ended > GOBAN_TRAINING_LIST_MAX_ENDED)
        g_list_store_remove (list, i - 1);
    }
}

/* One more than the last one's. */
static guint
get_next_number (GListModel *list)
{
  guint number = 0;

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (list, i);

      number = MAX (number, goban_training_job_get_number_on_graph (training));
    }
  return number + 1;
}

/* (transfer full) */
static GobanTrainingJob *
add_learning (GObject *owner, const char *policy, GobanTrainingLog *log, GobanJob *job)
{
  GListStore *list = get_store (owner);
  GobanTrainingJob *training
      = goban_training_job_new_on_graph (policy, get_next_number (G_LIST_MODEL (list)), log, job);

  g_list_store_append (list, training);
  forget_oldest (list);
  return training;
}

static gboolean
has_begun (GobanTrainingLog *log)
{
  guint n_series;

  goban_training_log_get_series (log, &n_series);
  return n_series > 0;
}

void
goban_training_list_add_learning (GObject *owner, const char *policy, GobanTrainingLog *log)
{
  if (has_begun (log))
    g_object_unref (add_learning (owner, policy, log, NULL));
}

/* Nothing is held that holds the log. */
typedef struct
{
  GWeakRef owner;
  GWeakRef job;
  GWeakRef training;
  char *policy;
  gboolean is_added;
} Watch;

static void
free_watch (gpointer data)
{
  Watch *self = data;

  g_weak_ref_clear (&self->owner);
  g_weak_ref_clear (&self->job);
  g_weak_ref_clear (&self->training);
  g_free (self->policy);
  g_free (self);
}

static void
watch_cb (GobanTrainingLog *log, gpointer data)
{
  Watch *self = data;
  g_autoptr (GObject) owner = g_weak_ref_get (&self->owner);
  g_autoptr (GobanJob) job = g_weak_ref_get (&self->job);
  g_autoptr (GobanTrainingJob) training = g_weak_ref_get (&self->training);

  if (owner != NULL && !self->is_added && has_begun (log))
    {
      training = add_learning (owner, self->policy, log, job);
      g_weak_ref_set (&self->training, training);
      self->is_added = TRUE;
    }
  if (training != NULL)
    goban_training_job_get_state (training); /* takes note of the end */
}

void
goban_training_list_watch (GObject *owner, const char *policy, GobanTrainingLog *log, GobanJob *job)
{
  Watch *self = g_new0 (Watch, 1);

  g_weak_ref_init (&self->owner, owner);
  g_weak_ref_init (&self->job, job);
  g_weak_ref_init (&self->training, NULL);
  self->policy = g_strdup (policy);
  goban_training_log_watch (log, watch_cb, self, free_watch);
}

/* --- files ------------------------------------------------------------------------------------ */

static gboolean
is_taken (GObject *owner, const char *path)
{
  GListModel *list = owner != NULL ? goban_training_list_of (owner) : NULL;
  gboolean is_taken = g_file_test (path, G_FILE_TEST_EXISTS);

  for (guint i = 0; list != NULL && i < g_list_model_get_n_items (list) && !is_taken; i++)
    {
      g_autoptr (GobanTrainingJob) training = g_list_model_get_item (list, i);

      is_taken = g_strcmp0 (goban_training_job_get_output (training), path) == 0;
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
      const char *output = goban_training_job_get_output (training);
      char *folder = output != NULL ? g_path_get_dirname (output) : g_strdup (first);

      if (!g_hash_table_contains (seen, folder))
        g_strv_builder_add (builder, folder);
      g_hash_table_add (seen, folder);
    }
  return g_strv_builder_end (builder);
}
