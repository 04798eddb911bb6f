/* theme.h: colours and size of text of widgets that paint, as the desktop has them. */
#pragma once

#include "ui/draw/palette.h"

#include <gtk/gtk.h>

/* Once per program: widgets have HighContrastInverse where the desktop has. */
void goban_theme_init (void);

/* Dark if the window or the desktop's theme is; of high contrast if the latter is. */
GobanTheme goban_theme_of (GtkWidget *widget);

/* Scale of text in pictures: 1, or the desktop's text scaling factor. */
double goban_text_scale_of (GtkWidget *widget);

/* Calls @changed with @object at every change of theme or text scale as long as @object lives. */
void goban_theme_connect (GtkWidget *widget, gpointer object, GCallback changed);

/* Calls @changed with the widget now, and at every change as long as the widget lives. */
void goban_theme_follow (GtkWidget *widget, GCallback changed);
