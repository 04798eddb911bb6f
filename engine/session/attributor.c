#include "engine/session/attributor.h"

/* State shared by the worker and the main thread: the newest result. */
typedef struct
{
  GobanDifference *difference; /* NULL: causes of these two */
  GobanRun *before;
  GobanRun *after;
  GMutex mutex;
  GobanBreakdown *found; /* (nullable) not yet seen */
} Mailbox;

struct _GobanAttributor
{
  GObject parent;

  Mailbox *mailbox;            /* of the job, NULL without */
  GobanJob *job;               /* (nullable): the one whose findings count */
  GobanDifference *difference; /* (nullable) */
  GobanBreakdown *found;       /* (nullable) */
  char *trouble;               /* (nullable) */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (GobanAttributor, goban_attributor, G_TYPE_OBJECT)

/* --- in the worker ---------------------------------------------------------------------------- */

static void
mailbox_clear (gpointer data)
{
  Mailbox *mailbox = data;

  g_clear_pointer (&mailbox->difference, goban_difference_unref);
  goban_run_unref (mailbox->before);
  goban_run_unref (mailbox->after);
  g_clear_pointer (&mailbox->found, goban_breakdown_unref);
  g_mutex_clear (&mailbox->mutex);
}

static void
mailbox_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, mailbox_clear);
}

static void
found_worker (GobanBreakdown *so_far, gpointer user_data)
{
  Mailbox *mailbox = user_data;

  g_mutex_lock (&mailbox->mutex);
  g_clear_pointer (&mailbox->found, goban_breakdown_unref);
  mailbox->found = goban_breakdown_ref (so_far);
  g_mutex_unlock (&mailbox->mutex);
}

static gpointer
attribute_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Mailbox *mailbox = data;
  GobanBreakdownOptions options = { progress, 0, found_worker, mailbox };

  if (mailbox->difference == NULL)
    return goban_breakdown_new_of_causes (mailbox->before, mailbox->after, error);
  return goban_breakdown_new (mailbox->difference, &options, error);
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
end_job (GobanAttributor *self)
{
  if (self->job != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->job, self);
      goban_job_cancel (self->job);
    }
  g_clear_object (&self->job);
  g_clear_pointer (&self->mailbox, mailbox_release);
}

static void
forget (GobanAttributor *self)
{
  end_job (self);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_pointer (&self->found, goban_breakdown_unref);
  g_clear_pointer (&self->trouble, g_free);
}

static void
goban_attributor_dispose (GObject *object)
{
  forget (GOBAN_ATTRIBUTOR (object));

  G_OBJECT_CLASS (goban_attributor_parent_class)->dispose (object);
}

static void
goban_attributor_class_init (GobanAttributorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_attributor_dispose;
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_ATTRIBUTOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
goban_attributor_init (GobanAttributor *self)
{
}

GobanAttributor *
goban_attributor_new (void)
{
  return g_object_new (GOBAN_TYPE_ATTRIBUTOR, NULL);
}

/* --- following the job ------------------------------------------------------------------------ */

static void
take_found (GobanAttributor *self)
{
  GobanBreakdown *found;

  g_mutex_lock (&self->mailbox->mutex);
  found = g_steal_pointer (&self->mailbox->found);
  g_mutex_unlock (&self->mailbox->mutex);
  if (found == NULL)
    return;

  g_clear_pointer (&self->found, goban_breakdown_unref);
  self->found = found;
}

static void
progress_cb (GobanAttributor *self)
{
  take_found (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
done_cb (GobanJob *job, GobanAttributor *self)
{
  g_autoptr (GError) error = NULL;
  GobanBreakdown *all = goban_job_steal_result (job, &error);

  take_found (self);
  if (all != NULL)
    {
      g_clear_pointer (&self->found, goban_breakdown_unref);
      self->found = all;
    }
  else
    {
      self->trouble = g_strdup (error->message);
    }
  end_job (self);
  g_signal_emit (self, changed_signal, 0);
}

/* @difference: (transfer full) (nullable) */
static void
start (GobanAttributor *self, GobanDifference *difference, GobanRun *before, GobanRun *after)
{
  Mailbox *mailbox = g_atomic_rc_box_new0 (Mailbox);

  mailbox->before = goban_run_ref (before);
  mailbox->after = goban_run_ref (after);
  forget (self);
  self->difference = difference;
  self->mailbox = mailbox;
  if (difference != NULL)
    mailbox->difference = goban_difference_ref (difference);
  g_mutex_init (&self->mailbox->mutex);
  self->job = goban_job_start ("Explaining a difference", attribute_worker,
                               g_atomic_rc_box_acquire (self->mailbox), mailbox_release,
                               (GDestroyNotify) goban_breakdown_unref);
  g_signal_connect_object (self->job, "notify::fraction", G_CALLBACK (progress_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->job, "done", G_CALLBACK (done_cb), self, 0);
  g_signal_emit (self, changed_signal, 0);
}

void
goban_attributor_start (GobanAttributor *self, GobanDifference *difference)
{
  g_return_if_fail (GOBAN_IS_ATTRIBUTOR (self));

  start (self, goban_difference_ref (difference), difference->before, difference->after);
}

void
goban_attributor_start_causes (GobanAttributor *self, GobanRun *before, GobanRun *after)
{
  g_return_if_fail (GOBAN_IS_ATTRIBUTOR (self));

  start (self, NULL, before, after);
}

void
goban_attributor_stop (GobanAttributor *self)
{
  g_return_if_fail (GOBAN_IS_ATTRIBUTOR (self));

  if (self->job == NULL)
    return;
  take_found (self);
  end_job (self);
  g_signal_emit (self, changed_signal, 0);
}

void
goban_attributor_clear (GobanAttributor *self)
{
  g_return_if_fail (GOBAN_IS_ATTRIBUTOR (self));

  forget (self);
  g_signal_emit (self, changed_signal, 0);
}

/* --- asking it -------------------------------------------------------------------------------- */

GobanBreakdown *
goban_attributor_get_found (GobanAttributor *self)
{
  g_return_val_if_fail (GOBAN_IS_ATTRIBUTOR (self), NULL);

  return self->found;
}

GobanDifference *
goban_attributor_get_difference (GobanAttributor *self)
{
  g_return_val_if_fail (GOBAN_IS_ATTRIBUTOR (self), NULL);

  return self->difference;
}

gboolean
goban_attributor_is_running (GobanAttributor *self)
{
  g_return_val_if_fail (GOBAN_IS_ATTRIBUTOR (self), FALSE);

  return self->job != NULL;
}

double
goban_attributor_get_fraction (GobanAttributor *self)
{
  g_return_val_if_fail (GOBAN_IS_ATTRIBUTOR (self), 0);

  if (self->job == NULL)
    return self->found != NULL && self->found->is_complete ? 1 : 0;
  return CLAMP (goban_job_get_fraction (self->job), 0, 1);
}

const char *
goban_attributor_get_trouble (GobanAttributor *self)
{
  g_return_val_if_fail (GOBAN_IS_ATTRIBUTOR (self), NULL);

  return self->trouble;
}
