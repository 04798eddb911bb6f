/* fuzz-onnx.c: the ONNX reader against bytes that nobody meant.
 *
 * With clang, -fsanitize=fuzzer and -DGOBAN_LIBFUZZER this is a libFuzzer target. Else it
 * is a plain test: each file of the corpus as it is, and many times with seeded damage.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"
#include "engine/base/rng.h"
#include "engine/io/formats.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const GobanReadOptions options[] = { { 0 }, { .batch = 7, .keep_constants = TRUE } };

  goban_format_onnx.sniff ((const char *) data, MIN (size, 4096), "fuzz");
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph
          = goban_format_onnx.read ((const char *) data, size, "fuzz", &options[i], &error);

      if ((graph == NULL) != (error != NULL))
        abort ();
    }
  return 0;
}

#ifndef GOBAN_LIBFUZZER

#define N_DAMAGED 300

/* Changes, drops or repeats a few bytes in place; returns the new size, at most 2 * size. */
static gsize
damage (guint8 *data, gsize size, GobanRng *rng)
{
  guint n = 1 + goban_rng_below (rng, 4);

  for (guint i = 0; i < n && size > 0; i++)
    {
      gsize at = goban_rng_below (rng, (guint32) size);
      gsize length = 1 + goban_rng_below (rng, 8);

      length = MIN (length, size - at);
      switch (goban_rng_below (rng, 4))
        {
        case 0:
          data[at] = (guint8) goban_rng_next (rng);
          break;
        case 1:
          data[at] ^= (guint8) (1u << goban_rng_below (rng, 8));
          break;
        case 2:
          memmove (data + at, data + at + length, size - at - length);
          size -= length;
          break;
        default:
          memmove (data + at + length, data + at, size - at);
          size += length;
        }
    }
  return size;
}

static void
test_file (gconstpointer path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = goban_file_read (path, &error);
  const guint8 *data;
  GobanRng rng;
  gsize size;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  LLVMFuzzerTestOneInput (data, size);

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < N_DAMAGED; i++)
    {
      /* Room for four insertions of eight bytes, and not a byte more to read beyond. */
      g_autofree guint8 *changed = g_malloc0 (size + 32);
      g_autofree guint8 *exact = NULL;
      gsize n;

      if (size > 0)
        memcpy (changed, data, size);
      n = damage (changed, size, &rng);
      exact = g_memdup2 (changed, n);
      LLVMFuzzerTestOneInput (exact, n);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *folder, *name;
  GDir *dir;

  g_test_init (&argc, &argv, NULL);
  folder = argc > 1 ? argv[1] : g_test_get_filename (G_TEST_DIST, "fuzz", "corpus", "onnx", NULL);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strdup_printf ("/fuzz-onnx/%s", name);

      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
      g_test_add_data_func (test, g_ptr_array_index (names, names->len - 1), test_file);
    }
  g_dir_close (dir);
  g_assert_cmpuint (names->len, >, 0);
  return g_test_run ();
}

#endif
