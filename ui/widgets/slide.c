#include "ui/widgets/slide.h"

void
goban_slide_snapshot (GtkWidget *widget, GtkSnapshot *snapshot, GobanTextCache *text,
                      GobanSlidePaint paint)
{
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_surface_t *surface;
  cairo_t *cr;

  if (width <= 0 || height <= 0)
    return;

  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * scale, height * scale);
  {
    g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

    paint (widget, pen);
  }
  cairo_surface_mark_dirty (surface);
  cairo_surface_set_device_scale (surface, scale, scale);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

void
goban_slide_listen (GtkWidget *widget, const GobanSlideHandlers *handlers)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_cursor_from_name (widget, "col-resize");
  g_signal_connect (drag, "drag-begin", G_CALLBACK (handlers->drag_begin), widget);
  g_signal_connect (drag, "drag-update", G_CALLBACK (handlers->drag_update), widget);
  g_signal_connect (drag, "drag-end", G_CALLBACK (handlers->drag_end), widget);
  g_signal_connect (motion, "motion", G_CALLBACK (handlers->motion), widget);
  g_signal_connect (motion, "leave", G_CALLBACK (handlers->leave), widget);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (handlers->key_pressed), widget);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, keys);
}
