/* scaling.h: model of an update's time on a number of ranks, from measured work and messages.
 *
 *   time (n) = alike + item ceil (items / n) + rounds latency ceil (log2 n)
 *              + sums vector / bandwidth x (n - 1 for a short vector, 2 (n - 1) / n for a long one)
 *
 * where an exchange is two rounds of messages, of sizes and of contents, and a sum of long vectors
 * two more. Every rank receives short vectors of all others, and of long ones a slice of each and
 * then the sums of the others' slices. Alike is what every rank does by itself: drawing, the
 * optimiser, the average.
 */
#pragma once

#include <glib.h>

/* Sums over the updates that one rank has made. */
typedef struct
{
  guint n_updates;
  guint64 n_items;    /* of all ranks */
  double n_own_items; /* of this rank */
  double own_seconds; /* for its items */
  double exchange_seconds;
  double seconds;      /* for everything */
  guint64 n_exchanges; /* sums included */
  guint64 n_sums;      /* of gradients */
  gsize vector_bytes;  /* of a gradient */
} GobanScaling;

typedef struct
{
  double latency_s; /* of a message */
  double bandwidth; /* bytes a second that a rank receives */
} GobanNetwork;

/* 20 us and 1.25 GB/s: Ethernet of 10 Gbit/s. */
GobanNetwork goban_network_default (void);

/* The mean of all ranks (n), which have made the same updates. */
GobanScaling goban_scaling_average (const GobanScaling *ranks, guint n);

/* Predicted seconds of an update. */
double goban_scaling_predict (const GobanScaling *self, const GobanNetwork *network, guint n_ranks);

/* The most ranks, a power of two, of which at least half the time is worked as if they were one. */
guint goban_scaling_find_most (const GobanScaling *self, const GobanNetwork *network);

/* A table of 1 to 64 ranks, and the two above in words. @n_ranks: that measured. (transfer full) */
char *goban_scaling_to_text (const GobanScaling *self, const GobanNetwork *network,
                             guint n_ranks) G_GNUC_WARN_UNUSED_RESULT;
