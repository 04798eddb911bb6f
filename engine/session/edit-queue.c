#include "engine/session/edit-queue.h"

#include "engine/session/session-private.h"

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

/* What a worker is given, and gives back. */
typedef struct
{
  GobanEdit *edit;
  GobanState *state; /* when its turn came */
  GobanRun *run;
  GobanState *next; /* (nullable): of another cluster, the plans of state on it */
  guint n_dropped;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  goban_edit_free (work->edit);
  goban_state_unref (work->state);
  g_clear_object (&work->run);
  g_clear_pointer (&work->next, goban_state_unref);
  g_free (work);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (const GobanEdit *edit, GobanState *state)
{
  Work *work = g_new0 (Work, 1);

  work->edit = goban_edit_copy (edit);
  work->state = goban_state_ref (state);
  return work;
}

static gpointer
edit_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Work *asked = data;
  g_autoptr (Work) done = work_new (asked->edit, asked->state);

  /* A plan that does not fit a cluster somebody has chosen is left out with the others that do not. */
  if (done->edit->kind == GOBAN_EDIT_CLUSTER)
    {
      done->next
          = goban_state_with_cluster (done->state, done->edit->cluster, NULL, &done->n_dropped);
      goban_state_set_origin (done->next, done->edit->cluster);
      return g_steal_pointer (&done);
    }
  done->run = goban_edit_run (done->edit, error);
  if (done->run == NULL)
    return NULL;
  if (goban_run_get_cluster (done->run) != goban_run_get_cluster (done->edit->base))
    done->next = goban_state_with_cluster (done->state, goban_run_get_cluster (done->run),
                                           done->run, &done->n_dropped);
  return g_steal_pointer (&done);
}

static gboolean
take (GobanSession *session, Work *work, GError **error)
{
  g_autofree char *name = NULL;
  g_autofree char *line = NULL;

  if (work->edit->kind == GOBAN_EDIT_CLUSTER && work->state != goban_session_get_state (session))
    {
      goban_session_set_cluster (session, work->edit->cluster);
      return TRUE;
    }
  if (work->next == NULL || work->state != goban_session_get_state (session)
      || goban_run_get_cluster (work->edit->base) != goban_session_get_cluster (session))
    return goban_session_add_edit (session, work->edit, work->run, error);

  name = goban_edit_describe (work->edit);
  line = goban_edit_to_lua (work->edit, goban_view_get_words (goban_session_get_view (session)));
  goban_session_commit_cluster (session, name, line, g_steal_pointer (&work->next),
                                work->n_dropped);
  return TRUE;
}

/* Without a plan a cluster can be changed all the same, and nothing has to be simulated. */
static void
change_without_plan (GobanSession *session, const GobanEdit *edit)
{
  g_autoptr (GError) error = NULL;

  if (edit->kind == GOBAN_EDIT_CLUSTER)
    goban_session_set_cluster (session, edit->cluster);
  else if (edit->kind == GOBAN_EDIT_DEVICE || edit->kind == GOBAN_EDIT_LINK)
    {
      const GobanWhatIf change = goban_edit_get_what_if (edit);

      goban_session_what_if (session, &change, &error);
    }
  else
    goban_session_say (session, TRUE, "There is no plan to change: place the graph first");
  if (error != NULL)
    goban_session_say (session, TRUE, "%s", error->message);
}

static void start_next (GobanEditQueue *self);

static void
done_cb (GobanJob *job, GobanEditQueue *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Work) work = goban_job_steal_result (job, &error);
  g_autoptr (GobanEdit) edit = g_steal_pointer (&self->edit);
  GobanSession *session = self->session;

  end_job (self);
  /* Where its plan has gone meanwhile, it is for the one that is there now. */
  if (work != NULL && !goban_state_has_run (goban_session_get_state (session), edit->base))
    g_queue_push_head (&self->waiting, g_steal_pointer (&edit));
  else if (work == NULL || !take (session, work, &error))
    goban_session_say (session, TRUE, "%s", error->message);
  start_next (self);
}

static void
start_next (GobanEditQueue *self)
{
  GobanRun *base;

  if (self->job != NULL || g_queue_is_empty (&self->waiting))
    return;

  base = goban_session_get_current_run (self->session);
  self->edit = g_queue_pop_head (&self->waiting);
  if (base == NULL)
    {
      g_autoptr (GobanEdit) edit = g_steal_pointer (&self->edit);

      change_without_plan (self->session, edit);
      start_next (self);
      return;
    }

  g_set_object (&self->edit->base, base);
  g_clear_pointer (&self->edit->pinned, goban_selection_unref);
  self->edit->pinned = goban_selection_ref (goban_session_get_pinned (self->session));
  g_clear_pointer (&self->edit->origin, goban_cluster_unref);
  self->edit->origin = goban_cluster_ref (goban_session_get_origin (self->session));
  self->job = goban_job_start ("Simulating a change", edit_worker,
                               work_new (self->edit, goban_session_get_state (self->session)),
                               work_free, work_free);
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
