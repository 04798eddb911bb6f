#include "ui/widgets/signals.h"

void
goban_signal_add (gpointer klass, const char *name, guint n_params, ...)
{
  va_list types;

  va_start (types, n_params);
  g_signal_new_valist (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL,
                       G_TYPE_NONE, n_params, types);
  va_end (types);
}

void
goban_watch_keys (GtkWidget *widget, GtkPropagationPhase phase, GCallback pressed_cb,
                  gpointer object)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, phase);
  g_signal_connect_object (keys, "key-pressed", pressed_cb, object, 0);
  gtk_widget_add_controller (widget, keys);
}
