/* view-time.h: time and decision step that a view shows. */
#pragma once

#include "engine/session/view.h"

G_BEGIN_DECLS

/* The time of the run that the graph shows: NAN for none. Playback changes it without a log
 * line. */
double goban_view_get_time_us (GobanView *self);
void goban_view_set_time_us (GobanView *self, double time_us);
void goban_view_play_to (GobanView *self, double time_us);

/* The decision step shown in place of the current run, GOBAN_NO_STEP (-1) for none: step.h. Reset
 * if the run changes. Playback changes it without a log line. */
int goban_view_get_step (GobanView *self);
void goban_view_set_step (GobanView *self, int step);
void goban_view_play_step (GobanView *self, int step);

G_END_DECLS
