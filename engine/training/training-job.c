#include "engine/training/training-job.h"

#include "engine/training/sitting.h"

#include <glib/gstdio.h>

struct _GobanTrainingJob
{
  GObject parent;

  char *network;
  char *output;
  GobanJob *job;
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

static void
collect (GobanTrainingJob *self)
{
  g_autoptr (GError) error = NULL;

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
    g_mkdir_with_parents (folder, 0777);
}

GobanTrainingJob *
goban_training_job_start (const GobanTrainingOptions *options, GError **error)
{
  GobanTrainingOptions own = *options;
  GobanTrainingJob *self;

  own.has_film = TRUE;
  make_folder (options->output);
  if (!goban_training_check (options, error))
    return NULL;
  self = g_object_new (GOBAN_TYPE_TRAINING_JOB, NULL);
  self->is_followed = options->follow != NULL;
  if (self->is_followed)
    {
      self->network = g_strdup (goban_training_find_followed (options));
      self->output = goban_sitting_dup_followed_output (options->follow);
    }
  else
    {
      self->network = g_strdup (options->network);
      self->output = goban_sitting_choose_output (options, NULL); /* which has been checked */
    }
  self->log = goban_training_log_new ();
  self->job = goban_training_start (&own, self->log);
  g_signal_connect_object (self->job, "notify::done", G_CALLBACK (collect), self,
                           G_CONNECT_SWAPPED);
  return self;
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
    return goban_job_is_paused (self->job) ? GOBAN_TRAINING_PAUSED : GOBAN_TRAINING_RUNNING;
  if (self->report == NULL)
    return GOBAN_TRAINING_FAILED;
  return self->report->is_finished ? GOBAN_TRAINING_FINISHED : GOBAN_TRAINING_STOPPED;
}

const char *
goban_training_job_get_state_name (GobanTrainingJob *self)
{
  static const char *const names[] = {
    [GOBAN_TRAINING_RUNNING] = "running",   [GOBAN_TRAINING_PAUSED] = "paused",
    [GOBAN_TRAINING_FINISHED] = "finished", [GOBAN_TRAINING_STOPPED] = "stopped",
    [GOBAN_TRAINING_FAILED] = "failed",
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

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_training_job_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, GOBAN_TRAINING_JOB (object)->is_done);
}

/* A training that nobody holds goes on no longer: it writes what it has. */
static void
goban_training_job_dispose (GObject *object)
{
  GobanTrainingJob *self = GOBAN_TRAINING_JOB (object);

  if (self->job != NULL && !goban_job_is_done (self->job))
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
