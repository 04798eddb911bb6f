/* switcher.h: linked toggles of which one is on; where they have no room, a button with a menu of
 * the same choices. In a .ui file the toggles are its children; they have an action with a target.
 */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_SWITCHER (goban_switcher_get_type ())
G_DECLARE_FINAL_TYPE (GobanSwitcher, goban_switcher, GOBAN, SWITCHER, GtkWidget)

void goban_switcher_add (GobanSwitcher *self, GtkWidget *toggle);

/* Folded, it asks for the button's room only, in favour of what is beside it. */
void goban_switcher_set_folded (GobanSwitcher *self, gboolean is_folded);
