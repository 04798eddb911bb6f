/* start-page.h: start page of the window before a graph is open: a button, samples, a hint. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_START_PAGE (goban_start_page_get_type ())
G_DECLARE_FINAL_TYPE (GobanStartPage, goban_start_page, GOBAN, START_PAGE, GtkWidget)

GtkWidget *goban_start_page_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Offers the graphs that lie in @folder (nullable), by name. */
void goban_start_page_set_samples (GobanStartPage *self, const char *folder);

/* While something is being opened: says what, instead of inviting. NULL: invites again. */
void goban_start_page_set_busy (GobanStartPage *self, const char *what);

/* Files that were open before, the last one first; ends in NULL. */
void goban_start_page_set_recent (GobanStartPage *self, const char *const *paths);

G_END_DECLS
