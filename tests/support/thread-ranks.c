#include "tests/support/thread-ranks.h"

#include <string.h>

#define REST_US 20

typedef struct
{
  int from;
  GBytes *bytes;
} Message;

typedef struct
{
  guint size;
  ThreadRankFunc func;
  gpointer data;
  GMutex mutex;
  /* A gather: who has come, and who has read the others. */
  const void **given;        /* (size) */
  const int **given_offsets; /* (size) of a scatter */
  guint n_come;
  guint n_read;
  guint round;  /* counts gathers that are over */
  GQueue *mail; /* (size) of Message */
} Job;

typedef struct
{
  Job *job;
  int rank;
} Seat;

static gint are_stopped;

void
thread_ranks_stop_waits (gboolean stopped)
{
  g_atomic_int_set (&are_stopped, stopped);
}

static int
rest (GobanRanksLink *link)
{
  g_usleep (REST_US);
  return link->wait (link->wait_data);
}

/* @mine_at: (nullable): where each rank's part is in what this one gives */
static int
meet (GobanRanksLink *link, const void *mine, const int *mine_at, void *all, const int *sizes,
      const int *offsets)
{
  Job *job = ((Seat *) link->self)->job;
  guint round;

  g_mutex_lock (&job->mutex);
  round = job->round;
  job->given[link->rank] = mine;
  job->given_offsets[link->rank] = mine_at;
  job->n_come++;
  while (job->n_come < job->size)
    {
      gboolean goes_on;

      g_mutex_unlock (&job->mutex);
      goes_on = rest (link);
      g_mutex_lock (&job->mutex);
      if (goes_on || job->n_come == job->size)
        continue;
      /* Nobody reads what this one has given: it is freed by the caller. */
      job->n_come--;
      g_mutex_unlock (&job->mutex);
      return 0;
    }
  for (guint r = 0; r < job->size; r++)
    if (sizes[r] > 0)
      memcpy ((char *) all + offsets[r],
              (const char *) job->given[r]
                  + (job->given_offsets[r] != NULL ? job->given_offsets[r][link->rank] : 0),
              (gsize) sizes[r]);
  if (++job->n_read == job->size)
    {
      job->n_come = job->n_read = 0;
      job->round++;
    }
  while (job->round == round)
    {
      g_mutex_unlock (&job->mutex);
      g_usleep (REST_US);
      g_mutex_lock (&job->mutex);
    }
  g_mutex_unlock (&job->mutex);
  return 1;
}

static int
gather (GobanRanksLink *link, const void *mine, int size, void *all, const int *sizes,
        const int *offsets)
{
  g_assert_cmpint (size, ==, sizes[link->rank]);
  return meet (link, mine, NULL, all, sizes, offsets);
}

static int
scatter (GobanRanksLink *link, const void *mine, const int *to_sizes, const int *to_offsets,
         void *all, const int *from_sizes, const int *from_offsets)
{
  g_assert_cmpint (to_sizes[link->rank], ==, from_sizes[link->rank]);
  return meet (link, mine, to_offsets, all, from_sizes, from_offsets);
}

static int
send (GobanRanksLink *link, int to, const void *bytes, int size)
{
  Job *job = ((Seat *) link->self)->job;
  Message *message = g_new (Message, 1);

  *message = (Message){ link->rank, g_bytes_new (bytes, (gsize) size) };
  g_mutex_lock (&job->mutex);
  g_queue_push_tail (&job->mail[to], message);
  g_mutex_unlock (&job->mutex);
  return 1;
}

static int
probe (GobanRanksLink *link, int *from, int *size)
{
  Job *job = ((Seat *) link->self)->job;
  const Message *message;

  g_mutex_lock (&job->mutex);
  message = g_queue_peek_head (&job->mail[link->rank]);
  g_mutex_unlock (&job->mutex);
  if (message == NULL)
    return 0;
  *from = message->from;
  *size = (int) g_bytes_get_size (message->bytes);
  return 1;
}

static void
receive (GobanRanksLink *link, int from, void *bytes, int size)
{
  Job *job = ((Seat *) link->self)->job;
  Message *message;

  g_mutex_lock (&job->mutex);
  message = g_queue_pop_head (&job->mail[link->rank]);
  g_mutex_unlock (&job->mutex);
  g_assert_cmpint (message->from, ==, from);
  memcpy (bytes, g_bytes_get_data (message->bytes, NULL), (gsize) size);
  g_bytes_unref (message->bytes);
  g_free (message);
}

static void
close_link (GobanRanksLink *link)
{
}

static gboolean
should_stop (gpointer data)
{
  return g_atomic_int_get (&are_stopped) != 0;
}

static gpointer
rank_thread (gpointer data)
{
  Seat *seat = data;
  GobanProgress progress = { .should_stop = should_stop };
  GobanRanksLink link = { .self = seat,
                          .rank = seat->rank,
                          .size = (int) seat->job->size,
                          .n_here = (int) seat->job->size,
                          .gather = gather,
                          .scatter = scatter,
                          .send = send,
                          .probe = probe,
                          .receive = receive,
                          .close = close_link };
  g_autoptr (GobanRanks) ranks = goban_ranks_new (&link, &progress);

  seat->job->func (ranks, seat->job->data);
  return NULL;
}

static void
free_message (gpointer data)
{
  Message *message = data;

  g_bytes_unref (message->bytes);
  g_free (message);
}

void
thread_ranks_run (guint size, ThreadRankFunc func, gpointer data)
{
  Job job = { .size = size, .func = func, .data = data };
  g_autofree Seat *seats = g_new (Seat, size);
  g_autofree GThread **threads = g_new (GThread *, size);

  g_mutex_init (&job.mutex);
  job.given = g_new0 (const void *, size);
  job.given_offsets = g_new0 (const int *, size);
  job.mail = g_new0 (GQueue, size);
  for (guint r = 0; r < size; r++)
    {
      seats[r] = (Seat){ &job, (int) r };
      threads[r] = g_thread_new ("rank", rank_thread, &seats[r]);
    }
  for (guint r = 0; r < size; r++)
    g_thread_join (threads[r]);
  for (guint r = 0; r < size; r++)
    g_queue_clear_full (&job.mail[r], free_message);
  g_free (job.given);
  g_free (job.given_offsets);
  g_free (job.mail);
  g_mutex_clear (&job.mutex);
}
