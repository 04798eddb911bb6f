/* number-slider.h: one number of a device or link: a slider, an entry, and a reset button.
 *
 * Signals: "moved" (double): the value while the slider is dragged; "settled" (double): the value
 *   after a release, an entry, or a reset.
 */
#pragma once

#include "ui/panels/number-scale.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

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

G_END_DECLS
