#include "engine/core/ranks/work-queue.h"

#include "engine/core/error.h"
#include "engine/core/ranks/ranks-private.h"

#include <string.h>

/* Rests of rank 0 between looks for messages, which get longer while there are none. */
#define FIRST_REST_US 20
#define LAST_REST_US 1000

#define NO_ITEM G_MAXUINT32

typedef enum
{
  IS_READY, /* for a first item */
  HAS_RESULT,
  HAS_ERROR, /* the bytes are its message */
} Kind;

/* Head of a message to rank 0. The answer is an item's number alone. */
typedef struct
{
  guint32 kind;
  guint32 item;
} Head;

/* --- rank 0 ----------------------------------------------------------------------------------- */

/* An item that the own thread is done with. */
typedef struct
{
  guint item;
  GBytes *result; /* %NULL if it failed */
} Done;

typedef struct
{
  GobanRanks *ranks;
  const GobanWorkQueue *queue;
  const GobanProgress *progress;
  const guint *items; /* (nullable) */
  guint n_items;
  gint next;            /* atomic */
  gint is_stopped;      /* atomic: the own thread shall end */
  GAsyncQueue *results; /* of Done, from the own thread */
  GError *own_error;    /* (nullable): read after its last result */
  guint n_taken;
  int n_active; /* ranks that have not received the end of the queue */
} Chief;

/* The next item, or NO_ITEM. Any thread. */
static guint32
next_item (Chief *self)
{
  gint at = g_atomic_int_add (&self->next, 1);

  if (at >= (gint) self->n_items)
    {
      g_atomic_int_set (&self->next, (gint) self->n_items); /* so that it never overflows */
      return NO_ITEM;
    }
  return self->items != NULL ? self->items[at] : (guint32) at;
}

static void
step_cb (double fraction, const char *what, gpointer data)
{
  const Chief *self = data;

  goban_progress_step (self->progress, fraction, what);
}

static gboolean
stop_cb (gpointer data)
{
  Chief *self = data;

  return g_atomic_int_get (&self->is_stopped) != 0
         || !goban_progress_check (self->progress, NULL); /* set by the rank that stops */
}

static gpointer
work_thread (gpointer data)
{
  Chief *self = data;
  GobanProgress progress = { step_cb, stop_cb, self };
  guint32 item;

  while (!stop_cb (self) && (item = next_item (self)) != NO_ITEM)
    {
      Done *done = g_new0 (Done, 1);
      gboolean has_failed;

      done->item = item;
      done->result = self->queue->work (item, &progress, self->queue->data, &self->own_error);
      has_failed = done->result == NULL;
      g_async_queue_push (self->results, done); /* freed by its receiver */
      if (has_failed)
        break;
    }
  return NULL;
}

static void
free_done (gpointer data)
{
  Done *done = data;

  g_clear_pointer (&done->result, g_bytes_unref);
  g_free (done);
}

static gboolean
take (Chief *self, guint item, GBytes *result, GError **error)
{
  self->n_taken++;
  return self->queue->take (item, result, self->queue->data, error);
}

/* *found: whether the own thread had a result. */
static gboolean
take_own (Chief *self, gboolean *found, GError **error)
{
  Done *done = g_async_queue_try_pop (self->results);
  gboolean is_fine;

  *found = done != NULL;
  if (done == NULL)
    return TRUE;
  is_fine = done->result != NULL;
  if (is_fine)
    is_fine = take (self, done->item, done->result, error);
  else
    g_propagate_error (error, g_steal_pointer (&self->own_error));
  free_done (done);
  return is_fine;
}

static gboolean
answer (Chief *self, int rank, GError **error)
{
  guint32 item = next_item (self);

  self->n_active -= item == NO_ITEM;
  if (self->ranks->link.send (&self->ranks->link, rank, &item, sizeof item))
    return TRUE;
  return goban_ranks_cut (self->ranks, error);
}

/* *found: whether a message was there. */
static gboolean
take_message (Chief *self, gboolean *found, GError **error)
{
  GobanRanksLink *link = &self->ranks->link;
  g_autofree guint8 *message = NULL;
  g_autoptr (GBytes) result = NULL;
  int from, size;
  Head head;

  *found = link->probe (link, &from, &size);
  if (!*found)
    return TRUE;
  message = g_malloc ((gsize) size);
  link->receive (link, from, message, size);
  self->ranks->traffic.n_calls++;
  self->ranks->traffic.n_bytes += (guint64) size;
  g_assert ((gsize) size >= sizeof head);
  memcpy (&head, message, sizeof head);
  if (head.kind == HAS_ERROR)
    return goban_refuse (error, GOBAN_ERROR_IO, "rank %d: %.*s", from,
                         (int) ((gsize) size - sizeof head), (const char *) message + sizeof head);
  if (head.kind == HAS_RESULT)
    {
      result = g_bytes_new (message + sizeof head, (gsize) size - sizeof head);
      if (!take (self, head.item, result, error))
        return FALSE;
    }
  return answer (self, from, error);
}

/* Until all results are there and all ranks have received the end. */
static gboolean
collect (Chief *self, GError **error)
{
  gulong rest_us = FIRST_REST_US;

  while (self->n_taken < self->n_items || self->n_active > 0)
    {
      gboolean has_own, has_message;

      if (!goban_progress_check (self->progress, error) || !take_own (self, &has_own, error)
          || !take_message (self, &has_message, error))
        return FALSE;
      if (has_own || has_message)
        rest_us = FIRST_REST_US;
      else
        g_usleep (rest_us);
      rest_us = MIN (rest_us * 2, LAST_REST_US);
    }
  return TRUE;
}

static gboolean
lead (GobanRanks *ranks, const GobanWorkQueue *queue, const guint *items, guint n_items,
      const GobanProgress *progress, GError **error)
{
  Chief self = { .ranks = ranks,
                 .queue = queue,
                 .progress = progress,
                 .items = items,
                 .n_items = n_items,
                 .results = g_async_queue_new_full (free_done),
                 .n_active = ranks->link.size - 1 };
  GThread *thread = g_thread_new ("rank-0", work_thread, &self);
  gboolean is_done = collect (&self, error);

  g_atomic_int_set (&self.is_stopped, 1);
  g_thread_join (thread);
  g_async_queue_unref (self.results);
  g_clear_error (&self.own_error);
  /* The others are in the middle of their items, which may take hours: do not wait for them. */
  if (!is_done)
    ranks->is_over = ranks->is_cut = TRUE;
  return is_done;
}

/* --- other ranks ------------------------------------------------------------------------------ */

/* Sends to rank 0 and waits for its answer. */
static gboolean
ask (GobanRanks *ranks, Head head, const void *bytes, gsize size, guint32 *item, GError **error)
{
  GobanRanksLink *link = &ranks->link;
  g_autofree guint8 *message = g_malloc (sizeof head + size);
  gulong rest_us = FIRST_REST_US;
  int from, n;

  memcpy (message, &head, sizeof head);
  if (size > 0)
    memcpy (message + sizeof head, bytes, size);
  if (!link->send (link, 0, message, (int) (sizeof head + size)))
    return goban_ranks_cut (ranks, error);
  for (; !link->probe (link, &from, &n); rest_us = MIN (rest_us * 2, LAST_REST_US))
    {
      if (!link->wait (link->wait_data))
        return goban_ranks_cut (ranks, error);
      g_usleep (rest_us);
    }
  g_assert (from == 0 && n == sizeof *item);
  link->receive (link, 0, item, n);
  return TRUE;
}

/* Rank 0 reports the failure, and no rank answers any more. */
static gboolean
give_up (GobanRanks *ranks, guint32 item, const GError *failure, GError **error)
{
  Head head = { HAS_ERROR, item };
  guint32 answer;

  if (g_error_matches (failure, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    return goban_ranks_cut (ranks, error);
  return ask (ranks, head, failure->message, strlen (failure->message), &answer, error);
}

static gboolean
follow (GobanRanks *ranks, const GobanWorkQueue *self, const GobanProgress *progress,
        GError **error)
{
  Head head = { IS_READY, 0 };
  g_autoptr (GBytes) result = NULL;
  guint32 item;

  for (;;)
    {
      g_autoptr (GError) failure = NULL;
      gsize size = 0;
      const void *bytes = result != NULL ? g_bytes_get_data (result, &size) : NULL;

      if (!ask (ranks, head, bytes, size, &item, error))
        return FALSE;
      if (item == NO_ITEM)
        return TRUE;
      g_clear_pointer (&result, g_bytes_unref);
      result = self->work (item, progress, self->data, &failure);
      if (result == NULL)
        return give_up (ranks, item, failure, error);
      head = (Head){ HAS_RESULT, item };
    }
}

/* --- one process ------------------------------------------------------------------------------ */

static gboolean
run_alone (const GobanWorkQueue *self, const guint *items, guint n_items,
           const GobanProgress *progress, GError **error)
{
  for (guint i = 0; i < n_items; i++)
    {
      guint item = items != NULL ? items[i] : i;
      g_autoptr (GBytes) result = self->work (item, progress, self->data, error);

      if (result == NULL || !self->take (item, result, self->data, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
goban_work_queue_run (GobanRanks *ranks, const GobanWorkQueue *self, const guint *items,
                      guint n_items, const GobanProgress *progress, GError **error)
{
  if (goban_ranks_get_size (ranks) == 1)
    return run_alone (self, items, n_items, progress, error);
  /* Earlier failures are reported before any rank waits for an item. */
  if (!goban_ranks_meet (ranks, error))
    return FALSE;
  return goban_ranks_get_rank (ranks) == 0 ? lead (ranks, self, items, n_items, progress, error)
                                           : follow (ranks, self, progress, error);
}
