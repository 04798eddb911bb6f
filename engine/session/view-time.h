/* view-time.h: time and decision that a view shows. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/session/view.h"

/* The time of the run that the graph shows: NAN for none. Playback changes it without a log
 * line. */
double goban_view_get_time_us (GobanView *self);
void goban_view_set_time_us (GobanView *self, double time_us);
void goban_view_play_to (GobanView *self, double time_us);

/* The moment of a view that shows the plan itself. */
#define GOBAN_NO_MOMENT (-1)

/* The moment of the current run's decisions that is shown in place of the run (decisions.h), or
 * GOBAN_NO_MOMENT. Reset if the run changes. Playback changes it without a log line. */
int goban_view_get_moment (GobanView *self);
void goban_view_set_moment (GobanView *self, int moment);
void goban_view_play_moment (GobanView *self, int moment);

/* Stops of the player: plans of this level, and which; at first each moment that was accepted. */
GobanLevel goban_view_get_level (GobanView *self);
GobanStops goban_view_get_stops (GobanView *self);
void goban_view_set_level (GobanView *self, GobanLevel level, GobanStops stops);

/* Moments at which the player stops, wherever else it would go (of GobanMoment, copied;
 * nullable): none at first, and once the run changes. */
void goban_view_stop_at (GobanView *self, const GArray *moments);
/* Adds a moment to them, or removes it. */
void goban_view_toggle_stop_at (GobanView *self, GobanMoment moment);
/* The first of them after @from and up to @to, or GOBAN_NO_MOMENT. */
int goban_view_find_stop_at (GobanView *self, int from, int to);

/* Words of scripts and files: "moment", "pass", "plan", "round"; and "all", "accepted", "line".
 * FALSE if there is no such word. */
const char *goban_level_get_name (GobanLevel level);
gboolean goban_level_parse (const char *name, GobanLevel *level);
gboolean goban_stops_parse (const char *name, GobanStops *stops);
