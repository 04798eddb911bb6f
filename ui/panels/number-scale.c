#include "ui/panels/number-scale.h"

#include "engine/machine/cluster/cluster-json.h"

#include <math.h>
#include <string.h>

/* A value so near to the original is the original. */
#define NOTCH 0.006
/* Share of a slider that belongs to an end that is 0 or unlimited. */
#define END 0.03

/* Usual ranges, for quantities whose original value is 0 or unlimited. */
static const struct
{
  double least;
  double most;
} usual[] = {
  [GOBAN_NUMBER_FACTOR] = { 0.125, 8 }, [GOBAN_NUMBER_BYTES] = { 1e9, 1e12 },
  [GOBAN_NUMBER_RATE] = { 1e8, 1e12 },  [GOBAN_NUMBER_TIME] = { 1e-7, 1e-2 },
  [GOBAN_NUMBER_SHARE] = { 0.01, 1 },   [GOBAN_NUMBER_FLOPS] = { 1e11, 1e16 },
};

GobanNumberScale
goban_number_scale_around (GobanNumberUnit unit, double origin)
{
  GobanNumberScale scale
      = { unit, origin, usual[unit].least, usual[unit].most, origin <= 0, isinf (origin) };
  double range = unit == GOBAN_NUMBER_FACTOR || unit == GOBAN_NUMBER_SHARE ? 8 : 16;

  if (origin > 0 && isfinite (origin))
    {
      scale.least = origin / range;
      scale.most = unit == GOBAN_NUMBER_SHARE ? MAX (origin, 1) : origin * range;
    }
  return scale;
}

static double
round_value (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.3g", value), NULL);
}

static void
get_ends (const GobanNumberScale *self, double *from, double *to)
{
  *from = self->has_zero ? END : 0;
  *to = self->has_infinity ? 1 - END : 1;
}

double
goban_number_scale_get_place (const GobanNumberScale *self, double value)
{
  double from, to;

  get_ends (self, &from, &to);
  if (value <= 0)
    return 0;
  if (isinf (value))
    return 1;
  return CLAMP (from + (to - from) * log (value / self->least) / log (self->most / self->least),
                from, to);
}

double
goban_number_scale_get_value (const GobanNumberScale *self, double place)
{
  double from, to;

  get_ends (self, &from, &to);
  if (fabs (place - goban_number_scale_get_place (self, self->origin)) < NOTCH)
    return self->origin;
  if (self->has_zero && place < from / 2)
    return 0;
  if (self->has_infinity && place > (1 + to) / 2)
    return INFINITY;
  place = (CLAMP (place, from, to) - from) / (to - from);
  return round_value (self->least * pow (self->most / self->least, place));
}

const char *
goban_number_format (GobanNumberUnit unit, char *buffer, double value)
{
  char text[GOBAN_QUANTITY_LEN];

  switch (unit)
    {
    case GOBAN_NUMBER_FACTOR:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, "×%s",
                  g_ascii_formatd (text, sizeof text, "%.3g", value));
      return buffer;
    case GOBAN_NUMBER_BYTES:
      return goban_format_bytes (buffer, value);
    case GOBAN_NUMBER_RATE:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, isinf (value) ? "%s" : "%s/s",
                  goban_format_bytes (text, value));
      return buffer;
    case GOBAN_NUMBER_SHARE:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, "%s %%",
                  g_ascii_formatd (text, sizeof text, "%.4g", value * 100));
      return buffer;
    case GOBAN_NUMBER_FLOPS:
      g_snprintf (buffer, GOBAN_QUANTITY_LEN, "%s/s", goban_format_count (text, value));
      return buffer;
    case GOBAN_NUMBER_TIME:
    default:
      return goban_format_time (buffer, value * 1e6);
    }
}

gboolean
goban_number_parse (GobanNumberUnit unit, const char *text, double *value)
{
  g_autofree char *plain = g_strstrip (g_strdup (text));
  double number;
  char *end;

  if (unit == GOBAN_NUMBER_FACTOR)
    {
      const char *at = g_str_has_prefix (plain, "×") ? plain + strlen ("×") : plain;

      at += *at == 'x' || *at == '*';
      number = g_ascii_strtod (at, &end);
      if (end == at || *end != '\0' || !(number > 0) || isinf (number))
        return FALSE;
      *value = number;
      return TRUE;
    }
  if ((unit == GOBAN_NUMBER_RATE || unit == GOBAN_NUMBER_FLOPS) && g_str_has_suffix (plain, "/s")
      && !g_str_has_suffix (plain, "OP/s"))
    plain[strlen (plain) - 2] = '\0';
  if (unit == GOBAN_NUMBER_FLOPS)
    {
      if (!goban_parse_flops (plain, &number, NULL) || number <= 0)
        return FALSE;
      *value = number * 1e6;
      return TRUE;
    }
  if (unit == GOBAN_NUMBER_SHARE)
    {
      gboolean is_percent = g_str_has_suffix (plain, "%");

      if (is_percent)
        plain[strlen (plain) - 1] = '\0';
      if (!goban_parse_number (g_strchomp (plain), &number) || number <= 0)
        return FALSE;
      *value = is_percent ? number / 100 : number;
      return TRUE;
    }
  /* An incomplete number is not an error during typing, so there is no message. */
  if (unit == GOBAN_NUMBER_TIME ? !goban_parse_time (plain, &number, NULL)
                                : !goban_parse_bytes (plain, &number, NULL))
    return FALSE;
  number = unit == GOBAN_NUMBER_TIME ? number / 1e6 : number;
  if (!(number >= 0) || (unit != GOBAN_NUMBER_TIME && number <= 0)
      || (unit == GOBAN_NUMBER_TIME && isinf (number)))
    return FALSE;
  *value = number;
  return TRUE;
}
