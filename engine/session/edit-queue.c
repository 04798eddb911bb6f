#include "engine/session/edit-queue.h"

#include "engine/core/jobs/job.h"
#include "engine/session/cluster-work.h"
#include "engine/session/session-cluster.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/state-cluster.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step.h"

/* Time limit for views to prepare their pictures. */
#define MOST_HELD_MS 250

typedef struct _Work Work;

typedef struct
{
  GobanSession *session;
  GQueue waiting;        /* of GobanEdit */
  GobanEdit *edit;       /* the one that is simulated, or to be taken, NULL for none */
  GobanJob *job;         /* (nullable): the simulating job */
  GobanJob *speech;      /* (nullable): the job that words the log line, on another processor */
  Work *work;            /* (nullable): the edit to take when nothing holds it */
  GobanEditWords *words; /* (nullable): of that edit, when they are found */
  guint n_holds;
  guint ticket;     /* of that work */
  guint timeout_id; /* 0 without work */
} Queue;

static void work_free (gpointer data);
static void words_free (gpointer data);

static void
end_job (Queue *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
}

static void
end_speech (Queue *self)
{
  if (self->speech != NULL)
    g_signal_handlers_disconnect_by_data (self->speech, self);
  g_clear_object (&self->speech);
}

/* Drops the result of the running work. */
static void
drop_work (Queue *self)
{
  end_job (self);
  end_speech (self);
  g_clear_pointer (&self->work, work_free);
  g_clear_pointer (&self->words, words_free);
  g_clear_handle_id (&self->timeout_id, g_source_remove);
  g_clear_pointer (&self->edit, goban_edit_free);
}

/* Input and result of a worker. */
struct _Work
{
  GobanEdit *edit;
  GobanState *state; /* when its turn came */
  GobanRun *run;
  GobanState *next; /* (nullable): of another cluster, the plans of state on it */
  guint n_dropped;
};

static void
work_free (gpointer data)
{
  Work *work = data;

  goban_edit_free (work->edit);
  goban_state_unref (work->state);
  g_clear_pointer (&work->run, goban_run_unref);
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
  g_autofree char *warning = NULL; /* notified when the cluster is taken */

  /* A plan that does not fit a cluster chosen by the user is left out with the others that do
   * not. */
  if (done->edit->kind == GOBAN_EDIT_CLUSTER)
    {
      if (done->state->costs != NULL
          && !goban_cluster_check_times (done->edit->cluster,
                                         goban_cost_model_get_graph (done->state->costs), &warning,
                                         error))
        return NULL;
      done->next
          = goban_state_with_cluster (done->state, done->edit->cluster, NULL, &done->n_dropped);
      /* A return to the original cluster is not a new choice of one. */
      if (done->edit->cluster != done->state->origin)
        goban_state_set_chosen (done->next);
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

/* --- words ------------------------------------------------------------------------------------ */

typedef struct
{
  GobanEdit *edit;
  GobanSetDescription *words;
} Speech;

static void
speech_free (gpointer data)
{
  Speech *speech = data;

  goban_edit_free (speech->edit);
  goban_set_description_free (speech->words);
  g_free (speech);
}

static void go_on (Queue *self);

static void
words_free (gpointer data)
{
  goban_edit_words_clear (data);
  g_free (data);
}

static gpointer
words_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const Speech *speech = data;
  GobanEditWords words = goban_edit_find_words (speech->edit, speech->words);

  return g_memdup2 (&words, sizeof words);
}

static void
spoken_cb (GobanJob *job, Queue *self)
{
  self->words = goban_job_steal_result (job, NULL); /* it cannot fail */
  end_speech (self);
  go_on (self);
}

static void
find_words (Queue *self)
{
  Speech *speech = g_new (Speech, 1);

  speech->edit = goban_edit_copy (self->edit);
  speech->words = goban_set_description_copy_for (
      goban_view_get_words (goban_session_get_view (self->session)),
      goban_session_get_graph (self->session), self->edit->base);
  self->speech
      = goban_job_start ("Describing a change", words_worker, speech, speech_free, words_free);
  g_signal_connect (self->speech, "done", G_CALLBACK (spoken_cb), self);
}

/* --- taking ----------------------------------------------------------------------------------- */

static gboolean
take (GobanSession *session, Work *work, const GobanEditWords *words, GError **error)
{
  if (work->edit->kind == GOBAN_EDIT_CLUSTER && work->state != goban_session_get_state (session))
    {
      goban_session_set_cluster (session, work->edit->cluster);
      return TRUE;
    }
  if (work->next == NULL || work->state != goban_session_get_state (session)
      || goban_run_get_cluster (work->edit->base) != goban_session_get_cluster (session))
    return goban_session_add_worded_edit (session, work->edit, work->run, words, error);

  goban_session_commit_cluster (session, words->name, words->line, g_steal_pointer (&work->next),
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

static void start_next (Queue *self);

static void
take_work (Queue *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Work) work = g_steal_pointer (&self->work);
  g_autoptr (GobanEdit) edit = g_steal_pointer (&self->edit);
  GobanEditWords *words = g_steal_pointer (&self->words);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  /* If its plan has been replaced meanwhile, it applies to the present one. */
  if (!goban_state_has_run (goban_session_get_state (self->session), edit->base))
    g_queue_push_head (&self->waiting, g_steal_pointer (&edit));
  else if (!take (self->session, work, words, &error))
    goban_session_say (self->session, TRUE, "%s", error->message);
  words_free (words);
  start_next (self);
}

/* Continues if no view is waited for any more. */
static void
go_on (Queue *self)
{
  if (self->work != NULL && self->words != NULL && self->n_holds == 0)
    take_work (self);
}

static gboolean
timeout_cb (gpointer user_data)
{
  Queue *self = user_data;

  self->timeout_id = 0;
  self->n_holds = 0;
  go_on (self);
  return G_SOURCE_REMOVE;
}

static void
let_go (Queue *self, guint ticket)
{
  if (ticket != self->ticket || self->n_holds == 0)
    return;
  self->n_holds--;
  go_on (self);
}

static void
done_cb (GobanJob *job, Queue *self)
{
  g_autoptr (GError) error = NULL;
  Work *work = goban_job_steal_result (job, &error);
  guint ticket;

  end_job (self);
  if (work == NULL)
    {
      drop_work (self);
      goban_session_say (self->session, TRUE, "%s", error->message);
      start_next (self);
      return;
    }

  self->work = work;
  self->n_holds = 1; /* ours, while handlers run */
  ticket = self->ticket;
  self->timeout_id = g_timeout_add (MOST_HELD_MS, timeout_cb, self);
  if (work->run != NULL && work->run != work->edit->base
      && work->edit->base == goban_session_get_current_run (self->session))
    g_signal_emit_by_name (self->session, "pending-edit", work->run);
  let_go (self, ticket);
}

static void
start_next (Queue *self)
{
  GobanRun *base;

  if (self->job != NULL || self->work != NULL || g_queue_is_empty (&self->waiting))
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

  goban_run_set (&self->edit->base, base);
  g_clear_pointer (&self->edit->pinned, goban_selection_unref);
  self->edit->pinned = goban_selection_ref (goban_session_get_pinned (self->session));
  g_clear_pointer (&self->edit->origin, goban_cluster_unref);
  self->edit->origin = goban_cluster_ref (goban_session_get_origin (self->session));
  self->ticket = MAX (self->ticket + 1, 1);
  self->job = goban_job_start ("Simulating a change", edit_worker,
                               work_new (self->edit, goban_session_get_state (self->session)),
                               work_free, work_free);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
  find_words (self);
}

/* --- the session ---------------------------------------------------------------------------- */

static void
queue_free (gpointer data)
{
  Queue *self = data;

  drop_work (self);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) goban_edit_free);
  g_free (self);
}

static gboolean
queue_drop (gpointer data)
{
  Queue *self = data;

  if (!g_queue_is_empty (&self->waiting))
    goban_edit_free (g_queue_pop_tail (&self->waiting));
  else if (self->job != NULL || self->work != NULL)
    drop_work (self);
  else
    return FALSE;
  return TRUE;
}

static const GobanPendingFuncs queue_funcs = { queue_drop, queue_free };

/* The session's queue, made at its first edit. */
static Queue *
queue_of (GobanSession *session)
{
  Queue *self = session->pending;

  if (self == NULL)
    {
      self = g_new0 (Queue, 1);
      self->session = session;
      g_queue_init (&self->waiting);
      session->pending = self;
      session->pending_funcs = &queue_funcs;
    }
  return self;
}

void
goban_session_edit (GobanSession *self, const GobanEdit *edit)
{
  Queue *queue;

  g_return_if_fail (GOBAN_IS_SESSION (self) && edit != NULL);

  /* The displayed step is not the plan that would be changed. */
  if (edit->base != NULL && edit->nodes != NULL && edit->base == self->state->current
      && goban_view_get_step (self->view) != GOBAN_NO_STEP)
    {
      goban_session_say (
          self, FALSE,
          "A step of %s is shown: keep it as a plan, or go back to the plan itself, to "
          "change something",
          goban_run_get_name (edit->base));
      return;
    }
  queue = queue_of (self);
  g_queue_push_tail (&queue->waiting, goban_edit_copy (edit));
  start_next (queue);
}

gboolean
goban_session_has_pending_edit (GobanSession *self)
{
  const Queue *queue;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  queue = self->pending;
  return queue != NULL && (queue->edit != NULL || queue->waiting.length > 0);
}

guint
goban_session_hold_pending_edit (GobanSession *self)
{
  Queue *queue;

  g_return_val_if_fail (GOBAN_IS_SESSION (self) && self->pending != NULL, 0);

  queue = self->pending;
  g_return_val_if_fail (queue->work != NULL, 0);

  queue->n_holds++;
  return queue->ticket;
}

void
goban_session_release_pending_edit (GobanSession *self, guint ticket)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (self->pending != NULL)
    let_go (self->pending, ticket);
}
