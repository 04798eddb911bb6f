/* status-bar.h: status bar: the open graph, the item under the pointer, running jobs.
 *
 * Observes the session; the pictures tell it what they show.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_STATUS_BAR (goban_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanStatusBar, goban_status_bar, GOBAN, STATUS_BAR, GtkWidget)

GtkWidget *goban_status_bar_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* What runs has been asked to stop, and has not ended yet. */
void goban_status_bar_set_stopping (GobanStatusBar *self);

/* What the line says of the work under way, "" if there is none. */
const char *goban_status_bar_get_work (GobanStatusBar *self);

/* How many nodes it says are hidden, "" if none is. */
const char *goban_status_bar_get_hidden (GobanStatusBar *self);

/* What is under the pointer; "" for nothing. */
void goban_status_bar_set_hint (GobanStatusBar *self, const char *hint);
const char *goban_status_bar_get_hint (GobanStatusBar *self);

/* @scale: pixels per unit of the world; @paint_ms: what the last picture took. */
void goban_status_bar_set_view (GobanStatusBar *self, double scale, double paint_ms);

G_END_DECLS
