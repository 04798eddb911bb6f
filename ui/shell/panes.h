/* panes.h: panes divided by handles, whose sizes are remembered. */
#pragma once

#include "ui/shell/settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One of the two takes what the window grows by. */
GtkWidget *goban_paned_new (GtkOrientation orientation, GtkWidget *first, GtkWidget *second,
                            gboolean first_grows) G_GNUC_WARN_UNUSED_RESULT;
/* A paned knows the size of its first child only; how much is left for the other is known when
 * both have first been shown. */
void goban_paned_give_end (GtkWidget *paned, int size);

/* Stores the size of a pane unless it is hidden. */
void goban_pane_remember (GobanSettings *settings, const char *key, int size);

G_END_DECLS
