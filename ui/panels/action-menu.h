/* action-menu.h: the main menu, made from the table of commands. */
#pragma once

#include <gtk/gtk.h>

GMenuModel *goban_actions_make_menu (void) G_GNUC_WARN_UNUSED_RESULT;
/* Changes the label of the action's entry in the menu, if there is one. */
void goban_actions_set_label (GMenuModel *menu, const char *name, const char *label);
