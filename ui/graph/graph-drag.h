/* graph-drag.h: moves of nodes to devices in a graph view, by keys. */
#pragma once

#include "ui/graph/graph-targets.h"
#include "ui/graph/graph-view.h"

/* Offers the devices for moving the selection by keys. aim: highlights the next one, or with -1 the
 * previous; drop: moves the selection there. FALSE if nothing is offered, or highlighted. */
void goban_graph_view_offer_devices (GobanGraphView *self, gboolean is_offered);
gboolean goban_graph_view_aim (GobanGraphView *self, int step);
gboolean goban_graph_view_drop (GobanGraphView *self);
GobanGraphTargets *goban_graph_view_get_targets (GobanGraphView *self);
