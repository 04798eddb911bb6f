/* status-bar.h: status bar: the open graph, the item under the pointer, running jobs.
 *
 * Observes the session; the window passes it the state of the pictures.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_STATUS_BAR (goban_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanStatusBar, goban_status_bar, GOBAN, STATUS_BAR, GtkWidget)

GtkWidget *goban_status_bar_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Shows that the running job is being stopped. */
void goban_status_bar_set_stopping (GobanStatusBar *self);

/* Sets the description of the item under the pointer; "" for none. */
void goban_status_bar_set_hint (GobanStatusBar *self, const char *hint);
/* The same, but it goes by itself after ten seconds: the answer to a command. */
void goban_status_bar_set_passing_hint (GobanStatusBar *self, const char *hint);

/* The boxes that the graph's nodes are shown in; 0 if each has its own. */
void goban_status_bar_set_boxes (GobanStatusBar *self, guint n_boxes);
