/* view-viewport.h: visible part of the graph, visited places and bookmarks of a view. */
#pragma once

#include "engine/session/navigation.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

/* The visible part of the graph, set by the graph pane, without a log line. */
const GobanViewport *goban_view_get_viewport (GobanView *self);
void goban_view_set_viewport (GobanView *self, const GobanViewport *viewport);
/* Asks the graph pane to show that part; does nothing if @viewport is not set. */
void goban_view_go_to_viewport (GobanView *self, const GobanViewport *viewport);

/* Stores the view as bookmark @number, 1..9: visible part, colouring, grouping, open groups,
 * layout. recall: %FALSE if there is no such bookmark; logs the changes that it makes. */
void goban_view_snapshot (GobanView *self, guint number);
gboolean goban_view_recall (GobanView *self, guint number);
/* Borrowed; the window records the visited places. */
GobanNavigation *goban_view_get_places (GobanView *self);

G_END_DECLS
