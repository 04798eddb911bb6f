/* Arrays in NumPy's format: the bytes that NumPy writes, and words about those that are damaged. */
#include "engine/core/npy.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

/* numpy.save of numpy.array ([1.0, -2.5]), 128 bytes of header. */
static void
test_bytes (void)
{
  static const double values[] = { 1, -2.5 };
  static const char head[] = "\x93NUMPY\1\0v\0{'descr': '<f8', 'fortran_order': False, "
                             "'shape': (2,), }";
  static const char tail[] = "\n\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x04\xc0";
  g_autoptr (GBytes) bytes = goban_npy_write (values, 2);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  g_assert_cmpuint (size, ==, 128 + 16);
  g_assert_cmpmem (data, sizeof head - 1, head, sizeof head - 1);
  for (gsize i = sizeof head - 1; i < 127; i++)
    g_assert_cmpint (data[i], ==, ' ');
  g_assert_cmpmem (data + 127, 17, tail, 17);
}

static void
test_round_trip (void)
{
  for (gsize n = 0; n < 200; n += 7)
    {
      g_autofree double *values = g_new (double, n + 1);
      g_autofree double *again = NULL;
      g_autoptr (GBytes) bytes = NULL;
      gsize size, n_again;

      for (gsize i = 0; i < n; i++)
        values[i] = i % 5 == 0 ? (double) NAN : g_test_rand_double_range (-1e9, 1e9);
      bytes = goban_npy_write (values, n);
      again = goban_npy_read (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes), "x",
                              &n_again, NULL);
      g_assert_cmpmem (values, n * sizeof (double), again, n_again * sizeof (double));
    }
}

/* A header with a type and a shape, and bytes behind it. */
static double *
read_text (const char *type, const char *shape, const char *bytes, gsize n_bytes, gsize *n,
           GError **error)
{
  g_autofree char *dictionary
      = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", type, shape);
  g_autoptr (GString) file = g_string_new_len ("\x93NUMPY\1\0", 8);

  g_string_append_c (file, (char) strlen (dictionary));
  g_string_append_c (file, 0);
  g_string_append (file, dictionary);
  g_string_append_len (file, bytes, (gssize) n_bytes);
  return goban_npy_read (file->str, file->len, "x.npy", n, error);
}

static void
test_types (void)
{
  static const struct
  {
    const char *type;
    const char *bytes;
    gsize n_bytes;
    double value;
  } cases[] = {
    { "|i1", "\xff", 1, -1 },
    { "|u1", "\xff", 1, 255 },
    { "|b1", "\1", 1, 1 },
    { "<i2", "\xfe\xff", 2, -2 },
    { "<i4", "\1\1\0\0", 4, 257 },
    { "<u4", "\xff\xff\xff\xff", 4, 4294967295.0 },
    { "<i8", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, -1 },
    { "<f4", "\0\0\x20\xc0", 4, -2.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize n;
      g_autofree double *values = read_text (cases[i].type, i % 2 == 0 ? "(1,)" : "()",
                                             cases[i].bytes, cases[i].n_bytes, &n, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 1);
      g_assert_cmpfloat (values[0], ==, cases[i].value);
    }
}

static void
test_damaged (void)
{
  static const struct
  {
    const char *type, *shape;
    const char *words;
  } cases[] = {
    { ">f8", "(1,)", "numbers of the type '>f8'" },
    { "<c8", "(1,)", "numbers of the type '<c8'" },
    { "<f2", "(1,)", "numbers of the type" },
    { "<f8", "(1, 2)", "more than one dimension" },
    { "<f8", "(-1,)", "is no number" },
    { "<f8", "2", "has no shape" },
    { "<f8", "(2,)", "is cut off" },
    { "<f8", "(2305843009213693953,)", "is cut off" },
    { "", "(2,)", "numbers of the type" },
  };
  g_autoptr (GError) error = NULL;
  gsize n;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) why = NULL;

      g_assert_null (read_text (cases[i].type, cases[i].shape, "12345678", 8, &n, &why));
      g_assert_true (g_str_has_prefix (why->message, "x.npy: "));
      g_test_message ("%s", why->message);
      g_assert_nonnull (strstr (why->message, cases[i].words));
    }
  g_assert_null (goban_npy_read ("no array", 8, "x.npy", &n, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
}

TEST_PROGRAM (npy)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/npy/bytes", test_bytes);
  g_test_add_func ("/core/npy/round-trip", test_round_trip);
  g_test_add_func ("/core/npy/types", test_types);
  g_test_add_func ("/core/npy/damaged", test_damaged);
  return g_test_run ();
}
