/* moment-panel.h: panel of the devices at the moment that the view shows: running op and progress,
 * counts, memory; the queues of one of them beside (queue-list.h).
 *
 * Follows the time with at most one update per frame, and only while it is mapped. The device of
 * the queues is the one whose row is selected; the selection of an op chooses its device.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

/* Items of each queue that are shown. */
#define GOBAN_MOMENT_MOST 20

#define GOBAN_TYPE_MOMENT_PANEL (goban_moment_panel_get_type ())
G_DECLARE_FINAL_TYPE (GobanMomentPanel, goban_moment_panel, GOBAN, MOMENT_PANEL, GtkWidget)

GtkWidget *goban_moment_panel_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE if there are a run and a moment to show. */
gboolean goban_moment_panel_has_moment (GobanMomentPanel *self);
/* Shows the present moment at once. */
void goban_moment_panel_update (GobanMomentPanel *self);

/* Rows of devices and of queues as text, one a line. (transfer full) */
char *goban_moment_panel_dup_text (GobanMomentPanel *self) G_GNUC_WARN_UNUSED_RESULT;
