/* view-lanes.h: lanes of a view's timeline. */
#pragma once

#include "engine/session/lanes.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

const GobanLanes *goban_view_get_lanes (GobanView *self);
/* Copies; NULL within it is an empty list. */
void goban_view_set_lanes (GobanView *self, const GobanLanes *lanes);

G_END_DECLS
