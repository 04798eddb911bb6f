#include "engine/core/jobs/coalescing-worker.h"

struct _GobanLatest
{
  const GobanCoalescingWorkerKind *kind;
  gpointer user_data;
  GobanJob *job;    /* (nullable) */
  gpointer waiting; /* (nullable): the next question */
};

GobanCoalescingWorker *
goban_coalescing_worker_new (const GobanCoalescingWorkerKind *kind, gpointer user_data)
{
  GobanCoalescingWorker *self = g_new0 (GobanCoalescingWorker, 1);

  self->kind = kind;
  self->user_data = user_data;
  return self;
}

static void
end_job (GobanCoalescingWorker *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
}

void
goban_coalescing_worker_forget (GobanCoalescingWorker *self)
{
  if (self->job != NULL)
    goban_job_cancel (self->job);
  end_job (self);
  g_clear_pointer (&self->waiting, self->kind->free_question);
}

void
goban_coalescing_worker_free (GobanCoalescingWorker *self)
{
  if (self == NULL)
    return;
  goban_coalescing_worker_forget (self);
  g_free (self);
}

static void start_next (GobanCoalescingWorker *self);

/* The next question goes to a worker before the answer is taken: taking may ask again, or free
 * everything. */
static void
done_cb (GobanJob *job, GobanCoalescingWorker *self)
{
  gpointer answer = goban_job_steal_result (job, NULL); /* an error is no answer */

  end_job (self);
  start_next (self);
  if (answer != NULL)
    self->kind->take (answer, self->user_data);
}

static void
start_next (GobanCoalescingWorker *self)
{
  if (self->job != NULL || self->waiting == NULL)
    return;

  self->job
      = goban_job_start (self->kind->title, self->kind->work, g_steal_pointer (&self->waiting),
                         self->kind->free_question, self->kind->free_answer);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
}

void
goban_coalescing_worker_ask (GobanCoalescingWorker *self, gpointer question)
{
  g_clear_pointer (&self->waiting, self->kind->free_question);
  self->waiting = question;
  start_next (self);
}

void
goban_coalescing_worker_ask_now (GobanCoalescingWorker *self, gpointer question)
{
  static const GobanProgress nobody = { NULL };
  gpointer answer;

  goban_coalescing_worker_forget (self);
  answer = self->kind->work (&nobody, question, NULL);
  self->kind->free_question (question);
  if (answer != NULL)
    self->kind->take (answer, self->user_data);
}

gboolean
goban_coalescing_worker_is_busy (const GobanCoalescingWorker *self)
{
  return self->job != NULL;
}

/* --- freeing -------------------------------------------------------------------------------- */

typedef struct
{
  gpointer data;
  GDestroyNotify free_data;
} Waste;

/* Here, and not with the task, which ends on the main thread. */
static void
free_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Waste *waste = task_data;

  waste->free_data (waste->data);
  g_task_return_boolean (task, TRUE);
}

void
goban_free_aside (gpointer data, GDestroyNotify free_data)
{
  g_autoptr (GTask) task = NULL;
  Waste *waste;

  if (data == NULL)
    return;

  task = g_task_new (NULL, NULL, NULL, NULL);
  waste = g_new (Waste, 1);
  *waste = (Waste){ data, free_data };
  g_task_set_task_data (task, waste, g_free);
  g_task_run_in_thread (task, free_worker);
}
