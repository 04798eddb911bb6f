/* step-slider.h: slider over the decisions of a run, with the makespans drawn behind.
 *
 * Its treads are the stops of the view's level; it shows and changes the view's moment. Arrows go
 * one stop, Page Up and Down ten, Home and End to the ends; dragging follows the pointer, and only
 * its end is logged.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/charts/step-curve.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_STEP_SLIDER (goban_step_slider_get_type ())
G_DECLARE_FINAL_TYPE (GobanStepSlider, goban_step_slider, GOBAN, STEP_SLIDER, GtkWidget)

GtkWidget *goban_step_slider_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_step_slider_set_theme (GobanStepSlider *self, GobanTheme theme);

/* For tests: simulates a drag, x in pixels of the widget. */
void goban_step_slider_drag (GobanStepSlider *self, double x0, double x1);
/* Handles a key; %TRUE if it is one of the slider's. */
gboolean goban_step_slider_press (GobanStepSlider *self, guint keyval);
/* The position of a moment, in pixels of the widget. */
double goban_step_slider_locate (GobanStepSlider *self, guint moment);

G_END_DECLS
