#include "engine/core/ranks/ranks.h"

#include <string.h>

#include "engine/core/error.h"
#include "engine/core/ranks/ordered-sum.h"
#include "engine/core/ranks/work-queue.h"

struct _GobanRanks
{
  GobanRanksLink link;
  const GobanProgress *progress;
  GobanRanksTraffic traffic;
  gboolean
      is_over;     /* no call may wait for the others any more: one has failed, or all have ended */
  gboolean is_cut; /* a call was cut short: the others may wait in it for good */
};

/* Every exchange begins with one of these from each rank, so that a failure reaches the others in
 * whatever call they are. */
typedef enum
{
  GOES_ON,
  ENDS,
  HAS_FAILED, /* the bytes are its message */
} State;

typedef struct
{
  gint32 state;
  gint32 size; /* of the bytes that follow */
} Head;

static int
wait_cb (void *data)
{
  const GobanRanks *self = data;

  return goban_progress_check (self->progress,
                               NULL); /* the call that is cut short sets the error */
}

GobanRanks *
goban_ranks_new (const GobanRanksLink *link, const GobanProgress *progress)
{
  GobanRanks *self = g_new0 (GobanRanks, 1);

  self->link = *link;
  self->progress = progress;
  self->link.wait = wait_cb;
  self->link.wait_data = self;
  return self;
}

void
goban_ranks_free (GobanRanks *self)
{
  g_free (self);
}

guint
goban_ranks_get_rank (const GobanRanks *self)
{
  return self != NULL ? (guint) self->link.rank : 0;
}

guint
goban_ranks_get_size (const GobanRanks *self)
{
  return self != NULL ? (guint) self->link.size : 1;
}

GobanRanksTraffic
goban_ranks_get_traffic (const GobanRanks *self)
{
  return self != NULL ? self->traffic : (GobanRanksTraffic){ 0 };
}

void
goban_ranks_share (guint n_items, guint rank, guint size, guint *first, guint *end)
{
  *first = (guint) ((guint64) n_items * rank / size);
  *end = (guint) ((guint64) n_items * (rank + 1) / size);
}

void
goban_ranks_share_own (const GobanRanks *self, guint n_items, guint *first, guint *end)
{
  goban_ranks_share (n_items, goban_ranks_get_rank (self), goban_ranks_get_size (self), first, end);
}

/* --- exchanges -------------------------------------------------------------------------------- */

/* A call was cut short. %FALSE with %GOBAN_ERROR_CANCELLED set. */
static gboolean
ranks_cut (GobanRanks *self, GError **error)
{
  self->is_over = self->is_cut = TRUE;
  return goban_refuse (error, GOBAN_ERROR_CANCELLED, "stopped on request");
}

/* Sets sizes and offsets of what follows; %FALSE with @error set if it is too much. */
static gboolean
plan_rest (const GobanRanks *self, const Head *heads, int *sizes, int *offsets, gsize *total,
           GError **error)
{
  *total = 0;
  for (int r = 0; r < self->link.size; r++)
    {
      sizes[r] = heads[r].size;
      offsets[r] = (int) *total;
      *total += (gsize) heads[r].size;
      if (*total > G_MAXINT32)
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "the ranks would exchange more than 2 GB at once");
    }
  return TRUE;
}

/* %FALSE with @error set if a rank has failed, or has ended before the others. */
static gboolean
check_states (GobanRanks *self, const Head *heads, const GByteArray *all, const int *offsets,
              GError **error)
{
  guint n_ended = 0;

  for (int r = 0; r < self->link.size; r++)
    {
      n_ended += heads[r].state == ENDS;
      if (heads[r].state != HAS_FAILED)
        continue;
      self->is_over = TRUE;
      return goban_refuse (error, GOBAN_ERROR_IO, "rank %d: %.*s", r, heads[r].size,
                           (const char *) all->data + offsets[r]);
    }
  if (n_ended > 0)
    self->is_over = TRUE;
  if (n_ended == 0 || n_ended == (guint) self->link.size)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_IO,
                       "%u of %d ranks have ended before the others; were all started alike?",
                       n_ended, self->link.size);
}

/* @all: emptied first */
static gboolean
exchange (GobanRanks *self, State state, const void *mine, gsize size, GByteArray *all,
          GError **error)
{
  guint n = (guint) self->link.size;
  Head own = { (gint32) state, (gint32) size };
  g_autofree Head *heads = g_new (Head, n);
  g_autofree int *sizes = g_new (int, n);
  g_autofree int *offsets = g_new (int, n);
  gsize total;

  g_assert (size <= G_MAXINT32);
  for (guint r = 0; r < n; r++)
    {
      sizes[r] = sizeof own;
      offsets[r] = (int) (r * sizeof own);
    }
  if (!self->link.gather (&self->link, &own, sizeof own, heads, sizes, offsets))
    return ranks_cut (self, error);
  if (!plan_rest (self, heads, sizes, offsets, &total, error))
    return FALSE;
  g_byte_array_set_size (all, (guint) total);
  if (total > 0 && !self->link.gather (&self->link, mine, (int) size, all->data, sizes, offsets))
    return ranks_cut (self, error);
  self->traffic.n_bytes += (n - 1) * sizeof own + total - size;
  return check_states (self, heads, all, offsets, error);
}

gboolean
goban_ranks_gather (GobanRanks *self, const void *mine, gsize size, GByteArray *all, GError **error)
{
  if (goban_ranks_get_size (self) > 1)
    {
      gint64 begun_us = g_get_monotonic_time ();
      gboolean is_done;

      if (self->is_over)
        return ranks_cut (self, error);
      is_done = exchange (self, GOES_ON, mine, size, all, error);
      self->traffic.n_calls++;
      self->traffic.seconds += (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
      return is_done;
    }
  g_byte_array_set_size (all, 0);
  g_byte_array_append (all, mine, (guint) size);
  return TRUE;
}

gboolean
goban_ranks_meet (GobanRanks *self, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();

  return goban_ranks_gather (self, "", 0, all, error);
}

/* --- sums ------------------------------------------------------------------------------------- */

static gsize
count_roots (guint first, guint end, guint n_items)
{
  gsize n = 0;

  for (guint i = first; i < end; i += goban_ordered_sum_get_width (i, end, n_items))
    n++;
  return n;
}

/* The sum of roots (n_roots, n) that each rank has. */
static gboolean
sum_whole (GobanRanks *self, const float *roots, gsize n_roots, const guint *bounds, guint n_items,
           gsize n, float *sum, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();

  if (!goban_ranks_gather (self, roots, n_roots * n * sizeof *roots, all, error))
    return FALSE;
  goban_ordered_sum_join ((float *) (void *) all->data, bounds, goban_ranks_get_size (self),
                          n_items, n);
  memcpy (sum, all->data, n * sizeof *sum);
  return TRUE;
}

/* Slices of the vectors, as the ranks send them to each other. */
typedef struct
{
  float *sent;   /* for each rank its slice of the own roots */
  float *got;    /* the own slice of each rank's roots */
  int *to_sizes; /* (size) bytes, as the three below */
  int *to_offsets;
  int *from_sizes;
  int *from_offsets;
  guint n_own; /* length of the own slice */
} Slices;

static void
slices_clear (Slices *self)
{
  g_free (self->sent);
  g_free (self->got);
  g_free (self->to_sizes);
  g_free (self->to_offsets);
  g_free (self->from_sizes);
  g_free (self->from_offsets);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Slices, slices_clear)

static void
slices_init (Slices *self, const GobanRanks *ranks, const float *roots, gsize n_roots,
             const guint *bounds, guint n_items, gsize n)
{
  guint size = (guint) ranks->link.size;
  guint first, end, n_all = 0;
  float *next;

  goban_ranks_share ((guint) n, (guint) ranks->link.rank, size, &first, &end);
  self->n_own = end - first;
  self->sent = next = g_new (float, n_roots *n + 1);
  self->to_sizes = g_new (int, size);
  self->to_offsets = g_new (int, size);
  self->from_sizes = g_new (int, size);
  self->from_offsets = g_new (int, size);
  for (guint r = 0; r < size; r++)
    {
      gsize n_theirs = count_roots (bounds[r], bounds[r + 1], n_items);

      goban_ranks_share ((guint) n, r, size, &first, &end);
      self->to_offsets[r] = (int) ((gsize) (next - self->sent) * sizeof *next);
      self->to_sizes[r] = (int) (n_roots * (end - first) * sizeof *next);
      for (gsize i = 0; i < n_roots; i++, next += end - first)
        memcpy (next, roots + i * n + first, (end - first) * sizeof *next);
      self->from_offsets[r] = (int) (n_all * self->n_own * sizeof *next);
      self->from_sizes[r] = (int) (n_theirs * self->n_own * sizeof *next);
      n_all += (guint) n_theirs;
    }
  self->got = g_new (float, (gsize) n_all * self->n_own + 1);
}

/* The same for long vectors: every rank adds a slice of all roots, and all get the slices. */
static gboolean
sum_sliced (GobanRanks *self, const float *roots, gsize n_roots, const guint *bounds, guint n_items,
            gsize n, float *sum, GError **error)
{
  g_auto (Slices) slices = { 0 };
  g_autoptr (GByteArray) all = g_byte_array_new ();
  gint64 begun_us;

  /* Failures are received here, before anything is sent that no rank receives. */
  if (!goban_ranks_meet (self, error))
    return FALSE;
  slices_init (&slices, self, roots, n_roots, bounds, n_items, n);
  begun_us = g_get_monotonic_time ();
  if (!self->link.scatter (&self->link, slices.sent, slices.to_sizes, slices.to_offsets, slices.got,
                           slices.from_sizes, slices.from_offsets))
    return ranks_cut (self, error);
  self->traffic.seconds += (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
  for (int r = 0; r < self->link.size; r++)
    self->traffic.n_bytes += r != self->link.rank ? (guint64) slices.from_sizes[r] : 0;
  if (slices.n_own > 0)
    goban_ordered_sum_join (slices.got, bounds, (guint) self->link.size, n_items, slices.n_own);
  if (!goban_ranks_gather (self, slices.got, slices.n_own * sizeof *sum, all, error))
    return FALSE;
  memcpy (sum, all->data, n * sizeof *sum);
  return TRUE;
}

gboolean
goban_ranks_sum (GobanRanks *self, float *items, guint n_items, gsize n, float *sum, GError **error)
{
  guint size = goban_ranks_get_size (self);
  guint rank = goban_ranks_get_rank (self);
  g_autofree guint *bounds = g_new (guint, size + 1);
  gsize n_roots;

  bounds[0] = 0;
  for (guint r = 0; r < size; r++)
    goban_ranks_share (n_items, r, size, &bounds[r], &bounds[r + 1]);
  n_roots = goban_ordered_sum_reduce (items, bounds[rank], bounds[rank + 1], n_items, n);
  if (size == 1)
    {
      memcpy (sum, items, n * sizeof *sum);
      return TRUE;
    }
  /* Offsets of messages are of 32 bits. */
  if (n * sizeof *items * (n_roots + size) > G_MAXINT32)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "the ranks would exchange more than 2 GB at once");
  if (n * sizeof *items < GOBAN_RANKS_SLICED_BYTES)
    return sum_whole (self, items, n_roots, bounds, n_items, n, sum, error);
  return sum_sliced (self, items, n_roots, bounds, n_items, n, sum, error);
}

/* --- the end ---------------------------------------------------------------------------------- */

gboolean
goban_ranks_end (GobanRanks *self, const char *failure, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  gboolean is_done = TRUE;

  if (goban_ranks_get_size (self) == 1 || self->is_cut)
    return TRUE;
  if (!self->is_over)
    is_done = exchange (self, failure != NULL ? HAS_FAILED : ENDS, failure,
                        failure != NULL ? strlen (failure) : 0, all, error);
  if (!self->is_cut)
    self->link.close (&self->link);
  self->is_over = self->is_cut = TRUE;
  return is_done;
}

/* --- queues --------------------------------------------------------------- */

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
} Message;

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
  return ranks_cut (self->ranks, error);
}

/* *found: whether a message was there. */
static gboolean
take_message (Chief *self, gboolean *found, GError **error)
{
  GobanRanksLink *link = &self->ranks->link;
  g_autofree guint8 *message = NULL;
  g_autoptr (GBytes) result = NULL;
  int from, size;
  Message head;

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
ask (GobanRanks *ranks, Message head, const void *bytes, gsize size, guint32 *item, GError **error)
{
  GobanRanksLink *link = &ranks->link;
  g_autofree guint8 *message = g_malloc (sizeof head + size);
  gulong rest_us = FIRST_REST_US;
  int from, n;

  memcpy (message, &head, sizeof head);
  if (size > 0)
    memcpy (message + sizeof head, bytes, size);
  if (!link->send (link, 0, message, (int) (sizeof head + size)))
    return ranks_cut (ranks, error);
  for (; !link->probe (link, &from, &n); rest_us = MIN (rest_us * 2, LAST_REST_US))
    {
      if (!link->wait (link->wait_data))
        return ranks_cut (ranks, error);
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
  Message head = { HAS_ERROR, item };
  guint32 answer;

  if (g_error_matches (failure, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    return ranks_cut (ranks, error);
  return ask (ranks, head, failure->message, strlen (failure->message), &answer, error);
}

static gboolean
follow (GobanRanks *ranks, const GobanWorkQueue *self, const GobanProgress *progress,
        GError **error)
{
  Message head = { IS_READY, 0 };
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
      head = (Message){ HAS_RESULT, item };
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
