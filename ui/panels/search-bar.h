/* search-bar.h: search bar that finds nodes by text, pattern or expression (query.h).
 *
 * The search runs in a worker during typing; the newest text counts. The result is the property
 * "matches", which the pictures mark and the table shows; commands step through it, select it and
 * hide it. Syntax errors are shown below the box, with their column.
 *
 * Property: "matches" (GobanSelection, nullable: no search is active). Signal: "closed": the search
 * is finished, and the focus should move elsewhere.
 *
 * Decision U23 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_SEARCH_BAR (goban_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanSearchBar, goban_search_bar, GOBAN, SEARCH_BAR, GtkWidget)

/* Hidden at first. */
GtkWidget *goban_search_bar_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the bar and focuses its entry. */
void goban_search_bar_open (GobanSearchBar *self);
/* Clears the text and the matches, and hides the bar; hidden nodes stay hidden. FALSE if it was
 * closed. */
gboolean goban_search_bar_close (GobanSearchBar *self);

/* (nullable), borrowed. */
GobanSelection *goban_search_bar_get_matches (GobanSearchBar *self);
/* The text if it matches no node, else "". */
const char *goban_search_bar_get_unmatched (GobanSearchBar *self);
/* TRUE while the result for the newest text is pending. */
gboolean goban_search_bar_is_searching (GobanSearchBar *self);

/* Selects the next (1) or previous (-1) visible match, with wrap-around. */
void goban_search_bar_step (GobanSearchBar *self, int direction);
void goban_search_bar_select_all (GobanSearchBar *self);
/* The first hides all nodes that do not match, the second those that do. Both do nothing without
 * matches. */
void goban_search_bar_filter (GobanSearchBar *self);
void goban_search_bar_hide_matches (GobanSearchBar *self);
