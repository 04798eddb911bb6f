/* view-time.h: time and decision that a view shows. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

/* The time of the run that the graph shows: NAN for none. Playback changes it without a log
 * line. */
double goban_view_get_time_us (GobanView *self);
void goban_view_set_time_us (GobanView *self, double time_us);
void goban_view_play_to (GobanView *self, double time_us);

/* Of goban_view_get_moment(): the plan itself is shown. */
#define GOBAN_NO_MOMENT (-1)

/* The moment of the current run's decisions that is shown in place of the run (decisions.h), or
 * GOBAN_NO_MOMENT. Reset if the run changes. Playback changes it without a log line. */
int goban_view_get_moment (GobanView *self);
void goban_view_set_moment (GobanView *self, int moment);
void goban_view_play_moment (GobanView *self, int moment);

/* Where the player stops: at plans of this level, and which; at first at each moment of the line.
 */
GobanLevel goban_view_get_level (GobanView *self);
GobanStops goban_view_get_stops (GobanView *self);
void goban_view_set_level (GobanView *self, GobanLevel level, GobanStops stops);

/* Words of scripts and files: "moment", "pass", "plan", "round"; and "all", "accepted", "line".
 * FALSE if there is no such word. */
const char *goban_level_get_name (GobanLevel level);
const char *goban_stops_get_name (GobanStops stops);
gboolean goban_level_parse (const char *name, GobanLevel *level);
gboolean goban_stops_parse (const char *name, GobanStops *stops);

G_END_DECLS
