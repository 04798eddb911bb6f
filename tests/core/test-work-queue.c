/* test-work-queue.c: every item is worked once, and rank 0 has all results, or the first error. */
#include "engine/core/error.h"
#include "engine/core/ranks/work-queue.h"
#include "tests/support/test-program.h"
#include "tests/support/thread-ranks.h"

#include <string.h>

#define N_ITEMS 40

typedef struct
{
  gint n_worked[2 * N_ITEMS]; /* atomic */
  guint n_taken[2 * N_ITEMS];
  guint bad; /* this item fails */
  gboolean is_reversed;
  gboolean has_failed[8]; /* by rank */
  char *message;          /* of rank 0 */
} Items;

static GBytes *
work (guint item, const GobanProgress *progress, gpointer data, GError **error)
{
  Items *self = data;

  g_atomic_int_inc (&self->n_worked[item]);
  g_usleep (item % 7 * 30);
  if (item == self->bad)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "item %u cannot be", item);
      return NULL;
    }
  return g_bytes_new (&item, item % 2 == 0 ? 0 : sizeof item); /* some results are empty */
}

static gboolean
take (guint item, GBytes *result, gpointer data, GError **error)
{
  Items *self = data;

  g_assert_cmpuint (g_bytes_get_size (result), ==, item % 2 == 0 ? 0 : sizeof item);
  self->n_taken[item]++;
  return TRUE;
}

static void
run (GobanRanks *ranks, gpointer data)
{
  Items *self = data;
  GobanWorkQueue queue = { work, take, self };
  guint order[N_ITEMS];
  guint rank = goban_ranks_get_rank (ranks);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_ITEMS; i++)
    order[i] = 2 * N_ITEMS - 1 - i;
  if (goban_work_queue_run (ranks, &queue, self->is_reversed ? order : NULL, N_ITEMS, NULL, &error))
    {
      g_assert_true (goban_ranks_end (ranks, NULL, NULL)); /* all are fine */
      return;
    }
  self->has_failed[rank] = TRUE;
  if (rank != 0)
    return;
  self->message = g_strdup (error->message);
  thread_ranks_stop_waits (TRUE); /* as mpirun does when rank 0 ends with an error */
}

static void
test_all (void)
{
  for (guint size = 0; size <= 5; size++)
    {
      Items self = { .bad = G_MAXUINT, .is_reversed = size % 2 == 1 };
      guint first = self.is_reversed ? N_ITEMS : 0;

      if (size == 0)
        run (NULL, &self);
      else
        thread_ranks_run (size, run, &self);
      for (guint i = 0; i < 2 * N_ITEMS; i++)
        {
          gint expected = i >= first && i < first + N_ITEMS ? 1 : 0;

          g_assert_cmpint (self.n_worked[i], ==, expected);
          g_assert_cmpint ((gint) self.n_taken[i], ==, expected);
        }
    }
}

/* The error names the item, and the rank unless it is rank 0; nobody waits. */
static void
test_failure (void)
{
  for (guint size = 1; size <= 4; size++)
    {
      Items self = { .bad = 17 };

      thread_ranks_run (size, run, &self);
      thread_ranks_stop_waits (FALSE);
      g_assert_true (self.has_failed[0]);
      g_test_message ("%s", self.message);
      g_assert_true (g_str_has_suffix (self.message, "item 17 cannot be"));
      g_assert_true (g_str_has_prefix (self.message, "item")
                     || g_str_has_prefix (self.message, "rank "));
      g_assert_cmpuint (self.n_taken[17], ==, 0);
      g_free (self.message);
    }
}

TEST_PROGRAM (work_queue)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ranks/work-queue/all", test_all);
  g_test_add_func ("/ranks/work-queue/failure", test_failure);
  return g_test_run ();
}
