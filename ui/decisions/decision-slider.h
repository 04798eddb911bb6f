/* decision-slider.h: slider over the decisions of a run, with the makespans drawn behind.
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

#define GOBAN_TYPE_DECISION_SLIDER (goban_decision_slider_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionSlider, goban_decision_slider, GOBAN, DECISION_SLIDER, GtkWidget)

GtkWidget *goban_decision_slider_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_decision_slider_set_theme (GobanDecisionSlider *self, GobanTheme theme);

/* For tests: simulates a drag, x in pixels of the widget. */
void goban_decision_slider_drag (GobanDecisionSlider *self, double x0, double x1);
/* Handles a key; %TRUE if it is one of the slider's. */
gboolean goban_decision_slider_press (GobanDecisionSlider *self, guint keyval);
/* The position of a moment, in pixels of the widget. */
double goban_decision_slider_locate (GobanDecisionSlider *self, guint moment);

G_END_DECLS
