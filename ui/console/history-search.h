/* history-search.h: popup that searches the history of the console.
 *
 * Signal "chosen" (const char *text): Enter, or a click on an entry.
 */
#pragma once

#include "ui/console/console-history.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_HISTORY_SEARCH (goban_history_search_get_type ())
G_DECLARE_FINAL_TYPE (GobanHistorySearch, goban_history_search, GOBAN, HISTORY_SEARCH, GtkPopover)

/* A child of @parent, which must unparent it when it is disposed. @history: outlives it. */
GobanHistorySearch *goban_history_search_new (GtkWidget *parent, GobanConsoleHistory *history);

/* Opens with the entries that contain @text, the newest first. */
void goban_history_search_start (GobanHistorySearch *self, const char *text);
