#include "engine/core/bytes.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

/* Byte for byte what files of earlier versions hold, whichever way round the machine has its
 * numbers. */
static void
test_layout (void)
{
  static const char expected[] = "\x04\x03\x02\x01"
                                 "\x08\x07\x06\x05\x04\x03\x02\x01"
                                 "\x00\x00\x80\x3f"
                                 "\x00\x00\x00\x00\x00\x00\xf0\xbf"
                                 "\x03\x00\x00\x00"
                                 "aé";
  g_autoptr (GByteArray) out = g_byte_array_new ();

  goban_bytes_put_u32 (out, 0x01020304);
  goban_bytes_put_u64 (out, G_GUINT64_CONSTANT (0x0102030405060708));
  goban_bytes_put_float (out, 1.0f);
  goban_bytes_put_double (out, -1.0);
  goban_bytes_put_text (out, "aé");
  g_assert_cmpmem (out->data, out->len, expected, sizeof expected - 1);
}

static void
test_round_trip (void)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree char *text = NULL;
  g_autofree char *empty = NULL;
  GobanByteReader reader = { 0 };

  goban_bytes_put_text (out, "aé");
  goban_bytes_put_double (out, -INFINITY);
  goban_bytes_put_text (out, "");
  goban_bytes_put_float (out, 0.1f);
  goban_bytes_put_u64 (out, G_MAXUINT64 - 1);
  goban_bytes_put_u32 (out, G_MAXUINT32 - 1);

  reader.data = out->data;
  reader.left = out->len;
  text = goban_byte_reader_read_text (&reader);
  g_assert_cmpstr (text, ==, "aé");
  g_assert_cmpfloat (goban_byte_reader_read_double (&reader), ==, -INFINITY);
  empty = goban_byte_reader_read_text (&reader);
  g_assert_cmpstr (empty, ==, "");
  g_assert_cmpfloat (goban_byte_reader_read_float (&reader), ==, 0.1f);
  g_assert_cmpuint (goban_byte_reader_read_u64 (&reader), ==, G_MAXUINT64 - 1);
  g_assert_cmpuint (goban_byte_reader_read_u32 (&reader), ==, G_MAXUINT32 - 1);
  g_assert_cmpuint (reader.left, ==, 0);
  g_assert_false (reader.is_short);
}

/* After the first thing that is missing nothing is there, though bytes are left. */
static void
test_short_stays_short (void)
{
  static const guint8 data[] = { 1, 0, 0, 0, 2, 0, 0 };
  GobanByteReader reader = { data, sizeof data, FALSE };
  g_autofree char *text = NULL;

  g_assert_cmpuint (goban_byte_reader_read_u32 (&reader), ==, 1);
  g_assert_cmpuint (goban_byte_reader_read_u64 (&reader), ==, 0);
  g_assert_true (reader.is_short);
  g_assert_null (goban_byte_reader_read (&reader, 1));
  g_assert_cmpuint (goban_byte_reader_read_u32 (&reader), ==, 0);
  g_assert_cmpfloat (goban_byte_reader_read_float (&reader), ==, 0);
  g_assert_cmpfloat (goban_byte_reader_read_double (&reader), ==, 0);
  text = goban_byte_reader_read_text (&reader);
  g_assert_cmpstr (text, ==, "");
}

static void
test_text_is_text (void)
{
  static const struct
  {
    guint8 data[7];
    gsize size;
  } cases[] = {
    { { 3, 0, 0, 0, 'a', 0, 'b' }, 7 },    /* a zero */
    { { 2, 0, 0, 0, 'a', 0xc3 }, 6 },      /* half a letter */
    { { 4, 0, 0, 0, 'a', 'b', 'c' }, 7 },  /* one too few */
    { { 0xff, 0xff, 0xff, 0xff, 'a' }, 5 } /* a length beyond all memory */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GobanByteReader reader = { cases[i].data, cases[i].size, FALSE };
      g_autofree char *text = goban_byte_reader_read_text (&reader);

      g_assert_cmpstr (text, ==, "");
      g_assert_true (reader.is_short);
    }
}

static void
test_seal (void)
{
  /* SHA-256 of "abc", FIPS 180-4. */
  static const guint8 expected[]
      = { 0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
          0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
          0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad };
  g_autoptr (GByteArray) out = g_byte_array_new ();

  g_byte_array_append (out, (const guint8 *) "abc", 3);
  goban_bytes_seal (out);
  g_assert_cmpmem (out->data + 3, out->len - 3, expected, GOBAN_SEAL_SIZE);
  g_assert_true (goban_bytes_are_sealed (out->data, out->len));
  for (gsize size = 0; size < out->len; size++)
    g_assert_false (goban_bytes_are_sealed (out->data, size));
  for (guint i = 0; i < out->len; i++)
    {
      out->data[i] ^= 1;
      g_assert_false (goban_bytes_are_sealed (out->data, out->len));
      out->data[i] ^= 1;
    }
}

TEST_PROGRAM (bytes)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/bytes/layout", test_layout);
  g_test_add_func ("/base/bytes/round-trip", test_round_trip);
  g_test_add_func ("/base/bytes/short-stays-short", test_short_stays_short);
  g_test_add_func ("/base/bytes/text-is-text", test_text_is_text);
  g_test_add_func ("/base/bytes/seal", test_seal);
  return g_test_run ();
}
