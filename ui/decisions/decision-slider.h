/* decision-slider.h: slider over the plans of the current run's record, or over the decisions of
 * the shown plan.
 *
 * It shows and changes the view's moment. Arrows go one tread, Page Up and Down ten, Home and End
 * to the ends; dragging follows the pointer, and only its end is logged.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_DECISION_SLIDER (goban_decision_slider_get_type ())
G_DECLARE_FINAL_TYPE (GobanDecisionSlider, goban_decision_slider, GOBAN, DECISION_SLIDER, GtkWidget)

GtkWidget *goban_decision_slider_new (GobanSession *session,
                                      gboolean is_of_plans) G_GNUC_WARN_UNUSED_RESULT;

/* For tests: simulates a drag, x in pixels of the widget. */
void goban_decision_slider_drag (GobanDecisionSlider *self, double x0, double x1);
/* Handles a key; %TRUE if it is one of the slider's. */
gboolean goban_decision_slider_press (GobanDecisionSlider *self, guint keyval);
/* The number of treads, the shown one or -1, and the position of one in pixels of the widget. */
guint goban_decision_slider_get_n (GobanDecisionSlider *self);
int goban_decision_slider_get_shown (GobanDecisionSlider *self);
double goban_decision_slider_locate (GobanDecisionSlider *self, guint tread);
