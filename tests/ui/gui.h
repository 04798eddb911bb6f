/* gui.h: what tests with a display share: waiting, and finding widgets. */
#pragma once

#include <gtk/gtk.h>

typedef gboolean (*GuiCondition) (gpointer data);

/* Runs the main loop until @condition holds, at most ten seconds; fails the test after that. */
void gui_wait (GuiCondition condition, gpointer data, const char *what);
/* Runs the main loop for a while: for what should not happen, or has no sign. */
void gui_settle (guint ms);

/* The first descendant of that type, or NULL. */
GtkWidget *gui_find (GtkWidget *root, GType type);
