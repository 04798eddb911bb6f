/* graph-view.h: the graph of a session as a picture to walk in: pan, zoom, pick.
 *
 * The layout is made in a worker, once per graph: plans, colours and selections never move a node.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_GRAPH_VIEW (goban_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanGraphView, goban_graph_view, GOBAN, GRAPH_VIEW, GobanPicture)

GtkWidget *goban_graph_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_graph_view_fit (GobanGraphView *self);
/* Shows the selection; everything where nothing is selected. */
void goban_graph_view_show_selection (GobanGraphView *self);
void goban_graph_view_set_show_critical (GobanGraphView *self, gboolean show);

/* What a search has found, to be marked; (nullable). */
void goban_graph_view_set_matches (GobanGraphView *self, GobanSelection *matches);
GobanSelection *goban_graph_view_get_matches (GobanGraphView *self);

/* FALSE while the worker lays the graph out, and without a graph. */
gboolean goban_graph_view_is_ready (GobanGraphView *self);
double goban_graph_view_get_scale (GobanGraphView *self);

/* The middle of a node's box in device pixels; FALSE where the view is not ready. */
gboolean goban_graph_view_locate (GobanGraphView *self, GobanNodeId node, GobanPoint *at);

/* Begins to write the whole graph, as coloured here, in the format of @path's ending. (transfer
 * full) (nullable): a job whose result is the path; NULL with @error set where there is none. */
GobanJob *goban_graph_view_export (GobanGraphView *self, const char *path,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
