/* test-ranks.c: all ranks get the same results, hear of failures, and do not wait for a rank that
 * is gone. */
#include "engine/core/error.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"

#include <string.h>

#define N_ITEMS 13
#define N 5

/* --- sums ------------------------------------------------------------------------------------- */

typedef struct
{
  float items[N_ITEMS * N];
  float sums[8][N]; /* of each rank */
} Sums;

static void
add_up (GobanRanks *ranks, gpointer data)
{
  Sums *self = data;
  guint first, end;
  g_autofree float *mine = NULL;
  g_autoptr (GError) error = NULL;

  goban_ranks_share_own (ranks, N_ITEMS, &first, &end);
  mine = g_memdup2 (self->items + first * N, (end - first) * N * sizeof *self->items);
  g_assert_true (
      goban_ranks_sum (ranks, mine, N_ITEMS, N, self->sums[goban_ranks_get_rank (ranks)], &error));
  g_assert_no_error (error);
  g_assert_true (goban_ranks_end (ranks, NULL, &error));
  g_assert_no_error (error);
}

/* Without a job, and for 1 to 8 ranks. */
static void
test_sum (void)
{
  Sums self = { 0 };
  float alone[N];

  for (guint i = 0; i < N_ITEMS * N; i++)
    self.items[i] = (float) g_test_rand_double_range (-1, 1) * (float) (1 << (i % 20));
  add_up (NULL, &self);
  memcpy (alone, self.sums[0], sizeof alone);
  for (guint size = 1; size <= 8; size++)
    {
      memset (self.sums, 0, sizeof self.sums);
      thread_ranks_run (size, add_up, &self);
      for (guint r = 0; r < size; r++)
        g_assert_cmpmem (self.sums[r], sizeof alone, alone, sizeof alone);
    }
}

/* Long vectors go in slices, one of which is empty or shorter. */
#define LONG (GOBAN_RANKS_SLICED_BYTES / 4 + 3)

typedef struct
{
  const float *items; /* (N_ITEMS, LONG) */
  float *sums;        /* (8, LONG) */
} LongSums;

static void
add_up_long (GobanRanks *ranks, gpointer data)
{
  LongSums *self = data;
  guint rank = goban_ranks_get_rank (ranks);
  guint first, end;
  g_autofree float *mine = NULL;

  goban_ranks_share (N_ITEMS, rank, goban_ranks_get_size (ranks), &first, &end);
  mine = g_memdup2 (self->items + first * LONG, (gsize) (end - first) * LONG * sizeof *mine);
  g_assert_true (goban_ranks_sum (ranks, mine, N_ITEMS, LONG, self->sums + (gsize) rank * LONG,
                                  NULL)); /* it cannot fail */
}

static void
test_long_sum (void)
{
  g_autofree float *items = g_new (float, N_ITEMS *LONG);
  g_autofree float *sums = g_new0 (float, 8 * LONG);
  g_autofree float *alone = NULL;
  LongSums self = { items, sums };

  for (guint i = 0; i < N_ITEMS * LONG; i++)
    items[i] = (float) g_test_rand_double_range (-1, 1) * (float) (1 << (i % 20));
  add_up_long (NULL, &self);
  alone = g_memdup2 (sums, LONG * sizeof *sums);
  for (guint size = 2; size <= 8; size += 3)
    {
      memset (sums, 0, 8 * LONG * sizeof *sums);
      thread_ranks_run (size, add_up_long, &self);
      for (guint r = 0; r < size; r++)
        g_assert_cmpmem (sums + r * LONG, LONG * sizeof *sums, alone, LONG * sizeof *sums);
    }
}

/* --- gathers ---------------------------------------------------------------------------------- */

/* Rank r gives r bytes. */
static void
give_letters (GobanRanks *ranks, gpointer data)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint rank = goban_ranks_get_rank (ranks);

  for (guint round = 0; round < 3; round++)
    {
      g_assert_true (goban_ranks_gather (ranks, "ddd", rank, all, NULL)); /* it cannot fail */
      g_assert_cmpmem (all->data, all->len, "dddddd", 6);
    }
  g_assert_true (goban_ranks_meet (ranks, NULL)); /* nor can this */
  g_assert_cmpuint (goban_ranks_get_traffic (ranks).n_calls, ==, 4);
  g_assert_cmpuint (goban_ranks_get_traffic (ranks).n_bytes, ==, 4 * 3 * 8 + 3 * (6 - rank));
}

static void
test_gather (void)
{
  thread_ranks_run (4, give_letters, NULL);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Rank 2 cannot read its file, while the others are in whatever call. */
static void
fail_once (GobanRanks *ranks, gpointer data)
{
  guint rank = goban_ranks_get_rank (ranks);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;

  g_assert_true (goban_ranks_meet (ranks, &error));
  if (rank == 2)
    {
      g_assert_false (goban_ranks_end (ranks, "x.net: no such file", &error));
      return;
    }
  g_assert_false (goban_ranks_gather (ranks, "abc", 3, all, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, "rank 2: x.net: no such file");
  g_assert_false (goban_ranks_meet (ranks, &again));             /* and no call waits for it */
  g_assert_true (goban_ranks_end (ranks, error->message, NULL)); /* it has been told */
}

static void
test_failure (void)
{
  thread_ranks_run (4, fail_once, NULL);
}

/* Rank 1 fails when the others are done. */
static void
fail_late (GobanRanks *ranks, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (goban_ranks_get_rank (ranks) == 1)
    {
      g_assert_false (goban_ranks_end (ranks, "disk full", NULL)); /* its own failure */
      return;
    }
  g_assert_false (goban_ranks_end (ranks, NULL, &error));
  g_assert_cmpstr (error->message, ==, "rank 1: disk full");
}

static void
test_late_failure (void)
{
  thread_ranks_run (3, fail_late, NULL);
}

/* Rank 0 was not started as the others were. */
static void
end_early (GobanRanks *ranks, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (goban_ranks_get_rank (ranks) == 0)
    g_assert_false (goban_ranks_end (ranks, NULL, &error));
  else
    g_assert_false (goban_ranks_meet (ranks, &error));
  g_assert_nonnull (strstr (error->message, "1 of 3 ranks have ended before the others"));
}

static void
test_early_end (void)
{
  thread_ranks_run (3, end_early, NULL);
}

/* Rank 1 is dead, and mpirun asks the others to end. */
static void
die (GobanRanks *ranks, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (goban_ranks_get_rank (ranks) == 1)
    {
      thread_ranks_stop_waits (TRUE);
      return;
    }
  g_assert_false (goban_ranks_meet (ranks, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_true (goban_ranks_end (ranks, NULL, NULL)); /* which waits for nobody */
}

static void
test_death (void)
{
  thread_ranks_run (3, die, NULL);
  thread_ranks_stop_waits (FALSE);
}

TEST_PROGRAM (ranks)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranks/ranks/sum", test_sum);
  g_test_add_func ("/ranks/ranks/long-sum", test_long_sum);
  g_test_add_func ("/ranks/ranks/gather", test_gather);
  g_test_add_func ("/ranks/ranks/failure", test_failure);
  g_test_add_func ("/ranks/ranks/late-failure", test_late_failure);
  g_test_add_func ("/ranks/ranks/early-end", test_early_end);
  g_test_add_func ("/ranks/ranks/death", test_death);
  return g_test_run ();
}
