/* ranks.h: processes of one job that share work and agree on its results.
 *
 * The ranks are the processes that mpirun has started, 0 first. Everywhere a job may be %NULL: that
 * is one process, rank 0 of 1, and costs nothing. All ranks run the same program on the same input
 * and come to the same calls in the same order; each computes its share of the items between two
 * calls. One thread at a time.
 *
 * Sums do not depend on the number of ranks. MPI_Allreduce with MPI_SUM does not promise that, and
 * adds in an order that depends on it: floats round differently then, and trainings part for good.
 * goban_ranks_sum() adds as a fixed binary tree over the items. Every rank sends the subtrees that
 * its own items complete; of long vectors each rank adds a slice, which the others then get. So
 * about as many bytes cross the network as by MPI_Allreduce.
 *
 * A rank that fails ends its program with goban_ranks_end(); the next call of every other rank then
 * returns its message. A rank that dies is noticed by mpirun, which asks the others to end: calls
 * that wait return %GOBAN_ERROR_CANCELLED then.
 *
 * Decision E69 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/core/ranks/ranks-link.h"

typedef struct _GobanRanks GobanRanks;

/* Vectors of so many bytes are summed in slices. */
#define GOBAN_RANKS_SLICED_BYTES 65536

/* Takes over the link. @progress: (nullable): stops calls that wait; must live as long. */
GobanRanks *goban_ranks_new (const GobanRanksLink *link,
                             const GobanProgress *progress) G_GNUC_WARN_UNUSED_RESULT;
/* Without a word to the other ranks. (nullable) */
void goban_ranks_free (GobanRanks *self);

guint goban_ranks_get_rank (const GobanRanks *self);
guint goban_ranks_get_size (const GobanRanks *self);

/* Items *first .. *end - 1 of 0 .. n_items - 1 are those of @rank. The shares differ by one item at
 * most. */
void goban_ranks_share (guint n_items, guint rank, guint size, guint *first, guint *end);
/* The same for the rank of this process. @self: (nullable) */
void goban_ranks_share_own (const GobanRanks *self, guint n_items, guint *first, guint *end);

/* Waits for all ranks. %FALSE with %GOBAN_ERROR_IO set, which names the rank, if one has failed. */
gboolean goban_ranks_meet (GobanRanks *self, GError **error);

/**
 * goban_ranks_gather:
 * @all: (out): the bytes of rank 0, then of rank 1 and so on; the same on every rank
 *
 * Returns: %FALSE with @error set as goban_ranks_meet() does
 */
gboolean goban_ranks_gather (GobanRanks *self, const void *mine, gsize size, GByteArray *all,
                             GError **error);

/**
 * goban_ranks_sum:
 * @items: (n_mine, n): vectors of this rank's share of @n_items; overwritten
 * @sum: (n): their sum over all items; the same bytes on every rank and for every number of ranks
 *
 * Returns: %FALSE with @error set as goban_ranks_meet() does
 */
gboolean goban_ranks_sum (GobanRanks *self, float *items, guint n_items, gsize n, float *sum,
                          GError **error);

/**
 * goban_ranks_end:
 * @failure: (nullable): the message of this rank's failure, for the others
 *
 * The last call of a program; after a call that was cut short it does not wait for the others.
 *
 * Returns: %FALSE with %GOBAN_ERROR_IO set if another rank has failed and no call before said so
 */
gboolean goban_ranks_end (GobanRanks *self, const char *failure, GError **error);

/* Calls so far, bytes that they brought from other ranks, and the seconds that they took. */
typedef struct
{
  guint64 n_calls;
  guint64 n_bytes;
  double seconds;
} GobanRanksTraffic;

GobanRanksTraffic goban_ranks_get_traffic (const GobanRanks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRanks, goban_ranks_free)
