/* search-window.h: window with a list and a search over it. */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_SEARCH_WINDOW (goban_search_window_get_type ())
G_DECLARE_FINAL_TYPE (GobanSearchWindow, goban_search_window, GOBAN, SEARCH_WINDOW, GtkWindow)

/* @what is searched, such as "Search for a term"; @none is shown if nothing is found. */
GtkWidget *goban_search_window_new (GtkWindow *parent, const char *title, const char *what,
                                    const char *none) G_GNUC_WARN_UNUSED_RESULT;

/* Its owner fills it, and says what is found; filter, order and headers follow the words. */
GtkListBox *goban_search_window_get_list (GobanSearchWindow *self);
/* Appends a row with @child that speaks for itself by @label and @description. */
GtkWidget *goban_search_window_add (GobanSearchWindow *self, GtkWidget *child, const char *label,
                                    const char *description);
const char *goban_search_window_get_words (GobanSearchWindow *self);
void goban_search_window_search (GobanSearchWindow *self, const char *words);
