/* theme.h: light or dark colours of widgets that paint or highlight and are not pictures. */
#pragma once

#include "ui/draw/palette.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The theme that the window has been set to. */
GobanTheme goban_theme_of (GtkWidget *widget);

/* Calls @changed with the widget now, and at every change as long as the widget lives. */
void goban_theme_follow (GtkWidget *widget, GCallback changed);

G_END_DECLS
