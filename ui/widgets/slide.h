/* slide.h: shared parts of small widgets with a slider in a picture: painting, gestures and keys.
 *
 * For widgets that paint themselves: the pen's coordinates are pixels of the device, as everywhere
 * in ui/draw.
 */
#pragma once

#include "ui/draw/pen.h"

#include <gtk/gtk.h>

/* Paints all of the widget, scaled as it is (gtk_widget_get_scale_factor()). */
typedef void (*GobanSlidePaint) (GtkWidget *widget, GobanPen *pen);

/* Takes a snapshot, which @paint fills. @text is the widget's own. */
void goban_slide_snapshot (GtkWidget *widget, GtkSnapshot *snapshot, GobanTextCache *text,
                           GobanSlidePaint paint);

/* Handlers of gestures and keys, as GTK's signals of these names have them; the widget is their
 * data. */
typedef struct
{
  void (*drag_begin) (GtkGestureDrag *gesture, double x, double y, gpointer widget);
  void (*drag_update) (GtkGestureDrag *gesture, double dx, double dy, gpointer widget);
  void (*drag_end) (GtkGestureDrag *gesture, double dx, double dy, gpointer widget);
  void (*motion) (GtkEventControllerMotion *controller, double x, double y, gpointer widget);
  void (*leave) (GtkEventControllerMotion *controller, gpointer widget);
  gboolean (*key_pressed) (GtkEventControllerKey *controller, guint keyval, guint keycode,
                           GdkModifierType modifiers, gpointer widget);
} GobanSlideHandlers;

/* Connects the handlers, makes the widget focusable and sets a resize cursor. */
void goban_slide_listen (GtkWidget *widget, const GobanSlideHandlers *handlers);
