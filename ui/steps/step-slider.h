/* step-slider.h: slider over the decision steps of a run, with their makespans drawn behind.
 *
 * It shows and changes the view's step. Arrows go one step, Page Up and Down ten, Home and End to
 * the ends; dragging goes wherever the pointer is, and only where it ends is a line of the log.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/step-curve.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_STEP_SLIDER (goban_step_slider_get_type ())
G_DECLARE_FINAL_TYPE (GobanStepSlider, goban_step_slider, GOBAN, STEP_SLIDER, GtkWidget)

GtkWidget *goban_step_slider_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_step_slider_set_theme (GobanStepSlider *self, GobanTheme theme);

/* What dragging from one place to another does, x in pixels of the widget. */
void goban_step_slider_drag (GobanStepSlider *self, double x0, double x1);
/* %TRUE if the key is one of the slider's. */
gboolean goban_step_slider_press (GobanStepSlider *self, guint keyval);
/* Where a step is, in pixels of the widget. */
double goban_step_slider_locate (GobanStepSlider *self, guint step);

G_END_DECLS
