#include "engine/core/quantity.h"

#include "engine/core/error.h"
#include "tests/support/comma-locale.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static void
test_format (void)
{
  char b[GOBAN_QUANTITY_LEN];

  g_assert_cmpstr (goban_format_time (b, 0), ==, "0 µs");
  g_assert_cmpstr (goban_format_time (b, 13), ==, "13 µs");
  g_assert_cmpstr (goban_format_time (b, 182400), ==, "182.4 ms");
  g_assert_cmpstr (goban_format_time (b, 999.99), ==, "1 ms");
  g_assert_cmpstr (goban_format_time (b, 2.5e9), ==, "2500 s");
  g_assert_cmpstr (goban_format_time (b, (double) INFINITY), ==, "never");
  g_assert_cmpstr (goban_format_bytes (b, 48e6), ==, "48 MB");
  g_assert_cmpstr (goban_format_bytes (b, (double) INFINITY), ==, "unlimited");
  g_assert_cmpstr (goban_format_count (b, 1251), ==,
                   "1\xe2\x80\xaf"
                   "251");
  g_assert_cmpstr (goban_format_percent_change (b, 200, 193.8), ==, "−3.1 %");
  g_assert_cmpstr (goban_format_percent_change (b, 200, 199.98), ==, "−0.01 %");
  g_assert_cmpstr (goban_format_percent_change (b, 200, 200.000001), ==, "under 0.001 %");
  g_assert_cmpstr (goban_format_percent_change (b, 200, 200), ==, "as before");
  g_assert_cmpstr (goban_format_percent_change (b, 200, 300), ==, "+50.0 %");
  g_assert_cmpstr (goban_format_time_change (b, -182400), ==, "−182.4 ms");
  g_assert_cmpstr (goban_format_time_change (b, 13), ==, "+13 µs");
  g_assert_cmpstr (goban_format_time_change (b, 0), ==, "0 µs");
  g_assert_cmpstr (goban_format_time_change (b, (double) NAN), ==, "unknown");
  g_assert_cmpstr (goban_format_count (b, 25.608e6), ==, "25.61 M");
  g_assert_cmpstr (goban_format_grouped (b, 0), ==, "0");
  g_assert_cmpstr (goban_format_grouped (b, 999), ==, "999");
  g_assert_cmpstr (goban_format_grouped (b, 80412), ==,
                   "80\xe2\x80\xaf"
                   "412");
  g_assert_cmpstr (goban_format_grouped (b, 1000000), ==,
                   "1\xe2\x80\xaf"
                   "000\xe2\x80\xaf"
                   "000");
  g_assert_cmpstr (goban_format_double (b, 0.1), ==, "0.1");
  g_assert_cmpstr (goban_format_double (b, 1e300), ==, "1e+300");
  g_assert_cmpstr (goban_format_double (b, (double) NAN), ==, "null");
  g_assert_cmpstr (goban_format_float (b, 0.1f), ==, "0.1");
  g_assert_cmpstr (goban_format_float (b, 2.0f / 3), ==, "0.666667");
  g_assert_cmpstr (goban_format_float (b, NAN), ==, "null");
}

static void
test_double_reads_back (void)
{
  for (guint i = 0; i < 10000; i++)
    {
      double value = g_test_rand_double_range (-1, 1) * pow (10, g_test_rand_int_range (-20, 20));
      char b[GOBAN_QUANTITY_LEN];

      g_assert_cmpfloat (g_ascii_strtod (goban_format_double (b, value), NULL), ==, value);
    }
}

static void
test_parse (void)
{
  static const struct
  {
    const char *text;
    double value; /* negative: refused */
  } times[] = {
    { "20", 20 },      { "1.5ms", 1500 }, { " 3 s ", 3e6 },  { "4ns", 0.004 },     { "", -1 },
    { "ms", -1 },      { "1 hour", -1 },  { "-1", -1 },      { "nan", -1 },        { "1,5ms", -1 },
    { "inf", -1 },     { "0x10", -1 },    { "1e999 s", -1 }, { "1e308 s", -1 },    { "1e+", -1 },
    { "1e3us", 1000 }, { ".5", 0.5 },     { "5.", 5 },       { "+2", 2 },          { "1e-400", 0 },
    { "-0", 0 },       { ".", -1 },       { "+", -1 },       { "1 2", -1 },        { "1e5e5", -1 },
    { "7us", 7 },      { "7 us", 7 },     { "7 µs", 7 },     { "7 \xce\xbcs", 7 },
  };
  g_autoptr (GError) error = NULL;
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      gboolean ok = goban_parse_time (times[i].text, &value, &error);

      g_assert_cmpint (ok, ==, times[i].value >= 0);
      if (ok)
        g_assert_cmpfloat_with_epsilon (value, times[i].value, 1e-9);
      else
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_clear_error (&error);
    }

  g_assert_true (goban_parse_bytes ("16GB", &value, NULL));
  g_assert_cmpfloat (value, ==, 16e9);
  g_assert_true (goban_parse_bytes ("600 MiB", &value, NULL));
  g_assert_cmpfloat (value, ==, 629145600);
  g_assert_true (goban_parse_bytes ("unlimited", &value, NULL));
  g_assert_true (isinf (value));
  g_assert_false (goban_parse_bytes ("16 XB", &value, &error));
  g_assert_cmpstr (error->message, ==, "“16 XB” has the unknown unit “XB” for a size");
  g_clear_error (&error);
  g_assert_false (goban_parse_bytes ("1,5 GB", &value, &error));
  g_assert_cmpstr (error->message, ==, "“1,5 GB” has a comma; the decimal point of a size is “.”");
  g_clear_error (&error);
  g_assert_false (goban_parse_bytes ("1e308 GB", &value, &error));
  g_assert_cmpstr (error->message, ==, "“1e308 GB” is too large for a size");
}

/* A number of a hundred digits would take the place of its unit. */
static void
test_format_huge (void)
{
  char b[GOBAN_QUANTITY_LEN];

  g_assert_cmpstr (goban_format_time (b, 1e300), ==, "1e+294 s");
  g_assert_cmpstr (goban_format_time (b, 1e14), ==, "100000000 s");
  g_assert_cmpstr (goban_format_bytes (b, 1.7e308), ==, "1.7e+296 TB");
  g_assert_cmpstr (goban_format_count (b, 1e30), ==, "1e+18 T");
}

static void
test_scan (void)
{
  static const struct
  {
    const char *text;
    gsize n; /* characters of the number; 0: none */
    double value;
  } cases[] = {
    { "12,", 2, 12 }, { "-1.5e3x", 6, -1500 },
    { "0x10", 1, 0 }, { "1e", 1, 1 },
    { "1e-", 1, 1 },  { "2.e1", 4, 20 },
    { " 1", 0, 0 },   { "nan", 0, 0 },
    { "inf", 0, 0 },  { "-.", 0, 0 },
    { "", 0, 0 },     { "0x1p3", 1, 0 },
    { "1d3", 1, 1 },  { "1e999", 5, (double) INFINITY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *end = cases[i].text;
      double value = 0;

      g_assert_cmpint (goban_scan_number (cases[i].text, &value, &end), ==, cases[i].n > 0);
      g_assert_cmpuint (end - cases[i].text, ==, cases[i].n);
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
}

/* Decimal commas must not leak into files, whatever the user's locale. */
/* As printf() writes it, and nothing behind it. */
static void
test_put_number (void)
{
  static const guint64 numbers[] = { 0, 7, 10, 99, 4294967295, 9007199254740992, G_MAXUINT64 };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *expected = g_strdup_printf ("%" G_GUINT64_FORMAT "|", numbers[i]);
      char text[GOBAN_QUANTITY_LEN + 2];
      char *end;

      memset (text, '|', sizeof text);
      end = goban_put_number (text, numbers[i]);
      g_assert_cmpint (*end, ==, '|');
      end[1] = '\0';
      g_assert_cmpstr (text, ==, expected);
    }
}

static void
test_ignores_locale (void)
{
  char b[GOBAN_QUANTITY_LEN];
  double value;

  if (!comma_locale_begin ())
    return;
  g_assert_cmpstr (goban_format_time (b, 1500), ==, "1.5 ms");
  g_assert_cmpstr (goban_format_double (b, 0.5), ==, "0.5");
  g_assert_true (goban_parse_time ("1.5", &value, NULL));
  comma_locale_end ();
  g_assert_cmpfloat (value, ==, 1.5);
}

TEST_PROGRAM (quantity)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/quantity/format", test_format);
  g_test_add_func ("/base/quantity/double-reads-back", test_double_reads_back);
  g_test_add_func ("/base/quantity/parse", test_parse);
  g_test_add_func ("/base/quantity/format-huge", test_format_huge);
  g_test_add_func ("/base/quantity/scan", test_scan);
  g_test_add_func ("/base/quantity/put-number", test_put_number);
  g_test_add_func ("/base/quantity/ignores-locale", test_ignores_locale);
  return g_test_run ();
}
