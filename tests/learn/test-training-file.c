/* A run in a file: what goes on from it ends with the same bytes, and what is no such file says
 * so. */
#include "engine/learn/rl/go/training-file.h"

#include "engine/core/bytes.h"
#include "engine/core/error.h"
#include "engine/learn/rl/go/pretrain-results.h"
#include "tests/learn/small-run.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

static GobanPretrain *
read_bytes (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  GobanPretrain *run = goban_training_file_read (data, size, "x.run", NULL, &error);

  g_assert_no_error (error);
  return run;
}

/* Stopped after each step in turn, in the middle of batches and at their ends; with both kinds of
 * advantages. */
static void
test_goes_on_to_the_same_bytes (gconstpointer settings)
{
  g_autoptr (GobanPretrain) whole = small_run_new (settings, NULL);

  small_run_make (whole, G_MAXUINT);
  for (guint k = 0; k <= SMALL_RUN_STEPS; k += TEST_IS_SANITIZED ? 3 : 1)
    {
      g_autoptr (GobanPretrain) first = small_run_new (settings, NULL);
      g_autoptr (GobanPretrain) second = NULL;
      g_autoptr (GByteArray) file = NULL;
      const GArray *points, *wanted = goban_pretrain_get_points (whole);

      small_run_make (first, k);
      file = goban_training_file_write (first);
      second = read_bytes (file->data, file->len);
      g_assert_cmpuint (goban_pretrain_get_step (second), ==, k);
      small_run_make (second, G_MAXUINT);
      g_assert_true (small_run_is_same (whole, second));

      /* And the curves are those of one run, but for the time it took. */
      points = goban_pretrain_get_points (second);
      g_assert_cmpuint (points->len, ==, wanted->len);
      for (guint i = 0; i < points->len; i++)
        {
          GobanCurvePoint a = g_array_index (points, GobanCurvePoint, i);
          GobanCurvePoint b = g_array_index (wanted, GobanCurvePoint, i);

          a.values[GOBAN_CURVE_SECONDS] = b.values[GOBAN_CURVE_SECONDS] = 0;
          g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
        }
      g_assert_cmpuint (goban_pretrain_get_trials (second)->len, ==,
                        goban_pretrain_get_trials (whole)->len);
      g_assert_cmpmem (goban_pretrain_get_trials (second)->data,
                       goban_pretrain_get_trials (whole)->len * sizeof (GobanCurveTrial),
                       goban_pretrain_get_trials (whole)->data,
                       goban_pretrain_get_trials (whole)->len * sizeof (GobanCurveTrial));
    }
}

/* The network that was best by validation, and when, goes on with the run. */
static void
test_goes_on_with_its_best (void)
{
  g_autoptr (GobanPretrain) whole = small_run_new_validated ("every=2");

  small_run_make (whole, G_MAXUINT);
  for (guint k = 1; k < SMALL_RUN_STEPS; k += TEST_IS_SANITIZED ? 4 : 2)
    {
      g_autoptr (GobanPretrain) first = small_run_new_validated ("every=2");
      g_autoptr (GobanPretrain) second = NULL;
      g_autoptr (GByteArray) file = NULL;

      small_run_make (first, k);
      file = goban_training_file_write (first);
      second = read_bytes (file->data, file->len);
      g_assert_cmpfloat (goban_pretrain_get_score (second), ==, goban_pretrain_get_score (first));
      g_assert_true (small_run_is_same (first, second));
      small_run_make (second, G_MAXUINT);
      g_assert_true (small_run_is_same (whole, second));
      g_assert_cmpfloat (goban_pretrain_get_score (whole), ==, goban_pretrain_get_score (second));
      g_assert_cmpfloat (goban_pretrain_get_first_score (whole), ==,
                         goban_pretrain_get_first_score (second));
      g_assert_cmpuint (goban_pretrain_get_best_step (whole), ==,
                        goban_pretrain_get_best_step (second));
    }
}

static GByteArray *
make_file (void)
{
  static const char *const left_out[] = { "wavenet", NULL };
  g_autoptr (GobanPretrain) run = small_run_new ("every=2,steps=5", left_out);

  small_run_make (run, 3);
  return goban_training_file_write (run);
}

static void
test_reads_what_it_writes (void)
{
  g_autoptr (GByteArray) file = make_file ();
  g_autoptr (GobanPretrain) run = read_bytes (file->data, file->len);
  g_autoptr (GByteArray) again = goban_training_file_write (run);

  g_assert_cmpmem (file->data, file->len, again->data, again->len);
  g_assert_cmpstr (goban_curriculum_get_left_out (goban_pretrain_get_curriculum (run))[0], ==,
                   "wavenet");
}

static void
test_saves_whole (void)
{
  g_autoptr (GobanPretrain) run = small_run_new (NULL, NULL);
  g_autoptr (GobanPretrain) loaded = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("goban-run-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "x.run", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "none", "x.run", NULL);

  g_assert_no_error (error);
  g_assert_true (goban_training_file_save (run, path, &error));
  g_assert_false (goban_training_file_save (run, nowhere, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_clear_error (&error);
  loaded = goban_training_file_load (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (small_run_is_same (run, loaded));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* --- damage --------------------------------------------------------------------------------- */

static void
assert_refused (const guint8 *data, gsize size, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_training_file_read (data, size, "x.run", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_true (g_str_has_prefix (error->message, "x.run: "));
  if (why != NULL)
    g_assert_nonnull (strstr (error->message, why));
}

static void
test_refuses_other_files (void)
{
  g_autoptr (GByteArray) file = make_file ();
  g_autoptr (GobanPretrain) run = read_bytes (file->data, file->len);
  g_autoptr (GByteArray) net
      = goban_params_write (goban_net_get_params (goban_pretrain_get_net (run)));

  assert_refused (net->data, net->len, "this is not a training run");
  assert_refused ((const guint8 *) "", 0, "this is not a training run");
  assert_refused ((const guint8 *) "GOBANRUN", 8, "cut off");
  file->data[8] = 3;
  assert_refused (file->data, file->len, "its version is 3, this program reads 2");
}

static void
test_refuses_damage (void)
{
  g_autoptr (GByteArray) file = make_file ();

  for (gsize size = 0; size < file->len; size += 1 + size / 16)
    assert_refused (file->data, size, NULL);
  assert_refused (file->data, file->len - 1, "cut off");
  for (gsize i = 0; i < file->len; i += 1 + i / 8)
    {
      file->data[i] ^= (guint8) (1u << i % 8);
      assert_refused (file->data, file->len, NULL);
      file->data[i] ^= (guint8) (1u << i % 8);
    }
}

static void
seal_again (GByteArray *file)
{
  g_byte_array_set_size (file, file->len - GOBAN_SEAL_SIZE);
  goban_bytes_seal (file);
}

/* The same with a matching checksum, as in a forged file: nothing crashes, nothing is allocated
 * that the file does not hold, and what is read can be written. */
static void
test_survives_forgeries (void)
{
  g_autoptr (GByteArray) file = make_file ();
  guint n_refused = 0;
  guint n = 0;

  for (gsize i = 12; i < file->len - GOBAN_SEAL_SIZE; i += 1 + i / 60, n++)
    {
      guint8 kept = file->data[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPretrain) run = NULL;

      file->data[i] ^= (guint8) (1u << n % 8);
      seal_again (file);
      run = goban_training_file_read (file->data, file->len, "x.run", NULL, &error);
      if (run == NULL)
        {
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
          g_assert_true (g_str_has_prefix (error->message, "x.run: "));
          n_refused++;
        }
      else
        g_byte_array_unref (goban_training_file_write (run));
      file->data[i] = kept;
    }
  g_test_message ("%u of %u forgeries were refused", n_refused, n);
  g_assert_cmpuint (n_refused, >, n / 4);
}

/* A count that promises more than there is. */
static void
test_survives_large_counts (void)
{
  g_autoptr (GByteArray) file = make_file ();
  guint8 all_ones[4] = { 0xff, 0xff, 0xff, 0xff };
  gsize end = MIN (file->len - GOBAN_SEAL_SIZE - sizeof all_ones, 1500);

  for (gsize i = 12; i < end; i += 3)
    {
      guint8 kept[4];
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPretrain) run = NULL;

      memcpy (kept, file->data + i, sizeof kept);
      memcpy (file->data + i, all_ones, sizeof all_ones);
      seal_again (file);
      run = goban_training_file_read (file->data, file->len, "x.run", NULL, &error);
      g_assert_true (run != NULL || error != NULL);
      memcpy (file->data + i, kept, sizeof kept);
    }
}

TEST_PROGRAM (training_file)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/rl/training-file/goes-on-to-the-same-bytes", "every=3",
                        test_goes_on_to_the_same_bytes);
  g_test_add_data_func ("/rl/training-file/goes-on-from-its-baselines", "every=3,fellows=0",
                        test_goes_on_to_the_same_bytes);
  g_test_add_func ("/rl/training-file/goes-on-with-its-best", test_goes_on_with_its_best);
  g_test_add_func ("/rl/training-file/reads-what-it-writes", test_reads_what_it_writes);
  g_test_add_func ("/rl/training-file/saves-whole", test_saves_whole);
  g_test_add_func ("/rl/training-file/refuses-other-files", test_refuses_other_files);
  g_test_add_func ("/rl/training-file/refuses-damage", test_refuses_damage);
  g_test_add_func ("/rl/training-file/survives-forgeries", test_survives_forgeries);
  g_test_add_func ("/rl/training-file/survives-large-counts", test_survives_large_counts);
  return g_test_run ();
}
