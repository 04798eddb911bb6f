#include "engine/core/ranks/ranks-private.h"

#include "engine/core/error.h"
#include "engine/core/ranks/ordered-sum.h"

#include <string.h>

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

gboolean
goban_ranks_cut (GobanRanks *self, GError **error)
{
  self->is_over = self->is_cut = TRUE;
  goban_set_error (error, GOBAN_ERROR_CANCELLED, "stopped on request");
  return FALSE;
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
      goban_set_error (error, GOBAN_ERROR_IO, "rank %d: %.*s", r, heads[r].size,
                       (const char *) all->data + offsets[r]);
      return FALSE;
    }
  if (n_ended > 0)
    self->is_over = TRUE;
  if (n_ended == 0 || n_ended == (guint) self->link.size)
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_IO,
                   "%u of %d ranks have ended before the others; were all started alike?", n_ended,
                   self->link.size);
  return FALSE;
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
    return goban_ranks_cut (self, error);
  if (!plan_rest (self, heads, sizes, offsets, &total, error))
    return FALSE;
  g_byte_array_set_size (all, (guint) total);
  if (total > 0 && !self->link.gather (&self->link, mine, (int) size, all->data, sizes, offsets))
    return goban_ranks_cut (self, error);
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
        return goban_ranks_cut (self, error);
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
    return goban_ranks_cut (self, error);
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
