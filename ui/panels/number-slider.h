/* number-slider.h: one number of a device or link: a slider, an entry, and a reset button.
 *
 * Signals: "moved" (double): the value while the slider is dragged; "settled" (double): the value
 *   after a release, an entry, or a reset.
 */
#pragma once

#include "engine/core/quantity.h"

#include <gtk/gtk.h>

typedef enum
{
  GOBAN_NUMBER_FACTOR, /* "×1.5" */
  GOBAN_NUMBER_BYTES,  /* "16 GB" */
  GOBAN_NUMBER_RATE,   /* "12 GB/s" */
  GOBAN_NUMBER_TIME,   /* seconds: "5 µs" */
  GOBAN_NUMBER_SHARE,  /* "83 %" */
  GOBAN_NUMBER_FLOPS,  /* a second: "312 T/s" */
} GobanNumberUnit;

/* A logarithmic scale with a notch at the original value. Positions are 0..1. Values have three
 * significant digits, but the notch is exactly the original value. If that is 0 or unlimited, so is
 * the end of the slider. */
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

#define GOBAN_TYPE_NUMBER_SLIDER (goban_number_slider_get_type ())
G_DECLARE_FINAL_TYPE (GobanNumberSlider, goban_number_slider, GOBAN, NUMBER_SLIDER, GtkWidget)

/* @title: "Speed"; @owner: "gpu:1", for the accessible name. */
GtkWidget *goban_number_slider_new (const char *title, const char *owner,
                                    const GobanNumberScale *scale) G_GNUC_WARN_UNUSED_RESULT;

double goban_number_slider_get_value (GobanNumberSlider *self);
/* Sets the value without a signal. @is_mixed: the members of its group differ. */
void goban_number_slider_set_value (GobanNumberSlider *self, double value, gboolean is_mixed);
/* TRUE while it is dragged, or before "settled". */
gboolean goban_number_slider_is_moving (GobanNumberSlider *self);
void goban_number_slider_grab_focus (GobanNumberSlider *self);
