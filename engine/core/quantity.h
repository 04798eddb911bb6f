/* quantity.h: formatting and parsing of numbers with units, independent of the locale.
 *
 * Times are microseconds and sizes are bytes everywhere in the engine; other units appear only here
 * and in displayed text.
 *
 * Decision E2 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

/* Unit of short times in displayed text; files have "us", and readers accept both. */
#define GOBAN_MICROSECONDS "\xc2\xb5s"

/* Size of a buffer for any text that these functions write. */
#define GOBAN_QUANTITY_LEN 40

/* "182.4 ms", "13 µs", "0 µs"; buffer of GOBAN_QUANTITY_LEN, returned. */
const char *goban_format_time (char *buffer, double time_us);

/* "48 MB" in powers of 1000 as vendors count, "unlimited" for infinity. */
const char *goban_format_bytes (char *buffer, double size_bytes);

/* "25.608 M", "4.089 G", "80 412": four significant digits, and exact below 100 000. */
const char *goban_format_count (char *buffer, double count);

/* "80 412", with narrow spaces, whatever the locale. */
const char *goban_format_grouped (char *buffer, guint64 count);

/* Writes @number as "%u" would, of at most GOBAN_QUANTITY_LEN characters and without a zero behind
 * them, and returns their end: for files of many numbers, on which printf() spends most of the
 * time. */
char *goban_put_number (char *at, guint64 number);

/* "+3.1 %", "−0.02 %", "as before", "under 0.001 %": a change never rounds to 0. Both are above
 * 0. */
const char *goban_format_percent_change (char *buffer, double before, double after);

/* "+13 µs", "−182.4 ms", "0 µs", "unknown": a difference of times. */
const char *goban_format_time_change (char *buffer, double change_us);

/* Shortest text that reads back as the same double; "null" when not finite (JSON has no other
 * word). */
const char *goban_format_double (char *buffer, double value);

/* The same of single precision, six digits: more would be noise. */
const char *goban_format_float (char *buffer, float value);

/**
 * goban_scan_number:
 * @text: digits with an optional sign, fraction after a point, and power of ten: "-1.5e3"
 * @end: (out): the first character behind it
 *
 * Reads no spaces, hexadecimal digits, "inf" or "nan", under every locale.
 *
 * Returns: %FALSE if @text does not begin with a number. @value is infinite if it is too large.
 */
gboolean goban_scan_number (const char *text, double *value, const char **end);

/* The same for the whole of @text, which must be finite. @value is untouched on failure. */
gboolean goban_parse_number (const char *text, double *value);

/**
 * goban_parse_time:
 * @text: a number and a unit: "1.5ms", "20 us", "20 µs", "3 s"; a bare number is microseconds
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set and @time_us untouched if @text is no time
 */
gboolean goban_parse_time (const char *text, double *time_us, GError **error);

/* The same for sizes: "16GB", "600 MiB", "4096"; "unlimited" is infinity. */
gboolean goban_parse_bytes (const char *text, double *size_bytes, GError **error);

/* Microseconds per "us", "ms", "s", "ns"; 0 for an unknown unit. */
double goban_time_unit_us (const char *unit);
