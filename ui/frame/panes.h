/* panes.h: panes divided by handles, whose sizes are remembered. */
#pragma once

#include "ui/widgets/settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A paned knows the size of its first child only; how much is left for the other is known when
 * both have first been shown. */
void goban_paned_give_end (GtkWidget *paned, int size);

/* Stores the size of a pane unless it is hidden. */
void goban_pane_remember (GobanSettings *settings, const char *key, int size);

G_END_DECLS
