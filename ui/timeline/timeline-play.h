/* timeline-play.h: playback of a timeline. */
#pragma once

#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

/* Playback, from the view's time or from the start. */
gboolean goban_timeline_view_is_playing (GobanTimelineView *self);
void goban_timeline_view_play (GobanTimelineView *self, gboolean is_playing);
/* 1: a run lasts ten seconds. */
double goban_timeline_view_get_speed (GobanTimelineView *self);
void goban_timeline_view_set_speed (GobanTimelineView *self, double speed);
/* Playback goes on from the start at the end. */
void goban_timeline_view_set_loop (GobanTimelineView *self, gboolean is_loop);
/* Ends playback and shows the next moment at which something starts or finishes, or for -1 the one
 * before. @of_selection: only on devices of selected ops, if any. FALSE if there is none. */
gboolean goban_timeline_view_step_event (GobanTimelineView *self, int direction,
                                         gboolean of_selection);
/* To the start if @where < 0, else to the end. */
void goban_timeline_view_seek (GobanTimelineView *self, int where);

G_END_DECLS
