/* test-corpus.c: every parser against small nasty files, all beginnings of them, and copies
 * with some bytes changed. The outcome must be a value or an error; see targets.h.
 */
#include "engine/core/rng.h"
#include "tests/fuzz/targets.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>
#include <sys/resource.h>

#define MAX_PREFIX_FILE 1500
#define N_MUTANTS 200
#define MIN_FILES 8

/* More of them by GOBAN_FUZZ_MUTANTS=N, for an hour's search without clang; or, of each target,
 * as many as have GOBAN_FUZZ_BYTES=N bytes. */
static guint n_mutants = N_MUTANTS;
static guint64 least_bytes;

/* Of one target. */
static guint64 n_fed;
static guint64 n_bytes;
static gint64 slowest_us;

/* Bytes that mean something to the parsers, so that a change hits more often. */
static const char spice[] = "\"{}[]<>(),;:=-+.#\\/\n\t 0129eEnN\xff\xc3\x01";

static void
mutate (char *data, gsize size, GobanRng *rng)
{
  guint n_changes = 1 + goban_rng_below (rng, 4);

  for (guint i = 0; i < n_changes && size > 0; i++)
    {
      gsize at = goban_rng_below (rng, (guint32) size);
      gsize from = goban_rng_below (rng, (guint32) size);
      gsize wanted = 1 + goban_rng_below (rng, 16);
      gsize n = MIN (size - MAX (at, from), wanted);

      switch (goban_rng_below (rng, 4))
        {
        case 0:
          data[at] ^= (char) (1 << goban_rng_below (rng, 8));
          break;
        case 1:
          data[at] = spice[goban_rng_below (rng, sizeof spice - 1)];
          break;
        case 2:
          memmove (data + at, data + from, n);
          break;
        default:
          memset (data + at, data[from], n);
        }
    }
}

static void
feed (const FuzzTarget *target, const char *data, gsize size)
{
  gint64 start_us = g_get_monotonic_time ();

  fuzz_feed (target, data, size);
  slowest_us = MAX (slowest_us, g_get_monotonic_time () - start_us);
  n_fed++;
  n_bytes += size;
}

static void
feed_mutants (const FuzzTarget *target, const char *data, gsize size, guint64 seed)
{
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint i = 0; i < n_mutants; i++)
    {
      g_autofree char *mutant = g_memdup2 (data, size);

      mutate (mutant, size, &rng);
      feed (target, mutant, size);
    }
}

static void
feed_file (const FuzzTarget *target, const char *data, gsize size, guint64 seed)
{
  feed (target, data, size);
  for (gsize n = 0; n < size && size <= MAX_PREFIX_FILE; n++)
    feed (target, data, n);
  feed_mutants (target, data, size, seed);
}

/* Peak of the program's memory in MB. */
static double
get_peak_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss / 1024;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
test_corpus (gconstpointer data)
{
  const FuzzTarget *target = data;
  g_autofree char *folder_name = g_strconcat ("tests/fuzz/corpus/", target->name, NULL);
  g_autofree char *folder = project_path (folder_name);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  const char *file;

  g_assert_nonnull (dir);
  while ((file = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (files, g_build_filename (folder, file, NULL));
  g_ptr_array_sort (files, compare_names);
  n_fed = n_bytes = 0;
  slowest_us = 0;
  g_assert_cmpuint (files->len, >=, MIN_FILES);

  for (guint64 round = 0; round == 0 || n_bytes < least_bytes; round++)
    for (guint i = 0; i < files->len; i++)
      {
        g_autofree char *text = NULL;
        gsize size;

        g_assert_true (g_file_get_contents (g_ptr_array_index (files, i), &text, &size, NULL));
        if (round > 0)
          {
            feed_mutants (target, text, size, round * files->len + i);
            continue;
          }
        g_test_message ("%s", (const char *) g_ptr_array_index (files, i));
        feed_file (target, text, size, i);
      }
  g_test_message ("%s: %" G_GUINT64_FORMAT " executions of %.1f MB, the slowest of %.3f s, with at "
                  "most %.0f MB of memory",
                  target->name, n_fed, (double) n_bytes / 1e6, (double) slowest_us / 1e6,
                  get_peak_mb ());
}

TEST_PROGRAM (corpus)
{
  const char *wanted = g_getenv ("GOBAN_FUZZ_MUTANTS");
  const char *bytes = g_getenv ("GOBAN_FUZZ_BYTES");
  const FuzzTarget *targets;
  gsize n;

  g_test_init (&argc, &argv, NULL);
  if (wanted != NULL)
    n_mutants = (guint) g_ascii_strtoull (wanted, NULL, 10);
  if (bytes != NULL)
    least_bytes = g_ascii_strtoull (bytes, NULL, 10);
  targets = fuzz_targets (&n);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/fuzz/corpus/", targets[i].name, NULL);

      g_test_add_data_func (path, &targets[i], test_corpus);
    }
  return g_test_run ();
}
