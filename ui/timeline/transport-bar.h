/* transport-bar.h: toolbar of a timeline: start, step, play, end, speed, loop, the moment in words,
 * and which sub-rows are open.
 *
 * Play, start and end are of the timeline's time, whatever the keys of the window apply to. Steps
 * and the others are the window's actions "event", "play-loop" and "no-time".
 */
#pragma once

#include "ui/timeline/timeline-view.h"

#define GOBAN_TYPE_TRANSPORT_BAR (goban_transport_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanTransportBar, goban_transport_bar, GOBAN, TRANSPORT_BAR, GtkWidget)

/* Transport bar of a timeline of @session, which must outlive it. */
GtkWidget *goban_transport_bar_new (GobanSession *session,
                                    GobanTimelineView *timeline) G_GNUC_WARN_UNUSED_RESULT;

/* Puts a widget at the left; (transfer floating) (nullable). */
void goban_transport_bar_set_start (GobanTransportBar *self, GtkWidget *widget);

/* The displayed text: "12.4 ms of 182 ms: conv1 finishes on gpu:0". */
const char *goban_transport_bar_get_text (GobanTransportBar *self);
