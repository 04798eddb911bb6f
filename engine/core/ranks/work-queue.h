/* work-queue.h: independent items that all ranks of a job take in turn, and rank 0 collects.
 *
 * For items of different, unknown lengths: the next rank that is ready gets the next item. Rank 0
 * works in a thread of its own and answers the others meanwhile, so that a result that has been
 * made is there at once, whatever happens to other ranks.
 */
#pragma once

#include "engine/core/ranks/ranks.h"

typedef struct
{
  /* Any rank, on rank 0 in another thread. (transfer full) (nullable): %NULL with @error set */
  GBytes *(*work) (guint item, const GobanProgress *progress, gpointer data, GError **error);
  /* Rank 0, in the thread of the call, in the order in which results come. */
  gboolean (*take) (guint item, GBytes *result, gpointer data, GError **error);
  gpointer data;
} GobanWorkQueue;

/**
 * goban_work_queue_run:
 * @items: (nullable): numbers of the items in the order in which they are begun, on rank 0; %NULL:
 *   0 .. n_items - 1. Other ranks need neither.
 *
 * A rank that is not the first takes nothing and returns when no item is left.
 *
 * Returns: %FALSE with @error set: of an item, with the rank's number if it is another's, or
 *   %GOBAN_ERROR_CANCELLED
 */
gboolean goban_work_queue_run (GobanRanks *ranks, const GobanWorkQueue *self, const guint *items,
                               guint n_items, const GobanProgress *progress, GError **error);
