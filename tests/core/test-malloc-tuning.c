#include "engine/core/jobs/job.h"
#include "engine/core/jobs/malloc-tuning.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Half of the blocks are more than the heap is trimmed for. */
#define N_BLOCKS 640
#define BLOCK_BYTES (256 * 1024)

/* What a job leaves behind: holes between blocks that stay. */
static gpointer
fragment_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  gpointer *blocks = data;

  for (guint i = 0; i < N_BLOCKS; i++)
    blocks[i] = g_malloc0 (BLOCK_BYTES);
  for (guint i = 0; i < N_BLOCKS; i += 2)
    g_clear_pointer (&blocks[i], g_free);
  return blocks;
}

static double
resident_bytes (void)
{
  g_autofree char *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL));
  at = strstr (text, "\nRss:");
  g_assert_nonnull (at);
  return g_ascii_strtod (at + strlen ("\nRss:"), NULL) * 1024;
}

static void
run_job (gpointer *blocks)
{
  g_autoptr (GobanJob) job = goban_job_start ("leaving holes", fragment_worker, blocks, NULL, NULL);

  goban_job_wait (job);
}

static void
test_gives_back_when_jobs_rest (void)
{
  gpointer blocks[N_BLOCKS] = { NULL };
  double before, after;

  run_job (blocks);
  g_assert_cmpuint (goban_malloc_tuning_get_n_trims (), ==, 0); /* not at once */
  before = resident_bytes ();
  while (goban_malloc_tuning_get_n_trims () == 0)
    g_main_context_iteration (NULL, TRUE);
  after = resident_bytes ();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  g_assert_cmpfloat (after, <, before - N_BLOCKS / 4 * BLOCK_BYTES);
#endif
  for (guint i = 0; i < N_BLOCKS; i++)
    g_free (blocks[i]);
}

TEST_PROGRAM (malloc_tuning)
{
  goban_malloc_tuning_begin ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/jobs/malloc-tuning/gives-back-when-jobs-rest", test_gives_back_when_jobs_rest);
  return g_test_run ();
}
