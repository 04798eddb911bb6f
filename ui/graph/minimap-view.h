/* minimap-view.h: minimap over a corner of the graph pane.
 *
 * A press or a drag centres the view on that point. Hidden while the view shows the whole graph, or
 * if the user has switched it off. The map is painted when the graph or its colours change, never
 * while the view moves.
 */
#pragma once

#include "ui/draw/graph/minimap.h"
#include "ui/graph/graph-view.h"

#define GOBAN_TYPE_MINIMAP_VIEW (goban_minimap_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanMinimapView, goban_minimap_view, GOBAN, MINIMAP_VIEW, GtkWidget)

/* For an overlay above @graph_view, which it borrows and which must outlive it. */
GtkWidget *goban_minimap_view_new (GobanGraphView *graph_view) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE: always hidden. */
void goban_minimap_view_set_wanted (GobanMinimapView *self, gboolean wanted);

/* The number of times the map was painted, for tests. */
guint goban_minimap_view_get_n_paints (GobanMinimapView *self);

/* For tests: simulates a press at a point of the widget, or a drag to it. */
void goban_minimap_view_press (GobanMinimapView *self, double x, double y);
