#include "engine/core/jobs/job.h"

#include "engine/core/error.h"
#include "engine/core/jobs/malloc-tuning.h"
#include "engine/core/time-left.h"

#include <math.h>

/* At most one update per frame reaches the main loop, however fast the worker reports. */
#define UPDATE_INTERVAL_MS 33

struct _GobanJob
{
  GObject parent_instance;

  char *title;
  GobanJobFunc func;
  gpointer data;
  GDestroyNotify free_data;
  GDestroyNotify free_result;
  GCancellable *cancellable;

  /* The mailbox, shared with the worker. */
  GMutex mutex;
  double posted_fraction;
  char *posted_what;
  guint update_source;
  gboolean is_paused;
  gboolean is_over; /* the worker has ended */
  GCond changed;    /* is_paused, is_over, or the cancellable */
  GobanPace pace;
  double seconds_left; /* NAN: unknown */
  gint64 paused_us;    /* spent in pauses, so far */

  /* The main thread's own. */
  double fraction;
  char *what;
  gboolean done;
  gpointer result;
  GError *error;
};

enum
{
  PROP_FRACTION = 1,
  PROP_WHAT,
  PROP_DONE,
  PROP_PAUSED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];
static guint done_signal;

G_DEFINE_FINAL_TYPE (GobanJob, goban_job, G_TYPE_OBJECT)

static void
goban_job_finalize (GObject *object)
{
  GobanJob *self = GOBAN_JOB (object);

  if (self->result != NULL && self->free_result != NULL)
    self->free_result (self->result);
  if (self->data != NULL && self->free_data != NULL)
    self->free_data (self->data);
  g_clear_error (&self->error);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->what, g_free);
  g_clear_pointer (&self->posted_what, g_free);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  G_OBJECT_CLASS (goban_job_parent_class)->finalize (object);
}

static void
goban_job_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanJob *self = GOBAN_JOB (object);

  switch (id)
    {
    case PROP_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    case PROP_WHAT:
      g_value_set_string (value, self->what);
      break;
    case PROP_DONE:
      g_value_set_boolean (value, self->done);
      break;
    case PROP_PAUSED:
      g_value_set_boolean (value, goban_job_is_paused (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_job_class_init (GobanJobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = goban_job_finalize;
  object_class->get_property = goban_job_get_property;

  props[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, -1, 1, -1, flags);
  props[PROP_WHAT] = g_param_spec_string ("what", NULL, NULL, "", flags);
  props[PROP_DONE] = g_param_spec_boolean ("done", NULL, NULL, FALSE, flags);
  props[PROP_PAUSED] = g_param_spec_boolean ("paused", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  done_signal = g_signal_new ("done", GOBAN_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 0);
}

static void
goban_job_init (GobanJob *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->cancellable = g_cancellable_new ();
  self->fraction = self->posted_fraction = -1;
  self->seconds_left = NAN;
  self->what = g_strdup ("");
}

/* Empties the mailbox. Runs on the main loop. */
static void
read_mailbox (GobanJob *self)
{
  g_mutex_lock (&self->mutex);
  self->fraction = self->posted_fraction;
  if (self->posted_what != NULL)
    {
      g_free (self->what);
      self->what = g_steal_pointer (&self->posted_what);
    }
  g_mutex_unlock (&self->mutex);

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FRACTION]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_WHAT]);
}

static gboolean
update_cb (gpointer user_data)
{
  GobanJob *self = user_data;

  g_mutex_lock (&self->mutex);
  self->update_source = 0;
  g_mutex_unlock (&self->mutex);
  read_mailbox (self);
  return G_SOURCE_REMOVE;
}

static void
post_progress_worker (double fraction, const char *what, gpointer user_data)
{
  GobanJob *self = user_data;

  g_mutex_lock (&self->mutex);
  self->posted_fraction = MIN (fraction, 1);
  self->seconds_left = goban_pace_step (&self->pace, self->posted_fraction,
                                        g_get_monotonic_time () - self->paused_us);
  g_free (self->posted_what);
  self->posted_what = g_strdup (what);
  if (self->update_source == 0)
    self->update_source = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, UPDATE_INTERVAL_MS,
                                              update_cb, g_object_ref (self), g_object_unref);
  g_mutex_unlock (&self->mutex);
}

static gboolean
should_stop_worker (gpointer user_data)
{
  GobanJob *self = user_data;
  gint64 began_us = 0;

  g_mutex_lock (&self->mutex);
  while (self->is_paused && !g_cancellable_is_cancelled (self->cancellable))
    {
      if (began_us == 0)
        began_us = g_get_monotonic_time ();
      g_cond_wait (&self->changed, &self->mutex);
    }
  if (began_us > 0)
    self->paused_us += g_get_monotonic_time () - began_us;
  g_mutex_unlock (&self->mutex);
  return g_cancellable_is_cancelled (self->cancellable);
}

static void
run_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GobanJob *self = task_data;
  GobanProgress progress = { post_progress_worker, should_stop_worker, self };
  GError *error = NULL;
  gpointer result = self->func (&progress, self->data, &error);

  g_mutex_lock (&self->mutex);
  self->is_over = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, self->free_result);
}

static void
finished_cb (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autoptr (GobanJob) self = user_data;

  /* After the end, the properties have the last values, not those of a frame before. */
  read_mailbox (self);

  /* The task does not get our cancellable, so that work finished in time is still a result. */
  self->result = g_task_propagate_pointer (G_TASK (async_result), &self->error);
  self->done = TRUE;
  goban_malloc_tuning_job_ends ();
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DONE]);
  g_signal_emit (self, done_signal, 0);
}

GobanJob *
goban_job_start (const char *title, GobanJobFunc func, gpointer data, GDestroyNotify free_data,
                 GDestroyNotify free_result)
{
  GobanJob *self = g_object_new (GOBAN_TYPE_JOB, NULL);
  g_autoptr (GTask) task = NULL;

  self->title = g_strdup (title);
  self->func = func;
  self->data = data;
  self->free_data = free_data;
  self->free_result = free_result;

  /* The job is not the task's source: the worker drops the task, with everything that it holds, at
   * any time, and handlers of the job's signals may only be freed in the main thread. finished_cb()
   * drops this reference. */
  task = g_task_new (NULL, NULL, finished_cb, g_object_ref (self));
  g_task_set_task_data (task, self, NULL);
  g_task_set_source_tag (task, goban_job_start);
  goban_malloc_tuning_job_begins ();
  g_task_run_in_thread (task, run_worker);
  return self;
}

const char *
goban_job_get_title (GobanJob *self)
{
  g_return_val_if_fail (GOBAN_IS_JOB (self), NULL);

  return self->title;
}

double
goban_job_get_fraction (GobanJob *self)
{
  g_return_val_if_fail (GOBAN_IS_JOB (self), -1);

  return self->fraction;
}

const char *
goban_job_get_what (GobanJob *self)
{
  g_return_val_if_fail (GOBAN_IS_JOB (self), NULL);

  return self->what;
}

gboolean
goban_job_is_done (GobanJob *self)
{
  g_return_val_if_fail (GOBAN_IS_JOB (self), TRUE);

  return self->done;
}

void
goban_job_cancel (GobanJob *self)
{
  g_return_if_fail (GOBAN_IS_JOB (self));

  g_cancellable_cancel (self->cancellable);
  g_mutex_lock (&self->mutex);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

void
goban_job_set_paused (GobanJob *self, gboolean paused)
{
  gboolean is_change;

  g_return_if_fail (GOBAN_IS_JOB (self));

  g_mutex_lock (&self->mutex);
  is_change = self->is_paused != !!paused;
  self->is_paused = !!paused;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  if (is_change)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PAUSED]);
}

gboolean
goban_job_is_paused (GobanJob *self)
{
  gboolean is_paused;

  g_return_val_if_fail (GOBAN_IS_JOB (self), FALSE);

  g_mutex_lock (&self->mutex);
  is_paused = self->is_paused && !self->is_over;
  g_mutex_unlock (&self->mutex);
  return is_paused;
}

double
goban_job_get_seconds_left (GobanJob *self)
{
  double left;

  g_return_val_if_fail (GOBAN_IS_JOB (self), NAN);

  g_mutex_lock (&self->mutex);
  left = self->is_over ? 0 : self->seconds_left;
  g_mutex_unlock (&self->mutex);
  return left;
}

gpointer
goban_job_steal_result (GobanJob *self, GError **error)
{
  g_return_val_if_fail (GOBAN_IS_JOB (self) && self->done, NULL);

  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return NULL;
    }
  if (self->result == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "the result of this job was taken before");
  return g_steal_pointer (&self->result);
}

void
goban_job_wait (GobanJob *self)
{
  g_return_if_fail (GOBAN_IS_JOB (self));

  while (!self->done)
    g_main_context_iteration (NULL, TRUE);
}

void
goban_job_stop_and_join (GobanJob *self)
{
  g_return_if_fail (GOBAN_IS_JOB (self));

  goban_job_cancel (self);
  g_mutex_lock (&self->mutex);
  while (!self->is_over)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
}
