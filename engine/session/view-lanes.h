/* view-lanes.h: lanes of a view's timeline. */
#pragma once

#include "engine/session/lanes.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

const GobanLanes *goban_view_get_lanes (GobanView *self);
/* Copies; NULL within it is an empty list. */
void goban_view_set_lanes (GobanView *self, const GobanLanes *lanes);
/* Adds a name to the open or the pinned ones, or removes it. */
void goban_view_set_lanes_open (GobanView *self, const char *name, gboolean is_open);
void goban_view_set_lane_pinned (GobanView *self, const char *name, gboolean is_pinned);
/* From bars alone to all sub-rows, to strips, and back. Pinned lanes and the order stay. */
void goban_view_cycle_lanes (GobanView *self);

G_END_DECLS
