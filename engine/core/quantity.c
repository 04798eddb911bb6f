#include "engine/core/quantity.h"

#include "engine/core/error.h"

#include <math.h>
#include <string.h>

#define NARROW_SPACE "\xe2\x80\xaf"
#define MINUS "\xe2\x88\x92"

typedef struct
{
  const char *name;
  double factor;
} Unit;

static const Unit time_units[] = {
  { "ns", 1e-3 },     { "us", 1 },   { GOBAN_MICROSECONDS, 1 },
  { "\xce\xbcs", 1 }, { "ms", 1e3 }, { "s", 1e6 },
};

static const Unit size_units[] = {
  { "B", 1 },
  { "kB", 1e3 },
  { "KB", 1e3 },
  { "MB", 1e6 },
  { "GB", 1e9 },
  { "TB", 1e12 },
  { "KiB", 1024.0 },
  { "MiB", 1024.0 * 1024 },
  { "GiB", 1024.0 * 1024 * 1024 },
  { "TiB", 1024.0 * 1024 * 1024 * 1024 },
};

/* Larger numbers of the largest unit are written as a power of ten: a hundred digits do not fit,
 * and are useless. */
#define MANY 1e9

/* Writes value with four significant digits and no trailing zeros. */
static void
format_short (char *buffer, double value)
{
  gboolean is_plain = fabs (value) >= 1000 && fabs (value) < MANY;

  g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, is_plain ? "%.0f" : "%.4g", value);
}

static const char *
format_scaled (char *buffer, double value, const char *const *names, const double *factors, guint n)
{
  guint i = 0;

  while (i + 1 < n && fabs (value) >= factors[i + 1] * 0.99995)
    i++;

  format_short (buffer, value / factors[i]);
  if (*names[i] != '\0')
    {
      g_strlcat (buffer, " ", GOBAN_QUANTITY_LEN);
      g_strlcat (buffer, names[i], GOBAN_QUANTITY_LEN);
    }
  return buffer;
}

static const char *
copy_word (char *buffer, const char *word)
{
  g_strlcpy (buffer, word, GOBAN_QUANTITY_LEN);
  return buffer;
}

const char *
goban_format_time (char *buffer, double time_us)
{
  static const char *const names[] = { GOBAN_MICROSECONDS, "ms", "s" };
  static const double factors[] = { 1, 1e3, 1e6 };

  if (!isfinite (time_us))
    return copy_word (buffer, isnan (time_us) ? "unknown" : "never");
  return format_scaled (buffer, time_us, names, factors, G_N_ELEMENTS (names));
}

const char *
goban_format_bytes (char *buffer, double size_bytes)
{
  static const char *const names[] = { "B", "kB", "MB", "GB", "TB" };
  static const double factors[] = { 1, 1e3, 1e6, 1e9, 1e12 };

  if (!isfinite (size_bytes))
    return copy_word (buffer, isnan (size_bytes) ? "unknown" : "unlimited");
  return format_scaled (buffer, size_bytes, names, factors, G_N_ELEMENTS (names));
}

const char *
goban_format_count (char *buffer, double count)
{
  static const char *const names[] = { "", "k", "M", "G", "T" };
  static const double factors[] = { 1, 1e3, 1e6, 1e9, 1e12 };

  if (!isfinite (count))
    return copy_word (buffer, "unknown");
  /* Small counts are exact: 1251 nodes, not 1.251 k. */
  if (count >= 0 && count < 1e5 && count == floor (count))
    return goban_format_grouped (buffer, (guint64) count);
  return format_scaled (buffer, count, names, factors, G_N_ELEMENTS (names));
}

const char *
goban_format_grouped (char *buffer, guint64 count)
{
  char digits[24];
  int n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, count);
  char *end = buffer;

  for (int i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        end = g_stpcpy (end, NARROW_SPACE);
      *end++ = digits[i];
    }
  *end = '\0';

  return buffer;
}

char *
goban_put_number (char *at, guint64 number)
{
  char digits[20];
  guint n = 0;

  do
    digits[n++] = (char) ('0' + number % 10);
  while ((number /= 10) > 0);
  while (n > 0)
    *at++ = digits[--n];
  return at;
}

static void
put_sign (char *buffer, double change)
{
  g_strlcpy (buffer, change < 0 ? MINUS : "+", GOBAN_QUANTITY_LEN);
}

const char *
goban_format_percent_change (char *buffer, double before, double after)
{
  double percent = (after / before - 1) * 100;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (after == before)
    return copy_word (buffer, "as before");
  if (fabs (percent) < 0.0005)
    return copy_word (buffer, "under 0.001 %");
  put_sign (buffer, percent);
  g_ascii_formatd (number, sizeof number, fabs (percent) >= 0.05 ? "%.1f" : "%.1g", fabs (percent));
  g_strlcat (buffer, number, GOBAN_QUANTITY_LEN);
  g_strlcat (buffer, " %", GOBAN_QUANTITY_LEN);
  return buffer;
}

const char *
goban_format_time_change (char *buffer, double change_us)
{
  char time[GOBAN_QUANTITY_LEN];

  if (change_us == 0 || isnan (change_us))
    return goban_format_time (buffer, change_us);
  put_sign (buffer, change_us);
  g_strlcat (buffer, goban_format_time (time, fabs (change_us)), GOBAN_QUANTITY_LEN);
  return buffer;
}

const char *
goban_format_double (char *buffer, double value)
{
  if (!isfinite (value))
    return copy_word (buffer, "null");

  if (fabs (value) < 1e15 && value == floor (value))
    return g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.0f", value);

  g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.15g", value);
  if (g_ascii_strtod (buffer, NULL) != value)
    g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.17g", value);
  return buffer;
}

const char *
goban_format_float (char *buffer, float value)
{
  if (!isfinite (value))
    return copy_word (buffer, "null");

  return g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.6g", (double) value);
}

/* --- reading -------------------------------------------------------------------------------- */

static const char *
skip_digits (const char *p)
{
  while (g_ascii_isdigit (*p))
    p++;
  return p;
}

gboolean
goban_scan_number (const char *text, double *value, const char **end)
{
  const char *first = text + (*text == '-' || *text == '+');
  const char *p = skip_digits (first);
  gsize n_digits = p - first;
  char *read_to;

  if (*p == '.')
    {
      const char *behind = skip_digits (p + 1);

      n_digits += behind - p - 1;
      p = behind;
    }
  if (n_digits == 0)
    return FALSE;
  if (*p == 'e' || *p == 'E')
    {
      const char *power = p + 1 + (p[1] == '-' || p[1] == '+');

      if (g_ascii_isdigit (*power))
        p = skip_digits (power);
    }

  *end = p;
  *value = g_ascii_strtod (text, &read_to);
  if (read_to != p)
    {
      g_autofree char *alone = g_strndup (text, p - text); /* "0x1" is a number to strtod() */

      *value = g_ascii_strtod (alone, NULL);
    }
  return TRUE;
}

gboolean
goban_parse_number (const char *text, double *value)
{
  const char *end;
  double number;

  if (!goban_scan_number (text, &number, &end) || *end != '\0' || !isfinite (number))
    return FALSE;
  *value = number;
  return TRUE;
}

static const Unit *
find_unit (const Unit *units, guint n_units, const char *name)
{
  for (guint i = 0; i < n_units; i++)
    if (strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

static gboolean
parse_quantity (const char *text, const Unit *units, guint n_units, const char *what, double *value,
                GError **error)
{
  static const Unit bare = { "", 1 };
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  const Unit *unit;
  const char *end;
  double number;

  if (!goban_scan_number (trimmed, &number, &end) || number < 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not a valid %s", text, what);
  if (*end == ',')
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” has a comma; the decimal point of a %s is “.”", text, what);

  while (g_ascii_isspace (*end))
    end++;
  unit = *end == '\0' ? &bare : find_unit (units, n_units, end);
  if (unit == NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” has the unknown unit “%s” for a %s",
                         text, end, what);
  if (!isfinite (number * unit->factor))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is too large for a %s", text, what);

  *value = number * unit->factor;
  return TRUE;
}

gboolean
goban_parse_time (const char *text, double *time_us, GError **error)
{
  return parse_quantity (text, time_units, G_N_ELEMENTS (time_units), "time", time_us, error);
}

gboolean
goban_parse_bytes (const char *text, double *size_bytes, GError **error)
{
  if (strcmp (text, "unlimited") == 0)
    {
      *size_bytes = INFINITY;
      return TRUE;
    }
  return parse_quantity (text, size_units, G_N_ELEMENTS (size_units), "size", size_bytes, error);
}

double
goban_time_unit_us (const char *unit)
{
  for (guint i = 0; i < G_N_ELEMENTS (time_units); i++)
    if (strcmp (time_units[i].name, unit) == 0)
      return time_units[i].factor;
  return 0;
}
