/* test-params.c: the table of parameters, and checkpoints: whole, of others, and broken. */
#include "engine/core/error.h"
#include "engine/learn/nn/params.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static GobanParams *
new_params (const char *network, guint cols, guint64 seed)
{
  GobanParams *params = goban_params_new (network);
  GobanRng rng;

  goban_rng_init (&rng, seed);
  goban_params_add (params, "layer.w", 3, cols, GOBAN_INIT_GLOROT);
  goban_params_add (params, "layer.b", 1, 3, GOBAN_INIT_ZEROS);
  goban_params_add (params, "table", 5, 2, GOBAN_INIT_EMBEDDING);
  goban_params_finish (params, &rng);
  return params;
}

static void
train (GobanParams *params)
{
  GobanAdam adam = goban_adam_new (0.01);
  g_autoptr (GError) error = NULL;

  for (int step = 0; step < 3; step++)
    {
      for (gsize i = 0; i < goban_params_get_size (params, 0); i++)
        goban_params_grad (params, 0)[i] = sinf ((float) (i + 1));
      goban_adam_step (&adam, params, NULL, &error);
      g_assert_no_error (error);
    }
}

static void
assert_equal (const GobanParams *a, const GobanParams *b)
{
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  for (guint t = 0; t < a->tensors->len; t++)
    {
      gsize bytes = goban_params_get_size (a, t) * sizeof (float);

      g_assert_cmpmem (goban_params_value (a, t), bytes, goban_params_value (b, t), bytes);
      g_assert_cmpmem (goban_params_mean (a, t), bytes, goban_params_mean (b, t), bytes);
      g_assert_cmpmem (goban_params_square (a, t), bytes, goban_params_square (b, t), bytes);
    }
}

static void
test_table (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autoptr (GobanParams) again = new_params ("toy", 4, 1);
  g_autoptr (GobanParams) other = new_params ("toy", 4, 2);

  g_assert_cmpuint (params->tensors->len, ==, 3);
  g_assert_cmpuint (goban_params_get_total (params), ==, 12 + 3 + 10);
  g_assert_cmpstr (goban_params_get_tensor (params, 1)->name, ==, "layer.b");
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (fabsf (goban_params_value (params, 0)[i]), <=, sqrtf (6.0f / 7));
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (goban_params_value (params, 1)[i], ==, 0);
  assert_equal (params, again);
  g_assert_cmpfloat (goban_params_value (params, 0)[0], !=, goban_params_value (other, 0)[0]);
}

typedef gboolean (*SaveFunc) (const GobanParams *params, const char *path, GError **error);

static char *
save_by (const GobanParams *params, SaveFunc save_as, gsize *size)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  char *data;
  int fd = g_file_open_tmp ("goban-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (save_as (params, path, &error));
  g_assert_true (g_file_get_contents (path, &data, size, NULL));
  g_unlink (path);
  return data;
}

static char *
save (const GobanParams *params, gsize *size)
{
  return save_by (params, goban_params_save, size);
}

static void
test_round_trip (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autoptr (GobanParams) loaded = new_params ("toy", 4, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  gsize size;

  train (params);
  data = save (params, &size);
  g_assert_true (goban_params_read (loaded, (const guint8 *) data, size, "it", &error));
  g_assert_no_error (error);
  assert_equal (params, loaded);
  /* The file is bytes, not the machine's own order: the version stands in its first byte. */
  g_assert_cmpint (data[8], ==, 1);
  g_assert_cmpint (data[11], ==, 0);
}

/* Without moments: a third of the numbers, and a table that had some has none afterwards. */
static void
test_values (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autoptr (GobanParams) loaded = new_params ("toy", 4, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *data = NULL;
  gsize size, whole_size;

  train (params);
  train (loaded);
  whole = save (params, &whole_size);
  data = save_by (params, goban_params_save_values, &size);
  g_assert_cmpint (data[8], ==, 2);
  g_assert_cmpuint (whole_size - size, ==, 2 * (12 + 3 + 10) * sizeof (float));
  g_assert_true (goban_params_read (loaded, (const guint8 *) data, size, "it", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (loaded->n_steps, ==, 0);
  for (guint t = 0; t < params->tensors->len; t++)
    for (gsize i = 0; i < goban_params_get_size (params, t); i++)
      {
        g_assert_cmpfloat (goban_params_value (loaded, t)[i], ==,
                           goban_params_value (params, t)[i]);
        g_assert_cmpfloat (goban_params_mean (loaded, t)[i], ==, 0);
        g_assert_cmpfloat (goban_params_square (loaded, t)[i], ==, 0);
      }
  /* Nor is it read as a file with moments that is cut off. */
  data[8] = 1;
  g_assert_false (goban_params_read (loaded, (const guint8 *) data, size, "it", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
}

static void
assert_refused (const char *data, gsize size, const char *words)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 2);
  g_autoptr (GobanParams) untouched = new_params ("toy", 4, 2);
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_params_read (params, (const guint8 *) data, size, "a/file", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_true (g_str_has_prefix (error->message, "a/file: "));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (words != NULL)
    g_assert_nonnull (strstr (error->message, words));
  assert_equal (params, untouched);
}

static void
test_truncated (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autofree char *data = NULL;
  gsize size;

  data = save (params, &size);
  for (gsize n = 0; n < size; n++)
    {
      /* A copy of exactly that size, so that the sanitizer sees a byte too many. */
      g_autofree char *part = g_memdup2 (data, n);

      assert_refused (part, n, NULL);
    }
  assert_refused (data, 30, "not a file of network weights");
  assert_refused (data, 45, "within its head");
  assert_refused (data, 150, "within tensor “layer.w”");
  assert_refused (data, size - 20, "within tensor “table”");
}

static void
test_every_flipped_bit (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autofree char *data = NULL;
  gsize size;

  data = save (params, &size);
  for (gsize i = 0; i < size * 8; i++)
    {
      data[i / 8] ^= (char) (1 << i % 8);
      assert_refused (data, size, NULL);
      data[i / 8] ^= (char) (1 << i % 8);
    }
}

static void
test_of_another_network (void)
{
  g_autoptr (GobanParams) wide = new_params ("toy", 6, 1);
  g_autoptr (GobanParams) other = new_params ("tiny", 4, 1);
  g_autofree char *wide_data = NULL;
  g_autofree char *other_data = NULL;
  g_autofree char *longer = NULL;
  gsize size;

  wide_data = save (wide, &size);
  assert_refused (wide_data, size, "tensor “layer.w” is 3 x 6, the network's is 3 x 4");
  other_data = save (other, &size);
  assert_refused (other_data, size, "of a network “tiny”, not of “toy”");
}

static void
test_too_long (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autofree char *data = NULL;
  g_autofree char *longer = NULL;
  gsize size;

  data = save (params, &size);
  longer = g_malloc0 (size + 5);
  memcpy (longer, data, size);
  assert_refused (longer, size + 5, "5 bytes follow the last tensor");
}

static void
test_no_such_file (void)
{
  g_autoptr (GobanParams) params = new_params ("toy", 4, 1);
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_params_load (params, "/nowhere/weights", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "/nowhere/weights"));
}

TEST_PROGRAM (params)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/params/table", test_table);
  g_test_add_func ("/params/round-trip", test_round_trip);
  g_test_add_func ("/params/values", test_values);
  g_test_add_func ("/params/truncated", test_truncated);
  g_test_add_func ("/params/every-flipped-bit", test_every_flipped_bit);
  g_test_add_func ("/params/of-another-network", test_of_another_network);
  g_test_add_func ("/params/too-long", test_too_long);
  g_test_add_func ("/params/no-such-file", test_no_such_file);
  return g_test_run ();
}
