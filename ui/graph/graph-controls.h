/* graph-controls.h: controls that float over the corners of a graph view: the way back and the path
 * to the group in sight, the grouping, whether decisions are followed, and the zoom.
 *
 * They lie over the view, which leaves room for them when it fits the graph; between them the view
 * has the pointer. */
#pragma once

#include "ui/graph/graph-view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_GRAPH_CONTROLS (goban_graph_controls_get_type ())
G_DECLARE_FINAL_TYPE (GobanGraphControls, goban_graph_controls, GOBAN, GRAPH_CONTROLS, GtkWidget)

/* @view: its parent, borrowed */
GtkWidget *goban_graph_controls_new (GobanGraphView *view,
                                     GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Names the graph and the open groups around and including @hull. Only a change costs anything. */
void goban_graph_controls_set_path (GobanGraphControls *self, const char *title,
                                    const GobanOutline *outline, guint32 hull);
void goban_graph_controls_set_scale (GobanGraphControls *self, double scale);
/* While devices are offered there, the upper corners are empty. */
void goban_graph_controls_set_top (GobanGraphControls *self, gboolean is_shown);
/* Shows the toggle that follows decisions. */
void goban_graph_controls_offer_follow (GobanGraphControls *self, gboolean is_offered);
/* Whether a point of the view, in its own pixels, is on one of the controls. */
gboolean goban_graph_controls_covers (GobanGraphControls *self, double x, double y);

G_END_DECLS
