/* palette.h: colours of the pictures, each with a second cue such as a hatch.
 *
 * Devices take the eight colours of Okabe and Ito, which people with any common colour vision can
 * distinguish, and a hatch, so that colour is never the only channel: device 8 has the colour of
 * device 0 and another hatch. Values only; any thread.
 */
#pragma once

#include <glib.h>

/* 0xRRGGBB */
typedef guint32 GobanRgb;

#define GOBAN_N_DEVICE_COLOURS 8

typedef enum
{
  GOBAN_THEME_LIGHT,
  GOBAN_THEME_DARK,
  /* Text and lines have a contrast of 7 at least. */
  GOBAN_THEME_HIGH_CONTRAST,
  GOBAN_THEME_HIGH_CONTRAST_INVERSE,
  GOBAN_N_THEMES
} GobanTheme;

/* The second cue of a device. */
typedef enum
{
  GOBAN_CUE_SOLID,
  GOBAN_CUE_DIAGONAL,
  GOBAN_CUE_BACK_DIAGONAL,
  GOBAN_CUE_CROSS,
  GOBAN_CUE_DOTS,
  GOBAN_CUE_HORIZONTAL,
  GOBAN_CUE_VERTICAL,
  GOBAN_CUE_GRID,
  GOBAN_N_CUES
} GobanCue;

/* Kind of an op, derived from its type name: the colour of graphs without a plan. */
typedef enum
{
  GOBAN_FAMILY_CONVOLUTION,
  GOBAN_FAMILY_MATRIX,
  GOBAN_FAMILY_RECURRENT,
  GOBAN_FAMILY_NORMALISATION,
  GOBAN_FAMILY_ACTIVATION,
  GOBAN_FAMILY_POOLING,
  GOBAN_FAMILY_ELEMENTWISE,
  GOBAN_FAMILY_SHAPE,
  GOBAN_FAMILY_DATA,
  GOBAN_FAMILY_OTHER,
  GOBAN_N_FAMILIES
} GobanOpFamily;

/* The colours of everything that is not a device, an op or a priority. */
typedef struct
{
  GobanRgb canvas;
  GobanRgb panel; /* headers, lanes */
  GobanRgb ink;   /* text */
  GobanRgb muted; /* secondary text */
  GobanRgb rule;  /* hairlines and outlines of panels */
  GobanRgb edge;  /* an edge that stays on its device */
  GobanRgb cut;   /* an edge that crosses devices */
  GobanRgb critical;
  GobanRgb selection;
  GobanRgb hover;
  GobanRgb match; /* search results */
} GobanColours;

gboolean goban_theme_is_dark (GobanTheme theme);
gboolean goban_theme_is_high_contrast (GobanTheme theme);

const GobanColours *goban_palette_get (GobanTheme theme);

/* Any device number; colours repeat every 8. */
GobanRgb goban_palette_device (GobanTheme theme, guint device);
/* Cues repeat with a shift, so that colour and cue together repeat every 64. */
GobanCue goban_palette_cue (guint device);
/* The hatch of a cue as eight rows of eight bits, the most significant leftmost. */
const guint8 *goban_palette_cue_bits (GobanCue cue);
/* The colour of a hatch on @fill: a shade of the fill itself, towards black or white, whichever is
 * further. Labels are never drawn on a hatch. */
GobanRgb goban_palette_hatch (GobanRgb fill);

/* A perceptually ordered ramp from dark violet to yellow, in the dark from a lighter one; @t is
 * clamped to 0..1. */
GobanRgb goban_palette_ramp (GobanTheme theme, double t);

/* The colour of unknown values: a grey that is not on the ramp. */
GobanRgb goban_palette_unknown (GobanTheme theme);

GobanOpFamily goban_palette_family (const char *op);
const char *goban_palette_family_name (GobanOpFamily family);
GobanRgb goban_palette_family_colour (GobanTheme theme, GobanOpFamily family);

/* Black or white, whichever is easier to read upon @fill: a contrast of 4.58 at least, and of 7 on
 * the colours of a theme of high contrast. */
GobanRgb goban_rgb_text_on (GobanRgb fill);
/* The contrast ratio of WCAG 2, 1..21. */
double goban_rgb_contrast (GobanRgb a, GobanRgb b);
/* Relative luminance of WCAG 2, 0..1. */
double goban_rgb_luminance (GobanRgb rgb);
/* @a at 0, @b at 1. */
GobanRgb goban_rgb_mix (GobanRgb a, GobanRgb b, double t);
