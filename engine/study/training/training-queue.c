#include "engine/study/training/training-queue.h"

#include "engine/core/error.h"

/* Interval at which a wait checks for a stop, which no condition signals. */
#define LOOK_US (50 * G_TIME_SPAN_MILLISECOND)

/* On the stack of the thread that waits for the answer. */
typedef struct
{
  GobanTrainerFunc func;
  gpointer data;
  const GobanProgress *progress; /* (nullable) */
  GError *error;
  gboolean is_fine;
  gboolean is_taken;
  gboolean is_answered;
} Request;

struct _GobanTrainer
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond cond;
  Request *request; /* (nullable) */
  gboolean is_closed;
  gboolean is_over;
  char *why; /* (nullable): the error that ended it */
};

GobanTrainer *
goban_trainer_new (void)
{
  GobanTrainer *self = g_new0 (GobanTrainer, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

GobanTrainer *
goban_trainer_ref (GobanTrainer *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_trainer_unref (GobanTrainer *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->why);
  g_free (self);
}

void
goban_trainer_close (GobanTrainer *self)
{
  g_mutex_lock (&self->mutex);
  self->is_closed = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

gboolean
goban_trainer_is_closed (GobanTrainer *self)
{
  gboolean is_closed;

  g_mutex_lock (&self->mutex);
  is_closed = self->is_closed;
  g_mutex_unlock (&self->mutex);
  return is_closed;
}

/* --- the worker ------------------------------------------------------------------------------- */

/* The trainer must be locked; waits for a moment at most. */
static void
wait_a_moment (GobanTrainer *self)
{
  g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
}

static void
answer (GobanTrainer *self, gpointer worker)
{
  Request *request = self->request;

  request->is_taken = TRUE;
  g_mutex_unlock (&self->mutex);
  request->is_fine = request->func (worker, request->progress, request->data, &request->error);
  g_mutex_lock (&self->mutex);
  request->is_answered = TRUE;
  self->request = NULL;
  g_cond_broadcast (&self->cond);
}

gboolean
goban_trainer_serve (GobanTrainer *self, gpointer worker, const GobanProgress *progress)
{
  gboolean is_closed = FALSE;

  while (!is_closed && goban_progress_check (progress, NULL)) /* which only says to stop */
    {
      g_mutex_lock (&self->mutex);
      if (self->request != NULL)
        answer (self, worker);
      else if (!self->is_closed)
        wait_a_moment (self);
      is_closed = self->is_closed && self->request == NULL;
      g_mutex_unlock (&self->mutex);
    }
  return is_closed;
}

void
goban_trainer_end (GobanTrainer *self, const GError *why)
{
  g_mutex_lock (&self->mutex);
  self->is_over = TRUE;
  if (why != NULL)
    self->why = g_strdup (why->message);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* --- the owner -------------------------------------------------------------------------------- */

/* The trainer must be locked. Hands in the request as soon as the worker is free. */
static gboolean
hand_in (GobanTrainer *self, Request *request)
{
  while (self->request != NULL && !self->is_over)
    {
      if (!goban_progress_check (request->progress, &request->error))
        return FALSE;
      wait_a_moment (self);
    }
  self->request = request;
  g_cond_broadcast (&self->cond);
  return TRUE;
}

/* The trainer must be locked. A request that the worker has not taken can be withdrawn; one that it
 * has taken stops itself. */
static void
wait_for_answer (GobanTrainer *self, Request *request)
{
  while (!request->is_answered)
    {
      if (self->is_over && !request->is_taken)
        {
          goban_set_error (&request->error, GOBAN_ERROR_CANCELLED, "%s",
                           self->why != NULL ? self->why : "the training has ended");
          break;
        }
      if (!request->is_taken && !goban_progress_check (request->progress, &request->error))
        break;
      wait_a_moment (self);
    }
  if (self->request == request)
    self->request = NULL;
}

gboolean
goban_trainer_ask (GobanTrainer *self, GobanTrainerFunc func, gpointer data,
                   const GobanProgress *progress, GError **error)
{
  Request request = { .func = func, .data = data, .progress = progress };

  g_mutex_lock (&self->mutex);
  if (hand_in (self, &request))
    wait_for_answer (self, &request);
  g_mutex_unlock (&self->mutex);
  if (request.error != NULL)
    g_propagate_error (error, request.error);
  return request.is_fine;
}
