/* focus-group.h: buttons that are one stop of the Tab key; arrows, Home and End go from one to the
 * next, as in a toolbar.
 */
#pragma once

#include <gtk/gtk.h>

/* @list: a list, of whose rows GTK makes a stop each; Tab goes on from the list. */
void goban_focus_group_make_list (GtkWidget *list);

/* For the focus() of a class with a grab_focus() of its own and one child: GTK would take Tab past
 * all but what that chooses. */
gboolean goban_focus_group_enter (GtkWidget *widget, GtkDirectionType direction);

/* @container: its buttons, at any depth, whenever they are added. A row of them may wrap. */
void goban_focus_group_make (GtkWidget *container);
