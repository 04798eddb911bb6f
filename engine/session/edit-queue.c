#include "engine/session/edit-queue.h"

#include "engine/base/error.h"

struct _GobanEditQueue
{
  GobanSession *session;
  GQueue waiting;  /* of GobanEdit */
  GobanEdit *edit; /* the one that is simulated, NULL for none */
  GobanJob *job;   /* (nullable): what simulates it */
};

GobanEditQueue *
goban_edit_queue_new (GobanSession *session)
{
  GobanEditQueue *self = g_new0 (GobanEditQueue, 1);

  self->session = session;
  g_queue_init (&self->waiting);
  return self;
}

static void
end_job (GobanEditQueue *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  g_clear_pointer (&self->edit, goban_edit_free);
}

void
goban_edit_queue_free (GobanEditQueue *self)
{
  end_job (self);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) goban_edit_free);
  g_free (self);
}

static gpointer
edit_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return goban_edit_run (data, error);
}

static void start_next (GobanEditQueue *self);

static void
done_cb (GobanJob *job, GobanEditQueue *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_job_steal_result (job, &error);
  g_autoptr (GobanEdit) edit = g_steal_pointer (&self->edit);
  GobanSession *session = self->session;

  end_job (self);
  if (error != NULL)
    goban_session_say (session, TRUE, "%s", error->message);
  else if (!goban_session_add_edit (session, edit, run,
                                    NULL)) /* its plan has changed meanwhile: again */
    g_queue_push_head (&self->waiting, g_steal_pointer (&edit));
  start_next (self);
}

static void
start_next (GobanEditQueue *self)
{
  GobanRun *base = goban_session_get_current_run (self->session);

  if (self->job != NULL || g_queue_is_empty (&self->waiting))
    return;
  if (base == NULL)
    {
      g_queue_clear_full (&self->waiting, (GDestroyNotify) goban_edit_free);
      goban_session_say (self->session, TRUE, "There is no plan to change: place the graph first");
      return;
    }

  self->edit = g_queue_pop_head (&self->waiting);
  g_set_object (&self->edit->base, base);
  g_clear_pointer (&self->edit->pinned, goban_selection_unref);
  self->edit->pinned = goban_selection_ref (goban_session_get_pinned (self->session));
  self->job = goban_job_start ("Simulating a change", edit_worker, goban_edit_copy (self->edit),
                               (GDestroyNotify) goban_edit_free, g_object_unref);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
}

void
goban_edit_queue_push (GobanEditQueue *self, const GobanEdit *edit)
{
  g_queue_push_tail (&self->waiting, goban_edit_copy (edit));
  start_next (self);
}

gboolean
goban_edit_queue_drop (GobanEditQueue *self)
{
  if (!g_queue_is_empty (&self->waiting))
    goban_edit_free (g_queue_pop_tail (&self->waiting));
  else if (self->job != NULL)
    end_job (self);
  else
    return FALSE;
  return TRUE;
}
