#include "engine/study/training/training-list.h"

#include "engine/core/attached-object.h"
#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/run/training-log.h"
#include "engine/study/training/training-loop.h"

#include <glib/gstdio.h>
#include <math.h>

struct _GobanTrainingJob
{
  GObject parent;

  char *network;
  char *output;     /* (nullable) */
  guint n_on_graph; /* its number; 0: it trains a network */
  GobanJob *job;    /* (nullable) */
  GobanTrainingLog *log;
  GobanTrainingReport *report; /* NULL before the end, or if it failed */
  char *error;                 /* (nullable) */
  gboolean is_followed;
  gboolean is_done;
};

enum
{
  PROP_DONE = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GobanTrainingJob, goban_training_job, G_TYPE_OBJECT)

/* Ends the job of a policy that learns on a graph: its plan is in the list of plans. */
static void
collect_on_graph (GobanTrainingJob *self)
{
  const GError *why = NULL;

  if (self->is_done || !goban_training_log_has_ended (self->log, &why))
    return;
  if (why == NULL || g_error_matches (why, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    {
      self->report = g_new0 (GobanTrainingReport, 1);
      self->report->network = g_strdup (self->network);
      self->report->is_finished = why == NULL;
      self->report->step = goban_training_log_get_last_step (self->log);
      self->report->score = self->report->first_score = NAN;
    }
  else
    self->error = g_strdup (why->message);
  g_clear_object (&self->job); /* which holds the graph */
  self->is_done = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DONE]);
}

static void
collect (GobanTrainingJob *self)
{
  g_autoptr (GError) error = NULL;

  if (self->n_on_graph > 0)
    {
      collect_on_graph (self);
      return;
    }
  if (self->is_done || !goban_job_is_done (self->job))
    return;
  self->report = goban_job_steal_result (self->job, &error);
  if (error != NULL)
    self->error = g_strdup (error->message);
  self->is_done = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DONE]);
}

/* A folder that cannot be made is refused by the check of the options. */
static void
make_folder (const char *output)
{
  g_autofree char *folder = output != NULL ? g_path_get_dirname (output) : NULL;

  if (folder != NULL)
    goban_checked_path_make_folder (folder);
}

GobanTrainingJob *
goban_training_job_start (const GobanTrainingOptions *options, GError **error)
{
  GobanTrainingOptions own = *options;
  const char *network;
  GobanTrainingJob *self;

  own.has_film = TRUE;
  if (options->follow != NULL)
    network = goban_training_check_followed (options, error);
  else
    {
      make_folder (options->output);
      network = goban_training_check (options, error) ? options->network : NULL;
    }
  if (network == NULL)
    return NULL;
  self = g_object_new (GOBAN_TYPE_TRAINING_JOB, NULL);
  self->is_followed = options->follow != NULL;
  self->network = g_strdup (network);
  self->output = goban_training_loop_choose_output (options, NULL); /* which has been checked */
  self->log = goban_training_log_new ();
  self->job = goban_training_start (&own, self->log);
  g_signal_connect_object (self->job, "notify::done", G_CALLBACK (collect), self,
                           G_CONNECT_SWAPPED);
  return self;
}

GobanTrainingJob *
goban_training_job_new_on_graph (const char *policy, guint number, GobanTrainingLog *log,
                                 GobanJob *job)
{
  GobanTrainingJob *self;

  g_return_val_if_fail (policy != NULL && number > 0 && log != NULL, NULL);

  self = g_object_new (GOBAN_TYPE_TRAINING_JOB, NULL);
  self->network = g_strdup (policy);
  self->n_on_graph = number;
  self->log = goban_training_log_ref (log);
  g_set_object (&self->job, job);
  return self;
}

guint
goban_training_job_get_number_on_graph (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), 0);

  return self->n_on_graph;
}

char *
goban_training_job_dup_what (GobanTrainingJob *self)
{
  char n[GOBAN_QUANTITY_LEN];

  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  if (self->n_on_graph == 0)
    return g_strdup (goban_job_get_what (self->job));
  if (goban_training_log_get_last_step (self->log) == 1)
    return g_strdup (_ ("one update on the graph"));
  return g_strdup_printf (_ ("%s updates on the graph"),
                          goban_format_grouped (n, goban_training_log_get_last_step (self->log)));
}

const char *
goban_training_job_get_network (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  return self->network;
}

gboolean
goban_training_job_is_followed (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), FALSE);

  return self->is_followed;
}

const char *
goban_training_job_get_output (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  return self->output;
}

GobanJob *
goban_training_job_get_job (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  return self->job;
}

GobanTrainingLog *
goban_training_job_get_log (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  return self->log;
}

GobanTrainingState
goban_training_job_get_state (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), GOBAN_TRAINING_FAILED);

  collect (self);
  if (!self->is_done)
    return self->job != NULL && goban_job_is_paused (self->job) ? GOBAN_TRAINING_PAUSED
                                                                : GOBAN_TRAINING_RUNNING;
  if (self->report == NULL)
    return GOBAN_TRAINING_FAILED;
  return self->report->is_finished ? GOBAN_TRAINING_FINISHED : GOBAN_TRAINING_STOPPED;
}

const char *
goban_training_job_get_state_name (GobanTrainingJob *self)
{
  static const char *const names[] = {
    [GOBAN_TRAINING_RUNNING] = N_ ("running"),   [GOBAN_TRAINING_PAUSED] = N_ ("paused"),
    [GOBAN_TRAINING_FINISHED] = N_ ("finished"), [GOBAN_TRAINING_STOPPED] = N_ ("stopped"),
    [GOBAN_TRAINING_FAILED] = N_ ("failed"),
  };

  return names[goban_training_job_get_state (self)];
}

const GobanTrainingReport *
goban_training_job_get_report (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  collect (self);
  return self->report;
}

const char *
goban_training_job_get_error (GobanTrainingJob *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_JOB (self), NULL);

  collect (self);
  return self->error;
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_training_job_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, GOBAN_TRAINING_JOB (object)->is_done);
}

/* A training without owners ends: it writes its state. */
static void
goban_training_job_dispose (GObject *object)
{
  GobanTrainingJob *self = GOBAN_TRAINING_JOB (object);

  if (self->job != NULL && self->n_on_graph == 0 && !goban_job_is_done (self->job))
    goban_job_stop_and_join (self->job);
  g_clear_object (&self->job);

  G_OBJECT_CLASS (goban_training_job_parent_class)->dispose (object);
}

static void
goban_training_job_finalize (GObject *object)
{
  GobanTrainingJob *self = GOBAN_TRAINING_JOB (object);

  g_free (self->network);
  g_free (self->output);
  g_free (self->error);
  g_clear_pointer (&self->log, goban_training_log_unref);
  g_clear_pointer (&self->report, goban_training_report_free);

  G_OBJECT_CLASS (goban_training_job_parent_class)->finalize (object);
}

static void
goban_training_job_class_init (GobanTrainingJobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = goban_training_job_dispose;
  object_class->finalize = goban_training_job_finalize;
  object_class->get_property = goban_training_job_get_property;

  props[PROP_DONE]
      = g_param_spec_boolean ("done", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
goban_training_job_init (GobanTrainingJob *self)
{
}

/* --- the list --------------------------------------------------------------------------------- */

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
