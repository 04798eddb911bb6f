/* signals.h: signals of the window's classes, and keys. */
#pragma once

#include <gtk/gtk.h>

/* For class_init: a signal that runs its own handlers last and returns nothing, with @n_params
 * parameters of the types that follow. */
void goban_signal_add (gpointer klass, const char *name, guint n_params, ...);

/* Calls @pressed_cb, a handler of "key-pressed", for keys that come to @widget, as long as @object
 * lives. */
void goban_watch_keys (GtkWidget *widget, GtkPropagationPhase phase, GCallback pressed_cb,
                       gpointer object);

/* Calls @callback with @object, and then the parameters, at each @signal as long as both live. */
#define GOBAN_CONNECT(instance, signal, callback, object)                                          \
  g_signal_connect_object (instance, signal, G_CALLBACK (callback), object, G_CONNECT_SWAPPED)
