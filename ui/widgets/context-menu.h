/* context-menu.h: menus of commands that open at a place of a widget: nodes, plans. */
#pragma once

#include <gtk/gtk.h>

/* Opens a menu of commands of the window at @at, in coordinates of @widget. @actions: names in the
 * table of commands (actions.h), NULL-terminated; "" separates groups. */
void goban_context_menu_open (GtkWidget *widget, const char *const *actions,
                              const GdkRectangle *at);

/* Calls @open for the Menu key and Shift+F10 while @widget has the focus. */
void goban_context_menu_add_keys (GtkWidget *widget, void (*open) (GtkWidget *widget));
