/* monkey-input.h: keys and pointer of the display server, pressed by the XTest extension.
 *
 * What is pressed goes the way of a user's: through the server, to the window below the pointer or
 * with the focus. XTest's library is loaded if it is there, as xdotool needs it.
 */
#pragma once

#include <gtk/gtk.h>

/* FALSE if the display is not an X server with the extension, or its library is not installed. */
gboolean monkey_input_begin (void);

void monkey_press_key (guint keyval, GdkModifierType modifiers);
/* Pixels of the screen. */
void monkey_move_pointer (int x, int y);
/* Presses or releases a button; 4 and 5 are the wheel. */
void monkey_press_button (guint button, gboolean is_down);
/* Releases all buttons and modifiers. */
void monkey_release_all (void);

/* The middle of a widget that is shown, in pixels of the screen; FALSE if it is not. */
gboolean monkey_locate (GtkWidget *widget, int *x, int *y);
