/* number-scale.h: logarithmic scale of a slider for a number of a device or link, with a notch at
 * the original value.
 *
 * Positions are 0..1. Values have three significant digits, but the notch is exactly the original
 * value. If that is 0 or unlimited, so is the end of the slider. Plain values.
 */
#pragma once

#include "engine/core/quantity.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_NUMBER_FACTOR, /* "×1.5" */
  GOBAN_NUMBER_BYTES,  /* "16 GB" */
  GOBAN_NUMBER_RATE,   /* "12 GB/s" */
  GOBAN_NUMBER_TIME,   /* seconds: "5 µs" */
  GOBAN_NUMBER_SHARE,  /* "83 %" */
  GOBAN_NUMBER_FLOPS,  /* a second: "312 T/s" */
} GobanNumberUnit;

typedef struct
{
  GobanNumberUnit unit;
  double origin; /* original value */
  double least;  /* value at position 0, unless that is 0 */
  double most;   /* value at position 1, unless that is unlimited */
  gboolean has_zero;
  gboolean has_infinity;
} GobanNumberScale;

/* From 1/16 to 16 times the original value; factors from 1/8 to 8, shares from 1/8 to the whole. */
GobanNumberScale goban_number_scale_around (GobanNumberUnit unit, double origin);

double goban_number_scale_get_value (const GobanNumberScale *self, double place);
/* Values outside the range are clamped. */
double goban_number_scale_get_place (const GobanNumberScale *self, double value);

/* Buffer of GOBAN_QUANTITY_LEN, returned. */
const char *goban_number_format (GobanNumberUnit unit, char *buffer, double value);
/* Parses "1.5", "x1.5", "16GB", "12 GB/s", "5us", "83 %", "312T"; FALSE for anything else. */
gboolean goban_number_parse (GobanNumberUnit unit, const char *text, double *value);

G_END_DECLS
