/* value-histogram.h: histogram widget: brushing a range of values selects the nodes in it.
 *
 * A drag brushes a range, a click a bin; Shift adds to what was selected before. Left and Right
 * move the brush, with Shift its upper edge, with Ctrl its lower one, Escape removes it. A
 * selection made elsewhere removes it, too, and is shown in the bars.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/charts/histogram.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_VALUE_HISTOGRAM (goban_value_histogram_get_type ())
G_DECLARE_FINAL_TYPE (GobanValueHistogram, goban_value_histogram, GOBAN, VALUE_HISTOGRAM, GtkWidget)

GtkWidget *goban_value_histogram_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* @values (nullable) are of the session's graph. */
void goban_value_histogram_set_values (GobanValueHistogram *self, GobanNodeValues *values);
void goban_value_histogram_set_theme (GobanValueHistogram *self, GobanTheme theme);

/* The brushed range, (nullable). */
const GobanBrush *goban_value_histogram_get_brush (GobanValueHistogram *self);

/* For tests: simulates a drag from @x0 to @x1, in pixels of the widget. */
void goban_value_histogram_drag (GobanValueHistogram *self, double x0, double x1,
                                 GdkModifierType modifiers);
