/* place-menu.h: menu of the policies, by effort; a search first shows a page for its budget.
 *
 * What GO decides is chosen under the list, and where the budget of a policy that heeds it is
 * shown. A quick policy is one click. One that searches or learns shows a page with what it does
 * and its budget. Everything is done by the window's actions "place", "place-with" and
 * "place-quick".
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_PLACE_MENU (goban_place_menu_get_type ())
G_DECLARE_FINAL_TYPE (GobanPlaceMenu, goban_place_menu, GOBAN, PLACE_MENU, GtkPopover)

GtkWidget *goban_place_menu_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* As if the row of @policy were clicked. */
void goban_place_menu_choose (GobanPlaceMenu *self, const char *policy);

/* The budget that is shown; 0 is no limit. */
void goban_place_menu_set_budget (GobanPlaceMenu *self, guint64 max_evaluations, double max_seconds,
                                  guint64 seed);
void goban_place_menu_get_budget (GobanPlaceMenu *self, GobanRunOptions *options);

/* What GO decides, from now on. */
void goban_place_menu_set_tasks (GobanPlaceMenu *self, GobanDecisions decisions);

/* Starts the policy whose budget is shown; FALSE if nothing limits it. */
gboolean goban_place_menu_start (GobanPlaceMenu *self);

/* How many runs of that policy there are: the seed of the next one. */
guint64 goban_place_menu_next_seed (GobanSession *session, const char *policy);

G_END_DECLS
