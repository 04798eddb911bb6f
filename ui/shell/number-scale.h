/* number-scale.h: logarithmic scale of a slider for a device's or link's number, with a notch at
 * the original value.
 *
 * Places are 0..1. Values have three significant digits, but the notch is exactly what was. Where
 * what was is 0 or unlimited, so is the end of the slider. Plain values.
 */
#pragma once

#include "engine/base/quantity.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_NUMBER_FACTOR, /* "×1.5" */
  GOBAN_NUMBER_BYTES,  /* "16 GB" */
  GOBAN_NUMBER_RATE,   /* "12 GB/s" */
  GOBAN_NUMBER_TIME,   /* seconds: "5 us" */
} GobanNumberUnit;

typedef struct
{
  GobanNumberUnit unit;
  double origin; /* what it was */
  double least;  /* at 0, unless that is 0 */
  double most;   /* at 1, unless that is unlimited */
  gboolean has_zero;
  gboolean has_infinity;
} GobanNumberScale;

/* From a sixteenth to sixteen times what was; factors from an eighth to eight. */
GobanNumberScale goban_number_scale_around (GobanNumberUnit unit, double origin);

double goban_number_scale_get_value (const GobanNumberScale *self, double place);
/* What is beyond an end is at the end. */
double goban_number_scale_get_place (const GobanNumberScale *self, double value);

/* Buffer of GOBAN_QUANTITY_LEN, returned. */
const char *goban_number_format (GobanNumberUnit unit, char *buffer, double value);
/* "1.5", "x1.5", "16GB", "12 GB/s", "5us"; FALSE of anything else. */
gboolean goban_number_parse (GobanNumberUnit unit, const char *text, double *value);

G_END_DECLS
