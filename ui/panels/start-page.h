/* start-page.h: start page of the window before a graph is open: one next step, and other
 * beginnings. */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_START_PAGE (goban_start_page_get_type ())
G_DECLARE_FINAL_TYPE (GobanStartPage, goban_start_page, GOBAN, START_PAGE, GtkWidget)

GtkWidget *goban_start_page_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The button with the next step. */
GtkWidget *goban_start_page_get_default (GobanStartPage *self);

/* Offers the graphs in @folder (nullable), by name. */
void goban_start_page_set_samples (GobanStartPage *self, const char *folder);

/* Shows the name of a file that is being opened in place of the invitation. NULL: shows the
 * invitation again. */
void goban_start_page_set_busy (GobanStartPage *self, const char *what);

/* Recent files, the latest first, NULL-terminated. */
void goban_start_page_set_recent (GobanStartPage *self, const char *const *paths);
