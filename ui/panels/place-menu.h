/* place-menu.h: menu of the policies: three to start with, the budget of the chosen one, and all.
 *
 * What is typed filters all policies, and Enter takes the one that fits best. A quick policy runs
 * at once. One that searches or learns is chosen: its description and its budget are shown, with
 * the time that it will take. The window's actions "place", "place-with" and "place-quick" do the
 * work.
 *
 * Decision U9 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_PLACE_MENU (goban_place_menu_get_type ())
G_DECLARE_FINAL_TYPE (GobanPlaceMenu, goban_place_menu, GOBAN, PLACE_MENU, GtkPopover)

GtkWidget *goban_place_menu_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Activates the row of @policy. */
void goban_place_menu_choose (GobanPlaceMenu *self, const char *policy);

/* The number of runs of that policy, used as the seed of the next one. */
guint64 goban_place_menu_next_seed (GobanSession *session, const char *policy);
