/* time-pane.h: timeline with a toolbar above it: playback, and which sub-rows are open.
 *
 * A frame gives it a height between those of goban_time_pane_get_heights(); bars adapt to it.
 */
#pragma once

#include "ui/timeline/timeline-view.h"
#include "ui/timeline/transport-bar.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TIME_PANE (goban_time_pane_get_type ())
G_DECLARE_FINAL_TYPE (GobanTimePane, goban_time_pane, GOBAN, TIME_PANE, GtkWidget)

GtkWidget *goban_time_pane_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Its "heights-changed" is that of the pane, too. */
GobanTimelineView *goban_time_pane_get_timeline (GobanTimePane *self);
GobanTransportBar *goban_time_pane_get_toolbar (GobanTimePane *self);

/* It is shown at first. */
void goban_time_pane_set_toolbar_shown (GobanTimePane *self, gboolean is_shown);
/* Puts a widget at the left of the toolbar; (transfer floating) (nullable). */
void goban_time_pane_set_start (GobanTimePane *self, GtkWidget *widget);

/* In pixels, with or without the toolbar. @least: the bars of all devices, or of the first eight,
 * are visible; @wanted: bars are high enough for names, and open sub-rows are visible, too. */
void goban_time_pane_get_heights (GobanTimePane *self, gboolean has_toolbar, int *least,
                                  int *wanted);

G_END_DECLS
