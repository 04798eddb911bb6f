/* search-bar.h: search bar that finds nodes by text, pattern or expression (query.h).
 *
 * The search runs in a worker while people type; the newest text wins. What it found is the
 * property "matches", which the pictures mark and the table shows; commands step through it, select
 * it and hide it. Mistakes are shown below the box, with their column.
 *
 * Property: "matches" (GobanSelection, nullable: nothing is searched for).
 * Signal: "closed": the people are done here, and the focus is to go elsewhere.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_SEARCH_BAR (goban_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanSearchBar, goban_search_bar, GOBAN, SEARCH_BAR, GtkWidget)

/* Hidden at first. */
GtkWidget *goban_search_bar_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the bar and puts the cursor into its box. */
void goban_search_bar_open (GobanSearchBar *self);
/* Forgets the text and what it found, and hides the bar; hidden nodes stay so. FALSE: it was closed. */
gboolean goban_search_bar_close (GobanSearchBar *self);

void goban_search_bar_set_text (GobanSearchBar *self, const char *text);
/* (nullable), borrowed. */
GobanSelection *goban_search_bar_get_matches (GobanSearchBar *self);
/* TRUE while the worker has not answered to the newest text. */
gboolean goban_search_bar_is_searching (GobanSearchBar *self);

/* Selects the next (1) or previous (-1) match that is not hidden, round and round. */
void goban_search_bar_step (GobanSearchBar *self, int direction);
void goban_search_bar_select_all (GobanSearchBar *self);
/* Hides all that does not match; hides what does. Both do nothing without matches. */
void goban_search_bar_filter (GobanSearchBar *self);
void goban_search_bar_hide_matches (GobanSearchBar *self);

/* What it says: "3 of 1 204", and the mistake, "" if there is none. */
const char *goban_search_bar_get_count (GobanSearchBar *self);
const char *goban_search_bar_get_mistake (GobanSearchBar *self);

G_END_DECLS
